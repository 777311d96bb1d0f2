/** Scores that are sums of named signals, so that each score can be explained by the signals that gave it. */

export interface Signal<T> {
  readonly name: string
  /** Added to the score if the test holds. */
  readonly weight: number
  readonly test: (seen: T) => boolean
}

/** The first signal that holds, in the order of the table. */
export const firstOf = <T>(signals: readonly Signal<T>[], seen: T): Signal<T> | undefined =>
  signals.find(({ test }) => test(seen))

/** All signals that hold. */
export const allOf = <T>(signals: readonly Signal<T>[], seen: T): Signal<T>[] =>
  signals.filter(({ test }) => test(seen))

export const sumOf = (signals: readonly { readonly weight: number }[]): number =>
  signals.reduce((sum, { weight }) => sum + weight, 0)
