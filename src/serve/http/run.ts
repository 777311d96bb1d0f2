/** A single computation of an answer, shared by all requests that wait for it. */

import { apiError, HttpError } from '../../declare/api-errors.ts'
import type { Sql } from '../../store/db.ts'
import type { Readers } from '../readers.ts'
import { Reading } from '../reading.ts'
import type { Acquisition, FairSemaphore } from './fair-semaphore.ts'

/** The status that nginx uses for a client that has gone. It is never sent, only logged and counted. */
export const CLIENT_GONE = 499

/** The error that is thrown if no client waits for the answer any longer. */
export const hungUp = () => apiError('client_gone')

export class Run {
  #reading: Reading
  readonly #begin: () => Reading
  /** How many requests of each key wait for the answer. */
  readonly #keys = new Map<string, number>()
  /** Slots for which the run waits. */
  readonly #acquisitions = new Set<Acquisition>()

  constructor(readers: Readers, acquire: (keyIds: Iterable<string>) => Acquisition) {
    this.#begin = () => new Reading(readers, () => this.#waitFor(acquire(this.#keys.keys())))
    this.#reading = this.#begin()
  }

  /** Runs the statements of the answer. The first statement waits for a slot of one of the keys. */
  get sql(): Sql {
    return this.#reading.sql
  }

  /** Version of the data of these slices that the answer shows; see `Reading`. */
  version(slugs: readonly string[]): string | null | undefined {
    return this.#reading.version(slugs)
  }

  /** Whether the run was stopped. It then returns no answer. */
  get isOver(): boolean {
    return this.#reading.stopped !== undefined
  }

  /**
   * Registers a request of this key that waits for the answer.
   *
   * @returns a function to call when the request no longer waits; when no request waits, the run is stopped
   */
  join(keyId: string): () => void {
    const count = this.#keys.get(keyId) ?? 0
    this.#keys.set(keyId, count + 1)
    if (count === 0) for (const acquisition of this.#acquisitions) acquisition.join(keyId)
    let waits = true
    return () => {
      if (waits) this.#leave(keyId)
      waits = false
    }
  }

  /** Like `join`, but the request also stops waiting when the signal aborts. */
  joinUntil(keyId: string, signal: AbortSignal): () => void {
    const leave = this.join(keyId)
    signal.addEventListener('abort', leave)
    if (signal.aborted) leave()
    return () => {
      signal.removeEventListener('abort', leave)
      leave()
    }
  }

  #leave(keyId: string): void {
    const count = this.#keys.get(keyId)! - 1
    if (count > 0) {
      this.#keys.set(keyId, count)
      return
    }
    this.#keys.delete(keyId)
    for (const acquisition of this.#acquisitions) acquisition.leave(keyId)
    if (this.#keys.size > 0) return
    this.#reading.stop(hungUp)
    for (const acquisition of this.#acquisitions) acquisition.withdraw(hungUp())
  }

  #waitFor(acquisition: Acquisition): Acquisition {
    this.#acquisitions.add(acquisition)
    const over = () => void this.#acquisitions.delete(acquisition)
    acquisition.slot.then(over, over)
    return acquisition
  }

  /**
   * Makes the answer. If a rebuild swapped tables meanwhile, makes the answer once more.
   *
   * @throws what `make` throws, or the reason why the run was stopped
   */
  async answer<T>(make: () => Promise<T>): Promise<T> {
    for (let again = true; ; again = false) {
      const reading = this.#reading
      const made = await make().then(
        (value) => ({ value }),
        (error) => ({ error }),
      )
      const { stopped } = reading
      reading.end()
      if (stopped) throw stopped
      if (again && (await reading.isTorn()) && this.#keys.size > 0) {
        this.#reading = this.#begin()
        continue
      }
      if ('error' in made) throw made.error
      return made.value
    }
  }

  /**
   * Makes an addition to the answer that was made. The addition has its own slot, time and snapshot, so the answer
   * stands if the addition takes too long.
   *
   * @returns null if the addition is refused or stopped, or if no request waits for it
   */
  async addition<T>(make: () => Promise<T>): Promise<T | null> {
    if (this.#keys.size === 0) return null
    const answered = this.#reading
    this.#reading = this.#begin()
    try {
      return await this.answer(make)
    } catch (error) {
      if (error instanceof HttpError) return null
      throw error
    } finally {
      this.#reading = answered
    }
  }

  /**
   * Does `work` while the run holds a slot of another kind. If the work takes longer than the slot allows, requests
   * stop waiting for the work, but the work keeps the slot until it ends.
   *
   * @throws HttpError 503 if there is no slot or the work takes too long
   */
  async holding<C extends string, T>(slots: FairSemaphore<C>, cost: C, work: () => Promise<T>): Promise<T> {
    const { timeMs, release } = await this.#waitFor(slots.acquire(cost, this.#keys.keys())).slot
    const working = work().finally(release)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(apiError('took_too_long', { seconds: timeMs / 1000 })), timeMs)
    })
    return Promise.race([working, late]).finally(() => clearTimeout(timer))
  }
}
