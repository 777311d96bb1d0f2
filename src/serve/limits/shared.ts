/**
 * Rate limits that several servers share. A store has the count of each window. A server reserves a few requests at a
 * time in the store, and then uses up these requests locally:
 *
 * - Nobody gets more than the limit, since the store grants each request once.
 * - A large limit needs few queries, since a share of the limit is reserved at once. Requests that other servers
 *   reserved but did not use are lost to the key: with three servers, at most a hundredth of its limit.
 * - If the store is unreachable, each server grants the rest of each window alone, until the store answers again.
 */
import type { Bucket } from '../../declare/route.ts'
import { type Allowance, allowanceOf, type Limiter, WINDOW_SECONDS } from '../limits.ts'
import { within } from '../within.ts'

/** Counts that several servers share. */
export interface CountStore {
  /** Name for people: `PostgreSQL`, `Valkey`. */
  readonly name: string
  /**
   * Adds requests to the window of a key in a bucket, and begins a window of a minute if none is running.
   *
   * @param amount 0 to read the count; then no window begins
   * @returns the count with these requests, and the milliseconds until the window ends
   * @throws the store's error if it is unreachable
   */
  add(countedAs: string, bucket: Bucket, amount: number): Promise<Counted>
  close(): Promise<void>
}

export interface Counted {
  used: number
  msLeft: number
}

export interface SharedOptions {
  store: CountStore
  /** Milliseconds of a monotonic clock. */
  steady: () => number
  /** How long a request waits for the store. After this time, the store is treated as unreachable. */
  waitMs?: number
  /** How long an unreachable store is not queried again. */
  restMs?: number
  /** Called when the store becomes unreachable, with the reason, and when it answers again. */
  onChange?: (change: { away: true; reason: unknown } | { away: false }) => void
}

export interface SharedLimiter extends Limiter {
  /** Returns why this server currently counts alone; null if it does not count alone. */
  whyLocal(): string | null
}

/**
 * Number of shares into which a limit is divided: with this number, three servers together reserve at most a hundredth
 * of the limit without using it.
 */
const SHARES = 300

/** The window of a key in a bucket, as this server knows it. */
interface Window {
  /** Number of requests that the store has granted to all servers together, at most the limit. */
  used: number
  /** Number of requests that this server reserved and has not used. */
  reserved: number
  /** End of the window, by the clock `steady`. */
  endsAt: number
  /** Number of requests that wait for the store. */
  waiting: number
  asking: Promise<void> | null
}

/**
 * Makes a limiter that counts in a store. The store tells how long a window still lasts, and the clock `steady`
 * measures this time.
 */
export function sharedLimiter(options: SharedOptions): SharedLimiter {
  const limits = new SharedLimits(options)
  return {
    take: (countedAs, bucket, limit) => limits.take(countedAs, bucket, limit),
    peek: (countedAs, bucket, limit) => limits.peek(countedAs, bucket, limit),
    whyLocal: () => limits.whyLocal(),
  }
}

class SharedLimits implements SharedLimiter {
  readonly #options: Required<SharedOptions>
  readonly #windows = new Map<string, Window>()
  #isAway = false
  /** When an unreachable store is queried again, by the clock `steady`. */
  #restUntil = 0
  /** When ended windows are removed, by the clock `steady`. */
  #forgetAt = 0

  constructor(options: SharedOptions) {
    this.#options = { waitMs: 250, restMs: 1_000, onChange: () => {}, ...options }
  }

  take(countedAs: string, bucket: Bucket, limit: number): Allowance | Promise<Allowance> {
    const window = this.#window(countedAs, bucket)
    return this.#decided(window, bucket, limit) ?? this.#askStore(window, countedAs, bucket, limit)
  }

