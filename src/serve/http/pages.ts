/** Adds the addresses that need no key: health, metrics, the OpenAPI document, and pages for people. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiError } from '../../declare/api-errors.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Sql } from '../../store/db.ts'
import { type Described, perDocument } from '../described.ts'
import { names } from '../files/accept.ts'
import type { Limiter } from '../limits.ts'
import type { Readers } from '../readers.ts'
import { within } from '../within.ts'
import { Answer, send } from './answer.ts'
import { isDiskFull } from './failure.ts'
import type { Metrics } from './metrics.ts'
import type { PageRequests } from './page-requests.ts'
import type { Visitor } from './visitor.ts'

export const METHODS = ['GET', 'HEAD']
const READY_TIMEOUT_MS = 2000
/**
 * Cache header: the content changes with the version of the service, so a copy must be revalidated before it is shown.
 */
export const REVALIDATED = 'public, no-cache'

/** Adds `/healthz`, `/readyz` and `/metrics`. */
export function addHealth(
  fastify: FastifyInstance,
  parts: {
    sql: Sql
    readers: Readers
    log: Logger
    isReady: () => Promise<string | null>
    metrics: Metrics
    limiter: Limiter
  },
): void {
  const page = { method: METHODS, config: { label: 'health' } }
  fastify.route({
    ...page,
    url: '/healthz',
    handler: (_request, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }),
  })
  fastify.route({
    ...page,
    url: '/readyz',
    async handler(_request, reply) {
      // A probe must not hang when the database does.
      const reason = await within(
        READY_TIMEOUT_MS,
        whyNotReady(parts),
        () => `no answer from the database within ${READY_TIMEOUT_MS} ms`,
      )
      if (reason !== null) throw apiError('not_ready', { reason })
      const limits = parts.limiter.whyLocal?.() ?? null
      // A server that counts requests alone can still answer, so a load balancer must keep it.
      return reply.header('cache-control', 'no-store').send({ status: 'ready', ...(limits !== null && { limits }) })
    },
  })
  fastify.route({
    ...page,
    url: '/metrics',
    handler: async (_request, reply) => reply.type(parts.metrics.type).send(await parts.metrics.text()),
  })
}

async function whyNotReady({ sql, readers, log, isReady }: Parameters<typeof addHealth>[1]): Promise<string | null> {
  try {
    await Promise.all([sql`select 1`, readers.check()])
    return await isReady()
  } catch (error) {
    // The error names the database's address, which must not be shown to clients without a key.
    log.warn({ reason: messageOf(error) }, 'not ready')
    return isDiskFull(error) ? 'the disk of the database is full' : 'the database does not answer'
  }
}

/** Adds `/v1/openapi.json`. */
export function addDocument(fastify: FastifyInstance, described: Described, visitor: Visitor): void {
  const document = perDocument(described, visitor, (found) => new Answer(JSON.stringify(found)))
  fastify.route({
    method: METHODS,
    url: '/v1/openapi.json',
    config: { label: 'docs' },
    handler: async (request, reply) => send(request, reply, await document(), REVALIDATED),
  })
}

/** Adds `/v1`, which describes the service and links to its parts. */
export function addStart(fastify: FastifyInstance, version: string): void {
  const start = new Answer(
    JSON.stringify({
      name: 'OpenFilings',
      version,
      docs: '/docs',
      openapi: '/v1/openapi.json',
      me: '/v1/me',
    }),
  )
  for (const url of ['/v1', '/v1/']) {
    fastify.route({
      method: METHODS,
      url,
      config: { label: 'start' },
      handler: (request, reply) => send(request, reply, start, REVALIDATED),
    })
  }
}

/** Pages for people. The composition root passes the pages in, since this folder does not know how they look. */
export interface Pages {
  /**
   * Adds the addresses of the pages to the server.
   *
   * @param visitor reads the data that pages show without a key
   * @param requests sends the requests of pages that need a key
   */
  mount(fastify: FastifyInstance, visitor: Visitor, requests: PageRequests): void
  /** The page for an address that does not exist. */
  missing(): { headers: Record<string, string>; body: string }
}

/**
 * Sends the page for a missing address if a browser requested it, and returns whether it was sent. It is not sent to
 * clients that do not accept HTML or that name JSON: these clients get JSON.
 */
export function sendMissing(pages: Pages | undefined, request: FastifyRequest, reply: FastifyReply): boolean {
  const { accept = '' } = request.headers
  const named = (type: string) => names(accept, type)
  if (!pages || !named('text/html') || named('application/json') || named('application/problem+json')) return false
  const { headers, body } = pages.missing()
  reply.code(404).headers({ ...headers, 'cache-control': 'no-store', vary: 'accept' })
  reply.type('text/html; charset=utf-8').send(body)
  return true
}
