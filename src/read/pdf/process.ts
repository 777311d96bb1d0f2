/** Processes in which PDFs are read: one is kept for the next file, and ends when none comes. */
import { type ChildProcess, fork } from 'node:child_process'
import { availableParallelism } from 'node:os'
import type { PdfLimits, PdfText } from './result.ts'
import type { Done, Job } from './thread.ts'

/** How long a process without work is kept, milliseconds. Starting one takes 250. */
const IDLE = 20_000
/** At once. */
const MOST = Math.max(1, Math.min(4, availableParallelism()))
/** A process that does not end itself at its own deadline is ended after so many milliseconds more. */
const GRACE = 5_000

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
  const reader = take(job.limits)
  const { child } = reader
  const late = `its reader did not answer within ${(job.limits.milliseconds + GRACE) / 1000} s`
  const { promise, resolve } = Promise.withResolvers<Done | string>()
  const deadline = setTimeout(() => resolve(late), job.limits.milliseconds + GRACE)
  const onExit = (code: number | null, signal: string | null) => resolve(`its reader ended with ${signal ?? code}`)
  child.once('message', (done: Done) => resolve(done))
  child.once('exit', onExit)
  // A process that ended before it had the file: `exit` says how.
  child.send(job, () => {})
  if (child.pid !== undefined) started(child.pid)
  const done = await promise
  clearTimeout(deadline)
  child.removeAllListeners('message')
  child.removeListener('exit', onExit)
  if (typeof done !== 'string' && done.usable) keep(reader)
  else child.kill('SIGKILL')
  if (done === late) return { kind: 'excessive', pages: null, reason: late }
  return typeof done === 'string' ? done : done.result
}

function take({ memory }: PdfLimits): Reader {
  for (const [reader, timer] of idle) {
    idle.delete(reader)
    clearTimeout(timer)
    if (reader.memory !== memory || !reader.child.connected) {
      reader.child.kill('SIGKILL')
      continue
    }
    reader.child.ref()
    reader.child.channel?.ref()
    return reader
  }
  const child = fork(new URL('child.ts', import.meta.url), [String(memory)], {
    execArgv: ['--import', new URL('../../../bin/types.mjs', import.meta.url).href],
    // Nothing that this process knows is told to a program that reads bytes of strangers.
    env: {},
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // One that cannot be started, or is gone before it has the file, is told of by `exit` or by the deadline.
  child.on('error', () => {})
  const reader = { child, memory }
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
