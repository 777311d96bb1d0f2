/** Reads one Form C from a quarterly set: rebuilds the elements of the form, and parses them like the document. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { grow, Lines, Made, problemsOf } from '../../../read/made.ts'
import { documentRows } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/**
 * Yields the rows of one filing. There are some fifty jurisdictions, so a filing is held whole.
 *
 * @throws Error in the cases of the form's parser
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const all = new Map(lines)
  const jurisdictions: CsvRow[] = []
  for await (const { row } of records ?? []) jurisdictions.push(row)
  if (jurisdictions.length > 0) all.set('FORM_C_ISSUER_JURISDICTIONS', jurisdictions)
  const own = new Lines(all)
  const [submission] = own.of('FORM_C_SUBMISSION')
  if (!submission) throw new Error('has no line in FORM_C_SUBMISSION')
  const made = Made.root(ROOT)
  grow(made, plan().branches, own)
  const document = made.element()
  yield* documentRows(document, 'set')
  tell({ problems: problemsOf(document, submission) })
}
