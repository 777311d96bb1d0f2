/** The arguments of a function that runs in a separate process, and the messages between the two processes. */

/** The limits of one call. */
export interface Limits {
  /**
   * Processor time of the process, in milliseconds. The time spent waiting for a busy machine or a slow disk does not
   * count.
   */
  milliseconds: number
  /** Maximum memory of the process, in bytes. */
  memory: number
}

/**
 * The limits of a call that states none. For comparison, the largest real documents, 40 MB of inline XBRL, take 2 s and
 * 700 MB.
 */
export const LIMITS: Limits = { milliseconds: 60_000, memory: 1_500_000_000 }

/** The second argument of a function, after its input: access to the process that called it. */
export interface Caller {
  /**
   * Sends a request to the caller and waits for the answer. @throws Error if there is no answer: then the call has
   * failed
   */
  request<T>(question: unknown): Promise<T>
  /** Loads another function, exported by a module that the input names. @throws Error if there is no such function */
  load(module: string, name: string): Promise<unknown>
  /** The limits of the call. */
  limits: Limits
  /**
   * Ends the process after this call. A function calls this if it leaves the process in an unknown state, or with too
   * much memory.
   */
  retire(): void
}

/**
 * A function that can be called in another process. The input and the result of the function are copied, as by
 * `structuredClone`.
 */
export type Apart<I, R> = (input: I, caller: Caller) => Promise<R> | R

/**
 * Messages to the process, which passes them on to its thread. Input and answer are made by `part` of beside.ts.
 */
export type ToProcess =
  | { call: { module: string; name: string; input: Uint8Array }; limits: Limits }
  | { reply: number; answer: Uint8Array }

/**
 * Messages from the thread of the process. The bytes are made by `v8.serialize`: the process passes them on unchanged.
 */
export type FromThread = { request: number; question: Uint8Array } | Ended

/**
 * An error that a function has thrown: its message in one line, and the class of the error if the caller knows that
 * class.
 */
export interface ThrownThere {
  thrown: string
  kind: string
  /** The member `code` of the error, if it has one. */
  code?: string
}

/** How a call ended. */
export type Ended = ({ result: Uint8Array } | ThrownThere) & { isRetired: boolean }

export function thrownOf(error: unknown): ThrownThere {
  const { code } = (error ?? {}) as { code?: unknown }
  const kind = error instanceof Error ? error.constructor.name : ''
  return { thrown: lineOf(error), kind, ...(typeof code === 'string' && { code }) }
}

/** Returns the messages of the error and of its causes in one line. */
function lineOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const own = error.message || error.name
  return error.cause === undefined ? own : `${own}: ${lineOf(error.cause)}`
}

/** Messages from the process itself. If `usable` is false, the process accepts no further call. */
export type ReaderMessage =
  | 'ready'
  | 'alive'
  | { excessive: string }
  | Exclude<FromThread, Ended>
  | (Ended & { usable: boolean })
