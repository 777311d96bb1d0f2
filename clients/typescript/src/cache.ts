/** An answer that the service may confirm with 304. */
export interface CachedAnswer {
  etag: string
  /** The body as it came. It is parsed again for each use, so that no caller changes what another one gets. */
  text: string
  link: string | null
}

/**
 * Caches answers by address, so that an answer that did not change is not sent again. Each use asks the service, so a
 * cached answer is never out of date. Bounded: the answers that were not used for the longest time are dropped.
 */
export class AnswerCache {
  readonly #maxChars: number
  readonly #maxEntries: number
  /** In the order of use, the latest last. */
  readonly #answers = new Map<string, CachedAnswer>()
  #chars = 0

  /**
   * @param options.maxBytes maximum memory of the cached texts; by default 64 MB
   * @param options.maxEntries maximum number of cached answers; by default 2,000
   */
  constructor({ maxBytes = 64 * 1024 * 1024, maxEntries = 2_000 }: { maxBytes?: number; maxEntries?: number } = {}) {
    // A character takes up to two bytes of memory.
    this.#maxChars = maxBytes / 2
    this.#maxEntries = maxEntries
  }

  /** Number of cached answers. */
  get size(): number {
    return this.#answers.size
  }

  get(address: string): CachedAnswer | undefined {
    const found = this.#answers.get(address)
    if (!found) return undefined
    this.#answers.delete(address)
    this.#answers.set(address, found)
    return found
  }

  set(address: string, answer: CachedAnswer): void {
    this.delete(address)
    const size = sizeOf(address, answer)
    if (size > this.#maxChars) return
    this.#answers.set(address, answer)
    this.#chars += size
    for (const [oldest] of this.#answers) {
      if (this.#chars <= this.#maxChars && this.#answers.size <= this.#maxEntries) return
      this.delete(oldest)
    }
  }

  delete(address: string): void {
    const old = this.#answers.get(address)
    if (!old) return
    this.#answers.delete(address)
    this.#chars -= sizeOf(address, old)
  }
}

const sizeOf = (address: string, { etag, text, link }: CachedAnswer): number =>
  address.length + etag.length + text.length + (link?.length ?? 0)
