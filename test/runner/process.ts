/**
 * A test process: runs test files one after the other without isolation, each as a suite of its name. A file must close
 * everything that it opens: the next file would inherit it.
 *
 * `node test/runner/process.ts --queue FOLDER NAME` shares the files of a queue with other such processes; with the
 * path of a file it runs only that file.
 */

import path from 'node:path'
import { after, afterEach, suite } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import { forgetPaces } from '../../src/fetch/pace.ts'
import { holdServer } from '../support/database.ts'
import { setCurrentFile } from './current.ts'
import { checkout } from './files.ts'
import { meter } from './meter.ts'
import { claimed } from './queue.ts'
import { noteStatements, statementsNoted } from './statements.ts'
import { ignorePromises, trackPromises } from './tracking.ts'

/** Ten times the time of the slowest file on a quiet machine: only a hang reaches this limit. */
const LIMIT_MS = Number(process.env.TEST_FILE_LIMIT_MS ?? 300_000)
/** Sockets and processes may take a moment to close. */
const CLOSING_MS = Number(process.env.TEST_CLOSING_MS ?? 10_000)
const STRAY_MS = 2 * CLOSING_MS

/**
 * A process with a larger heap ends before its first full collection, and another continues: modules and their data
 * stay in memory, and each collection looks at all of it.
 */
const HEAP_MAX = 600 * 2 ** 20

const [first, folder, name] = process.argv.slice(2)
const isShared = first === '--queue'

// If a test were the first to use these streams, the test would seem to have opened them.
for (const stream of [process.stdin, process.stdout, process.stderr]) stream.writable

/**
 * Uncaught errors, kept until the test or file that they belong to ends. Node itself keeps them until the process ends,
 * where no file would fail with them.
 */
const stray: unknown[] = []
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) =>
    // Node's own listener fails the suite that it belongs to, or else sets the status.
    process.nextTick(() => {
      if (!process.exitCode) return
      stray.push(error)
      process.exitCode = undefined
      // The test may wait for something that the error has ended. A file that only leaves something open has ended by
      // then.
      setTimeout(() => stray.includes(error) && endAfter(error), STRAY_MS).unref()
    }),
  )

const release = await holdServer()
await noteStatements()
for (const file of isShared ? claimed(folder!, name!) : [first!]) {
  await runFile(file)
  if (process.memoryUsage().heapUsed > HEAP_MAX) break
}
await release()
// Resources that a file left open, for which it has failed by then, must not keep the process from ending.
setTimeout(() => process.exit(), CLOSING_MS).unref()

async function runFile(file: string): Promise<void> {
  setCurrentFile(file, { shared: isShared })
  const limit = setTimeout(() => endLate(file), LIMIT_MS)
  limit.unref()
  const times = meter(file, { alone: !isShared })
  const begun = performance.now()
  const before = openResources()
  const settings = { ...process.env }
  // A pause of the SEC's hosts outlives every client, and a test's clock may be years ahead.
  forgetPaces()
  trackPromises()
  // A suite of the root resolves after its last hook. No limit of its own: each test in it has one.
  await suite(file, { timeout: Number.POSITIVE_INFINITY }, async () => {
    // Hooks run in the order in which they were declared: this hook before the hooks of the file, and the last hook
    // after them.
    after(times.tested)
    afterEach(assertNoneStray)
    try {
      await import(pathToFileURL(path.resolve(checkout, file)).href)
    } finally {
      ignorePromises()
      times.imported()
      after(() => assertNothingLeft(before, settings))
    }
  })
  times.ended()
  statementsNoted(file, (performance.now() - begun) / 1000)
  clearTimeout(limit)
}

/** Resources that keep the process alive, by kind. */
function openResources(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

/**
 * Collects all faults before it throws one: otherwise the next file would be blamed for the rest.
 *
 * @throws the uncaught error, or an Error that names what the file left open or changed in the environment, or states
 *   that it set the status of the process
 */
async function assertNothingLeft(before: ReadonlyMap<string, number>, settings: NodeJS.ProcessEnv): Promise<void> {
  const open = await leftOpen(before)
  const changed = takenBack(settings)
  const status = process.exitCode
  process.exitCode = undefined
  assertNoneStray()
  if (open.length > 0) throw new Error(`left open after the last test: ${open.join(', ')}`)
  if (changed.length > 0) throw new Error(`left in the environment of the process: ${changed.join(', ')}`)
  if (status) throw new Error(`the status of the process was set to ${status}`)
}

/** Resources that the file left open, by kind, after the time that closing may take. */
async function leftOpen(before: ReadonlyMap<string, number>): Promise<string[]> {
  const begun = performance.now()
  for (;;) {
    const left = [...openResources()]
      .map(([kind, count]) => ({ kind, more: count - (before.get(kind) ?? 0) }))
      .filter(({ more }) => more > 0)
    if (left.length === 0 || performance.now() - begun > CLOSING_MS)
      return left.map(({ kind, more }) => `${more} ${kind}`)
    await sleep(20)
  }
}

/** Gives the process its environment back. @returns the names that were changed */
function takenBack(settings: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(settings), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== settings[name])
  for (const name of changed) {
    if (settings[name] === undefined) delete process.env[name]
    else process.env[name] = settings[name]
  }
  return changed
}

/** @throws the uncaught error, with the stack that shows where it is from */
function assertNoneStray(): void {
  const errors = stray.splice(0)
  if (errors.length > 0) throw errors.length === 1 ? errors[0] : new AggregateError(errors, 'nothing has caught these')
}

/** Ends the process of a test that continues after an uncaught error. */
function endAfter(error: unknown): never {
  process.stderr.write(
    `a test has not ended within ${STRAY_MS} ms after an error that nothing has caught: ${inspect(error)}\n`,
  )
  process.exit(1)
}

/**
 * Ends the process: Node's own limits apply only to tests, and a hang before the first or after the last test would
 * stop the run.
 */
function endLate(file: string): never {
  process.stderr.write(
    `${file} has not ended within ${LIMIT_MS} ms; it holds: ${[...new Set(process.getActiveResourcesInfo())].join(', ')}\n`,
  )
  process.exit(1)
}
