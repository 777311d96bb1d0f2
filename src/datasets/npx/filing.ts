/** One Form N-PX out of its documents, or, where it has none in XML, out of EDGAR's header. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import type { Problem } from '../../read/xml.ts'
import { coverRows, textOnly } from './parse-cover.ts'
import { type Findings, parseVotes } from './parse-votes.ts'
import type { ROLES } from './sources.ts'

/** More problems of one table than this say nothing new. */
const PROBLEMS_MAX = 1_000

/**
 * Rows of one filing. The table of votes is read as it arrives, and its lines come before the report, which counts them.
 *
 * @throws Error when there is a table without a cover, or the cover is that of another form
 */
export async function* parse({ documents, tell, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  const { cover, table } = documents
  if (cover === null) {
    if (table !== null) throw new Error('has a table of votes and no cover')
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
  yield ['report', { ...report, votes: table === null ? null : found.lines, cut_off: found.cutOff }]
  tell({ problems, unread: found.unread })
}
