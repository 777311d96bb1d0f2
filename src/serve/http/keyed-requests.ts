/**
 * Answers requests that are made within this process with the key of a client. For example, src/mcp calls routes of the
 * catalog for its clients. The limits and slots of the client's key apply to such a request, and it uses the same cache
 * of answers as a request of the API.
 */
import type { IncomingMessage } from 'node:http'
import { apiError, type HttpError } from '../../declare/api-errors.ts'
import type { Catalog, ServedRoute } from '../../declare/catalog.ts'
import type { KeyContext } from '../../declare/ports.ts'
import type { Next } from '../../declare/route.ts'
import type { Scope } from '../../declare/scopes.ts'
import { exceeded } from '../limits.ts'
import type { Answer } from './answer.ts'
import { failureOf } from './failure.ts'
import { PARAMETER_LENGTH_MAX } from './framework.ts'
import { type InputReader, inputReader, tooLong } from './input.ts'
import { isClosed, madeAnswer, nothingAt, numbered, type Parts, presentedKey } from './request.ts'
import { type Match, matcherOf } from './route-of.ts'
import type { Run } from './run.ts'
import { type Place, tickersIn } from './tickers.ts'

/** The JSON of an answer. `next` has the parameters of the next page, and is null on the last page. */
export interface KeyedAnswer {
  /** The JSON in UTF-8. All requests for the answer share this buffer. */
  body: Buffer
  /** An object that stays the same as long as the answer does; null if the answers of the route are not cached. */
  source: object | null
  next: Next | null
  /** Whether the data is the bundled sample, part of which is invented. */
  isSample: boolean
}

interface Caller {
  key: KeyContext
  /** Aborts when the client closes the connection. The statements of the client's requests are then stopped. */
  signal: AbortSignal
}

/** Messages that every key may send in a minute, whatever its request limits are. */
const MESSAGES_MIN = 60
/**
 * Additional messages in a minute for each request that the key may send. There are two, so that messages that lead to
 * no request have room too, such as a call of a tool with wrong arguments.
 */
const MESSAGES_A_REQUEST = 2

export class KeyedRequests {
  readonly catalog: Catalog
  readonly #parts: Parts
  readonly #scope: Scope
  readonly #isSample: () => boolean
  readonly #inputs = new Map<ServedRoute, InputReader>()
  readonly #tickers = new Map<ServedRoute, ReturnType<typeof tickersIn>>()
  readonly #match: (address: string) => Match | null

  /** @param scope the scope that a key needs here, instead of the scope `api` */
  constructor(parts: Parts, scope: Scope, isSample: () => boolean) {
    this.#isSample = isSample
    this.catalog = parts.catalog
    this.#parts = parts
    this.#scope = scope
    this.#match = matcherOf(parts.catalog.routes)
  }

