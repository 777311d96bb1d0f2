/** Sends requests to the API in this process, with the key of a client. */
import type { KeyContext } from '../declare/ports.ts'
import type { KeyedAnswer, KeyedRequests } from '../serve/http/keyed-requests.ts'
import { withNext } from './address.ts'
import { type Api, type ApiAnswer, ApiFailure } from './api.ts'

interface Caller {
  key: KeyContext
  /** Address of this service. */
  origin: string
  /** The id of the client's request, for the log. */
  requestId: string
}

export function innerApi(requests: KeyedRequests, { key, origin, requestId }: Caller): Api {
  return {
    origin,
    async ask(address, signal) {
      try {
        return new InnerAnswer(address, await requests.ask({ key, signal }, address))
      } catch (thrown) {
        const { status, code, message, headers, searchUrl } = requests.failureOf(thrown, requestId)
        const after = headers['retry-after']
        const retryAfter = after === undefined ? null : Number(after)
        throw new ApiFailure(status, code, message, { retryAfter, searchUrl })
      }
    },
  }
}

/** Decodes the body only on demand: if a tool rendered the same answer before, its text is used again (frame.ts). */
class InnerAnswer implements ApiAnswer {
  readonly isSample: boolean
  readonly source: object | null
  readonly #address: string
  readonly #found: KeyedAnswer
  #text: string | undefined
  #answer: unknown

  constructor(address: string, found: KeyedAnswer) {
    this.#address = address
    this.#found = found
    this.isSample = found.isSample
    this.source = found.source
  }

  get text(): string {
    this.#text ??= this.#found.body.toString()
    return this.#text
  }

  get answer(): unknown {
    this.#answer ??= JSON.parse(this.text)
    return this.#answer
  }

  get next(): string | null {
    return this.#found.next && withNext(this.#address, this.#found.next)
  }
}
