/**
 * The program's only way out to the network. Politeness (turns, pauses, retries) and distrust (sizes, lengths, time-outs,
 * redirects) are in this room, so that callers see bytes, nothing at all, or one kind of error.
 */
import { parseBase, usableAgent } from './address.ts'
import { EdgarError, type EdgarErrorKind } from './answer.ts'
import type { Limits, Slow } from './body.ts'
import type { Counted } from './counts.ts'
import { exchange, type Opened, openFolder } from './exchange.ts'
import { type Cut, goingOn } from './going-on.ts'
import { dated, type Host, hostOf } from './host.ts'
import { checkedPath } from './location.ts'
import type { ClientOptions, EdgarResponse, GetOptions } from './options.ts'
import { Tries } from './tries.ts'
import { ifChanged, isRest, restFrom, resumableOf } from './validators.ts'

export type { ClientEvent, ClientOptions, EdgarResponse, GetOptions } from './options.ts'
export { EdgarError, type EdgarErrorKind }

interface ClientStats extends Counted {
  /** Nothing is sent before this moment, in milliseconds since 1970; 0 when there was no pause yet. */
  pausedUntil: number
}

export interface EdgarClient {
  /** Without a last slash, so that a host has one spelling. */
  readonly baseUrl: string
  /** Requests a second, of all clients together; null where nothing is paced. */
  readonly perSecond: number | null
  /**
   * Fetches `path`, hands the answer to `consume`, and returns its result. If the answer breaks off midway it is fetched
   * again and `consume` runs again from the start, unless its rest is to be had, so it must begin anew each time (a temporary file, a fresh array). If
   * EDGAR says that there is no such thing the result is null and `consume` is not called: 404, or 403 AccessDenied as
   * for the index of a weekend.
   *
   * @param path path and query below the base, beginning with `/`; never a full URL
   * @throws EdgarError of the last attempt; whatever `consume` throws of its own; the signal's reason
   */
  get<T>(path: string, consume: (response: EdgarResponse) => Promise<T>, options?: GetOptions<T>): Promise<T | null>
  /** Ends what is under way. */
  close(): Promise<void>
  stats(): ClientStats
}

const MB = 1024 * 1024

/**
 * A client of one host.
 *
 * @throws EdgarError `configuration` when the address cannot be used; a missing User-Agent is only reported by `get`
 */
export function edgarClient(options: ClientOptions): EdgarClient {
  return new HostClient(options)
}

/** What one call of `get` asks for. */
interface Call<T> {
  path: string
  consume: (response: EdgarResponse) => Promise<T>
  limits: Limits
  known: GetOptions<T>['known']
  isDownload: boolean
  tries: Tries
  signal: AbortSignal
}

/**
 * Asks one host. Its state is whether it is closed, and that of its host: counts, which `stats` shows, and the pace, which
 * all clients of the host share. Each `get` has its own tries.
 */
class HostClient implements EdgarClient {
  readonly baseUrl: string
  readonly perSecond: number | null
  readonly #host: Host
  readonly #usual: Omit<Limits, 'onSlow'>
  readonly #closing = new AbortController()

  constructor(options: ClientOptions) {
    const { sizeMax = 512 * MB, totalMs = 30 * 60_000, stallMs = 60_000, slowMs } = options
    this.#host = hostOf(options)
    this.#usual = {
      ...{ sizeMax, totalMs, stallMs, timeoutMs: this.#host.timeoutMs },
      ...(slowMs === undefined ? {} : { slowMs }),
    }
    this.baseUrl = this.#host.base.url.href.replace(/\/$/, '')
    this.perSecond = this.#host.perSecond
  }

