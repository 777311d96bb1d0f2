/** Interprets EDGAR's answers and refusals, and defines the error that a client throws. */
import { parseRetryAfter } from './retry-after.ts'

export type EdgarErrorKind =
  | 'throttled'
  | 'unavailable'
  | 'refused'
  | 'timeout'
  | 'truncated'
  | 'too large'
  | 'network'
  | 'configuration'

interface Details extends ErrorOptions {
  /** The wait that the host requested with `Retry-After`. */
  retryAfterMs?: number | null
  /** Whether the host answered with a page that announces a block of ten minutes. */
  blocked?: boolean
}

/** The error for a request that got no usable answer. `kind` tells the caller how to react. */
export class EdgarError extends Error {
  readonly kind: EdgarErrorKind
  readonly retryAfterMs: number | null
  readonly blocked: boolean
  constructor(kind: EdgarErrorKind, message: string, { retryAfterMs = null, blocked = false, ...rest }: Details = {}) {
    super(message, rest)
    this.name = 'EdgarError'
    this.kind = kind
    this.retryAfterMs = retryAfterMs
    this.blocked = blocked
  }
}

/** Kinds of failures that may be temporary. */
const PASSING: ReadonlySet<EdgarErrorKind> = new Set(['throttled', 'unavailable', 'timeout', 'truncated', 'network'])
export const isPassing = (error: EdgarError) => PASSING.has(error.kind)

const NONE = /<Code>(?:AccessDenied|NoSuchKey)<\/Code>/
const RATE_PAGE = /Request Rate Threshold Exceeded/i
const TOOL_PAGE = /Undeclared Automated Tool/i

/** Largest page that is read to find out why a request was refused. Real pages have 5 to 8 KB. */
export const PAGE_SIZE_MAX = 64 * 1024

/** Longest wait that a `Retry-After` can cause: one header must not block all requests for long. */
const RETRY_AFTER_MAX_MS = 120_000

/**
 * Makes the error for an answer that does not have the requested bytes; returns null if the file does not exist.
 *
 * EDGAR answers 403 for three different reasons, and only the body shows which of them applies:
 * - An index does not exist, as on every weekend: the body is XML.
 * - There were too many requests: the body is an HTML page.
 * - The User-Agent has no contact: the body is another HTML page.
 */
export function refusal(
  url: URL,
  status: number,
  page: string,
  retryAfter: string | undefined,
  now: number,
): EdgarError | null {
  if (status === 404 || (status === 403 && NONE.test(page))) return null
  const answered = `${url.href} answered ${status}`
  const requestedMs = parseRetryAfter(retryAfter, now)
  const retryAfterMs = requestedMs && Math.min(requestedMs, RETRY_AFTER_MAX_MS)
  if (status === 403 || status === 429) {
    if (RATE_PAGE.test(page))
      return new EdgarError('throttled', `${answered}: request rate exceeded`, { blocked: true })
    if (TOOL_PAGE.test(page)) {
      const hint = 'the host does not accept the User-Agent; check EDGAR_USER_AGENT'
      return new EdgarError('throttled', `${answered}: ${hint}`, { blocked: true })
    }
  }
  if (status === 429) return new EdgarError('throttled', answered, { retryAfterMs })
  if ([500, 502, 503, 504].includes(status)) return new EdgarError('unavailable', answered, { retryAfterMs })
  return new EdgarError('refused', answered)
}

/** Returns the day and the moment that a `Last-Modified` header states; both are null if it is absent or unreadable. */
export function lastModified(stated: string | undefined): { modified: string | null; modifiedAt: string | null } {
  const at = new Date(stated ?? Number.NaN)
  const modifiedAt = Number.isNaN(at.getTime()) ? null : at.toISOString()
  return { modified: modifiedAt?.slice(0, 10) ?? null, modifiedAt }
}
