/** Reads one Form N-PX from its XML documents or, without any, from EDGAR's header. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Filing } from '../../declare/documents.ts'
import type { Element, Problem } from '../../read/xml.ts'
import { coverRows, textOnly } from './parse-cover.ts'
import { type Findings, parseVotes } from './parse-votes.ts'

interface Given {
  cover: Element | null
  table: AsyncIterable<Uint8Array> | null
}

/**
 * Maximum number of recorded problems of one table. It is one more than a filing keeps, so that the filing can record
 * that there are more.
 */
const PROBLEMS_MAX = 1_001

/**
 * Yields the rows of one filing. Streams the table of votes. Yields the votes before the report, because the row of the
 * report states how many votes were read.
 *
 * @throws Error if a table has no cover, or the cover belongs to another form
 */
export async function* parse({ documents, header, tell }: Filing<Given>): AsyncGenerator<ParsedRow> {
  const { cover, table } = documents
  if (cover === null) {
    if (table !== null) throw new Error('has a table of votes, but no cover')
    yield ['report', textOnly(header)]
    return
  }
  const problems: Problem[] = []
  const found: Findings = {
    lines: 0,
    cutOff: null,
    unread: new Set(),
    note: (problem) => void (problems.length < PROBLEMS_MAX && problems.push(problem)),
  }
  const { report, rows } = coverRows(cover, header)
  if (table !== null) for await (const row of parseVotes(table, { ...report, ...header }, found)) yield ['vote', row]
  for (const row of rows) yield row
  yield ['report', { ...report, vote_count: table === null ? null : found.lines, cut_off: found.cutOff }]
  tell({ problems, unread: found.unread })
}