  async peek(countedAs: string, bucket: Bucket, limit: number): Promise<Allowance> {
    const window = this.#window(countedAs, bucket)
    if (!this.#isAway) {
      const counted = await this.#add(countedAs, bucket, 0)
      if (counted && counted.msLeft > 0) learn(window, counted, { amount: 0, limit, at: this.#options.steady() })
    }
    return this.#allowance(window, bucket, limit, true)
  }

  whyLocal(): string | null {
    return this.#isAway ? `${this.#options.store.name} does not answer, so this server counts requests by itself` : null
  }

  #window(countedAs: string, bucket: Bucket): Window {
    const at = this.#options.steady()
    const name = `${bucket} ${countedAs}`
    const known = this.#windows.get(name)
    if (known && (known.asking || at < known.endsAt)) return known
    this.#forgetEnded(at)
    const window = { used: 0, reserved: 0, endsAt: at + WINDOW_SECONDS * 1000, waiting: 0, asking: null }
    this.#windows.set(name, window)
    return window
  }

  #forgetEnded(at: number): void {
    if (at < this.#forgetAt) return
    this.#forgetAt = at + WINDOW_SECONDS * 1000
    for (const [name, { endsAt, asking }] of this.#windows) if (!asking && endsAt <= at) this.#windows.delete(name)
  }

  /**
   * Decides about one more request without the store, and returns the allowance; undefined if only the store can
   * decide.
   */
  #decided(window: Window, bucket: Bucket, limit: number): Allowance | undefined {
    if (window.reserved > 0) {
      window.reserved--
      return this.#allowance(window, bucket, limit, window.used - window.reserved <= limit)
    }
    // A reached limit stays reached until the window ends, so refused requests need no query to the store.
    if (window.used >= limit) return this.#allowance(window, bucket, limit, false)
    return undefined
  }

  async #askStore(window: Window, countedAs: string, bucket: Bucket, limit: number): Promise<Allowance> {
    window.waiting++
    try {
      for (;;) {
        const decided = this.#decided(window, bucket, limit)
        if (decided) return decided
        window.asking ??= this.#reserve(window, countedAs, bucket, limit).finally(() => {
          window.asking = null
        })
        await window.asking
      }
    } finally {
      window.waiting--
    }
  }

  /** Reserves requests in the store. If the store is unreachable, reserves the rest of the window locally. */
  async #reserve(window: Window, countedAs: string, bucket: Bucket, limit: number): Promise<void> {
    // After this wait, `waiting` includes all requests that arrived at the same time.
    await null
    const amount = Math.max(window.waiting, Math.floor(limit / SHARES), 1)
    const counted = await this.#add(countedAs, bucket, amount)
    const at = this.#options.steady()
    if (counted) {
      learn(window, counted, { amount, limit, at })
      window.reserved += Math.max(0, Math.min(amount, limit - (counted.used - amount)))
      return
    }
    if (at >= window.endsAt) Object.assign(window, { used: 0, reserved: 0, endsAt: at + WINDOW_SECONDS * 1000 })
    window.reserved += Math.max(0, limit - window.used)
    window.used = Math.max(window.used, limit)
  }

  /** Returns the count of the store; null if the store is unreachable. */
  async #add(countedAs: string, bucket: Bucket, amount: number): Promise<Counted | null> {
    const { store, steady, waitMs, restMs, onChange } = this.#options
    if (this.#isAway && steady() < this.#restUntil) return null
    // While the store is unreachable, only one request tries to reach it, so that the other requests do not have to
    // wait.
    if (this.#isAway) this.#restUntil = steady() + restMs
    try {
      const counted = await within(waitMs, store.add(countedAs, bucket, amount), () => {
        throw new Error(`no answer within ${waitMs} ms`)
      })
      if (this.#isAway) {
        this.#isAway = false
        onChange({ away: false })
      }
      return counted
    } catch (reason) {
      this.#restUntil = steady() + restMs
      if (!this.#isAway) {
        this.#isAway = true
        onChange({ away: true, reason })
      }
      return null
    }
  }

  #allowance(window: Window, bucket: Bucket, limit: number, allowed: boolean): Allowance {
    const used = window.used - window.reserved
    return { ...allowanceOf(bucket, limit, { used, msLeft: window.endsAt - this.#options.steady() }), allowed }
  }
}

/**
 * Takes over the count of the store. If that count is too low for the window that this server knows, the store has
 * begun a newer window, and nothing is reserved in it. The count is capped at the limit, since requests beyond the
 * limit were refused.
 */
function learn(
  window: Window,
  { used, msLeft }: Counted,
  { amount, limit, at }: { amount: number; limit: number; at: number },
): void {
  if (used < window.used + amount) window.reserved = 0
  window.used = Math.min(used, limit)
  window.endsAt = at + msLeft
}
