/** Answers that go on: new events are sent as they come, as Server-Sent Events. */
import type { Sql } from '../store/db.ts'

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
  /** Number of the event behind which the next page begins. */
  next: number
  /** Whether there is nothing behind this page yet. */
  isEnd: boolean
}

/** How a route whose input has `after` is followed. `run` makes the pages. */
export interface Stream<Answer = never> {
  /** Number of the newest event, behind which a stream begins that names none. */
  newest(sql: Sql): Promise<number>
  /** The events of an answer of `run`. */
  pageOf(answer: Answer): StreamPage
}
