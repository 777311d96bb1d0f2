/** Decides whether and when a path is requested again. */
import { messageOf } from '../declare/errors.ts'
import { EdgarError, isPassing } from './answer.ts'
import { dated, type Host } from './host.ts'

/**
 * The wait before the next try is random, unless the host requests a longer wait. The maximum of the random wait
 * doubles after each failure, from `first` up to `last`.
 */
const BACKOFF_MS = { first: 1_000, last: 60_000 }

/** If a download has gained this many bytes since it last broke off, its earlier failures no longer count. */
const PROGRESS_BYTES = 1024 * 1024

/**
 * The tries of one path. Its state: how often the path failed since its last progress, and how often the host blocked
 * this client. `before` counts a failure, `cameOn` resets the count of the path.
 */
export class Tries {
  readonly #host: Host
  readonly #path: string
  #failed = 0
  #blocked = 0

  constructor(host: Host, path: string) {
    this.#host = host
    this.#path = path
  }

  /** How often the path failed since its last progress. */
  get failed(): number {
    return this.#failed
  }

  /** Reports how many bytes a download gained since it last broke off. */
  cameOn(bytes: number): void {
    if (bytes >= PROGRESS_BYTES) this.#failed = 0
  }

  /** Waits until the path may be tried again after `error`; throws `error` if it must not be tried again. */
  async before(error: unknown, signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (!(error instanceof EdgarError) || !isPassing(error)) throw error
    if (error.blocked) return this.#afterBlock(error)
    const { attempts, random, turns, shared, now, counts, log, sleep } = this.#host
    const reason = messageOf(error)
    // The status 429 (too many requests) concerns all requests, not only those for this path. So it also pauses the host
    // if this path is not tried again.
    if (error.kind === 'throttled' && error.retryAfterMs) {
      turns.pause(now() + error.retryAfterMs)
      await shared?.pause(error.retryAfterMs, reason)
    }
    if (++this.#failed >= attempts) throw error
    const backoff = Math.min(BACKOFF_MS.first * 2 ** (this.#failed - 1), BACKOFF_MS.last)
    const delayMs = Math.max(Math.round(random() * backoff), error.retryAfterMs ?? 0)
    counts.retry()
    log({ event: 'edgar.retry', path: this.#path, kind: error.kind, reason, delayMs })
    await sleep(delayMs, signal)
  }

  /** The host blocks the whole client: all requests pause, and the next turn comes after the pause. */
  async #afterBlock(error: EdgarError): Promise<void> {
    const { turns, shared, now, pauseMs, counts, log } = this.#host
    const reason = messageOf(error)
    const until = now() + pauseMs
    turns.pause(until)
    counts.pause()
    log({ event: 'edgar.pause', path: this.#path, reason, until: dated(this.#host, until) })
    await shared?.pause(pauseMs, reason)
    // Requests during the block prolong it. So the path is tried once more after the pause; if that fails, an operator
    // has to find out why.
    if (++this.#blocked > 1) throw error
    counts.retry()
  }
}
