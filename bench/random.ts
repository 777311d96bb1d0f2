/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  #state: number
  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** In [0, 1). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let t = this.#state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }

  /** A whole number from 0 to below `bound`. */
  below(bound: number): number {
    return Math.floor(this.next() * bound)
  }

  /** Returns a member; the larger `bias` is, the more often the member is near the front. */
  pick<T>(items: readonly T[], bias = 1): T {
    return items[Math.floor(items.length * this.next() ** bias)]!
  }

  digits(length: number): string {
    let text = ''
    while (text.length < length) text += this.below(10)
    return text
  }
}
