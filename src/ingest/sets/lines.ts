/** Reads lines of a set's members, each with the filing that it belongs to. */
import type { SetsSource } from '../../declare/sets.ts'
import { CsvHeader } from '../../read/csv.ts'
import { tsvCount, tsvLines, tsvValue } from '../../read/tsv-lines.ts'
import { type Notes, refuse } from '../notes.ts'

export interface Line {
  accession: string
  /** Number of the line; the first line after the header has the number 1. */
  number: number
  content: string
}

/** Facts that the first pass found about the lines of a set. */
export interface LinesOverview {
  /** Headers by member. */
  headers: Map<string, CsvHeader>
  /** Filings that cannot be loaded because of damaged lines: the reason by accession. */
  damaged: Map<string, string>
  /** Number of lines that name no filing. */
  strays: number
  found: Notes
}

/** The column by which the lines of a member name their filing. */
export interface Key {
  column: string
  /** Returns the accession in the value of this column; null if the value does not name a filing. */
  accessionOf: (value: string) => string | null
  /** The error for a line that names no filing. */
  reason: string
}

/** Returns the key of a member whose lines contain the accession number, alone or followed by more text. */
export const keyIn = ({ key, keys = {} }: SetsSource, member: string): Key => {
  const pattern = member in keys ? /^(\d{10}-\d\d-\d{6})(?:_|$)/ : /^(\d{10}-\d\d-\d{6})$/
  return {
    column: keys[member] ?? key,
    accessionOf: (value) => pattern.exec(value)?.[1] ?? null,
    reason: 'has no accession number',
  }
}

/**
 * Yields the lines that name their filing, in chunks as they arrive.
 *
 * @param overview collects the header, and the faults of lines; null when the member is read again
 * @throws Error if a member is empty or lacks a column
 */
export async function* linesIn(
  { members }: SetsSource,
  member: string,
  bytes: AsyncIterable<Uint8Array>,
  { column, accessionOf, reason }: Key,
  overview: LinesOverview | null,
): AsyncGenerator<Line[]> {
  const file = `${member}.tsv`
  let header: CsvHeader | undefined
  let at = 0
  let number = 0
  let [before, accession] = ['', null as string | null]
  const known = new Map<string, string>()
  const same = (own: string | null) => {
    if (own === null) return null
    let text = known.get(own)
    if (text === undefined) {
      text = ownText(own)
      known.set(text, text)
    }
    return text
  }
  for await (const some of tsvLines(file, bytes)) {
    const lines: Line[] = []
    for (const content of some) {
      if (!header) {
        header = headerOf(file, content, members[member]!)
        overview?.headers.set(member, header)
        at = header.at(column)!
        continue
      }
      number++
      if (content === '') continue
      const value = tsvValue(content, at)
      if (value !== before) {
        before = value
        accession = known.get(value) ?? same(accessionOf(value.trim()))
      }
      if (accession === null) {
        if (overview) overview.strays++
        if (overview) refuse(overview.found, { place: `${file}:${number}`, key: value.trim() || null, reason })
        continue
      }
      if (overview && tsvCount(content) !== header.columns.length) {
        const count = `${tsvCount(content)} values for ${header.columns.length} columns`
        overview.damaged.set(accession, `${file}:${number} has ${count}`)
      }
      lines.push({ accession, number, content })
    }
    yield lines
  }
  if (!header) throw new Error(`${file} is empty`)
}

/** Copies the text, because a substring keeps its whole source text in memory: 64 KB for each filing of the set. */
const ownText = (part: string) => Buffer.from(part, 'latin1').toString('latin1')

function headerOf(file: string, content: string, columns: readonly string[]): CsvHeader {
  const header = new CsvHeader(file, content.split('\t'))
  const lacking = columns.filter((column) => header.at(column) === undefined)
  if (lacking.length > 0) throw new Error(`${file} lacks the column ${lacking.join(', ')}`)
  return header
}
