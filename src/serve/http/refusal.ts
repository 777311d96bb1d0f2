/**
 * Answers requests that never reach a route, because they are not HTTP, are incomplete, or need an unsupported feature.
 * Each gets an error in the usual shape, and its connection is closed.
 */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { apiError, bodyOf, type HttpError } from '../../declare/api-errors.ts'
import { statusName } from '../../declare/status-name.ts'

const METHODS_ALLOWED = 'GET, HEAD'
const CLOSING = { connection: 'close' }

/** The facts about bytes that were refused before they became a request. */
interface Refused {
  requestId: string
  error: HttpError
  ip: string | undefined
}

interface RefusalOptions {
  /** Returns the headers that every answer currently has. */
  headers: () => Readonly<Record<string, string>>
  onRefused: (refused: Refused) => void
}

/** The newest request of a connection. */
const NEWEST = Symbol('newest request')
type Connection = Duplex & { [NEWEST]?: ServerResponse; remoteAddress?: string }

/**
 * Records that a request has begun, so that an error about later bytes of the connection is sent after the answer to
 * this request.
 */
export function beginsOn(socket: Duplex, response: ServerResponse): void {
  ;(socket as Connection)[NEWEST] = response
}

/**
 * Answers invalid bytes with an error in the usual shape. Without this function, Node would use its own shape of error,
 * or send no answer.
 */
export function refuseBytes(server: Server, { headers, onRefused }: RefusalOptions): void {
  // Node itself would answer with an empty 417. Here `unfit` refuses such a request.
  server.on('checkExpectation', (request, response) => server.emit('request', request, response))

  const refuse = (socket: Connection, error: HttpError) => {
    const requestId = randomUUID()
    onRefused({ requestId, error, ip: socket.remoteAddress })
    socket.end(responseOf(error, { 'x-request-id': requestId, ...headers() }))
  }
  server.on('connect', (_request, socket) => {
    socket.on('error', () => {}) // the client may be gone
    refuse(socket, notAllowed('CONNECT'))
  })
  server.on('clientError', (error: ClientError, socket: Connection) => {
    const before = socket[NEWEST]
    const isBody = before && !before.req.complete
    // If the body of a request fails after the answer to the request was sent, a second answer cannot be sent.
    if (!socket.writable || error.code === 'ECONNRESET' || (isBody && before.headersSent)) {
      socket.destroy()
      return
    }
    // Answers come in the order of their requests, so the refusal waits for the answer to an earlier request. If the
    // broken bytes are the body of that request, the refusal is its answer.
    if (before && !before.writableFinished && !isBody)
      before.once('close', () => socket.writable && refuse(socket, refusalOf(error)))
    else refuse(socket, refusalOf(error))
  })
}

/** The error of Node's HTTP parser, with the last bytes and the parser's position in them. */
type ClientError = NodeJS.ErrnoException & { rawPacket?: Buffer; bytesParsed?: number; reason?: string }

/**
 * Returns the last bytes as text, from the start of the invalid request. A valid request may precede it in these bytes.
 */
function lineOf({ rawPacket, bytesParsed = 0 }: ClientError): string {
  const text = rawPacket?.toString('latin1') ?? ''
  const end = text.lastIndexOf('\r\n\r\n', bytesParsed)
  return text.slice(end < 0 ? 0 : end + 4)
}

function refusalOf(error: ClientError): HttpError {
  const { code, reason = '' } = error
  if (code === 'HPE_HEADER_OVERFLOW') return apiError('headers_too_large')
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return apiError('request_timeout')
  // This error has the status 413, which Node itself would send too.
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return apiError('chunk_extensions_too_large')
  // Several codes mean a wrong line ending, so the text of the reason is tested instead.
  if (/CRLF after version|expected CR |CR after/i.test(reason)) {
    return apiError('bare_line_feed')
  }
  if (code === 'HPE_INVALID_VERSION' || code === 'HPE_PAUSED_H2_UPGRADE') return unspoken()
  const [, method] = /^([A-Za-z-]{1,20}) \S+ HTTP\/1\.[01]\r?\n/.exec(lineOf(error)) ?? []
  if (code === 'HPE_INVALID_METHOD' && method !== undefined) {
    return apiError('unknown_method', { method, methods: METHODS_ALLOWED })
  }
  return apiError('malformed_request')
}

function responseOf(error: HttpError, own: Readonly<Record<string, string>>): string {
  const { status, headers } = error
  const body = JSON.stringify(bodyOf(error))
  const all = {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...own,
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
    ...CLOSING,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${statusName(status)}\r\n${lines.join('')}\r\n${body}`
}

/** Checks a request that Node has parsed, for errors that do not depend on its address. */
export function unfit({ httpVersion, headers, rawHeaders }: IncomingMessage): HttpError | undefined {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') return unspoken()
  if (headers.host === undefined && httpVersion === '1.1') {
    return apiError('invalid_host_header', { fault: 'missing' })
  }
  // Node keeps only the first of two Host headers, but a proxy in front of this server may have used the second.
  if (headers.host !== undefined && countOf('host', rawHeaders) > 1) {
    return apiError('invalid_host_header', { fault: 'given twice' })
  }
  if (headers.expect !== undefined && !/^100-continue$/i.test(headers.expect)) {
    return apiError('expectation_failed')
  }
  return undefined
}

function countOf(name: string, rawHeaders: readonly string[]): number {
  let count = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    if (rawHeaders[i]!.length === name.length && rawHeaders[i]!.toLowerCase() === name) count++
  }
  return count
}

/**
 * Whether a request has a body. The server does not read the body, so the bytes of the body must not be parsed as the
 * next request.
 */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const notAllowed = (method: string) => apiError('method_not_allowed', { method }, { allow: METHODS_ALLOWED })

const unspoken = () => apiError('unsupported_http_version')
