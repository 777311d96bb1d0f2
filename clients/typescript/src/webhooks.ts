/** Verifies deliveries of webhooks, by the scheme of Standard Webhooks, version 1. */
import { OpenFilingsError } from './errors.ts'
import type { FilingEvent } from './follow.ts'

/** A delivery: the body that a webhook posts. */
export interface Delivery {
  webhook_id: string
  /** Absent in a delivery of a saved search. */
  events?: FilingEvent[]
  /** The saved search whose matches are delivered. */
  search?: { search_id: string; name: string }
  /** Rows that a saved search has found, in place of `events`. */
  matches?: { match_number: number; found_at: string; row: unknown }[]
  /** Number of the last event or match that the delivery covers. */
  next_after: number
}

/** Headers as a Request has them, as Node gives them, or as pairs. */
export type HeadersGiven = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyOptions {
  /** The bytes of the body as they came, or their text. A parsed and rewritten body does not verify. */
  body: string | Uint8Array
  headers: HeadersGiven
  /** The secret that `webhooks create` showed, `whsec_…`; several while a secret is being replaced. */
  secret: string | readonly string[]
  /** How far the time of the delivery may be from now, in seconds; by default 300. */
  toleranceSeconds?: number
  /** Milliseconds since 1970; by default the system's clock. */
  now?: number
}

/**
 * Returns the delivery if its signature is valid and its time is close to the present. Signatures are compared by
 * WebCrypto in constant time.
 *
 * Deliveries may come twice: compare the header `webhook-id` with those that were processed.
 *
 * @throws OpenFilingsError `invalid_signature`; `invalid_option` if the secret is malformed
 */
export async function verify({
  body,
  headers,
  secret,
  toleranceSeconds = 300,
  now = Date.now(),
}: VerifyOptions): Promise<Delivery> {
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  if (!/^\d{1,12}$/.test(timestamp)) throw refused('the header webhook-timestamp is not a number of seconds')
  const secondsApart = Math.abs(now / 1_000 - Number(timestamp))
  if (!(secondsApart <= toleranceSeconds)) throw refused('the delivery is too old, or the clocks differ')

  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const keys = await Promise.all([secret].flat().map(keyOf))
  for (const text of signatures.split(' ').slice(0, SIGNATURES_MAX)) {
    const signature = text.startsWith('v1,') ? bytesOf(text.slice(3)) : null
    if (!signature) continue
    for (const key of keys) {
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return deliveryOf(bytes)
    }
  }
  throw refused('no signature of the delivery is valid for the secret')
}

/** Maximum number of signatures that are tested. A sender that replaces its secret signs with both secrets. */
const SIGNATURES_MAX = 10
const PREFIX = 'whsec_'

const refused = (message: string) => new OpenFilingsError(message, { code: 'invalid_signature' })

function headerOf(headers: HeadersGiven, name: string): string {
  const value =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([given]) => given.toLowerCase() === name)?.[1]
  if (typeof value !== 'string' || value === '') throw refused(`the header ${name} is missing`)
  return value
}

async function keyOf(secret: string): Promise<CryptoKey> {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : null
  // The message must not show the secret.
  if (!bytes || bytes.byteLength < 16) {
    throw new OpenFilingsError('secret: must be whsec_ followed by base64, as the service showed it', {
      code: 'invalid_option',
    })
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

/** Returns the bytes of base64; null if it is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64) || base64.length % 4 === 1) return null
  return Uint8Array.from(atob(base64.replace(/={1,2}$/, '')), (char) => char.charCodeAt(0))
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(a.byteLength + b.byteLength)
  whole.set(a)
  whole.set(b, a.byteLength)
  return whole
}

function deliveryOf(bytes: Uint8Array): Delivery {
  // The signature proves that the service wrote this body, in the shape that its documents describe.
  return JSON.parse(new TextDecoder().decode(bytes)) as Delivery
}
