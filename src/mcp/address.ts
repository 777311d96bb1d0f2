/** Handles addresses without the prefix of the API's version, `/v1`. */
import type { Next } from '../declare/route.ts'

/** The address of the next page: it keeps all other parameters of the request. */
export function withNext(address: string, next: Next): string {
  const mark = address.indexOf('?')
  const query = new URLSearchParams(mark < 0 ? '' : address.slice(mark + 1))
  // The cursor says where the page begins.
  if ('cursor' in next) query.delete('offset')
  for (const [name, value] of Object.entries(next)) query.set(name, String(value))
  return `${mark < 0 ? address : address.slice(0, mark)}?${query}`
}

/** Removes the origin and the version from an address: `/v1/brokers?q=x` is `/brokers?q=x`. */
export function belowVersion(address: string): string {
  const path = address.replace(/^https?:\/\/[^/]+/i, '').replace(/^\/?v1(?=\/|$)/, '')
  return path.startsWith('/') ? path : `/${path}`
}
