/**
 * Answers the requests of pages. A page calls a route of the catalog within this process, with the key of the page's
 * reader. The same scopes, limits and slots apply as to a request of the API.
 */
import { timingSafeEqual } from 'node:crypto'
import { isIPv6 } from 'node:net'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import type { Entity } from '../../declare/column.ts'
import type { FileFormat } from '../../declare/format.ts'
import { slugsOf } from '../../declare/leads.ts'
import type { KeyContext } from '../../declare/ports.ts'
import type { Bytes, Next } from '../../declare/route.ts'
import { sendFile } from '../files/send.ts'
import { type Allowance, exceeded } from '../limits.ts'
import { sendStream } from '../stream/send.ts'
import { type Absent, absentAmong, type Sources, sourcesOf } from './absent.ts'
import type { Answer } from './answer.ts'
import { type AnswerCache, answerCache } from './cache.ts'
import { costOf } from './costs.ts'
import { failureOf } from './failure.ts'
import { type InputReader, inputReader } from './input.ts'
import { readAnswer } from './next.ts'
import {
  contextOf,
  isClosed,
  madeAnswer,
  nothingAt,
  numbered,
  type Parts,
  pageMaker,
  refusalOf,
  sendBytes,
  streamWanted,
  waitFor,
} from './request.ts'
import { Run } from './run.ts'
import { type Place, tickersIn } from './tickers.ts'
import { VISITOR } from './visitor.ts'

/** The cookie that holds the key of a browser. */
const COOKIE = 'openfilings_key'
/** Requests a minute that one IP address may send without a key if pages are public. */
const PUBLIC = { search: 60, general: 240 }
/** How many keys and sign-ins together one IP address may try in a minute. */
const TRIES = 20
/** How long a pass is valid. Ten minutes are enough, since the browser requests the document immediately. */
const PASS_MS = 10 * 60_000

export interface PageAnswer {
  /** The answer in the form that a client gets by parsing the JSON. */
  answer: unknown
  /** Parameters of the next page; null on the last page, and for an answer without pages. */
  next: Next | null
}

/** The reader of a page. */
export interface Reader {
  key: KeyContext
  /** The name under which requests are counted: the id of the key, or a name with the network address of a visitor. */
  countedAs: string
}

export interface PageQuery {
  request: FastifyRequest
  reply: FastifyReply
  /** Path and query; only the query is read. */
  url: string
  /** Parameters of the path. */
  path: Readonly<Record<string, string>>
  /** The rate bucket that counts the request, if it differs from the bucket of the route. */
  bucket?: ServedRoute['bucket']
}

/** How a page is made. */
export interface PageMade {
  /** Slugs of the slices whose data the page shows; null if the page must not be cached. */
  reads: readonly string[] | null
  /** Makes the page, and states whether the page may be cached. */
  make(): Promise<{ answer: Answer; isCacheable: boolean }>
}

export class PageRequests {
  readonly catalog: Catalog
  readonly #parts: Parts
  readonly #isPublic: boolean
  readonly #inputs = new Map<ServedRoute, InputReader>()
  readonly #tickers = new Map<ServedRoute, ReturnType<typeof tickersIn>>()
  readonly #sources = new Map<string, Sources | null>()
  readonly #pages: AnswerCache

  /** @param isPublic whether a reader without a key may read pages */
  constructor(parts: Parts, isPublic: boolean) {
    this.catalog = parts.catalog
    this.#parts = parts
    this.#isPublic = isPublic
    this.#pages = answerCache({ bytesMax: parts.pageBytes, onOutcome: () => {} })
  }

  /**
   * Returns the reader of a page: the owner of the key in the browser's cookie. If the cookie has no valid key, the
   * reader is the signed-in person, with the key of that person's account. If nobody is signed in either, the reader is
   * a visitor if pages are public, else null.
   */
  async readerOf(request: FastifyRequest): Promise<Reader | null> {
    const text = cookieOf(request.headers.cookie)
    const key = (text === null ? null : await this.#parts.keys.find(text)) ?? (await this.#keyOfPerson(request))
    if (key) return { key, countedAs: key.keyId }
    return this.#isPublic ? this.#visitor(request) : null
  }

  async #keyOfPerson({ headers }: FastifyRequest): Promise<KeyContext | null> {
    const person = await this.#parts.signedIn?.(headers.cookie)
    return person?.keyId ? this.#parts.keys.owner(person.keyId) : null
  }

  /** Returns the state of both buckets of a key, without counting a request. */
  async allowances({ keyId, limits }: Pick<KeyContext, 'keyId' | 'limits'>): Promise<Allowance[]> {
    const { limiter } = this.#parts
    return Promise.all((['search', 'general'] as const).map((bucket) => limiter.peek(keyId, bucket, limits[bucket])))
  }

