/** Columns of a text table, by the line of `<S>` and `<C>`. */
import type { Word } from './words.ts'

/** Starts of columns, from the line of `<S>` and `<C>` that EDGAR required; null without one. */
export type Columns = readonly number[] | null

/** Returns the index of the column that holds most of the word. */
export function columnOf({ start, end }: Word, columns: readonly number[]): number {
  let best = 0
  let most = -1
  for (const [at, from] of columns.entries()) {
    const to = columns[at + 1] ?? Number.MAX_SAFE_INTEGER
    const overlap = Math.min(end, to) - Math.max(start, from)
    if (overlap > most) [best, most] = [at, overlap]
  }
  return best
}
