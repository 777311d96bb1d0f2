/** Reads an edition's files as fragments: the rows of a record, or of a line that is part of a record. */
import type { Store } from '../../archive/store.ts'
import { messageOf } from '../../declare/errors.ts'
import type { BulkRows, CsvMember, CsvSeries, Series, XmlSeries } from '../../declare/series.ts'
import { CsvHeader, CsvRow } from '../../read/csv.ts'
import { csvLines } from '../../read/csv-lines.ts'
import { unpacked } from '../../read/gunzip.ts'
import { excerpt } from '../../read/text.ts'
import { type Element, each, type Problem } from '../../read/xml.ts'
import { membersOf } from '../../read/zip.ts'
import { type Notes, noteProblems, refuse, unread } from '../notes.ts'
import { counted, mostOf } from './most.ts'
import { readList, readRecords } from './read-json.ts'
import { readPdfs } from './read-pdf.ts'

export interface Fragment {
  key: string
  /** Where the fragment is: the file, and the record or line in this file. */
  place: string
  /** The version of the record; empty for series without versions. */
  version: string
  rows: readonly (readonly [table: string, row: Record<string, unknown>])[]
  /**
   * Digest and length of the record's own bytes. For a record without bytes of its own, both are computed from its
   * rows.
   */
  bytes?: { digest: string; length: number }
}

export interface BulkFile {
  name: string
  /** Returns the bytes of the file, which can be read only once. */
  bytes: () => AsyncIterable<Uint8Array>
}

/** Selects the records of an update, and states where the bytes of PDFs are stored. */
interface OfUpdate {
  /** Returns false for records that need not be parsed. */
  isWanted: (key: string) => boolean
  archive: Store
}

/** The minimum number of XML members that a zip must have. */
interface OfParts {
  least: number
}

/**
 * Reads the files of one edition.
 *
 * @param found collects the parts that were refused, unread or unreadable
 * @throws Error that names the file, if it is cut short, is not well-formed, lacks members or columns, or exceeds its
 *   limits; the signal's reason if it is aborted
 */
export async function* read(
  series: Series,
  files: readonly BulkFile[],
  found: Notes,
  signal?: AbortSignal,
  of: OfUpdate | OfParts = { least: 0 },
): AsyncGenerator<Fragment> {
  const members: string[] = []
  for (const file of files) {
    try {
      const fragments = fragmentsOf(series, file, found, { members, of, signal })
      // `yield*` is not used here, because it makes three promises for each fragment instead of one.
      for await (const fragment of fragments) {
        signal?.throwIfAborted()
        yield fragment
      }
    } catch (cause) {
      throw endOf(signal, file, cause)
    }
  }
  if (series.format !== 'csv') return
  // The required members are looked for in all parts of the edition together, since each part has only some of them.
  const lacking = series.members.filter(({ required, file }) => required && !members.some((name) => file.test(name)))
  if (lacking.length > 0) throw new Error(`the zip has no member ${lacking.map(({ file }) => file.source).join(', ')}`)
}

/**
 * Returns the error to throw when the reading of a file has ended: the signal's reason, or an error that names the file
 * and has `cause` as its cause.
 */
export function endOf(signal: AbortSignal | undefined, { name }: BulkFile, cause: unknown): unknown {
  return signal?.aborted ? signal.reason : new Error(name, { cause })
}

function fragmentsOf(
  series: Series,
  file: BulkFile,
  found: Notes,
  { members, of, signal }: { members: string[]; of: OfUpdate | OfParts; signal: AbortSignal | undefined },
): AsyncGenerator<Fragment> {
  if (series.format === 'xml') return readXml(series, file, found, { least: 'least' in of ? of.least : 0, signal })
  if (series.format === 'csv') return readCsv(series, file, found, { members, signal })
  if (series.kind === 'snapshot') return readList(series, file, found)
  const { isWanted, archive } = of as OfUpdate
  return series.format === 'json'
    ? readRecords(series, file, found, isWanted)
    : readPdfs(series, file, found, archive, isWanted)
}

