/** Handles a request that needs a key, in these steps: key → scopes → bucket → input → run → answer. */
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from 'pino'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { ServedRoute } from '../../declare/catalog.ts'
import { messageOf } from '../../declare/errors.ts'
import { isFeedFormat, isFileFormat } from '../../declare/format.ts'
import type { AdmittingSubmissions, FindSignedIn, KeyContext } from '../../declare/ports.ts'
import { type Bytes, type Context, type Cost, JsonText, Made, type Route } from '../../declare/route.ts'
import { type FeedWanted, feedInput, feedOf, feedWanted } from '../feeds/request.ts'
import { formatFor, wantsMarkdown, wantsStream } from '../files/format.ts'
import type { Input } from '../files/pages.ts'
import { type FileParts, type FileWanted, sendFile } from '../files/send.ts'
import { BELIEVED_MS, type Keyring } from '../keyring.ts'
import { exceeded, type Limiter, rateHeaders } from '../limits.ts'
import type { Readers } from '../readers.ts'
import { type StreamParts, type StreamWanted, sendStream } from '../stream/send.ts'
import { Answer, JSON_TYPE, MARKDOWN_TYPE, send } from './answer.ts'
import type { AnswerCache, Making } from './cache.ts'
import { costOf } from './costs.ts'
import type { FairSemaphore } from './fair-semaphore.ts'
import { inputReader } from './input.ts'
import { asClient, cutTo, linkOf, pageOf } from './next.ts'
import { Run } from './run.ts'
import { type Place, TICKER_SLICES, tickersIn, type Written, withNumbers } from './tickers.ts'

/** The context of requests; each server has one. */
export interface Parts extends FileParts, StreamParts {
  readers: Readers
  /** Slots of the database. */
  slots: FairSemaphore<Cost>
  submissions: AdmittingSubmissions
  /** Slots for fetches from EDGAR, for submissions that are not in the archive. */
  fetches: FairSemaphore<'fetch'>
  now: () => Date
  keys: Keyring
  limiter: Limiter
  signedIn?: FindSignedIn
  cache: AnswerCache<SharedRun>
  /** Maximum number of bytes of cached pages. */
  pageBytes: number
  /** Returns the version of the data of these slices; null while it is unknown. */
  dataVersion: (slugs: readonly string[]) => string | null
  /** Paths of routes that self-serve keys may not use; `*` stands for any characters. */
  selfServeClosed: readonly string[]
  /** Returns why these slices cannot be queried at the moment; null if they can. */
  whyClosed: (slugs: readonly string[]) => string | null
}

/** A run that makes an answer for which other requests may wait, too. */
export interface SharedRun extends Making {
  run: Run
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The id of the request's key; undefined until the key is found. */
    keyId: string | undefined
    /** The route of the catalog; undefined until the handler of the route begins. */
    declared: Route | undefined
  }
}

// `private`, because an answer is only for the holder of the key. `no-cache`, because data changes at ingest: before a
// client uses a stored answer, it must ask whether the answer is still valid.
const CACHE_CONTROL = 'private, no-cache'
/** Values of the header Vary: the request headers on which an answer depends. */
const VARY = 'accept-encoding'
const VARY_LIST = 'accept, accept-encoding'

/**
 * Makes the handler of one route. The handler throws errors, which the server's error handler answers. Long: a request
 * passes through its steps in their order: key, limit, input, cache, answer.
 */
