/** Streaming answers: new events are sent as they come, as Server-Sent Events. */
import type { Sql } from '../store/db.ts'
import type { Catalog } from './catalog.ts'

/** One event of a stream. */
export interface StreamEvent {
  /** Greater than the id of every earlier event. */
  id: number
  /** The kind of the event: the name for which a client listens. */
  event: string
  data: unknown
}

export interface StreamPage {
  events: readonly StreamEvent[]
  /** Number of the event after which the next page begins. */
  next: number
  /** Whether no events follow this page yet. */
  isEnd: boolean
}

/** All events after a number, before filters are applied. */
export interface News<Fact> extends StreamPage {
  /** For each event, the values that filters compare. */
  facts: readonly Fact[]
}

/** The filters of an input. */
export interface StreamFilter<Fact> {
  meets(fact: Fact): boolean
}

/** How clients follow a route that has `after` in its input. Clients that lag get pages from `run`. */
export interface Stream<Answer = never, Fact = unknown> {
  /** Returns the number of the newest event. A stream without a start begins after this event. */
  newest(sql: Sql): Promise<number>
  /** The events of an answer of `run`. */
  pageOf(answer: Answer): StreamPage
  /**
   * Returns the events after a number, without applying filters. One read serves all clients with filters that have
   * received all earlier events.
   */
  news(sql: Sql, after: number): Promise<News<Fact>>
  /**
   * Returns the filter that an input asks for. The filter leaves out the same events as `run` does. Returns null if the
   * input asks for all events.
   */
  filterOf(input: Readonly<Record<string, unknown>>, catalog: Catalog): StreamFilter<Fact> | null
}
