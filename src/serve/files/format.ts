/** Decides in which form a request gets its answer. */
import { apiError } from '../../declare/api-errors.ts'
import type { Format } from '../../declare/format.ts'
import type { List } from '../../declare/route.ts'
import { names, preferred } from './accept.ts'

/** The media type of each form. If a client accepts several equally, the first is sent. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
}
const JSON_ALONE = { json: MEDIA_TYPES.json }

/** By this type a client chooses the shape of errors. It then takes other answers as plain JSON. */
const PROBLEM = 'application/problem+json'

/**
 * The form of the answer: that of the parameter, or else the one that Accept prefers.
 *
 * @param list null for an answer that is JSON or nothing
 * @throws HttpError 406 if Accept allows no available form
 */
export function formatFor(list: List | null, requested: Format | undefined, accept: string | undefined): Format {
  if (requested !== undefined) return requested
  // Nearly all requests end here, without parsing the header.
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPES.json) return 'json'
  const offers: Readonly<Partial<Record<Format, string>>> = list ? MEDIA_TYPES : JSON_ALONE
  const best = preferred(accept, offers as Readonly<Record<Format, string>>)
  if (best) return best
  if (names(accept, PROBLEM)) return 'json'
  throw apiError('not_acceptable', { types: Object.values(offers).join(', ') })
}

/** Whether a type is preferred to JSON, for an answer that has both. */
const wants = (accept: string | undefined, other: string): boolean =>
  accept !== undefined && preferred(accept, { json: MEDIA_TYPES.json, other }) === 'other'

/** Whether the bare text is wanted, for an answer that has one. */
export const wantsMarkdown = (accept: string | undefined): boolean => wants(accept, 'text/markdown')

/** Whether a stream is wanted, for an answer that can be one. */
export const wantsStream = (accept: string | undefined): boolean => wants(accept, 'text/event-stream')
