/**
 * Sends an answer as Server-Sent Events (WHATWG HTML, 9.2). Each client has its own position in the log and reads from
 * there. So a slow client gets every event, only later, and takes the memory of just one page. A client that reconnects
 * names the last event that it received.
 */
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Context, Route } from '../../declare/route.ts'
import type { StreamFilter } from '../../declare/stream.ts'
import { type Input, patiently } from '../files/pages.ts'
import type { InFlight } from '../http/in-flight.ts'
import type { Metrics, StreamOutcome } from '../http/metrics.ts'
import { hungUp, type Run } from '../http/run.ts'
import type { Changes } from '../http/version.ts'
import { type Piece, pieceFor, pieceOf, type Shared, written } from './pages.ts'

export interface StreamParts {
  log: Logger
  metrics: Metrics
  streams: InFlight
  /** Allows clients that want the same page to share one reading. */
  shared: Shared
  changes: Changes
  /** Aborted when the server closes. */
  closing: AbortSignal
  /** Interval at which a line without content is sent and the key is checked again. */
  heartbeatMs: number
  /** How long a client may read nothing of the sent data. */
  streamStallMs: number
  /** How long a page may wait for a slot in the database. */
  fileSlotWaitMs: number
}

export interface StreamWanted {
  route: Route
  /** Identifies the route and its filters. */
  address: string
  keyId: string
  values: Input
  /** The filters of the request; null for all events. */
  filter: StreamFilter<unknown> | null
  /**
   * Prepares a run that computes something from the database, for all requests that have joined the run. The run begins
   * when `start` is called.
   */
  begin<T>(make: (context: Context) => Promise<T>): { run: Run; start(): Promise<T> }
  /** Whether the key is still valid for this route. */
  isAllowed(): Promise<boolean>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether the answer to this request continues until the client leaves. */
    isStream: boolean | undefined
  }
}

const PAGE_EVENTS = 100
/**
 * Limits of the time after which a client reconnects. Each client gets a random time between these limits, so that not
 * all clients reconnect to a restarted server at the same moment.
 */
const RETRY_MS = { least: 2_000, most: 5_000 }

/** Sends a stream until it ends. Long: the steps of one stream share its position. */
export async function sendStream(
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: StreamWanted,
  parts: StreamParts,
): Promise<void> {
  const release = parts.streams.begin(wanted.keyId)
  const over = new AbortController()
  const { signal } = over
  const end = (outcome: StreamOutcome) => over.abort(outcome)
  const onClosing = () => end('closed')
  parts.closing.addEventListener('abort', onClosing)
  const { raw } = reply
  const leave = () => {
    release()
    parts.closing.removeEventListener('abort', onClosing)
    end('gone')
  }
  raw.on('close', leave)
  // The client may have disconnected while its key was looked up. The event `close` is then over.
  if (request.raw.socket.destroyed) leave()
  if (parts.closing.aborted) end('closed')

  // If a thousand clients connect at the same time, they wait instead of being refused, since browsers give up after a
  // 503.
  const waiting = <T>(act: () => Promise<T>) => patiently(act, { waitMs: parts.fileSlotWaitMs, signal })
  const read = (after: number, page: typeof pageAfter) => waiting(() => page(after, wanted, parts, signal))
  // While a client is far behind, it reads only events that match its filter. At the end of the log, the client shares
  // one reading with all other clients that are there.
  let reading = pageAfter
  const requested = lastEventId(request.headers['last-event-id']) ?? (wanted.values.after as number | undefined)
  let seen = parts.changes.count()
  let first: Piece
  try {
    // The page is read before anything is sent, so that an error can be sent as an ordinary answer.
    first = await read(requested ?? (await waiting(() => newest(wanted, parts, signal))), reading)
    signal.throwIfAborted()
  } catch (error) {
    throw signal.aborted ? notBegun(signal.reason) : error
  }

  open(request, reply)
  if (request.method === 'HEAD') {
    raw.end()
    return
  }
  const beat = heartbeat(raw, parts.heartbeatMs, wanted, end)
  try {
    for (let piece = first; ; ) {
      if (piece.bytes.length > 0 && !(await write(raw, piece.bytes, parts.streamStallMs, signal))) end('stalled')
      if (piece.isEnd) {
        await parts.changes.next(seen, signal)
        if (wanted.filter) reading = newsAfter
      }
      signal.throwIfAborted()
      seen = parts.changes.count()
      piece = await read(piece.next, reading)
    }
  } catch (error) {
    if (!signal.aborted) {
      parts.log.warn({ reqId: request.id, reason: messageOf(error) }, 'a stream ended with an error')
      end('failed')
    }
  } finally {
    clearInterval(beat)
    parts.metrics.stream(signal.reason as StreamOutcome)
    if (signal.reason === 'stalled') raw.destroy()
    else endWithin(raw, parts.streamStallMs)
  }
}

