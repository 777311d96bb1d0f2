/** Decides when the next request may leave: turns at even intervals, and pauses that hold everybody. */

interface Clock {
  /** Milliseconds since 1970. */
  now: () => number
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

interface Pace {
  /** Resolves when the caller may send one request: `intervalMs` after the turn before it, and outside every pause. */
  turn(intervalMs: number, clock: Clock, signal?: AbortSignal): Promise<void>
  /** Gives nobody a turn before this moment, not even those already waiting. */
  pause(until: number): void
  /** End of the latest pause in milliseconds since 1970; 0 when there was none. */
  pausedUntil(): number
}

export function pace(): Pace {
  let free = 0
  let pausedUntil = 0
  return {
    async turn(intervalMs, { now, sleep }, signal) {
      for (;;) {
        signal?.throwIfAborted()
        const held = pausedUntil - now()
        if (held > 0) {
          await sleep(held, signal)
          continue
        }
        const slot = Math.max(now(), free)
        free = slot + intervalMs
        if (slot > now()) await sleep(slot - now(), signal)
        // A pause may have begun during the wait. Then this slot is lost, and the queue forms again behind the pause.
        if (pausedUntil <= now()) return
      }
    },
    pause(until) {
      pausedUntil = Math.max(pausedUntil, until)
    },
    pausedUntil: () => pausedUntil,
  }
}

const paces = new Map<string, { pace: Pace; clients: number }>()

/**
 * The pace of a host, one for the whole process: EDGAR counts requests by operator, over all of its hosts and however
 * many clients there are here. A loopback host has a pace of its own.
 *
 * @returns the pace, and what a client calls when it closes: a pace is forgotten with its last client, since a port of
 *   loopback may be another server's by then
 */
export function paceOf(host: string): { pace: Pace; leave: () => void } {
  const shared = paces.get(host) ?? { pace: pace(), clients: 0 }
  paces.set(host, shared)
  shared.clients++
  const leave = () => {
    if (--shared.clients === 0 && host !== REMOTE) paces.delete(host)
  }
  return { pace: shared.pace, leave }
}

/** Stands for all hosts of the SEC. Its pauses outlive every client. */
export const REMOTE = 'remote'
