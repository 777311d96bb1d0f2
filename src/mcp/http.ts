/** Adds `/mcp` to the HTTP server. The code of the protocol is loaded at the first request of a client. */
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { apiError } from '../declare/api-errors.ts'
import type { KeyContext } from '../declare/ports.ts'
import { originOf } from '../serve/feeds/feed.ts'
import { bodyText } from '../serve/http/body.ts'
import { hostCheck } from '../serve/http/hosts.ts'
import type { KeyedRequests } from '../serve/http/keyed-requests.ts'
import { innerApi } from './inner.ts'
import type { Agent } from './server.ts'

/**
 * Paths at which a client without a key looks for OAuth. Claude Code 2.1 shows its user the answer of `/register`, so
 * this answer says which key to send instead of using OAuth.
 */
const OAUTH_PATHS = [
  '/register',
  ...['oauth-protected-resource', 'oauth-authorization-server', 'openid-configuration'].flatMap((name) => [
    `/.well-known/${name}`,
    `/.well-known/${name}/mcp`,
  ]),
]

/** Maximum size of a message in bytes. The arguments of a tool have less than 32 KB. */
const BODY_BYTES_MAX = 65_536

/**
 * @param version version of the service, which clients see
 * @returns what `createServer` takes as `mcp`
 */
export function mcp(version: string) {
  return (fastify: FastifyInstance, requests: KeyedRequests, hosts: readonly string[]): void => {
    const checkOrigin = originCheck(hosts)
    const load = loader(version, requests)
    fastify.route({
      method: 'POST',
      url: '/mcp',
      config: { label: 'mcp' },
      // The body is read only after these checks. Fastify would read it through its own parsers, which takes a tenth of
      // the processor time of a call.
      async onRequest(request, reply) {
        checkOrigin(request)
        const key = await requests.keyOf(request.raw)
        request.keyId = key.keyId
        await requests.countMessage(key)
        await answer(request, reply, { key, load, requests })
      },
      handler() {},
    })
    fastify.route({
      method: ['GET', 'DELETE'],
      url: '/mcp',
      config: { label: 'mcp' },
      onRequest: ({ method }, _reply, next) => next(apiError('method_not_allowed', { method }, { allow: 'POST' })),
      handler() {},
    })
    for (const url of OAUTH_PATHS)
      fastify.route({
        method: ['GET', 'POST'],
        url,
        config: { label: 'mcp' },
        // Runs before a body is read.
        onRequest: (_request, _reply, next) => next(apiError('no_oauth')),
        handler() {},
      })
  }
}

type Load = () => Promise<{ agent: Agent; exchanged: typeof import('./exchange.ts')['exchanged'] }>

/** Loads the protocol and makes the tools once, when they are first needed. */
function loader(version: string, requests: KeyedRequests): Load {
  let loaded: ReturnType<Load> | undefined
  return () => {
    loaded ??= Promise.all([import('./exchange.ts'), import('./server.ts')]).then(([{ exchanged }, { agentOf }]) => ({
      agent: agentOf(requests.catalog, { version, onFault: (error) => requests.failureOf(error, 'mcp') }),
      exchanged,
    }))
    return loaded
  }
}

interface Answering {
  key: KeyContext
  load: Load
  requests: KeyedRequests
}

async function answer(request: FastifyRequest, reply: FastifyReply, { key, load, requests }: Answering): Promise<void> {
  const body = await messageOf(request.raw)
  const { agent, exchanged } = await load()
  const { protocol, host, headers, id } = request
  // Citations have the host by which the client sent its request; if the Host header is not a host name, there are no
  // citations.
  const origin = originOf({ protocol, host })
  const over = new AbortController()
  // If the answer was sent, there is nothing to abort. An abort would also make an error, which takes 15 µs.
  reply.raw.on('close', () => reply.raw.writableFinished || over.abort())
  const api = innerApi(requests, { key, origin, requestId: id })
  const made = await exchanged(agent, api, { url: 'http://localhost/mcp', headers, body, signal: over.signal })
  // The body was read, so the next request may come over this connection.
  reply.removeHeader('connection')
  reply.header('cache-control', 'no-store').header('content-length', Buffer.byteLength(made.body))
  for (const [name, value] of made.headers) reply.header(name, value)
  // The answer is written by Node, which sends a text together with the headers. Fastify would first look for a
  // serializer.
  reply.hijack()
  reply.raw.writeHead(made.status, reply.getHeaders() as OutgoingHttpHeaders)
  reply.raw.end(made.body)
}

/** Reads a message. @throws HttpError 413 if it is too long */
async function messageOf(request: IncomingMessage): Promise<string> {
  const text = await bodyText(request, BODY_BYTES_MAX)
  if (text === null) throw apiError('body_too_large', { max: BODY_BYTES_MAX })
  return text
}

/**
 * Refuses web pages of other sites: a browser sends the header Origin with every POST, and other programs do not send
 * this header. Accepts pages of the requested host, and pages of all hosts under which this service may be requested.
 */
function originCheck(hosts: readonly string[]) {
  const isUnknown = hostCheck(hosts)
  return ({ headers: { origin, host } }: FastifyRequest): void => {
    if (origin === undefined) return
    const from = URL.canParse(origin) ? new URL(origin).host : ''
    if (from === '' || (from !== host && isUnknown(from))) throw apiError('foreign_origin')
  }
}