export function handlerOf(route: ServedRoute, parts: Parts) {
  const { keys, limiter, metrics, cache, log, whyClosed } = parts
  const readInput = inputReader(route)
  const tickers = tickersIn(route)
  const version = () => parts.dataVersion(route.reads)
  const vary = route.list || route.markdown ? VARY_LIST : VARY
  const closed = isClosed(route, parts.selfServeClosed)

  // Long: a request passes through its steps in their order: key, limit, input, cache, answer. Branches: each branch is
  // a reason to give a different answer.
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    request.declared = route
    const found = keys.find(presentedKey(request.raw.rawHeaders))
    const key = found instanceof Promise ? await found : found
    if (!key) throw apiError('invalid_api_key')
    request.keyId = key.keyId

    const refusal = refusalOf(route, key, closed)
    const count = refusal ? limiter.peek : limiter.take
    const counted = count(key.keyId, route.bucket, key.limits[route.bucket])
    const allowance = counted instanceof Promise ? await counted : counted
    reply.headers(rateHeaders(allowance))
    if (refusal) throw refusal
    if (!allowance.allowed) {
      metrics.refusal(route.bucket)
      throw exceeded(allowance)
    }
    const why = whyClosed(route.needs)
    if (why !== null) throw apiError('rebuilding', { reason: why })

    const given = { url: request.url, path: request.params as Record<string, string> }
    const known = readInput.remembered(given.url)
    // An address with tickers is never remembered, because its input is read from the address with numbers.
    const written = known ? [] : tickers(given)
    const join = (run: Run) => waitFor(run, key, request, reply)
    const place = written.length === 0 ? given : await numbered(given, written, join, parts)
    const missing = () => nothingAt(route, place.path)
    const read = known ?? readInput(place.url, place.path)
    const { format: requested, chosen, isLimited } = read
    const { accept } = request.headers
    if (route.stream && wantsStream(accept)) {
      return sendStream(
        request,
        reply,
        streamWanted({ route, key, values: read.values, request, closed }, parts),
        parts,
      )
    }
    const markdown = wantsMarkdown(accept) ? route.markdown : undefined
    // A document's own bytes are sent regardless of the header Accept. For such a request, Accept only selects the
    // format of errors.
    const format = route.output === null || markdown ? 'json' : formatFor(route.list, requested, accept)
    const feed = isFeedFormat(format) ? feedWanted(request, format, { chosen, catalog: parts.catalog }) : undefined
    const address = cacheAddress(read.address, { markdown: markdown !== undefined, feed })
    const values = feed ? feedInput(route, read.values, request.url) : read.values
    if (isFileFormat(format)) {
      const make = pageMaker(route, key, request, parts)
      return sendFile(
        request,
        reply,
        { route, keyId: key.keyId, format, values, chosen, isLimited, make, missing },
        parts,
      )
    }
    const cached = route.cached ? cache.cached(address, version) : undefined
    const sent = (answer: Answer) =>
      send(request, reply, answer, CACHE_CONTROL, {
        vary,
        link: answer.linkFor(request.url, (next) => linkOf(route, request, next)),
      })
    if (cached) return sent(cached)

    const wanted = { route, values, chosen, markdown, feed, address, key, request, join }
    if (route.output === null) {
      const bytes = (await begun(wanted, parts).found) as Bytes | null
      if (bytes === null) throw missing()
      return sendBytes(request, reply, bytes, log)
    }
    const answer = await madeAnswer(wanted, parts)
    if (answer === null) throw missing()
    return sent(answer)
  }
}

/**
 * Replaces the tickers in a request by the identifiers that they mean. The lookup takes a slot of the database.
 *
 * @param join registers the client as waiting for the lookup; returns a function that ends the wait
 * @throws HttpError 400 if a ticker is unknown, 503 if the tables of tickers are being rebuilt
 */
export async function numbered(
  place: Place,
  written: readonly Written[],
  join: (run: Run) => () => void,
  { readers, slots, whyClosed }: Pick<Parts, 'readers' | 'slots' | 'whyClosed'>,
): Promise<Place> {
  const why = whyClosed([...new Set(written.flatMap(({ kind }) => TICKER_SLICES[kind]))])
  if (why !== null) throw apiError('rebuilding', { reason: why })
  const run = new Run(readers, (keyIds) => slots.acquire('point', keyIds))
  const leave = join(run)
  return run.answer(() => withNumbers(place, written, run.sql)).finally(leave)
}

/** The parts of a request on which its answer depends. */
export interface ReadRequest {
  route: Route
  values: Input
  chosen: readonly string[] | null
  markdown?: Route['markdown']
  feed?: FeedWanted | undefined
}

/** An answer that has to be made, and the request that waits for it. */
interface AnswerWanted extends ReadRequest {
  route: ServedRoute
  /** The address of the answer in the cache. */
  address: string
  key: KeyContext
  request: Pick<FastifyRequest, 'headers'>
  /** Registers the client as waiting for a run; returns a function that ends the wait. */
  join: (run: Run) => () => void
}

/** Begins a run for a request. */
function begun({ route, values, key, request, join }: Omit<AnswerWanted, 'address'>, parts: Parts) {
  const cost = costOf(route, values)
  const run = new Run(parts.readers, (keyIds) => parts.slots.acquire(cost, keyIds))
  const leave = join(run)
  return { run, leave, found: run.answer(() => route.run(values, contextOf(parts, key, request, run))) }
}

/**
 * Makes an answer that is not in memory. Equal requests at the same time share one run if the answer may be cached.
 * Returns null if the run found nothing.
 */
