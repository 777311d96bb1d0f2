/** Runs SQL from separate files, whose text can also be pasted into psql. */
import { fileURLToPath } from 'node:url'
import type { Transaction } from './db.ts'

/**
 * Runs the statements of a file one after another.
 *
 * @param values the values of `$1` and so on, if the file has only one statement
 * @returns the rows that the database returns, if the file has only one statement
 */
export async function runFile<Row>(
  tx: Transaction,
  file: URL,
  values: readonly (string | null | readonly string[])[] = [],
): Promise<Row[]> {
  return (await tx.file(fileURLToPath(file), values as string[])) as unknown as Row[]
}
