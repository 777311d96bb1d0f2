/**
 * Keeps answers in this process, by address, until their data changes. Lets equal requests share an answer that is
 * being made.
 */
import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'

/**
 * Where an answer comes from. `hit`: the cache. `shared`: a computation in flight. `miss`: a computation for this
 * request.
 */
export type Outcome = 'hit' | 'shared' | 'miss'

/** An answer that is being made, for one request or several. */
export interface Making {
  answer: Promise<Answer | null>
  /** Whether the computation was stopped. After that, no other request may wait for this answer. */
  isOver(): boolean
  /**
   * Version of the data that the finished answer shows. Null if the version is unknown. Undefined if the computation
   * reads no versions: the answer then shows the version that was known when the computation began, or a newer version.
   */
  version(): string | null | undefined
}

/**
 * Returns the current version of the data of an address. Null while the version is unknown; no answer is then kept or
 * shared. The data of each address may have a different version.
 */
type Version = () => string | null

export interface AnswerCache<M extends Making = Making> {
  /** Returns the kept answer of an address, if its data has not changed. */
  cached(address: string, version: Version): Answer | undefined
  /** Returns the computation in flight for an address, if the computation began after the last change of the data. */
  inFlight(address: string, version: Version): M | undefined
  /** Shares a computation with equal requests, and keeps its answer as long as its data does not change. */
  begin(address: string, version: Version, making: M): void
  /** Total bytes of the kept answers: bodies, compressed variants, addresses, and the overhead of each answer. */
  readonly bytes: number
}

/** A kept answer, or a computation in flight, and the version of its data. */
interface Of<T> {
  what: T
  version: string
}

/**
 * Memory of an entry in addition to the bytes of its content: the objects of the answer and its body, the entity tag,
 * the version, and the entry's place in the list and the index of the library. Measured: 600 to 700 bytes of heap. 800
 * also counts garbage that is not collected yet.
 */
const ENTRY_BYTES = 800
/** If any character of a text is beyond Latin-1, V8 takes two bytes for each of its characters. */
const CHARACTER_BYTES = 2

/**
 * Keeps answers. Null (nothing found) and errors are not kept, and no answer is returned after its data has changed. An
 * outdated answer is not used again. So it becomes the least recently used answer and is dropped. Long: returning,
 * keeping and dropping answers share the same state.
 *
 * @param bytesMax maximum number of bytes that are held; the least recently used answers are dropped first
 */
export function answerCache<M extends Making = Making>(options: {
  bytesMax: number
  onOutcome: (outcome: Outcome) => void
}): AnswerCache<M> {
  const { bytesMax, onOutcome } = options
  const entries = new LRUCache<string, Of<Answer>>({
    // The library does not accept 0; with a maximum of 1 byte, no answer fits.
    maxSize: Math.max(1, bytesMax),
    // One long document must not evict thousands of small answers.
    maxEntrySize: Math.max(1, Math.ceil(bytesMax / 8)),
  })
  /**
   * The computations in flight, by address. Each of them has a slot or waits for a slot, so their number is limited.
   */
  const running = new Map<string, Of<M>>()

  const size = (address: string, { what }: Of<Answer>) => what.bytes + address.length * CHARACTER_BYTES + ENTRY_BYTES

  function keep(address: string, entry: Of<Answer>): void {
    entries.set(address, entry, { size: size(address, entry) })
    entry.what.onGrowth = () => {
      if (entries.peek(address) !== entry) return
      // The entry is deleted first, since setting the same value again would keep the old size of the entry.
      entries.delete(address)
      entries.set(address, entry, { size: size(address, entry) })
    }
  }

  async function watch(address: string, begunAt: string, version: Version, making: M): Promise<void> {
    const answer = await making.answer.catch(() => null) // the error is sent to the client
    if (running.get(address)?.what === making) running.delete(address)
    const shown = making.version()
    // Without a snapshot, an answer that was begun before a change may show older data, so such an answer is not kept.
    const now = version()
    if (answer !== null && now !== null && (shown === undefined ? begunAt : shown) === now) {
      keep(address, { what: answer, version: now })
    }
  }

  return {
    cached(address, version) {
      const entry = entries.get(address)
      if (!entry || entry.version !== version()) return undefined
      onOutcome('hit')
      return entry.what
    },
    inFlight(address, version) {
      const entry = running.get(address)
      if (!entry || entry.what.isOver() || entry.version !== version()) return undefined
      onOutcome('shared')
      return entry.what
    },
    begin(address, version, making) {
      onOutcome('miss')
      const now = version()
      if (now === null) return
      running.set(address, { what: making, version: now })
      void watch(address, now, version, making)
    },
    get bytes() {
      return entries.calculatedSize
    },
  }
}
