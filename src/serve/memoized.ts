/** Caches expensive reads, so that clients without a key cannot keep the database busy. */

/** Minimum time between a failed reading and the next reading. */
const AGAIN_MS = 1_000

export interface Seen<T> {
  /** The last value that was read; null before the first reading has ended. */
  value: T | null
  /**
   * `current`: the value is as new as required. `old`: a newer value is being read. `away`: the last reading failed, or
   * the running reading takes longer than clients wait.
   */
  is: 'current' | 'old' | 'away'
}

/**
 * Runs one reading at a time for all clients, and keeps the value for a while.
 *
 * @param keepMs minimum time for which a value is current
 * @param times a value also stays current for this multiple of the time that reading it took: with 100, reading takes
 * at most a hundredth of the time
 * @param waitMs how long a client waits for a reading; if there is an older value, or if the last reading failed, the
 * client waits only `patienceMs`
 * @param version the version of the data from which the value is made: the value stays current while this version is
 * unchanged and not null
 */
export function memoized<T>(
  read: () => Promise<T>,
  options: { keepMs: number; times: number; waitMs: number; patienceMs?: number; version?: () => number | null },
): () => Promise<Seen<T>> {
  const { keepMs, times, waitMs, patienceMs = waitMs, version = () => null } = options
  let last: { value: T; version: number | null } | null = null
  /** When the next reading may begin. */
  let until = 0
  let failed = false
  let running: { done: Promise<void>; begun: number } | null = null

  function begin(): { done: Promise<void>; begun: number } {
    const begun = performance.now()
    const of = version()
    const done = read().then(
      (value) => {
        last = { value, version: of }
        failed = false
      },
      () => {
        failed = true
      },
    )
    return {
      begun,
      done: done.finally(() => {
        const tookMs = performance.now() - begun
        until = performance.now() + (failed ? AGAIN_MS : Math.max(keepMs, tookMs * times))
        running = null
      }),
    }
  }

  function seen(): Seen<T> {
    const value = last?.value ?? null
    if (running) return { value, is: failed || performance.now() - running.begun >= waitMs ? 'away' : 'old' }
    return { value, is: failed ? 'away' : 'current' }
  }

  return async () => {
    const isSame = !failed && last !== null && last.version !== null && last.version === version()
    if (!running && (isSame || performance.now() < until)) return seen()
    running ??= begin()
    const leftMs = running.begun + (last || failed ? patienceMs : waitMs) - performance.now()
    if (leftMs <= 0) return seen()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<void>((resolve) => {
      // A timer may fire a part of a millisecond early.
      timer = setTimeout(resolve, leftMs + 2)
    })
    await Promise.race([running.done, late]).finally(() => clearTimeout(timer))
    return seen()
  }
}
