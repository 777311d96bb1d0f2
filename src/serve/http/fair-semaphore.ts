/**
 * A fair semaphore: admits requests to a limited resource (database connections, fetches from EDGAR), round-robin by
 * API key. The semaphore does no input or output. The caller decides what a slot stands for. Two rules ensure that
 * every key is served, regardless of the other keys. First, a key may take another slot only while more slots are free
 * than the key already has. So one key alone gets at most half of the slots, two keys get a third each in the long run,
 * and some slots are left for keys that come later. The same rule applies to the places in the queue. Second, the
 * expensive classes together may take only a part of the slots, so that a cheap request never waits for requests that
 * take seconds. The first rule also applies within the slots of the most expensive class. Before the rule applied
 * there, thirty searches of common words by one key took eight of sixteen slots and both processors, and a cheap
 * request of another key waited 1.2 s (*measured*). Waiting keys are served round-robin.
 */
import { apiError, HttpError } from '../../declare/api-errors.ts'
import type { Slot, SlotRequest } from '../reading.ts'

/** Limits of requests of a class. */
export interface Share {
  /**
   * The share of all slots (0 to 1) that this class and all more expensive classes may have together. They may always
   * have one slot.
   */
  slots: number
  /**
   * Whether the first rule also applies to the slots of this class: a key may take another slot only while more slots
   * are free than the key already has.
   */
  areShared?: true
  /** How long one request may hold a slot. */
  timeMs: number
}

/**
 * A requested slot, in which one answer is made. Several keys may wait for this answer. The slot is granted as soon as
 * the turn of one of these keys comes.
 */
export interface Acquisition extends SlotRequest {
  /** Adds another key that waits for the same answer, so that the turn of this key counts too. */
  join(keyId: string): void
  leave(keyId: string): void
}

export type Refusal = 'full' | 'late'

/** Whether the error means that a request got no slot. Such a request did nothing yet, so it may be repeated. */
export const isWithoutSlot = (error: unknown): boolean =>
  error instanceof HttpError && (error.code === 'too_many_waiting' || error.code === 'waited_too_long')

export interface SemaphoreOptions<C extends string> {
  /** The cost classes, from the cheapest to the most expensive. */
  classes: Readonly<Record<C, Share>>
  /** Number of slots. */
  max: number
  /** Maximum number of requests that wait, over all keys. */
  waitingMax?: number
  /** How long a request may wait. */
  waitMs?: number
  onRefusal?: (cost: C, why: Refusal) => void
}

/** A request that waits. It is in the queue of each of its keys. */
interface Waiting<C> {
  cost: C
  /** Empty when the request no longer waits. */
  keyIds: Set<string>
  slot: PromiseWithResolvers<Slot>
  late: NodeJS.Timeout
}

/**
 * The slots of one limited resource. The state consists of the number of free slots (`#free`), the slots that are held
 * (`#running` by class, `#held` by key), and the requests that wait (`#queues`, `#waiting`, `#queued`). Only `acquire`,
 * its acquisitions and slots, and the timers of acquisitions change the state.
 */
export class FairSemaphore<C extends string> {
  readonly #classes: Readonly<Record<C, Share>>
  /** The cost classes, from the cheapest to the most expensive. */
  readonly #costs: readonly C[]
  /**
   * For each class, in the order of `#costs`: the maximum number of slots that this class and the more expensive
   * classes may have together.
   */
  readonly #caps: readonly number[]
  readonly #waitingMax: number
  readonly #waitMs: number
  readonly #onRefusal: (cost: C, why: Refusal) => void
  readonly #running: Map<C, number>
  readonly #waiting: Map<C, number>
  /** For each key, one number per class: how many slots the key has in this class and in all more expensive classes. */
  readonly #held = new Map<string, number[]>()
  /** The waiting requests of each key. The keys are in the order of their turns. */
  readonly #queues = new Map<string, Set<Waiting<C>>>()
  #free: number
  /** Number of entries in all queues together. */
  #queued = 0

  constructor({ classes, max, waitingMax = 256, waitMs = 5_000, onRefusal = () => {} }: SemaphoreOptions<C>) {
    const costs = Object.keys(classes) as C[]
    this.#classes = classes
    this.#costs = costs
    this.#caps = costs.map((cost) => Math.max(1, Math.floor(max * classes[cost].slots)))
    this.#waitingMax = waitingMax
    this.#waitMs = waitMs
    this.#onRefusal = onRefusal
    this.#running = new Map(costs.map((cost) => [cost, 0]))
    this.#waiting = new Map(costs.map((cost) => [cost, 0]))
    this.#free = max
  }

  get free(): number {
    return this.#free
  }

  /** How many requests of a class have a slot. */
  running(cost: C): number {
    return this.#running.get(cost)!
  }

  /** How many requests of a class wait for a slot. */
  waiting(cost: C): number {
    return this.#waiting.get(cost)!
  }

  /** How many slots a key has. */
  heldBy(keyId: string): number {
    return this.#held.get(keyId)?.[0] ?? 0
  }

