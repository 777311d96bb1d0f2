/** Parts of an address of a page: its path, and its query. */

/** Parameters that determine where a page of a list begins. */
export const PLACE = ['cursor', 'offset', 'page', 'after', 'before', 'paginate']

export const pathIn = (url: string): string => url.split('?', 1)[0]!

export const queryIn = (url: string): URLSearchParams => new URLSearchParams(url.slice(pathIn(url).length))

/** The address with another query. */
export const withQuery = (url: string, query: URLSearchParams): string =>
  query.size === 0 ? pathIn(url) : `${pathIn(url)}?${query}`

/** Sets the parameters `set` in the address, and removes the parameters `without`. */
export function changed(
  url: string,
  set: Readonly<Record<string, string | number>>,
  without: readonly string[] = [],
): string {
  const query = queryIn(url)
  for (const name of without) query.delete(name)
  for (const [name, value] of Object.entries(set)) query.set(name, String(value))
  return withQuery(url, query)
}
