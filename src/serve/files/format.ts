/** Decides in which format a request gets its answer. */
import { apiError } from '../../declare/api-errors.ts'
import type { FeedFormat, FileFormat, Format } from '../../declare/format.ts'
import type { List } from '../../declare/route.ts'
import { names, preferred } from './accept.ts'

/** The media type of each format. If a client accepts several formats equally, it gets the first of these formats. */
export const MEDIA_TYPES: Readonly<Record<'json' | FileFormat, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
  parquet: 'application/vnd.apache.parquet',
}
/** The media types of feeds; only lists whose rows have days are offered as feeds. */
export const FEED_TYPES: Readonly<Record<FeedFormat, string>> = {
  atom: 'application/atom+xml',
  jsonfeed: 'application/feed+json',
}
const WITH_FEEDS = { ...MEDIA_TYPES, ...FEED_TYPES }
const JSON_ALONE = { json: MEDIA_TYPES.json }

/** If a client accepts this type, the type determines only the shape of errors. All other answers are plain JSON. */
const PROBLEM = 'application/problem+json'

/**
 * The format of the answer: from the parameter, or else the format that Accept prefers.
 *
 * @param list null for an answer that is only available as JSON
 * @throws HttpError 406 if Accept allows no available format
 */
export function formatFor(list: List | null, requested: Format | undefined, accept: string | undefined): Format {
  if (requested !== undefined) return requested
  // Nearly all requests end here, without parsing the header.
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPES.json) return 'json'
  const offers: Readonly<Partial<Record<Format, string>>> = list?.feed ? WITH_FEEDS : list ? MEDIA_TYPES : JSON_ALONE
  const best = preferred(accept, offers as Readonly<Record<Format, string>>)
  if (best) return best
  if (names(accept, PROBLEM)) return 'json'
  throw apiError('not_acceptable', { types: Object.values(offers).join(', ') })
}

/** Whether a client prefers another type to JSON, for an answer that is available in both types. */
const wants = (accept: string | undefined, other: string): boolean =>
  accept !== undefined && preferred(accept, { json: MEDIA_TYPES.json, other }) === 'other'

/** Whether Markdown is wanted, for an answer that is also available as Markdown. */
export const wantsMarkdown = (accept: string | undefined): boolean => wants(accept, 'text/markdown')

/** Whether a stream is wanted, for an answer that is available as a stream. */
export const wantsStream = (accept: string | undefined): boolean => wants(accept, 'text/event-stream')
