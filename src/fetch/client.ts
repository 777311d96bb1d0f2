/**
 * The program's only way out to the network. Politeness (turns, pauses, retries) and distrust (sizes, lengths, time-outs,
 * redirects) are here, so that callers see bytes, nothing at all, or one kind of error.
 */
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { messageOf } from '../declare/errors.ts'
import { below, parseBase, usableAgent } from './address.ts'
import { EdgarError, type EdgarErrorKind, isPassing, lastModified, PAGE_SIZE_MAX, refusal } from './answer.ts'
import { type Body, body, decoded, isGzip, type Limits, type Slow, startOf } from './body.ts'
import { type Cut, goingOn } from './going-on.ts'
import { checkedPath, openBelow } from './location.ts'
import { intervalOf, PACED_LOOPBACK, pace, paceOf, REMOTE, type SharedPace } from './pace.ts'
import { proxyAgent } from './proxy.ts'
import { ifChanged, isRest, restFrom, resumableOf, type Validators, validatorsOf } from './validators.ts'

export { EdgarError, type EdgarErrorKind }

// By an `import`, as in declare/status-name.ts, a start would take 17 ms longer.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

export interface ClientOptions {
  /** `https://www.sec.gov`, another host by https, a loopback host by http, or `file:///…` of a folder in EDGAR's layout. */
  baseUrl: string
  /** Name and e-mail address, as EDGAR's fair-access rule wants; may be null where no sec.gov host is asked. */
  userAgent: string | null
  /** Requests a second over all clients; not applied to folders, and to loopback hosts only by `paceLoopback`. */
  perSecond?: number
  /** Paces a loopback host as one of the SEC. */
  paceLoopback?: boolean
  /** Where the pace and the pauses of all processes are kept; without it this process has its own. */
  shared?: SharedPace | undefined
  /** Longest wait for the headers, and for each chunk after them. */
  timeoutMs?: number
  /** Longest wait for one answer in all. The time that its reader takes does not count. */
  totalMs?: number
  /** In how much time a download must bring 256 KB. */
  stallMs?: number
  /** After how much waiting for an answer it is told that it comes slowly. */
  slowMs?: number
  /** Requests for one path before giving up. */
  attempts?: number
  /** Largest decoded answer in bytes. */
  sizeMax?: number
  /** How long nothing is sent after EDGAR's rate page. */
  pauseMs?: number
  /** Milliseconds by a clock that nobody sets; by default one of the process that began with the time of day. */
  now?: () => number
  /** The time of day, for what hosts date and people read. */
  timeOfDay?: () => number
  /** Rejects when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, for the jitter. */
  random?: () => number
  log?: (event: ClientEvent) => void
}

/** What happens out of the ordinary. */
export type ClientEvent =
  | { event: 'edgar.retry'; path: string; kind: EdgarErrorKind; reason: string; delayMs: number }
  | { event: 'edgar.pause'; path: string; reason: string; until: number }
  | { event: 'edgar.slow'; path: string; reason: string; bytes: number; ms: number }

export interface EdgarResponse {
  url: string
  /**
   * Whether the answer said where it ends: by a length, chunks or a gzip stream. What is short then is short at the host.
   * An answer that ends with its connection may have broken off.
   */
  isDelimited: boolean
  /** The day on which the host says that it last changed, `YYYY-MM-DD`; null where it says none, and of folders. */
  modified: string | null
  /** The same as a moment, ISO 8601. */
  modifiedAt: string | null
  /** By what the host may be asked later whether this is still so; nothing of folders. */
  validators: Validators
  /** Decoded bytes. Reading fails when they are cut short, too many, or stop coming. */
  body: AsyncIterable<Uint8Array>
}

interface ClientStats {
  requests: number
  /** Decoded bytes handed to readers. */
  bytes: number
  retries: number
  /** How many answers said that there is no such thing. */
  none: number
  pauses: number
  /** Answers that came slowly, by path; the first ones. */
  slow: { path: string; bytes: number; ms: number }[]
  /** How many calls of `get` failed for good. */
  failures: Partial<Record<EdgarErrorKind, number>>
  /** Nothing is sent before this moment, in milliseconds since 1970; 0 when there was no pause yet. */
  pausedUntil: number
  /** How far the host's clock was ahead of ours at its last answer, in milliseconds; null before an answer with a date. */
  aheadMs: number | null
}

