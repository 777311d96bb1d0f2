/** Counts the requests of one client and their results. */
import type { EdgarErrorKind } from './answer.ts'

export interface Counted {
  requests: number
  /** Decoded bytes handed to readers. */
  bytes: number
  retries: number
  /** How many answers said that the file does not exist. */
  none: number
  pauses: number
  /** The first answers that came slowly. */
  slow: { path: string; bytes: number; ms: number }[]
  /** How many calls of `get` failed for good. */
  failures: Partial<Record<EdgarErrorKind, number>>
  /** How far the host's clock was ahead of ours at its last answer, in milliseconds; null before an answer with a date. */
  aheadMs: number | null
}

/** Most slow answers that are listed. */
const SLOW_MAX = 10

/** Counters. Its state is the numbers of `Counted`; each method changes the one that it is named after. */
export class Counts {
  readonly #so: Counted = {
    requests: 0,
    bytes: 0,
    retries: 0,
    none: 0,
    pauses: 0,
    slow: [],
    failures: {},
    aheadMs: null,
  }

  request(): void {
    this.#so.requests++
  }

  retry(): void {
    this.#so.retries++
  }

  none(): void {
    this.#so.none++
  }

  pause(): void {
    this.#so.pauses++
  }

  slow(path: string, bytes: number, ms: number): void {
    if (this.#so.slow.length < SLOW_MAX) this.#so.slow.push({ path, bytes, ms })
  }

  failure(kind: EdgarErrorKind): void {
    this.#so.failures[kind] = (this.#so.failures[kind] ?? 0) + 1
  }

  /** Compares the date of an answer with our clock; ignores a date that cannot be read. */
  dated(date: string | undefined, timeOfDay: number): void {
    const ahead = Date.parse(date ?? '') - timeOfDay
    if (!Number.isNaN(ahead)) this.#so.aheadMs = ahead
  }

  /** Passes the bytes on and counts them. */
  async *bytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#so.bytes += chunk.length
      yield chunk
    }
  }

  /** The numbers as they are now. */
  snapshot(): Counted {
    return { ...this.#so, slow: [...this.#so.slow], failures: { ...this.#so.failures } }
  }
}
