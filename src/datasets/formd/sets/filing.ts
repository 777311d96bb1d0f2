/** Reads one Form D from a quarterly set: rebuilds the elements of the form, and parses them like the document. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { grow, inOrder, Lines, Made, problemsOf } from '../../../read/made.ts'
import { parse } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/** Members whose lines are numbered, each with the column of the number. */
const NUMBERED = {
  ISSUERS: 'ISSUER_SEQ_KEY',
  RECIPIENTS: 'RECIPIENT_SEQ_KEY',
  RELATEDPERSONS: 'RELATEDPERSON_SEQ_KEY',
  SIGNATURES: 'SIGNATURE_SEQ_KEY',
} as const

/**
 * Yields the rows of one filing. The form names at most a hundred persons, so a filing is held whole.
 *
 * @throws Error in the cases of the form's parser
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const all = new Map(lines)
  const persons: CsvRow[] = []
  for await (const { row } of records ?? []) persons.push(row)
  if (persons.length > 0) all.set('RELATEDPERSONS', persons)
  for (const [member, column] of Object.entries(NUMBERED)) {
    const own = all.get(member)
    if (own)
      all.set(
        member,
        inOrder(own, (row) => row.integer(column)),
      )
  }
  const own = new Lines(all)
  const [submission] = own.of('FORMDSUBMISSION')
  if (!submission) throw new Error('has no line in FORMDSUBMISSION')
  const made = Made.root(ROOT)
  grow(made, plan().branches, own)
  const document = made.element()
  yield* parse({ documents: { form: document } })
  tell({ problems: problemsOf(document, submission) })
  for (const row of persons) tell({ problems: row.problems() })
}