export interface GetOptions<T> {
  sizeMax?: number
  totalMs?: number
  /** A large file: it may take as long as it keeps coming, and where it breaks off its rest is asked for. */
  isDownload?: boolean
  /** An earlier answer, and the result that stands for it if the host says that it has not changed. */
  known?: { validators: Validators; result: T } | undefined
  signal?: AbortSignal | undefined
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
/** EDGAR's own limit for one operator, over all machines. */
const PER_SECOND_MAX = 10
const REDIRECTS_MAX = 3
/** Slow answers that are named. */
const SLOW_MAX = 10
/** Back-off doubles from the first to the last of these. */
const BACKOFF_MS = { first: 1_000, last: 60_000 }

/**
 * A client of one host.
 *
 * @throws EdgarError `configuration` when the address cannot be used; a missing User-Agent is only reported by `get`
 */
export function edgarClient(options: ClientOptions): EdgarClient {
  const { attempts = 5, sizeMax: sizeMaxDefault = 512 * MB, pauseMs = 600_000 } = options
  const { timeoutMs = 30_000, totalMs: totalMsDefault = 30 * 60_000, stallMs = 60_000, perSecond = 5 } = options
  const { paceLoopback = false } = options
  const { now = steady, sleep = rest, random = Math.random, log = () => {} } = options
  const timeOfDay = options.timeOfDay ?? options.now ?? Date.now
  /** A moment of `now` as people read it. */
  const dated = (at: number) => Math.round(timeOfDay() + at - now())
  const base = parseBase(options.baseUrl)
  if (!(perSecond > 0 && perSecond <= PER_SECOND_MAX)) {
    throw new EdgarError('configuration', `${perSecond} requests a second: EDGAR allows up to ${PER_SECOND_MAX}`)
  }
  const { pace: turns, leave } =
    base.place === 'folder'
      ? { pace: pace(), leave: () => {} }
      : paceOf(base.place === 'remote' ? REMOTE : paceLoopback ? PACED_LOOPBACK : base.url.host)
  const isPaced = base.place === 'remote' || (base.place === 'loopback' && paceLoopback)
  const intervalMs = isPaced ? intervalOf(perSecond) : 0
  const shared = isPaced ? options.shared : undefined
  const closing = new AbortController()
  const stats = {
    requests: 0,
    bytes: 0,
    retries: 0,
    none: 0,
    pauses: 0,
    slow: [] as ClientStats['slow'],
    failures: {} as ClientStats['failures'],
  }
  let aheadMs: number | null = null

  /** One answer, redirects followed; null for none. `asked` are headers that allow for 304 or 206 as well. */
  async function exchange(
    path: string,
    limits: Limits,
    signal: AbortSignal,
    asked: Record<string, string> = {},
  ): Promise<Opened | null> {
    let url = below(base, path)
    const headers = { 'user-agent': usableAgent(options.userAgent, base), 'accept-encoding': 'gzip', ...asked }
    const isMeant = (status: number) =>
      status === 200 || (status === 206 ? 'range' in asked : status === 304 && Object.keys(asked).length > 0)
    for (let redirects = 0; ; redirects++) {
      const onPause = (until: number, reason: string) =>
        log({ event: 'edgar.pause', path, reason, until: dated(until) })
      await turns.turn({ intervalMs, clock: { now, sleep }, shared, onPause, signal })
      stats.requests++
      const response = await send(url, headers, timeoutMs, signal)
      const { statusCode: status = 0, headers: answer } = response
      const ahead = Date.parse(answer.date ?? '') - timeOfDay()
      if (!Number.isNaN(ahead)) aheadMs = ahead
      if (isMeant(status)) {
        const read = body(url, decoded(url, response, limits), limits, signal)
        const isDelimited = 'content-length' in answer || 'transfer-encoding' in answer || isGzip(answer)
        const told = { isDelimited, ...lastModified(answer['last-modified']), validators: validatorsOf(answer) }
        return { ...read, ...told, url: url.href, status, headers: answer }
      }
      const location = answer.location
      if (location !== undefined && [301, 302, 303, 307, 308].includes(status)) {
        response.destroy()
        url = redirected(url, location, redirects)
        continue
      }
      const unlimited = { ...limits, sizeMax: Number.POSITIVE_INFINITY }
      const page = await startOf(body(url, decoded(url, response, unlimited), unlimited, signal), PAGE_SIZE_MAX)
      const error = refusal(url, status, page, answer['retry-after'], timeOfDay())
      if (error) throw error
      return null
    }
  }

  async function openFolder(path: string, limits: Limits, signal: AbortSignal): Promise<Opened | null> {
    const found = await openBelow(fileURLToPath(base.url), path).catch((cause: unknown) => {
      if (cause instanceof EdgarError) throw cause
      throw new EdgarError('configuration', `the folder ${base.url.href} cannot be read`, { cause })
    })
    if (!found) return null
    const url = below(base, path)
    const read = body(url, found.handle.createReadStream(), limits, signal, found.sizeBytes)
    const told = { isDelimited: true, ...lastModified(undefined), validators: validatorsOf({}) }
    return { ...read, ...told, url: url.href, status: 200, headers: {} }
  }

  /** Waits until `path` may be tried again after `error`, or throws it. */
  async function beforeRetry(error: unknown, path: string, so: Tries, signal: AbortSignal) {
    signal.throwIfAborted()
    if (!(error instanceof EdgarError) || !isPassing(error)) throw error
    const reason = messageOf(error)
    if (error.blocked) {
      const until = now() + pauseMs
      turns.pause(until)
      stats.pauses++
      log({ event: 'edgar.pause', path, reason, until: dated(until) })
      await shared?.pause(pauseMs, reason)
      // Going on during the block prolongs it. So try once more after the pause; then somebody has to look.
      if (++so.blocked > 1) throw error
      stats.retries++
      return
    }
    if (++so.failed >= attempts) throw error
    const backoff = Math.min(BACKOFF_MS.first * 2 ** (so.failed - 1), BACKOFF_MS.last)
    const delayMs = Math.max(Math.round(random() * backoff), error.retryAfterMs ?? 0)
    // "Too many" concerns all requests, not only this path.
    if (error.kind === 'throttled' && error.retryAfterMs) {
      turns.pause(now() + error.retryAfterMs)
      await shared?.pause(error.retryAfterMs, reason)
    }
    stats.retries++
    log({ event: 'edgar.retry', path, kind: error.kind, reason, delayMs })
    await sleep(delayMs, signal)
  }

  /** Says that an answer comes slowly while it comes, and counts it when it has ended. */
  const slowOf =
    (path: string) =>
    ({ bytes, ms, isDone }: Slow) => {
      const reason = `${path} comes slowly: ${bytes} bytes in ${Math.round(ms / 1000)} s`
      if (!isDone) log({ event: 'edgar.slow', path, reason, bytes, ms })
      else if (stats.slow.length < SLOW_MAX) stats.slow.push({ path, bytes, ms })
    }

  async function* counted(bytes: AsyncIterable<Uint8Array>) {
    for await (const chunk of bytes) {
      stats.bytes += chunk.length
      yield chunk
    }
  }

  /** Asks for the rest of an answer that broke off; null where the host has it no longer, or never had. */
  async function restOf({ resumable, at, cut }: Cut, path: string, limits: Limits, so: Tries, signal: AbortSignal) {
    if (cut.cameOn >= PROGRESS_BYTES) so.failed = 0
    for (let error: unknown = cut.failure; ; ) {
      await beforeRetry(error, path, so, signal)
      try {
        const left = { ...limits, sizeMax: limits.sizeMax - at }
        const rest = await exchange(checkedPath(path), left, signal, restFrom(at, resumable))
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

  async function attempt<T>(
    path: string,
    consume: (r: EdgarResponse) => Promise<T>,
    { limits, known, isDownload }: { limits: Limits; known: GetOptions<T>['known']; isDownload: boolean },
    signal: AbortSignal,
  ) {
    const open = base.place === 'folder' ? openFolder : exchange
    const asked = known ? ifChanged(known.validators) : {}
    const so = { failed: 0, blocked: 0 }
    for (;;) {
      signal.throwIfAborted()
      let opened: Opened | null
      try {
        opened = await open(checkedPath(path), limits, signal, asked)
      } catch (error) {
        await beforeRetry(error, path, so, signal)
        continue
      }
      if (!opened) {
        stats.none++
        return null
      }
      if (opened.status === 304) {
        opened.close()
        return known!.result
      }
      const { url, isDelimited, modified, modifiedAt, validators } = opened
      const { bytes, failure, close } = isDownload
        ? goingOn(opened, resumableOf(opened.headers), (cut) => restOf(cut, path, limits, so, signal))
        : opened
      try {
        const value = await consume({ url, isDelimited, modified, modifiedAt, validators, body: counted(bytes) })
        if (!failure()) return value
      } catch (error) {
        if (!failure()) throw error
      } finally {
        close()
      }
      await beforeRetry(failure(), path, so, signal)
    }
  }

  return {
    baseUrl: base.url.href.replace(/\/$/, ''),
    perSecond: isPaced ? perSecond : null,
    async get(path, consume, { sizeMax = sizeMaxDefault, isDownload = false, known, signal, ...times } = {}) {
      const own = {
        sizeMax,
        timeoutMs,
        ...(options.slowMs === undefined ? {} : { slowMs: options.slowMs }),
        onSlow: slowOf(path),
      }
      const limits = isDownload
        ? { ...own, totalMs: Number.POSITIVE_INFINITY, stallMs }
        : { ...own, totalMs: times.totalMs ?? totalMsDefault, stallMs: Number.POSITIVE_INFINITY }
      const either = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      try {
        return await attempt(path, consume, { limits, known, isDownload }, either)
      } catch (error) {
        if (error instanceof EdgarError) stats.failures[error.kind] = (stats.failures[error.kind] ?? 0) + 1
        throw error
      }
    },
    async close() {
      if (closing.signal.aborted) return
      closing.abort(new EdgarError('network', 'the client was closed'))
      leave()
    },
    stats: () => ({
      ...stats,
      slow: [...stats.slow],
      failures: { ...stats.failures },
      pausedUntil: turns.pausedUntil() && dated(turns.pausedUntil()),
      aheadMs,
    }),
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

interface Opened extends Body, Omit<EdgarResponse, 'body'> {
  status: number
  headers: IncomingHttpHeaders
}

/** How often a path failed since it last went on, and how often the host refused us all. */
interface Tries {
  failed: number
  blocked: number
}

/** A download that has come on by so much is not given up for how often it broke off before. */
const PROGRESS_BYTES = MB

/** Sends one request. Resolves with the headers; the body is still to come. */
function send(url: URL, headers: Record<string, string>, timeoutMs: number, signal: AbortSignal) {
  return new Promise<IncomingMessage>((resolve, reject) => {
    // Without a proxy it is the global agent, which keeps connections alive.
    const agent = proxyAgent(url, { isKept: true })
    const request = (url.protocol === 'https:' ? https : http).request(url, { headers, signal, agent })
    // A request that a proxy has made no connection for yet ends without a word: so it is said here too.
    const end = (error: unknown) => {
      request.destroy(error as Error)
      reject(error)
    }
    const late = () => end(new EdgarError('timeout', `${url.href} did not answer within ${timeoutMs} ms`))
    const timer = setTimeout(late, timeoutMs)
    const aborted = () => end(signal.reason)
    signal.addEventListener('abort', aborted, { once: true })
    request.on('response', resolve)
    request.on('error', (cause) => {
      if (signal.aborted) reject(signal.reason)
      else reject(cause instanceof EdgarError ? cause : new EdgarError('network', `${url.href} failed`, { cause }))
    })
    for (const event of ['response', 'close']) request.on(event, () => clearTimeout(timer))
    request.on('close', () => signal.removeEventListener('abort', aborted))
    // After 101, which nobody asked for, there is neither an answer nor an error. After either this does nothing.
    request.on('close', () => reject(new EdgarError('network', `${url.href} gave no answer`)))
    request.end()
  })
}

function redirected(from: URL, location: string, already: number): URL {
  const to = URL.canParse(location, from.href) ? new URL(location, from) : null
  if (!to || to.origin !== from.origin) throw new EdgarError('refused', `${from.href} redirects to another host`)
  if (already >= REDIRECTS_MAX) throw new EdgarError('refused', `${from.href} redirects without end`)
  checkedPath(to.pathname + to.search)
  return to
}

/** A clock that is set, forwards or back, moves no turn and no pause. */
const steady = () => performance.timeOrigin + performance.now()

async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: true }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
}
