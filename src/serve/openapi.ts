/** Turns routes into an OpenAPI 3.1 document. Zod emits JSON Schema 2020-12, which is the dialect of OpenAPI 3.1. */
import { CODES_SENT, problemOf } from '../declare/api-errors.ts'
import type { Catalog } from '../declare/catalog.ts'
import { goesOn, type Route } from '../declare/route.ts'
import { statusName } from '../declare/status-name.ts'
import { ENTITIES, UNITS } from '../declare/table.ts'
import { TAGS, type Tag } from '../declare/tags.ts'
import type { ApiExamples, RouteExample } from './examples.ts'
import { FEED_CONTENTS, FILE_CONTENTS, FILES_MEANING } from './files/meaning.ts'
import { LIMIT_DEFAULT } from './keys.ts'
import { EVERY, HEADERS, headersOf, RATE } from './openapi/headers.ts'
import { pagingOf } from './openapi/lists.ts'
import { parametersOf, type SharedParameters, shared } from './openapi/parameters.ts'
import { type Schemas, schemasOf } from './openapi/schemas.ts'
import { streamText } from './stream/pages.ts'

/** Statuses of the answers that every route has in addition to its 200, in this order. */
const STATUSES_COMMON = [400, 401, 403, 404, 414, 429, 500, 503]

const MEANINGS: Readonly<Record<number, string>> = {
  206: 'Part of the document, as requested by Range',
  304: 'Not modified: the client has this content already',
  400: 'A parameter is unknown, not valid, or given twice although it is not a list; the message names the parameter',
  401: 'No API key, or one that is malformed, unknown, revoked or expired',
  403: 'The key lacks a scope, or the endpoint is closed to self-serve keys',
  404: 'Not found',
  406: 'The header Accept names no type that the endpoint sends',
  413: 'The document is larger than the maximum that the service sends',
  414: 'The query string is longer than 16 KB',
  416: 'The document does not have the part that Range requests',
  429: 'The search or general limit of the key is exceeded (RateLimit-Remaining is 0), or the key is already downloading two files. Retry-After says how many seconds to wait',
  500: 'Internal error; X-Request-Id names the request',
  502: 'EDGAR did not give the document',
  503: 'The database cannot be reached, the query was too expensive, or too many requests were waiting',
}

const DESCRIPTION = `Public filings of the SEC, of investment advisers and of broker-dealers. Read-only: every operation is a GET (HEAD works too).

Each request needs an API key, as \`Authorization: Bearer <key>\` or \`X-Api-Key: <key>\`. Keys are for servers: the service sends no CORS headers, so a page in a browser cannot use it.
Requests are counted per key in two buckets, search and general, ${LIMIT_DEFAULT} a minute each by default; \`x-bucket\` names the bucket of an operation.
Unknown parameters are refused. All errors have one shape, \`{ "error": "…", "code": "…" }\`; if Accept names \`application/problem+json\`, they have the shape of RFC 9457.
Large amounts are decimal strings; days are written as YYYY-MM-DD, moments as 2026-07-23T14:05:09.120+00:00, and accessions with dashes. A ticker works wherever an address takes a CIK or a CUSIP: \`cik=AAPL\`.
\`x-unit\` is the unit of a number, and \`x-entity\` is the kind of thing that a value identifies; \`x-units\` and \`x-entities\` explain both.
The header \`Link\` of a list names its next page, \`rel="next"\`; the last page has none. Most lists always have \`next_cursor\`; some have it only with \`paginate=cursor\`. \`fields\` and \`omit\` choose the fields of the rows of a list.
Answers distinguish data that was never loaded from data that does not exist. An answer that needs data that was never loaded says so: an object has the member \`not_loaded\`, and the message of a 404 names the missing data. A plain array has no place for such a note, so the answer is an error with status 503 in place of an array.
If a list has no rows because an identifier belongs to another of its parameters, or because the form had another code in these years, \`did_you_mean\` has the request that finds rows.

${FILES_MEANING}`

/**
 * Makes the document of a catalog. The same catalog always gives the same text.
 *
 * @param version the version of the service; the version of the API is in the server's address (`/v1`)
 * @param examples examples of parameters and answers; if absent, the document has none
 * @param schemas the schemas of the catalog. Making the schemas takes three quarters of the time, so a caller may pass
 *   schemas that were made before
 */