  /**
   * Requests a slot for an answer for which these keys wait. The slot counts as a slot of the key whose turn comes
   * first.
   */
  acquire(cost: C, keyIds: Iterable<string>): Acquisition {
    const keys = [...keyIds]
    // This overtakes no waiting request: no waiting request may take the slots that are free now.
    const keyId = keys.find((each) => this.#mayTake(each, cost))
    if (keyId === undefined) return this.#queue(cost, keys)
    return { slot: Promise.resolve(this.#take(cost, keyId)), join() {}, leave() {}, withdraw() {} }
  }

  #mayTake(keyId: string, cost: C): boolean {
    const own = this.#held.get(keyId)
    return this.#free > (own?.[0] ?? 0) && this.#hasRoom(cost, own)
  }

  /**
   * Whether a key with these slots may have another slot. A request counts towards the limit of its own class and of
   * each cheaper class, since the limit of a class includes all more expensive classes.
   */
  #hasRoom(cost: C, own: readonly number[] | undefined): boolean {
    const level = this.#costs.indexOf(cost)
    let expensive = 0
    for (let i = this.#costs.length - 1; i >= 0; i--) {
      const each = this.#costs[i]!
      expensive += this.#running.get(each)!
      const has = this.#classes[each].areShared ? (own?.[i] ?? 0) : 0
      if (i <= level && this.#caps[i]! - expensive <= has) return false
    }
    return true
  }

  #take(cost: C, keyId: string): Slot {
    this.#count(cost, keyId, 1)
    let isHeld = true
    return {
      timeMs: this.#classes[cost].timeMs,
      release: () => {
        if (!isHeld) return
        isHeld = false
        this.#count(cost, keyId, -1)
        this.#serve()
      },
    }
  }

  /** Counts one slot more or fewer for a key and a class. */
  #count(cost: C, keyId: string, n: 1 | -1): void {
    this.#free -= n
    add(this.#running, cost, n)
    const own = this.#held.get(keyId) ?? this.#costs.map(() => 0)
    for (let i = this.#costs.indexOf(cost); i >= 0; i--) own[i]! += n
    if (own[0] === 0) this.#held.delete(keyId)
    else this.#held.set(keyId, own)
  }

  /** Gives the free slots to the requests whose turn it is. */
  #serve(): void {
    while (this.#free > 0) {
      const next = this.#nextInTurn()
      if (!next) return
      const [keyId, acquisition] = next
      const slot = this.#take(acquisition.cost, keyId)
      // The key's next turn comes after the turns of all other keys.
      const queue = this.#queues.get(keyId)!
      this.#queues.delete(keyId)
      this.#queues.set(keyId, queue)
      this.#remove(acquisition)
      acquisition.slot.resolve(slot)
    }
  }

  #nextInTurn(): [string, Waiting<C>] | undefined {
    for (const [keyId, queue] of this.#queues) {
      for (const acquisition of queue) if (this.#mayTake(keyId, acquisition.cost)) return [keyId, acquisition]
    }
    return undefined
  }

  #queue(cost: C, keyIds: readonly string[]): Acquisition {
    const expire = () => {
      if (this.#remove(acquisition)) acquisition.slot.reject(this.#refusal(cost, 'late'))
    }
    const wait = () => setTimeout(expire, this.#waitMs)
    const acquisition: Waiting<C> = { cost, keyIds: new Set(), slot: Promise.withResolvers<Slot>(), late: wait() }
    add(this.#waiting, cost, 1)
    if (keyIds.filter((keyId) => this.#enter(acquisition, keyId)).length === 0) {
      clearTimeout(acquisition.late)
      add(this.#waiting, cost, -1)
      acquisition.slot.reject(this.#refusal(cost, 'full'))
    }
    return {
      slot: acquisition.slot.promise,
      join: (keyId) => {
        if (acquisition.keyIds.size === 0 || acquisition.keyIds.has(keyId) || !this.#enter(acquisition, keyId)) return
        // The time begins again: a key that joins later may wait as long as any other key.
        clearTimeout(acquisition.late)
        acquisition.late = wait()
        this.#serve()
      },
      // The last key cannot leave. If no request waits any longer, the caller must withdraw.
      leave: (keyId) => {
        if (acquisition.keyIds.size > 1) this.#leave(acquisition, keyId)
      },
      withdraw: (reason) => {
        if (this.#remove(acquisition)) acquisition.slot.reject(reason)
      },
    }
  }

  /** @returns false when the queue is too full for another request of this key */
  #enter(acquisition: Waiting<C>, keyId: string): boolean {
    const queue = this.#queues.get(keyId) ?? new Set()
    if (queue.has(acquisition)) return true
    if (this.#waitingMax - this.#queued <= queue.size) return false
    queue.add(acquisition)
    this.#queues.set(keyId, queue)
    acquisition.keyIds.add(keyId)
    this.#queued++
    return true
  }

  #leave(acquisition: Waiting<C>, keyId: string): void {
    const queue = this.#queues.get(keyId)
    if (!queue?.delete(acquisition)) return
    if (queue.size === 0) this.#queues.delete(keyId)
    acquisition.keyIds.delete(keyId)
    this.#queued--
  }

  /** @returns false if the request was already removed */
  #remove(acquisition: Waiting<C>): boolean {
    if (acquisition.keyIds.size === 0) return false
    for (const keyId of acquisition.keyIds) this.#leave(acquisition, keyId)
    clearTimeout(acquisition.late)
    add(this.#waiting, acquisition.cost, -1)
    return true
  }

  #refusal(cost: C, why: Refusal): HttpError {
    this.#onRefusal(cost, why)
    return why === 'full' ? apiError('too_many_waiting') : apiError('waited_too_long', { seconds: this.#waitMs / 1000 })
  }
}

function add<C>(counts: Map<C, number>, cost: C, n: number): void {
  counts.set(cost, counts.get(cost)! + n)
}
