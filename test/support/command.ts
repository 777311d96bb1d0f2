/**
 * Runs commands as a user does: in this process if a test concerns only the command's work, else in a separate process.
 */
import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { execFile, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import path from 'node:path'
import { open } from '../../src/app.ts'
import type { Reporter } from '../../src/commands/progress/reporter.ts'
import { readSettings } from '../../src/config.ts'
import { shareMemory } from '../../src/ingest/memory.ts'
import { main } from '../../src/main.ts'
import type { Sql } from '../../src/store/db.ts'
import { freshDatabase } from './database.ts'
import { copyMade } from './made.ts'
import { sampledDatabase } from './sampled.ts'
import { keptCheckout } from './small-checkout.ts'
import { overTcp } from './tcp.ts'
import { checkout, temporaryFolder } from './world.ts'

export interface Run {
  status: number
  stdout: string
  stderr: string
}

export type Env = Record<string, string>

const nothing = () => {}
/** A reporter that prints nothing. */
export const QUIET: Reporter = {
  ...{ stage: nothing, progress: nothing, waits: nothing, position: () => null },
  ...{ fact: nothing, note: nothing, problem: nothing, summary: nothing, close: nothing },
}

type After = Parameters<typeof freshDatabase>[0]

// An ingest would collect all garbage of this process, 0.2 s each time, and leave it little room for new objects.
shareMemory()

export const cli = path.join(checkout, 'bin/openfilings.mjs')

/**
 * Environment of a program that a test starts: it names the folder of compiled code, without which the start takes half
 * a second more. Our command finds it by itself.
 */
export const COMPILED: Env = process.env.NODE_COMPILE_CACHE
  ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }
  : {}

/**
 * Runs a command in this process, with separate settings: the work and the output of a command are the same as in a
 * separate process, and starting a process takes 0.6 s of processor time. The outputs of several commands at once do
 * not mix.
 */
export async function run(args: readonly string[], env: Env): Promise<Run> {
  captureOutput()
  const output = emptyOutput()
  const status = await written.run(output, () => main(args, env))
  return { status, stdout: output.stdout, stderr: output.stderr }
}

/** The output of a command so far, and the functions that are called when more output arrives. */
interface Output {
  stdout: string
  stderr: string
  looks: Set<() => void>
}

const emptyOutput = (): Output => ({ stdout: '', stderr: '', looks: new Set() })

function add(output: Output, name: 'stdout' | 'stderr', chunk: string): void {
  output[name] += chunk
  for (const look of output.looks) look()
}

const written = new AsyncLocalStorage<Output>()
let isCaptured = false

/** Passes the output of a command in this process to its caller, and no other output. */
function captureOutput(): void {
  if (isCaptured) return
  isCaptured = true
  for (const name of ['stdout', 'stderr'] as const) {
    const stream = process[name]
    const write = stream.write.bind(stream) as (...args: unknown[]) => boolean
    stream.write = (chunk: string | Uint8Array, ...rest: unknown[]) => {
      const output = written.getStore()
      if (!output) return write(chunk, ...rest)
      add(output, name, typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString())
      const done = rest.findLast((each) => typeof each === 'function') as (() => void) | undefined
      done?.()
      return true
    }
  }
}

/** Runs a command in a process of its own: for tests about processes, and once for each command. */
export function runApart(
  args: readonly string[],
  env: Env,
  { cwd = checkout, program = cli }: { cwd?: string; program?: string } = {},
): Promise<Run> {
  return new Promise((resolve) => {
    const options = { env: { PATH: process.env.PATH ?? '', ...env }, cwd }
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      resolve({ status: error ? Number(error.code) : 0, stdout, stderr })
    })
  })
}

/** Requires one line on standard error that matches `names`, and a status other than 0. */
export function assertRefused({ status, stderr }: Run, names: RegExp): void {
  const lines = stderr.trimEnd().split('\n')
  // A first start reports what it does, and on a slow machine its progress.
  const errors = lines.filter((line) => !/^openfilings: (making|copying) /.test(line))
  assert.equal(status, 1)
  assert.match(errors.join('\n'), names)
  assert.equal(errors.length, 1, stderr)
}

/** Environment of a new service: a database on the server under test, else an embedded one in a new data folder. */
export async function newEnv(t: After): Promise<Env> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  if (!process.env.TEST_DATABASE_URL) return { DATA_DIR }
  const { url } = await freshDatabase(t)
  return { DATA_DIR, DATABASE_URL: url! }
}

/** Environment with an empty OpenFilings database, on the test server. */
export async function emptyEnv(t: After): Promise<Env> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  const { target: DATABASE_URL } = await overTcp(t, await freshDatabase(t))
  const env = { DATA_DIR, DATABASE_URL }
  await queried(env, async () => {})
  return env
}

/**
 * A data folder with an empty OpenFilings database in it, whatever server is under test.
 *
 * @param parent the folder that will contain the data folder; by default a new folder
 */
export async function madeFolder(t: After, parent?: string): Promise<string> {
  const DATA_DIR = path.join(parent ?? (await temporaryFolder(t)), 'data')
  await copyMade('empty', (folder) => queried({ DATA_DIR: folder }, async () => {}), DATA_DIR)
  return DATA_DIR
}

/**
 * Like `emptyEnv`, but with the bundled sample in the database. A command that opens an embedded server starts and
 * stops it, which takes half a second of the processor each time: `sampledFolder` is for tests of an embedded server.
 */
