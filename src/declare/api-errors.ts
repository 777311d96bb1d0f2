/**
 * Every error of the API. A client reads the code; the message is for people and may change. The code of an error never
 * changes, and the code of a removed error is not used again. generated/errors.md is made from this table.
 */
import { statusName } from './status-name.ts'

/** One kind of error. */
interface Declared {
  status: number
  /** Text for people. Each error replaces the names in braces with values. */
  message: string
  when: string
  /** Advice to the client. */
  wayOut: string
  /** Headers that each error of the kind has. */
  headers?: Readonly<Record<string, string>>
  /** The client has closed the connection, so the error is only logged. */
  isOnlyLogged?: true
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) })
const CLOSING = { connection: 'close' }
const BEARER = { 'www-authenticate': 'Bearer' }

// biome-ignore format: a table
export const API_ERRORS = {
  // The request itself.
  malformed_request: { status: 400, message: 'the request is not valid HTTP',
    when: 'The bytes are not an HTTP/1.1 request', wayOut: 'Use an HTTP client' },
  bare_line_feed: { status: 400, message: 'the request is not valid HTTP: a line ends with LF alone; end each line with CR LF',
    when: 'A line of the head ends with LF alone', wayOut: 'End each line with CR LF' },
  invalid_host_header: { status: 400, message: 'the header Host is {fault}; send it once', headers: CLOSING,
    when: 'The request is HTTP/1.1 without the header Host, or has this header twice', wayOut: 'Send Host once' },
  unknown_host: { status: 421, message: 'the host name {name} is not allowed; the operator can add it to the setting ALLOWED_HOSTS; requests for data with an API key may use any name',
    when: 'A page without a key is requested by a name that is not allowed', wayOut: 'The operator adds the name to `ALLOWED_HOSTS`' },
  expectation_failed: { status: 417, message: 'the header Expect can only be 100-continue; leave it out', headers: CLOSING,
    when: 'The header Expect has another value', wayOut: 'Leave Expect out' },
  unsupported_http_version: { status: 505, message: 'this version of HTTP is not supported; use HTTP/1.1 or HTTP/1.0', headers: CLOSING,
    when: 'The request is in another version of HTTP', wayOut: 'Use HTTP/1.1' },
  unknown_method: { status: 501, message: 'unknown method {method}; this server answers {methods}',
    when: 'The method is not an HTTP method', wayOut: 'Use GET or HEAD' },
  method_not_allowed: { status: 405, message: '{method} is not allowed: this API is read-only',
    when: 'The method is not GET or HEAD', wayOut: 'Use GET or HEAD' },
  headers_too_large: { status: 431, message: 'the address and headers together are too large; send fewer or shorter headers',
    when: 'The address and the headers together have more than 32 KB', wayOut: 'Send fewer or shorter headers' },
  chunk_extensions_too_large: { status: 413, message: 'the extensions of a chunk are too large; send no body',
    when: 'A chunk of a body has more than 16 KB of extensions', wayOut: 'Send no body' },
  body_too_large: { status: 413, message: 'the body is longer than {max} bytes; send fewer or shorter arguments', headers: CLOSING,
    when: 'A message to `/mcp` has more than 64 KB', wayOut: 'Send fewer or shorter arguments' },
  request_timeout: { status: 408, message: 'the request took too long to arrive; send it without pauses',
    when: 'The request did not arrive within 30 seconds', wayOut: 'Send the request without pauses' },

  // The address.
  unknown_endpoint: { status: 404, message: 'there is no such endpoint; /docs lists them',
    when: 'The path is not that of an endpoint', wayOut: 'Take the path from `/docs`' },
  no_oauth: { status: 404, message: 'this service has no OAuth; send an API key, as Authorization: Bearer <key>',
    when: 'An MCP client without a key tries to sign in by OAuth', wayOut: 'Give the client a key with the scope `mcp`' },
  page_not_found: { status: 404, message: 'there is no {what}',
    when: 'The page, or a file of it, does not exist', wayOut: 'Begin at `/docs`' },
  invalid_encoding: { status: 400, message: '{place} is not valid percent-encoded UTF-8',
    when: 'The path, or the name or value of a parameter, cannot be decoded', wayOut: 'Encode the text as UTF-8, and then percent-encode it' },
  path_part_too_long: { status: 414, message: 'a part of the path is longer than {max} characters; check the identifier',
    when: 'A part of the path between two `/` is too long', wayOut: 'Check the identifier' },
  query_too_long: { status: 414, message: 'the query string is longer than {max} bytes; split the request into several',
    when: 'The query string has more than 16 KB', wayOut: 'Split the request into several' },
  not_acceptable: { status: 406, message: 'Accept: this endpoint sends none of these types; it sends {types}',
    when: 'Accept names no type that the endpoint sends', wayOut: 'Leave Accept out, or name one of the types in the message' },
  invalid_header: { status: 400, message: '{header}: {reason}',
    when: 'The value of a header is not valid', wayOut: 'Correct the header that the message names' },

  // The parameters.
  unknown_parameter: { status: 400, message: '{parameter}: unknown parameter; this endpoint takes {known}',
    when: 'The endpoint has no such parameter', wayOut: 'Check the spelling; the message lists the names' },
  repeated_parameter: { status: 400, message: '{parameter}: given more than once; give it once',
    when: 'A parameter that takes one value is given twice', wayOut: 'Give it once' },
  missing_parameter: { status: 400, message: '{parameter}: {reason}',
    when: 'A parameter is needed and not given', wayOut: 'Give the parameter that the message names' },
  conflicting_parameters: { status: 400, message: '{parameter}: {reason}',
    when: 'Two parameters cannot be given together, or one needs another', wayOut: 'Leave out one of the two, or add what the message names' },
  invalid_parameter: { status: 400, message: '{parameter}: {reason}',
    when: 'The value of a parameter is not valid, or no row can have it', wayOut: 'Correct the value; the message says what it can be' },
  invalid_cursor: { status: 400, message: 'cursor: {reason}',
    when: 'The cursor is damaged, or belongs to another list, order or filter', wayOut: 'Send the same parameters as in the request that returned the cursor, or begin without a cursor' },
  invalid_filters: { status: 400, message: '{place}: {reason}',
    when: 'The tree in `filters` is not valid', wayOut: 'Correct the node at the path that the message names' },
  invalid_search: { status: 400, message: 'q: {reason}',
    when: 'The text in `q` cannot be read as a search', wayOut: 'Correct the text at the character that the message names' },

  // The key.
  missing_api_key: { status: 401, message: 'an API key is needed, as Authorization: Bearer <key> or as X-Api-Key: <key>', headers: BEARER,
    when: 'The request has no API key', wayOut: 'Send the key in one of the two headers' },
  invalid_api_key: { status: 401, message: 'the API key is not valid: it is malformed, unknown, revoked or expired; ask the operator for a key', headers: BEARER,
    when: 'The service never issued this key, or the key was revoked or has expired', wayOut: 'Ask the operator for a key' },
  conflicting_api_keys: { status: 400, message: '{headers}: the request has two different API keys; send only one',
    when: 'The request has two different keys', wayOut: 'Send one of them' },
  foreign_form: { status: 403, message: 'send this form only from its page on this service, in the session that opened the page',
    when: 'A form of another site, or of a session that has ended, changes something here', wayOut: 'Open the page of this service, and send its form' },
  foreign_origin: { status: 403, message: 'Origin: a web page of another site cannot use this address',
    when: 'A browser sends a message to `/mcp` for a page of another site', wayOut: 'Call this address from a program; web pages must not hold a key' },
  sign_in_needed: { status: 401, message: 'sign in to see this page',
    when: 'A page of an account is requested without a session, or its session has ended', wayOut: 'Sign in' },
  sign_in_failed: { status: 400, message: 'the sign-in was not completed: {reason}',
    when: 'The provider refused the sign-in, or the browser came back too late, came back twice, or brought an unexpected answer', wayOut: 'Sign in again' },
  sign_in_unavailable: { status: 503, message: 'the sign-in provider does not answer at the moment; try again soon', headers: retryAfter(30),
    when: 'The provider at which people sign in cannot be reached, or answers with an error', wayOut: 'Try again; keys work meanwhile' },
  account_closed: { status: 403, message: 'an operator closed this account; ask the operator to open it again',
    when: 'A person signs in to an account that an operator closed', wayOut: 'Ask the operator' },
  account_without_key: { status: 401, message: 'your account has no key yet; create it on the page of your account',
    when: 'A signed-in person opens a page about data and the account has no key', wayOut: 'Create the key at `/account`' },
  operators_only: { status: 403, message: 'only operators can open this page; ask an operator',
    when: 'A person without the role of an operator opens the page of operators', wayOut: 'Ask the operator' },
  change_refused: { status: 400, message: '{reason}',
    when: 'A form of an account or of an operator has a value that is not possible', wayOut: 'Correct the value that the message names' },
  missing_scope: { status: 403, message: 'this key lacks the scope {lacking}; it has {scopes}. Ask the operator for a key with that scope',
    when: 'The endpoint needs a scope that the key lacks', wayOut: 'Ask the operator for a key with that scope' },
  endpoint_closed: { status: 403, message: 'self-serve keys cannot use this endpoint; ask the operator for access',
    when: 'The operator has closed the endpoint to self-serve keys', wayOut: 'Ask the operator for access' },
  rate_limit_exceeded: { status: 429, message: 'the {bucket} limit of {limit} requests a minute is exceeded for this key; try again in {seconds} seconds',
    when: 'The key has used up its requests of this minute in this bucket', wayOut: 'Wait as long as Retry-After says' },
  too_many_at_once: { status: 429, message: 'this key has {max} {what} running, the maximum for a key; wait until one has ended', headers: retryAfter(10),
    when: 'The key has as many files or streams running as it may have', wayOut: 'Wait until one has ended' },

  // Things that do not exist.
  not_found: { status: 404, message: 'not found{detail}',
    when: 'Nothing has this identifier, or the thing has no data of the requested kind', wayOut: 'Check the identifier; the message says what is missing' },
  not_loaded: { status: 404, message: 'not found: {notes}',
    when: 'The data for the answer was never loaded on this server, or was loaded only in part', wayOut: 'The operator loads it; `/` and `/v1/filings/coverage` show what is loaded' },
  filing_waits: { status: 404, message: 'not found: {accession} is listed but not read yet; try again in some minutes',
    when: 'The filing is listed and has not been read yet', wayOut: 'Try again in some minutes' },
  filing_unreadable: { status: 404, message: 'not found: {accession} is listed but could not be read: {reason}; /v1/edgar/doc has the documents as filed',
    when: 'The filing is listed and its data could not be read', wayOut: 'Get the document itself, from `/v1/edgar/doc`' },
  filing_unknown: { status: 404, message: 'filing {accession} is {fault}',
    when: 'No loaded index lists the filing, or none lists it any more', wayOut: 'Check the accession' },
  filing_removed: { status: 404, message: 'filing {accession} was removed by the SEC (noticed on {day})',
    when: 'The SEC has removed the filing', wayOut: 'None: EDGAR has removed it' },
  submission_missing: { status: 404, message: 'EDGAR has no submission at {path}',
    when: 'EDGAR lists the filing but does not have it, or not yet', wayOut: 'Try again in some minutes if the filing is new' },
  other_family: { status: 404, message: 'not found: {accession} is a filing on form {form}, which has other data; the links of /v1/filing/{accession} lead to this data',
    when: 'The filing is loaded, and its form belongs to another family', wayOut: 'Follow the `links` of `/v1/filing/{accession}`' },
  document_not_found: { status: 404, message: 'filing {accession} has no document {seq}{detail}; /v1/filing/{accession} lists its documents',
    when: 'The filing has no document with this number', wayOut: 'Take the number from `/v1/filing/{accession}`' },
  document_cut_off: { status: 404, message: 'document {seq} of {accession} is cut off: as EDGAR serves it, {fault}',
    when: 'EDGAR has only a part of the document', wayOut: 'None: EDGAR has no more' },
  no_text: { status: 404, message: '{accession} has {what} that can be read as text{detail}',
    when: 'The document is an image, is empty, or cannot be read as text', wayOut: 'Choose another `sequence`, or get the bytes from `/v1/edgar/doc`' },
  section_not_found: { status: 404, message: 'the section {section} was not found in the document of {accession}; {there}',
    when: 'The document does not have this section, or its heading was not recognised', wayOut: 'Leave `section` out, or take one that the message names' },
  other_source: { status: 404, message: '{accession} is a filing on form {form}, {place}',
    when: 'The text of the filing belongs to another source', wayOut: 'Use the address that the message names' },
  document_too_large: { status: 413, message: 'document {seq} of {accession} has {size} bytes, and the limit is {max}; get it from EDGAR',
    when: 'The document has more than 250 MB', wayOut: 'Get it from EDGAR' },
  range_not_satisfiable: { status: 416, message: 'the document has {size} bytes: none are in the requested range',
    when: 'The range of the header Range begins after the end', wayOut: 'Use the size in Content-Range' },

  // Answers that are not available now.
  internal_error: { status: 500, message: 'internal error; quote request id {id} when you report it',
    when: 'An error of this service', wayOut: 'Report it with the request id' },
  query_too_expensive: { status: 503, message: 'the query was too expensive and was stopped; narrow it, for example to fewer days', headers: retryAfter(30),
    when: 'A query took longer than the operator allows', wayOut: 'Narrow the request' },
  count_too_expensive: { status: 503, message: 'counting all rows that match was too expensive and was stopped; narrow the list, or use count=estimate', headers: retryAfter(30),
    when: 'With `count=exact` or `count=<field>`, a list took longer than the operator allows', wayOut: 'Use `count=estimate`, or narrow the request' },
  too_many_waiting: { status: 503, message: 'the queue of waiting requests is full; send fewer requests at a time', headers: retryAfter(1),
    when: 'The queue for the database or for EDGAR is full', wayOut: 'Send fewer requests at a time' },
  waited_too_long: { status: 503, message: 'the service was busy with other requests for {seconds} seconds; try again later', headers: retryAfter(2),
    when: 'The request waited too long for the database or for EDGAR', wayOut: 'Try again' },
  took_too_long: { status: 503, message: 'the request takes longer than {seconds} seconds; try again', headers: retryAfter(5),
    when: 'EDGAR takes longer than a request may wait; the service continues to fetch the filing', wayOut: 'Try again' },
  too_many_in_all: { status: 503, message: 'the server has {max} {what} running, its maximum; try again later', headers: retryAfter(10),
    when: 'All keys together have as many streams as the server allows', wayOut: 'Try again later' },
  database_unavailable: { status: 503, message: 'the database cannot be reached at the moment; try again soon', headers: retryAfter(5),
    when: 'The database is down or starting', wayOut: 'Try again' },
  connection_lost: { status: 503, message: 'the connection to the database was lost; try again', headers: retryAfter(1),
    when: 'The connection broke while the answer was read', wayOut: 'Try again' },
  database_busy: { status: 503, message: 'the database was busy changing the requested data; try again', headers: retryAfter(1),
    when: 'The query conflicted with a change, for example on a replica', wayOut: 'Try again' },
  database_read_only: { status: 503, message: 'the database accepts no changes at the moment; try again soon', headers: retryAfter(5),
    when: 'The database is being switched over, or its disk is nearly full', wayOut: 'Try again; the operator checks the disk' },
  replica_behind: { status: 503, message: 'after: the database replica is behind, at event {newest}; try again', headers: retryAfter(1),
    when: 'The replica that answers does not have the event `after` yet', wayOut: 'Try again' },
  rebuilding: { status: 503, message: '{reason}', headers: retryAfter(30),
    when: 'Tables or rollups of the endpoint are being rebuilt', wayOut: 'Try again in some minutes' },
  list_not_loaded: { status: 503, message: '{notes}', headers: retryAfter(600),
    when: 'The data of a list was never loaded here, and the answer is a plain array, which cannot say so', wayOut: 'The operator loads it; `/` and `/v1/filings/coverage` show what is loaded' },
  not_ready: { status: 503, message: 'not ready: {reason}', headers: retryAfter(5),
    when: 'At `/readyz`: the service cannot answer yet. At a page with `?part=later`: none of the lists of this part can be read', wayOut: 'Wait' },
  shutting_down: { status: 503, message: 'the server is shutting down; try again', headers: retryAfter(1),
    when: 'The server shut down before it sent the answer', wayOut: 'Try again' },
  edgar_unavailable: { status: 503, message: '{what}, and {reason}', headers: retryAfter(30),
    when: 'EDGAR did not give a filing that is not in the archive', wayOut: 'Try again later' },
  submission_unreadable: { status: 503, message: 'this filing cannot be read as EDGAR serves it: {reason}; try again later', headers: retryAfter(30),
    when: 'EDGAR sent something that is not a submission', wayOut: 'Try again later' },
  submission_changed: { status: 503, message: 'EDGAR changed {accession} after it was read; try again', headers: retryAfter(1),
    when: 'EDGAR has changed the filing; it is being read again', wayOut: 'Try again' },
  document_unreadable: { status: 503, message: 'this {what} cannot be read now: {reason}; try again', headers: retryAfter(30),
    when: 'The process that reads the document ended before it was done', wayOut: 'Try again' },
  archive_unavailable: { status: 503, message: 'the archive of filings cannot be used at the moment; try again soon', headers: retryAfter(10),
    when: 'The disk of the archive is full, read-only or refuses this service; or the store that has the archive (`ARCHIVE_URL`) cannot be reached, is slow, or refuses the request', wayOut: 'Try again later; the operator runs `openfilings doctor`' },
  archive_damaged: { status: 503, message: 'the archive has lost this PDF: {reason}; the operator can run "openfilings doctor"', headers: retryAfter(30),
    when: 'The archive lacks the document, or its copy is damaged', wayOut: 'The operator runs `openfilings doctor`' },

  // Errors that are only logged, since the client has closed the connection.
  client_gone: { status: 499, message: 'the client closed the connection', isOnlyLogged: true,
    when: 'The client closed the connection before the answer was sent', wayOut: 'None' },
  client_stalled: { status: 408, message: 'the client has read nothing for {seconds} seconds', isOnlyLogged: true,
    when: 'The client stopped reading a file', wayOut: 'Read the file without long pauses' },
  decimal_too_long: { status: 503, message: 'a decimal of {column} has more digits than fit into the type that the file began with', isOnlyLogged: true,
    when: 'After its first rows, a Parquet file got a decimal with more than 12 digits after the point or 26 before it', wayOut: 'Request the file again: it then has the column as text' },
} as const satisfies Readonly<Record<string, Declared>>

