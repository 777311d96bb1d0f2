/**
 * Examples of parameters and answers, taken from a service that has the bundled sample. `npm run generate` writes them
 * to generated/examples.json. test/serve/examples.test.ts compares that file with the answers of the service.
 */
import { readFile } from 'node:fs/promises'
import type { Code } from '../declare/api-errors.ts'
import { addressOf, type ExampleRequest, exampleRequests } from '../declare/examples.ts'
import type { FileFormat } from '../declare/format.ts'
import type { Example, Route } from '../declare/route.ts'
import type { Invented } from '../ingest/specimens.ts'
import type { Sql } from '../store/db.ts'
import { MEDIA_TYPES } from './files/format.ts'
import { createKey, LIMIT_DEFAULT } from './keys.ts'

export interface RouteExample {
  /** The first of the route's example requests, as a path without `/v1`. */
  address: string
  /** A value of each parameter, as written in an address. */
  parameters: Example
  /** The answer to that request, with shortened lists; absent if the answer is a document. */
  answer?: unknown
  /** The same answer as a file, also shortened, by content type; absent if the answer is not a list. */
  files?: Record<string, string>
}

export interface Examples extends ApiExamples {
  /** Describes how much of the sample is invented. All examples come from this sample. */
  invented: Invented[]
}

export interface ApiExamples {
  /** Examples by the name of the route. */
  routes: Record<string, RouteExample>
  /** An error for each status. */
  errors: Record<string, { error: string; code: Code }>
}

/** Path of the file that has the examples, within the project's folder. */
export const EXAMPLES_FILE = 'generated/examples.json'

/** Reads the examples that belong to this version of the package. */
export async function readExamples(): Promise<Examples> {
  return JSON.parse(await readFile(new URL('../../generated/examples.json', import.meta.url), 'utf8'))
}

/** Maximum number of items of a list in an example. A reader who wants further items can send the request. */
export const ITEMS_MAX = 2

/**
 * Values that replace the values of these members in examples. The replaced values depend on the service's clock, or on
 * which of two workers ended first.
 */
const BY_THE_CLOCK: Readonly<Record<string, string | number>> = {
  first_seen_at: '2026-01-02T03:04:05.678+00:00',
  convertedAt: '2026-01-02T03:04:05.678+00:00',
  learned_at: '2026-01-02T03:04:05.678+00:00',
  event_number: 4711,
  next_after: 4711,
}

/**
 * The answer with at most two items of each list, and with values that are the same on any day. Texts and objects are
 * not shortened.
 */
function cut(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map(cut)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, BY_THE_CLOCK[name] ?? cut(part)]))
}

export interface Reply {
  status: number
  text: string
}

/** Sends a request to an address without `/v1`. */
type SendRequest = (address: string, headers: Readonly<Record<string, string>>) => Promise<Reply>

export interface ExampleService {
  send: SendRequest
  /** Sends a request to a service whose database cannot be reached. */
  sendToBroken: SendRequest
  keys: ExampleKeys
  invented: Invented[]
}

interface ExampleKeys {
  /** The key with which the examples are requested. */
  own: string
  ownId: string
  /** A key with the default limits. */
  limited: string
  /** A key that has no scope for any route. */
  mcp: string
}

/**
 * Maximum number of requests a minute for the key with which the examples are requested. It is larger than the number
 * of examples.
 */
const OWN_LIMIT = 1000
/** Key ids are random; in examples this id replaces them. */
const SHOWN_KEY_ID = 'Ab3dEf7h'

export async function exampleKeys(sql: Sql, now: Date): Promise<ExampleKeys> {
  const limits = { searchLimit: OWN_LIMIT, generalLimit: OWN_LIMIT }
  const own = await createKey(sql, { account: 'alice', scopes: ['api', 'brochures'], ...limits, now })
  const limited = await createKey(sql, { account: 'bob', scopes: ['api'], now })
  const mcp = await createKey(sql, { account: 'carol', scopes: ['mcp'], now })
  return { own: own.key, ownId: own.keyId, limited: limited.key, mcp: mcp.key }
}

/**
 * Requests every example from a service.
 *
 * @throws Error if the answer to an example does not have the expected status
 */
export async function collectExamples(routes: readonly Route[], service: ExampleService): Promise<Examples> {
  const found: [string, RouteExample][] = []
  for (const route of routes) found.push([route.name, await exampleOf(route, service)])
  return { invented: service.invented, routes: Object.fromEntries(found), errors: await errorsOf(service) }
}

/**
 * The part of a route's example that follows from the route's declaration alone. It excludes the answer, and a cursor,
 * which comes from an answer.
 */