async function* readXml(
  series: XmlSeries,
  file: BulkFile,
  found: Notes,
  { least, signal }: OfParts & { signal: AbortSignal | undefined },
): AsyncGenerator<Fragment> {
  const count = counted(mostOf(series, file.name), found, signal)
  for await (const { name, bytes } of documentsOf(series, file, found, least)) {
    let number = 0
    for await (const record of each(bytes, series.record)) {
      const place = `${name}:${series.record} ${++number}`
      count(() => place)
      const fragment = attempt(place, found, () => series.key(record), {
        version: () => series.version?.(record) ?? '',
        rows: () => series.rows(record),
      })
      for (const path of record.unread()) unread(found, path)
      noteProblems(found, placed(place, record))
      if (fragment) yield fragment
    }
  }
}

/**
 * Yields the documents of a file: the unpacked file itself, or the XML members of a zip, one at a time. If the series
 * declares `members`, the XML members are numbered parts: there may be more parts than before, but no number may be
 * missing.
 */
export async function* documentsOf(
  series: XmlSeries,
  { name, bytes }: BulkFile,
  found: Notes,
  least: number,
): AsyncGenerator<{ name: string; bytes: AsyncIterable<Uint8Array> }> {
  const { members: wanted } = series
  const { bytes: sizeMax } = mostOf(series, name)
  if (/\.gz$/i.test(name)) return yield { name, bytes: unpacked(bytes(), sizeMax) }
  if (!/\.zip$/i.test(name)) return yield { name, bytes: bytes() }
  const isXml = (member: string) => /\.xml$/i.test(member)
  const check = (names: readonly string[]) => {
    if (wanted === undefined) return
    const parts = names.filter(isXml)
    const numbers = new Set(parts.map((part) => Number(/(?<!\d)(\d+)\.xml$/i.exec(part)?.[1] ?? 0)))
    const last = Math.max(...numbers)
    const missing = Array.from({ length: Math.min(last, parts.length + 1) }, (_, n) => n + 1).find(
      (n) => !numbers.has(n),
    )
    if (last > 0 && !numbers.has(0) && missing !== undefined) throw new Error(`part ${missing} of ${last} is missing`)
    if (parts.length < least) {
      throw new Error(
        `only ${parts.length} of ${least} parts are there: check the files, and then load them with --accept-gone`,
      )
    }
    found.parts = parts.length
  }
  for await (const member of membersOf(bytes(), { check, sizeMax })) if (isXml(member.name)) yield member
}

const placed = (place: string, from: Element | CsvRow): Problem[] =>
  from.problems().map((problem) => ({ ...problem, path: `${place} ${problem.path}` }))

/** Returns the fragment. If the key or the rows cannot be read, records the reason in `found` and returns null. */
function attempt(
  place: string,
  found: Notes,
  keyOf: () => string,
  { version, rows }: { version: () => string; rows: () => BulkRows },
): Fragment | null {
  let key: string | null = null
  try {
    key = keyOf()
    return { key, place, version: version(), rows: [...rows()] }
  } catch (error) {
    refuse(found, { place, key, reason: messageOf(error) })
    return null
  }
}

/**
 * Reads the members of a zip.
 *
 * @param members collects the names of all members that the zip has
 */
async function* readCsv(
  series: CsvSeries,
  { name, bytes }: BulkFile,
  found: Notes,
  { members, signal }: { members: string[]; signal: AbortSignal | undefined },
): AsyncGenerator<Fragment> {
  const most = mostOf(series, name)
  const count = counted(most, found, signal)
  for await (const member of membersOf(bytes(), { sizeMax: most.bytes })) {
    members.push(baseName(member.name))
    const own = series.members.find(({ file }) => file.test(baseName(member.name)))
    // Members of other names (for example folders of an archiver) are reported, and not read as lines.
    if (!own) unread(found, `${name}/${member.name}`)
    else yield* linesOf(series, own, { file: baseName(member.name), bytes: member.bytes, count }, found)
  }
}

