/** The test file that is running: several share a process, one after the other. */
import path from 'node:path'
import { checkout } from './files.ts'

let current: string | undefined

export function setCurrentFile(file: string): void {
  current = file
}

/** A path of the project, `test/feed.test.ts`. Works also where Node was given the file itself. */
export const currentFile = (): string => current ?? path.relative(checkout, process.argv[1] ?? '').replaceAll('\\', '/')
