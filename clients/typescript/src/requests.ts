import type { CachedAnswer } from './cache.ts'
import { Deadline } from './deadline.ts'
import { OpenFilingsError } from './errors.ts'
import { authorization, type ClientOptions, type RequestOptions, type Settings, settingsOf } from './options.ts'
import { retryAfterMs, retryWait } from './retry.ts'
import { VERSION } from './version.ts'

/** The parsed body of an answer. */
export interface Answer {
  body: unknown
  /**
   * Address of the next page, relative to the address of the service: `/v1/filings?cursor=…`; null on the last page.
   */
  next: string | null
}

/** An answer whose body is not read yet. Whoever reads the body ends the deadline. */
export interface Opened {
  response: Response
  url: string
  deadline: Deadline
}

export interface Wanted extends RequestOptions {
  /** Path with its query below `/v1`: `/filings?limit=2`. */
  path: string
  accept: string
  headers?: Readonly<Record<string, string>>
}

const ERROR_BYTES_MAX = 64 * 1024

/** Sends requests, and repeats those that may succeed later. All methods of a client share one instance. */
export class Requests {
  readonly settings: Settings
  readonly #authorization: string
  /** Compression is left out where it saves nothing. */
  readonly #encoding: Readonly<Record<string, string>>

  constructor(options: ClientOptions) {
    // A program without types may leave the options out.
    this.#authorization = authorization((options as ClientOptions | undefined)?.apiKey)
    this.settings = settingsOf(options)
    this.#encoding = isThisMachine(this.settings.baseUrl) ? { 'accept-encoding': 'identity' } : {}
  }

  /**
   * Returns the JSON of a path below `/v1`.
   *
   * @param onNext called with the path of the next page when the headers have arrived, before the body; again if the
   *   request is repeated
   * @throws OpenFilingsError
   */
  json(path: string, options: RequestOptions = {}, onNext?: (next: string | null) => void): Promise<Answer> {
    const cached = this.settings.cache?.get(this.urlOf(path))
    const headers = cached ? { 'if-none-match': cached.etag } : {}
    const wanted = { ...options, path, accept: 'application/json', headers }
    return this.#repeated(options.signal, async () => {
      const opened = await this.#send(wanted)
      try {
        const answer = await this.#answerOf(opened, cached, onNext)
        opened.deadline.end()
        return answer
      } catch (error) {
        const failure = failureOf(error, opened)
        opened.deadline.abort()
        throw failure
      }
    })
  }

  /**
   * Returns an answer of another kind as soon as its headers are there.
   *
   * @param isRepeated whether a failed request is sent again
   * @throws OpenFilingsError
   */
  open(wanted: Wanted, isRepeated = true): Promise<Opened> {
    return isRepeated ? this.#repeated(wanted.signal, () => this.#send(wanted)) : this.#send(wanted)
  }

  urlOf(path: string): string {
    return `${this.settings.baseUrl}/v1${path}`
  }

  /**
   * Returns the path below `/v1` of an address that the service sent.
   *
   * @throws OpenFilingsError `invalid_answer` if the address leads to another host, which must not get the key
   */
  pathOf(address: string, url: string): string {
    if (!/^\/v1\/(?!\/)[^\\\s#]*$/.test(address) || /(?:^|\/)\.{1,2}(?:[/?]|$)/.test(address)) {
      throw new OpenFilingsError(
        `the link to the next page leads to another place than /v1: ${address.slice(0, 200)}`,
        {
          code: 'invalid_answer',
          url,
        },
      )
    }
    return address.slice('/v1'.length)
  }

  async #repeated<T>(signal: AbortSignal | undefined, attempt: () => Promise<T>): Promise<T> {
    const { retries, maxWaitMs, clock, onRetry } = this.settings
    for (let failures = 1; ; failures++) {
      try {
        return await attempt()
      } catch (error) {
        if (!(error instanceof OpenFilingsError)) throw error
        const waitMs = retryWait(error, failures, { retries, maxWaitMs, random: () => clock.random() })
        if (waitMs === null) throw error
        onRetry?.({ error, attempt: failures, waitMs })
        await clock.wait(waitMs, anyOf([signal, this.settings.signal]))
      }
    }
  }

  async #send({ path, accept, headers, signal, timeoutMs }: Wanted): Promise<Opened> {
    const url = this.urlOf(path)
    const deadline = new Deadline(timeoutMs ?? this.settings.timeoutMs, [signal, this.settings.signal])
    try {
      deadline.aborted?.throwIfAborted()
      const response = await this.settings.fetch(url, {
        headers: {
          authorization: this.#authorization,
          accept,
          ...this.#encoding,
          'user-agent': `openfilings-client/${VERSION}`,
          ...headers,
        },
        signal: deadline.signal,
        // The header with the key would go to the other address too.
        redirect: 'manual',
      })
      if (response.status !== 304 && !response.ok) throw await this.#errorOf(response, url)
      this.#report(response, url)
      return { response, url, deadline }
    } catch (error) {
      deadline.abort()
      throw failureOf(error, { url, deadline })
    }
  }

  #report(response: Response, url: string): void {
    this.settings.onAnswer?.({
      url,
      status: response.status,
      requestId: response.headers.get('x-request-id'),
      isSample: response.headers.get('openfilings-sample') === 'true',
      isFromCache: response.status === 304,
      rateLimit: rateLimitOf(response.headers),
    })
  }

  async #answerOf(
    { response, url }: Opened,
    cached: CachedAnswer | undefined,
    onNext?: (next: string | null) => void,
  ): Promise<Answer> {
    const requestId = response.headers.get('x-request-id')
    const link = response.headers.get('link')
    if (response.status === 304) {
      if (!cached) throw invalidAnswer('the service answered 304 to a request without an ETag', { url, requestId })
      const next = this.#nextOf(link ?? cached.link, url)
      onNext?.(next)
      return { body: JSON.parse(cached.text), next }
    }
    const type = response.headers.get('content-type') ?? 'no content type'
    if (!/^application\/json\b/i.test(type)) {
      throw invalidAnswer(
        `the answer is ${type.slice(0, 100)} instead of JSON: is baseUrl the address of the service?`,
        {
          ...{ url, requestId, status: response.status },
        },
      )
    }
    const next = this.#nextOf(link, url)
    onNext?.(next)
    const text = await textOf(response, this.settings.maxAnswerBytes, url)
    if (next !== null && onNext) await nextTurn()
    const body = parsed(text, { url, requestId, status: response.status })
    const etag = response.headers.get('etag')
    if (etag) this.settings.cache?.set(url, { etag, text, link })
    return { body, next }
  }

  #nextOf(link: string | null, url: string): string | null {
    const [, address] = /<([^<>]*)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? []
    if (address === undefined) return null
    const path = this.pathOf(address, url)
    if (startOf(this.urlOf(path)) === startOf(url))
      throw invalidAnswer('the link to the next page leads to the same page', { url })
    return path
  }

  async #errorOf(response: Response, url: string): Promise<OpenFilingsError> {
    const { status, headers } = response
    const facts = {
      ...{ status, url, requestId: headers.get('x-request-id') },
      retryAfterMs: retryAfterMs(headers.get('retry-after'), this.settings.clock.now()),
    }
    if (status < 400) {
      await response.body?.cancel()
      const target = headers.get('location')?.slice(0, 200) ?? 'nowhere'
      const message = `the service redirects to ${target}, which is not followed: make the client with its final address`
      return new OpenFilingsError(message, { ...facts, code: 'redirected' })
    }
    const text = await textOf(response, ERROR_BYTES_MAX, url).catch(() => '')
    const { error, code } = objectIn(text)
    if (typeof error === 'string' && typeof code === 'string') return new OpenFilingsError(error, { ...facts, code })
    return new OpenFilingsError(`the answer has the status ${status}`, { ...facts, code: 'http_error' })
  }
}

