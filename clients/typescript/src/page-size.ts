import { OpenFilingsError } from './errors.ts'
import type { QueryValues } from './query.ts'

/**
 * Chooses the size of the pages of one walk through a list: the default size for the first page, since many loops end
 * there, and the largest size for later pages. A walk with a `limit` of the caller keeps this size.
 */
export class PageSize {
  /** Null if the pages keep their size. */
  #largest: number | null

  constructor({ query, largest }: { query: QueryValues; largest?: number }) {
    this.#largest = query.limit === undefined || query.limit === null ? (largest ?? null) : null
  }

  /**
   * Returns the path of a page of the largest size. A path that has a size already is returned as it is: the service
   * repeats `limit` in the link to the next page.
   *
   * @param rows number of rows that are needed
   */
  enlarged(path: string, rows = Number.POSITIVE_INFINITY): string {
    if (this.#largest === null || /[?&]limit=/.test(path)) return path
    return `${path}${path.includes('?') ? '&' : '?'}limit=${Math.min(Math.ceil(rows), this.#largest)}`
  }

  /**
   * Whether a page was refused because of its size: an earlier version of the service has a lower maximum, or a larger
   * page takes longer than the operator allows. All further pages of the walk then have the default size.
   */
  isRefused(error: unknown): boolean {
    if (!(error instanceof OpenFilingsError)) return false
    const isRefused =
      error.code === 'query_too_expensive' || (error.code === 'invalid_parameter' && error.place === 'limit')
    if (isRefused) this.#largest = null
    return isRefused
  }
}