export function madeAnswer(wanted: AnswerWanted, parts: Parts): Promise<Answer | null> {
  const { route, address, join } = wanted
  const version = () => parts.dataVersion(route.reads)
  const under = route.cached ? parts.cache.inFlight(address, version) : undefined
  if (under) return under.answer.finally(join(under.run))
  const { run, leave, found } = begun(wanted, parts)
  const answer = found
    .then((result) => suggested(result, wanted, run, parts))
    .then((result) => asAnswer(result, wanted))
  if (route.cached) {
    const making = { run, answer, isOver: () => run.isOver, version: () => run.version(route.reads) }
    parts.cache.begin(address, version, making)
  }
  return answer.finally(leave)
}

/** Adds suggestions to a list without rows. The entries of a feed are its rows, so a feed would not show them. */
async function suggested(
  result: unknown,
  { route, values, feed, key, request }: AnswerWanted,
  run: Run,
  parts: Parts,
): Promise<unknown> {
  if (!route.suggest || feed) return result
  const suggest = () => route.suggest!(values, result, contextOf(parts, key, request, run))
  return (await run.addition(suggest)) ?? result
}

/**
 * Returns the address of an answer in the cache. An answer as Markdown or as a feed has its own address. The address of
 * a feed includes the host, because the links in the feed contain the host.
 */
const cacheAddress = (address: string, { markdown, feed }: { markdown: boolean; feed: FeedWanted | undefined }) =>
  markdown ? `${address} as Markdown` : feed ? `${address} as ${feed.format} of ${feed.origin}${feed.self}` : address

interface Streamed {
  route: ServedRoute
  key: KeyContext
  values: Input
  request: FastifyRequest
  closed: boolean
}

/** Returns how the pages of a stream are read, and how its key is checked again. */
export function streamWanted({ route, key, values, request, closed }: Streamed, parts: Parts): StreamWanted {
  const { readers, slots, keys, heartbeatMs } = parts
  const { after: _, limit: __, ...filters } = values
  return {
    ...{ route, values, keyId: key.keyId, address: route.name + JSON.stringify(filters) },
    filter: route.stream!.filterOf(values, parts.catalog),
    begin(make) {
      const run = new Run(readers, (keyIds) => slots.acquire(route.cost, keyIds))
      return { run, start: () => run.answer(() => make(contextOf(parts, key, request, run))) }
    },
    async isAllowed() {
      // The key is checked at each heartbeat, by facts about the key that may be remembered from an earlier query. A
      // revocation must take effect within `BELIEVED_MS`, so the remembered facts must be younger than that time minus
      // the heartbeat.
      const found = await keys.find(presentedKey(request.raw.rawHeaders), BELIEVED_MS - heartbeatMs)
      return found !== null && refusalOf(route, found, closed) === undefined
    },
  }
}

/** Returns a function that makes the pages of a file. Each page has its own run. */
export function pageMaker(route: Route, key: KeyContext, request: FastifyRequest, parts: Parts): FileWanted['make'] {
  return async (values, cost, signal) => {
    const run = new Run(parts.readers, (keyIds) => parts.slots.acquire(cost, keyIds))
    const leave = run.joinUntil(key.keyId, signal)
    try {
      return await run.answer(() => route.run(values, contextOf(parts, key, request, run)))
    } finally {
      leave()
    }
  }
}

/**
 * Registers a client as waiting for a run, until the client hangs up. The run is stopped when all its waiting clients
 * have hung up.
 *
 * @returns a function that removes the listener after the answer, since a reply may wait for several runs
 */
export function waitFor(run: Run, { keyId }: KeyContext, request: FastifyRequest, reply: FastifyReply): () => void {
  const leave = run.join(keyId)
  // A page waits for up to twenty runs at once, and Node warns from the eleventh listener on.
  reply.raw.setMaxListeners(LISTENERS_MAX).on('close', leave)
  if (request.raw.socket.destroyed) leave()
  return () => reply.raw.off('close', leave)
}

/** If one response has more listeners than this, there is a leak. */
const LISTENERS_MAX = 40

/**
 * The key in `Authorization: Bearer` or `X-Api-Key`. It is read from the raw headers: Node drops a second
 * Authorization, and joins a second X-Api-Key to the first.
 *
 * @throws HttpError 401 if there is no key, 400 if there are two different keys, since it is then unclear whose request
 * it is
 */
export function presentedKey(rawHeaders: readonly string[]): string {
  let key: string | undefined
  let from = ''
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i]!
    const found = keyIn(name, rawHeaders[i + 1]!)
    if (found === undefined || found === key) continue
    if (key !== undefined) {
      throw apiError('conflicting_api_keys', { headers: from === name ? name : `${from} and ${name}` })
    }
    key = found
    from = name
  }
  if (key !== undefined) return key
  throw apiError('missing_api_key')
}

