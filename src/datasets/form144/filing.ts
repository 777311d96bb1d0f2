/** Reads one Form 144 from its XML document or, without one, from EDGAR's header. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parse as rowsOf, textOnly } from './parse.ts'
import type { ROLES } from './sources.ts'

/**
 * Yields the rows of one filing. XML became a duty on 2023-04-13: an older notice yields one row that says so, and
 * nothing of its text.
 *
 * @throws Error if the document is not a Form 144
 */
export async function* parse({ documents, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  if (documents.notice === null) yield ['notice', textOnly(header)]
  else yield* rowsOf(documents.notice, header)
}
