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

const paces = new WeakMap<Clock['now'], Map<string, Pace>>()

/**
 * The pace of a host, one for the whole process: EDGAR counts requests by operator, over all of its hosts and however
 * many clients there are here. A loopback host has a pace of its own. A pause is a moment of one clock, so each clock has
 * its own paces.
 */
export function paceOf(host: string, now: Clock['now'] = Date.now): Pace {
  const ofClock = paces.get(now) ?? new Map<string, Pace>()
  const known = ofClock.get(host) ?? pace()
  paces.set(now, ofClock.set(host, known))
  return known
}
