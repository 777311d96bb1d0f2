/**
 * Runs functions on bytes from outside in separate processes. If a reader crashes, hangs or runs out of memory on some
 * bytes, only the process of this reader ends. Some processes wait for the next call, and end if no call comes.
 */
import type { ChildProcess } from 'node:child_process'
import type { Socket } from 'node:net'
import { availableParallelism } from 'node:os'
import type { Writable } from 'node:stream'
import v8 from 'node:v8'
import { type Parted, PIPE, part } from './beside.ts'
import { LIMITS, type Limits, type ReaderMessage, type ThrownThere, type ToProcess } from './call.ts'
import { startProcess } from './start.ts'

interface Call {
  message: Extract<ToProcess, { call: unknown }>
  large: Parted['large']
}
type Question = Extract<ReaderMessage, { request: number }>

/** How long a process without work is kept, in milliseconds. Starting a process takes 150 milliseconds. */
const IDLE = 20_000
/** Maximum number of processes at once. */
const MOST = Math.max(2, Math.min(4, availableParallelism()))
/**
 * A process that sends no message for this many milliseconds is ended. A process that is alive sends a message each
 * second.
 */
const SILENCE = 60_000

/** Returns the part of a process's memory limit that the heap may use, in megabytes. */
const heapOf = (memory: number) => Math.round((memory * 2) / 3e6)

/** Reading the bytes exceeded a limit of time or memory. Another attempt would have the same result. */
export class Excessive extends Error {
  readonly reason: string
  constructor(reason: string) {
    super(`it is excessive: ${reason}`)
    this.reason = reason
  }
}

/** The process ended without an answer. The bytes may be the cause, or something else. */
export class Died extends Error {}

/** The called function has thrown an error; this error has the same message. */
export class Thrown extends Error {
  /** The class of the error that the function has thrown. */
  readonly kind: string
  /** The member `code` of the error that the function has thrown, if it has one. */
  readonly code: string | undefined
  constructor({ thrown, kind, code }: ThrownThere) {
    super(thrown)
    this.kind = kind
    this.code = code
  }
}

export interface CallOptions {
  limits?: Partial<Limits>
  /** Answers the questions of the function. If this function throws an error, the call ends with that error. */
  answer?: (question: never) => Promise<unknown>
  /** Aborting the signal ends the process, and ends the call with the signal's reason. */
  signal?: AbortSignal | undefined
  /** How long the process may be silent, in milliseconds. */
  silenceMs?: number
  /** Called with the id of each process that takes the call. */
  started?: (pid: number) => void
}

interface Reader {
  child: ChildProcess
  /** The pipe of beside.ts. */
  pipe: Writable
  memory: number
  /** The current call; null between two calls. */
  taken: Taken | null
  silence?: NodeJS.Timeout | undefined
  /** Whether the process was killed. Later messages from it are ignored. */
  isKilled: boolean
}

/**
 * A call that a process has taken. The promise resolves to the answer, or to Died if another process may repeat the
 * call.
 */
interface Taken extends PromiseWithResolvers<Uint8Array | Died> {
  options: CallOptions
  requests: number
}

const idle = new Map<Reader, NodeJS.Timeout>()
const waiting: (() => void)[] = []
/** Number of slots in use; each slot is used by a process that is working or starting. */
let running = 0

/** Returns the ids of the processes that are waiting for a call. */
export const idleProcesses = (): number[] => [...idle.keys()].map(({ child }) => child.pid!)

/**
 * Calls an exported function of a module in a separate process. The function may send requests to this process, and
 * `answer` answers them.
 *
 * If the process ends without an answer, another process repeats the call, but only once. The call is not repeated if
 * the function had already sent a request.
 *
 * @throws Excessive, Died, NoProcess, Thrown; the error of `answer`; the signal's reason
 */
export async function callApart<R>(
  { module, name, input }: { module: URL | string; name: string; input: unknown },
  options: CallOptions = {},
): Promise<R> {
  const { signal } = options
  const limits = { ...LIMITS, ...options.limits }
  const { message, large } = part(input)
  const call: Call = { message: { call: { module: String(module), name, input: message }, limits }, large }
  for (let deaths = 0; ; ) {
    signal?.throwIfAborted()
    const reader = await acquireReader(limits.memory, signal)
    const end = await take(reader, call, options)
    if (!(end instanceof Died)) return v8.deserialize(end) as R
    if (++deaths === 2) throw end
  }
}

async function acquireReader(memory: number, signal: AbortSignal | undefined): Promise<Reader> {
  if (running >= MOST) await acquireSlot(signal)
  else running++
  try {
    const reader = idleReader(memory) ?? (await newReader(memory))
    if (!signal?.aborted) return reader
    keep(reader)
    throw signal.reason
  } catch (error) {
    releaseSlot()
    throw error
  }
}

