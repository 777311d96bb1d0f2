/** Turns any thrown error into the answer that a client gets. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiError, bodyOf, type Code, HttpError, problemOf } from '../../declare/api-errors.ts'
import { BucketError, DiskError, messageOf } from '../../declare/errors.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The code of the error, if the request was refused or failed. */
    errorCode: Code | undefined
  }
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** SQLSTATE of a statement that ran into `statement_timeout`. */
const STATEMENT_TIMEOUT = '57014'
/**
 * SQLSTATEs of statements that a client may repeat with success: a replica removed rows that the statement was reading
 * (40001), two transactions deadlocked (40P01), or a lock was not available (55P03).
 */
const TRY_AGAIN = new Set(['40001', '40P01', '55P03'])
/** SQLSTATE of a write that the primary refuses: a switchover is running, or the disk of the primary is nearly full. */
const READ_ONLY = '25006'
/** SQLSTATE of a full disk: the database has no room for a row, or for the files of a new connection. */
const DISK_FULL = '53100'
// SQLSTATE classes: connection lost (08), shutting down or starting (57P), out of connections or memory (53). The other
// codes are the driver's own.
const DATABASE_DOWN = /^(08\w{3}|57P\w{2}|53\w{3}|CONNECT_TIMEOUT|CONNECTION_(CLOSED|ENDED|DESTROYED))$/
const NETWORK = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENOTFOUND', 'EAI_AGAIN'])

/**
 * Sends an error in the usual shape, `{ "error": "…", "code": "…" }`.
 *
 * @param plain whether the endpoint sends the bytes of documents: its errors are sent as JSON only to a client that
 *   requests JSON, and otherwise as text
 */
export function sendFailure(
  request: FastifyRequest,
  reply: FastifyReply,
  thrown: unknown,
  { log, plain }: { log: Logger; plain: boolean },
): FastifyReply {
  const failure = ofCount(failureOf(thrown, request.id), request.url)
  const { status, code } = failure
  request.errorCode = code
  if (status === 500) log.error({ reqId: request.id, code, err: thrown }, 'request failed')
  else if (status === 503) log.warn({ reqId: request.id, code, reason: messageOf(thrown) }, 'request refused')
  reply.code(status).headers({ ...failure.headers, 'cache-control': 'no-store', vary: 'accept' })
  const accept = request.headers.accept ?? ''
  if (accept.includes('application/problem+json')) {
    return reply.type('application/problem+json').send(JSON.stringify(problemOf(failure)))
  }
  if (plain && !accept.includes('application/json') && !/[?&]format=json(&|$)/.test(request.url)) {
    return reply.type('text/plain; charset=utf-8').send(`${failure.message}\n`)
  }
  return reply.type(JSON_TYPE).send(JSON.stringify(bodyOf(failure)))
}

/**
 * Replaces the error `query_too_expensive` if the request counts all rows of a list: the new error proposes to ask for
 * an estimate instead.
 */
const ofCount = (failure: HttpError, url: string): HttpError =>
  failure.code === 'query_too_expensive' && /[?&]count=(?!estimate(&|$))/.test(url)
    ? apiError('count_too_expensive')
    : failure

/** Returns the error that answers a thrown value. */
export function failureOf(thrown: unknown, requestId: string): HttpError {
  if (thrown instanceof HttpError) return thrown
  if (thrown instanceof BucketError || thrown instanceof DiskError) return apiError('archive_unavailable')
  const { code = '', syscall } = (thrown ?? {}) as { code?: unknown; syscall?: unknown }
  if (code === STATEMENT_TIMEOUT) {
    return apiError('query_too_expensive')
  }
  if (TRY_AGAIN.has(String(code))) return apiError('database_busy')
  if (code === READ_ONLY) return apiError('database_read_only')
  // ENOENT from connect is a missing socket of the embedded server. ENOENT from any other system call is a bug.
  const unreachable = NETWORK.has(String(code)) || (code === 'ENOENT' && syscall === 'connect')
  if (unreachable || DATABASE_DOWN.test(String(code))) {
    return apiError('database_unavailable')
  }
  return apiError('internal_error', { id: requestId })
}

/** Whether the disk of the database is full. */
export const isDiskFull = (thrown: unknown): boolean => (thrown as { code?: unknown } | null)?.code === DISK_FULL
