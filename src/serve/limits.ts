/** Rate limits: each key has two buckets, counted in windows of one minute that begin with the first request. */
import { type RateLimiterAbstract, RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { type HttpError, tooMany } from '../declare/errors.ts'
import type { Bucket } from '../declare/route.ts'

const WINDOW_SECONDS = 60

/** The state of one key's bucket. */
interface Allowance {
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
  /** Counts a request. Refused requests count too, but never lengthen the window. */
  take(keyId: string, bucket: Bucket, limit: number): Promise<Allowance>
  /** The same without counting the request. */
  peek(keyId: string, bucket: Bucket, limit: number): Promise<Allowance>
}

/** Makes the counter of one bucket. A store shared by several servers (Valkey) is another function of this type. */
type Store = (options: { keyPrefix: Bucket; points: number; duration: number }) => RateLimiterAbstract

/** Counts in this process: each server counts for itself, and a restart forgets the counts. */
const inProcess: Store = (options) => new RateLimiterMemory(options)

export function limiter(store: Store = inProcess): Limiter {
  // A counter has one limit for everybody, but keys have their own. So it only counts, and the comparison is made here.
  const counter = (keyPrefix: Bucket) => store({ keyPrefix, points: Number.MAX_SAFE_INTEGER, duration: WINDOW_SECONDS })
  const counters = { search: counter('search'), general: counter('general') }

  const allowance = (bucket: Bucket, limit: number, state: RateLimiterRes | null): Allowance => {
    const used = state?.consumedPoints ?? 0
    const seconds = state ? Math.ceil(state.msBeforeNext / 1000) : WINDOW_SECONDS
    return {
      bucket,
      limit,
      remaining: Math.max(0, limit - used),
      resetSeconds: Math.min(WINDOW_SECONDS, Math.max(1, seconds)),
      allowed: used <= limit,
    }
  }
  return {
    take: async (keyId, bucket, limit) => allowance(bucket, limit, await counters[bucket].consume(keyId)),
    peek: async (keyId, bucket, limit) => allowance(bucket, limit, await counters[bucket].get(keyId)),
  }
}

/**
 * Both generations of headers: the `RateLimit-Limit`, `-Remaining` and `-Reset` that most clients read, with the reset in
 * seconds from now, and the structured fields of the current IETF draft (draft-ietf-httpapi-ratelimit-headers-10).
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

/** The 429 for a request that was not allowed. */
export function exceeded({ bucket, limit, resetSeconds }: Allowance): HttpError {
  return tooMany(
    `${bucket} limit of ${limit} requests a minute exceeded for this key; try again in ${resetSeconds} seconds`,
    resetSeconds,
  )
}
