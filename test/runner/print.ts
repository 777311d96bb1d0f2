/** Prints the output of `npm test`: a line for each file, the failures, the closing lines, and the table of times. */
import { existsSync, readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { type Connection, connect } from '../../src/store/db.ts'
import type { SoakCount } from '../support/soak.ts'
import { type FileTimes, processorTime } from './meter.ts'
import type { Failure, FileResult } from './results.ts'

/** Formats a result: one line for a file that passed, and the failures and the output of a file that failed. */
export function printFile(result: FileResult): string {
  const { file, passed, skipped, failures, notes, output, seconds } = result
  const tests = passed + skipped.length + failures.length
  const without = skipped.length > 0 ? `, ${skipped.length} skipped` : ''
  const lines = [`${failures.length > 0 ? '✖' : '✔'} ${file} (${tests} tests${without}, ${seconds.toFixed(1)} s)`]
  for (const note of notes) lines.push(...indented(note, 4))
  if (failures.length > 0) {
    for (const failure of failures) lines.push(...failureLines(failure))
    if (output.trim()) lines.push('    printed:', ...indented(output.trimEnd(), 6))
  }
  return `${lines.join('\n')}\n`
}

function failureLines({ test, where, error }: Failure): string[] {
  return [`    ✖ ${test}${where ? ` (${where})` : ''}`, ...indented(textOf(error), 6)]
}

const indented = (text: string, by: number) => text.split('\n').map((line) => `${' '.repeat(by)}${line}`)

/** Formats any thrown value, even one that throws while it is formatted, so that a run always prints its last line. */
function shown(show: () => string): string {
  try {
    return show()
  } catch {
    return 'a value that cannot be shown'
  }
}

const textOf = (error: unknown) => shown(() => (typeof error === 'string' ? error : inspect(error)))

/** Joins the lines of a reason. */
const reasonOf = ({ error }: Failure) =>
  shown(() => (error instanceof Error && typeof error.message === 'string' ? error.message : textOf(error)))
    .replaceAll(/\s+/g, ' ')
    .slice(0, 200)

/** Formats one line for each failure, for readers who see only the end of a log. */
const shortly = (what: 'flaky' | 'failed', results: readonly FileResult[]) =>
  results.flatMap(({ file, failures }) =>
    failures.map((failure) => `${what}: ${file}: ${failure.test}: ${reasonOf(failure)}`),
  )

/**
 * Formats the end of a run: reasons of skipped tests, flaky files and failures, and a last line with the counts.
 *
 * @param first results of all files
 * @param again results of the files that had failed and then ran once more, each alone
 */
export function closing(run: {
  first: readonly FileResult[]
  again: readonly FileResult[]
  seed: number
  seconds: number
  flakyMax: number
}): { text: string; failed: boolean } {
  const passedAgain = new Map(
    run.again.filter(({ failures }) => failures.length === 0).map((each) => [each.file, each]),
  )
  const flaky = run.first.filter(({ file }) => passedAgain.has(file))
  const last = run.first.map((result) => passedAgain.get(result.file) ?? result)
  const failing = last.filter(({ failures }) => failures.length > 0)
  const lines: string[] = ['']
  const reasons = Map.groupBy(
    last.flatMap(({ skipped }) => skipped),
    ({ reason }) => reason,
  )
  for (const [reason, tests] of reasons) lines.push(`skipped ${tests.length}: ${reason}`)
  if (failing.length > 0) {
    lines.push('', 'failing tests:')
    for (const { file, failures } of failing) for (const failure of failures) lines.push(file, ...failureLines(failure))
    lines.push('')
  }
  lines.push(...shortly('flaky', flaky), ...shortly('failed', failing))
  lines.push(`${flaky.length} flaky; seed ${run.seed}; ${Math.round(run.seconds)} s`)
  const total = (of: (result: FileResult) => number) => last.reduce((sum, each) => sum + of(each), 0)
  const failed = total(({ failures }) => failures.length)
  lines.push(
    `${total(({ passed }) => passed)} passed, ${failed} failed, ${total(({ skipped }) => skipped.length)} skipped`,
  )
  return { text: `${lines.join('\n')}\n`, failed: failed > 0 || flaky.length > run.flakyMax }
}

/** Reads the JSON lines that test processes appended to a file; returns none if the file does not exist. */
const noted = <T>(file: string): T[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : []

/** Prints the counts and the time of each file of a soak. */
export function printSoak(file: string, results: readonly FileResult[]): string {
  const counts = noted<SoakCount>(file)
  const lines = results.map((result) => {
    const done = counts.filter((each) => each.file === result.file).map(({ of, count }) => `${count} ${of}`)
    return `${result.seconds.toFixed(0).padStart(6)} s  ${result.file}: ${done.join(', ')}`
  })
  return `\nsoak:\n${lines.sort().join('\n')}\n`
}

/** Prints the cost of each file and each phase, the most expensive first. */
export async function printTimes(file: string, server: Connection['target']): Promise<void> {
  const times = noted<FileTimes>(file)
  const cost = ({ own, commands }: FileTimes) => own + commands
  const seconds = (value: number) => value.toFixed(1).padStart(9)
  const columns = ['wall', 'own', 'commands', 'imports', 'database', 'databases', 'heap']
  const lines = [
    `${columns.map((name) => name.padStart(10)).join('')}  file (seconds; own, commands and imports of the processor)`,
  ]
  for (const each of times.toSorted((a, b) => cost(b) - cost(a))) {
    const { wall, own, commands, imports, database, databases, heap, alone } = each
    const cells = [wall, own, commands, imports, database].map((value) => ` ${seconds(value)}`).join('')
    lines.push(
      `${cells}${String(databases).padStart(10)}${heap.toFixed(0).padStart(9)}  ${each.file}${alone ? ' (alone)' : ''}`,
    )
  }
  const sum = (of: (each: FileTimes) => number) => times.reduce((total, each) => total + of(each), 0)
  const phases = {
    'start-up of test processes': sum(({ startup }) => startup),
    imports: sum(({ imports }) => imports),
    tests: sum(({ own, imports, teardown }) => own - imports - teardown),
    teardown: sum(({ teardown }) => teardown),
    'commands that tests run': sum(({ commands }) => commands),
    'database server': await serverTime(server),
  }
  lines.push('', 'processor time by phase, in seconds:')
  for (const [name, value] of Object.entries(phases)) lines.push(`${seconds(value)}  ${name}`)
  lines.push(`${seconds(Object.values(phases).reduce((a, b) => a + b, 0))}  in all`, '')
  lines.push(
    `waiting for databases to be made and dropped: ${sum(({ database }) => database).toFixed(1)} s for ${sum(({ databases }) => databases)}`,
  )
  process.stdout.write(`\n${lines.join('\n')}\n`)
}

/**
 * Returns the processor time of the server and of its sessions, in seconds. NaN if the server runs on another machine,
 * or if the system does not report the time.
 */
async function serverTime(target: Connection['target']): Promise<number> {
  const sql = connect({ target, max: 1 })
  try {
    const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`
    const stat = readFileSync(`/proc/${row!.pid}/stat`, 'utf8')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    const { own, children } = processorTime(parent)
    return own + children
  } catch {
    return Number.NaN
  } finally {
    await sql.end()
  }
}
