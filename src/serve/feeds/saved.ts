/**
 * Feeds of saved searches. Their addresses contain a secret, since feed readers send no headers. An address gives
 * access only to the matches of one search, and stops working when the search is deleted.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import { apiError } from '../../declare/api-errors.ts'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import type { Feed } from '../../declare/feeds.ts'
import type { FeedFormat } from '../../declare/format.ts'
import type { Sql } from '../../store/db.ts'
import { preferred } from '../files/accept.ts'
import { FEED_TYPES } from '../files/format.ts'
import { send } from '../http/answer.ts'
import { networkOf } from '../http/page-requests.ts'
import { digest } from '../keys.ts'
import { exceeded, type Limiter } from '../limits.ts'
import { type Entry, newestOf } from './document.ts'
import { entryOf } from './entries.ts'
import { feedAnswer, originOf } from './feed.ts'
import type { Row } from './title.ts'
import { TOKEN } from './token.ts'

/** Maximum number of entries of a feed. */
const ENTRIES = 100
/** Maximum number of requests a minute for one feed: readers poll every few minutes. */
const LIMIT = 60
/** Maximum number of requests a minute with unknown tokens from one IP address. */
const TRIES = 20

interface SavedFeedParts {
  sql: Sql
  catalog: Catalog
  limiter: Limiter
}

interface Saved {
  search_id: string
  name: string
  list: string
  address: string
}

/** Adds `/feeds/{token}`. */
export function addSavedFeeds(fastify: FastifyInstance, parts: SavedFeedParts): void {
  fastify.route({
    method: ['GET', 'HEAD'],
    url: '/feeds/:token',
    config: { label: 'feeds' },
    async handler(request, reply) {
      const format = formatOf(request)
      const saved = await savedBy(parts, request)
      await take(parts.limiter, `feed ${saved.search_id}`, LIMIT)
      const origin = originOf({ protocol: request.protocol, host: request.headers.host })
      const entries = await entriesOf(parts, saved, origin)
      const page = origin + saved.address
      const feed = {
        id: `tag:openfilings,2026:search/${saved.search_id}`,
        title: saved.name,
        subtitle: `New matches of the saved search ${saved.address}`,
        updated: newestOf(entries),
        ...{ self: origin + request.url, page, next: null, entries },
      }
      return send(request, reply, feedAnswer(feed, format), 'private, no-cache', { vary: 'accept, accept-encoding' })
    },
  })
}

/** @throws HttpError 400 for a parameter that a feed does not have */
function formatOf({ url, headers }: FastifyRequest): FeedFormat {
  const query = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  const unknown = [...query.keys()].find((name) => name !== 'format')
  if (unknown !== undefined) {
    throw apiError('unknown_parameter', { parameter: JSON.stringify(unknown.slice(0, 60)), known: 'format' })
  }
  const format = query.get('format')
  if (format === null) return preferred(headers.accept, FEED_TYPES) ?? 'atom'
  if (format === 'atom' || format === 'jsonfeed') return format
  throw apiError('invalid_parameter', { parameter: 'format', reason: 'must be one of atom, jsonfeed' })
}

/** @throws HttpError 404 if no search has the token, 429 if the client has tried too many tokens */
async function savedBy({ sql, limiter }: SavedFeedParts, request: FastifyRequest): Promise<Saved> {
  const { token } = request.params as { token: string }
  const tries = `feeds ${networkOf(request.ip)}`
  // The number of tries is checked before any query, since a client that guesses tokens must not keep the database
  // busy.
  const left = await limiter.peek(tries, 'general', TRIES)
  if (left.remaining === 0) throw exceeded(left)
  const [saved] = TOKEN.test(token)
    ? await sql<Saved[]>`
        select search_id, name, list, address from core.search where secret = ${digest(token)}`
    : []
  if (saved) return saved
  await take(limiter, tries, TRIES)
  throw apiError('not_found', { detail: ': the saved search of this feed was deleted, or never existed' })
}

async function take(limiter: Limiter, name: string, limit: number): Promise<void> {
  const counted = await limiter.take(name, 'general', limit)
  if (!counted.allowed) throw exceeded(counted)
}

async function entriesOf({ sql, catalog }: SavedFeedParts, saved: Saved, origin: string): Promise<Entry[]> {
  const route = catalog.routes.find(({ name }) => name === saved.list)
  const plan = route && planOf(route)
  if (!route || !plan) return []
  const rows = await sql<{ content: string }[]>`
    select content from core.search_match where search_id = ${saved.search_id} and content is not null
    order by match_number desc limit ${ENTRIES}`
  return rows.flatMap(
    ({ content }) =>
      entryOf(catalog, { name: route.name, path: route.path, ...plan }, JSON.parse(content) as Row, origin) ?? [],
  )
}

/**
 * Returns how rows of a list become entries. The event log is not a list but can be a feed too, since its events have a
 * number and a moment.
 */
export function planOf({ list, stream, output }: ServedRoute): { feed: Feed; shape: z.ZodRawShape } | null {
  if (list?.feed) return { feed: list.feed, shape: list.row.shape }
  if (!stream) return null
  const { events } = (output as z.ZodObject).shape
  const { shape } = (events as z.ZodArray).element as z.ZodObject
  return { feed: { moments: ['learned_at'], ids: ['event_number'] }, shape }
}
