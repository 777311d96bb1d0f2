/** The content of a feed and its entries, before the feed is written in a format. */

export interface FeedLink {
  /** The address of the feed: absolute if the address of the service is known, else relative to the service. */
  href: string
  title: string
}

export interface Entry {
  /** A tag (RFC 4151) that is the same in every request and on every server. */
  id: string
  title: string
  /** The moment of the row, in the form of RFC 3339. */
  updated: string
  /** Name of the subject of the row; null if the row names none. */
  author: string | null
  /** The address of the HTML page about the row. */
  page: string
  /** The address of the row as JSON. */
  json: string
  /** Facts of the row, one per line. */
  text: string
}

export interface FeedDocument {
  id: string
  title: string
  subtitle: string
  /** Moment of the newest entry (RFC 3339). */
  updated: string
  /** Address of this page of the feed. */
  self: string
  /** The address of the HTML page that shows the same rows. */
  page: string
  /** Address of the next page of the feed; null on the last page. */
  next: string | null
  entries: readonly Entry[]
}

/**
 * The value of `updated` for a feed without entries. A feed must have this value, and the value must not change between
 * requests.
 */
export const NEVER = '1970-01-01T00:00:00Z'

/** The newest moment of the entries. */
export const newestOf = (entries: readonly Entry[]): string =>
  entries.reduce((newest, { updated }) => (Date.parse(updated) > Date.parse(newest) ? updated : newest), NEVER)
