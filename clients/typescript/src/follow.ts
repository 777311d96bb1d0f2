import { OpenFilingsError } from './errors.ts'
import { queryText } from './query.ts'
import { anyOf, failureOf, type Requests } from './requests.ts'
import { messagesOf } from './sse.ts'
import type { Query, Row } from './types.ts'

/** An event of the log. */
export type FilingEvent = Row<'events', 'events'>

/** Which events are followed, and how. */
export interface FollowOptions extends Pick<Query<'events'>, 'source' | 'family' | 'form' | 'cik'> {
  /** Number of the last event that the caller has. Without this number, the stream begins with the next event. */
  after?: number | undefined
  signal?: AbortSignal | undefined
  /** How long the service may be unavailable, in milliseconds, before the error is thrown; by default ten minutes. */
  maxDownMs?: number | undefined
  /** Called each time the stream broke, before the wait for the next connection. */
  onReconnect?: ((error: OpenFilingsError) => void) | undefined
}

/** Wait before a connection, if the service names none. */
const RECONNECT_MS = 3_000
const RECONNECT_MAX_MS = 30_000

/**
 * The events of the log as they come, without end. If the stream breaks, it is opened again after the last event that
 * the loop received, so none is missed and none comes twice.
 */
export class Follow implements AsyncIterable<FilingEvent> {
  readonly #requests: Requests
  readonly #options: FollowOptions
  #after: number | null

  constructor(requests: Requests, options: FollowOptions) {
    this.#requests = requests
    this.#options = options
    this.#after = options.after ?? null
  }

  /**
   * Number of the last event whose loop iteration finished; null before the first connection. Store it, and pass it as
   * `after` when the program starts again. It also moves past events that the filters leave out.
   */
  get after(): number | null {
    return this.#after
  }

  /**
   * @throws OpenFilingsError if the service refuses the request, or is away for longer than `maxDownMs`; the reason of
   * the signal if it aborted
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<FilingEvent, void, undefined> {
    const { clock, signal: ofClient } = this.#requests.settings
    const { signal: own, maxDownMs = 600_000, onReconnect } = this.#options
    const signal = anyOf([own, ofClient])
    const state = { retryMs: RECONNECT_MS, failures: 0, aliveAt: clock.now() }
    for (;;) {
      try {
        yield* this.#connection(state, signal)
      } catch (error) {
        if (!(error instanceof OpenFilingsError) || !isPassing(error)) throw error
        if (clock.now() - state.aliveAt > maxDownMs) throw error
        onReconnect?.(error)
        const grown = Math.min(state.retryMs * 2 ** state.failures, RECONNECT_MAX_MS)
        state.failures += 1
        const waitMs = Math.max(grown, Math.min(error.retryAfterMs ?? 0, RECONNECT_MAX_MS))
        await clock.wait(waitMs * (1 + clock.random() / 4), signal)
      }
    }
  }

  /** Yields the events of one connection, and throws when it ends. */
  async *#connection(
    state: { retryMs: number; failures: number; aliveAt: number },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<FilingEvent, never, undefined> {
    const { source, family, form, cik } = this.#options
    const { clock, stallMs } = this.#requests.settings
    const wanted = {
      path: `/events${queryText({ source, family, form, cik })}`,
      accept: 'text/event-stream',
      headers: this.#after === null ? {} : { 'last-event-id': String(this.#after) },
      signal,
    }
    const opened = await this.#requests.open(wanted, false)
    const { response, url, deadline } = opened
    try {
      if (!response.body || !/^text\/event-stream\b/.test(response.headers.get('content-type') ?? '')) {
        throw new OpenFilingsError('the answer is not a stream of events', { code: 'invalid_answer', url })
      }
      const alive = () => {
        deadline.start(stallMs)
        Object.assign(state, { failures: 0, aliveAt: clock.now() })
      }
      alive()
      for await (const { id, data, retry } of messagesOf(response.body, alive)) {
        if (retry !== undefined) state.retryMs = Math.min(retry, RECONNECT_MAX_MS)
        if (data !== undefined) {
          deadline.pause()
          yield eventOf(data, url)
          alive()
        }
        if (id !== undefined && /^\d{1,15}$/.test(id)) this.#after = Number(id)
      }
      throw new OpenFilingsError('the stream ended', { code: 'network', url })
    } catch (error) {
      throw failureOf(error, opened)
    } finally {
      deadline.abort()
    }
  }
}

/** Tests whether the same request may succeed later. */
const isPassing = ({ code, status }: OpenFilingsError): boolean =>
  code === 'network' || code === 'timeout' || status === 429 || (status !== null && status >= 500)

function eventOf(data: string, url: string): FilingEvent {
  try {
    // The document describes the data of an event as a row of /events.
    return JSON.parse(data) as FilingEvent
  } catch (cause) {
    throw new OpenFilingsError('an event is not valid JSON', { code: 'invalid_answer', url, cause })
  }
}
