/** What a function that runs in a process of its own is called with, and what passes between the two processes. */

/** What one call may take. */
export interface Limits {
  /** Processor time of the process, milliseconds: a busy machine and a slow disk do not count. */
  milliseconds: number
  /** Most that the process may have, bytes. */
  memory: number
}

/** What a function is given beside its input: the process that called it. */
export interface Caller {
  /** Asks it something and waits for the answer. @throws Error when there is none: the call has failed then */
  ask<T>(question: unknown): Promise<T>
  /** Another function, exported by a module that the input names. @throws Error where there is none */
  load(module: string, name: string): Promise<unknown>
}

/** A function that can be called apart: what it takes and gives are copied, as by `structuredClone`. */
export type Apart<I, R> = (input: I, caller: Caller) => Promise<R> | R

/** To the process, and on to its thread. */
export type Told =
  | { call: { module: string; name: string; input: unknown }; limits: Limits }
  | { reply: number; answer: unknown }
  | { reply: number; failed: true }

/** From its thread. Bytes are what `v8.serialize` makes: the process passes them on as they are. */
export type Said = { ask: number; question: Uint8Array } | Ended

/** How a call ended. */
export type Ended =
  | { result: Uint8Array }
  /** The function has thrown: the error in one line, and its class where that is known to the caller. */
  | { thrown: string; kind: string }

/** From the process itself, which begins no other call where it is not usable any more. */
export type Heard = 'ready' | 'alive' | { excessive: string } | Exclude<Said, Ended> | (Ended & { usable: boolean })
