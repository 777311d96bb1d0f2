/**
 * Documents how to read a list beyond its first page, in the same words for all lists, including those of the contract.
 */
import { goesOn, type Route } from '../../declare/route.ts'

const BY_LINK = 'For all rows, follow the header `Link` (`rel="next"`), which the last page does not have.'
const BY_CURSOR =
  '`next_cursor` is the cursor of that next page: send it as `cursor`, and leave all other parameters unchanged.'
const BY_REQUEST = 'With `paginate=cursor`, the answer also has `next_cursor`, the cursor of that next page.'
const COUNTED = '`count=exact` and `count=estimate` add `total`, the number of matching rows.'
const WHOLE = 'Without `limit`, the answer has all rows; with `limit`, it has one page of them.'
const AS_FILE =
  '`format=csv`, `format=ndjson` or `format=parquet`, or the header `Accept: text/csv`, `Accept: application/x-ndjson` or `Accept: application/vnd.apache.parquet`.'

const AS_FEED =
  'To read the newest rows as a feed, use `format=atom` or `format=jsonfeed`, or the header `Accept: application/atom+xml` or `Accept: application/feed+json`.'

// A list of the best matches has one page, and its file has the same rows as that page.
const ALL_PAGES = 'To download the rows of all pages as a file, use '
const SAME_ROWS = 'To download the same rows as a file, use '

/** The last paragraph of the description of a list; empty for other answers. */
export function pagingOf(route: Route): string {
  const { list, input } = route
  const isOnRequest = route.unrequested !== undefined && 'paginate' in input.shape
  const isWhole = list !== null && 'limit' in input.shape && input.shape.limit.safeParse(undefined).data === undefined
  const pages = [
    ...(isWhole ? [WHOLE] : []),
    ...(goesOn(route) ? [BY_LINK] : []),
    ...('cursor' in input.shape ? [isOnRequest ? BY_REQUEST : BY_CURSOR] : []),
    ...('count' in input.shape ? [COUNTED] : []),
  ]
  const file = list && `${list.paged || isWhole ? ALL_PAGES : SAME_ROWS}${AS_FILE}`
  return [...pages, ...(file ? [file] : []), ...(list?.feed ? [AS_FEED] : [])].join(' ')
}
