/** Reads a request for a feed, and makes the feed of an answer. */
import type { FastifyRequest } from 'fastify'
import { apiError } from '../../declare/api-errors.ts'
import type { Catalog } from '../../declare/catalog.ts'
import { addressOf } from '../../declare/examples.ts'
import { newestFirst } from '../../declare/feeds.ts'
import type { FeedFormat } from '../../declare/format.ts'
import type { Next, Route } from '../../declare/route.ts'
import type { Input } from '../files/pages.ts'
import type { Answer } from '../http/answer.ts'
import { nextAddress } from '../http/next.ts'
import { feedAnswer, feedDocument, originOf } from './feed.ts'
import type { Row } from './title.ts'

export interface FeedWanted {
  format: FeedFormat
  /** `https://host`; empty if it is not known. */
  origin: string
  /** Path and query of the request. */
  self: string
  /** Parameters of the path. */
  path: Readonly<Record<string, string>>
  catalog: Pick<Catalog, 'routes'>
}

/**
 * Reads the parts of a request on which a feed depends in addition to its rows. For example, the addresses in a feed
 * begin with the host of the request.
 *
 * @throws HttpError 400 if the request chooses fields, since the entries need all fields
 */
export function feedWanted(
  request: FastifyRequest,
  format: FeedFormat,
  { chosen, catalog }: { chosen: readonly string[] | null; catalog: Pick<Catalog, 'routes'> },
): FeedWanted {
  if (chosen) {
    throw apiError('conflicting_parameters', {
      parameter: 'format',
      reason: `a feed (${format}) has all fields; leave out the parameters fields and omit`,
    })
  }
  const origin = originOf({ protocol: request.protocol, host: request.headers.host })
  return { format, origin, self: request.url, path: request.params as Record<string, string>, catalog }
}

/**
 * Returns the input of a feed: the input of the list, but with the newest rows first unless the request sets the order.
 */
export function feedInput({ input }: Route, values: Input, url: string): Input {
  const query = new URLSearchParams(url.slice(url.indexOf('?') + 1))
  const sort = url.includes('?') ? (query.get('sort') ?? undefined) : undefined
  return { ...values, ...newestFirst(input.shape, { sort }) }
}

/** Makes the feed of an answer. The answer must be in the form that a client gets by parsing the JSON. */
export function feedOf(
  route: Route,
  wanted: FeedWanted,
  { answer, next }: { answer: unknown; next: Next | null },
): Answer {
  const { member } = route.list!
  const rows = (member === null ? answer : (answer as Record<string, unknown>)[member]) as readonly Row[] | null
  const { origin, self, path, catalog, format } = wanted
  const list = addressOf(route, path)
  const after = next && nextAddress(route, { url: self, params: path }, next)
  const document = feedDocument(catalog, route, { rows: rows ?? [], path: list }, { origin, self, next: after })
  return feedAnswer(document, format, next ? { next } : {})
}
