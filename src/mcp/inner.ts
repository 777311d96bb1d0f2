/** Requests the API in this process, with the key of a client. */
import type { KeyContext } from '../declare/ports.ts'
import type { KeyedRequests } from '../serve/http/keyed-requests.ts'
import { withNext } from './address.ts'
import { type Api, ApiFailure } from './api.ts'

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
        const { text, next, isSample } = await requests.ask({ key, signal }, address)
        return { answer: JSON.parse(text), text, next: next && withNext(address, next), isSample }
      } catch (thrown) {
        const { status, code, message, headers } = requests.failureOf(thrown, requestId)
        const after = headers['retry-after']
        throw new ApiFailure(status, code, message, after === undefined ? null : Number(after))
      }
    },
  }
}
