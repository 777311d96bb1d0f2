/**
 * Processes in which bytes from outside are read: those that crash, hang or swell their reader end that process and nothing
 * else. Some are kept for the next call, and end when none comes.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import v8 from 'node:v8'
import type { Heard, Limits, Told } from './call.ts'

type Call = Extract<Told, { call: unknown }>

/** How long a process without work is kept, milliseconds. Starting one takes 150. */
const IDLE = 20_000
/** At once. */
const MOST = Math.max(2, Math.min(4, availableParallelism()))
/** A process that is not heard of for so many milliseconds is ended: it says that it lives each second. */
const SILENT = 60_000
/** For the start of a process, on a machine that is busy. */
const START = 60_000

/** The largest real documents, 40 MB of inline XBRL, take 2 s and 700 MB. */
export const LIMITS: Limits = { milliseconds: 60_000, memory: 1_500_000_000 }
/** The heap's part of the memory of a process, megabytes. */
const heapOf = (memory: number) => Math.round((memory * 2) / 3e6)

/** The bytes need more than a limit allows. Another try gives the same. */
export class Excessive extends Error {
  constructor(reason: string) {
    super(`it is excessive: ${reason}`)
  }
}

/** The process ended without an answer. That may be the fault of the bytes or of something else. */
export class Died extends Error {}

/** No process can be started, which says nothing of what was to be read. */
export class NoProcess extends Error {}

/** What was called has thrown: the message is that of its error. */
export class Thrown extends Error {
  /** The class of its error. */
  readonly kind: string
  constructor(message: string, kind: string) {
    super(message)
    this.kind = kind
  }
}

export interface CallOptions {
  limits?: Partial<Limits>
  /** Answers what the function asks. An error of it ends the call with that error. */
  answer?: (question: never) => Promise<unknown>
  /** Ends the process, and the call with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Told the number of each process that takes the call. */
  started?: (pid: number) => void
}

interface Reader {
  child: ChildProcess
  memory: number
}

const idle = new Map<Reader, NodeJS.Timeout>()
const waiting: (() => void)[] = []
let running = 0

/** Numbers of the processes that wait for a call. */
export const idleProcesses = (): number[] => [...idle.keys()].map(({ child }) => child.pid!)

/**
 * Calls an exported function of a module in a process of its own, which may ask back.
 *
 * A process that dies without a word before the function asked anything is followed by another one, once.
 *
 * @throws Excessive, Died, NoProcess, Thrown; the error of `answer`; the signal's reason
 */
export async function callApart<R>(
  { module, name, input }: { module: URL | string; name: string; input: unknown },
  options: CallOptions = {},
): Promise<R> {
  const { signal, limits } = options
  signal?.throwIfAborted()
  if (running >= MOST) await turn(signal)
  else running++
  try {
    const call: Call = { call: { module: String(module), name, input }, limits: { ...LIMITS, ...limits } }
    const first = await attempt(call, options)
    const bytes = first ?? (await attempt(call, options, true))
    return v8.deserialize(bytes!) as R
  } finally {
    const next = waiting.shift()
    if (next) next()
    else running--
  }
}

/** Waits for the place of a call that ends. */
async function turn(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    waiting.splice(waiting.indexOf(resolve), 1)
    reject(signal!.reason)
  }
  waiting.push(resolve)
  signal?.addEventListener('abort', onAbort)
  await promise.finally(() => signal?.removeEventListener('abort', onAbort))
}

