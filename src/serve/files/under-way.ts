/** How many files each key takes at once. */
import { tooMany } from '../../declare/errors.ts'

/** One to go on with while another is being read slowly; what each holds in memory is bounded by that too. */
const FILES_MAX = 2
const RETRY_SECONDS = 10

export interface UnderWay {
  /**
   * Begins a file of this key.
   *
   * @returns what to call at its end, once or more
   * @throws HttpError 429 where the key has as many as it may
   */
  begin(keyId: string): () => void
  readonly count: number
}

export function underWay(): UnderWay {
  const counts = new Map<string, number>()
  let all = 0
  return {
    begin(keyId) {
      const before = counts.get(keyId) ?? 0
      if (before >= FILES_MAX) {
        const message = `this key has ${FILES_MAX} files under way, and no key has more at once; wait until one has ended`
        throw tooMany(message, RETRY_SECONDS)
      }
      counts.set(keyId, before + 1)
      all++
      let isUnderWay = true
      return () => {
        if (!isUnderWay) return
        isUnderWay = false
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
