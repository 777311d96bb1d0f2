/** One Form 3, 4 or 5 out of its document, or, where it has none in XML, out of EDGAR's header. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parse as rowsOf, textOnly } from './parse.ts'
import type { ROLES } from './sources.ts'

/**
 * Rows of one filing. XML became a duty on 2003-06-30: an older filing gives one row that says so, and nothing of its text.
 *
 * @throws Error when the document is no Form 3, 4 or 5
 */
export async function* parse({ documents, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  if (documents.report === null) yield ['report', textOnly(header)]
  else yield* rowsOf(documents.report, header)
}
