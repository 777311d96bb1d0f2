/**
 * Sends a list as a file. The first page is read before anything is sent, so an error can still be an ordinary answer.
 * A later error ends the connection before the last chunk, so that the file lacks its last line.
 */
import { once } from 'node:events'
import type { OutgoingHttpHeaders, ServerResponse } from 'node:http'
import type { Writable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiError, HttpError } from '../../declare/api-errors.ts'
import type { Catalog } from '../../declare/catalog.ts'
import { messageOf } from '../../declare/errors.ts'
import type { FileFormat } from '../../declare/format.ts'
import type { Cost, Route } from '../../declare/route.ts'
import { bestCoding } from '../http/answer.ts'
import { costOf } from '../http/costs.ts'
import { failureOf } from '../http/failure.ts'
import type { InFlight } from '../http/in-flight.ts'
import type { Metrics } from '../http/metrics.ts'
import { linkOf, nextOf } from '../http/next.ts'
import type { Missing } from '../loaded.ts'
import { coderOf } from './coding.ts'
import { columnsOf } from './columns.ts'
import { csvWriter } from './csv.ts'
import { ndjsonWriter } from './ndjson.ts'
import { firstOf, type Input, type Page, pageOf, patiently } from './pages.ts'
import { parquetWriter, type WideColumns } from './parquet.ts'
import type { Writer } from './writer.ts'

export interface FileParts {
  catalog: Catalog
  log: Logger
  metrics: Metrics
  files: InFlight
  /** How long the next page of a file may wait for a slot. */
  fileSlotWaitMs: number
  /** How long a client may read nothing before its connection is closed. */
  fileStallMs: number
  wideColumns: WideColumns
  /** Whether the server is stopping and no longer waits for running requests. */
  isEnding: () => boolean
}

export interface FileWanted {
  route: Route
  keyId: string
  format: FileFormat
  values: Input
  /** The fields that the request chooses; null for all. */
  chosen: readonly string[] | null
  isLimited: boolean
  /**
   * Makes one answer of the route, and takes a slot of the cost class for it. The signal aborts when the client no
   * longer waits.
   */
  make(values: Input, cost: Cost, signal: AbortSignal): Promise<unknown>
  /** Returns the error for a route that finds nothing. */
  missing(): Error
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The status that the answer would have had if the error had occurred before its first byte. */
    brokeOff: number | undefined
  }
}

export async function sendFile(
  request: FastifyRequest,
  reply: FastifyReply,
  wanted: FileWanted,
  parts: FileParts,
): Promise<void> {
  const { route, values, isLimited, format } = wanted
  const isWhole = route.list!.paged && !isLimited
  const release = isWhole ? parts.files.begin(wanted.keyId) : () => {}
  const gone = new AbortController()
  const { signal } = gone
  const leave = () => {
    release()
    gone.abort()
  }
  reply.raw.on('close', leave)
  if (request.raw.socket.destroyed) leave()

  const isHead = request.method === 'HEAD'
  const read = async (input: Input): Promise<Page> => {
    // A page of a whole file has many times as many rows as any other page, so its cost class is `heavy`.
    const answer = await wanted.make(input, isWhole ? 'heavy' : costOf(route, input), signal)
    if (answer === null || answer === undefined) throw wanted.missing()
    if (!isWhole) linkNext(request, reply, wanted, answer)
    return pageOf(route, input, answer, isWhole)
  }
  const first = await read({ ...firstOf(route, values, isWhole), ...(isWhole && isHead && { limit: 1 }) })

  const writer = writerOf(wanted, parts)
  reply.headers(headersOf(route.name, format, writer, first.missing))
  const coding = writer.isPacked ? null : bestCoding(request.headers['accept-encoding'] ?? '')
  if (coding) reply.header('content-encoding', coding)
  reply.hijack()
  const { raw } = reply
  raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders)
  // With compression, the first bytes can take a while, so the headers are sent before them.
  raw.flushHeaders()
  if (isHead) {
    raw.end()
    return
  }
  raw.on('close', () => {
    parts.metrics.file(format, raw.writableFinished ? 'whole' : request.brokeOff ? 'cut' : 'gone')
  })
  raw.setTimeout(parts.fileStallMs, () => gone.abort(stalled(parts.fileStallMs)))
  const coder = coding && coderOf(coding)
  coder?.pipe(raw)
  const written = { rows: 0 }
  try {
    const next = (input: Input) => patiently(() => read(input), { waitMs: parts.fileSlotWaitMs, signal })
    await writeAll(coder ?? raw, writer, first, { read: next, signal, written })
  } catch (error) {
    breakOff(request, raw, reasonOf(error, signal, parts), written.rows, parts.log)
    coder?.destroy()
  }
}

