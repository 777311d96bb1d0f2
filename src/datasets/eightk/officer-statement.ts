/** The statement of a sentence about an officer, before its days are known. */
import type { Span } from './prose.ts'
import type { OFFICER_EVENTS } from './tables-words.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

/** An event, with the sentences that report it. */
export interface Officer extends Span {
  name: string
  /** As written there; `director` for a seat on the board. Null if the sentence names none. */
  title: string | null
  event: OfficerEvent
  /** "On May 1, 2024, the Board appointed …" */
  event_date: string | null
  /** "effective June 1, 2024"; "effective immediately" means the day of the event. */
  effective_date: string | null
}

export interface OfficerStatement {
  event: OfficerEvent
  /** Position in the masked sentence. */
  at: number
  /** Indexes of the mentions. */
  who: readonly number[]
  /** Empty if the sentence names no office with the event; a departure then takes the office next to the name. */
  titles: readonly string[]
  /** A day after the verb is the effective day. */
  isFuture: boolean
  /** "will serve as" may continue a present office. */
  mayGoOn?: boolean
  /** Position after the words of the verb, if names are among them. */
  after?: number
  /** Effective day, if it stands within the words of the event. */
  day?: string | null
  /** The event follows another one of this sentence or the previous one: "…, after which he will retire". */
  isLater?: boolean
  /** The event caused a vacancy: it counts if no other sentence reports the departure. */
  isCause?: boolean
}
