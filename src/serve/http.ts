/** The HTTP server: every route of the catalog below `/v1`, and the pages that need no key. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { HttpError } from '../declare/api-errors.ts'
import { addSavedFeeds } from './feeds/saved.ts'
import { type Connections, connections } from './http/connections.ts'
import { sendFailure } from './http/failure.ts'
import { framework } from './http/framework.ts'
import { strangerCheck } from './http/hosts.ts'
import { KeyedRequests } from './http/keyed-requests.ts'
import type { Metrics } from './http/metrics.ts'
import type { ServerOptions } from './http/options.ts'
import { PageRequests } from './http/page-requests.ts'
import { addDocument, addHealth, addStart, type Pages, sendMissing } from './http/pages.ts'
import { partsOf } from './http/parts.ts'
import { portProblem } from './http/port.ts'
import { hasBody, refuseBytes } from './http/refusal.ts'
import { handlerOf, type Parts } from './http/request.ts'
import { type RequestLog, requestLog } from './http/request-log.ts'
import { CLIENT_GONE } from './http/run.ts'
import { type Changes, type DataVersions, followDataVersions } from './http/version.ts'
import { visitorOf } from './http/visitor.ts'

export type { ServerOptions } from './http/options.ts'

/** How far the closing of a server has progressed. */
export type Stage = 'open' | 'closing' | 'ending'

export interface Server {
  readonly fastify: FastifyInstance
  readonly stage: Stage
  /** Announces changes of the data to code that acts on them. */
  readonly changes: Changes
  readonly metrics: Metrics
  /** Answers requests within this process for keys with the scope `mcp`. */
  readonly agentRequests: KeyedRequests
  /**
   * Starts to accept connections.
   *
   * @returns the base address, `http://host:port`
   * @throws UserError if the port is not available
   */
  listen(at: { host: string; port: number }): Promise<string>
  /**
   * Accepts no more connections, lets running requests finish and closes idle connections. Resolves when all
   * connections are closed.
   */
  close(): Promise<void>
}

/**
 * Maximum size of the request line and the headers together. The address may have 16 KB of query (a longer query gets
 * 414), and the headers may have another 16 KB, which is Node's own limit.
 */
const HEAD_BYTES_MAX = 32_768
/** An idle connection takes 12 KB of memory, and a connection with a stream takes 7 KB more. */
const CONNECTIONS_MAX = 10_000

/** A header of every answer if the data is the bundled sample, part of which is invented. */
const SAMPLE_HEADERS = { 'openfilings-sample': 'true' }

/** Makes a server; it accepts connections once `listen` is called. */
export async function createServer(options: ServerOptions): Promise<Server> {
  const server = new HttpServer(options, await followDataVersions(options.sql, options.log))
  await server.fastify.ready()
  return server
}

/**
 * A server. Its stage is at first `open`. In the stage `closing`, connections are closed as they become idle. In the
 * stage `ending`, the server no longer waits for running answers. Only `close` changes the stage. All requests share
 * `#parts` and `metrics`.
 */
class HttpServer implements Server {
  readonly fastify: FastifyInstance
  readonly changes: DataVersions
  readonly metrics: Metrics
  readonly agentRequests: KeyedRequests
  readonly #log: Logger
  readonly #pages: Pages | undefined
  readonly #requests: RequestLog
  readonly #lines: Connections
  readonly #parts: Parts
  readonly #closed = new AbortController()
  readonly #closeWaitMs: number
  #stage: Stage = 'open'

