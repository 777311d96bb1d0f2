/** Reads one Form C from a quarterly set: rebuilds the elements of the form, and parses them like the document. */
import type { ParsedRow } from '../../../declare/dataset.ts'
import type { SetParts } from '../../../declare/sets.ts'
import { grown, heldLines, Lines, problemsOf } from '../../../read/made.ts'
import { documentRows } from '../parse.ts'
import { plan, ROOT } from './map.ts'

/**
 * Yields the rows of one filing. A filing has at most some fifty jurisdictions, so all its lines are held in memory.
 *
 * @throws Error whenever the form's parser does
 */
export async function* parseSet({ lines, records, tell }: SetParts): AsyncGenerator<ParsedRow> {
  const own = new Lines(await heldLines(lines, records, 'FORM_C_ISSUER_JURISDICTIONS'))
  const document = grown(ROOT, plan().branches, own).element()
  yield* documentRows(document, 'set')
  tell({ problems: problemsOf(document, own.one('FORM_C_SUBMISSION')) })
}