/**
 * Ends an answer. Closes the connection after `ms` milliseconds, since a client that reads nothing would not read the
 * end of the answer either.
 */
function endWithin(raw: ServerResponse, ms: number): void {
  raw.end()
  // If the client hung up, the answer is closed already. A timer would then keep the answer in memory for a minute, and
  // would delay the end of the process.
  if (raw.closed) return
  const late = setTimeout(() => raw.destroy(), ms)
  raw.on('close', () => clearTimeout(late))
}

/** The reason why a stream did not begin. */
const notBegun = (outcome: StreamOutcome): HttpError => (outcome === 'closed' ? apiError('shutting_down') : hungUp())

/** @throws HttpError 400 if the header is not the number of an event */
function lastEventId(header: string | string[] | undefined): number | null {
  if (header === undefined || header === '') return null
  const text = String(header)
  if (!/^\d{1,15}$/.test(text)) {
    throw apiError('invalid_header', {
      header: 'Last-Event-ID',
      reason: 'must be the number of an event, as the stream gave it',
    })
  }
  return Number(text)
}

/** Number of the newest event, for a client that names no event. */
const newest = ({ route, keyId, begin }: StreamWanted, { shared }: StreamParts, signal: AbortSignal): Promise<number> =>
  shared({
    address: `${route.name} newest`,
    keyId,
    signal,
    begin: () => begin(({ sql }) => route.stream!.newest(sql)),
  })

function pageAfter(
  after: number,
  { route, address, keyId, values, begin }: StreamWanted,
  { shared }: StreamParts,
  signal: AbortSignal,
): Promise<Piece> {
  const input = { ...values, after, limit: PAGE_EVENTS }
  const make = async (context: Context) => pieceOf(route.stream!.pageOf((await route.run(input, context)) as never))
  return shared({ address: `${address} ${after}`, keyId, signal, begin: () => begin(make) })
}

/** Picks this client's events from the page that all clients with filters share. */
async function newsAfter(
  after: number,
  { route, filter, keyId, begin }: StreamWanted,
  { shared }: StreamParts,
  signal: AbortSignal,
): Promise<Piece> {
  const make = async ({ sql }: Context) => written(await route.stream!.news(sql, after))
  const news = await shared({ address: `${route.name} news ${after}`, keyId, signal, begin: () => begin(make) })
  return pieceFor(news, filter!, PAGE_EVENTS)
}

function open(request: FastifyRequest, reply: FastifyReply): void {
  // A stream normally ends when its client leaves: this is not a failure, and its duration is not a response time.
  request.brokeOff = 200
  request.isStream = true
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'accept, last-event-id',
    // Without this header nginx would buffer events.
    'x-accel-buffering': 'no',
  })
  reply.hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  reply.raw.flushHeaders()
  if (request.method !== 'HEAD') reply.raw.write(`retry: ${randomInt(RETRY_MS.least, RETRY_MS.most)}\n\n`)
}

/** Prevents the connection from looking idle, and ends the stream of a key that is no longer valid. */
function heartbeat(
  raw: ServerResponse,
  heartbeatMs: number,
  { isAllowed }: StreamWanted,
  end: (outcome: StreamOutcome) => void,
): NodeJS.Timeout {
  return setInterval(async () => {
    // If the database does not answer, the stream ends, since requests are then refused too.
    if (!(await isAllowed().catch(() => false))) return end('refused')
    // If a client does not read, nothing more is buffered for it. The stream may have ended during the check.
    if (!raw.writableNeedDrain && !raw.writableEnded && !raw.destroyed) raw.write(':\n\n')
  }, heartbeatMs)
}

/** Writes the bytes. If the connection's buffer is then full, waits until the client has read them. */
async function write(raw: ServerResponse, bytes: Buffer, stallMs: number, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  if (raw.write(bytes)) return true
  const late = AbortSignal.timeout(stallMs)
  await once(raw, 'drain', { signal: AbortSignal.any([signal, late]) }).catch((error) => {
    if (!late.aborted) throw error
  })
  return !late.aborted
}
