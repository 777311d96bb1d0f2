/**
 * The files that several test processes share. A process claims the next file by creating a marker file, so that no
 * file runs twice.
 */
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

const FILES = 'files.json'

/** Writes a queue. @returns its folder */
export function makeQueue(files: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'openfilings-queue-'))
  writeFileSync(path.join(folder, FILES), JSON.stringify(files))
  return folder
}

/**
 * Yields the files that no process has claimed yet, and claims each file when it yields it.
 *
 * @param by the name of the claiming process
 */
export function* claimed(folder: string, by: string): Generator<string> {
  for (const [at, file] of filesOf(folder).entries()) {
    try {
      writeFileSync(path.join(folder, String(at)), by, { flag: 'wx' })
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
      continue
    }
    yield file
  }
}

/** Returns the files that a process has claimed, in the order of its claims. */
export const claimsOf = (folder: string, by: string): string[] =>
  filesOf(folder).filter((_, at) => {
    const claim = path.join(folder, String(at))
    return existsSync(claim) && readFileSync(claim, 'utf8') === by
  })

/** Returns the number of files that no process has claimed yet. */
export const unclaimed = (folder: string): number => filesOf(folder).length - (readdirSync(folder).length - 1)

const filesOf = (folder: string): string[] => JSON.parse(readFileSync(path.join(folder, FILES), 'utf8'))
