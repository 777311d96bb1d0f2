/** Sends requests at two sizes, in turns: the ratio shows any growth with the data. */
import { alternate, median, quantile } from './measure.ts'
import { part } from './share.ts'

/** Number of requests of a kind at each size. */
export interface Turns {
  /** Requests that count, of all rounds together. */
  requests: number
  rounds: number
  /** Requests that come first and do not count: they bring pages into memory and compile code. */
  warming: number
}

export function partOf({ requests, rounds, warming }: Turns, share: number): Turns {
  const some = part(rounds, share)
  return { requests: some * part(requests / rounds, share), rounds: some, warming: part(warming, share) }
}

/**
 * Asks each size in turn, every request once.
 *
 * @param ask makes `count` requests, numbered from `from` on, and returns the milliseconds of each
 * @returns the median and the 99th percentile at both sizes: each is the median of the rounds, since a stall of the
 *   machine affects only one round
 */
export async function bothSizes(
  { requests, rounds, warming }: Turns,
  ask: (size: 'small' | 'large', from: number, count: number) => Promise<number[]>,
): Promise<(readonly [name: string, large: number, small: number])[]> {
  await ask('small', 0, warming)
  await ask('large', 0, warming)
  const each = requests / rounds
  let turn = 0
  const next = () => warming + Math.floor(turn++ / 2) * each
  const { small, large } = await alternate(rounds, {
    small: () => ask('small', next(), each),
    large: () => ask('large', next(), each),
  })
  const at = (found: readonly number[][], q: number) => median(found.map((round) => quantile(round, q)))
  return (
    [
      ['p50', 0.5],
      ['p99', 0.99],
    ] as const
  ).map(([name, q]) => [name, at(large, q), at(small, q)])
}
