/**
 * Decides who may use something scarce (the database's connections, EDGAR's attention) and who comes next. It is pure:
 * what a place is for is the caller's business.
 *
 * Two rules keep every key served, whatever the others do. First, a key may take another place only while more are free
 * than it has. So one key alone gets at most half, two get a third each in the long run, and some are left for whoever
 * comes later. The room in the queue is shared the same way. Second, the dearer classes together may take only part of
 * the places, so that a cheap request never waits behind requests that take seconds. Within the part of the dearest the first
 * rule holds too: thirty searches of common words by one key took eight of sixteen places and both processors, and a cheap request of
 * another waited 1.2 s (*measured*). Keys that wait are served in turn.
 */
import { HttpError } from '../../declare/errors.ts'
import type { Claim, Place } from '../reading.ts'

/** What requests of a class may take. */
export interface Share {
  /** The share of the places that this class and the dearer ones may have together; at least one place. */
  places: number
  /** Whether one key may take another of these places only while more of them are free than it has. */
  areShared?: true
  /** How long one request may hold a place. */
  timeMs: number
}

/** A place that was asked for, for one answer. It comes in the turn of whichever waiting key is first. */
export interface Ticket extends Claim {
  /** Another key waits for the same answer, so its turn will do as well. */
  join(keyId: string): void
  leave(keyId: string): void
}

export interface Places<C extends string> {
  ask(cost: C, keyIds: Iterable<string>): Ticket
  running(cost: C): number
  waiting(cost: C): number
}

export type Refusal = 'full' | 'late'

/** The 503 for a request that got no place. It did nothing yet, so it may be sent again. */
export class NoPlace extends HttpError {
  constructor(message: string, retryAfterSeconds: number) {
    super(503, message, { 'retry-after': String(retryAfterSeconds) })
  }
}

/**
 * @param classes from the cheapest to the dearest
 * @param max places
 * @param waitingMax requests that may wait, over all keys
 * @param waitMs how long one may wait
 */
