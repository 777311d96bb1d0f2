/** A statement about an officer in a sentence, before its days are read. */
import type { Span } from '../../../read/prose/sentences.ts'
import type { OFFICER_EVENTS } from '../tables-words.ts'

export type OfficerEvent = (typeof OFFICER_EVENTS)[number]

/** An event, with the sentences that report it. */
export interface Officer extends Span {
  name: string
  /** Office as the text writes it; `director` for a seat on the board. Null if the sentence names no office. */
  title: string | null
  event: OfficerEvent
  /** Day of the event: "On May 1, 2024, the Board appointed …". */
  event_date: string | null
  /** Effective day: "effective June 1, 2024"; "effective immediately" means the day of the event. */
  effective_date: string | null
}

export interface OfficerStatement {
  event: OfficerEvent
  /** Position of the statement in the masked sentence. */
  at: number
  /** Indexes of the persons in `mentions` of the sentence. */
  who: readonly number[]
  /** Offices of the event; empty if the sentence names none. A departure then takes the office next to the name. */
  titles: readonly string[]
  /** Whether a day after the verb is the effective day. */
  isFuture: boolean
  /** Whether the words may mean that a person continues in an office: "will serve as". */
  mayGoOn?: boolean
  /** Position after the words of the verb, if these words contain names. */
  after?: number
  /** Effective day, if the words of the event include it. */
  day?: string | null
  /** Whether the event comes after another event of this or the previous sentence: "…, after which he will retire". */
  isLater?: boolean
  /**
   * Whether the event is the cause of a vacancy; such an event counts only if no other sentence reports the departure.
   */
  isCause?: boolean
}