export type Code = keyof typeof API_ERRORS

/** Codes that a client can get, in the order of the table. */
export const CODES_SENT = (Object.keys(API_ERRORS) as Code[]).filter(
  (code) => (API_ERRORS[code] as Declared).isOnlyLogged !== true,
)

/**
 * An answer with an error status. Its message goes to the client, so it names the place of the error and never contains
 * a secret.
 */
export class HttpError extends Error {
  readonly code: Code
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The message without its lead to the search. */
  readonly reason: string
  /** Address of the search that may find what the identifier of the request identifies; null if no search helps. */
  readonly searchUrl: string | null
  constructor(
    code: Code,
    reason: string,
    headers: Readonly<Record<string, string>> = {},
    searchUrl: string | null = null,
  ) {
    super(searchUrl === null ? reason : `${reason}${leadTo(searchUrl)}`)
    this.name = 'HttpError'
    const declared: Declared = API_ERRORS[code]
    this.code = code
    this.status = declared.status
    this.headers = { ...declared.headers, ...headers }
    this.reason = reason
    this.searchUrl = searchUrl
  }

  /** The same error with a lead to the search for an identifier. */
  searching(id: string): HttpError {
    return new HttpError(this.code, this.reason, this.headers, `/v1/search?q=${encodeURIComponent(id)}`)
  }
}

