/** One Form 144 out of its document, or, where it has none in XML, out of EDGAR's header. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parse as rowsOf, textOnly } from './parse.ts'
import type { ROLES } from './sources.ts'

/**
 * Rows of one filing. XML became a duty on 2023-04-13: an older notice gives one row that says so, and nothing of its text.
 *
 * @throws Error when the document is no Form 144
 */
export async function* parse({ documents, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  if (documents.notice === null) yield ['notice', textOnly(header)]
  else yield* rowsOf(documents.notice, header)
}
