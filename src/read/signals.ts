/** Scores that are sums of named signals, so that each score can be explained by its signals. */

/** One part of a score. */
export interface Weighted {
  readonly name: string
  readonly weight: number
}

/** A signal applies if its test returns true. Then it adds its weight to the score. */
export interface Signal<T> extends Weighted {
  readonly test: (seen: T) => boolean
}

/** Returns the first signal that applies, in the order of the table. */
export const firstOf = <T>(signals: readonly Signal<T>[], seen: T): Signal<T> | undefined =>
  signals.find(({ test }) => test(seen))

/** Returns all signals that apply. */
export const allOf = <T>(signals: readonly Signal<T>[], seen: T): Signal<T>[] =>
  signals.filter(({ test }) => test(seen))

export const sumOf = (signals: readonly Weighted[]): number => signals.reduce((sum, { weight }) => sum + weight, 0)
