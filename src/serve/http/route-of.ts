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
  const known = routes.map((route) => ({ route, parts: route.path.split('/') }))
  const literals = (parts: readonly string[]) => parts.filter((part) => !part.startsWith('{')).length
  // Every path begins with a literal part. So an address is compared only with the routes that have the same first part
  // and the same number of parts.
  const keyOf = (parts: readonly string[]) => `${parts.length} ${parts[1]}`
  const byStart = Map.groupBy(
    known.sort((a, b) => literals(b.parts) - literals(a.parts)),
    ({ parts }) => keyOf(parts),
  )
  if (known.some(({ parts }) => parts[1]!.startsWith('{'))) throw new Error('a path begins with a parameter')
  return (address) => {
    const given = address.split('?', 1)[0]!.split('/')
    const found = byStart
      .get(keyOf(given))
      ?.find(({ parts }) => parts.every((part, at) => (part.startsWith('{') ? given[at] !== '' : part === given[at])))
    if (!found) return null
    const path = found.parts.flatMap((part, at) =>
      part.startsWith('{') ? [[part.slice(1, -1), decoded(given[at]!)] as const] : [],
    )
    return { route: found.route, path: Object.fromEntries(path) }
  }
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    throw apiError('invalid_encoding', { place: 'the path' })
  }
}
