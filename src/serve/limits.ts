/** Rate limits: each key has two buckets, counted in windows of one minute that begin with the first request. */
import { apiError, type HttpError } from '../declare/api-errors.ts'
import type { Bucket } from '../declare/route.ts'

export const WINDOW_SECONDS = 60

/** The state of one key's bucket. */
export interface Allowance {
  bucket: Bucket
  /** Requests a minute. */
  limit: number
  /** Requests left in this window. */
  remaining: number
  /** Whole seconds until the window ends, 1 to 60. */
  resetSeconds: number
  /** Whether this request was within the limit. */
  allowed: boolean
}

export interface Limiter {
  /**
   * Counts a request. A refused request is counted too, but never lengthens the window. Returns a promise only if the
   * limiter must ask the shared store.
   */
  take(keyId: string, bucket: Bucket, limit: number): Allowance | Promise<Allowance>
  /** Returns the state of the bucket without counting a request. */
  peek(keyId: string, bucket: Bucket, limit: number): Allowance | Promise<Allowance>
  /**
   * Returns why this server currently counts alone although servers share counts; null if it does not count alone.
   * Absent if servers do not share counts.
   */
  whyLocal?(): string | null
}

/** The number of requests of a key in a bucket during the current window. */
interface Window {
  used: number
  /** Milliseconds since 1970. */
  endsAt: number
}

/**
 * A limiter that counts in this process: each server counts for itself, and a restart forgets the counts. A window does
 * not store the limit of the key, since this limit can change during the window.
 *
 * @param now in milliseconds since 1970
 */
export function limiter(now: () => number = Date.now): Limiter {
  const windows: Record<Bucket, Map<string, Window>> = { search: new Map(), general: new Map() }

  function open(keyId: string, bucket: Bucket): Window {
    const window = { used: 0, endsAt: now() + WINDOW_SECONDS * 1000 }
    windows[bucket].set(keyId, window)
    const forget = () => {
      if (windows[bucket].get(keyId) === window) windows[bucket].delete(keyId)
    }
    setTimeout(forget, WINDOW_SECONDS * 1000).unref()
    return window
  }

  function running(keyId: string, bucket: Bucket): Window | undefined {
    const window = windows[bucket].get(keyId)
    return window && now() < window.endsAt ? window : undefined
  }

  const leftOf = (window: Window | undefined) => window && { used: window.used, msLeft: window.endsAt - now() }

  return {
    take(keyId, bucket, limit) {
      const window = running(keyId, bucket) ?? open(keyId, bucket)
      window.used++
      return allowanceOf(bucket, limit, leftOf(window))
    },
    peek: (keyId, bucket, limit) => allowanceOf(bucket, limit, leftOf(running(keyId, bucket))),
  }
}

/**
 * The state of a bucket.
 *
 * @param window the requests of the running window and its remaining milliseconds; undefined if no window is running
 */
export function allowanceOf(
  bucket: Bucket,
  limit: number,
  window: { used: number; msLeft: number } | undefined,
): Allowance {
  const used = window?.used ?? 0
  const seconds = window ? Math.ceil(window.msLeft / 1000) : WINDOW_SECONDS
  return {
    bucket,
    limit,
    remaining: Math.max(0, limit - used),
    resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, seconds)),
    allowed: used <= limit,
  }
}

/**
 * The headers that report the state of a bucket. Most clients read `RateLimit-Limit`, `-Remaining` and `-Reset`, whose
 * reset is in seconds from now. `RateLimit` and `RateLimit-Policy` are the structured fields of the current IETF draft
 * (draft-ietf-httpapi-ratelimit-headers-10).
 */
export function rateHeaders({ bucket, limit, remaining, resetSeconds }: Allowance): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    'ratelimit-policy': `"${bucket}";q=${limit};w=${WINDOW_SECONDS}`,
    ratelimit: `"${bucket}";r=${remaining};t=${resetSeconds}`,
  }
}

/** The error 429 for a request beyond the limit. */
export function exceeded({ bucket, limit, resetSeconds }: Allowance): HttpError {
  const headers = { 'retry-after': String(resetSeconds) }
  return apiError('rate_limit_exceeded', { bucket, limit, seconds: resetSeconds }, headers)
}
