/** The results of test files, gathered from the events of Node's test runner. */
import path from 'node:path'
import { run } from 'node:test'
import type { TestEvent } from 'node:test/reporters'
import { pathToFileURL } from 'node:url'
import { checkout, isTestFile } from './files.ts'

const PROCESS = path.join(import.meta.dirname, 'process.ts')
const TRACKING = pathToFileURL(path.join(import.meta.dirname, 'tracking.ts')).href
/** Finds the project's modules without asking the disk about each, as in a command. */
const FINDING = pathToFileURL(path.join(import.meta.dirname, '../../bin/types.mjs')).href
/** Time limit of a test, which only a hang reaches: the slowest test takes a minute on a quiet machine. */
const TEST_LIMIT_MS = () => Number(process.env.TEST_LIMIT_MS ?? 900_000)

export interface Failure {
  /** `a suite › a test` */
  test: string
  /** `test/products/feed/feed.test.ts:31:5`, if Node knows the place. */
  where?: string
  error: unknown
}

export interface FileResult {
  file: string
  passed: number
  skipped: { test: string; reason: string }[]
  failures: Failure[]
  /** The notes of the file's tests, made with `t.diagnostic`. */
  notes: string[]
  /** The text that the file printed. */
  output: string
  seconds: number
}

export interface Job {
  /** Arguments of process.ts: a queue, or one file. */
  args: readonly string[]
  /** Whether the process runs many files. */
  isLong?: boolean
  env: NodeJS.ProcessEnv
}

/**
 * These options let the heap of a process with many files grow further before it is collected. With Node's defaults,
 * tests that make zip files cause a collection every 100 ms, and each collection scans the modules of all earlier
 * files. Eight files take 60 s of the processor instead of 70 s. Buffers count only against the limit of the heap. With
 * their separate default limit, each 64 MB of buffers would start a full garbage collection.
 */
const ROOMY = [
  '--min-semi-space-size=32',
  '--max-semi-space-size=64',
  '--initial-old-space-size=600',
  '--no-memory-reducer',
  '--external-memory-accounted-in-global-limit',
]

/**
 * Runs a test process and yields the result of each file after its last hook. If the process ends in the middle of a
 * file, that file has no result, and perhaps some files before it have none.
 */
export async function* resultsOf({ args, isLong = false, env }: Job): AsyncGenerator<FileResult> {
  const events = run({
    files: [PROCESS],
    argv: [...args],
    execArgv: [`--import=${TRACKING}`, `--import=${FINDING}`, ...(isLong ? ROOMY : [])],
    cwd: checkout,
    env: env as Record<string, string>,
    timeout: TEST_LIMIT_MS(),
  })
  /** Files that have begun, the newest last. Printed output belongs to the newest. */
  const begun = new Map<string, FileResult>()
  /** Names of the suites and tests that enclose the reported test, the file's name first. */
  const around: string[] = []
  let printedBefore = ''
  /** The file that began last. */
  let latest = ''
  for await (const event of events as AsyncIterable<TestEvent>) {
    switch (event.type) {
      case 'test:stdout':
      case 'test:stderr': {
        const running = [...begun.values()].at(-1)
        if (running) running.output += event.data.message
        else printedBefore += event.data.message
        break
      }
      case 'test:dequeue':
        if (event.data.nesting === 0 && event.data.name !== PROCESS) {
          const { name } = event.data
          if (isTestFile(name)) latest = name
          begun.set(name, {
            ...(isTestFile(name) ? emptyResult(name) : declaredLate(latest, name)),
            output: printedBefore,
          })
          printedBefore = ''
        }
        break
      case 'test:start':
        around.length = event.data.nesting
        around.push(event.data.name)
        break
      case 'test:diagnostic':
        if (event.data.nesting > 0) begun.get(around[0]!)?.notes.push(event.data.message)
        break
      case 'test:pass':
      case 'test:fail': {
        const { name, nesting } = event.data
        const result = begun.get(nesting === 0 ? name : around[0]!)
        if (!result) break
        count(result, event, [...around.slice(1, nesting), ...(nesting > 0 ? [name] : [])].join(' › '))
        if (nesting > 0) break
        begun.delete(name)
        yield ended(result, event.data.details.duration_ms)
      }
    }
  }
  // The caller reports files without a result; the last output may show the reason.
  process.stderr.write([...begun.values()].map(({ output }) => output).join('') + printedBefore)
}

const THE_FILE = 'the file'

/**
 * Returns the result of a test that its file declared too late. Node runs such a test next to the files, and not as a
 * part of its file.
 */
const declaredLate = (file: string, test: string): FileResult => ({
  ...emptyResult(file),
  failures: [
    {
      test,
      error: 'the test was declared after its file was read: wait in before(), not in the function of describe()',
    },
  ],
})

/** Returns the result of a file whose process ended in the middle of the file. */
export const endedEarly = (file: string): FileResult => ({
  ...emptyResult(file),
  failures: [{ test: THE_FILE, error: 'the process of the file ended before its last test' }],
})

const emptyResult = (file: string): FileResult => ({
  ...{ file, passed: 0, skipped: [], failures: [], notes: [], output: '', seconds: 0 },
})

/** @param test name of the test within the file, empty for the file itself */
function count(
  result: FileResult,
  { type, data }: TestEvent & { type: 'test:pass' | 'test:fail' },
  test: string,
): void {
  const { file, line, column, details, skip, todo } = data
  const without = skip ?? todo
  if (type === 'test:fail') {
    const error = (details as { error: Error & { failureType?: string } }).error
    // A suite fails whenever a test in it fails; the reason is that of the failed test.
    if (error.failureType === 'subtestsFailed') return
    const where = test && file ? { where: `${path.relative(checkout, file)}:${line}:${column}` } : {}
    result.failures.push({ test: test || THE_FILE, error: error.cause ?? error, ...where })
  } else if (without !== undefined) {
    result.skipped.push({ test, reason: typeof without === 'string' ? without : 'no reason given' })
  } else if (details.type !== 'suite') result.passed++
}

function ended(result: FileResult, ms: number): FileResult {
  const { passed, skipped, failures } = result
  if (passed + skipped.length + failures.length === 0) {
    failures.push({ test: THE_FILE, error: 'it has no test' })
  }
  return { ...result, seconds: ms / 1000 }
}
