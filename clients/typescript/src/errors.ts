import type { components } from './generated/schema.ts'

/** Codes of errors that the service answers, as the document lists them. */
export type ServiceErrorCode = components['schemas']['ErrorCode']

/** Codes of errors that the client itself finds. */
export type ClientErrorCode =
  /** An option of the client or an argument is not valid. */
  | 'invalid_option'
  /** The service could not be reached, or the connection broke. */
  | 'network'
  /** The answer, or the next part of it, took longer than allowed. */
  | 'timeout'
  /**
   * The answer redirects to another address. The client does not follow the redirect, because the other address would
   * get the key.
   */
  | 'redirected'
  /** The answer is not what the service sends: another content type, broken JSON, a link that leads elsewhere. */
  | 'invalid_answer'
  /** The answer has more bytes than `maxAnswerBytes`. */
  | 'answer_too_large'
  /** A file ended before its last line. */
  | 'incomplete_file'
  /** An error status without an error of the service, for example of a proxy. */
  | 'http_error'
  /** The signature of a webhook does not prove that the service sent it. */
  | 'invalid_signature'

/** A later version of the service may have codes that this version of the client does not know. */
export type ErrorCode = ServiceErrorCode | ClientErrorCode | (string & {})

export interface ErrorFacts {
  code: ErrorCode
  status?: number | null
  requestId?: string | null
  url?: string | null
  retryAfterMs?: number | null
  cause?: unknown
}

/** Every error of the client, except that an aborted request rejects with the reason of its signal. */
export class OpenFilingsError extends Error {
  override readonly name = 'OpenFilingsError'
  /** Stays the same when the message changes; the service documents its codes in `/docs`. */
  readonly code: ErrorCode
  /** HTTP status; null if there was no answer. */
  readonly status: number | null
  /** Header `X-Request-Id`, which finds the request in the log of the service. */
  readonly requestId: string | null
  /** The parameter, header or node of the filter tree that is wrong; null if the error is about none of them. */
  readonly place: string | null
  /** Address of the request, without the key; null if there was none. */
  readonly url: string | null
  /** Milliseconds that the service asks a client to wait; null if it does not say. */
  readonly retryAfterMs: number | null

  constructor(message: string, { code, status, requestId, url, retryAfterMs, cause }: ErrorFacts) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
    this.status = status ?? null
    this.requestId = requestId ?? null
    this.url = url ?? null
    this.retryAfterMs = retryAfterMs ?? null
    this.place = HAS_PLACE.has(code) ? placeIn(message) : null
  }
}

/** The messages of these errors begin with the place and a colon; a name that the service does not know is quoted. */
const HAS_PLACE: ReadonlySet<string> = new Set<ServiceErrorCode>([
  'invalid_header',
  'unknown_parameter',
  'repeated_parameter',
  'missing_parameter',
  'conflicting_parameters',
  'invalid_parameter',
  'invalid_cursor',
  'invalid_filters',
  'invalid_search',
])

const placeIn = (message: string): string | null => /^"?([^\s:"]{1,200})"?: /.exec(message)?.[1] ?? null
