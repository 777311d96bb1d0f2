/** Reads one Form 3, 4 or 5 from a quarterly set: rebuilds the elements of the form, and parses them like the document. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { grow, inOrder, isoDay, Lines, Made, problemsOf } from '../../../read/made.ts'
import { cik, integer } from '../../../read/values.ts'
import { documentRows } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/** The members with lines of Tables I and II. The form has at most 30 lines in a table, so all are held. */
const TABLES = ['NONDERIV_TRANS', 'NONDERIV_HOLDING', 'DERIV_TRANS', 'DERIV_HOLDING']

/** @throws Error if the filing has no owner, and in the cases of the form's parser */
export async function* parseSet({ lines, records, filedDate, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const all = new Map(lines)
  const transactions: CsvRow[] = []
  for await (const { row } of records ?? []) transactions.push(row)
  if (transactions.length > 0) all.set('NONDERIV_TRANS', transactions)
  // Sets have the lines of a filing in any order. Nothing says that their numbers are in the order of the form. It is
  // likely: in 2024 Q3, the numbers of footnotes rise with the numbers of lines in 4,380 filings, and fall in 166.
  for (const member of TABLES) {
    const own = all.get(member)
    if (own)
      all.set(
        member,
        inOrder(own, (row) => row.integer(`${member}_SK`)),
      )
  }
  all.set('FOOTNOTES', inOrder(all.get('FOOTNOTES') ?? [], numberOfNote))
  // Owners and signatures have no numbers. They get an order that does not depend on the order of the lines.
  all.set('REPORTINGOWNER', sortedBy(distinctOwners(all.get('REPORTINGOWNER') ?? []), ownerOf))
  all.set('OWNER_SIGNATURE', sortedBy(all.get('OWNER_SIGNATURE') ?? [], signatureOf))
  const own = new Lines(all)
  const [submission] = own.of('SUBMISSION')
  if (!submission || own.of('REPORTINGOWNER').length === 0)
    throw new Error(`has no line in ${submission ? 'REPORTINGOWNER' : 'SUBMISSION'}`)
  const made = Made.root(ROOT)
  grow(made, plan().branches, own)
  const document = made.element()
  const form = submission.text('DOCUMENT_TYPE') ?? ''
  yield* documentRows(document, { form, filedDate, cik: null }, 'set')
  tell({ problems: problemsOf(document, submission) })
  for (const row of transactions) tell({ problems: row.problems() })
}

/** The number of a footnote, such as F12. Another id has none. */
const numberOfNote = (row: CsvRow): number | null => {
  const id = row.text('FOOTNOTE_ID')
  return id?.startsWith('F') ? integer(id.slice(1)) : null
}

const ownerOf = (row: CsvRow) => `${cik(row.text('RPTOWNERCIK') ?? '') ?? ''} ${row.text('RPTOWNERNAME')}`
const signatureOf = (row: CsvRow) => `${row.text('OWNERSIGNATURENAME')} ${isoDay(row.text('OWNERSIGNATUREDATE'))}`

function sortedBy(rows: readonly CsvRow[], keyOf: (row: CsvRow) => string): CsvRow[] {
  return rows
    .map((row) => ({ row, key: keyOf(row) }))
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ row }) => row)
}

/** An owner with several file numbers at EDGAR has a line for each of them, which are the same but for that number. */
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
