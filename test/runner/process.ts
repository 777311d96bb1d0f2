/**
 * A test process: runs test files one after the other without isolation, each as a suite of its name. A file must close
 * everything that it opens, because the next file runs in the same process.
 * `node test/runner/process.ts --queue FOLDER NAME` shares the files of a queue with other such processes; with the
 * path of a file as its argument, it runs only that file.
 */

import path from 'node:path'
import { after, afterEach, suite } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { inspect } from 'node:util'
import v8 from 'node:v8'
import vm from 'node:vm'
import { forgetPaces } from '../../src/fetch/pace.ts'
import { holdServer } from '../support/database.ts'
import { setCurrentFile } from './current.ts'
import { checkout } from './files.ts'
import { meter } from './meter.ts'
import { claimed } from './queue.ts'
import { noteStatements, statementsNoted } from './statements.ts'
import { ignorePromises, trackPromises } from './tracking.ts'

/**
 * Maximum time in which no test of a file ends; only a hang reaches this limit. A test that hangs reaches its own limit
 * earlier (`TEST_LIMIT_MS` of results.ts), and fails by its name.
 */
const LIMIT_MS = Number(process.env.TEST_FILE_LIMIT_MS ?? 930_000)
/** Time in which sockets and processes may close after the last test. */
const CLOSING_MS = Number(process.env.TEST_CLOSING_MS ?? 10_000)
const STRAY_MS = 2 * CLOSING_MS

/**
 * A heap above this size is collected between two files, which takes 0.2 s. If more than `HEAP_KEPT` is still in use
 * after the collection, the process ends and a new process continues, which needs some seconds to load the modules
 * again.
 */
const HEAP_MAX = Number(process.env.TEST_HEAP_MB ?? 400) * 2 ** 20
const HEAP_KEPT = HEAP_MAX * 0.75

const [first, folder, name] = process.argv.slice(2)
const isShared = first === '--queue'

// Opens these streams now: if a test were the first to use a stream, the test would seem to have left it open.
for (const stream of [process.stdin, process.stdout, process.stderr]) stream.writable

/**
 * Uncaught errors; each is kept until the test or file that caused it ends. Node itself reports these errors at the end
 * of the process, when no file can fail because of them.
 */
const stray: unknown[] = []
for (const event of ['uncaughtException', 'unhandledRejection'])
  process.on(event, (error: unknown) =>
    // Node's own listener fails the suite in which the error occurred, or else sets the exit status.
    process.nextTick(() => {
      if (!process.exitCode) return
      stray.push(error)
      process.exitCode = undefined
      // The test may wait for work that the error has stopped. A file that only leaves something open ends before this
      // timer.
      setTimeout(() => stray.includes(error) && endAfter(error), STRAY_MS).unref()
    }),
  )

const release = await holdServer()
await noteStatements()
for (const file of isShared ? claimed(folder!, name!) : [first!]) {
  await runFile(file)
  if (isFull()) break
}
await release()
// Resources that a file left open must not keep the process from ending; the file has already failed because of them.
setTimeout(() => process.exit(), CLOSING_MS).unref()

/** Tests whether so much of the heap is in use that another process must continue. Collects a large heap. */
function isFull(): boolean {
  const { heapUsed } = process.memoryUsage()
  if (heapUsed <= HEAP_MAX) return false
  // V8 provides this function only in contexts that are made after the flag was set.
  v8.setFlagsFromString('--expose-gc')
  const collect = vm.runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed > HEAP_KEPT
}

async function runFile(file: string): Promise<void> {
  setCurrentFile(file, { shared: isShared })
  const limit = setTimeout(() => endLate(file), LIMIT_MS)
  limit.unref()
  const times = meter(file, { alone: !isShared })
  const begun = performance.now()
  const before = openResources()
  const settings = { ...process.env }
  // A pause that the SEC's hosts demand outlives every client, and a test's clock may be years ahead.
  forgetPaces()
  trackPromises()
  // A suite at the top level resolves after its last hook. The suite has no time limit of its own, because each test in
  // the suite has one.
  await suite(file, { timeout: Number.POSITIVE_INFINITY }, async () => {
    // Hooks run in the order in which they were declared: this hook before the hooks of the file, and the last hook
    // after them.
    after(times.tested)
    // A file of many tests may take long on a busy machine.
    afterEach(() => void limit.refresh())
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
 * Collects all faults before it throws one: otherwise the next file would be blamed for the remaining faults.
 *
 * @throws the uncaught error, or an Error that names what the file left open or changed in the environment, or that
 * states that the file set the exit status of the process
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

/** Returns the resources that the file left open, by kind, after the time that closing may take. */
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

/** Restores the environment variables of the process. @returns the names of the variables that were changed */
function takenBack(settings: NodeJS.ProcessEnv): string[] {
  const names = new Set([...Object.keys(settings), ...Object.keys(process.env)])
  const changed = [...names].filter((name) => process.env[name] !== settings[name])
  for (const name of changed) {
    if (settings[name] === undefined) delete process.env[name]
    else process.env[name] = settings[name]
  }
  return changed
}

/** @throws the uncaught error, with the stack that shows where it was thrown */
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
 * Ends the process: Node's own limits apply only to tests, so a hang before the first test or after the last test would
 * stop the run.
 */
function endLate(file: string): never {
  process.stderr.write(
    `${file} has ended no test for ${LIMIT_MS} ms; it holds: ${[...new Set(process.getActiveResourcesInfo())].join(', ')}\n`,
  )
  process.exit(1)
}
