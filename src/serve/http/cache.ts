/** Answers kept in this process, by address, until data changes; and those that are being made. */
import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'

/** How an answer was come by: kept, made by a request already under way, or made for this one. */
export type Outcome = 'hit' | 'shared' | 'miss'

/** An answer that is being made, for one request or several. */
export interface Making {
  answer: Promise<Answer | null>
  /** Was it given up? Then nobody else may wait for it. */
  isOver(): boolean
  /**
   * Data version that the answer shows, once it is there: null for none that can be told, undefined where that is not
   * read; it is then the one that was known when the making began, or newer.
   */
  version(): string | null | undefined
}

export interface AnswerCache<M extends Making = Making> {
  /** The kept answer of an address. */
  kept(address: string): Answer | undefined
  /** Who makes the answer of an address, if it was begun since the last change of the data. */
  underWay(address: string): M | undefined
  /** Shares a making with equal requests, and keeps what comes of it while it is true. */
  begin(address: string, making: M): void
  /** Counted: bodies, compressed variants, addresses, and what each takes to be held. */
  readonly bytes: number
}

/**
 * What an entry takes besides its bytes: the answer, its entity tag and body object, the list's links and the index. 550 to
 * 600 bytes of heap measured; the rest is what such a heap has in garbage before it is collected.
 */
const ENTRY_BYTES = 800
/** V8 holds a text with a character beyond Latin-1 in two bytes each. */
const CHARACTER_BYTES = 2

/**
 * Null (nothing there) and errors are not kept, and nothing outlives a change of the data version.
 *
 * @param bytesMax most bytes that are held; the least recently used go first
 * @param version the data version, null while it is not known: then nothing is kept or shared
 */
export function answerCache<M extends Making = Making>(options: {
  bytesMax: number
  version: () => string | null
  onOutcome: (outcome: Outcome) => void
}): AnswerCache<M> {
  const { bytesMax, version, onOutcome } = options
  const kept = new LRUCache<string, Answer>({
    // The library takes no 0; no answer fits into 1.
    maxSize: Math.max(1, bytesMax),
    // One long document must not push out thousands of small answers.
    maxEntrySize: Math.max(1, Math.ceil(bytesMax / 8)),
  })
  let keptOf: string | null = null
  /** By address, of the version below. Each holds a place or waits for one, and so their number is bounded. */
  const running = new Map<string, M>()

  const size = (address: string, answer: Answer) => answer.bytes + address.length * CHARACTER_BYTES + ENTRY_BYTES

  /** Forgets what belongs to another version than the one of now. */
  function follow(): string | null {
    const now = version()
    if (now !== keptOf) {
      kept.clear()
      running.clear()
      keptOf = now
    }
    return now
  }

  function keep(address: string, answer: Answer): void {
    kept.set(address, answer, { size: size(address, answer) })
    answer.onGrowth = () => {
      if (kept.peek(address) !== answer) return
      // Setting the same value again would keep its old size.
      kept.delete(address)
      kept.set(address, answer, { size: size(address, answer) })
    }
  }

  async function watch(address: string, begunAt: string, making: M): Promise<void> {
    const answer = await making.answer.catch(() => null) // the request is told
    if (running.get(address) === making) running.delete(address)
    const shown = making.version()
    // Without a snapshot: an answer begun before a change may show data from before it.
    if (answer !== null && (shown === undefined ? begunAt : shown) === follow()) keep(address, answer)
  }

  return {
    kept(address) {
      follow()
      const answer = kept.get(address)
      if (answer) onOutcome('hit')
      return answer
    },
    underWay(address) {
      follow()
      const making = running.get(address)
      if (!making || making.isOver()) return undefined
      onOutcome('shared')
      return making
    },
    begin(address, making) {
      onOutcome('miss')
      const now = follow()
      if (now === null) return
      running.set(address, making)
      void watch(address, now, making)
    },
    get bytes() {
      return kept.calculatedSize
    },
  }
}