const baseName = (member: string) => member.replace(/^.*[\\/]/, '')

/** Maximum number of columns of a file. Real tables of Form ADV have up to a few hundred columns. */
const COLUMNS_MAX = 10_000

async function* linesOf(
  series: CsvSeries,
  member: CsvMember,
  { file, bytes, count }: { file: string; bytes: AsyncIterable<Uint8Array>; count: ReturnType<typeof counted> },
  found: Notes,
): AsyncGenerator<Fragment> {
  const { key } = series
  let header: CsvHeader | undefined
  let number = 0
  const noteUnread = () => {
    for (const column of header!.unread()) unread(found, `${file.replace(/_\d{8}.*/, '')}/${column}`)
  }
  for await (const { values, cleaned, isBroken } of csvLines(file, bytes)) {
    if (!header) {
      header = headerOf(series, member, file, values)
      continue
    }
    count(() => `a line of ${file}`)
    if (values.length === 1 && values[0] === '') continue
    const place = `${file}:${++number}`
    if (isHeader(header, series, member, values)) {
      noteProblems(found, [{ path: place, value: excerpt(values.join()), reason: 'the header is repeated' }])
      if (plain(values).join('\0') === plain(header.columns).join('\0')) continue
      if (number > 1) noteUnread()
      header = headerOf(series, member, file, values)
      continue
    }
    const line = new CsvRow(header, values, number)
    if (isBroken) {
      refuse(found, { place, key: line.text(...key), reason: 'a quote is not closed' })
      continue
    }
    if (values.length !== header.columns.length) {
      const reason = `${values.length} values for ${header.columns.length} columns`
      refuse(found, { place, key: line.text(...key), reason })
      continue
    }
    for (const at of cleaned) line.problem(header.columns[at]!, values[at]!, 'NUL was removed from it')
    const keyOf = () => {
      const value = line.text(...key)
      if (value === null) throw new Error(`no ${key[0]}`)
      return value
    }
    const fragment = attempt(place, found, keyOf, { version: () => '', rows: () => member.rows(line) })
    noteProblems(found, placed(file, line))
    if (fragment) yield fragment
  }
  if (!header) throw new Error(`${file} is empty`)
  // The columns of a file without lines were never read, so they are not reported as unread.
  if (number > 0) noteUnread()
}

/**
 * Makes the header of a member.
 *
 * @throws Error that names the required columns that the member lacks
 */
function headerOf({ key }: CsvSeries, { needs }: CsvMember, file: string, values: readonly string[]): CsvHeader {
  if (values.length > COLUMNS_MAX) throw new Error(`${file} has ${values.length} columns`)
  const header = new CsvHeader(file, values)
  const lacking = needs.filter((column) => header.at(column) === undefined)
  if (!key.some((column) => header.at(column) !== undefined)) lacking.unshift(key[0])
  if (lacking.length > 0) throw new Error(`${file} lacks the column ${lacking.join(', ')}`)
  return header
}

const plain = (values: readonly string[]) => values.map((value) => value.trim().toLowerCase())

/**
 * Tests whether a line is a header. A header has the names of the key and of every required column, and most of its
 * values are column names of the file. A file that was joined from several files has further headers in its middle.
 */
function isHeader(header: CsvHeader, { key }: CsvSeries, { needs }: CsvMember, values: readonly string[]): boolean {
  const at = key.map((column) => header.at(column)).find((place) => place !== undefined)
  // Nearly every line returns here, because keys are numbers.
  if (/^\s*\d+\s*$/.test(values[at!] ?? '')) return false
  const names = new Set(plain(values))
  if (!key.some((column) => names.has(column.toLowerCase()))) return false
  if (!needs.every((column) => names.has(column.toLowerCase()))) return false
  const known = new Set(plain(header.columns))
  return [...names].filter((name) => known.has(name)).length * 2 > values.length
}