/**
 * Returns what a failure of a request means: too late, aborted by the caller, or a broken connection.
 *
 * @returns the reason of the caller's signal if it aborted, else an OpenFilingsError
 */
export function failureOf(error: unknown, { url, deadline }: Pick<Opened, 'url' | 'deadline'>): unknown {
  if (deadline.aborted) return deadline.aborted.reason
  if (deadline.isLate) return new OpenFilingsError('the answer took too long', { code: 'timeout', url })
  if (error instanceof OpenFilingsError) return error
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new OpenFilingsError(`the request failed: ${reason}`, { code: 'network', url, cause: error })
}

/** Reads a body of at most so many bytes as UTF-8. */
export async function textOf(response: Response, maxBytes: number, url: string): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  let bytes = 0
  const reader = response.body?.getReader()
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) return text + decoder.decode()
    bytes += value.byteLength
    if (bytes > maxBytes) {
      await reader?.cancel()
      throw new OpenFilingsError(`the answer has more than ${maxBytes} bytes`, { code: 'answer_too_large', url })
    }
    text += decoder.decode(value, { stream: true })
  }
}

declare const setImmediate: ((work: () => void) => unknown) | undefined

/**
 * Waits for the next turn of the event loop, in which `fetch` of Node sends the request for the next page on the same
 * connection. If a page of 200 rows were parsed first, this request would be sent 0.6 ms later.
 */
const nextTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (typeof setImmediate === 'undefined') resolve()
    else setImmediate(resolve)
  })

type Place = Partial<Pick<OpenFilingsError, 'url' | 'requestId' | 'status'>>

const invalidAnswer = (message: string, place: Place) =>
  new OpenFilingsError(message, { code: 'invalid_answer', ...place })

/** @throws OpenFilingsError `invalid_answer` */
function parsed(text: string, place: Place): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new OpenFilingsError('the answer is not valid JSON, or is cut off', {
      code: 'invalid_answer',
      ...place,
      cause,
    })
  }
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const found: unknown = JSON.parse(text)
    return typeof found === 'object' && found !== null ? { ...found } : {}
  } catch {
    // Proxies answer errors as HTML.
    return {}
  }
}

function rateLimitOf(headers: Headers) {
  const [limit, remaining, resetSeconds] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(headers.get(`ratelimit-${name}`) ?? Number.NaN),
  )
  return Number.isFinite(limit) && Number.isFinite(remaining) && Number.isFinite(resetSeconds)
    ? { limit: limit!, remaining: remaining!, resetSeconds: resetSeconds! }
    : null
}

/** An address without the size of its page. */
const startOf = (url: string): string =>
  url
    .split(/[?&]/)
    .filter((part) => !part.startsWith('limit='))
    .join('&')

/**
 * Whether a service is on this machine. Without compression, a page of 50 rows takes a quarter less processor time of
 * the client.
 */
const isThisMachine = (baseUrl: string): boolean =>
  /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(baseUrl).hostname)

/** A signal that aborts with the first of these. */
export function anyOf(signals: readonly (AbortSignal | undefined)[]): AbortSignal | undefined {
  const given = signals.filter((signal) => signal !== undefined)
  return given.length > 1 ? AbortSignal.any(given) : given[0]
}
