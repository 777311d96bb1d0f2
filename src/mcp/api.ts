/** The interface by which tools send requests to the API. The API is in this process, or is reached over HTTP. */

export interface ApiAnswer {
  /** The body, parsed as a client would parse it. */
  readonly answer: unknown
  /** The same body as text. */
  readonly text: string
  /** Address of the next page, without `/v1`; null on the last page. */
  readonly next: string | null
  /** True if the service has only the bundled sample, part of which is invented. */
  readonly isSample: boolean
  /**
   * An object that stays the same as long as the answer stays the same; null if it is unknown whether the answer
   * changes.
   */
  readonly source: object | null
}

export interface Api {
  /** Address of the service for citations, `http://127.0.0.1:8080`; empty if it is unknown. */
  readonly origin: string
  /**
   * Requests an address without `/v1`: `/brokers?q=goldman`.
   *
   * @throws ApiFailure with the code and message of the API
   */
  ask(address: string, signal: AbortSignal): Promise<ApiAnswer>
}

/** An error with which the API answered. */
export class ApiFailure extends Error {
  readonly status: number
  readonly code: string
  /** Seconds after which the request may succeed; null if the answer does not give this time. */
  readonly retryAfter: number | null
  /** Address of the search that finds what has the requested identifier; null if the API names none. */
  readonly searchUrl: string | null
  /** Path of the route that refused the request; null until the path is known. */
  target: string | null = null
  /** Notes of the tool on the thing that was requested. */
  notes: readonly string[] = []
  constructor(
    status: number,
    code: string,
    message: string,
    { retryAfter = null, searchUrl = null }: { retryAfter?: number | null; searchUrl?: string | null } = {},
  ) {
    super(message)
    this.name = 'ApiFailure'
    this.status = status
    this.code = code
    this.retryAfter = retryAfter
    this.searchUrl = searchUrl
  }
}

/** A mistake in the arguments of a tool. The message says how to correct the call. */
export class CallError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'CallError'
  }
}