/** The end of a message that leads to the search. */
export const leadTo = (searchUrl: string): string => `; ${searchUrl} finds what has this id`

type Names<T extends string> = T extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never
type Values<C extends Code> = Readonly<Record<Names<(typeof API_ERRORS)[C]['message']>, string | number>>
type Given<C extends Code> = [Names<(typeof API_ERRORS)[C]['message']>] extends [never]
  ? [values?: Values<C>, headers?: Readonly<Record<string, string>>]
  : [values: Values<C>, headers?: Readonly<Record<string, string>>]

/**
 * Makes an error.
 *
 * @param given values for the names in braces of the message; further headers, which override those of the table
 */
export function apiError<C extends Code>(code: C, ...given: Given<C>): HttpError {
  const [values = {}, headers] = given as [
    values?: Readonly<Record<string, string | number>>,
    headers?: HttpError['headers'],
  ]
  const message = API_ERRORS[code].message.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]))
  return new HttpError(code, message, headers)
}

/**
 * Makes an error of another process again, from the error's code and message, since the process can pass on nothing
 * else. Null if the code is not in the table.
 */
export const errorAgain = (code: string | undefined, message: string): HttpError | null =>
  code !== undefined && Object.hasOwn(API_ERRORS, code) ? new HttpError(code as Code, message) : null

/** The parts of an error that go to the client. */
type Sent = Pick<HttpError, 'message' | 'code'> & { searchUrl?: string | null }

/** The body of an error. */
export const bodyOf = ({ message, code, searchUrl }: Sent) => ({
  error: message,
  code,
  ...(searchUrl && { search_url: searchUrl }),
})

/** The body of an error in the shape of RFC 9457, for clients that accept this shape. */
export const problemOf = ({ message, code, searchUrl }: Sent) => {
  const { status } = API_ERRORS[code]
  return {
    type: 'about:blank',
    title: statusName(status) ?? 'Error',
    status,
    detail: message,
    ...bodyOf({ message, code, ...(searchUrl && { searchUrl }) }),
  }
}