export function declaredExample(route: Route): RouteExample {
  const requests = exampleRequests(route).map(({ values }) => values)
  const named = Object.keys(route.input.shape).flatMap((name) => {
    const value = requests.find((values) => name in values)?.[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  return { address: addressOf(route, requests[0]!), parameters: Object.fromEntries(named) }
}

async function exampleOf(route: Route, service: ExampleService): Promise<RouteExample> {
  const { address, parameters } = declaredExample(route)
  const get = (at: string) => answerTo(at, service)
  const continued = exampleRequests(route).find(({ isContinued }) => isContinued)
  const cursor = continued ? { cursor: cursorIn(await get(addressOf(route, continued.values)), route) } : {}
  const answer = route.output === null ? {} : { answer: cut(JSON.parse(await get(address))) }
  const files = route.list ? { files: await filesOf(route, get) } : {}
  return { address, parameters: { ...parameters, ...cursor }, ...answer, ...files }
}

/**
 * The answer to the first request as files. A file ends with lines that give its number of rows, and these lines are
 * kept.
 */
async function filesOf(route: Route, get: (address: string) => Promise<string>): Promise<Record<string, string>> {
  const [{ values }] = exampleRequests(route) as [ExampleRequest]
  const fileIn = (format: FileFormat) => get(addressOf(route, { ...values, format }))
  return {
    [MEDIA_TYPES.csv]: csvOnAnyDay(shortened(await fileIn('csv'), 1 + ITEMS_MAX, '#')),
    [MEDIA_TYPES.ndjson]: ndjsonOnAnyDay(shortened(await fileIn('ndjson'), ITEMS_MAX, '{"_end"')),
  }
}

const CELL = /(?:"(?:[^"]|"")*"|[^,"\r\n]*)(?=,|\r\n)/y

/** Replaces the values of columns that depend on the clock, in each row. */
function csvOnAnyDay(file: string): string {
  const [head = '', ...lines] = file.split(/(?<=\n)/)
  const columns = head.trimEnd().split(',')
  if (!columns.some((name) => name in BY_THE_CLOCK)) return file
  return head + lines.map((line) => (line.startsWith('#') ? line : rowOnAnyDay(line, columns))).join('')
}

function rowOnAnyDay(line: string, columns: readonly string[]): string {
  let at = 0
  const cells = columns.map((name) => {
    CELL.lastIndex = at
    const [cell = ''] = CELL.exec(line) ?? []
    at += cell.length + 1
    return BY_THE_CLOCK[name] ?? cell
  })
  return `${cells.join(',')}\r\n`
}

const ndjsonOnAnyDay = (file: string): string =>
  file
    .split(/(?<=\n)/)
    .map((line) => {
      const row = JSON.parse(line) as Record<string, unknown>
      const isOfClock = Object.keys(row).some((name) => name in BY_THE_CLOCK)
      return isOfClock
        ? `${JSON.stringify(Object.fromEntries(Object.entries(row).map(([name, value]) => [name, BY_THE_CLOCK[name] ?? value])))}\n`
        : line
    })
    .join('')

/**
 * Keeps the first `count` lines, and all lines that begin with `end`. Each row is one line, since texts of the sample
 * have no line breaks.
 */
function shortened(file: string, count: number, end: string): string {
  return file
    .split(/(?<=\n)/)
    .filter((line, n) => n < count || line.startsWith(end))
    .join('')
}

async function answerTo(address: string, { send, keys }: ExampleService): Promise<string> {
  const { status, text } = await send(address, { 'x-api-key': keys.own })
  if (status !== 200) throw new Error(`the example ${address} is answered with ${status}: ${text}`)
  return text.replaceAll(keys.ownId, SHOWN_KEY_ID)
}

/** Returns the cursor of the next page. */
export function cursorIn(text: string, { path }: Pick<Route, 'path'>): string {
  const { next_cursor: cursor } = JSON.parse(text) as { next_cursor?: string | null }
  if (!cursor) throw new Error(`the first example of ${path} has one row only, so that nothing follows it`)
  return cursor
}

/** The errors that a client may get, as the service sends them. */
async function errorsOf({ send, sendToBroken, keys }: ExampleService): Promise<Examples['errors']> {
  const own = { 'x-api-key': keys.own }
  const limited = { 'x-api-key': keys.limited }
  for (let sent = 0; sent < LIMIT_DEFAULT; sent++) await send('/filings?limit=1', limited)
  const replies: Record<string, Reply> = {
    400: await send('/filings?from=yesterday', own),
    401: await send('/filings', {}),
    403: await send('/filings', { 'x-api-key': keys.mcp }),
    404: await send('/filing/0000320193-99-999999', own),
    414: await send(`/filings?q=${'a'.repeat(20_000)}`, own),
    429: await send('/filings?limit=1', limited),
    503: await sendToBroken('/filings', own),
  }
  return Object.fromEntries(
    Object.entries(replies).map(([status, reply]) => {
      if (String(reply.status) !== status) throw new Error(`the example of ${status} is answered with ${reply.status}`)
      return [status, JSON.parse(reply.text) as Examples['errors'][string]]
    }),
  )
}

/** Whether the examples fit the declarations of these routes, as far as this can be checked without a service. */
export function areOf(examples: Examples, routes: readonly Route[]): boolean {
  const declared = routes.map((route) => [route.name, declaredExample(route)])
  const held = Object.entries(examples.routes).map(
    ([
      name,
      {
        address,
        parameters: { cursor: _, ...parameters },
      },
    ]) => [name, { address, parameters }],
  )
  return JSON.stringify(declared) === JSON.stringify(held)
}
