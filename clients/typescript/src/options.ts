import type { AnswerCache } from './cache.ts'
import { OpenFilingsError } from './errors.ts'

/** Time and chance. Tests pass in their own. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
  /** At least 0, less than 1. */
  random(): number
  /** Resolves after so many milliseconds, or rejects with the reason of the signal. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
}

/** Facts about an answer that are not in its body. */
export interface AnswerInfo {
  url: string
  status: number
  requestId: string | null
  /** Whether the service shows the bundled sample. */
  isSample: boolean
  /** Whether the body comes from the cache, because the service confirmed it with 304. */
  isFromCache: boolean
  /**
   * Number of requests that the key has left in this bucket, and seconds until the bucket is full again; null if the
   * service does not report them.
   */
  rateLimit: { limit: number; remaining: number; resetSeconds: number } | null
}

/** A request that failed and is about to be sent again. */
export interface RetryInfo {
  error: OpenFilingsError
  /** 1 for the first retry. */
  attempt: number
  waitMs: number
}

export interface ClientOptions {
  /** The API key. The key is sent in the header `Authorization` and nowhere else. */
  apiKey: string
  /** Address of the service, with or without `/v1`; by default `http://127.0.0.1:8080`. */
  baseUrl?: string
  /** How long an answer may take from the request to its last byte, in milliseconds; by default 60,000. */
  timeoutMs?: number
  /** How long a file or a stream may send nothing, in milliseconds; by default 60,000. */
  stallMs?: number
  /** How often a failed request is sent again; by default 4. */
  retries?: number
  /**
   * Longest wait for a retry, in milliseconds; by default 70,000. If the service asks for a longer wait, its error is
   * thrown at once.
   */
  maxWaitMs?: number
  /** Maximum number of bytes of one JSON answer; by default 256 MB. */
  maxAnswerBytes?: number
  /** Caches answers by their ETag. Without it nothing is cached. */
  cache?: AnswerCache
  /** Aborts all requests of the client. */
  signal?: AbortSignal
  /** Called once for each answer. */
  onAnswer?: (info: AnswerInfo) => void
  /** Called before each wait for a retry. */
  onRetry?: (info: RetryInfo) => void
  /** Sends the requests; by default the global `fetch`. */
  fetch?: typeof globalThis.fetch
  clock?: Clock
}

/** Options of one request. */
export interface RequestOptions {
  signal?: AbortSignal | undefined
  /** Replaces the client's own option. */
  timeoutMs?: number | undefined
}

/** The options with their defaults. */
export type Settings = Required<Omit<ClientOptions, 'apiKey' | 'cache' | 'signal' | 'onAnswer' | 'onRetry'>> &
  Pick<ClientOptions, 'cache' | 'signal' | 'onAnswer' | 'onRetry'>

const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const onAbort = () => {
        clearTimeout(timer)
        reject(signal?.reason)
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', onAbort)
        resolve()
      }, ms)
      signal?.addEventListener('abort', onAbort, { once: true })
    }),
}

/** @throws OpenFilingsError `invalid_option`, which never repeats the key */
export function settingsOf({ apiKey: _, ...options }: ClientOptions): Settings {
  // An option may come from a variable of the environment that is not set.
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as typeof options
  const settings = {
    baseUrl: 'http://127.0.0.1:8080',
    timeoutMs: 60_000,
    stallMs: 60_000,
    retries: 4,
    maxWaitMs: 70_000,
    maxAnswerBytes: 256 * 1024 * 1024,
    // The global function must not be called as a method of another object.
    fetch: ((input, init) => globalThis.fetch(input, init)) as typeof globalThis.fetch,
    clock: systemClock,
    ...given,
  }
  for (const name of ['timeoutMs', 'stallMs', 'retries', 'maxWaitMs', 'maxAnswerBytes'] as const) {
    const value = settings[name]
    const least = name === 'retries' || name === 'maxWaitMs' ? 0 : 1
    if (!Number.isFinite(value) || value < least || value > MAX_TIMER_MS) {
      throw invalid(`${name}: must be a number from ${least} to ${MAX_TIMER_MS}, not ${value}`)
    }
  }
  return { ...settings, baseUrl: baseOf(settings.baseUrl) }
}

/** A longer timer would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Returns the value of the header `Authorization`. */
export function authorization(apiKey: unknown): string {
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]{1,1000}$/.test(apiKey)) {
    throw invalid('apiKey: must be a key of the service, without blanks')
  }
  return `Bearer ${apiKey}`
}

/** Returns the address without `/v1` and without a slash at its end. */
function baseOf(given: string): string {
  const url = URL.canParse(given) ? new URL(given) : null
  if (!url || !/^https?:$/.test(url.protocol))
    throw invalid('baseUrl: must be an address that begins with http or https')
  if (url.username || url.password || url.search || url.hash) {
    throw invalid('baseUrl: must have neither a password nor a query')
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}`
}

const invalid = (message: string) => new OpenFilingsError(message, { code: 'invalid_option' })
