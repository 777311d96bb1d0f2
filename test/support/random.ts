/**
 * Random choices of tests. All choices come from the seed of the run, which `npm test` prints and `npm test -- --seed
 * N` repeats.
 */
import { createHash } from 'node:crypto'
import { currentFile } from '../runner/current.ts'
import { seeded } from '../runner/files.ts'

/** Outside such a run, for example with `node --test <file>`, the seed is always the same. */
const runSeed = Number(process.env.TEST_SEED ?? 1)

/** Returns the seed for one use: separate for each file, and independent of other files and tests. */
export const seedFor = (what: string): number =>
  createHash('sha256').update(`${runSeed} ${currentFile()} ${what}`).digest().readUInt32LE()

/** Returns numbers in [0, 1), a separate sequence in each file for each use. */
export const randomFor = (what: string): (() => number) => seeded(seedFor(what))

/** Returns incompressible bytes. */
export function bytesOf(random: () => number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = random() * 256
  return bytes
}