/**
 * Returns the key in a header, if it has one. Compares lengths first, since few headers have names as long as these
 * two.
 */
function keyIn(name: string, value: string): string | undefined {
  if (name.length === 'x-api-key'.length && name.toLowerCase() === 'x-api-key') return value
  if (name.length === 'authorization'.length && name.toLowerCase() === 'authorization') {
    return /^bearer +(\S+)$/i.exec(value)?.[1]
  }
  return undefined
}

export function refusalOf(route: Route, key: KeyContext, closed: boolean): HttpError | undefined {
  const lacking = route.scopes.filter((scope) => !key.scopes.includes(scope))
  if (lacking.length > 0) {
    return apiError('missing_scope', { lacking: lacking.join(' and '), scopes: key.scopes.join(', ') || 'none' })
  }
  if (closed && key.selfServe) return apiError('endpoint_closed')
  return undefined
}

/** Whether self-serve keys may not use the route. */
export const isClosed = ({ path }: Route, patterns: readonly string[]): boolean =>
  patterns.some((pattern) => matches(pattern, path))

/**
 * Whether a path of the catalog matches a pattern of `selfServeClosed`. `/adv/rep/*` closes everything below
 * `/adv/rep/`.
 */
function matches(pattern: string, path: string): boolean {
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${source.join('.*')}$`).test(path)
}

export function contextOf(
  { now, catalog, submissions, fetches, whyClosed }: Parts,
  key: KeyContext,
  request: Pick<FastifyRequest, 'headers'>,
  run: Run,
): Context {
  const admitted = submissions.admittedBy((look) => run.holding(fetches, 'fetch', look))
  const isOpen = (slug: string) => whyClosed([slug]) === null
  const headers = request.headers as Context['headers']
  return { sql: run.sql, now: now(), key, catalog, submissions: admitted, headers, isOpen }
}

/** Makes the answer to send from the result of `run`; null if `run` found nothing. */
export function asAnswer(result: unknown, { route, values, chosen, markdown, feed }: ReadRequest): Answer | null {
  if (result === null || result === undefined) return null
  if (result instanceof Made && !feed) return new Answer(result.body, result.type, { etag: result.etag })
  if (markdown) return new Answer(markdown(result as never), MARKDOWN_TYPE)
  if (result instanceof JsonText && !chosen && !feed) return new Answer(result.text)
  if (feed) return feedOf(route, feed, asClient(route, result, values, null))
  const plain: unknown = result instanceof JsonText ? JSON.parse(result.text) : result
  const cut = route.list ? cutTo(route.list, plain, chosen) : plain
  const { answer, next } = pageOf(route, values, cut)
  return new Answer(JSON.stringify(answer), JSON_TYPE, next ? { next } : {})
}

/** Path parameters with identifiers that the search finds, whatever kind of thing they identify. */
const SEARCHED = ['cik', 'crd', 'cusip', 'series', 'indvlPk']

/**
 * Makes the 404 of a route that found nothing. An id often identifies a thing of another kind (the CIK of a company that
 * is not a broker, a CIK in place of a CRD number), so the error leads to the search, which knows all kinds.
 */
export function nothingAt(route: Route, path: Readonly<Record<string, string>>): HttpError {
  const names = Array.from(route.path.matchAll(/\{(\w+)\}/g), ([, name]) => name!)
  const named = names.map((name) => `${name} ${path[name]}`).join(', ')
  const searched = names.find((name) => SEARCHED.includes(name))
  const error = apiError('not_found', { detail: named === '' ? '' : `: ${named}` })
  return searched === undefined ? error : error.searching(path[searched]!)
}

/**
 * Sends a document unchanged, with its own type. The document is not compressed, so byte ranges refer to its own bytes.
 */
export function sendBytes(request: FastifyRequest, reply: FastifyReply, bytes: Bytes, log: Logger): FastifyReply {
  const { status = 200, headers, body } = bytes
  reply.code(status).headers(headers)
  if (body instanceof Readable) {
    body.on('error', (error) =>
      log.warn({ reqId: request.id, reason: messageOf(error) }, 'the answer with a document was interrupted'),
    )
    if (request.method === 'HEAD') body.destroy()
  }
  const bodiless = status === 304 || (request.method === 'HEAD' && body instanceof Readable)
  return bodiless ? reply.send() : reply.send(body)
}
