/** The address, pace, clock and counts of one host. */
import { setTimeout as delay } from 'node:timers/promises'
import { type Base, parseBase } from './address.ts'
import { EdgarError } from './answer.ts'
import { Counts } from './counts.ts'
import type { ClientEvent, ClientOptions } from './options.ts'
import { intervalOf, PACED_LOOPBACK, Pace, paceOf, REMOTE, type SharedPace } from './pace.ts'

export interface Host {
  readonly base: Base
  readonly userAgent: string | null
  readonly counts: Counts
  /** The turns of all clients of this host in this process. */
  readonly turns: Pace
  /** Called when the client closes. */
  readonly leave: () => void
  /** Requests a second; null if requests are not paced. */
  readonly perSecond: number | null
  /** Time from one turn to the next; 0 if requests are not paced. */
  readonly intervalMs: number
  readonly shared: SharedPace | undefined
  readonly attempts: number
  readonly timeoutMs: number
  readonly pauseMs: number
  readonly now: () => number
  readonly timeOfDay: () => number
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly random: () => number
  readonly log: (event: ClientEvent) => void
}

/** Requests a second that EDGAR allows to one operator, on all machines together. */
const PER_SECOND_MAX = 10

/**
 * Builds a host from a client's options.
 *
 * @throws EdgarError `configuration` when the address or the pace cannot be used
 */
export function hostOf(options: ClientOptions): Host {
  const { attempts = 5, timeoutMs = 30_000, pauseMs = 600_000, perSecond = 5, paceLoopback = false } = options
  const { now = steady, sleep = rest, random = Math.random, log = () => {} } = options
  const base = parseBase(options.baseUrl)
  if (!(perSecond > 0 && perSecond <= PER_SECOND_MAX)) {
    throw new EdgarError('configuration', `${perSecond} requests a second: EDGAR allows up to ${PER_SECOND_MAX}`)
  }
  const isPaced = base.place === 'remote' || (base.place === 'loopback' && paceLoopback)
  const turns = turnsOf(base, paceLoopback)
  return {
    base,
    userAgent: options.userAgent,
    counts: new Counts(),
    turns: turns.pace,
    leave: turns.leave,
    perSecond: isPaced ? perSecond : null,
    intervalMs: isPaced ? intervalOf(perSecond) : 0,
    shared: isPaced ? options.shared : undefined,
    attempts,
    timeoutMs,
    pauseMs,
    now,
    timeOfDay: options.timeOfDay ?? options.now ?? Date.now,
    sleep,
    random,
    log,
  }
}

function turnsOf({ url, place }: Base, paceLoopback: boolean): { pace: Pace; leave: () => void } {
  if (place === 'folder') return { pace: new Pace(), leave: () => {} }
  return paceOf(place === 'remote' ? REMOTE : paceLoopback ? PACED_LOOPBACK : url.host)
}

/** Converts a moment of `now` to the time of day. */
export function dated({ timeOfDay, now }: Pick<Host, 'timeOfDay' | 'now'>, at: number): number {
  return Math.round(timeOfDay() + at - now())
}

/** A monotonic clock, so that changes of the system time do not move turns or pauses. */
const steady = () => performance.timeOrigin + performance.now()

async function rest(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: true }).catch((error: unknown) => {
    throw signal?.aborted ? signal.reason : error
  })
}
