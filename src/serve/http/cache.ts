/** The answers kept in this process by address, until data changes, and the answers that are being made. */
import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'

/** Where an answer came from: it was kept, a request under way was making it, or it was made for this request. */
export type Outcome = 'hit' | 'shared' | 'miss'

/** An answer that is being made, for one request or several. */
export interface Making {
  answer: Promise<Answer | null>
  /** Whether it was given up. Then nobody else may wait for it. */
  isOver(): boolean
  /**
   * Data version that the answer shows, once the answer is there. Null when nobody can tell. Undefined when versions are
   * not read: then it is the one known when the making began, or a newer one.
   */
  version(): string | null | undefined
}

export interface AnswerCache<M extends Making = Making> {
  /** The kept answer of an address. */
  kept(address: string): Answer | undefined
  /** The making under way of an address, if it began after the last change of the data. */
  underWay(address: string): M | undefined
  /** Shares a making with equal requests, and keeps its answer as long as that is true. */
  begin(address: string, making: M): void
  /** Bytes that are kept: bodies, compressed variants, addresses, and what each takes to be held. */
  readonly bytes: number
}

/**
 * What an entry takes besides its bytes: the answer, its entity tag and body object, the list's links and the index.
 * Measured: 550 to 600 bytes of heap. The rest is garbage that such a heap has before it is collected.
 */
const ENTRY_BYTES = 800
/** V8 takes two bytes for each character of a text that has one beyond Latin-1. */
const CHARACTER_BYTES = 2

/**
 * Keeps answers. Null (nothing there) and errors are not kept, and nothing outlives a change of the data version.
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
    // The library takes no 0, and no answer fits into 1.
    maxSize: Math.max(1, bytesMax),
    // One long document must not push out thousands of small answers.
    maxEntrySize: Math.max(1, Math.ceil(bytesMax / 8)),
  })
  let keptOf: string | null = null
  /** Makings by address, of the version below. Each holds a place or waits for one, so there cannot be too many. */
  const running = new Map<string, M>()

  const size = (address: string, answer: Answer) => answer.bytes + address.length * CHARACTER_BYTES + ENTRY_BYTES

  /** Forgets what belongs to an older data version. */
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
    // Without a snapshot an answer that was begun before a change may show data from before it.
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
