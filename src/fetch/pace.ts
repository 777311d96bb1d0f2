/**
 * Decides when the next request may leave. Turns come at even intervals, and a pause stops every caller. The turns of
 * one process follow each other; a `SharedPace` orders the turns of all processes of an operator in the same way.
 */

interface Clock {
  /** Milliseconds since 1970. */
  now: () => number
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** The pace of an operator, stored where all of the operator's processes can read it. */
export interface SharedPace {
  /** Takes the next turn of all processes; null if the shared pace cannot be reached now. */
  take(intervalMs: number): Promise<SharedTurn | null>
  /**
   * Pauses all processes. The promise also resolves if the shared pace cannot be reached; the pause is then shared when
   * the next turn is taken.
   */
  pause(ms: number, reason: string): Promise<void>
}

interface SharedTurn {
  /** Milliseconds until the turn. */
  waitMs: number
  /** Milliseconds until the end of a pause, during which the turn cannot be used; 0 outside a pause. */
  pausedMs: number
  /** Reason for the pause. */
  reason: string | null
}

interface Manners {
  intervalMs: number
  clock: Clock
  shared?: SharedPace | undefined
  /** Called when a pause is found that another process started. */
  onPause?: (until: number, reason: string) => void
  signal?: AbortSignal | undefined
}

/**
 * Requests may arrive this much closer together than they left. EDGAR's limit counts arrivals, so turns are further
 * apart.
 */
const JITTER_MS = 200

/** Time from turn to turn, so that no second has more than `perSecond` requests. */
export const intervalOf = (perSecond: number): number => (1000 + JITTER_MS) / perSecond

/**
 * Maximum number of processes that an operator is expected to run at once. They are a server, a follower, an ingest
 * that a timer starts, and a command that a person starts.
 */
const PROCESSES = 4

/**
 * Time between turns for each of several processes without a shared pace, so that together they stay below the limit.
 */
export function aloneIntervalOf(intervalMs: number): number {
  const perSecond = Math.floor((1000 + JITTER_MS) / intervalMs / PROCESSES)
  return perSecond > 0 ? intervalOf(perSecond) : intervalMs * PROCESSES
}

/** If a request is sent more than this time after its turn, it comes too close to the requests of the next turns. */
const LATE_MS = 80
/**
 * Maximum number of turns that are taken for one request. A process that is always busy would use every turn late, so
 * without this limit it would never send the request.
 */
const TRIES_MAX = 3
/** If the end of the same pause is determined twice, the two results differ by less than this. */
const SAME_PAUSE_MS = 1_000

/**
 * The pace of one host in this process. Its state: the time of the next free turn, the end of the current pause and,
 * with a shared pace, the queue of callers. `turn` and `pause` change this state.
 */
export class Pace {
  #free = 0
  #pausedUntil = 0
  /**
   * The queue of this process's callers for turns of the shared pace. The callers take turns one after the other, so
   * that each turn is used as soon as it is taken.
   */
  #last: Promise<unknown> = Promise.resolve()
  /** The shortest time in which a caller got a turn of the shared pace: one round trip to where the pace is stored. */
  #fastestMs = Number.POSITIVE_INFINITY

  /** End of the latest pause in milliseconds since 1970; 0 when there was none. */
  get pausedUntil(): number {
    return this.#pausedUntil
  }

  /** Resolves when the caller may send one request: `intervalMs` after the previous turn, and outside every pause. */
  turn(manners: Manners): Promise<void> {
    const { shared, signal } = manners
    if (!shared || manners.intervalMs === 0) return this.#ownTurn(manners)
    const turn = this.#last.then(() => this.#sharedTurn({ ...manners, shared }))
    this.#last = turn.catch(() => {})
    return orAborted(turn, signal)
  }

  /** Lets no caller in this process send before this moment, not even those already waiting. */
  pause(until: number): void {
    this.#pausedUntil = Math.max(this.#pausedUntil, until)
  }

  async #ownTurn({ intervalMs, clock: { now, sleep }, signal }: Manners): Promise<void> {
    for (;;) {
      signal?.throwIfAborted()
      const held = this.#pausedUntil - now()
      if (held > 0) {
        await sleep(held, signal)
        continue
      }
      const slot = this.#takeOwn(intervalMs, now())
      if (slot > now()) await sleep(slot - now(), signal)
      // A pause may have begun during the wait. Then this turn is lost, and the caller takes another turn after the
      // pause.
      if (this.#pausedUntil <= now()) return
    }
  }

  /** Takes the next turn of this process. @returns its moment */
  #takeOwn(intervalMs: number, now: number): number {
    const slot = Math.max(now, this.#free)
    this.#free = slot + intervalMs
    return slot
  }

  async #sharedTurn(manners: Manners & { shared: SharedPace }): Promise<void> {
    const { intervalMs, shared, onPause, signal } = manners
    const { now, sleep } = manners.clock
    for (let tries = 1; ; ) {
      signal?.throwIfAborted()
      const held = this.#pausedUntil - now()
      if (held > 0) {
        await sleep(held, signal)
        continue
      }
      const requestedAt = now()
      const turn = await shared.take(intervalMs)
      if (turn === null) return this.#ownTurn({ ...manners, intervalMs: aloneIntervalOf(intervalMs) })
      const tookMs = now() - requestedAt
      this.#fastestMs = Math.min(this.#fastestMs, tookMs)
      if (turn.pausedMs > 0) {
        const until = now() + turn.pausedMs
        if (until > this.#pausedUntil + SAME_PAUSE_MS) onPause?.(until, turn.reason ?? 'another process was refused')
        this.pause(until)
        continue
      }
      const slot = now() + turn.waitMs
      this.#free = Math.max(this.#free, slot + intervalMs)
      if (slot > now()) await sleep(slot - now(), signal)
      if (this.#pausedUntil > now()) continue
      const lateMs = now() - slot + (tookMs - this.#fastestMs)
      if (lateMs <= LATE_MS || ++tries > TRIES_MAX) return
    }
  }
}

/** Rejects at once when the signal aborts, however many callers are ahead. */
async function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  signal.addEventListener('abort', abort)
  if (signal.aborted) abort()
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}

const paces = new Map<string, { pace: Pace; clients: number }>()

/**
 * The pace of a host, one for the whole process. EDGAR counts the requests of an operator to all of its hosts, from all
 * clients. So all remote hosts have one pace. A loopback host has a pace of its own.
 *
 * @returns the pace, and a function that a client calls when it closes. The pace of a loopback host is forgotten when
 *   its last client closes, since the port may later belong to another server
 */
export function paceOf(host: string): { pace: Pace; leave: () => void } {
  const shared = paces.get(host) ?? { pace: new Pace(), clients: 0 }
  paces.set(host, shared)
  shared.clients++
  const leave = () => {
    if (--shared.clients === 0 && host !== REMOTE && paces.get(host) === shared) paces.delete(host)
  }
  return { pace: shared.pace, leave }
}

/**
 * Forgets the paces and pauses of all hosts, so that test files in one process start as in separate processes.
 */
export function forgetPaces(): void {
  paces.clear()
}

/** The key of the one pace of all remote hosts. Its pauses outlive every client. */
export const REMOTE = 'remote'
/** The key of the one pace of all loopback hosts that are paced like remote hosts. */
export const PACED_LOOPBACK = 'paced loopback'