export function places<C extends string>(options: {
  classes: Readonly<Record<C, Share>>
  max: number
  waitingMax?: number
  waitMs?: number
  onRefusal?: (cost: C, why: Refusal) => void
}): Places<C> {
  const { classes, max, waitingMax = 256, waitMs = 5_000, onRefusal = () => {} } = options
  const costs = Object.keys(classes) as C[]
  const capOf = Object.fromEntries(costs.map((cost) => [cost, Math.max(1, Math.floor(max * classes[cost].places))]))
  const running = new Map(costs.map((cost) => [cost, 0]))
  const waiting = new Map(costs.map((cost) => [cost, 0]))
  /** By key, for each class how many places it has of that class and the dearer ones. */
  const held = new Map<string, number[]>()
  /** Queues in the order of their turns. A ticket stands in the queue of each key that it is for. */
  const queues = new Map<string, Set<Waiting>>()
  let free = max
  let queued = 0

  interface Waiting {
    cost: C
    keyIds: Set<string>
    place: PromiseWithResolvers<Place>
    late: NodeJS.Timeout
  }

  /**
   * Whether a key that has so many places may have one more. A request counts against the limit of its own class and
   * against that of each cheaper one, which includes the dearer.
   */
  const hasRoom = (cost: C, own: readonly number[] | undefined) => {
    const level = costs.indexOf(cost)
    let dear = 0
    for (let i = costs.length - 1; i >= 0; i--) {
      dear += running.get(costs[i]!)!
      const has = classes[costs[i]!]!.areShared ? (own?.[i] ?? 0) : 0
      if (i <= level && capOf[costs[i]!]! - dear <= has) return false
    }
    return true
  }
  const mayTake = (keyId: string, cost: C) => {
    const own = held.get(keyId)
    return free > (own?.[0] ?? 0) && hasRoom(cost, own)
  }
  const add = (counts: Map<C, number>, cost: C, n: number) => counts.set(cost, counts.get(cost)! + n)
  const hold = (keyId: string, cost: C, n: number) => {
    const own = held.get(keyId) ?? costs.map(() => 0)
    for (let i = costs.indexOf(cost); i >= 0; i--) own[i]! += n
    if (own[0] === 0) held.delete(keyId)
    else held.set(keyId, own)
  }

  function take(cost: C, keyId: string): Place {
    free--
    add(running, cost, 1)
    hold(keyId, cost, 1)
    let isHeld = true
    return {
      timeMs: classes[cost].timeMs,
      release() {
        if (!isHeld) return
        isHeld = false
        free++
        add(running, cost, -1)
        hold(keyId, cost, -1)
        serve()
      },
    }
  }

  /** Gives the free places to those whose turn it is. */
  function serve(): void {
    while (free > 0) {
      const next = nextInTurn()
      if (!next) return
      const [keyId, ticket] = next
      const place = take(ticket.cost, keyId)
      // The key's next turn comes after those of the others.
      const queue = queues.get(keyId)!
      queues.delete(keyId)
      queues.set(keyId, queue)
      remove(ticket)
      ticket.place.resolve(place)
    }
  }

  function nextInTurn(): [string, Waiting] | undefined {
    for (const [keyId, queue] of queues) {
      for (const ticket of queue) if (mayTake(keyId, ticket.cost)) return [keyId, ticket]
    }
    return undefined
  }

  function enter(ticket: Waiting, keyId: string): boolean {
    const queue = queues.get(keyId) ?? new Set()
    if (queue.has(ticket)) return true
    if (waitingMax - queued <= queue.size) return false
    queue.add(ticket)
    queues.set(keyId, queue)
    ticket.keyIds.add(keyId)
    queued++
    return true
  }

  function leave(ticket: Waiting, keyId: string): void {
    const queue = queues.get(keyId)
    if (!queue?.delete(ticket)) return
    if (queue.size === 0) queues.delete(keyId)
    ticket.keyIds.delete(keyId)
    queued--
  }

  /** @returns false when it was removed before */
  function remove(ticket: Waiting): boolean {
    if (ticket.keyIds.size === 0) return false
    for (const keyId of ticket.keyIds) leave(ticket, keyId)
    clearTimeout(ticket.late)
    add(waiting, ticket.cost, -1)
    return true
  }

  function refusal(cost: C, why: Refusal): NoPlace {
    onRefusal(cost, why)
    return why === 'full'
      ? new NoPlace('too many requests are waiting already; send fewer at a time', 1)
      : new NoPlace(`the service was busy with other requests for ${waitMs / 1000} seconds; try again soon`, 2)
  }

  function queue(cost: C, keyIds: readonly string[]): Ticket {
    const expire = () => {
      if (remove(ticket)) ticket.place.reject(refusal(cost, 'late'))
    }
    const wait = () => setTimeout(expire, waitMs)
    const ticket: Waiting = { cost, keyIds: new Set(), place: Promise.withResolvers<Place>(), late: wait() }
    add(waiting, cost, 1)
    if (keyIds.filter((keyId) => enter(ticket, keyId)).length === 0) {
      clearTimeout(ticket.late)
      add(waiting, cost, -1)
      ticket.place.reject(refusal(cost, 'full'))
    }
    return {
      place: ticket.place.promise,
      join(keyId) {
        if (ticket.keyIds.size === 0 || ticket.keyIds.has(keyId) || !enter(ticket, keyId)) return
        // Whoever joins later waits as long as anybody.
        clearTimeout(ticket.late)
        ticket.late = wait()
        serve()
      },
      // The last key stays. When nobody waits any more the caller says so, by withdrawing.
      leave(keyId) {
        if (ticket.keyIds.size > 1) leave(ticket, keyId)
      },
      withdraw(reason) {
        if (remove(ticket)) ticket.place.reject(reason)
      },
    }
  }

  return {
    ask(cost, keyIds) {
      const keys = [...keyIds]
      // It jumps no queue: those who wait may not take what is free now.
      const keyId = keys.find((each) => mayTake(each, cost))
      if (keyId === undefined) return queue(cost, keys)
      return { place: Promise.resolve(take(cost, keyId)), join() {}, leave() {}, withdraw() {} }
    },
    running: (cost) => running.get(cost)!,
    waiting: (cost) => waiting.get(cost)!,
  }
}
