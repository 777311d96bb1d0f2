/**
 * Clients of EDGAR and of the other hosts from which files are fetched. A client limits its requests (turns, pauses,
 * retries) and checks the answers (sizes, lengths, time-outs, redirects). So a caller gets the bytes, null if the file
 * does not exist, or one kind of error.
 */
import { parseBase, usableAgent } from './address.ts'
import { EdgarError, type EdgarErrorKind } from './answer.ts'
import type { Limits, Slow } from './body.ts'
import type { Counted } from './counts.ts'
import { exchange, type Opened, openFolder } from './exchange.ts'
import { dated, type Host, hostOf } from './host.ts'
import { checkedPath } from './location.ts'
import type { ClientOptions, EdgarResponse, GetOptions } from './options.ts'
import { type Cut, resumedBody } from './resumed.ts'
import { Tries } from './tries.ts'
import { ifChanged, isRest, restFrom, resumableOf } from './validators.ts'

export type { ClientEvent, ClientOptions, EdgarResponse, GetOptions } from './options.ts'
export { EdgarError, type EdgarErrorKind }

interface ClientStats extends Counted {
  /** Nothing is sent before this moment, in milliseconds since 1970; the value is 0 if there was no pause yet. */
  pausedUntil: number
}

export interface EdgarClient {
  /** The base address without a trailing slash, so that a host has only one spelling. */
  readonly baseUrl: string
  /** Requests a second, of all clients together; null if requests are not paced. */
  readonly perSecond: number | null
  /**
   * Fetches `path`, passes the answer to `consume`, and returns the result of `consume`. If the answer breaks off and
   * its rest cannot be requested, the file is fetched again and `consume` runs again. So `consume` must start from
   * scratch each time (a temporary file, a fresh array). If the file does not exist, the result is null and `consume`
   * is not called. EDGAR reports a missing file by 404 or by 403 AccessDenied; the latter is its answer for the index
   * of a weekend day.
   *
   * @param path path and query below the base, beginning with `/`; never a full URL
   * @throws EdgarError of the last attempt; whatever `consume` itself throws; the signal's reason
   */
  get<T>(path: string, consume: (response: EdgarResponse) => Promise<T>, options?: GetOptions<T>): Promise<T | null>
  /** Aborts the requests in flight. */
  close(): Promise<void>
  stats(): ClientStats
}

const MB = 1024 * 1024

/**
 * A client of one host.
 *
 * @throws EdgarError `configuration` when the address cannot be used; only `get` reports a missing User-Agent
 */
export function edgarClient(options: ClientOptions): EdgarClient {
  return new HostClient(options)
}

/** The parameters of one call of `get`. */
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
 * Sends requests to one host. Its state is whether the client is closed, and the `Host` object, which has the counts
 * that `stats` shows and the pace that all clients of the host share. Each call of `get` has its own tries.
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

  /**
   * Limits of one request. A download has no total time limit as long as bytes arrive; any other answer has such a
   * limit.
   */
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

  /**
   * Returns the result of `consume`, or the reason why the answer broke off.
   *
   * @throws whatever `consume` itself throws
   */
  async #consumed<T>(call: Call<T>, opened: Opened): Promise<{ value: T } | { failure: EdgarError }> {
    const { url, isDelimited, modified, modifiedAt, validators } = opened
    const { bytes, failure, close } = call.isDownload
      ? resumedBody(opened, resumableOf(opened.headers), (cut) => this.#restOf(call, cut))
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

  /** Requests the rest of an answer that broke off; returns null if the host cannot send this rest. */
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
        // The host refuses to send the rest, for example with 416 if the file has become shorter.
        if (cause instanceof EdgarError && cause.kind === 'refused') return null
        error = cause
      }
    }
  }

  /** Reports a slow answer while it arrives, and counts it when it has ended. */
  #slow(path: string, { bytes, ms, isDone }: Slow): void {
    const reason = `${path} comes slowly: ${bytes} bytes in ${Math.round(ms / 1000)} s`
    if (isDone) this.#host.counts.slow(path, bytes, ms)
    else this.#host.log({ event: 'edgar.slow', path, reason, bytes, ms })
  }
}

/**
 * Checks that requests to this address are allowed, before any request is sent.
 *
 * @throws EdgarError `configuration` for an address that cannot be used, or a host that requires a contact when none is
 *   set
 */
export function assertMayRequest(baseUrl: string, userAgent: string | null): void {
  const base = parseBase(baseUrl)
  if (base.place !== 'folder') usableAgent(userAgent, base)
}
