/** Turns a page of a list into a feed. */
import { capital } from '../../declare/capital.ts'
import type { Catalog } from '../../declare/catalog.ts'
import type { FeedFormat } from '../../declare/format.ts'
import type { Route } from '../../declare/route.ts'
import { Answer } from '../http/answer.ts'
import { ATOM_TYPE, atomOf } from './atom.ts'
import { type FeedDocument, newestOf } from './document.ts'
import { entryOf } from './entries.ts'
import { JSON_FEED_TYPE, jsonFeedOf } from './json-feed.ts'
import type { Row } from './title.ts'

/** The addresses under which a feed is read. */
export interface FeedPlace {
  /** `https://host`; empty if the request names no usable host. */
  origin: string
  /** Path and query of the feed on this server. */
  self: string
  /** Path and query of the next page of the feed; null on the last page. */
  next: string | null
}

/** `https://host` of a request; empty if the host cannot be part of an address. */
export function originOf({ protocol, host }: { protocol: string; host: string | undefined }): string {
  return host !== undefined && /^[\w.-]+(:\d{1,5})?$|^\[[\da-fA-F:.]+\](:\d{1,5})?$/.test(host)
    ? `${protocol}://${host}`
    : ''
}

/** Returns the address of the HTML page that shows the same rows: for `/v1/X`, this is `/X`. */
function pageOf(path: string, query: string): string {
  const kept = new URLSearchParams(query)
  for (const name of ['format', 'cursor', 'paginate', 'limit']) kept.delete(name)
  return kept.size === 0 ? path : `${path}?${kept}`
}

/**
 * Makes the feed of the rows of an answer. `path` is the path of the list without `/v1`, with its parameters filled in.
 */
export function feedDocument(
  catalog: Pick<Catalog, 'routes'>,
  route: Route,
  { rows, path }: { rows: readonly Row[]; path: string },
  { origin, self, next }: FeedPlace,
): FeedDocument {
  const { feed, row: type } = route.list!
  const list = { name: route.name, path: route.path, feed: feed!, shape: type.shape }
  const entries = rows.flatMap((row) => entryOf(catalog, list, row, origin) ?? [])
  const query = self.includes('?') ? self.slice(self.indexOf('?') + 1) : ''
  const page = pageOf(path, query)
  return {
    id: `tag:openfilings,2026:feed${page}`,
    title: titleOfList(route, query),
    subtitle: route.summary,
    updated: newestOf(entries),
    self: origin + self,
    page: origin + page,
    next: next === null ? null : origin + next,
    entries,
  }
}

/** The title of a feed, from its list and filters: `Form D offerings · state CA`. */
function titleOfList({ summary }: Route, query: string): string {
  const what = summary.replace(/^(List|Find|Search|Follow) (the )?/, '')
  const filters = [...new URLSearchParams(query)].flatMap(([name, value]) =>
    ['format', 'limit', 'cursor', 'paginate', 'sort', 'dir', 'offset'].includes(name) ? [] : [`${name} ${value}`],
  )
  return [capital(what), ...filters].join(' · ')
}

/** Writes a feed in a format. */
export function feedAnswer(feed: FeedDocument, format: FeedFormat, more: { next?: Answer['next'] } = {}): Answer {
  const { next } = more
  const [text, type] = format === 'atom' ? [atomOf(feed), ATOM_TYPE] : [jsonFeedOf(feed), JSON_FEED_TYPE]
  return new Answer(text, type, next ? { next } : {})
}
