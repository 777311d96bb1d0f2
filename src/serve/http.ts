/** The HTTP server: every route of the catalog below `/v1`, and the pages that need no key. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Catalog } from '../declare/catalog.ts'
import { badRequest, HttpError, notFound } from '../declare/errors.ts'
import type { AdmittingSubmissions } from '../declare/ports.ts'
import type { Cost, Route } from '../declare/route.ts'
import type { Sql } from '../store/db.ts'
import type { Described } from './described.ts'
import { answerCache } from './http/cache.ts'
import { connections } from './http/connections.ts'
import { FETCHES_MAX, shares } from './http/costs.ts'
import { sendFailure } from './http/failure.ts'
import { strangerCheck } from './http/hosts.ts'
import { tooLong } from './http/input.ts'
import { type Metrics, metrics as makeMetrics } from './http/metrics.ts'
import { noSchemas } from './http/no-schemas.ts'
import { addDocument, addHealth, addStart, type Pages, sendMissing } from './http/pages.ts'
import { Places } from './http/places.ts'
import { portProblem } from './http/port.ts'
import { hasBody, notAllowed, refuseBytes, unfit } from './http/refusal.ts'
import { handlerOf, type Parts, type SharedRun } from './http/request.ts'
import { type RequestLog, requestLog } from './http/request-log.ts'
import { CLIENT_GONE } from './http/run.ts'
import { isPlainId } from './http/secrets.ts'
import { underWay } from './http/under-way.ts'
import { type Changes, followDataVersions, lookedAgain } from './http/version.ts'
import { visitorOf } from './http/visitor.ts'
import { keyring } from './keyring.ts'
import { type Limiter, limiter as makeLimiter } from './limits.ts'
import type { Readers } from './readers.ts'
import { sharedReadings } from './stream/pages.ts'
import type { StreamParts } from './stream/send.ts'

export interface ServerOptions {
  catalog: Catalog
  /** A pool of the primary, for keys and the data versions: neither may wait after requests. It is not closed here. */
  sql: Sql
  /** A pool for what `/metrics` asks of the data, which can take a moment; `sql` unless another is given. */
  metricsSql?: Sql
  /** The folder whose disk `/metrics` shows, if any. */
  dataDir?: string
  /** The connections that answers are read with. They are not closed here. */
  readers: Readers
  /** The longest that a statement of a request may take. Dear classes get all of it, cheap ones a part. */
  statementTimeoutMs?: number
  /** How long a request may wait for a connection. */
  placeWaitMs?: number
  /** How long a request waits for a filing that is not in the archive. */
  fetchWaitMs?: number
  /** How long a request may take to arrive. */
  requestTimeoutMs?: number
  submissions: AdmittingSubmissions
  now: () => Date
  log: Logger
  /** Paths of routes that answer self-serve keys with 403; `*` stands for any characters. */
  selfServeClosed: readonly string[]
  /** Null once data can be queried, else the reason why it cannot. */
  isReady(): Promise<string | null>
  /** Why these slices cannot be asked at the moment, by their slugs: their routes answer 503 with it. */
  whyNotAsked?: (slugs: readonly string[]) => string | null
  /** Served as `/v1/openapi.json`. */
  openapi: Described
  /** Pages for people, if there are any. */
  pages?: Pages
  /** How many bytes kept answers may take. */
  cacheBytes?: number
  /** Host names, in addition to localhost and addresses, by which pages without a key may be requested. */
  allowedHosts?: readonly string[]
  /** Whether to believe `X-Forwarded-For`: true, or the addresses of the proxies that may send it. */
  trustProxy?: boolean | string
  /** Counts requests; in this process unless another limiter is given. */
  limiter?: Limiter
  /** How long the next page of a file may be without a place before the file breaks off. */
  filePlaceWaitMs?: number
  /** How long a client that is sent a file may take nothing. */
  fileStallMs?: number
  /** How long a client that follows a stream may take nothing of what it was sent. */
  streamStallMs?: number
  /** How often a stream says that it is still there, and looks at its key again. */
  heartbeatMs?: number
  /** How long a client may take nothing of any other answer. */
  answerStallMs?: number
  /** Most connections at a time. */
  connectionsMax?: number
  /** The addresses of a name to listen on; those of the system unless given. */
  addressesOf?: (host: string) => Promise<string[]>
  /** How long `close` lets running requests finish. */
  closeWaitMs?: number
}

export interface Server {
  fastify: FastifyInstance
  /** News of changes of the data, for who acts on them. */
  changes: Changes
  metrics: Metrics
  /**
   * Starts to accept connections.
   *
   * @returns the base address, `http://host:port`
   * @throws UserError when the port cannot be had
   */
  listen(at: { host: string; port: number }): Promise<string>
  /** Accepts no more connections, lets running requests finish and closes idle connections. Resolves when all are closed. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For a route of the catalog … */
    declared?: Route
    /** … or for a page: what the metrics call it. */
    label?: string
  }
}

