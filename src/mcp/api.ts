/** The interface by which tools request the API, in this process or over HTTP. */

export interface ApiAnswer {
  /** The body, parsed as a client would parse it. */
  readonly answer: unknown
  /** The same body as text. */
  readonly text: string
  /** Address of the next page, below the version; null on the last page. */
  readonly next: string | null
  /** True if the service has only the bundled sample, part of which is invented. */
  readonly isSample: boolean
  /** Is the same object for as long as the answer is the same; null if this is not known. */
  readonly source: object | null
}

export interface Api {
  /** Address of the service for citations, `http://127.0.0.1:8080`; empty if it is unknown. */
  readonly origin: string
  /**
   * Requests an address below the version: `/brokers?q=goldman`.
   *
   * @throws ApiFailure with the code and message of the API
   */
  ask(address: string, signal: AbortSignal): Promise<ApiAnswer>
}

/** An error that the API answered. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** Seconds after which the request may succeed; null if the service does not state this time. */
  readonly retryAfter: number | null
  /** Path of the route that refused the request, once it is known. */
  target: string | null = null
  constructor(status: number, code: string, message: string, retryAfter: number | null = null) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
  }
}

/** A mistake in the arguments of a tool. The message says how to correct the call. */
export class CallError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallError'
  }
}