export function openapi(
  catalog: Catalog,
  version: string,
  examples: ApiExamples = { routes: {}, errors: {} },
  schemas = schemasFor(catalog),
): object {
  const routes = inOrder(catalog.routes)
  const parameters = shared(
    new Map(routes.map((route) => [route.name, parametersOf(route, examples.routes[route.name])])),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'OpenFilings',
      version,
      description: DESCRIPTION,
      contact: { name: 'The operator of this service' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/v1' }],
    security: [{ bearer: [] }, { header: [] }],
    'x-units': UNITS,
    'x-entities': ENTITIES,
    tags: [...new Set(routes.map((route) => route.tag))].map(tagOf),
    paths: Object.fromEntries(
      routes.map((route) => [
        route.path,
        { get: operation(route, { schemas, parameters }, examples.routes[route.name]) },
      ]),
    ),
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'The API key as a bearer token' },
        header: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
      },
      parameters: parameters.components,
      headers: HEADERS,
      schemas: { ...schemas.components, ...OWN },
      responses: Object.fromEntries(
        [...statusesOf(catalog.routes)]
          .sort((a, b) => a - b)
          .map((status) => [responseName(status), failure(status, examples.errors[status])]),
      ),
    },
  }
}

/** The schemas of all answers of a catalog. */
export const schemasFor = ({ routes }: Pick<Catalog, 'routes'>): Schemas => schemasOf(inOrder(routes), Object.keys(OWN))

const BYTES = {
  type: 'string',
  format: 'binary',
  description:
    'The bytes as filed: text/html, application/xml, application/pdf, image/jpeg …, as stated by Content-Type',
}

const MARKDOWN = 'The text alone, for `Accept: text/markdown`'

const STREAM = {
  type: 'string',
  description:
    'The answer as a stream, for `Accept: text/event-stream`: Server-Sent Events, each with one item as data',
}

const CODE = {
  type: 'string',
  enum: CODES_SENT,
  description: 'Kind of the error. A code never changes its meaning; new codes may be added',
}

const CODE_REF = { $ref: '#/components/schemas/ErrorCode' }

const SEARCH_URL = {
  type: 'string',
  format: 'uri-reference',
  description:
    'Address of the search that finds what has the identifier of the request. Present if nothing of the requested kind has this identifier',
}

const ERROR = {
  type: 'object',
  required: ['error', 'code'],
  properties: {
    error: { type: 'string', description: 'What is wrong, with the name of the parameter or the thing' },
    code: CODE_REF,
    search_url: SEARCH_URL,
  },
}

const PROBLEM = {
  type: 'object',
  description: 'An error in the shape of RFC 9457, sent if Accept names application/problem+json',
  required: ['type', 'title', 'status', 'detail', 'error', 'code'],
  properties: {
    type: { type: 'string', description: 'about:blank: the status says what kind of problem it is' },
    title: { type: 'string', description: 'Name of the status' },
    status: { type: 'integer', description: 'Status of the answer' },
    detail: { type: 'string', description: 'What is wrong, with the name of the parameter or the thing' },
    error: { type: 'string', description: 'The same text as `detail`' },
    code: CODE_REF,
    search_url: SEARCH_URL,
  },
}

/** Schemas of the document that no route declares. */
const OWN = { Error: ERROR, ErrorCode: CODE, Problem: PROBLEM }

/**
 * Sorts the routes by group. A group begins with the routes that need no identifier. A route about one thing comes
 * before the routes of its parts, for example a security before its holders.
 *
 * @throws Error if a route names a group that does not exist
 */
function inOrder(routes: readonly Route[]): Route[] {
  const order = Object.keys(TAGS)
  const strange = routes.find(({ tag }) => !order.includes(tag))
  if (strange) throw new Error(`${strange.path} is in the group ${strange.tag}, which declare/tags.ts does not define`)
  const place = ({ tag, path }: Route) => order.indexOf(tag) * 2 + Number(path.includes('{'))
  const sorted = [...routes].sort((a, b) => place(a) - place(b))
  for (const whole of routes) {
    const part = sorted.findIndex(({ tag, path }) => tag === whole.tag && path.startsWith(`${whole.path}/`))
    const at = sorted.indexOf(whole)
    if (part >= 0 && part < at) sorted.splice(part, 0, ...sorted.splice(at, 1))
  }
  return sorted
}

