/** The options of a host's client, and the types of its answers. */
import type { EdgarErrorKind } from './answer.ts'
import type { SharedPace } from './pace.ts'
import type { Validators } from './validators.ts'

export interface ClientOptions {
  /**
   * `https://www.sec.gov`, `https://…` for another host, `http://…` for a loopback host, or `file:///…` for a folder
   * with EDGAR's layout.
   */
  baseUrl: string
  /** Name and e-mail address, as EDGAR's fair-access rule requires; may be null if no sec.gov host is used. */
  userAgent: string | null
  /** Requests a second over all clients. Ignored for folders, and for loopback hosts unless `paceLoopback` is set. */
  perSecond?: number
  /** Paces a loopback host like a host of the SEC. */
  paceLoopback?: boolean
  /** The stored pace and pauses that all processes share; if absent, this process has its own pace. */
  shared?: SharedPace | undefined
  /** Longest wait for the headers, and for each chunk after them. */
  timeoutMs?: number
  /** Longest total wait for one answer. The reader's own time does not count. */
  totalMs?: number
  /** The time in which 256 KB of a download must arrive. */
  stallMs?: number
  /** The waiting time after which an answer is reported as slow. */
  slowMs?: number
  /** Number of requests for one path before giving up. */
  attempts?: number
  /** Largest decoded answer in bytes. */
  sizeMax?: number
  /** How long requests pause after EDGAR answers with a page that announces a block. */
  pauseMs?: number
  /** Milliseconds of a monotonic clock; the default is the clock of this process, which starts with the time of day. */
  now?: () => number
  /** The time of day, to compare with the dates of hosts and to show to people. */
  timeOfDay?: () => number
  /** Waits for this time. The promise is rejected when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Random number from 0 to 1, for the jitter. */
  random?: () => number
  log?: (event: ClientEvent) => void
}

/** Events that should be logged. */
export type ClientEvent =
  | { event: 'edgar.retry'; path: string; kind: EdgarErrorKind; reason: string; delayMs: number }
  | { event: 'edgar.pause'; path: string; reason: string; until: number }
  | { event: 'edgar.slow'; path: string; reason: string; bytes: number; ms: number }

export interface EdgarResponse {
  url: string
  /**
   * Whether the answer stated its end, by a length, chunks or a gzip stream. If such an answer is short, the file is
   * short at the host. An answer that states no end may have broken off when its connection ended.
   */
  isDelimited: boolean
  /** The day of the last change as the host states it, `YYYY-MM-DD`; null if it states none, and for folders. */
  modified: string | null
  /** The moment of the last change as the host states it, ISO 8601. */
  modifiedAt: string | null
  /** Values with which to ask the host later whether the file has changed; empty for folders. */
  validators: Validators
  /** Decoded bytes. Reading fails if the bytes are cut short, exceed the limit, or stop arriving. */
  body: AsyncIterable<Uint8Array>
}

export interface GetOptions<T> {
  sizeMax?: number
  totalMs?: number
  /**
   * Whether the file is large: it then has no total time limit while bytes arrive, and its rest is requested if the
   * answer breaks off.
   */
  isDownload?: boolean
  /** An earlier answer, and the result to return if the host states that the file has not changed. */
  known?: { validators: Validators; result: T } | undefined
  signal?: AbortSignal | undefined
}
