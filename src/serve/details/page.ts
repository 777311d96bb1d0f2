/**
 * Pages of the lines of a filing: a cursor has the accession and the number of the last line. If a filing has several
 * paged lists, the cursor also contains the name of the list.
 */
import { apiError } from '../../declare/api-errors.ts'
import type { DetailParams } from '../../declare/details.ts'
import { decodeCursor, encodeCursor } from '../page.ts'

/**
 * The number of the line after which the page begins. The cursor of another filing or list is refused, since its
 * line number means nothing in this list.
 *
 * @param list name of the list with its filters, if the filing has more than one list
 */
export function lineAfter({ accession, cursor }: DetailParams, list?: string): number {
  if (cursor === undefined) return 0
  const [of, line] = decodeCursor(cursor, 2)
  if (of !== scopeOf(accession, list) || !/^\d{1,9}$/.test(line ?? ''))
    throw apiError('invalid_cursor', { reason: 'not a next_cursor of this filing' })
  return Number(line)
}

/**
 * Cuts the found lines to a page. One more line than fits on the page was read, to see whether another page follows.
 *
 * @param line the member that has the number of the line
 * @param list as for `lineAfter`
 */
export function pageOf<L extends string, R extends Readonly<Record<L, number>>>(
  { accession, limit }: DetailParams,
  found: readonly R[],
  line: L,
  list?: string,
): { lines: R[]; next_cursor: string | null } {
  const lines = found.slice(0, limit)
  const isLast = lines.length === found.length
  return { lines, next_cursor: isLast ? null : encodeCursor([scopeOf(accession, list), String(lines.at(-1)![line])]) }
}

const scopeOf = (accession: string, list: string | undefined) =>
  list === undefined ? accession : `${accession} ${list}`
