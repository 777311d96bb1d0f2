/** What a function that runs in a process of its own is called with, and what passes between the two processes. */

/** What one call may take. */
export interface Limits {
  /** Processor time of the process, milliseconds: a busy machine and a slow disk do not count. */
  milliseconds: number
  /** Most that the process may have, bytes. */
  memory: number
}

/** The largest real documents, 40 MB of inline XBRL, take 2 s and 700 MB. */
export const LIMITS: Limits = { milliseconds: 60_000, memory: 1_500_000_000 }

/** What a function is given beside its input: the process that called it. */
export interface Caller {
  /** Asks it something and waits for the answer. @throws Error when there is none: the call has failed then */
  ask<T>(question: unknown): Promise<T>
  /** Another function, exported by a module that the input names. @throws Error where there is none */
  load(module: string, name: string): Promise<unknown>
  /** What the call may take. */
  limits: Limits
  /** The process takes no other call: what it has in its hands is in a state that nobody knows, or too large. */
  retire(): void
}

/** A function that can be called apart: what it takes and gives are copied, as by `structuredClone`. */
export type Apart<I, R> = (input: I, caller: Caller) => Promise<R> | R

/** To the process, and on to its thread. */
export type ToProcess =
  | { call: { module: string; name: string; input: unknown }; limits: Limits }
  | { reply: number; answer: unknown }
  | { reply: number; failed: true }

/** From its thread. Bytes are what `v8.serialize` makes: the process passes them on as they are. */
export type FromThread = { ask: number; question: Uint8Array } | Ended

/** A function has thrown: the error in one line, and its class where that is known to the caller. */
export interface ThrownThere {
  thrown: string
  kind: string
  /** Its member `code`, if it has one. */
  code?: string
}

/** How a call ended. */
export type Ended = ({ result: Uint8Array } | ThrownThere) & { isRetired: boolean }

export function saidOf(error: unknown): ThrownThere {
  const { code } = (error ?? {}) as { code?: unknown }
  const kind = error instanceof Error ? error.constructor.name : ''
  return { thrown: lineOf(error), kind, ...(typeof code === 'string' && { code }) }
}

/** The error and its causes in one line. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || error.name
  return error.cause === undefined ? own : `${own}: ${lineOf(error.cause)}`
}

/** From the process itself, which begins no other call where it is not usable any more. */
export type Heard =
  | 'ready'
  | 'alive'
  | { excessive: string }
  | Exclude<FromThread, Ended>
  | (Ended & { usable: boolean })
