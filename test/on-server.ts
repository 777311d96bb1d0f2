/**
 * Test files for a run on another database server: all but those that import nothing, at whatever distance, that opens a database,
 * those of SAME_ANYWHERE, which do not open one by it, and those of OF_OTHER_THINGS, whose questions are not about it.
 * Run by itself it prints them for .ci/run, and on standard error how many it leaves out.
 */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { OF_OTHER_THINGS, SAME_ANYWHERE } from './again.ts'
import { allTestFiles } from './runner/files.ts'
import { checkout } from './world.ts'

/** The one way of a test to a database: the commands that it runs are given theirs. */
const DATABASES = 'test/database.ts'

const imports = new Map<string, string[]>()

/** Files of the project that one imports, types apart. A path that is only written down counts too: rather a file too many. */
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

if (import.meta.main) {
  const { onServer, leftOut } = testFiles()
  process.stdout.write(`${onServer.join('\n')}\n`)
  process.stderr.write(
    `${leftOut.length} test files ask nothing of that server and had their run: ${leftOut.join(' ')}\n`,
  )
}
