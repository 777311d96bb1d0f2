/** Runs work in a separate process, with its own memory, compiled code and garbage collection. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Used } from './measure.ts'
import { openScope, type Scope } from './scope.ts'

/** Messages to the process and from it; bench/child.ts is the other side. */
export interface Job {
  /** File name in bench/. */
  module: string
  name: string
  args: unknown[]
}
export type Ask = 'used' | 'stop'
export type ChildMessage = { value: unknown } | { used: Used } | { rssMaxMb: number } | { failed: string }

/** A process whose work was started. It runs until it is stopped. */
export interface Standing<T> {
  /** The result of the exported function. */
  value: T
  /** Returns the resources that the process has used so far. */
  used(): Promise<Used>
  /**
   * Runs the functions that the work left in `scope.after`. @returns the maximum memory of the process, in megabytes
   */
  stop(): Promise<number>
}

interface Process {
  child: ChildProcess
  exited: Promise<unknown[]>
}

/**
 * Tests whether a process that has finished gets the next work too. Starting a process takes up to half a second of the
 * processor, so a smoke run reuses processes. Its figures of memory then cover all of a process's work.
 */
const isKept = () => process.env.BENCH_KEEPS_PROCESSES === 'true'
export function keepProcesses(): void {
  process.env.BENCH_KEEPS_PROCESSES = 'true'
}
const idle: Process[] = []
const busy = new Set<Process>()

function take(): Process {
  const kept = idle.pop()
  if (kept) {
    kept.child.ref()
    kept.child.channel?.ref()
    return kept
  }
  // JSON would turn NaN into null, so that a row with an invalid number would look like a row without a peer.
  const child = fork(new URL('child.ts', import.meta.url), {
    stdio: ['ignore', 2, 2, 'ipc'],
    serialization: 'advanced',
  })
  return { child, exited: once(child, 'exit') }
}

/** @returns after the process has ended, or waits for work */
async function release(one: Process): Promise<void> {
  if (!isKept()) {
    one.child.disconnect()
    await one.exited
    return
  }
  one.child.unref()
  one.child.channel?.unref()
  idle.push(one)
}

/** Ends the processes that wait for work. */
export async function endIdle(): Promise<void> {
  for (let one = idle.pop(); one; one = idle.pop()) {
    one.child.ref()
    one.child.disconnect()
    await one.exited
  }
}

/** Kills the working processes: callers that wait for them fail. */
export function killBusy(): void {
  for (const { child } of busy) child.kill('SIGKILL')
}

/**
 * Runs an exported function, `(scope, ...args) => value`, in another process. Arguments and value are copied.
 *
 * @param scope ends the process if nobody has stopped it
 * @throws Error with the other process's message if it failed or died
 */
export async function start<T>(scope: Scope, module: string, name: string, ...args: unknown[]): Promise<Standing<T>> {
  const one = take()
  busy.add(one)
  const { child, exited } = one
  scope.after(async () => {
    if (!busy.delete(one)) return
    if (child.connected) child.disconnect()
    await exited
  })
  const early = exited.then(([code, signal]) => {
    throw new Error(`the process of ${module} ${name} ended early: ${signal ?? code}`)
  })
  early.catch(() => {}) // the process ends at some time, and nothing might be waiting for it then
  const received = async <K extends string>(key: K): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), early])) as [Record<string, unknown>]
    if ('failed' in message) throw new Error(`${module} ${name}: ${message.failed}`)
    return message[key]
  }
  child.send({ module, name, args } satisfies Job)
  const value = (await received('value')) as T
  return {
    value,
    used: async () => {
      child.send('used' satisfies Ask)
      return (await received('used')) as Used
    },
    stop: async () => {
      child.send('stop' satisfies Ask)
      const rssMaxMb = (await received('rssMaxMb')) as number
      busy.delete(one)
      await release(one)
      return rssMaxMb
    },
  }
}

/** Runs the function to its end. */
export async function apart<T>(
  module: string,
  name: string,
  ...args: unknown[]
): Promise<{ value: T; rssMaxMb: number }> {
  const scope = openScope()
  try {
    const standing = await start<T>(scope, module, name, ...args)
    return { value: standing.value, rssMaxMb: await standing.stop() }
  } finally {
    await scope.close()
  }
}