  constructor(options: ServerOptions, changes: DataVersions) {
    const { log, pages, closeWaitMs = 10_000, trustProxy = false, allowedHosts = [] } = options
    this.changes = changes
    this.#log = log
    this.#pages = pages
    this.#requests = requestLog(log)
    this.#closeWaitMs = closeWaitMs
    const stop = { closing: this.#closed.signal, isEnding: () => this.#stage === 'ending' }
    const parts = partsOf(options, changes, stop)
    this.#parts = parts
    this.metrics = parts.metrics
    this.agentRequests = new KeyedRequests(parts, 'mcp', () => changes.isSample())
    this.#lines = this.#linesOf(options)
    this.fastify = framework({
      trustProxy,
      open: (handler) => this.#lines.open(handler),
      onRequest: (request, reply) => this.#begin(request, reply),
      fail: (request, reply, thrown) => this.#fail(request, reply, thrown),
      stranger: strangerCheck(allowedHosts, parts.keys),
    })
    this.#addRoutes(options)
  }

  get stage(): Stage {
    return this.#stage
  }

  async listen({ host, port }: { host: string; port: number }): Promise<string> {
    try {
      const address = await this.fastify.listen({ host, port })
      await this.#lines.openOthers(host)
      return address
    } catch (cause) {
      throw portProblem(cause as NodeJS.ErrnoException, host, port)
    }
  }

  async close(): Promise<void> {
    this.#stage = 'closing'
    this.changes.close()
    this.#closed.abort()
    const timer = setTimeout(() => {
      this.#stage = 'ending'
      this.#lines.closeAll()
    }, this.#closeWaitMs)
    await Promise.all([this.fastify.close(), this.#lines.close()])
    clearTimeout(timer)
    this.#requests.close()
  }

  #linesOf({ requestTimeoutMs = 30_000, answerStallMs, connectionsMax, addressesOf }: ServerOptions): Connections {
    return connections({
      requestTimeout: requestTimeoutMs,
      // This time is longer than the idle time-out of usual load balancers (60 s), so that the load balancers close
      // idle connections, not this server.
      keepAliveTimeout: 72_000,
      maxHeaderSize: HEAD_BYTES_MAX,
      requireHostHeader: false, // `unfit` checks this header
      // Timeouts are checked once per interval, so they may fire up to one interval late.
      connectionsCheckingInterval: Math.min(5_000, requestTimeoutMs),
      stallMs: answerStallMs ?? 60_000,
      connectionsMax: connectionsMax ?? CONNECTIONS_MAX,
      addressesOf,
      onServer: (server) =>
        refuseBytes(server, {
          headers: () => (this.changes.isSample() ? SAMPLE_HEADERS : {}),
          onRefused: ({ requestId: reqId, error: { status, code }, ip }) => {
            this.metrics.request('unmatched', status, 'none', 0)
            this.metrics.error(code)
            this.#log.info({ reqId, status, code, ip }, 'refused bytes that are not a request')
          },
        }),
      onTooMany: this.metrics.tooManyConnections,
    })
  }

  #addRoutes(options: ServerOptions): void {
    const { sql, readers, log, isReady, openapi, pages, publicPages = false, catalog, mcp, allowedHosts = [] } = options
    const { fastify, metrics } = this
    addHealth(fastify, { sql, readers, log, metrics, isReady, limiter: this.#parts.limiter })
    const visitor = visitorOf(this.#parts, this.changes)
    addDocument(fastify, openapi, visitor)
    addStart(fastify, openapi.version)
    addSavedFeeds(fastify, { sql, catalog, limiter: this.#parts.limiter })
    pages?.mount(fastify, visitor, new PageRequests(this.#parts, publicPages))
    mcp?.(fastify, this.agentRequests, allowedHosts)
    for (const route of catalog.routes) {
      const url = `/v1${route.path.replace(/\{(\w+)\}/g, ':$1')}`
      fastify.route({
        ...{ method: ['GET', 'HEAD'], url, config: { declared: route } },
        handler: handlerOf(route, this.#parts),
      })
    }
  }

  /** Begins every answer, and records it when it has ended. */
  #begin(request: FastifyRequest, reply: FastifyReply): void {
    addHeaders(request, reply)
    if (this.changes.isSample()) reply.headers(SAMPLE_HEADERS)
    const begun = performance.now()
    reply.raw.on('close', () => {
      this.#record(request, reply, performance.now() - begun)
      // Node keeps a connection open after its last response, even while the server is closing.
      if (this.#stage !== 'open') setImmediate(this.#lines.closeIdle)
    })
  }

  #record(request: FastifyRequest, reply: FastifyReply, ms: number): void {
    // Fastify builds `routeOptions` at each access, which takes 1 of the 27 µs of an answer from memory. So it is
    // accessed only if the request has no declared route.
    const config = request.declared ? undefined : request.routeOptions.config
    const declared = request.declared ?? config?.declared
    const route = declared?.name ?? config?.label ?? 'unmatched'
    const status = reply.raw.writableFinished ? reply.statusCode : (request.brokeOff ?? CLIENT_GONE)
    const code = status === CLIENT_GONE ? 'client_gone' : request.errorCode
    this.metrics.request(route, status, declared?.bucket ?? 'none', request.isStream ? null : ms / 1000)
    if (code !== undefined) this.metrics.error(code)
    this.#requests.add(request, { route, status, code, ms })
  }

  #fail(request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const declared = request.routeOptions.config?.declared
    if (!declared && isMissing(thrown) && sendMissing(this.#pages, request, reply)) {
      request.errorCode = thrown.code
      return
    }
    sendFailure(request, reply, thrown, { log: this.#log, plain: declared?.output === null })
  }
}

/**
 * Headers of every response. There are no CORS headers: keys belong on servers, and no web page should contain one.
 */
function addHeaders(request: FastifyRequest, reply: FastifyReply): void {
  // Reads the client's address now, so that Node caches it. Without this, the address would be unknown once the client
  // has closed the connection.
  void request.raw.socket.remoteAddress
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  if (hasBody(request.raw)) reply.header('connection', 'close')
}

const isMissing = (thrown: unknown): thrown is HttpError => thrown instanceof HttpError && thrown.status === 404
