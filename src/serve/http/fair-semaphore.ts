/**
 * A fair semaphore: admits requests to a limited resource (the database's connections, EDGAR's attention), in turn by
 * API key. It is pure: what a slot is for is the caller's business.
 *
 * Two rules keep every key served, whatever the others do. First, a key may take another slot only while more slots are
 * free than the key has. So one key alone gets at most half of the slots, two keys get a third each in the long run,
 * and some slots are left for keys that come later. The room in the queue is shared the same way. Second, the more
 * expensive classes together may take only part of the slots, so that a cheap request never waits for requests that
 * take seconds. Within the part of the most expensive class the first rule holds too. Before it did, thirty searches of
 * common words by one key took eight of sixteen slots and both processors, and a cheap request of another key waited
 * 1.2 s (*measured*). Keys that wait are served in turn.
 */
import { apiError, HttpError } from '../../declare/api-errors.ts'
import type { Slot, SlotRequest } from '../reading.ts'

/** Limits of requests of a class. */
export interface Share {
  /** The share of the slots that this class and the more expensive ones may have together; at least one slot. */
  slots: number
  /** Whether one key may take another of these slots only while more of them are free than it has. */
  areShared?: true
  /** How long one request may hold a slot. */
  timeMs: number
}

/** A requested slot, for one answer. It is granted in the turn of the first of its waiting keys. */
export interface Acquisition extends SlotRequest {
  /** Adds another key that waits for the same answer, so that its turn counts too. */
  join(keyId: string): void
  leave(keyId: string): void
}

export type Refusal = 'full' | 'late'

/** Whether a request got no slot. It did nothing yet, so it may be sent again. */
export const isWithoutSlot = (error: unknown): boolean =>
  error instanceof HttpError && (error.code === 'too_many_waiting' || error.code === 'waited_too_long')

export interface SemaphoreOptions<C extends string> {
  /** From the cheapest to the most expensive. */
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
  /** Empty once it waits no more. */
  keyIds: Set<string>
  slot: PromiseWithResolvers<Slot>
  late: NodeJS.Timeout
}

/**
 * The slots of one scarce thing. Its state is who has slots (`#free`, `#running`, `#held`) and who waits for one
 * (`#queues`, `#waiting`, `#queued`). `acquire` changes it, as do the acquisitions and slots that it gave out, and the
 * timer of an acquisition; nothing else does.
 */
export class FairSemaphore<C extends string> {
  readonly #classes: Readonly<Record<C, Share>>
  /** From the cheapest. */
  readonly #costs: readonly C[]
  /** For each class, in the order of `#costs`: maximum number of slots of this class and the more expensive classes. */
  readonly #caps: readonly number[]
  readonly #waitingMax: number
  readonly #waitMs: number
  readonly #onRefusal: (cost: C, why: Refusal) => void
  readonly #running: Map<C, number>
  readonly #waiting: Map<C, number>
  /** By key, for each class how many slots it has of that class and the more expensive ones. */
  readonly #held = new Map<string, number[]>()
  /** By key, in the order of their turns. */
  readonly #queues = new Map<string, Set<Waiting<C>>>()
  #free: number
  /** Entries of all queues. */
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

  /** How many requests of a class wait for one. */
  waiting(cost: C): number {
    return this.#waiting.get(cost)!
  }

  /** How many slots a key has. */
  heldBy(keyId: string): number {
    return this.#held.get(keyId)?.[0] ?? 0
  }

  /** Asks for a slot in the name of some keys. It is counted as that of the key whose turn comes first. */
  acquire(cost: C, keyIds: Iterable<string>): Acquisition {
    const keys = [...keyIds]
    // This overtakes no request: those that wait may not take the slots that are free now.
    const keyId = keys.find((each) => this.#mayTake(each, cost))
    if (keyId === undefined) return this.#queue(cost, keys)
    return { slot: Promise.resolve(this.#take(cost, keyId)), join() {}, leave() {}, withdraw() {} }
  }

  #mayTake(keyId: string, cost: C): boolean {
    const own = this.#held.get(keyId)
    return this.#free > (own?.[0] ?? 0) && this.#hasRoom(cost, own)
  }

  /**
   * Whether a key that has so many slots may have one more. A request counts against the limit of its own class and
   * against that of each cheaper one, which includes the more expensive ones.
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

  /** Counts one slot more or less that a key has for a request of a class. */
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
      // The key's next turn comes after those of the others.
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
        // A key that joins later waits as long as any other.
        clearTimeout(acquisition.late)
        acquisition.late = wait()
        this.#serve()
      },
      // The last key stays. If no request waits any more, the caller must withdraw.
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

  /** @returns false when it was removed before */
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
