/** The lists of the registry that have several pages, and all of their rows. */
import assert from 'node:assert/strict'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Example, Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import type { Served } from './served.ts'

export type Rows = Record<string, unknown>[]

export const takes = (route: Route, name: string) => name in route.input.shape
/** The parameter for the number of rows per page. */
export const sizeOf = (route: Route) => ['limit', 'size'].find((name) => takes(route, name))

/** Lists with several pages, except lists that return only the best few matches of a name. */
export const paged = registry.routes.filter(
  (route) => sizeOf(route) && ['cursor', 'offset', 'page', 'after'].some((name) => takes(route, name)),
)

/** Member that has the rows of a page, for lists that are not available as a file. */
const MEMBERS: Readonly<Record<string, string>> = { events: 'events' }
export const memberOf = (route: Route) => MEMBERS[route.name] ?? route.list!.member!

/** The first example, without its paging parameters. */
export function firstOf(route: Route): Example {
  const { limit: _, size: __, offset: ___, page: ____, after: _____, ...values } = exampleRequests(route)[0]!.values
  return values
}

/**
 * Returns all rows at once: as a file if the file covers all pages, else as the largest page, which must be the last.
 */
export async function wholeOf(route: Route, values: Example, { get }: Pick<Served, 'get'>): Promise<Rows> {
  const size = sizeOf(route)!
  const max = ['1000', '200', '50'].find((text) => route.input.shape[size].safeParse(text).success)!
  const more: Example = route.list?.paged ? { format: 'ndjson' } : { [size]: max }
  const response = await get(addressOf(route, { ...values, ...more }))
  const text = await response.text()
  assert.equal(response.status, 200, text)
  if (route.list?.paged) {
    const lines = text.trimEnd().split('\n')
    return lines.slice(0, -1).map((line) => JSON.parse(line))
  }
  assert.equal(response.headers.get('link'), null)
  return JSON.parse(text)[memberOf(route)]
}
