/**
 * A smoke run: every section on a hundredth of its data, and the separate programs on less. It shows whether they still
 * run. Its figures are meaningless, since two sections run at once and all share one database server and a few
 * processes.
 */
import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { serveRun } from '../test/support/database.ts'
import { endIdle, keepProcesses, killBusy } from './apart.ts'
import type { Row } from './report.ts'
import { folder, openScope } from './scope.ts'
import { type Ran, runSections, type STANDING } from './sections.ts'

/** A section waits for the database now and then, so two sections at a time keep two cores busy. */
const AT_ONCE = 2
/** Thirty times the time of the longest section on two cores: a section that hangs must not keep CI waiting. */
const LIMIT_MS = 300_000

/**
 * @param measured returns the rows of a section
 * @param report receives a line about each section, and one about all of them
 */
export async function smoke(
  wanted: readonly string[],
  measured: (name: string) => Promise<Row[]>,
  report: (line: string) => void,
): Promise<Ran> {
  const begun = performance.now()
  keepProcesses()
  const server = await serveRun()
  const scope = openScope()
  try {
    const data = await folder(scope)
    const isStanding = (name: string): name is keyof typeof PROGRAMS => name in PROGRAMS
    const one = (name: string) => within(LIMIT_MS, isStanding(name) ? program(name, data) : measured(name))
    const ran = await runSections(wanted, one, report, AT_ONCE)
    const taken = `${wanted.length} sections took ${((performance.now() - begun) / 1000).toFixed(0)} s`
    report(ran.failed.length > 0 ? `${taken}; FAILED: ${ran.failed.join(', ')}` : `${taken}; all of them ran`)
    return ran
  } finally {
    await endIdle()
    await scope.close()
    await server.close()
  }
}

/** Arguments with which the separate programs take seconds. */
const PROGRAMS: Readonly<Record<(typeof STANDING)[number], (data: string) => string[]>> = {
  'textsearch-kept': (data) => ['--data', path.join(data, 'kept'), '--documents', '20000', '--share', '0.01'],
  large: (data) => ['--data', path.join(data, 'kept'), '--positions', '8000', '--requests', '2'],
  rebuild: () => ['--lines', '2000', '--quarters', '1', '--kills', '1', '--before', '1', '--waitMax', '60000'],
  'widely-held': () => ['--managers', '120', '--requests', '2', '--batches', '1'],
  // Compares this checkout with itself.
  before: () => ['--checkout', path.join(import.meta.dirname, '..'), '--rounds', '1', '--only', 'xml: Form D'],
}

/** @throws Error with the program's output if it failed, or if it printed nothing */
async function program(name: keyof typeof PROGRAMS, data: string): Promise<Row[]> {
  const file = path.join(import.meta.dirname, `${name}.ts`)
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file, ...PROGRAMS[name](data)], {
    timeout: LIMIT_MS,
    killSignal: 'SIGKILL',
  }).catch((error: Error & { stdout: string; stderr: string }) => {
    throw new Error(`${error.message}\n${error.stdout}${error.stderr}`)
  })
  if (stdout === '') throw new Error(`it printed nothing\n${stderr}`)
  return []
}

/** @throws Error if the work takes longer; the processes that do it are then killed */
async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => {
    reject(new Error(`it took longer than ${limitMs / 1000} s`))
    killBusy()
  }, limitMs)
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
