/** `npm run soak`: the tests of `npm test` with more kills, changes and rows. */
import { appendFileSync } from 'node:fs'
import { currentFile } from './runner/current.ts'

/** Where the counts of a soak are noted, a line of JSON each; unset in `npm test`. */
const NOTES = 'TEST_SOAK'

export interface SoakCount {
  file: string
  /** `kills`, `changed documents`. */
  of: string
  count: number
}

export const soaking = process.env[NOTES] !== undefined

/**
 * How often a test does something.
 *
 * @param of what is counted
 */
export function often(of: string, { usual, soak }: { usual: number; soak: number }): number {
  const to = process.env[NOTES]
  if (to === undefined) return usual
  appendFileSync(to, `${JSON.stringify({ file: currentFile(), of, count: soak } satisfies SoakCount)}\n`)
  return soak
}
