/** Waits that end if a signal aborts, or if work takes too long to end. */
import { setTimeout as sleep } from 'node:timers/promises'

/** Maximum wait for work that is about to end, such as a statement that the database was asked to cancel. */
const STOP_MS = 3_000

/**
 * Returns a promise that `act` settles through `resolve` or `reject`.
 *
 * @throws the signal's reason as soon as it is aborted
 */
export async function stoppable<T = void>(
  signal: AbortSignal,
  act: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  signal.throwIfAborted()
  const { promise, resolve, reject } = Promise.withResolvers<T>()
  const stop = () => reject(signal.reason)
  signal.addEventListener('abort', stop)
  try {
    act(resolve, reject)
    return await promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** Waits until the work has ended, whether it succeeded or failed, but not longer than `STOP_MS`. */
export async function ended(work: Promise<unknown>): Promise<void> {
  const stopped = new AbortController()
  const late = sleep(STOP_MS, undefined, { ref: false, signal: stopped.signal })
  await Promise.race([work, late]).catch(() => {})
  stopped.abort()
  await late.catch(() => {})
}