  async get<T>(
    path: string,
    consume: (response: EdgarResponse) => Promise<T>,
    options: GetOptions<T> = {},
  ): Promise<T | null> {
    const { isDownload = false, known, signal: own } = options
    const limits = this.#limitsOf(path, options)
    const signal = own ? AbortSignal.any([own, this.#closing.signal]) : this.#closing.signal
    const tries = new Tries(this.#host, path)
    try {
      return await this.#answered({ path, consume, limits, known, isDownload, tries, signal })
    } catch (error) {
      if (error instanceof EdgarError) this.#host.counts.failure(error.kind)
      throw error
    }
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return
    this.#closing.abort(new EdgarError('network', 'the client was closed'))
    this.#host.leave()
  }

  stats(): ClientStats {
    const { pausedUntil } = this.#host.turns
    return { ...this.#host.counts.snapshot(), pausedUntil: pausedUntil && dated(this.#host, pausedUntil) }
  }

  /** A download may take as long as it keeps coming; anything else as long as it may take in all. */
  #limitsOf<T>(path: string, { sizeMax, totalMs, isDownload = false }: GetOptions<T>): Limits {
    const usual = this.#usual
    return {
      ...usual,
      sizeMax: sizeMax ?? usual.sizeMax,
      onSlow: (so) => this.#slow(path, so),
      ...(isDownload
        ? { totalMs: Number.POSITIVE_INFINITY }
        : { totalMs: totalMs ?? usual.totalMs, stallMs: Number.POSITIVE_INFINITY }),
    }
  }

  async #answered<T>(call: Call<T>): Promise<T | null> {
    const { path, limits, known, tries, signal } = call
    const open = this.#host.base.place === 'folder' ? openFolder : exchange
    const conditions = known ? ifChanged(known.validators) : {}
    for (;;) {
      signal.throwIfAborted()
      let opened: Opened | null
      try {
        opened = await open(this.#host, checkedPath(path), limits, signal, conditions)
      } catch (error) {
        await tries.before(error, signal)
        continue
      }
      if (!opened) {
        this.#host.counts.none()
        return null
      }
      if (opened.status === 304) {
        opened.close()
        return known!.result
      }
      const consumed = await this.#consumed(call, opened)
      if ('value' in consumed) return consumed.value
      await tries.before(consumed.failure, signal)
    }
  }

  /** What the reader of an answer makes of it, or why the answer broke off. @throws what the reader throws of its own */
  async #consumed<T>(call: Call<T>, opened: Opened): Promise<{ value: T } | { failure: EdgarError }> {
    const { url, isDelimited, modified, modifiedAt, validators } = opened
    const { bytes, failure, close } = call.isDownload
      ? goingOn(opened, resumableOf(opened.headers), (cut) => this.#restOf(call, cut))
      : opened
    try {
      const body = this.#host.counts.bytes(bytes)
      const value = await call.consume({ url, isDelimited, modified, modifiedAt, validators, body })
      const failed = failure()
      return failed ? { failure: failed } : { value }
    } catch (error) {
      const failed = failure()
      if (!failed) throw error
      return { failure: failed }
    } finally {
      close()
    }
  }

  /** Asks for the rest of an answer that broke off; null where the host has it no longer, or never had. */
  async #restOf<T>({ path, limits, tries, signal }: Call<T>, { resumable, at, cut }: Cut): Promise<Opened | null> {
    tries.cameOn(cut.cameOn)
    for (let error: unknown = cut.failure; ; ) {
      await tries.before(error, signal)
      try {
        const left = { ...limits, sizeMax: limits.sizeMax - at }
        const rest = await exchange(this.#host, checkedPath(path), left, signal, restFrom(at, resumable))
        if (rest?.status === 206 && isRest(rest.headers, at, resumable)) return rest
        rest?.close()
        return null
      } catch (cause) {
        // Such as 416 of a file that is shorter by now.
        if (cause instanceof EdgarError && cause.kind === 'refused') return null
        error = cause
      }
    }
  }

  /** Says that an answer comes slowly while it comes, and counts it when it has ended. */
  #slow(path: string, { bytes, ms, isDone }: Slow): void {
    const reason = `${path} comes slowly: ${bytes} bytes in ${Math.round(ms / 1000)} s`
    if (isDone) this.#host.counts.slow(path, bytes, ms)
    else this.#host.log({ event: 'edgar.slow', path, reason, bytes, ms })
  }
}

/**
 * Makes sure that this address may be asked for things, before anything is asked.
 *
 * @throws EdgarError `configuration` for an address that cannot be used, or a host that wants a contact and has none
 */
export function assertMayAsk(baseUrl: string, userAgent: string | null): void {
  const base = parseBase(baseUrl)
  if (base.place !== 'folder') usableAgent(userAgent, base)
}
