/** Sends requests to the provider at which people sign in. */
import { messageOf } from '../declare/errors.ts'
import { proxyAgent } from './proxy.ts'

// These modules are not imported, for the reason that is stated in send.ts.
const http = process.getBuiltinModule('node:http')
const https = process.getBuiltinModule('node:https')

/** Real answers of providers have at most some 20 KB. */
const ANSWER_BYTES_MAX = 1_000_000

export interface ProviderRequest {
  method?: string
  headers?: Readonly<Record<string, string>>
  body?: string | URLSearchParams | null
}

/** Sends one request, and returns its whole answer. */
export type SendToProvider = (url: string, request: ProviderRequest) => Promise<Response>

/**
 * Makes a sender. The sender follows no redirects, which would carry the client's secret to another address, and keeps
 * no connections open.
 *
 * @param timeoutMs for connection, headers and body together
 * @returns a function that throws an Error with the reason. The message has neither the query of the address nor what
 *   was sent
 */
export function providerSender({ timeoutMs }: { timeoutMs: number }): SendToProvider {
  return (address, { method = 'GET', headers = {}, body }) => {
    const url = new URL(address)
    const sent = body === undefined || body === null ? '' : String(body)
    return new Promise<Response>((resolve, reject) => {
      const request = (url.protocol === 'https:' ? https : http).request(url, {
        method,
        headers: { ...headers, ...(sent !== '' && { 'content-length': Buffer.byteLength(sent) }) },
        agent: proxyAgent(url, { isKept: false }) ?? false,
      })
      // The promise is rejected here too, for the reason that is stated in send.ts.
      const end = (reason: string) => {
        reject(new Error(`${url.host} ${reason}`))
        request.destroy()
      }
      const timer = setTimeout(() => end(`gave no answer within ${timeoutMs / 1000} seconds`), timeoutMs)
      request.on('error', (error) => end(`cannot be reached: ${(error as { code?: string }).code ?? messageOf(error)}`))
      request.on('close', () => {
        clearTimeout(timer)
        // After the whole answer or an error, this call of `reject` has no effect.
        reject(new Error(`${url.host} broke off its answer`))
      })
      request.on('response', (response) => {
        const parts: Buffer[] = []
        let length = 0
        response.on('data', (part: Buffer) => {
          parts.push(part)
          length += part.length
          if (length > ANSWER_BYTES_MAX) end(`sent more than ${ANSWER_BYTES_MAX} bytes`)
        })
        response.on('error', () => end('broke off its answer'))
        response.on('end', () => {
          const { statusCode = 0, headersDistinct } = response
          // The constructor of `Response` throws for such a status, and an error in this event handler would end the
          // process.
          if (statusCode < 200 || statusCode > 599) end(`answered with the status ${statusCode}`)
          else resolve(answerOf(statusCode, headersDistinct, parts))
        })
      })
      request.end(sent)
    })
  }
}

function answerOf(status: number, headers: NodeJS.Dict<string[]>, parts: readonly Buffer[]): Response {
  const pairs = Object.entries(headers).flatMap(([name, values = []]) => values.map((value) => [name, value]))
  // The constructor of `Response` refuses a body, even an empty one, for these statuses.
  const body = [101, 204, 205, 304].includes(status) ? null : Buffer.concat(parts)
  return new Response(body, { status, headers: pairs as [string, string][] })
}
