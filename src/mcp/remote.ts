/** Sends requests over HTTP to the API of another service, with a key. */
import type { IncomingMessage } from 'node:http'
import { messageOf } from '../declare/errors.ts'
import { send } from '../fetch/send.ts'
import { belowVersion } from './address.ts'
import { type Api, ApiFailure } from './api.ts'

/**
 * Timeout in milliseconds of the headers and then of the body, longer than the service takes for its most expensive
 * answers.
 */
const TIMEOUT_MS = 60_000
/** Maximum size of an answer. No answer to a tool is larger. */
const BODY_BYTES_MAX = 32 * 1024 * 1024

interface Service {
  /** Address of the service, without a path: `https://filings.example.org`. */
  origin: string
  key: string
  timeoutMs?: number
}

export function remoteApi({ origin, key, timeoutMs = TIMEOUT_MS }: Service): Api {
  return {
    origin,
    async ask(address, signal) {
      let response: IncomingMessage
      let text: string
      try {
        const headers = { authorization: `Bearer ${key}`, accept: 'application/json' }
        const url = new URL(`${origin}/v1${address}`)
        // With `..` in its path, an address could lead to another service at that host. The other service must not get
        // the key.
        if (url.origin !== origin || !url.pathname.startsWith('/v1/'))
          throw new Error('the address leads out of the API')
        response = await send(url, headers, timeoutMs, signal)
        text = await textOf(response, timeoutMs)
      } catch (error) {
        throw new ApiFailure(0, 'service_unreachable', `${origin} did not answer: ${messageOf(error)}`)
      }
      const { statusCode = 0, headers } = response
      const body = parsed(text)
      if (statusCode !== 200) throw failureOf(statusCode, body, headers['retry-after'])
      if (body === undefined)
        throw new ApiFailure(statusCode, 'not_the_api', `${origin} does not answer with JSON; is it OpenFilings?`)
      const isSample = headers['openfilings-sample'] === 'true'
      return { answer: body, text, next: nextOf(headers.link), isSample, source: null }
    },
  }
}

/** Reads a body. `send` limits only the wait for the headers, and a service may stop in the middle of its answer. */
async function textOf(response: IncomingMessage, timeoutMs: number): Promise<string> {
  const late = () => response.destroy(new Error(`the answer did not end within ${timeoutMs / 1000} seconds`))
  const timer = setTimeout(late, timeoutMs)
  try {
    const parts: Buffer[] = []
    let length = 0
    for await (const part of response as AsyncIterable<Buffer>) {
      length += part.length
      if (length > BODY_BYTES_MAX) throw new Error(`the answer has more than ${BODY_BYTES_MAX} bytes`)
      parts.push(part)
    }
    return Buffer.concat(parts).toString()
  } finally {
    clearTimeout(timer)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function failureOf(status: number, body: unknown, retryAfter: string | undefined): ApiFailure {
  const { error, code, search_url: searchUrl } = (body ?? {}) as Readonly<Record<string, unknown>>
  const message = typeof error === 'string' ? error : 'the service answered with an error that has no message'
  const after = retryAfter !== undefined && /^\d+$/.test(retryAfter) ? Number(retryAfter) : null
  return new ApiFailure(status, typeof code === 'string' ? code : 'http_error', message, {
    retryAfter: after,
    searchUrl: typeof searchUrl === 'string' ? searchUrl : null,
  })
}

/** The address of the next page, from the header Link. */
function nextOf(link: string | string[] | undefined): string | null {
  const found = /<([^<>]{1,20000})>; ?rel="next"/.exec([link ?? ''].flat().join())
  return found ? belowVersion(found[1]!) : null
}
