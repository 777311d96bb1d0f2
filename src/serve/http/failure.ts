/** Turns whatever was thrown into the answer that a client sees. */
import { STATUS_CODES } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { HttpError, messageOf, unavailable } from '../../declare/errors.ts'

const JSON_TYPE = 'application/json; charset=utf-8'

/** SQLSTATE of a statement that ran into `statement_timeout`. */
const STATEMENT_TIMEOUT = '57014'
/** A replica took away what the statement was reading, or two transactions waited for each other. The next try succeeds. */
const TRY_AGAIN = new Set(['40001', '40P01', '55P03'])
/** The primary takes no writes: it is being switched over, or its disk is nearly full. */
const READ_ONLY = '25006'
// SQLSTATE classes: connection lost (08), shutting down or starting (57P), out of connections or memory (53).
const DATABASE_DOWN = /^(08\w{3}|57P\w{2}|53\w{3}|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Sends an error in the one shape, `{ "error": "…" }`.
 *
 * @param plain an endpoint of document bytes: it sends JSON only to a client that asks for it, else text
 */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  { log, plain }: { log: Logger; plain: boolean },
): FastifyReply {
  const failure = failureOf(thrown, request.id)
  if (failure.status === 500) log.error({ reqId: request.id, err: thrown }, 'request failed')
  else if (failure.status === 503) log.warn({ reqId: request.id, reason: messageOf(thrown) }, 'request refused')
  reply.code(failure.status).headers({ ...failure.headers, 'cache-control': 'no-store', vary: 'accept' })
  const accept = request.headers.accept ?? ''
  const title = STATUS_CODES[failure.status] ?? 'Error'
  if (accept.includes('application/problem+json')) {
    const problem = { type: 'about:blank', title, status: failure.status, detail: failure.message }
    return reply.type('application/problem+json').send(JSON.stringify({ ...problem, error: failure.message }))
  }
  if (plain && !accept.includes('application/json') && !/[?&]format=json(&|$)/.test(request.url)) {
    return reply.type('text/plain; charset=utf-8').send(`${failure.message}\n`)
  }
  return reply.type(JSON_TYPE).send(JSON.stringify({ error: failure.message }))
}

/** The answer to whatever was thrown. */
export function failureOf(thrown: unknown, requestId: string): HttpError {
  if (thrown instanceof HttpError) return thrown
  const { code = '', syscall } = (thrown ?? {}) as { code?: unknown; syscall?: unknown }
  if (code === STATEMENT_TIMEOUT) {
    return unavailable('the query was too expensive and was stopped; narrow it, for example by a shorter span of dates')
  }
  if (TRY_AGAIN.has(String(code))) return unavailable('the database was busy changing what was asked for; try again', 1)
  if (code === READ_ONLY) return unavailable('the database takes no changes at the moment; try again soon', 5)
  // ENOENT from connect is a missing socket of the embedded server. Anywhere else it is a bug.
  const unreachable = NETWORK.has(String(code)) || (code === 'ENOENT' && syscall === 'connect')
  if (unreachable || DATABASE_DOWN.test(String(code))) {
    return unavailable('the database cannot be reached at the moment; try again soon', 5)
  }
  return new HttpError(500, `internal error; quote request id ${requestId} when you report it`)
}
