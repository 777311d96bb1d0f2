/** One Form N-MFP out of its document, and EDGAR's header for what the document leaves out. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parse as rowsOf } from './parse.ts'
import type { ROLES } from './sources.ts'

/**
 * Rows of one filing of any generation.
 *
 * @throws Error when the document is no Form N-MFP
 */
export async function* parse({ documents, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  yield* rowsOf(documents.report, header)
}
