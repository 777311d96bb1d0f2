/** Processes in which PDFs are read: one is kept for the next file, and ends when none comes. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { PdfLimits, PdfText } from './result.ts'
import type { Done, Job, Ready } from './thread.ts'

/** How long a process without work is kept, milliseconds. Starting one takes 250. */
const IDLE = 20_000
/** At once. */
const MOST = Math.max(1, Math.min(4, availableParallelism()))
/** A process that does not end itself at its own deadline is ended after so many milliseconds more. */
const GRACE = 5_000

/** For the start of a process, on a machine that is busy. */
const START = 30_000

interface Reader {
  child: ChildProcess
  memory: number
}

const idle = new Map<Reader, NodeJS.Timeout>()
const waiting: (() => void)[] = []
let running = 0

/** Numbers of the processes that wait for a file. */
export const idleReaders = (): number[] => [...idle.keys()].map(({ child }) => child.pid!)

/**
 * Reads a PDF in a process of its own. One that dies without a word is tried once more, since something else may have ended
 * its process.
 *
 * @param started is told the number of each process that takes the file
 * @throws Error when no process can be started: that says nothing of the file
 */
export async function readApart(job: Job, started: (pid: number) => void = () => {}): Promise<PdfText> {
  if (running >= MOST) await new Promise<void>((resolve) => waiting.push(resolve))
  running++
  try {
    const first = await attempt(job, started)
    if (typeof first !== 'string') return first
    const second = await attempt(job, started)
    return typeof second === 'string' ? { kind: 'broken', pages: null, reason: second } : second
  } finally {
    running--
    waiting.shift()?.()
  }
}

/** @returns how the process ended, when it did so without an answer */
async function attempt(job: Job, started: (pid: number) => void): Promise<PdfText | string> {
  const reader = waitingReader(job.limits) ?? (await newReader(job.limits))
  const { child } = reader
  const answer = told<Done>(child, job.limits.milliseconds + GRACE)
  // A process that is gone before it has the file: that it ended is told too.
  child.send(job, () => {})
  started(child.pid!)
  const done = await answer
  if ('said' in done && done.said.usable) keep(reader)
  else child.kill('SIGKILL')
  if ('said' in done) return done.said.result
  if ('ended' in done) return `its reader ended with ${done.ended}`
  const reason = `its reader did not answer within ${(job.limits.milliseconds + GRACE) / 1000} s`
  return { kind: 'excessive', pages: null, reason }
}

/** What a process says next, or how it ended, or that it did neither in time. */
async function told<T>(
  child: ChildProcess,
  ms: number,
): Promise<{ said: T } | { ended: string | number } | { late: true }> {
  const { promise, resolve } = Promise.withResolvers<{ said: T } | { ended: string | number } | { late: true }>()
  const onMessage = (said: unknown) => resolve({ said: said as T })
  const onExit = (code: number | null, signal: string | null) => resolve({ ended: signal ?? code! })
  const onError = (error: Error) => resolve({ ended: error.message })
  const timer = setTimeout(() => resolve({ late: true }), ms)
  child.on('message', onMessage).on('exit', onExit).on('error', onError)
  const found = await promise
  clearTimeout(timer)
  child.off('message', onMessage).off('exit', onExit).off('error', onError)
  return found
}

function waitingReader({ memory }: PdfLimits): Reader | null {
  for (const [reader, timer] of idle) {
    idle.delete(reader)
    clearTimeout(timer)
    if (reader.memory === memory && reader.child.connected) {
      reader.child.ref()
      reader.child.channel?.ref()
      return reader
    }
    reader.child.kill('SIGKILL')
  }
  return null
}

async function newReader({ memory }: PdfLimits): Promise<Reader> {
  const child = fork(new URL('child.ts', import.meta.url), [String(memory)], {
    execArgv: ['--import', new URL('../../../bin/types.mjs', import.meta.url).href],
    // Nothing that this process knows is told to a program that reads bytes of strangers.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  const first = await told<Ready>(child, START)
  if (!('said' in first)) {
    child.kill('SIGKILL')
    throw new Error(
      `the reader of PDFs does not start: ${'ended' in first ? first.ended : `not within ${START / 1000} s`}`,
    )
  }
  const reader = { child, memory }
  // What goes wrong with it later is told by its end.
  child.on('error', () => {})
  child.once('exit', () => {
    clearTimeout(idle.get(reader))
    idle.delete(reader)
  })
  return reader
}

/** Keeps it for the next file, unless one waits already. It does not keep this process from ending. */
function keep(reader: Reader): void {
  const { child } = reader
  if (idle.size > 0) {
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
