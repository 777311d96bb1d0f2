/** What a sentence says of an officer, before it has its days. */
import type { OFFICER_EVENTS } from './tables-words.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

export interface Said {
  event: OfficerEvent
  /** Where it stands in the masked sentence. */
  at: number
  /** Which mentions. */
  who: readonly number[]
  /** None where the sentence names no office with the event; then an office of who goes is that beside the name. */
  titles: readonly string[]
  /** A day behind the verb is that on which it takes effect. */
  isFuture: boolean
  /** What somebody "will serve as" may be what he is already. */
  mayGoOn?: boolean
  /** Behind what belongs to the verb, where names do. */
  after?: number
}
