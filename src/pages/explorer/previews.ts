/** Requests the first rows of the lists to which a thing links. The page of the thing does not wait for these rows. */
import type { ServedRoute } from '../../declare/catalog.ts'
import type { PageRequests } from '../../serve/http/page-requests.ts'
import type { Links } from './leads.ts'
import type { Place, Places } from './places.ts'
import { isObject } from './shape.ts'
import type { Wanted } from './wanted.ts'

/** Maximum number of lists that a page previews, and the number of rows of each preview. */
const LISTS_MAX = 8
const ROWS = 5

/** A list to which a thing links. */
export interface Previewed {
  /** Address of the list in the API. */
  url: string
  /** The number of the list's rows, if the thing states this number. */
  count: number | undefined
  route: ServedRoute
  /** Parameters of the path. */
  path: Readonly<Record<string, string>>
  query: string
}

/** The first rows of a list; the answer is null if the list cannot be read. */
export interface Preview extends Previewed {
  answer: unknown
}

/** Whether the page is about a thing that people share, such as a company, rather than a list. */
export const hasPreviews = ({ route, address }: Place): boolean =>
  route.list === null && (address !== route.path || route.name === 'filing')

/** The lists whose first rows a page shows. */
export function previewedOf(places: Places, from: Place, answer: unknown): readonly Previewed[] {
  if (!hasPreviews(from) || !isObject(answer)) return []
  const lists = Object.values((answer.links as Links | undefined) ?? {}).flatMap(({ url, count }) => {
    const at = places.at(url)
    if (!at?.place.route.list?.paged || at.query === '') return []
    return [{ url, count, route: at.place.route, path: at.path, query: at.query }]
  })
  return lists.slice(0, LISTS_MAX)
}

/** Requests the first rows of each list. The rows are not counted, since the link states how many there are. */
export const previewsOf = (
  requests: PageRequests,
  lists: readonly Previewed[],
  wanted: Wanted,
): Promise<readonly Preview[]> =>
  Promise.all(
    lists.map(async (list) => {
      const { route, path, query } = list
      const part = { ...wanted, url: `/${query}&limit=${ROWS}`, path, isPart: true }
      try {
        return { ...list, answer: (await requests.ask(wanted.reader, route, part)).answer }
      } catch (error) {
        requests.failureOf(error, wanted.request)
        return { ...list, answer: null }
      }
    }),
  )
