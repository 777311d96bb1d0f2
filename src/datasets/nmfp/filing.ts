/** Reads one Form N-MFP from its document, and from EDGAR's header where the document lacks a value. */
import type { ParsedRow } from '../../declare/dataset.ts'
import type { Parts } from '../../declare/documents.ts'
import { parse as rowsOf } from './parse.ts'
import type { ROLES } from './sources.ts'

/**
 * Yields the rows of one filing of any generation.
 *
 * @throws Error if the document is not a Form N-MFP
 */
export async function* parse({ documents, ...header }: Parts<typeof ROLES>): AsyncGenerator<ParsedRow> {
  yield* rowsOf(documents.report, header)
}
