/**
 * Pseudo-random numbers that depend only on a seed and a path: a firm or a person is the same whatever was generated
 * before it.
 */

export class Random {
  #state: number

  /** `path` selects a sequence by its purpose and its owner. */
  constructor(...path: readonly number[]) {
    let state = 0x9e3779b9
    for (const step of path) state = mix((state ^ step) + 0x85ebca6b)
    this.#state = state
  }

  /** Returns a number from 0 to 1, excluding 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0
    return mix(this.#state) / 4_294_967_296
  }

  /** Returns a whole number from `min` to `max`, both included. */
  int(min: number, max: number): number {
    return min + Math.floor(this.next() * (max - min + 1))
  }

  chance(share: number): boolean {
    return this.next() < share
  }

  pick<T>(from: readonly T[]): T {
    return from[Math.floor(this.next() * from.length)]!
  }

  yes(share: number): 'Y' | 'N' {
    return this.next() < share ? 'Y' : 'N'
  }

  /** Returns a log-normal number: half are below `median`; two thirds are within a factor of e^`spread` of it. */
  skewed(median: number, spread: number): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next())
    return median * Math.exp(spread * normal)
  }
}

/** Applies the finalizer of MurmurHash3, which gives a number from 0 to 2^32 - 1. */
function mix(value: number): number {
  let h = value | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

const DAY_MS = 86_400_000

/** Converts `YYYY-MM-DD` to days since 1970-01-01. */
export const dayNumber = (day: string): number => Date.parse(day) / DAY_MS

const named = new Map<number, string>()

/** Converts days since 1970-01-01 to `YYYY-MM-DD`. */
export function dayName(number: number): string {
  const known = named.get(number)
  if (known !== undefined) return known
  const name = new Date(number * DAY_MS).toISOString().slice(0, 10)
  named.set(number, name)
  return name
}

/** `MM/DD/YYYY`. */
export const american = (day: string): string => `${day.slice(5, 7)}/${day.slice(8)}/${day.slice(0, 4)}`
