/**
 * Sends an answer as Server-Sent Events (WHATWG HTML, 9.2). Each client has its own position in the log and reads from
 * there, so a slow one gets everything, later, and holds one page in memory. A client that comes back names the last
 * event that it had.
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
  /** Makes one reading of several that want the same. */
  shared: Shared
  changes: Changes
  /** Aborted when the server closes. */
  closing: AbortSignal
  /** How often a line is sent that says nothing, and the key is looked at again. */
  heartbeatMs: number
  /** How long a client may take nothing of what it was sent. */
  streamStallMs: number
  /** How long a page may be without a place in the database. */
  filePlaceWaitMs: number
}

export interface StreamWanted {
  route: Route
  /** Tells the route and its filters from others. */
  address: string
  keyId: string
  values: Input
  /** Its filters; null for everything. */
  filter: StreamFilter<unknown> | null
  /** Makes something of the database, once `start` is called, for all who have joined its run. */
  begin<T>(make: (context: Context) => Promise<T>): { run: Run; start(): Promise<T> }
  /** Whether the key is still good for this route. */
  isAllowed(): Promise<boolean>
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Whether its answer continues until its client goes. */
    isStream: boolean | undefined
  }
}

const PAGE_EVENTS = 100
/** A server that starts again is not to be asked by all its clients in one moment. */
const RETRY_MS = { least: 2_000, most: 5_000 }

/** Long: the steps of one stream share what was sent. */
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
  raw.on('close', () => {
    release()
    parts.closing.removeEventListener('abort', onClosing)
    end('gone')
  })
  if (request.raw.socket.destroyed) end('gone')
  if (parts.closing.aborted) end('closed')

  // A client that is refused when a thousand come at once would not come again: browsers give up at a 503.
  const waiting = <T>(act: () => Promise<T>) => patiently(act, { waitMs: parts.filePlaceWaitMs, signal })
  const read = (after: number, page: typeof pageAfter) => waiting(() => page(after, wanted, parts, signal))
  // A client that lags far reads only the events that its filter matches; one at the end reads together with all others
  // there.
  let reading = pageAfter
  const requested = lastEventId(request.headers['last-event-id']) ?? (wanted.values.after as number | undefined)
  let seen = parts.changes.count()
  let first: Piece
  try {
    // Read before anything is sent: an error is an answer of its own.
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

/** Ends an answer. A client that takes nothing would not take the end either. */
function endWithin(raw: ServerResponse, ms: number): void {
  raw.end()
  // A client that hung up has closed it already: a timer would hold the answer, and the process at its end, for a minute.
  if (raw.closed) return
  const late = setTimeout(() => raw.destroy(), ms)
  raw.on('close', () => clearTimeout(late))
}

/** Why a stream did not begin. */
const notBegun = (outcome: StreamOutcome): HttpError => (outcome === 'closed' ? apiError('shutting_down') : hungUp())

/** @throws HttpError 400 if the header is not a number of an event */
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

/** Number of the newest event, for who names none. */
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

/** The same of who has a filter, out of what is read for all who have one. */
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
  // It ends when its client goes, which is not a failure; and the time until then does not measure our work.
  request.brokeOff = 200
  request.isStream = true
  reply.headers({
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-store',
    vary: 'accept, last-event-id',
    // nginx would gather events before it passes them on.
    'x-accel-buffering': 'no',
  })
  reply.hijack()
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  reply.raw.flushHeaders()
  if (request.method !== 'HEAD') reply.raw.write(`retry: ${randomInt(RETRY_MS.least, RETRY_MS.most)}\n\n`)
}

/** Keeps the connection from looking idle, and ends the stream of a key that is no longer valid. */
function heartbeat(
  raw: ServerResponse,
  heartbeatMs: number,
  { isAllowed }: StreamWanted,
  end: (outcome: StreamOutcome) => void,
): NodeJS.Timeout {
  return setInterval(async () => {
    // Where the database cannot say, requests are refused too.
    if (!(await isAllowed().catch(() => false))) return end('refused')
    // To a client that takes nothing there is nothing to be added.
    if (!raw.writableNeedDrain && !raw.destroyed) raw.write(':\n\n')
  }, heartbeatMs)
}

/** Writes, and waits until the client has taken it, if it is more than the connection holds. */
async function write(raw: ServerResponse, bytes: Buffer, stallMs: number, signal: AbortSignal): Promise<boolean> {
  signal.throwIfAborted()
  if (raw.write(bytes)) return true
  const late = AbortSignal.timeout(stallMs)
  await once(raw, 'drain', { signal: AbortSignal.any([signal, late]) }).catch((error) => {
    if (!late.aborted) throw error
  })
  return !late.aborted
}
