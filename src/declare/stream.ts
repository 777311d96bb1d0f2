/** Streaming answers: new events are sent as they come, as Server-Sent Events. */
import type { Sql } from '../store/db.ts'
import type { Catalog } from './catalog.ts'

/** One event of a stream. */
export interface StreamEvent {
  /** Greater than that of every event before it. */
  id: number
  /** Its kind, which a client listens to by name. */
  event: string
  data: unknown
}

export interface StreamPage {
  events: readonly StreamEvent[]
  /** Number of the event after which the next page begins. */
  next: number
  /** Whether there is nothing after this page yet. */
  isEnd: boolean
}

/** All new events. */
export interface News<Fact> extends StreamPage {
  /** The values of each event that filters compare. */
  facts: readonly Fact[]
}

/** The filters of an input. */
export interface StreamFilter<Fact> {
  meets(fact: Fact): boolean
}

/** How clients follow a route whose input has `after`. `run` makes the pages of clients that lag. */
export interface Stream<Answer = never, Fact = unknown> {
  /** Number of the newest event; a stream without a start begins after it. */
  newest(sql: Sql): Promise<number>
  /** The events of an answer of `run`. */
  pageOf(answer: Answer): StreamPage
  /** Events after a number without regard to filters, read once for all who have filters and have come to the end. */
  news(sql: Sql, after: number): Promise<News<Fact>>
  /** The filter of an input, which leaves out what `run` leaves out; null where it asks for everything. */
  filterOf(input: Readonly<Record<string, unknown>>, catalog: Catalog): StreamFilter<Fact> | null
}