/** The address may have 16 KB of query (414 above), and headers may have as much again, which is Node's own limit. */
const HEAD_BYTES_MAX = 32_768
/** Path parameters: identifiers of private securities carry a name in base64url. */
const PARAMETER_LENGTH_MAX = 1024

/** An idle connection takes 12 KB, one that a stream follows 7 KB more. */
const CONNECTIONS_MAX = 10_000

/** How often streams that read a replica look whether it has caught up. */
const REPLICA_LOOK_MS = 5_000

export async function createServer(options: ServerOptions): Promise<Server> {
  const { catalog, sql, readers, now, log, closeWaitMs = 10_000, requestTimeoutMs = 30_000 } = options
  const data = await followDataVersions(sql, log)
  const requests = requestLog(log)
  const metrics = makeMetrics({
    dataVersion: data.total,
    cacheBytes: () => cache.bytes,
    poolMax: readers.max,
    filesUnderWay: () => files.count,
    streamsUnderWay: () => streams.count,
    data: { sql: options.metricsSql ?? sql, now: () => now().getTime(), dataDir: options.dataDir ?? null },
  })
  const cache = answerCache<SharedRun>({
    bytesMax: options.cacheBytes ?? 64 * 1024 * 1024,
    onOutcome: metrics.cache,
  })
  // One file to go on with while another is being read slowly; what each holds in memory is bounded by that too.
  const files = underWay('files', { max: 2 })
  // A stream takes 7 KB (bench/streams.ts) and at most a page that its client has not taken, 50 KB: 230 MB for all.
  const streams = underWay('streams', { max: 50, maxOfAll: 4_000 })
  const closed = new AbortController()
  let ending = false
  const parts: Parts = {
    ...options,
    whyNotAsked: options.whyNotAsked ?? (() => null),
    files,
    filePlaceWaitMs: options.filePlaceWaitMs ?? 120_000,
    fileStallMs: options.fileStallMs ?? 300_000,
    isEnding: () => ending,
    ...streamParts(options, data),
    streams,
    closing: closed.signal,
    ...placesOf(options, metrics),
    cache,
    dataVersion: data.of,
    metrics,
    keys: keyring(sql, { now }),
    limiter: options.limiter ?? makeLimiter(),
  }

  const fail = (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => {
    const declared = request.routeOptions.config?.declared
    if (!declared && isMissing(thrown) && sendMissing(options.pages, request, reply)) return
    sendFailure(request, reply, thrown, { log, plain: declared?.output === null })
  }
  const lines = connections({
    requestTimeout: requestTimeoutMs,
    // Longer than the idle time-out of usual load balancers (60 s), so that they close connections and not we.
    keepAliveTimeout: 72_000,
    maxHeaderSize: HEAD_BYTES_MAX,
    requireHostHeader: false, // `unfit` looks at it
    // Timeouts are checked once per interval, so they may fire up to one interval late.
    connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
    stallMs: options.answerStallMs ?? 60_000,
    connectionsMax: options.connectionsMax ?? CONNECTIONS_MAX,
    addressesOf: options.addressesOf,
    onServer: (server) =>
      refuseBytes(server, ({ requestId: reqId, status, ip }) => {
        metrics.request('unmatched', status, 'none', 0)
        log.info({ reqId, status, ip }, 'refused before it was a request')
      }),
    onTooMany: metrics.tooManyConnections,
  })
  const fastify = Fastify({
    // We write the log ourselves: Fastify would make a child logger for every request.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    trustProxy: options.trustProxy ?? false,
    serverFactory: (handler) => lines.open(handler),
    // A request that reaches a connection before it is closed is still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: () => {}, // http/refusal.ts
    frameworkErrors: (error, request, reply) => {
      opened(request, reply)
      fail(request, reply, unfit(request.raw) ?? unroutable(error))
    },
    schemaController: noSchemas,
    routerOptions: {
      maxParamLength: PARAMETER_LENGTH_MAX,
      querystringParser: () => ({}), // http/input.ts reads the query itself, strictly
    },
  })
  fastify.decorateRequest('keyId', undefined)
  fastify.decorateRequest('declared', undefined)
  fastify.decorateRequest('brokeOff', undefined)
  fastify.decorateRequest('isStream', undefined)
  fastify.setErrorHandler((error, request, reply) => fail(request, reply, error))

  let closing = false
  const opened = (request: FastifyRequest, reply: FastifyReply) => {
    begin(request, reply)
    const begun = performance.now()
    reply.raw.on('close', () => {
      record(request, reply, performance.now() - begun, { requests, metrics })
      // Node keeps a connection open after its last response, even while the server is closing.
      if (closing) setImmediate(lines.closeIdle)
    })
  }
  const known: RegExp[] = []
  fastify.addHook('onRoute', ({ url }) => {
    known.push(new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`))
  })
  const stranger = strangerCheck(options.allowedHosts ?? [], parts.keys)
  // Refused before a body is read: nothing here takes one.
  fastify.addHook('onRequest', (request, reply, done) => {
    opened(request, reply)
    const refusal = unfit(request.raw) ?? (request.is404 ? notServed(request, known) : tooLong(request.url))
    if (refusal || request.is404 || request.routeOptions.config.declared) return done(refusal)
    stranger(request.raw, done)
  })

  addHealth(fastify, { sql, readers, log, metrics, isReady: options.isReady })
  addDocument(fastify, options.openapi)
  addStart(fastify, options.openapi.version)
  options.pages?.mount(fastify, visitorOf(parts, data.total))
  for (const route of catalog.routes) {
    const url = `/v1${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    fastify.route({ method: ['GET', 'HEAD'], url, config: { declared: route }, handler: handlerOf(route, parts) })
  }
  await fastify.ready()

  return {
    fastify,
    changes: data,
    metrics,
    async listen({ host, port }) {
      try {
        const address = await fastify.listen({ host, port })
        await lines.openOthers(host)
        return address
      } catch (cause) {
        throw portProblem(cause as NodeJS.ErrnoException, host, port)
      }
    },
    async close() {
      closing = true
      data.close()
      closed.abort()
      const timer = setTimeout(() => {
        ending = true
        lines.closeAll()
      }, closeWaitMs)
      await Promise.all([fastify.close(), lines.close()])
      clearTimeout(timer)
      requests.close()
    },
  }
}

/** Options of streams. A replica shows a change later than the primary announces it, so there they look again. */
function streamParts(
  { readers, heartbeatMs = 15_000, streamStallMs = 60_000 }: ServerOptions,
  data: Changes,
): Pick<StreamParts, 'changes' | 'shared' | 'heartbeatMs' | 'streamStallMs'> {
  const changes = readers.snapshot ? lookedAgain(data, REPLICA_LOOK_MS) : data
  return { changes, shared: sharedReadings(data.count), heartbeatMs, streamStallMs }
}

/** Slots for the database, and for requests to EDGAR. */
function placesOf(options: ServerOptions, metrics: Metrics): Pick<Parts, 'places' | 'fetches'> {
  // Longer than EDGAR takes for a slow answer with retries, shorter than a client or a proxy waits.
  const { readers, statementTimeoutMs = 15_000, fetchWaitMs = 25_000, placeWaitMs: waitMs } = options
  const queue = { onRefusal: metrics.noPlace, ...(waitMs === undefined ? {} : { waitMs }) }
  const classes = shares(statementTimeoutMs)
  const own = new Places<Cost>({ classes, max: readers.max, ...queue })
  const fetches = new Places<'fetch'>({
    classes: { fetch: { places: 1, timeMs: fetchWaitMs } },
    max: FETCHES_MAX,
    ...queue,
  })
  metrics.watch(own, Object.keys(classes) as Cost[])
  metrics.watch(fetches, ['fetch'])
  return { places: own, fetches }
}

/** The client's own id if it can be logged and sent back, else a new one. */
function requestId({ headers }: IncomingMessage): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && isPlainId(own) ? own : randomUUID()
}

/** Headers of every response. None are for CORS: keys belong on servers, and a web page must not be tempted to hold one. */
function begin(request: FastifyRequest, reply: FastifyReply): void {
  // Node remembers it from now on: of a client that hung up it could not be asked any more.
  void request.raw.socket.remoteAddress
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  if (hasBody(request.raw)) reply.header('connection', 'close')
}

/** Answers what the router cannot match at all. */
function unroutable({ code }: { code?: string }): HttpError {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? new HttpError(414, `a part of the path is longer than ${PARAMETER_LENGTH_MAX} characters`)
    : badRequest('the path is not valid percent-encoded UTF-8')
}

const isMissing = (thrown: unknown) => thrown instanceof HttpError && thrown.status === 404

/** 405 where only the method is wrong, else 404. */
function notServed(request: FastifyRequest, known: readonly RegExp[]): HttpError {
  const path = request.url.split('?', 1)[0]!
  // The asterisk means the server itself. OPTIONS of it is refused like any other method.
  if (path !== '*' && !known.some((pattern) => pattern.test(path)))
    return notFound('there is no such endpoint; /docs lists them')
  return notAllowed(request.method)
}

function record(
  request: FastifyRequest,
  reply: FastifyReply,
  ms: number,
  { requests, metrics }: { requests: RequestLog; metrics: Metrics },
): void {
  // Fastify makes `routeOptions` again at each reading: 1 µs of the 27 that an answer from memory takes.
  const config = request.declared ? undefined : request.routeOptions.config
  const declared = request.declared ?? config?.declared
  const route = declared?.name ?? config?.label ?? 'unmatched'
  const status = reply.raw.writableFinished ? reply.statusCode : (request.brokeOff ?? CLIENT_GONE)
  metrics.request(route, status, declared?.bucket ?? 'none', request.isStream ? null : ms / 1000)
  requests.add(request, { route, status, ms })
}
