/** What a sentence says of an officer, before it has its days. */
import type { Span } from './prose.ts'
import type { OFFICER_EVENTS } from './tables-words.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

/** An event, with the sentences that tell of it. */
export interface Officer extends Span {
  name: string
  /** As it stands there; `director` of a seat on the board. Null where the sentence names none. */
  title: string | null
  event: OfficerEvent
  /** "On May 1, 2024, the Board appointed …" */
  event_date: string | null
  /** "effective June 1, 2024"; that it is effective immediately means the day of the event. */
  effective_date: string | null
}

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
  /** That on which it takes effect, where it stands within the words of the event. */
  day?: string | null
  /** It comes after another one of the sentence or of that before: "…, after which he will retire". */
  isLater?: boolean
  /** A vacancy has its cause in it: it counts where nothing else tells that somebody goes. */
  isCause?: boolean
}