export async function sampledEnv(t: After): Promise<Env> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  const { target: DATABASE_URL } = await overTcp(t, await sampledDatabase(t, DATA_DIR))
  return { DATA_DIR, DATABASE_URL }
}

/** A data folder with the bundled sample in its embedded database, whatever server is under test. */
export async function sampledFolder(t: After): Promise<string> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  const load = async (folder: string) => {
    const { status, stderr } = await run(['sample'], { DATA_DIR: folder })
    assert.equal(status, 0, stderr)
  }
  await copyMade('sample', load, DATA_DIR)
  return DATA_DIR
}

/**
 * Like `sampledFolder`, but with the sample of a small checkout, for tests in which the amount of data does not matter.
 * Loading the whole sample takes 20 s of the processor.
 *
 * @returns the folder, and the program of the checkout
 */
export async function smallFolder(t: After): Promise<{ DATA_DIR: string; program: string }> {
  const DATA_DIR = path.join(await temporaryFolder(t), 'data')
  const program = await keptCheckout()
  const load = async (folder: string) => {
    const { status, stderr } = await runApart(['sample'], { DATA_DIR: folder }, { program })
    assert.equal(status, 0, stderr)
  }
  await copyMade('small', load, DATA_DIR)
  return { DATA_DIR, program }
}

/** Returns the result of a query in the database of an environment. */
export async function queried<T>(env: Env, question: (sql: Sql) => Promise<T>): Promise<T> {
  const app = await open(readSettings(env).config, { make: true })
  try {
    return await question(app.sql)
  } finally {
    await app.close()
  }
}

/** Time limit for waiting: without a limit, a text that never comes would block the whole run. */
const UNTIL_MS = 180_000

/** A running command. */
export interface Begun {
  /** Everything written so far. */
  stdout(): string
  stderr(): string
  /**
   * Resolves with standard output once standard output or standard error contains the text; rejects with both after
   * three minutes.
   */
  until(text: RegExp): Promise<string>
  /** Sends the signal and waits for the end. @returns its status, or the name of the signal that ended it */
  end(signal?: NodeJS.Signals): Promise<number | string>
  /** Resolves with the status, or the name of the signal, when the command has ended. */
  ended: Promise<number | string>
}

/** Starts a command; if it still runs after the test, it is killed. */
export function begin(t: After, args: string[], env: Env, { program = cli }: { program?: string } = {}): Begun {
  const child = spawn(process.execPath, [program, ...args], {
    env: { PATH: process.env.PATH ?? '', ...env },
    cwd: checkout,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = emptyOutput()
  for (const name of ['stdout', 'stderr'] as const) child[name].on('data', (chunk) => add(output, name, String(chunk)))
  const ended = new Promise<number | string>((resolve) =>
    child.once('close', (code, signal) => resolve(code ?? signal!)),
  )
  t.after(async () => {
    child.kill('SIGKILL')
    await ended
  })
  return {
    ...begunOf(args, output, ended),
    end(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const
let isWorking = false

/**
 * Like `begin`, but in this process: for tests of a command that runs until it is stopped, if another test shows that
 * the signal reaches a process. Only one such command may run at a time: a signal goes to every listener that was added
 * after this command began.
 */
export function beginHere(t: After, args: string[], env: Env): Begun {
  if (isWorking) throw new Error('another command has begun in this process and has not ended')
  isWorking = true
  captureOutput()
  const output = emptyOutput()
  const before = new Set(SIGNALS.flatMap((signal) => process.listeners(signal)))
  const own = (signal: NodeJS.Signals) =>
    process.listeners(signal).filter((listener) => !before.has(listener)) as ((signal: string) => void)[]
  const ended = written
    // The log is not part of the command's output: it goes to the output of the whole process.
    .run(output, () => main(args, { LOG_LEVEL: 'silent', ...env }))
    .finally(() => {
      isWorking = false
      // A server listens for signals until it has closed: a second signal must not end its process.
      for (const signal of SIGNALS) for (const listener of own(signal)) process.removeListener(signal, listener)
    })
  const end = (signal: NodeJS.Signals = 'SIGTERM') => {
    const listeners = own(signal)
    if (listeners.length === 0 && isWorking) throw new Error(`${args.join(' ')} does not listen to ${signal}`)
    written.run(output, () => {
      for (const listener of listeners) listener(signal)
    })
    return ended
  }
  t.after(async () => {
    await (isWorking ? end() : ended)
  })
  return { ...begunOf(args, output, ended), end }
}

function begunOf(args: readonly string[], output: Output, ended: Promise<number | string>): Omit<Begun, 'end'> {
  return {
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    ended,
    until: (text) =>
      new Promise<string>((resolve, reject) => {
        const stop = () => {
          clearTimeout(late)
          output.looks.delete(look)
        }
        const fail = (how: string) => {
          stop()
          reject(new Error(`${args.join(' ')} ${how} ${text}: ${output.stdout}${output.stderr}`))
        }
        const late = setTimeout(() => fail(`has not said within ${UNTIL_MS} ms`), UNTIL_MS)
        const look = () => {
          if (!text.test(output.stdout) && !text.test(output.stderr)) return
          stop()
          resolve(output.stdout)
        }
        output.looks.add(look)
        void ended.then(() => fail('ended without'))
        look()
      }),
  }
}

/** Resolves when `serve` has printed all the requests to try. */
export const untilReady = (server: Begun) => server.until(/Try:\n( {2}curl .*\n)+\n/)

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const probe = createServer()
  await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve))
  const { port } = probe.address() as { port: number }
  await new Promise<void>((resolve) => probe.close(() => resolve()))
  return port
}
