/** The list that a saved search names, and its filters. */
import { HttpError } from '../declare/api-errors.ts'
import type { Catalog, ServedRoute } from '../declare/catalog.ts'
import { UserError } from '../declare/errors.ts'
import type { Filters } from '../products/events/filters.ts'
import { type InputReader, inputReader } from '../serve/http/input.ts'
import { tickersIn, withNumbers } from '../serve/http/tickers.ts'
import type { Sql } from '../store/db.ts'

export type Values = Readonly<Record<string, unknown>>

export interface Searched {
  route: ServedRoute
  /** The parsed input of the list. */
  values: Values
  /** Path and query without `/v1` and without parameters of a page. */
  address: string
}

/**
 * Parameters that choose which rows of a result are shown, and how. They are dropped, since a search finds all rows.
 */
const OF_PAGE = 'limit offset page size paginate cursor count sort dir after format fields omit'.split(' ')

/** Tests whether saved searches can search a route: the event log, or a list whose rows have a day. */
export const isSearchable = ({ name, list }: ServedRoute): boolean => name === EVENTS || (list?.feed ?? null) !== null

/** For each list that ranks its rows, the end of the error message: it names the search that can be saved instead. */
const INSTEAD: Readonly<Record<string, string>> = {
  brochure_search: '; /v1/text-search?corpora=brochures&q=… finds new brochures',
}

/** Name of the operation that reads the event log. */
export const EVENTS = 'events'

/**
 * Reads the address of a list such as `/v1/formd/filings?state=CA`.
 *
 * @throws UserError if the list does not exist, or does not take a filter or a value, for example a ticker
 */
export function searchedBy(catalog: Pick<Catalog, 'routes'>, text: string): Searched {
  const { route, params, path, query } = located(catalog, text)
  if (!isSearchable(route)) {
    throw new UserError(
      `--list: the rows of ${route.path} are not listed by the day of filing, so none of them can be new${INSTEAD[route.name] ?? ''}`,
    )
  }
  for (const name of OF_PAGE) query.delete(name)
  query.sort()
  const address = query.size === 0 ? path : `${path}?${query}`
  try {
    return { route, values: readerOf(route)(address, params).values, address }
  } catch (error) {
    if (error instanceof HttpError) throw new UserError(`--list: ${error.message}`)
    throw error
  }
}

/**
 * Replaces the tickers in the address of a list by the identifiers that they mean.
 *
 * @returns null if the address has no ticker, without a query. Otherwise a function that returns the address with
 * identifiers, and throws an HttpError for an unknown ticker
 */
export function tickersOfList(catalog: Pick<Catalog, 'routes'>, text: string): ((sql: Sql) => Promise<string>) | null {
  const { route, params, path, query } = located(catalog, text)
  const place = { url: `${path}?${query}`, path: params }
  const written = tickersIn(route)(place)
  if (written.length === 0) return null
  return async (sql) => {
    const { url, path: numbers } = await withNumbers(place, written, sql)
    return route.path.replace(/\{(\w+)\}/g, (_, name: string) => numbers[name]!) + url.slice(url.indexOf('?'))
  }
}

/** @throws UserError if the API has no such list */
function located(catalog: Pick<Catalog, 'routes'>, text: string) {
  const given = text.replace(/^https?:\/\/[^/]*/i, '').replace(/^\/v1(?=\/)/, '')
  const mark = given.indexOf('?')
  const path = mark < 0 ? given : given.slice(0, mark)
  const found = routeAt(catalog, path)
  if (!found)
    throw new UserError(`--list: ${JSON.stringify(text.slice(0, 100))} is not the address of a list of the API`)
  return { ...found, path, query: new URLSearchParams(mark < 0 ? '' : given.slice(mark + 1)) }
}

/** Cached readers of input, one for each route, since each check reads the address of every search. */
const readers = new WeakMap<ServedRoute, InputReader>()

function readerOf(route: ServedRoute): InputReader {
  const read = readers.get(route) ?? inputReader(route)
  readers.set(route, read)
  return read
}

/** Returns the route of a path, and the values in the path. A route with fewer parameters takes precedence. */
function routeAt({ routes }: Pick<Catalog, 'routes'>, path: string) {
  const parts = path.split('/')
  const isMet = (route: ServedRoute) => {
    const own = route.path.split('/')
    return (
      own.length === parts.length &&
      own.every((part, n) => part === parts[n] || (part.startsWith('{') && parts[n] !== ''))
    )
  }
  const holes = ({ path: own }: ServedRoute) => own.split('{').length
  const [route] = routes.filter(isMet).sort((a, b) => holes(a) - holes(b))
  if (!route) return null
  const entries = route.path.split('/').flatMap((part, n) => {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    return name === undefined ? [] : [[name, decoded(parts[n]!)] as const]
  })
  return { route, params: Object.fromEntries(entries) }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    throw new UserError('--list: the path is not valid percent-encoded UTF-8')
  }
}

/** Returns the filters of the event log from the input of its route. */
export const eventFilters = (values: Values): Filters => {
  const { source, family, form, cik } = values as Filters
  return { ...(source && { source }), ...(family && { family }), ...(form && { form }), ...(cik && { cik }) }
}
