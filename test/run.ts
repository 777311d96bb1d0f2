/**
 * `npm test`: runs every test file, and prints what failed, what was skipped and why, and the seed of the order.
 *
 *     npm test                                every file but those of CI
 *     npm test -- feed                        some files, by name (test/products/feed/feed.test.ts) or by path
 *     npm test -- --seed 7                    in the order, and with the random choices, of an earlier run
 *     npm test -- --ci                        files that only CI runs: their first comment says `@ci` and why
 *     npm test -- --times                     with the time of each file and phase
 *     npm run soak                            files that repeat tests with larger counts: see test/README.md
 * Most files share three processes, which claim them one by one. A file whose first comment contains `@alone` with a
 * reason runs in a separate process. A file whose first comment contains `@early` begins before the others. A file that
 * fails is run once more, alone and after all others: if the file then passes, it is reported as flaky. More than two
 * flaky files fail the run.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { allTestFiles, aloneReason, checkout, ciReason, ordered } from './runner/files.ts'
import { closing, printFile, printSoak, printTimes } from './runner/print.ts'
import { claimsOf, makeQueue, unclaimed } from './runner/queue.ts'
import { endedEarly, type FileResult, resultsOf } from './runner/results.ts'
import { serveRun } from './support/database.ts'

/**
 * Number of test processes: one more than a small machine has cores, because a process waits for its database half of
 * the time.
 */
const PROCESSES = 3
/** Maximum number of flaky files that are reported without failing the run. */
const FLAKY_MAX = 2

const { values, positionals } = parseArgs({
  options: {
    seed: { type: 'string' },
    ci: { type: 'boolean', default: false },
    times: { type: 'boolean', default: false },
    soak: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const seed = seedOf(values.seed)
const files = ordered(filesOf(positionals), seed)
// The seed of all random choices of tests: test/support/random.ts.
process.env.TEST_SEED = String(seed)
const begun = performance.now()

const server = await serveRun()
const folder = mkdtempSync(path.join(tmpdir(), 'openfilings-run-'))
if (values.times) process.env.TEST_FILE_TIMES = path.join(folder, 'times')
if (values.soak) {
  process.env.TEST_SOAK = path.join(folder, 'soak')
  // Three times the limits of `npm test`.
  process.env.TEST_FILE_LIMIT_MS ??= '3030000'
  process.env.TEST_LIMIT_MS ??= '3000000'
}
try {
  process.stdout.write(`${files.length} test files, shuffled with the seed ${seed}\n`)
  if (positionals.length === 0 && !values.ci && !values.soak) process.stdout.write(leftToCi())
  const first = await runAll(files)
  const again: FileResult[] = []
  if (files.length > 1) for (const { file } of first.filter(hasFailed)) again.push(...(await runAlone(file)))
  if (values.soak) process.stdout.write(printSoak(process.env.TEST_SOAK!, first))
  if (values.times) await printTimes(process.env.TEST_FILE_TIMES!, server.target)
  const { text, failed } = closing({
    first,
    again,
    seed,
    seconds: (performance.now() - begun) / 1000,
    flakyMax: FLAKY_MAX,
  })
  process.stdout.write(text)
  process.exitCode = failed ? 1 : 0
} finally {
  await server.close()
  rmSync(folder, { recursive: true, force: true })
}

function hasFailed({ failures }: FileResult): boolean {
  return failures.length > 0
}

/**
 * Runs files in parallel: files that need a separate process run one after the other, and all other files run in shared
 * processes.
 */
async function runAll(files: readonly string[]): Promise<FileResult[]> {
  const alone = files.filter((file) => aloneReason(file) !== null)
  const queue = makeQueue(files.filter((file) => !alone.includes(file)))
  const results: FileResult[] = []
  const keep = (result: FileResult) => {
    results.push(result)
    process.stdout.write(printFile(result))
  }
  const runShared = async (name: string) => {
    // If a process ends in the middle of a file, the next process takes the remaining files.
    for (let life = 0; unclaimed(queue) > 0; life++) {
      const by = `${name}.${life}`
      for await (const result of resultsOf({ args: ['--queue', queue, by], isLong: true, env: process.env }))
        keep(result)
      const claims = claimsOf(queue, by)
      if (claims.length === 0 && unclaimed(queue) > 0)
        throw new Error(`a test process ended before it had claimed any of ${unclaimed(queue)} files`)
      const lost = claims.filter((file) => !results.some((result) => result.file === file))
      // The last claimed file was running when the process ended. Earlier files may have ended without a report.
      const last = lost.pop()
      if (last) keep(endedEarly(last))
      alone.push(...lost)
    }
  }
  const runOwn = async () => {
    for (let file = alone.shift(); file !== undefined; file = alone.shift()) (await runAlone(file)).forEach(keep)
  }
  try {
    await Promise.all(
      Array.from({ length: Math.min(PROCESSES, files.length) }, async (_, at) => {
        if (at === 0) await runOwn()
        await runShared(String(at))
        await runOwn()
      }),
    )
  } finally {
    rmSync(queue, { recursive: true, force: true })
  }
  return results
}

/** Runs a file in a separate process. @returns a list with one result */
async function runAlone(file: string): Promise<FileResult[]> {
  const results = await Array.fromAsync(resultsOf({ args: [file], env: process.env }))
  return results.length > 0 ? results : [endedEarly(file)]
}

/** Returns the files that `npm test` leaves to CI, one per line, each with its reason. */
function leftToCi(): string {
  const lines = allTestFiles().map((file) => {
    const reason = ciReason(file)
    return reason === null ? '' : `left to CI: ${file}: ${reason}\n`
  })
  return lines.join('')
}

/** @throws a message for the terminal if a path is not a test file */
function filesOf(given: readonly string[]): string[] {
  const all = allTestFiles()
  if (given.length === 0) {
    if (values.soak) return all.filter(soaks)
    return all.filter((file) => (ciReason(file) !== null) === values.ci)
  }
  return given.flatMap((name) => {
    const file = path.relative(checkout, path.resolve(name)).replaceAll('\\', '/')
    const found = all.includes(file) ? [file] : filesNamed(all, name)
    if (found.length === 0) fail(`${name} is not a test file of the project`)
    return found
  })
}

/** Returns the files of a bare name: `feed` and `feed.test.ts` are `test/products/feed/feed.test.ts`. */
function filesNamed(all: readonly string[], name: string): string[] {
  return all.filter((file) => [name, `${name}.test.ts`, `${name}.test.mjs`].includes(path.posix.basename(file)))
}

/** Tests whether a file has separate counts for a soak, given with `often` of test/support/soak.ts. */
function soaks(file: string): boolean {
  return /\boften\(/.test(readFileSync(path.join(checkout, file), 'utf8'))
}

function seedOf(given: string | undefined): number {
  if (given === undefined) return Math.floor(Math.random() * 2 ** 32)
  if (!/^\d{1,10}$/.test(given) || Number(given) >= 2 ** 32) fail(`--seed ${given} is not a whole number below 2^32`)
  return Number(given)
}

function fail(message: string): never {
  process.stderr.write(`npm test: ${message}\n`)
  process.exit(2)
}
