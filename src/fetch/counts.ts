/** What came of the requests of one client so far. */
import type { EdgarErrorKind } from './answer.ts'

export interface Counted {
  requests: number
  /** Decoded bytes handed to readers. */
  bytes: number
  retries: number
  /** How many answers said that there is no such thing. */
  none: number
  pauses: number
  /** Answers that came slowly, by path; the first ones. */
  slow: { path: string; bytes: number; ms: number }[]
  /** How many calls of `get` failed for good. */
  failures: Partial<Record<EdgarErrorKind, number>>
  /** How far the host's clock was ahead of ours at its last answer, in milliseconds; null before an answer with a date. */
  aheadMs: number | null
}

/** Slow answers that are named. */
const SLOW_MAX = 10

/** Counts. Its state is the numbers of `Counted`; each method changes one of them when what it is named after happens. */
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

  /** An answer is dated so; a date that cannot be read says nothing. */
  dated(date: string | undefined, timeOfDay: number): void {
    const ahead = Date.parse(date ?? '') - timeOfDay
    if (!Number.isNaN(ahead)) this.#so.aheadMs = ahead
  }

  /** The same bytes, counted as they pass. */
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
