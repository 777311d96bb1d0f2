/** Reads one Form D from a quarterly set: rebuilds the elements of the form, and parses them like the document. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import { grown, heldLines, Lines, problemsOf, sortNumbered } from '../../../read/made.ts'
import { parse } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/** Members whose lines are numbered, each with the column that has the number. */
const NUMBERS = {
  ISSUERS: 'ISSUER_SEQ_KEY',
  RECIPIENTS: 'RECIPIENT_SEQ_KEY',
  RELATEDPERSONS: 'RELATEDPERSON_SEQ_KEY',
  SIGNATURES: 'SIGNATURE_SEQ_KEY',
} as const

/**
 * Yields the rows of one filing. Holds the whole filing in memory, because the form names at most a hundred persons.
 *
 * @throws Error whenever the form's parser does
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const own = new Lines(sortNumbered(await heldLines(lines, records, 'RELATEDPERSONS'), NUMBERS))
  const document = grown(ROOT, plan().branches, own).element()
  yield* parse({ documents: { form: document } })
  tell({ problems: problemsOf(document, own.one('FORMDSUBMISSION')) })
  for (const row of own.of('RELATEDPERSONS')) tell({ problems: row.problems() })
}
