/**
 * Reads one Form 3, 4 or 5 from a quarterly set: rebuilds the elements of the form, and parses them like the document.
 */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { grown, heldLines, isoDay, Lines, problemsOf, sortedBy, sortNumbered } from '../../../read/made.ts'
import { cik, integer } from '../../../read/values.ts'
import { documentRows } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/** The members with lines of Tables I and II, each with the column that has the number of a line. */
const NUMBERS = {
  NONDERIV_TRANS: 'NONDERIV_TRANS_SK',
  NONDERIV_HOLDING: 'NONDERIV_HOLDING_SK',
  DERIV_TRANS: 'DERIV_TRANS_SK',
  DERIV_HOLDING: 'DERIV_HOLDING_SK',
} as const

/**
 * Yields the rows of one filing. Holds the whole filing in memory, because the form has at most 30 lines in a table.
 *
 * @throws Error if the filing has no owner, or if the form's parser throws an error
 */
export async function* parseSet({ lines, records, filedDate, tell }: SetParts): AsyncGenerator<ParsedRow> {
  // Sets have the lines of a filing in any order. The SEC does not say that the numbers of lines follow the order of
  // the form, but this is likely. In 2024 Q3, the numbers of footnotes rise with the numbers of lines in 4,380 filings,
  // and fall in 166.
  const all = sortNumbered(await heldLines(lines, records, 'NONDERIV_TRANS'), NUMBERS)
  all.set('FOOTNOTES', sortedBy(all.get('FOOTNOTES') ?? [], numberOfNote))
  // Owners and signatures have no numbers. Their order in the rows does not depend on the order of the lines.
  all.set('REPORTINGOWNER', sortedBy(distinctOwners(all.get('REPORTINGOWNER') ?? []), ownerOf))
  all.set('OWNER_SIGNATURE', sortedBy(all.get('OWNER_SIGNATURE') ?? [], signatureOf))
  const own = new Lines(all)
  if (own.of('REPORTINGOWNER').length === 0) throw new Error('has no line in REPORTINGOWNER')
  const submission = own.one('SUBMISSION')
  const document = grown(ROOT, plan().branches, own).element()
  const form = submission.text('DOCUMENT_TYPE') ?? ''
  yield* documentRows(document, { form, filedDate, cik: null }, 'set')
  tell({ problems: problemsOf(document, submission) })
  for (const row of own.of('NONDERIV_TRANS')) tell({ problems: row.problems() })
}

/** The number of a footnote, such as F12. A footnote with an id of another shape comes before the others. */
const numberOfNote = (row: CsvRow): number => {
  const id = row.text('FOOTNOTE_ID')
  return (id?.startsWith('F') ? integer(id.slice(1)) : null) ?? -1
}

const ownerOf = (row: CsvRow) => `${cik(row.text('RPTOWNERCIK') ?? '') ?? ''} ${row.text('RPTOWNERNAME')}`
const signatureOf = (row: CsvRow) => `${row.text('OWNERSIGNATURENAME')} ${isoDay(row.text('OWNERSIGNATUREDATE'))}`

/** An owner with several file numbers at EDGAR has a line for each number; the lines differ only in that number. */
function distinctOwners(rows: readonly CsvRow[]): CsvRow[] {
  const columns = plan().members.REPORTINGOWNER!
  const known = new Set<string>()
  return rows.filter((row) => {
    const key = JSON.stringify(columns.map((column) => row.text(column)))
    if (known.has(key)) return false
    known.add(key)
    return true
  })
}
