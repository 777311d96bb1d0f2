/** What a client of a host is given, and what it gives to those who ask by it. */
import type { EdgarErrorKind } from './answer.ts'
import type { SharedPace } from './pace.ts'
import type { Validators } from './validators.ts'

export interface ClientOptions {
  /** `https://www.sec.gov`, another host by https, a loopback host by http, or `file:///…` of a folder in EDGAR's layout. */
  baseUrl: string
  /** Name and e-mail address, as EDGAR's fair-access rule wants; may be null where no sec.gov host is asked. */
  userAgent: string | null
  /** Requests a second over all clients; not applied to folders, and to loopback hosts only by `paceLoopback`. */
  perSecond?: number
  /** Paces a loopback host as one of the SEC. */
  paceLoopback?: boolean
  /** Where the pace and the pauses of all processes are kept; without it this process has its own. */
  shared?: SharedPace | undefined
  /** Longest wait for the headers, and for each chunk after them. */
  timeoutMs?: number
  /** Longest wait for one answer in all. The time that its reader takes does not count. */
  totalMs?: number
  /** In how much time a download must bring 256 KB. */
  stallMs?: number
  /** After how much waiting for an answer it is told that it comes slowly. */
  slowMs?: number
  /** Requests for one path before giving up. */
  attempts?: number
  /** Largest decoded answer in bytes. */
  sizeMax?: number
  /** How long nothing is sent after EDGAR's rate page. */
  pauseMs?: number
  /** Milliseconds by a clock that nobody sets; by default one of the process that began with the time of day. */
  now?: () => number
  /** The time of day, for what hosts date and people read. */
  timeOfDay?: () => number
  /** Rejects when the signal aborts. */
  sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, for the jitter. */
  random?: () => number
  log?: (event: ClientEvent) => void
}

/** What happens out of the ordinary. */
export type ClientEvent =
  | { event: 'edgar.retry'; path: string; kind: EdgarErrorKind; reason: string; delayMs: number }
  | { event: 'edgar.pause'; path: string; reason: string; until: number }
  | { event: 'edgar.slow'; path: string; reason: string; bytes: number; ms: number }

export interface EdgarResponse {
  url: string
  /**
   * Whether the answer said where it ends: by a length, chunks or a gzip stream. What is short then is short at the host.
   * An answer that ends with its connection may have broken off.
   */
  isDelimited: boolean
  /** The day on which the host says that it last changed, `YYYY-MM-DD`; null where it says none, and of folders. */
  modified: string | null
  /** The same as a moment, ISO 8601. */
  modifiedAt: string | null
  /** By what the host may be asked later whether this is still so; nothing of folders. */
  validators: Validators
  /** Decoded bytes. Reading fails when they are cut short, too many, or stop coming. */
  body: AsyncIterable<Uint8Array>
}

export interface GetOptions<T> {
  sizeMax?: number
  totalMs?: number
  /** A large file: it may take as long as it keeps coming, and where it breaks off its rest is asked for. */
  isDownload?: boolean
  /** An earlier answer, and the result that stands for it if the host says that it has not changed. */
  known?: { validators: Validators; result: T } | undefined
  signal?: AbortSignal | undefined
}
