/**
 * Breaks one line in each of many places of `src/`, one at a time, and runs the test file named next to it. If the file
 * still passes, no test covers that line. Works in a copy of the checkout.
 *
 *     node bin/run.mjs test/mutations.ts                    all of them, ten minutes
 *     node bin/run.mjs test/mutations.ts src/fetch          the lines of files below a path
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { MUTATIONS, type Mutation } from './mutation-list.ts'
import { checkout } from './runner/files.ts'
import { databaseFolder } from './support/database-folder.ts'
import { linkPackages } from './support/small-checkout.ts'

const run = promisify(execFile)
/** Folders that are not copied: packages, which are linked, and generated files. */
const isLeftOut = (name: string) =>
  path.basename(name) === 'node_modules' || ['.git', 'data', 'coverage'].includes(name)

const wanted = process.argv.slice(2)
const chosen = MUTATIONS.filter(({ file }) => wanted.length === 0 || wanted.some((at) => file.startsWith(at)))
const folder = mkdtempSync(path.join(databaseFolder(), 'openfilings-mutations-'))
let missed = 0
try {
  cpSync(checkout, folder, { recursive: true, filter: (from) => !isLeftOut(path.relative(checkout, from)) })
  await linkPackages(path.join(folder, 'node_modules'))
  // Each test must pass without a mutation, since a test that always fails would seem to catch every mutation.
  for (const test of new Set(chosen.map(({ test }) => test))) {
    const failure = await failureOf(test)
    if (failure) throw new Error(`${test} fails without a mutation: ${failure}`)
  }
  for (const mutation of chosen) if (!(await isCaught(mutation))) missed++
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.stdout.write(`${chosen.length - missed} of ${chosen.length} mutations were caught\n`)
process.exitCode = missed > 0 ? 1 : 0

async function isCaught({ file, from, to, test }: Mutation): Promise<boolean> {
  const at = path.join(folder, file)
  const text = readFileSync(at, 'utf8')
  if (text.split(from).length !== 2) throw new Error(`${file} must contain this text exactly once: ${from}`)
  writeFileSync(
    at,
    text.replace(from, () => to),
  )
  try {
    const failure = await failureOf(test)
    process.stdout.write(`${failure ? 'caught' : 'MISSED'}  ${file}: ${to}: ${test}: ${failure ?? 'passes'}\n`)
    return failure !== null
  } finally {
    writeFileSync(at, text)
  }
}

/** Returns the first test of a file that fails; null if all pass. */
async function failureOf(test: string): Promise<string | null> {
  try {
    await run(process.execPath, ['bin/run.mjs', 'test/run.ts', test], { cwd: folder, maxBuffer: 2 ** 28 })
    return null
  } catch (error) {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    const first = /^ {4}✖ (.*)$/m.exec(stdout)?.[1]
    if (!first) throw new Error(`${test} ended without a result: ${stdout}${stderr}`)
    return first
  }
}
