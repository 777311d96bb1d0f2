/** The HTTP server: every route of the catalog below `/v1`, and the pages that need no key. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import type { Catalog } from './catalog.ts'
import type { Sql } from './db.ts'
import type { Submissions } from './edgar/archive.ts'
import { badRequest, HttpError, notFound, UserError } from './errors.ts'
import { answerCache } from './http/cache.ts'
import { refuseBytes, sendFailure } from './http/failure.ts'
import { tooLong } from './http/input.ts'
import { loggable } from './http/log.ts'
import { metrics as makeMetrics } from './http/metrics.ts'
import { addHealth, addReference } from './http/pages.ts'
import { handlerOf, type Parts } from './http/request.ts'
import { followDataVersion } from './http/version.ts'
import { keyring } from './keys.ts'
import { type Limiter, limiter as makeLimiter } from './limits.ts'
import type { Route } from './route.ts'

export interface ServerOptions {
  catalog: Catalog
  /** The read pool. It is not closed here. */
  sql: Sql
  /** What `/metrics` asks of the data with, which can take a moment; the read pool unless another is given. */
  metricsSql?: Sql
  submissions: Submissions
  now: () => Date
  log: Logger
  /** Paths of routes, `*` for any characters, that answer self-serve keys with 403. */
  selfServeClosed: readonly string[]
  /** Null once data can be queried, else why not. */
  isReady(): Promise<string | null>
  /** Served as `/v1/openapi.json`. */
  openapi: object
  /** Memory for answers, in bytes. */
  cacheBytes?: number
  /** Believe `X-Forwarded-For`: true, or the addresses of the proxies that may send it. */
  trustProxy?: boolean | string
  /** Counts requests; in this process unless another is given. */
  limiter?: Limiter
  /** How long `close` lets running requests finish. */
  closeWaitMs?: number
}

export interface Server {
  fastify: FastifyInstance
  /**
   * Starts to accept connections.
   *
   * @returns the base address, `http://host:port`
   * @throws UserError when the port cannot be had
   */
  listen(at: { host: string; port: number }): Promise<string>
  /** Accepts no more connections, lets running requests finish, closes idle ones; resolves when all are closed. */
  close(): Promise<void>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route of the catalog … */
    declared?: Route
    /** … or what a page is called in the metrics. */
    label?: string
  }
}

const METHODS_ALLOWED = 'GET, HEAD'
/** The address may take 16 KB for its query (414 above) and as much is left for headers, which is Node's own limit. */
const HEAD_BYTES_MAX = 32_768

export async function createServer(options: ServerOptions): Promise<Server> {
  const { catalog, sql, now, log, closeWaitMs = 10_000 } = options
  const data = await followDataVersion(sql, log)
  const metrics = makeMetrics({
    dataVersion: data.current,
    cacheBytes: () => cache.bytes,
    poolMax: sql.options.max,
    data: { sql: options.metricsSql ?? sql, now: () => now().getTime() },
  })
  const cache = answerCache({
    bytesMax: options.cacheBytes ?? 64 * 1024 * 1024,
    version: data.current,
    onOutcome: metrics.cache,
  })
  const parts: Parts = {
    ...options,
    cache,
    metrics,
    keys: keyring(sql, { now }),
    limiter: options.limiter ?? makeLimiter(),
  }

  const fail = (request: FastifyRequest, reply: FastifyReply, thrown: unknown) =>
    sendFailure(request, reply, thrown, { log, plain: request.routeOptions.config?.declared?.output === null })
  const fastify = Fastify({
    // The log is written below: Fastify would make a child logger for every request.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    trustProxy: options.trustProxy ?? false,
    requestTimeout: 30_000,
    // Longer than the idle time-out of usual load balancers (60 s), so that it is they who close a connection.
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: HEAD_BYTES_MAX },
    // Requests that reach a connection before it is closed are still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: refuseBytes,
    frameworkErrors: (_error, request, reply) => {
      begin(request, reply)
      fail(request, reply, badRequest('the path is not valid percent-encoded UTF-8'))
    },
    routerOptions: {
      // Identifiers of private securities carry a name in base64url.
      maxParamLength: 1024,
      querystringParser: () => ({}), // http/input.ts reads the query itself, strictly
    },
  })
  fastify.decorateRequest('keyId', undefined)
  fastify.setErrorHandler((error, request, reply) => fail(request, reply, error))

  const known: RegExp[] = []
  fastify.addHook('onRoute', ({ url }) => {
    known.push(new RegExp(`^${url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`))
  })
  // Before a body is read: nothing here takes one.
  fastify.addHook('onRequest', (request, reply, done) => {
    begin(request, reply)
    done(request.is404 ? notServed(request, known) : tooLong(request.url))
  })
  let closing = false
  fastify.addHook('onResponse', (request, reply, done) => {
    record(request, reply, { log, metrics })
    // Node keeps a connection open after its last response although the server is closing.
    if (closing) setImmediate(() => fastify.server.closeIdleConnections())
    done()
  })

  addHealth(fastify, { sql, log, metrics, isReady: options.isReady })
  addReference(fastify, options.openapi)
  for (const route of catalog.routes) {
    const url = `/v1${route.path.replace(/\{(\w+)\}/g, ':$1')}`
    fastify.route({ method: ['GET', 'HEAD'], url, config: { declared: route }, handler: handlerOf(route, parts) })
  }
  await fastify.ready()

  return {
    fastify,
    async listen({ host, port }) {
      try {
        return await fastify.listen({ host, port })
      } catch (cause) {
        throw portProblem(cause as NodeJS.ErrnoException, host, port)
      }
    },
    async close() {
      closing = true
      data.close()
      const timer = setTimeout(() => fastify.server.closeAllConnections(), closeWaitMs)
      await fastify.close()
      clearTimeout(timer)
    },
  }
}

/** The client's own id if it is short and plain, so that it can be logged and sent back; else a new one. */
function requestId({ headers }: IncomingMessage): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && /^[\w.-]{1,64}$/.test(own) ? own : randomUUID()
}

/** Headers of every response. There are none of CORS: keys are for servers, and a web page must not be tempted to hold one. */
function begin(request: FastifyRequest, reply: FastifyReply): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
}

/** 405 where only the method is wrong, else 404. */
function notServed(request: FastifyRequest, known: readonly RegExp[]): HttpError {
  const path = request.url.split('?', 1)[0]!
  if (!known.some((pattern) => pattern.test(path))) return notFound('there is no such endpoint; /docs lists them')
  return new HttpError(405, `${request.method} is not allowed: this API is read-only`, { allow: METHODS_ALLOWED })
}

function record(request: FastifyRequest, reply: FastifyReply, { log, metrics }: Pick<Parts, 'log' | 'metrics'>): void {
  const { declared, label } = request.routeOptions.config ?? {}
  const route = declared?.name ?? label ?? 'unmatched'
  metrics.request(route, reply.statusCode, declared?.bucket ?? 'none', reply.elapsedTime / 1000)
  log.info(
    {
      reqId: request.id,
      method: request.method,
      url: loggable(request.url),
      route,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime * 10) / 10,
      keyId: request.keyId,
      ip: request.ip,
    },
    'request',
  )
}

function portProblem(cause: NodeJS.ErrnoException, host: string, port: number): Error {
  const hint = 'choose another with the setting PORT'
  if (cause.code === 'EADDRINUSE') return new UserError(`port ${port} on ${host} is already in use; ${hint}`)
  if (cause.code === 'EACCES') return new UserError(`port ${port} may not be opened by this user; ${hint}`)
  return new UserError(`the server cannot listen on ${host} port ${port}`, { cause })
}
