import { apiError } from '../../declare/api-errors.ts'
/** Limits how many long answers of a kind each key gets at once. */

export interface InFlight {
  /**
   * Begins a long answer for this key.
   *
   * @returns a function to call when the answer ends; further calls do nothing
   * @throws HttpError 429 if the key has its maximum, 503 if the server has its maximum
   */
  begin(keyId: string): () => void
  readonly count: number
}

/**
 * @param what name of this kind of answer, in the plural
 * @param max maximum for one key
 * @param maxOfAll maximum for all keys together
 */
export function inFlight(what: string, { max, maxOfAll = Infinity }: { max: number; maxOfAll?: number }): InFlight {
  const counts = new Map<string, number>()
  let all = 0
  return {
    begin(keyId) {
      const before = counts.get(keyId) ?? 0
      if (before >= max) {
        throw apiError('too_many_at_once', { max, what })
      }
      if (all >= maxOfAll) {
        throw apiError('too_many_in_all', { max: maxOfAll, what })
      }
      counts.set(keyId, before + 1)
      all++
      let isRunning = true
      return () => {
        if (!isRunning) return
        isRunning = false
        all--
        const count = counts.get(keyId)! - 1
        if (count > 0) counts.set(keyId, count)
        else counts.delete(keyId)
      }
    },
    get count() {
      return all
    },
  }
}
