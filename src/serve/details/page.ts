/** Pages of the lines of a filing: a cursor has the accession and the number of the last line. */
import { apiError } from '../../declare/api-errors.ts'
import type { DetailParams } from '../../declare/details.ts'
import { decodeCursor, encodeCursor } from '../page.ts'

/**
 * The number of the line after which the page begins. The cursor of another filing is refused, since the page would
 * begin in the middle of this one.
 */
export function lineAfter({ accession, cursor }: DetailParams): number {
  if (cursor === undefined) return 0
  const [of, line] = decodeCursor(cursor, 2)
  if (of !== accession || !/^\d{1,9}$/.test(line ?? ''))
    throw apiError('invalid_cursor', { reason: 'not a next_cursor of this filing' })
  return Number(line)
}

/**
 * Cuts a page, of which one line more was found than it has.
 *
 * @param line member with the number of the line
 */
export function pageOf<L extends string, R extends Readonly<Record<L, number>>>(
  { accession, limit }: DetailParams,
  found: readonly R[],
  line: L,
): { lines: R[]; next_cursor: string | null } {
  const lines = found.slice(0, limit)
  const isLast = lines.length === found.length
  return { lines, next_cursor: isLast ? null : encodeCursor([accession, String(lines.at(-1)![line])]) }
}
