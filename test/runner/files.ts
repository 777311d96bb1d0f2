/**
 * The test files of the project: where they are, which of them need a separate process, and the order in which they
 * run.
 */
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The folder whose test files run: this project, or a folder that the runner's own tests made. */
export const checkout = process.env.TEST_PROJECT ?? path.resolve(import.meta.dirname, '../..')

/**
 * Every test file as a path of the project, `test/products/feed/feed.test.ts`. Skips test files of packages that a test
 * installs.
 */
export const allTestFiles = (): string[] =>
  globSync('{test,src}/**/*.test.{ts,mjs}', { cwd: checkout, exclude: ['**/node_modules/**'] })
    .map((file) => file.replaceAll('\\', '/'))
    .sort()

/** Tests whether a name is the path of a test file, and not the name of a test. */
export const isTestFile = (name: string): boolean => /^(test|src)\/.*\.test\.(ts|mjs)$/.test(name)

/** A mark in the first comment of a test file, with the reason. */
const markOf = (file: string, mark: string): string | null =>
  new RegExp(`^(?: \\*|/\\*\\*) @${mark} (\\S.*?)(?: \\*/)?$`, 'm').exec(
    readFileSync(path.resolve(checkout, file), 'utf8'),
  )?.[1] ?? null

/**
 * Returns the reason why a test file runs in a separate process; null for a file that shares a process.
 *
 * @param file path of the file: relative to the project, or absolute
 */
export const aloneReason = (file: string): string | null => markOf(file, 'alone')

/**
 * Returns the reason why a test file runs only in CI, such as a needed program or a long run; null for a file of `npm
 * test`.
 */
export const ciReason = (file: string): string | null => markOf(file, 'ci')

/**
 * Returns the reason why a test file always runs on every database server; null if its statements decide whether it
 * runs.
 */
export const serverReason = (file: string): string | null => markOf(file, 'server')

/**
 * Returns the files in an order that depends only on the seed. Files with `@early` come first, because a long file that
 * begins last would keep one core busy while the other core is idle.
 */
export function ordered(files: readonly string[], seed: number): string[] {
  const { true: early = [], false: others = [] } = Object.groupBy(
    shuffled(files, seed),
    (file) => `${markOf(file, 'early') !== null}`,
  )
  return [...early, ...others]
}

/** Shuffles the items in an order that depends only on the seed (Fisher and Yates, on mulberry32). */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = seeded(seed)
  const left = [...items]
  for (let at = left.length - 1; at > 0; at--) {
    const other = Math.floor(random() * (at + 1))
    ;[left[at], left[other]] = [left[other]!, left[at]!]
  }
  return left
}

/** Returns a generator of pseudo-random numbers in [0, 1), the same numbers for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296
  }
}
