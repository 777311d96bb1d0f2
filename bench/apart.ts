/** Work in a process of its own: its memory is then its own, and so are its compiled code and its garbage. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import type { Used } from './measure.ts'
import { openScope, type Scope } from './scope.ts'

/** What the process is sent, and what it sends; bench/child.ts is the other side. */
export interface Job {
  /** File name in bench/. */
  module: string
  name: string
  args: unknown[]
}
export type Ask = 'used' | 'stop'
export type Told = { value: unknown } | { used: Used } | { rssMaxMb: number } | { failed: string }

/** A process whose work was started, and which stays until it is stopped. */
export interface Standing<T> {
  /** What the exported function returned. */
  value: T
  /** What the process has used so far. */
  used(): Promise<Used>
  /** Runs what the work left in `scope.after`. @returns the most memory the process ever had, megabytes */
  stop(): Promise<number>
}

/**
 * Runs an exported function, `(scope, ...args) => value`, in a new process. Arguments and value cross as JSON.
 *
 * @param scope ends the process if nobody has stopped it
 * @throws Error with the other process's message when it failed or died
 */
export async function start<T>(scope: Scope, module: string, name: string, ...args: unknown[]): Promise<Standing<T>> {
  const child = fork(new URL('child.ts', import.meta.url), { stdio: ['ignore', 2, 2, 'ipc'] })
  const exited = once(child, 'exit')
  scope.after(async () => {
    if (child.connected) child.disconnect()
    await exited
  })
  const early = exited.then(([code, signal]) => {
    throw new Error(`the process of ${module} ${name} ended early: ${signal ?? code}`)
  })
  early.catch(() => {}) // it ends at some time, and then nobody waits for it
  const told = async <K extends string>(key: K): Promise<unknown> => {
    const [message] = (await Promise.race([once(child, 'message'), early])) as [Record<string, unknown>]
    if ('failed' in message) throw new Error(`${module} ${name}: ${message.failed}`)
    return message[key]
  }
  child.send({ module, name, args } satisfies Job)
  const value = (await told('value')) as T
  return {
    value,
    used: async () => {
      child.send('used' satisfies Ask)
      return (await told('used')) as Used
    },
    stop: async () => {
      child.send('stop' satisfies Ask)
      return (await told('rssMaxMb')) as number
    },
  }
}

/** The same to the end. */
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
