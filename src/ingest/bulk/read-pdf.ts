/**
 * Reads PDFs of a series, alone or in a zip. Each PDF is a record; a PDF that cannot be read becomes a record that
 * states the failure.
 */
import { hash } from 'node:crypto'
import { Readable } from 'node:stream'
import { pdfText } from '../../archive/pdfs.ts'
import type { Store } from '../../archive/store.ts'
import { messageOf } from '../../declare/errors.ts'
import { momentOf } from '../../declare/moment.ts'
import type { PdfRecords } from '../../declare/series.ts'
import { CsvHeader, CsvRow } from '../../read/csv.ts'
import { csvLines } from '../../read/csv-lines.ts'
import { excerpt } from '../../read/text.ts'
import { openZip, type Zip } from '../../read/zip.ts'
import { type Notes, noteProblems, refuse, unread } from '../notes.ts'
import type { BulkFile, Fragment } from './read.ts'
import { gathered } from './read-json.ts'

/** A PDF that was not read yet. */
export interface PdfMember {
  name: string
  key: string
  bytes: Uint8Array
  /**
   * Digest of the PDF's bytes and of its line in the mapping, which is the CSV file in a zip that describes the zip's
   * PDFs.
   */
  digest: string
  match: RegExpExecArray
  archiveName: string
  line: CsvRow | null
}

/**
 * Maximum number of members of a zip. A month has about 4,000 brochures. The name of a member (firm, brochure and day)
 * takes about 60 bytes.
 */
const MEMBERS_MAX = 200_000

/**
 * Marks the digest of a PDF without text. Such a PDF is read again with each load of its edition, because another try
 * may succeed.
 */
export const FAILED = '!'
export const withoutMark = (digest: string) => digest.replace(FAILED, '')

/**
 * Yields the PDFs of a file. A member whose name does not match is reported and not read. A member is refused if it is
 * too large, or if its bytes do not match what the zip states. The other members are read. If a file has two PDFs of
 * the same record, this function yields both; the load refuses the second (`onceEach` in update.ts).
 *
 * @throws Error for a file that is neither a zip nor a PDF, and for a mapping that lacks the column with the names of
 *   PDFs
 */
export async function* pdfsOf(series: PdfRecords, { name, bytes }: BulkFile, found: Notes): AsyncGenerator<PdfMember> {
  if (!/\.zip$/i.test(name)) {
    const whole = await gathered(bytes())
    // A site that lacks the PDF may answer with another document, which must not be stored as a PDF. In a zip, a member
    // that is not a PDF becomes a record without text.
    if (!whole.subarray(0, 1024).includes('%PDF-')) throw new Error('it is not a PDF')
    yield member(series, series.record.exec(name)!, whole, { archiveName: name, line: null })
    return
  }
  const zip = await openZip(bytes(), { membersMax: MEMBERS_MAX })
  try {
    const lines = await mappingOf(series, zip, found)
    for (const { name: at, bytes: read } of zip.members) {
      const own = baseName(at)
      if (series.mapping.file.test(own)) continue
      const match = series.record.exec(own)
      if (!match) {
        unread(found, `${name}/${at}`)
        continue
      }
      const line = lines.get(own.toLowerCase()) ?? null
      lines.delete(own.toLowerCase())
      try {
        yield member(series, match, await gathered(read()), { archiveName: name, line })
      } catch (error) {
        refuse(found, { place: own, key: series.key(match), reason: messageOf(error) })
      }
    }
    for (const [pdf, { row }] of lines) {
      noteProblems(found, [
        { path: `${row.file}:${row.number}`, value: pdf, reason: 'the zip has no PDF of this name' },
      ])
    }
  } finally {
    await zip.close()
  }
}

const baseName = (member: string) => member.replace(/^.*[\\/]/, '')

function member(
  series: PdfRecords,
  match: RegExpExecArray,
  bytes: Uint8Array,
  { archiveName, line }: { archiveName: string; line: Line | null },
): PdfMember {
  const digest = hash('sha1', hash('sha1', bytes) + (line?.values ?? ''), 'base64url').slice(0, 15)
  return { name: match.input, key: series.key(match), bytes, digest, match, archiveName, line: line?.row ?? null }
}

/** A line of a mapping, and its original values. */
interface Line {
  row: CsvRow
  values: string
}

/**
 * Returns the lines of the mapping by the name of the PDF in lower case. The result is empty if the zip has no mapping.
 */
async function mappingOf({ mapping }: PdfRecords, zip: Zip, found: Notes): Promise<Map<string, Line>> {
  const lines = new Map<string, Line>()
  const file = zip.members.find(({ name }) => mapping.file.test(baseName(name)))
  if (!file) return lines
  const name = baseName(file.name)
  let header: CsvHeader | undefined
  let number = 0
  for await (const { values, isBroken } of csvLines(name, file.bytes())) {
    if (!header) {
      header = new CsvHeader(name, values)
      if (header.at(mapping.name) === undefined) throw new Error(`${name} lacks the column ${mapping.name}`)
      for (const column of values) if (!mapping.columns.includes(column.trim())) unread(found, `${name}/${column}`)
      continue
    }
    const row = new CsvRow(header, values, ++number)
    if (isBroken)
      noteProblems(found, [
        { path: `${name}:${number}`, value: excerpt(values.join()), reason: 'a quote is not closed' },
      ])
    const pdf = row.text(mapping.name)
    if (pdf !== null) lines.set(baseName(pdf).toLowerCase(), { row, values: values.join('\0') })
    if (lines.size > MEMBERS_MAX) throw new Error(`${name} has more than ${MEMBERS_MAX} lines`)
  }
  return lines
}

/** The archive in which PDFs are stored, and the clock that states when their texts were made. */
export interface Reading {
  archive: Store
  now?: (() => number) | undefined
}

/** Stores the bytes of a PDF in the archive, reads it in a separate process, and makes its rows. */
export async function converted(
  series: PdfRecords,
  { name, key, bytes, digest, match, archiveName, line }: PdfMember,
  found: Notes,
  { archive, now = Date.now }: Reading,
): Promise<Fragment> {
  const { sha256 } = await archive.put(Readable.from([bytes]))
  const text = await pdfText(archive, sha256, () => series.read(bytes))
  const convertedAt = momentOf(new Date(now()).toISOString())
  const rows = [...series.rows({ key, match, name, archiveName, sha256, size: bytes.length, line, text, convertedAt })]
  noteProblems(found, line?.problems() ?? [])
  const marked = text.kind === 'text' ? digest : digest + FAILED
  return { key, place: name, version: '', rows, bytes: { digest: marked, length: bytes.length } }
}

/** Yields the selected records of an edition, for a rebuild. */
export async function* readPdfs(
  series: PdfRecords,
  file: BulkFile,
  found: Notes,
  archive: Store,
  isWanted: (key: string) => boolean,
): AsyncGenerator<Fragment> {
  for await (const pdf of pdfsOf(series, file, found)) {
    if (isWanted(pdf.key)) yield await converted(series, pdf, found, { archive })
  }
}