const tagOf = (tag: Tag) => ({ name: tag, 'x-displayName': TAGS[tag].name, description: TAGS[tag].description })

const statusesOf = (routes: readonly Route[]) =>
  new Set([...STATUSES_COMMON, ...routes.flatMap((route) => route.statuses.filter((status) => status >= 400))])

const responseName = (status: number) => statusName(status)?.replace(/\W/g, '') ?? `Status${status}`
const meaning = (status: number) => MEANINGS[status] ?? statusName(status) ?? String(status)

function failure(status: number, error: ApiExamples['errors'][string] | undefined): object {
  // 401 and 414 are sent before the key is known, so they have no rate headers.
  const counted = status !== 401 && status !== 414 ? RATE : []
  const waits = status === 429 || status === 503 ? (['Retry-After'] as const) : []
  return {
    description: meaning(status),
    headers: headersOf(...EVERY, ...counted, ...waits),
    content: {
      'application/json': { schema: { $ref: '#/components/schemas/Error' }, ...(error && { example: error }) },
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        ...(error && { example: problemOf({ message: error.error, code: error.code }) }),
      },
    },
  }
}

const streamOf = (stream: NonNullable<Route['stream']>, example: RouteExample | undefined): object => ({
  schema: STREAM,
  ...(example && { example: streamText(stream.pageOf(example.answer as never)) }),
})

const markdownOf = (make: NonNullable<Route['markdown']>, example: RouteExample | undefined): object => ({
  schema: { type: 'string', description: MARKDOWN },
  ...(example && { example: make(example.answer as never) }),
})

function operation(
  route: Route,
  { schemas, parameters }: { schemas: Schemas; parameters: SharedParameters },
  example: RouteExample | undefined,
): object {
  const answer = example?.answer === undefined ? undefined : example
  const success = {
    description:
      route.output === null
        ? 'The document in its own content type'
        : `The answer${answer ? `. The example is the answer to \`/v1${answer.address}\`, with at most two items of each list` : ''}`,
    headers: headersOf(
      ...EVERY,
      'ETag',
      ...(goesOn(route) ? (['Link'] as const) : []),
      ...(route.list ? (['X-Not-Loaded'] as const) : []),
      ...RATE,
    ),
    content:
      route.output === null
        ? { '*/*': { schema: BYTES } }
        : {
            'application/json': { schema: schemas.of(route), ...(answer && { example: answer.answer }) },
            ...(route.list && filesOf(example)),
            ...(route.list?.feed && FEED_CONTENTS),
            ...(route.stream && { 'text/event-stream': streamOf(route.stream, answer) }),
            ...(route.markdown && { 'text/markdown': markdownOf(route.markdown, answer) }),
          },
  }
  const own = parameters.examplesOf(route.name)
  const failures = [...STATUSES_COMMON, ...route.statuses.filter((status) => status >= 400)].sort((a, b) => a - b)
  const others = [...new Set([304, ...route.statuses.filter((status) => status < 400)])].sort((a, b) => a - b)
  return {
    operationId: route.name,
    summary: route.summary,
    ...describedOf(route),
    tags: [route.tag],
    'x-bucket': route.bucket,
    'x-scopes': [...route.scopes],
    ...(example && { 'x-example': `/v1${example.address}` }),
    ...(Object.keys(own).length > 0 && { 'x-parameter-examples': own }),
    parameters: parameters.of(route.name),
    responses: {
      200: success,
      ...Object.fromEntries(
        others.map((status) => [status, { description: meaning(status), headers: headersOf(...EVERY, ...RATE) }]),
      ),
      ...Object.fromEntries(
        failures.map((status) => [status, { $ref: `#/components/responses/${responseName(status)}` }]),
      ),
    },
  }
}

/** Returns the description of a route, as its slice declares it. For a list, adds how to read the next pages. */
function describedOf(route: Route): { description?: string } {
  const description = [route.description ?? '', pagingOf(route)].filter(Boolean).join('\n\n')
  return description === '' ? {} : { description }
}

/** The content types of a list, other than JSON. */
const filesOf = (example: RouteExample | undefined) =>
  Object.fromEntries(
    Object.entries(FILE_CONTENTS).map(([type, content]) => {
      const text = example?.files?.[type]
      return [type, { ...content, ...(text === undefined ? {} : { example: text }) }]
    }),
  )