/** @returns the result, or null where the process died before it asked anything and may be followed by another */
async function attempt(
  call: Call,
  { answer, signal, started }: CallOptions,
  isLast = false,
): Promise<Uint8Array | null> {
  const { memory } = call.limits
  const reader = waitingReader(memory) ?? (await newReader(memory))
  const { child } = reader
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array | null>()
  let asked = 0
  let silence: NodeJS.Timeout | undefined
  const fail = (error: unknown) => {
    child.kill('SIGKILL')
    reject(error)
  }
  const listen = () => {
    clearTimeout(silence)
    silence = setTimeout(() => fail(new Excessive(`its reader did not answer within ${SILENT / 1000} s`)), SILENT)
  }
  async function reply(id: number, question: Uint8Array): Promise<void> {
    try {
      if (!answer) throw new Error('nobody answers what the function asks')
      const given = await answer(v8.deserialize(question) as never)
      child.send({ reply: id, answer: given } satisfies Told, () => {})
    } catch (error) {
      fail(error)
    }
  }
  let result: Uint8Array | undefined
  let thrown: Thrown | undefined
  const onMessage = (heard: Heard) => {
    listen()
    if (heard === 'alive' || heard === 'ready') return
    if ('ask' in heard) {
      asked++
      void reply(heard.ask, heard.question)
    } else if ('result' in heard) result = heard.result
    else if ('thrown' in heard) thrown = new Thrown(heard.thrown, heard.kind)
    else if ('excessive' in heard) fail(new Excessive(heard.excessive))
    else {
      // After the word on its process, which is kept before whoever waits goes on.
      if (heard.usable) keep(reader)
      else child.disconnect()
      if (thrown) reject(thrown)
      else resolve(result!)
    }
  }
  const onExit = (code: number | null, signal: NodeJS.Signals | null) => {
    // V8 aborts a process that has no memory left where its thread cannot be ended.
    if (signal === 'SIGABRT' || code === 134)
      return reject(new Excessive(`it needs more than ${heapOf(memory)} MB of memory`))
    if (asked === 0 && !isLast) return resolve(null)
    reject(new Died(`its reader ended with ${signal ?? code}`))
  }
  const onAbort = () => fail(signal!.reason)
  child.on('message', onMessage).on('exit', onExit)
  signal?.addEventListener('abort', onAbort)
  listen()
  // A process that is gone before it has the call: that it ended is heard too.
  child.send(call, () => {})
  started?.(child.pid!)
  try {
    return await promise
  } finally {
    clearTimeout(silence)
    signal?.removeEventListener('abort', onAbort)
    child.off('message', onMessage).off('exit', onExit)
  }
}

function waitingReader(memory: number): Reader | null {
  for (const [reader, timer] of idle) {
    const { child } = reader
    if (reader.memory !== memory || !child.connected) continue
    idle.delete(reader)
    clearTimeout(timer)
    child.ref()
    child.channel?.ref()
    return reader
  }
  return null
}

async function newReader(memory: number): Promise<Reader> {
  const child = fork(new URL('child.ts', import.meta.url), [String(heapOf(memory))], {
    execArgv: ['--import', new URL('../../../bin/types.mjs', import.meta.url).href],
    // Nothing that this process knows is told to a program that reads bytes of strangers.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const fail = (why: string | number) => reject(new NoProcess(`the process that reads does not start: ${why}`))
  const onMessage = () => resolve()
  const onExit = (code: number | null, signal: string | null) => fail(signal ?? code!)
  const timer = setTimeout(() => fail(`not within ${START / 1000} s`), START)
  // What goes wrong with it later is told by its end.
  child.on('error', ({ message }) => fail(message))
  child.once('message', onMessage).once('exit', onExit)
  try {
    await promise
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    child.off('exit', onExit)
  }
  const reader = { child, memory }
  child.once('exit', () => {
    clearTimeout(idle.get(reader))
    idle.delete(reader)
  })
  return reader
}

/** Keeps it for the next call, unless as many wait already as may run. It does not keep this process from ending. */
function keep(reader: Reader): void {
  const { child } = reader
  if (idle.size >= MOST) {
    child.disconnect()
    return
  }
  child.unref()
  child.channel?.unref()
  const timer = setTimeout(() => {
    idle.delete(reader)
    child.disconnect()
  }, IDLE)
  timer.unref()
  idle.set(reader, timer)
}