  /**
   * Returns the key of a request.
   *
   * @throws HttpError 401 without a valid key, 400 with two different keys, 403 if the key lacks the scope. The errors
   *   401 and 403 have the header WWW-Authenticate that RFC 6750 asks for
   */
  async keyOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): Promise<KeyContext> {
    const key = await this.#parts.keys.find(presentedKey(rawHeaders))
    if (!key) throw apiError('invalid_api_key', {}, { 'www-authenticate': 'Bearer error="invalid_token"' })
    if (key.scopes.includes(this.#scope)) return key
    throw apiError(
      'missing_scope',
      { lacking: this.#scope, scopes: key.scopes.join(', ') || 'none' },
      { 'www-authenticate': `Bearer error="insufficient_scope", scope="${this.#scope}"` },
    )
  }

  /**
   * Counts a message of a client, even if the message calls no route: an answer such as the list of tools with their
   * schemas takes time of this process, too.
   *
   * @throws HttpError 429 if the key sent more messages in a minute than its request limits allow
   */
  async countMessage({ keyId, limits }: KeyContext): Promise<void> {
    const limit = MESSAGES_MIN + MESSAGES_A_REQUEST * (limits.search + limits.general)
    const counted = await this.#parts.limiter.take(`messages ${keyId}`, 'general', limit)
    if (!counted.allowed) throw exceeded(counted)
  }

  /**
   * Returns the error with which the API would answer. An error of our own code is logged under the id of the request.
   */
  failureOf(thrown: unknown, requestId: string): HttpError {
    const failure = failureOf(thrown, requestId)
    const { status, code } = failure
    if (status === 500) this.#parts.log.error({ reqId: requestId, code, err: thrown }, 'request failed')
    return failure
  }

  /**
   * Requests an address, which is given without the version, such as `/brokers?q=goldman`. This counts as one request
   * of the key.
   *
   * @throws HttpError as the API would answer, including 404
   */
  async ask({ key, signal }: Caller, address: string): Promise<KeyedAnswer> {
    assertShort(address)
    const found = this.#match(address)
    if (!found || found.route.output === null) throw apiError('unknown_endpoint')
    const { route, path } = found
    await this.#admit(key, route)
    const place = await this.#placeOf({ key, signal }, route, { url: address, path })
    const answer = await this.#answer({ key, signal }, { route, path: place.path }, place.url)
    if (answer === null) throw nothingAt(route, place.path)
    const source = route.cached ? answer : null
    return { body: answer.body, source, next: answer.next ?? null, isSample: this.#isSample() }
  }

  /**
   * @throws HttpError if the key may not use the route or has used it too often, or if tables of the route are being
   * rebuilt
   */
  async #admit(key: KeyContext, route: ServedRoute): Promise<void> {
    const { limiter, metrics, whyClosed, selfServeClosed } = this.#parts
    const lacking = route.scopes.filter((scope) => scope !== 'api' && !key.scopes.includes(scope))
    if (lacking.length > 0) {
      throw apiError('missing_scope', { lacking: lacking.join(' and '), scopes: key.scopes.join(', ') })
    }
    if (key.selfServe && isClosed(route, selfServeClosed)) throw apiError('endpoint_closed')
    const counted = await limiter.take(key.keyId, route.bucket, key.limits[route.bucket])
    if (!counted.allowed) {
      metrics.refusal(route.bucket)
      throw exceeded(counted)
    }
    const why = whyClosed(route.needs)
    if (why !== null) throw apiError('rebuilding', { reason: why })
  }

  /** Returns the address and the path with identifiers instead of tickers. */
  async #placeOf({ key, signal }: Caller, route: ServedRoute, place: Place): Promise<Place> {
    const find = this.#tickers.get(route) ?? tickersIn(route)
    this.#tickers.set(route, find)
    const written = find(place)
    if (written.length === 0) return place
    return numbered(place, written, (run) => run.joinUntil(key.keyId, signal), this.#parts)
  }

  /** Returns the cached answer. If there is none, makes the answer, and shares the computation with equal requests. */
  async #answer({ key, signal }: Caller, { route, path }: Match, url: string): Promise<Answer | null> {
    const { cache, dataVersion } = this.#parts
    const { values, address, chosen } = this.#inputOf(route)(url, path)
    const cached = route.cached ? cache.cached(address, () => dataVersion(route.reads)) : undefined
    const join = (run: Run) => run.joinUntil(key.keyId, signal)
    return cached ?? madeAnswer({ route, values, chosen, address, key, request: { headers: {} }, join }, this.#parts)
  }

  #inputOf(route: ServedRoute): InputReader {
    const reader = this.#inputs.get(route) ?? inputReader(route)
    this.#inputs.set(route, reader)
    return reader
  }
}

/** @throws HttpError 414 if the address is too long. The router of the API answers such an address in the same way */
function assertShort(address: string): void {
  const refusal = tooLong(address)
  if (refusal) throw refusal
  const [path = ''] = address.split('?', 1)
  if (path.split('/').some((part) => part.length > PARAMETER_LENGTH_MAX))
    throw apiError('path_part_too_long', { max: PARAMETER_LENGTH_MAX })
}