  /** Path patterns that self-serve keys may not use. */
  get selfServeClosed(): readonly string[] {
    return this.#parts.selfServeClosed
  }

  /**
   * Makes a pass with which the reader may fetch one address without cookie or key, for ten minutes. Returns an empty
   * text for a visitor, who needs no pass.
   */
  async passFor({ key }: Reader, address: string): Promise<string> {
    const until = String(this.#parts.now().getTime() + PASS_MS)
    const signed = await this.#parts.keys.signed(key.keyId, passText(address, until))
    return signed ? `${key.keyId}.${until}.${signed.signature}` : ''
  }

  /**
   * Returns the reader who has a pass for the address, else a visitor if pages are public, else null. Ignores cookies.
   */
  async readerByPass(request: FastifyRequest, address: string, pass: string): Promise<Reader | null> {
    const [keyId = '', until = '', given = ''] = pass.split('.')
    const isOver = !/^\d{13}$/.test(until) || Number(until) < this.#parts.now().getTime()
    const signed = isOver ? null : await this.#parts.keys.signed(keyId, passText(address, until))
    if (signed && isSame(signed.signature, given)) return { key: signed.owner, countedAs: keyId }
    return this.#isPublic ? this.#visitor(request) : null
  }

  #visitor(request: FastifyRequest): Reader {
    return { key: { ...VISITOR, limits: PUBLIC }, countedAs: `visitor ${networkOf(request.ip)}` }
  }

