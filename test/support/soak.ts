/** `npm run soak`: the tests of `npm test` with more kills, changes and rows. */
import { appendFileSync } from 'node:fs'
import { currentFile } from '../runner/current.ts'

/** File for the counts of a soak, one JSON value per line; unset in `npm test`. */
const NOTES = 'TEST_SOAK'

export interface SoakCount {
  file: string
  /** `kills`, `changed documents`. */
  of: string
  count: number
}

export const soaking = process.env[NOTES] !== undefined

/**
 * Returns how often a test repeats an action.
 *
 * @param of name of the count
 */
export function often(of: string, { usual, soak }: { usual: number; soak: number }): number {
  const to = process.env[NOTES]
  if (to === undefined) return usual
  appendFileSync(to, `${JSON.stringify({ file: currentFile(), of, count: soak } satisfies SoakCount)}\n`)
  return soak
}
