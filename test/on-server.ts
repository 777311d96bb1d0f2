/**
 * Test files for a run on another database server.
 *
 * A file may run on the second server if it, or a module that it imports, even indirectly, opens a database. The files
 * in SAME_ANYWHERE and OF_OTHER_THINGS (second-run.ts) are left out for the reasons given there. From the remaining
 * files, the run takes
 *
 * 1. each file whose first comment says `@server` and why: it tests locks, collation, settings, query plans or versions;
 * 2. a cheap set of the other files: together with the files of item 1, they send every part of an SQL statement of
 *    `src` that any file sent in the first run (runner/statements.ts). A file without notes, such as one that failed,
 *    runs again.
 *
 *     node bin/run.mjs test/on-server.ts NOTES     prints them; NOTES is what the first run wrote to TEST_STATEMENTS
 *     node bin/run.mjs test/on-server.ts           prints all that may run there
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { allTestFiles, serverReason } from './runner/files.ts'
import type { FileStatements } from './runner/statements.ts'
import { OF_OTHER_THINGS, SAME_ANYWHERE } from './second-run.ts'
import { checkout } from './support/world.ts'

/** Tests get databases only from this module, also for the commands that they run. */
const DATABASES = 'test/support/database.ts'

const imports = new Map<string, string[]>()

/**
 * Returns the files of the project that a file imports, without types. A path in a string counts as an import, because
 * a superfluous file is harmless.
 */
function importsOf(file: string): string[] {
  const known = imports.get(file)
  if (known) return known
  const text = readFileSync(path.join(checkout, file), 'utf8').replaceAll(/^(import|export) type .*$/gm, '')
  const found = [...text.matchAll(/'(\.\.?\/[^']+\.ts)'/g)]
    .map(([, to]) => path.posix.join(path.posix.dirname(file), to!))
    .filter((to) => existsSync(path.join(checkout, to)))
  imports.set(file, found)
  return found
}

function reachesDatabase(file: string): boolean {
  const reached = new Set([file])
  for (const each of reached) for (const next of importsOf(each)) reached.add(next)
  return reached.has(DATABASES) && !SAME_ANYWHERE.includes(file) && !OF_OTHER_THINGS.includes(file)
}

export function testFiles(): { onServer: string[]; leftOut: string[] } {
  const all = allTestFiles()
  const { true: onServer = [], false: leftOut = [] } = Object.groupBy(all.sort(), (file) => `${reachesDatabase(file)}`)
  return { onServer, leftOut }
}

/**
 * Chooses files that together send every statement part that any of the files sent.
 *
 * @param noted the statements of each file, and its cost
 * @param always files that always run
 */
export function fewest(noted: readonly FileStatements[], always: ReadonlySet<string>): string[] {
  const taken = noted.filter(({ file }) => always.has(file))
  const missing = new Set(noted.flatMap(({ parts }) => parts))
  for (const { parts } of taken) for (const part of parts) missing.delete(part)
  const left = new Set(noted.filter((each) => !taken.includes(each)))
  while (missing.size > 0) {
    let best = { file: undefined as FileStatements | undefined, worth: 0 }
    for (const file of left) {
      const own = file.parts.reduce((sum, part) => sum + (missing.has(part) ? 1 : 0), 0)
      if (own === 0) left.delete(file)
      // A very short file counts as a file of a tenth of a second.
      const worth = own / Math.max(file.wall, 0.1)
      if (worth > best.worth) best = { file, worth }
    }
    taken.push(best.file!)
    left.delete(best.file!)
    for (const part of best.file!.parts) missing.delete(part)
  }
  return withoutSpare(taken, always).map(({ file }) => file)
}

/** Removes files that later files made unnecessary, the most expensive first. */
function withoutSpare(taken: FileStatements[], always: ReadonlySet<string>): FileStatements[] {
  const times = new Map<string, number>()
  const count = ({ parts }: FileStatements, by: number) => {
    for (const part of parts) times.set(part, (times.get(part) ?? 0) + by)
  }
  for (const each of taken) count(each, 1)
  return taken
    .toSorted((a, b) => b.wall - a.wall)
    .filter((each) => {
      if (always.has(each.file) || each.parts.some((part) => times.get(part) === 1)) return true
      count(each, -1)
      return false
    })
}

function main(notes: string | undefined): void {
  const { onServer, leftOut } = testFiles()
  const noted = notes === undefined ? null : readNotes(notes).filter(({ file }) => onServer.includes(file))
  const always = new Set(onServer.filter((file) => serverReason(file) !== null))
  const known = new Set(noted?.map(({ file }) => file))
  const chosen = noted ? [...fewest(noted, always), ...onServer.filter((file) => !known.has(file))] : onServer
  process.stdout.write(`${chosen.sort().join('\n')}\n`)
  process.stderr.write(
    `${leftOut.length} test files do not test that server, and have run already: ${leftOut.join(' ')}\n`,
  )
  const spare = onServer.filter((file) => !chosen.includes(file))
  if (noted)
    process.stderr.write(
      `${spare.length} more are left out, since the ${chosen.length} chosen files send all of their statements: ${spare.join(' ')}\n`,
    )
}

/** If a file ran twice, the second run counts: the first one failed. */
function readNotes(file: string): FileStatements[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean)
  const notes = lines.map((line): FileStatements => JSON.parse(line))
  return [...new Map(notes.map((each) => [each.file, each])).values()]
}

if (import.meta.main) main(process.argv[2])
