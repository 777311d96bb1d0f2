/** In which form a request wants its answer. */
import { apiError } from '../../declare/api-errors.ts'
import type { Format } from '../../declare/format.ts'
import type { List } from '../../declare/route.ts'
import { names, preferred } from './accept.ts'

/** The media type of each form, the one that is sent where several will do first. */
export const MEDIA_TYPES: Readonly<Record<Format, string>> = {
  json: 'application/json',
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
}
const JSON_ALONE = { json: MEDIA_TYPES.json }

/** A client that names JSON chooses the shape of errors, and takes JSON for the rest. */
const PROBLEM = 'application/problem+json'

/**
 * The form of the answer: that of the parameter, else what Accept wants most.
 *
 * @param list null for an answer that is JSON or nothing
 * @throws HttpError 406 where Accept wants nothing that there is
 */
export function formatFor(list: List | null, requested: Format | undefined, accept: string | undefined): Format {
  if (requested !== undefined) return requested
  // Nearly all requests, which need not be read any further.
  if (accept === undefined || accept === '*/*' || accept === MEDIA_TYPES.json) return 'json'
  const offers: Readonly<Partial<Record<Format, string>>> = list ? MEDIA_TYPES : JSON_ALONE
  const best = preferred(accept, offers as Readonly<Record<Format, string>>)
  if (best) return best
  if (names(accept, PROBLEM)) return 'json'
  throw apiError('not_acceptable', { types: Object.values(offers).join(', ') })
}

/** Whether a type is wanted rather than JSON, of an answer that has both. */
const wants = (accept: string | undefined, other: string): boolean =>
  accept !== undefined && preferred(accept, { json: MEDIA_TYPES.json, other }) === 'other'

/** Whether the bare text is wanted, of an answer that has one. */
export const wantsMarkdown = (accept: string | undefined): boolean => wants(accept, 'text/markdown')

/** Whether the answer is to go on, of one that can. */
export const wantsStream = (accept: string | undefined): boolean => wants(accept, 'text/event-stream')
