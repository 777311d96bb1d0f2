/** Counts the requests of one client and their results. */
import type { EdgarErrorKind } from './answer.ts'

export interface Counted {
  requests: number
  /** Number of decoded bytes that readers have received. */
  bytes: number
  retries: number
  /** How many answers reported that the file does not exist. */
  none: number
  pauses: number
  /** The first `SLOW_MAX` slow answers. */
  slow: { path: string; bytes: number; ms: number }[]
  /** How many calls of `get` ended with an EdgarError, by the kind of the error. */
  failures: Partial<Record<EdgarErrorKind, number>>
  /**
   * How far the host's clock was ahead of ours at its last answer, in milliseconds; null before the first answer with a
   * date.
   */
  aheadMs: number | null
}

/** Maximum number of slow answers that are listed. */
const SLOW_MAX = 10

/**
 * Counts the requests of one client. Its state is the members of `Counted`; each method except `snapshot` changes one
 * of these members.
 */
export class Counts {
  readonly #counted: Counted = {
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
    this.#counted.requests++
  }

  retry(): void {
    this.#counted.retries++
  }

  none(): void {
    this.#counted.none++
  }

  pause(): void {
    this.#counted.pauses++
  }

  slow(path: string, bytes: number, ms: number): void {
    if (this.#counted.slow.length < SLOW_MAX) this.#counted.slow.push({ path, bytes, ms })
  }

  failure(kind: EdgarErrorKind): void {
    this.#counted.failures[kind] = (this.#counted.failures[kind] ?? 0) + 1
  }

  /** Compares the date of an answer with our clock; ignores a date that cannot be read. */
  dated(date: string | undefined, timeOfDay: number): void {
    const ahead = Date.parse(date ?? '') - timeOfDay
    if (!Number.isNaN(ahead)) this.#counted.aheadMs = ahead
  }

  /** Passes the bytes on and counts them. */
  async *bytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#counted.bytes += chunk.length
      yield chunk
    }
  }

  /** The numbers as they are now. */
  snapshot(): Counted {
    return { ...this.#counted, slow: [...this.#counted.slow], failures: { ...this.#counted.failures } }
  }
}
