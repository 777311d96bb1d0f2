/** How a list is had beyond its first page: one way for all, whatever else an endpoint of the contract has. */
import type { Route } from '../../declare/route.ts'

const BY_CURSOR =
  'To have all of it, send `paginate=cursor`, then with `cursor` set to the `next_cursor` of the answer and everything else as before, until `next_cursor` is null.'
const ALWAYS_BY_CURSOR =
  'To have all of it, repeat the request with `cursor` set to the `next_cursor` of the answer and everything else as before, until `next_cursor` is null.'
const BY_OFFSET = 'To have more of it, repeat the request with another `offset`.'
const WHOLE_OR_BY_OFFSET = 'Without `limit` it is whole; with it, `offset` leads to the rows that follow.'
const AS_FILE = '`format=csv` or `format=ndjson`, or the header `Accept: text/csv` or `Accept: application/x-ndjson`.'

// A list of the best has no more pages, and its file ends where its limit does.
const ALL_PAGES = 'As a file with the rows of all pages: '
const SAME_ROWS = 'As a file with the same rows: '

/** The last paragraph of the description of a list; empty for other answers. */
export function pagingOf({ list, input }: Route): string {
  if (!list) return ''
  const takes = (name: string) => name in input.shape
  const byOffset = input.shape.limit?.safeParse(undefined).data === undefined ? WHOLE_OR_BY_OFFSET : BY_OFFSET
  const byCursor = takes('paginate') ? BY_CURSOR : ALWAYS_BY_CURSOR
  const pages = list.paged ? byCursor : takes('offset') ? byOffset : ''
  return pages === '' ? SAME_ROWS + AS_FILE : `${pages} ${ALL_PAGES}${AS_FILE}`
}
