/** The test file that is running: several share a process, one after the other. */
import path from 'node:path'
import { checkout } from './files.ts'

let current: string | undefined
let isShared = false

export function setCurrentFile(file: string, { shared }: { shared: boolean }): void {
  current = file
  isShared = shared
}

/** A path of the project, `test/products/feed/feed.test.ts`. Works also where Node was given the file itself. */
export const currentFile = (): string => current ?? path.relative(checkout, process.argv[1] ?? '').replaceAll('\\', '/')

/** @throws Error where the file shares its process, for tests of what other files would change */
export function assertAlone(why: string): void {
  if (isShared) throw new Error(`${currentFile()} shares its process: say "@alone ${why}" in its first comment`)
}