function writerOf({ route, values, chosen, format }: FileWanted, { catalog, wideColumns }: FileParts): Writer {
  const list = route.list!
  if (format === 'ndjson') return ndjsonWriter(Object.keys(list.row.shape), chosen)
  const columns = columnsOf(list, { input: values, chosen }, catalog)
  return format === 'csv' ? csvWriter(columns) : parquetWriter(route.name, columns, wideColumns)
}

/**
 * Adds the header Link with the next page, as any other answer has it. Is called only if the file has a single page.
 */
function linkNext(request: FastifyRequest, reply: FastifyReply, { route, values }: FileWanted, answer: unknown): void {
  const next = nextOf(route, values, answer)
  if (next) reply.header('link', linkOf(route, request, next))
}

/**
 * Writes page after page. While a page is being sent, the next page is read, unless the client takes longer than the
 * database.
 */
async function writeAll(
  out: Writable,
  writer: Writer,
  first: Page,
  { read, signal, written }: { read: (input: Input) => Promise<Page>; signal: AbortSignal; written: { rows: number } },
): Promise<void> {
  const missing = new Map<string, Missing>()
  let readMs = 0
  let isSlow = false
  const readNext = async (input: Input) => {
    const begun = performance.now()
    const page = await read(input)
    readMs = performance.now() - begun
    return page
  }
  await write(out, writer.head, signal)
  for (let page = first; ; ) {
    const { next } = page
    const ahead = next && !isSlow ? readNext(next) : undefined
    ahead?.catch(() => {}) // the error is thrown below, unless the file has ended
    for (const one of page.missing) missing.set(one.source, one)
    const made = await writer.page(page.rows)
    written.rows += page.rows.length
    const begun = performance.now()
    await write(out, made, signal)
    isSlow = performance.now() - begun > readMs
    if (!next) break
    page = await (ahead ?? readNext(next))
  }
  signal.throwIfAborted()
  const end = await writer.end(written.rows, [...missing.values()])
  signal.throwIfAborted()
  out.end(end)
}

/** Waits until the client has read the written bytes, so that only one page is in memory. */
async function write(out: Writable, content: string | Uint8Array, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted()
  if (content.length > 0 && !out.write(content)) await once(out, 'drain', { signal })
}

function headersOf(
  name: string,
  format: FileFormat,
  { type }: Writer,
  missing: readonly Missing[],
): Record<string, string> {
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="${name}.${format}"`,
    'cache-control': 'private, no-store',
    vary: 'accept, accept-encoding',
    ...(missing.length > 0 && { 'x-not-loaded': missing.map(({ source }) => source).join(', ') }),
  }
}

/** The reason why a file was cut off; undefined if its client has hung up. */
function reasonOf(error: unknown, signal: AbortSignal, { isEnding }: FileParts): unknown {
  if (!signal.aborted) return error
  if (signal.reason instanceof HttpError) return signal.reason
  return isEnding() ? apiError('shutting_down') : undefined
}

const stalled = (ms: number) => apiError('client_stalled', { seconds: ms / 1000 })

/** Ends the connection without the last chunk, so that every client notices that the file is incomplete. */
function breakOff(request: FastifyRequest, raw: ServerResponse, reason: unknown, rows: number, log: Logger): void {
  if (reason !== undefined) {
    const { status, code } = failureOf(reason, request.id)
    request.brokeOff = status
    request.errorCode = code
    const fields = { reqId: request.id, code, rows }
    if (status === 500) log.error({ ...fields, err: reason }, 'the answer with a file was interrupted')
    else log.warn({ ...fields, reason: messageOf(reason) }, 'the answer with a file was interrupted')
  }
  // Node sends the headers and first bytes in the next turn of the event loop; destroying the connection now would lose
  // them.
  setImmediate(() => raw.destroy())
}
