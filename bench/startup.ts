/**
 * Measures the processor time of a command before it starts to work. Compares it with a Node process that is started in
 * the same way and does nothing.
 */
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { sampledFolder, smallFolder } from '../test/support/command.ts'
import { alternate, median } from './measure.ts'
import { hasProgram } from './program.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'

const ROUNDS = 9
const launcher = path.join(import.meta.dirname, '../bin/openfilings.mjs')

/** Milliseconds of processor time, user and system, of a program and all its awaited children. */
type Work = () => Promise<number>

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  if (process.platform !== 'linux' || !(await hasProgram('bash')))
    return [row('--version', null, null, 'needs bash and /proc')]
  // A smoke run uses the sample of a small checkout, which the tests keep: loading the whole sample takes 30 s of the
  // processor.
  const { DATA_DIR, program } =
    share < 1 ? await smallFolder(scope) : { DATA_DIR: await sampledFolder(scope), program: launcher }
  const env = { DATA_DIR, PORT: '0' }
  const command =
    (...args: string[]): Work =>
    () =>
      taken([program, ...args], env)
  const works = {
    bare: () => taken(['-e', '0'], env),
    version: command('--version'),
    help: command('--help'),
    'ingest --help': command('ingest', '--help'),
    'keys list': command('keys', 'list'),
    status: command('status'),
    serve: () => untilReady(program, env),
  } satisfies Record<string, Work>
  // These rounds compile all code, and store the results derived from the sources. A smoke run needs neither.
  await alternate(part(2, share, 0), works)
  const found = await alternate(part(ROUNDS, share), works)
  const peer = median(found.bare)
  const of = (what: keyof typeof works, note: string) => row(what, median(found[what]), peer, note)
  return [
    of('version', 'package.json alone is read'),
    of('help', 'commands are declared, and none is loaded'),
    of('ingest --help', 'the names of slices come from generated/words.json'),
    of('keys list', 'with the start and the stop of the embedded server, which make up 2 to 4 of the ratio'),
    of('status', 'with the start and the stop too; the status of the sample'),
    of(
      'serve',
      'until its address and requests to try are printed, on a folder with the sample; without the database server',
    ),
  ]
}

const row = (what: string, ours: number | null, peer: number | null, note: string): Row => ({
  section: 'startup',
  what,
  ours,
  peer,
  unit: 'ms CPU',
  note: `node -e 0; ${note}`,
})

/** Measures with bash, which reports milliseconds. Through Node, times of children have steps of 10 ms. */
async function taken(args: readonly string[], env: Record<string, string>): Promise<number> {
  const script = 'TIMEFORMAT="%U %S"; time "$@" >/dev/null 2>&1'
  const { stderr } = await run('bash', ['-c', script, 'bash', process.execPath, ...args], env)
  const [user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number)
  return (user + system) * 1000
}

function run(program: string, args: readonly string[], env: Record<string, string>): Promise<{ stderr: string }> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let stderr = ''
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status) =>
      status === 0 ? resolve({ stderr }) : reject(new Error(`${args.join(' ')} ended with ${status}: ${stderr}`)),
    )
  })
}

/** The database server is a child that is not awaited, so the process's figures exclude its time. */
async function untilReady(program: string, env: Record<string, string>): Promise<number> {
  const child = spawn(process.execPath, [program, 'serve'], {
    env: { PATH: process.env.PATH ?? '', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise((resolve) => child.on('close', resolve))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    if (output.includes('Try:')) break
  }
  const stat = await readFile(`/proc/${child.pid}/stat`, 'utf8')
  // The name may contain blanks, so fields are counted from its closing bracket. Times are in clock ticks of 10 ms.
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map(Number)
  child.kill('SIGTERM')
  await ended
  return ticks.reduce((sum, each) => sum + each, 0) * 10
}