  /** Returns why a request has no reader: no key, an invalid key, or a person whose account has no key. */
  async refusalOf({ headers }: FastifyRequest): Promise<HttpError> {
    if (await this.#parts.signedIn?.(headers.cookie)) return apiError('account_without_key')
    return apiError(cookieOf(headers.cookie) ? 'invalid_api_key' : 'missing_api_key')
  }

  /** Whether the key is valid. @throws HttpError 429 if the IP address has tried too many keys */
  async isValid(request: FastifyRequest, text: string): Promise<boolean> {
    await this.countTry(request)
    return (await this.#parts.keys.find(text)) !== null
  }

  /** Counts an attempt to enter a key or sign in. @throws HttpError 429 if the IP address has made too many */
  async countTry({ ip }: FastifyRequest): Promise<void> {
    const tried = await this.#parts.limiter.take(`tries ${networkOf(ip)}`, 'general', TRIES)
    if (!tried.allowed) throw exceeded(tried)
  }

  /**
   * Calls a route for a reader. Takes the answer from the API's cache. If the cache does not have it, makes the answer,
   * and stores it in the cache if the route is cached. So if a page has several lists, only the lists whose data
   * changed are read again.
   *
   * @param asked.isPart whether the request was already counted with the page
   * @throws HttpError, including 404 if the route finds nothing
   */
  async ask(reader: Reader, route: ServedRoute, query: PageQuery & { isPart?: boolean }): Promise<PageAnswer> {
    const { request, reply, isPart, bucket } = query
    await this.#admit(reader, route, request, { isPart, bucket })
    const { cache, dataVersion } = this.#parts
    const { url, path } = await this.#placeOf(reader, route, query)
    const { values, chosen, address } = this.#inputOf(route, url, path)
    const cached = route.cached ? cache.cached(address, () => dataVersion(route.reads)) : undefined
    const wanted = {
      route,
      values,
      chosen,
      address,
      key: reader.key,
      request,
      join: (run: Run) => waitFor(run, reader.key, request, reply),
    }
    const answer = cached ?? (await madeAnswer(wanted, this.#parts))
    if (answer === null) throw nothingAt(route, path)
    return readAnswer(route, values, answer)
  }

  /**
   * Returns the parameters of a path with identifiers in place of tickers; returns the same object if the path has no
   * tickers. The lookup of a ticker counts as a request.
   *
   * @throws HttpError 400 if a ticker is unknown or ambiguous
   */
  async pathOf(reader: Reader, route: ServedRoute, query: PageQuery): Promise<PageQuery['path']> {
    const { path, request } = query
    if (this.#tickersOf(route)({ url: '/', path }).length === 0) return path
    await this.#admit(reader, route, request)
    return (await this.#placeOf(reader, route, { ...query, url: '/' })).path
  }

  /** Returns the number of the newest event of a route. The route must have a stream. */
  async newestOf({ key }: Reader, { stream }: ServedRoute, { request, reply }: PageQuery): Promise<number> {
    const { readers, slots } = this.#parts
    const run = new Run(readers, (keyIds) => slots.acquire('point', keyIds))
    const end = waitFor(run, key, request, reply)
    return run.answer(() => stream!.newest(contextOf(this.#parts, key, request, run).sql)).finally(end)
  }

  /**
   * Returns the identifiers for which routes find no row, by kind of thing. Each route has one identifier in its path.
   * Returns no identifiers for a route that does not declare where its rows are found (`leads`), or whose tables are
   * being rebuilt.
   */
  async absentOf(
    { key }: Reader,
    asked: readonly { entity: Entity; route: ServedRoute; numbers: readonly string[] }[],
    { request, reply }: Pick<PageQuery, 'request' | 'reply'>,
  ): Promise<Absent> {
    const { readers, slots, whyClosed } = this.#parts
    const wanted = asked.flatMap(({ entity, route, numbers }) => {
      const sources = numbers.length > 0 ? this.#sourcesOf(route, entity) : null
      const isAsked = sources !== null && whyClosed(route.needs) === null
      return isAsked ? [{ entity, numbers, sources }] : []
    })
    if (wanted.length === 0) return {}
    const run = new Run(readers, (keyIds) => slots.acquire('point', keyIds))
    const end = waitFor(run, key, request, reply)
    const { sql } = contextOf(this.#parts, key, request, run)
    const find = async ({ entity, numbers, sources }: (typeof wanted)[number]) =>
      [entity, await absentAmong(sql, entity, numbers, sources)] as const
    return run.answer(async () => Object.fromEntries(await Promise.all(wanted.map(find)))).finally(end)
  }

  /** The slices in whose rows `absentOf` looks for identifiers of a kind. */
  absentReads(route: ServedRoute, entity: Entity): readonly string[] {
    return (this.#sourcesOf(route, entity) ?? []).flat().flatMap(slugsOf)
  }

  /**
   * Returns where the rows about a thing are found. The result is remembered by route, since finding the columns of all
   * tables takes 5 ms.
   */
  #sourcesOf(route: ServedRoute, entity: Entity): Sources | null {
    const address = `${entity} ${route.path}`
    const known = this.#sources.get(address)
    if (known !== undefined) return known
    const found = sourcesOf(route, entity, this.catalog)
    this.#sources.set(address, found)
    return found
  }

  /**
   * Counts a request for a page. Then makes the page, or returns the cached page if its data has not changed.
   *
   * @throws HttpError, or the error of `make`
   */
  async page(reader: Reader, route: ServedRoute, request: FastifyRequest, { reads, make }: PageMade): Promise<Answer> {
    await this.#admit(reader, route, request)
    if (reads === null) return (await make()).answer
    const { scopes, selfServe } = reader.key
    // Readers with different rights see different lists on a page.
    const address = JSON.stringify([[...scopes].sort(), selfServe, request.url])
    const version = () => this.#parts.dataVersion(reads)
    const cached = this.#pages.cached(address, version)
    if (cached) return cached
    // Another request may already be making this page. If the reader of that request hangs up, the making stops, and
    // this request makes the page itself.
    const shared = await this.#pages.inFlight(address, version)?.answer.catch(() => null)
    if (shared) return shared
    const made = make()
    const answer = made.then(({ answer, isCacheable }) => (isCacheable ? answer : null))
    // `made` already reports an error, so `answer` ignores it here.
    answer.catch(() => {})
    this.#pages.begin(address, version, { answer, isOver: () => false, version: () => undefined })
    return (await made).answer
  }

  /** Sends all rows of a list as a file. @throws HttpError before the first byte of the file */
  async sendFile(reader: Reader, route: ServedRoute, query: PageQuery, format: FileFormat): Promise<void> {
    const { request, reply } = query
    await this.#admit(reader, route, request)
    const { url, path } = await this.#placeOf(reader, route, query)
    const { values, chosen, isLimited } = this.#inputOf(route, url, path)
    const make = pageMaker(route, reader.key, request, this.#parts)
    const missing = () => nothingAt(route, path)
    const { keyId } = reader.key
    await sendFile(request, reply, { route, keyId, format, values, chosen, isLimited, make, missing }, this.#parts)
  }

  /**
   * Sends a stream of a list to a page. The stream counts as one of the reader's streams, and ends when the reader's
   * key is no longer valid.
   *
   * @throws HttpError whenever `ask` does
   */
  async sendStream(reader: Reader, route: ServedRoute, { request, reply, url, path }: PageQuery): Promise<void> {
    await this.#admit(reader, route, request)
    const { values } = this.#inputOf(route, url, path)
    const closed = isClosed(route, this.#parts.selfServeClosed)
    const wanted = streamWanted({ route, key: reader.key, values, request, closed }, this.#parts)
    const isAllowed = async () => {
      const found = await this.readerOf(request)
      return found !== null && refusalOf(route, found.key, closed) === undefined
    }
    return sendStream(request, reply, { ...wanted, keyId: reader.countedAs, isAllowed }, this.#parts)
  }

  /**
   * Sends bytes of a document. The given headers replace headers of the document that have the same names. @throws
   * HttpError whenever `ask` does
   */
  async sendDocument(
    reader: Reader,
    route: ServedRoute,
    { request, reply, url, path }: PageQuery,
    headers: Record<string, string>,
  ): Promise<unknown> {
    await this.#admit(reader, route, request)
    const { values } = this.#inputOf(route, url, path)
    const make = pageMaker(route, reader.key, request, this.#parts)
    const over = new AbortController()
    reply.raw.on('close', () => over.abort())
    const bytes = (await make(values, costOf(route, values), over.signal)) as Bytes | null
    if (bytes === null) throw nothingAt(route, path)
    return sendBytes(request, reply, { ...bytes, headers: { ...bytes.headers, ...headers } }, this.#parts.log)
  }

  /** Returns the error with which the API would answer. An error of our own code is logged. */
  failureOf(thrown: unknown, { id }: FastifyRequest): HttpError {
    const failure = failureOf(thrown, id)
    if (failure.status === 500) this.#parts.log.error({ reqId: id, code: failure.code, err: thrown }, 'request failed')
    return failure
  }

  /**
   * @throws HttpError if the reader may not use the route or used it too often, or if tables of the route are being
   * rebuilt
   */
  async #admit(
    { key, countedAs }: Reader,
    route: ServedRoute,
    request: FastifyRequest,
    {
      isPart = false,
      bucket = route.bucket,
    }: { isPart?: boolean | undefined; bucket?: ServedRoute['bucket'] | undefined } = {},
  ): Promise<void> {
    const { limiter, metrics, whyClosed, selfServeClosed } = this.#parts
    request.keyId = key.keyId
    const refusal = refusalOf(route, key, isClosed(route, selfServeClosed))
    if (refusal) throw refusal
    const counted = isPart ? null : await limiter.take(countedAs, bucket, key.limits[bucket])
    if (counted && !counted.allowed) {
      metrics.refusal(bucket)
      throw exceeded(counted)
    }
    const why = whyClosed(route.needs)
    if (why !== null) throw apiError('rebuilding', { reason: why })
  }

  /** Returns the address and the path with identifiers instead of tickers. */
  async #placeOf({ key }: Reader, route: ServedRoute, { request, reply, url, path }: PageQuery): Promise<Place> {
    const written = this.#tickersOf(route)({ url, path })
    if (written.length === 0) return { url, path }
    return numbered({ url, path }, written, (run) => waitFor(run, key, request, reply), this.#parts)
  }

  #tickersOf(route: ServedRoute): ReturnType<typeof tickersIn> {
    const find = this.#tickers.get(route) ?? tickersIn(route)
    this.#tickers.set(route, find)
    return find
  }

  #inputOf(route: ServedRoute, url: string, path: PageQuery['path']): ReturnType<InputReader> {
    const read = this.#inputs.get(route) ?? inputReader(route)
    this.#inputs.set(route, read)
    // The input reader caches inputs by address, so the address must include the parameters of the path.
    const mark = url.indexOf('?')
    return read(`${encodeURIComponent(JSON.stringify(path))}${mark < 0 ? '' : url.slice(mark)}`, path)
  }
}

const passText = (address: string, until: string) => `document ${address} until ${until}`

function isSame(signature: string, given: string): boolean {
  const [a, b] = [Buffer.from(signature), Buffer.from(given)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Returns the key in the header Cookie; null if there is none. */
function cookieOf(header: string | undefined): string | null {
  for (const part of header?.split(';') ?? []) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === COOKIE) return part.slice(at + 1).trim()
  }
  return null
}

/**
 * Returns the header Set-Cookie that keeps a key in the browser, only for the host name of the request. No script can
 * read the cookie, and no other site can make the browser send it.
 *
 * @param key null to forget the key
 */
export function keyCookie(key: string | null, isSecure: boolean): string {
  const age = key === null ? 0 : 365 * 24 * 60 * 60
  return `${COOKIE}=${key ?? ''}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`
}

/**
 * Returns the address under which a visitor is counted. For IPv6, this is the address of the network, since one
 * household has 2^64 addresses.
 */
export function networkOf(ip: string): string {
  if (!isIPv6(ip) || ip.startsWith('::ffff:')) return ip
  const [head = '', tail] = ip.split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail ? tail.split(':') : []
  const zeros = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0')
  return [...before, ...zeros, ...after].slice(0, 4).join(':')
}
