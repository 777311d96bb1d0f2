/**
 * Reads master indexes, which are EDGAR's lists of filings, line by line. A line that does not parse is reported, never
 * skipped silently.
 */
import { mixedText } from './encoding.ts'
import { fold } from './fold.ts'
import { dayOf } from './sgml/moment.ts'
import { excerpt } from './text.ts'

/** One line of a master index: a filing as listed under one of its filers. */
export interface IndexEntry {
  /** Ten digits. */
  cik: string
  companyName: string
  formType: string
  /** `YYYY-MM-DD`. */
  filedDate: string
  /** Dashed. */
  accession: string
  /** Path of the full submission below /Archives/: `edgar/data/…/….txt`. */
  path: string
}

export interface IndexProblem {
  /** Counts from 1. */
  line: number
  content: string
  reason: string
}

export interface IndexReader {
  /** Yields all entries of one chunk at once: a promise for each line would cost more than reading the line. */
  entries: AsyncGenerator<IndexEntry[]>
  /** The first 1,000 problems; complete once `entries` is exhausted. */
  problems: IndexProblem[]
  /** The number of all problems. */
  problemCount: number
  /** `Last Data Received` of the header, `YYYY-MM-DD`; null if it is absent or blank. */
  lastReceived: string | null
  /** Whether the line of dashes below the column names was seen. Without this line the file is not an index. */
  begun: boolean
  /** Accessions found in unreadable lines: the index lists these filings, although their lines are not entries. */
  mentioned: Set<string>
  /** Number of unreadable lines without an accession: the filings that they list are unknown. */
  unplaced: number
}

/** Maximum length of a line; the longest real line is under 250 bytes. */
const LINE_MAX = 4096
/** EDGAR's own limit for a name is 150 characters. */
const NAME_MAX = 500
/**
 * The indexes of the spine accept keys of up to 2,704 bytes. Folding converts one character to up to eighteen
 * characters.
 */
const NAME_KEY_MAX = 2_000
/** The longest real form code has 17 characters. */
const FORM_MAX = 40

const PROBLEMS_MAX = 1_000

/**
 * Reads a `master.idx`, quarterly or daily. The header varies in length, the last column is `Filename` or `File Name`,
 * and dates are ISO or `YYYYMMDD`.
 */
export function readIndex(stream: AsyncIterable<Uint8Array>): IndexReader {
  const reader: IndexReader = {
    ...{ entries: read(), problems: [], problemCount: 0, lastReceived: null, begun: false },
    ...{ mentioned: new Set(), unplaced: 0 },
  }
  return reader

  function problem(line: number, content: string, reason: string): void {
    reader.problemCount++
    // If a line is binary garbage, only the part of the line that can be stored is reported.
    if (reader.problems.length < PROBLEMS_MAX) reader.problems.push({ line, content: excerpt(content, 500), reason })
  }

  async function* read(): AsyncGenerator<IndexEntry[]> {
    let number = 0
    for await (const batch of lines(stream)) {
      const entries: IndexEntry[] = []
      for (const line of batch) readLine(line, ++number, entries)
      yield entries
    }
    if (!reader.begun) {
      problem(number, '', 'this is not a master index: it has no line of dashes after its header')
    }
  }

  function readLine(line: string, number: number, entries: IndexEntry[]): void {
    if (!reader.begun) {
      const received = /^Last Data Received:\s*(\S.*)$/.exec(line)?.[1]
      if (received) reader.lastReceived = dayOfHeader(received)
      reader.begun = /^-{20,}\s*$/.test(line)
      return
    }
    if (line.trim() === '') return
    const entry = parseLine(line)
    if (typeof entry !== 'string') {
      entries.push(entry)
      return
    }
    problem(number, line, entry)
    const accession = /\d{10}-\d{2}-\d{6}/.exec(line)?.[0]
    if (accession) reader.mentioned.add(accession)
    else reader.unplaced++
  }
}

/** Reads a line of the index. Returns the reason if the line is unreadable. */
export function parseLine(line: string): IndexEntry | string {
  if (line.length > LINE_MAX) return `is longer than ${LINE_MAX} characters`
  if (line.includes('\0')) return 'has NUL characters'
  const fields = line.split('|')
  if (fields.length < 5) return `has ${fields.length} fields instead of 5`
  // The name may contain "|"; the first field and the last three fields never contain it.
  const [cik, listedName, formType, date, path] = [fields[0]!, fields.slice(1, -3).join('|'), ...fields.slice(-3)].map(
    (field) => field.trim(),
  ) as [string, string, string, string, string]
  if (!/^\d{1,10}$/.test(cik)) return `CIK ${quote(cik)} is not a number of at most ten digits`
  // Indexes write "{-}" for "|", as in "40|86 Advisors, Inc."; the feed of current filings does not.
  const companyName = listedName.includes('{-}') ? listedName.replaceAll('{-}', '|') : listedName
  if (companyName.length > NAME_MAX) return `the name has ${companyName.length} characters, more than ${NAME_MAX}`
  if (/[^\x20-\x7e]/.test(companyName) && Buffer.byteLength(fold(companyName)) > NAME_KEY_MAX) {
    return `the name takes more than ${NAME_KEY_MAX} bytes as a search key`
  }
  if (formType === '') return 'the form type is blank'
  if (formType.length > FORM_MAX) return `the form type has ${formType.length} characters, more than ${FORM_MAX}`
  const filedDate = dayOf(date.replace(/^(\d{4})-(\d{2})-(\d{2})$/, '$1$2$3'))
  if (!filedDate) return `date ${quote(date)} is not a day`
  const accession = /^edgar\/data\/\d{1,10}\/(\d{10}-\d{2}-\d{6})\.txt$/.exec(path)?.[1]
  if (!accession) return `path ${quote(path)} is not edgar/data/<cik>/<accession>.txt`
  return { cik: cik.padStart(10, '0'), companyName, formType, filedDate, accession, path }
}

const quote = (text: string) => JSON.stringify(excerpt(text, 80))

/** `December 31, 2025` or `Jan  2, 2024`. */
function dayOfHeader(text: string): string | null {
  const parsed = new Date(`${text.trim().replace(/\s+/g, ' ')} UTC`)
  return Number.isNaN(parsed.getTime()) ? null : dayOf(parsed.toISOString().replace(/T.*|-/g, ''))
}

/**
 * Yields the lines without their line ends, all lines of a chunk at once. Lines are split before they are decoded,
 * since an index mixes encodings: names with accents occur in UTF-8 and in Latin-1.
 */
async function* lines(stream: AsyncIterable<Uint8Array>): AsyncGenerator<string[]> {
  let rest = Buffer.alloc(0)
  for await (const chunk of stream) {
    const piece = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    const end = piece.lastIndexOf(LINE_FEED) + 1
    const whole = rest.length > 0 ? Buffer.concat([rest, piece.subarray(0, end)]) : piece.subarray(0, end)
    if (end > 0) rest = Buffer.from(piece.subarray(end))
    else rest = Buffer.concat([rest, piece])
    const batch = end > 0 ? mixedText(whole).split(/\r?\n/) : []
    batch.pop()
    if (rest.length > LINE_MAX) {
      batch.push(mixedText(rest))
      rest = Buffer.alloc(0)
    }
    yield batch
  }
  if (rest.length > 0) yield [mixedText(rest)]
}

const LINE_FEED = 10
