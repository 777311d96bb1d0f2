/** Makes every error that a client sees, all in one shape: `{ "error": "…" }`. */
import { statusName } from './status-name.ts'

/** An answer other than 200. The client gets the message as it is: name the place, never a secret. */
export class HttpError extends Error {
  readonly status: number
  readonly headers: Record<string, string>
  constructor(status: number, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.name = 'HttpError'
    this.status = status
    this.headers = headers
  }
}

export const badRequest = (message: string) => new HttpError(400, message)
export const unauthorized = (message: string) => new HttpError(401, message, { 'www-authenticate': 'Bearer' })
export const forbidden = (message: string) => new HttpError(403, message)
export const notFound = (message: string) => new HttpError(404, message)
export const tooLarge = (message: string) => new HttpError(413, message)
export const tooMany = (message: string, retryAfterSeconds: number) =>
  new HttpError(429, message, { 'retry-after': String(retryAfterSeconds) })
export const unavailable = (message: string, retryAfterSeconds = 30) =>
  new HttpError(503, message, { 'retry-after': String(retryAfterSeconds) })

/** The shape of RFC 9457, for clients that ask for it. */
export const problemOf = (status: number, error: string) => ({
  type: 'about:blank',
  title: statusName(status) ?? 'Error',
  status,
  detail: error,
  error,
})

/** A mistake of the user of a command: printed as one line without a stack, with exit status 1. */
export class UserError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'UserError'
  }
}

/**
 * One line for a log or a task: the message, and that of its cause when there is one. The database's `where` names the
 * place: `COPY issuer, line 1, column year_of_incorporation: "99999999999"`.
 */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, where } = error as { code?: unknown; where?: unknown }
  const message = error.message || String(code ?? error.name)
  const own = typeof where === 'string' ? `${message} (${where.split('\n')[0]})` : message
  return error.cause === undefined ? own : `${own}: ${messageOf(error.cause)}`
}