/** Waits for a slot: a slot becomes free when a process ends or finishes its call. */
async function acquireSlot(signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const onAbort = () => {
    waiting.splice(waiting.indexOf(resolve), 1)
    reject(signal!.reason)
  }
  waiting.push(resolve)
  signal?.addEventListener('abort', onAbort)
  await promise.finally(() => signal?.removeEventListener('abort', onAbort))
}

function releaseSlot(): void {
  const next = waiting.shift()
  if (next) next()
  else running--
}

async function take(reader: Reader, call: Call, options: CallOptions): Promise<Uint8Array | Died> {
  const { signal, started } = options
  const taken: Taken = { ...Promise.withResolvers(), options, requests: 0 }
  const onAbort = () => fail(reader, taken, signal!.reason)
  reader.taken = taken
  listen(reader, taken)
  signal?.addEventListener('abort', onAbort)
  send(reader, call.message, call.large)
  started?.(reader.child.pid!)
  try {
    return await taken.promise
  } finally {
    signal?.removeEventListener('abort', onAbort)
  }
}

/**
 * Sends a message through the channel, and its large arrays through the pipe. If the process has ended before it gets
 * them, the exit event of the process still reports this.
 */
function send({ child, pipe }: Reader, message: ToProcess, large: Parted['large']): void {
  child.send(message, () => {})
  for (const bytes of large) pipe.write(bytes)
}

/** Ends a call together with its process. Has no effect if the call has already ended. */
function fail(reader: Reader, taken: Taken, error: unknown): void {
  if (reader.taken !== taken) return
  taken.reject(error)
  reader.isKilled = true
  reader.child.kill('SIGKILL')
}

function listen(reader: Reader, taken: Taken): void {
  clearTimeout(reader.silence)
  const { silenceMs = SILENCE } = taken.options
  const onSilence = () =>
    fail(reader, taken, new Excessive(`the process that reads it did not answer within ${silenceMs / 1000} s`))
  reader.silence = setTimeout(onSilence, silenceMs)
}

function receive(reader: Reader, message: ReaderMessage): void {
  const { taken } = reader
  if (!taken || reader.isKilled) return
  listen(reader, taken)
  if (message === 'alive' || message === 'ready') return
  if ('request' in message) {
    void reply(reader, taken, message)
    return
  }
  if ('excessive' in message) {
    fail(reader, taken, new Excessive(message.excessive))
    return
  }
  // The process is first kept or ended, and then its slot is given to the next waiting call.
  release(reader)
  if (message.usable) keep(reader)
  else reader.child.disconnect()
  releaseSlot()
  if ('thrown' in message) taken.reject(new Thrown(message))
  else taken.resolve(message.result)
}

async function reply(reader: Reader, taken: Taken, { request, question }: Question): Promise<void> {
  const { answer } = taken.options
  taken.requests++
  try {
    if (!answer) throw new Error('the function sends a request that the call cannot answer')
    const { message, large } = part(await answer(v8.deserialize(question) as never))
    send(reader, { reply: request, answer: message }, large)
  } catch (error) {
    fail(reader, taken, error)
  }
}

function release(reader: Reader): void {
  reader.taken = null
  clearTimeout(reader.silence)
}

/** Handles the end of a process, after all its messages were received. */
function onEnd(reader: Reader, code: number | null, signal: NodeJS.Signals | null): void {
  const { taken } = reader
  if (!taken) return
  release(reader)
  const died = new Died(`the process that read it ended with ${signal ?? code}`)
  // If memory runs out and V8 cannot end the second thread alone, V8 aborts the whole process.
  if (signal === 'SIGABRT' || code === 134)
    taken.reject(new Excessive(`it needs more than ${heapOf(reader.memory)} MB of memory`))
  else if (taken.requests > 0) taken.reject(died)
  else taken.resolve(died)
  releaseSlot()
}

function idleReader(memory: number): Reader | null {
  // Takes the process that was kept most recently, so that surplus processes reach their idle limit.
  for (const [reader, timer] of [...idle].reverse()) {
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
  const child = await startProcess(heapOf(memory))
  const pipe = child.stdio[PIPE] as Socket
  // Writing to a process that has ended fails, and its exit event reports the end.
  pipe.on('error', () => {}).unref()
  const reader: Reader = { child, pipe, memory, taken: null, isKilled: false }
  child.on('message', (message: ReaderMessage) => receive(reader, message))
  child.once('exit', (code, signal) => {
    clearTimeout(idle.get(reader))
    idle.delete(reader)
    const end = () => onEnd(reader, code, signal)
    // The last messages of the process may arrive after the exit event.
    if (child.connected) child.once('disconnect', end)
    else end()
  })
  return reader
}

/**
 * Keeps the process for the next call, unless the maximum number of processes is already waiting. A kept process does
 * not keep the calling process alive.
 */
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
