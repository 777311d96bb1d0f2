/**
 * Finds the route of an address for requests within this process. For requests from outside, Fastify finds the route.
 */
import { apiError } from '../../declare/api-errors.ts'

export interface Match<R = import('../../declare/catalog.ts').ServedRoute> {
  route: R
  /** Decoded parameters of the path. */
  path: Readonly<Record<string, string>>
}

/**
 * Makes a function that finds the route of an address such as `/brokers/0000886982?x=1`. A literal part of a path is
 * preferred to a parameter.
 *
 * @returns a function that returns null if no route has the path, and throws HttpError 400 if the path cannot be
 *   decoded
 */
export function matcherOf<R extends { path: string }>(routes: readonly R[]): (address: string) => Match<R> | null {
  const known = routes.map((route) => {
    const parts = route.path.split('/').map((part, at) => ({ part, at, isParameter: part.startsWith('{') }))
    return {
      route,
      parts,
      literals: parts.filter(({ isParameter }) => !isParameter),
      parameters: parts
        .filter(({ isParameter }) => isParameter)
        .map(({ part, at }) => ({ name: part.slice(1, -1), at })),
    }
  })
  // Every path begins with a literal part. So an address is compared only with the routes that have the same first part
  // and the same number of parts.
  const keyOf = (length: number, first: string | undefined) => `${length} ${first}`
  const byStart = Map.groupBy(
    known.sort((a, b) => b.literals.length - a.literals.length),
    ({ parts }) => keyOf(parts.length, parts[1]!.part),
  )
  if (known.some(({ parts }) => parts[1]!.isParameter)) throw new Error('a path begins with a parameter')
  return (address) => {
    const mark = address.indexOf('?')
    const given = (mark < 0 ? address : address.slice(0, mark)).split('/')
    const found = byStart
      .get(keyOf(given.length, given[1]))
      ?.find(
        ({ literals, parameters }) =>
          literals.every(({ part, at }) => part === given[at]) && parameters.every(({ at }) => given[at] !== ''),
      )
    if (!found) return null
    const path: Record<string, string> = {}
    for (const { name, at } of found.parameters) path[name] = decoded(given[at]!)
    return { route: found.route, path }
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw apiError('invalid_encoding', { place: 'the path' })
  }
}
