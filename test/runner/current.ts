/** The test file that is running: several files share a process, one after the other. */
import path from 'node:path'
import { checkout } from './files.ts'

let current: string | undefined
let isShared = false

export function setCurrentFile(file: string, { shared }: { shared: boolean }): void {
  current = file
  isShared = shared
}

/**
 * A path of the project, `test/products/feed/feed.test.ts`. This also works if Node was started with the test file
 * itself.
 */
export const currentFile = (): string => current ?? path.relative(checkout, process.argv[1] ?? '').replaceAll('\\', '/')

/**
 * @throws Error if the file shares its process; tests of state that other files could change must call this function
 */
export function assertAlone(why: string): void {
  if (isShared) throw new Error(`${currentFile()} shares its process: say "@alone ${why}" in its first comment`)
}
