/** Configures Fastify for this server: its own log, no schemas, and refusals before anything else. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, RequestListener, Server } from 'node:http'
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type onRequestHookHandler,
} from 'fastify'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { Route } from '../../declare/route.ts'
import type { strangerCheck } from './hosts.ts'
import { tooLong } from './input.ts'
import { noSchemas } from './no-schemas.ts'
import { notAllowed, unfit } from './refusal.ts'
import { isPlainId } from './secrets.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route of the catalog; absent for a page. */
    declared?: Route
    /** The name of a page in the metrics; absent for a route. */
    label?: string
  }
}

/**
 * Maximum length of a parameter of a path. It is this large because identifiers of private securities contain a name in
 * base64url.
 */
export const PARAMETER_LENGTH_MAX = 1024

export interface FrameworkParts {
  trustProxy: boolean | string
  /** Makes the Node server on which Fastify listens. */
  open: (handler: RequestListener) => Server
  /** Called once for each request, before anything else. */
  onRequest: (request: FastifyRequest, reply: FastifyReply) => void
  /** Sends the answer for a thrown error. */
  fail: (request: FastifyRequest, reply: FastifyReply, thrown: unknown) => void
  /** For a path that needs no key: checks whether this service may be requested under the host name of the request. */
  stranger: ReturnType<typeof strangerCheck>
}

export function framework({ trustProxy, open, onRequest, fail, stranger }: FrameworkParts): FastifyInstance {
  const fastify = Fastify({
    // We write the log ourselves: Fastify would make a child logger for every request.
    logger: false,
    genReqId: requestId,
    requestIdHeader: false,
    exposeHeadRoutes: false,
    trustProxy,
    serverFactory: open,
    // A request that arrives before its connection is closed is still answered.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    clientErrorHandler: () => {}, // refusal.ts answers these errors
    frameworkErrors: (error, request, reply) => {
      onRequest(request, reply)
      fail(request, reply, unfit(request.raw) ?? unroutable(error))
    },
    schemaController: noSchemas,
    routerOptions: {
      maxParamLength: PARAMETER_LENGTH_MAX,
      querystringParser: () => ({}), // input.ts reads the query itself, strictly
    },
  })
  for (const name of ['keyId', 'declared', 'brokeOff', 'errorCode', 'isStream'])
    fastify.decorateRequest(name, undefined)
  fastify.setErrorHandler((error, request, reply) => fail(request, reply, error))
  const known: RegExp[] = []
  fastify.addHook('onRoute', (route) => {
    known.push(new RegExp(`^${route.url.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}$`))
    if (route.config?.declared) return
    const check: onRequestHookHandler = (request, _reply, done) => stranger(request.raw, done)
    route.onRequest = [check, ...[route.onRequest ?? []].flat()]
  })
  // The request is refused before its body is read, since no route takes a body.
  fastify.addHook('onRequest', (request, reply, done) => {
    onRequest(request, reply)
    done(unfit(request.raw) ?? (request.is404 ? notServed(request, known) : tooLong(request.url)))
  })
  return fastify
}

/** Returns the client's own id if it can be logged and sent back, else a new id. */
function requestId({ headers }: IncomingMessage): string {
  const own = headers['x-request-id']
  return typeof own === 'string' && isPlainId(own) ? own : randomUUID()
}

/** Returns the error for an address that the router cannot parse. */
function unroutable({ code }: { code?: string }): HttpError {
  return code === 'FST_ERR_MAX_PARAM_LENGTH'
    ? apiError('path_part_too_long', { max: PARAMETER_LENGTH_MAX })
    : apiError('invalid_encoding', { place: 'the path' })
}

/** Returns 405 if only the method is wrong, else 404. */
function notServed(request: FastifyRequest, known: readonly RegExp[]): HttpError {
  const path = request.url.split('?', 1)[0]!
  // The asterisk stands for the server itself. `OPTIONS *` is refused like any other unsupported method.
  if (path !== '*' && !known.some((pattern) => pattern.test(path))) return apiError('unknown_endpoint')
  return notAllowed(request.method)
}
