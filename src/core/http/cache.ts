/** Answers kept in this process, by address, until data changes. */
import { LRUCache } from 'lru-cache'
import type { Answer } from './answer.ts'

/** How an answer was come by: kept, made by a request already under way, or made for this one. */
export type Outcome = 'hit' | 'shared' | 'miss'

export interface AnswerCache {
  /**
   * The answer kept for an address, else the one `make` gives; equal requests at the same time share one `make`. Null
   * (nothing there) and errors are not kept, and nothing outlives a change of the data version.
   */
  answer(address: string, make: () => Promise<Answer | null>): Promise<Answer | null>
  readonly bytes: number
}

/**
 * @param bytesMax most bytes of bodies, compressed variants and addresses; the least recently used go first
 * @param version the data version, null while it is not known: then nothing is kept or shared
 */
export function answerCache(options: {
  bytesMax: number
  version: () => string | null
  onOutcome: (outcome: Outcome) => void
}): AnswerCache {
  const { bytesMax, version, onOutcome } = options
  const kept = new LRUCache<string, Answer>({
    // The library takes no 0; no answer fits into 1.
    maxSize: Math.max(1, bytesMax),
    // One long document must not push out thousands of small answers.
    maxEntrySize: Math.max(1, Math.ceil(bytesMax / 8)),
  })
  let keptOf: string | null = null
  const running = new Map<string, Promise<Answer | null>>()

  const size = (address: string, bytes: number) => bytes + address.length + 200

  async function makeAndKeep(address: string, at: string, make: () => Promise<Answer | null>): Promise<Answer | null> {
    const made = await make()
    // An answer begun before a change may show data from before it.
    if (made === null || version() !== at) return made
    kept.set(address, made, { size: size(address, made.bytes) })
    made.onGrowth = (bytes) => {
      if (kept.peek(address) !== made) return
      // Setting the same value again would keep its old size.
      kept.delete(address)
      kept.set(address, made, { size: size(address, bytes) })
    }
    return made
  }

  return {
    async answer(address, make) {
      const at = version()
      if (at !== keptOf) {
        kept.clear()
        keptOf = at
      }
      const found = kept.get(address)
      if (found) {
        onOutcome('hit')
        return found
      }
      if (at === null) {
        onOutcome('miss')
        return make()
      }
      const name = `${at} ${address}`
      const under = running.get(name)
      onOutcome(under ? 'shared' : 'miss')
      if (under) return under
      const made = makeAndKeep(address, at, make).finally(() => running.delete(name))
      running.set(name, made)
      return made
    },
    get bytes() {
      return kept.calculatedSize
    },
  }
}
