/** Random choices of tests: all come from the seed of the run, which `npm test` prints and `npm test -- --seed N` repeats. */
import { currentFile } from './runner/current.ts'
import { seeded } from './runner/files.ts'

/** Without a run, as with `node --test <file>`, always the same one. */
const runSeed = Number(process.env.TEST_SEED ?? 1)

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  return hash >>> 0
}

/** The seed of something random: its own one in each file, whatever files and tests ran before. */
export const seedFor = (what: string): number => (hashOf(`${currentFile()} ${what}`) ^ runSeed) >>> 0

/** Numbers in [0, 1), a row of their own in each file for each thing. */
export const randomFor = (what: string): (() => number) => seeded(seedFor(what))

/** Bytes that no compression makes smaller. */
export function bytesOf(random: () => number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  for (let at = 0; at < length; at++) bytes[at] = random() * 256
  return bytes
}
