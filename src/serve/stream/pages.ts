/**
 * Makes the pages of a stream as bytes. Clients that follow one stream from the same event share one query for the next
 * page. So a thousand clients at the end of the log cost one query for each change, regardless of their filters.
 */
import type { News, StreamEvent, StreamFilter, StreamPage } from '../../declare/stream.ts'
import type { Run } from '../http/run.ts'

/** A page that is ready to be sent. */
export interface Piece {
  /** The same bytes for all clients; empty if the page has no event. */
  bytes: Buffer
  /** Number of the last event that the page covers. */
  next: number
  isEnd: boolean
}

/** A request of one client for a page that other clients may want too. */
export interface Following<T> {
  /** Identifies this reading by route, filters and the event after which the reading begins. */
  address: string
  keyId: string
  signal: AbortSignal
  begin(): { run: Run; start(): Promise<T> }
}

interface Reading {
  run: Run
  made: Promise<unknown>
  /** Number of data changes when the reading began. */
  changes: number
}

export type Shared = <T>(wanted: Following<T>) => Promise<T>

/**
 * Makes a function that joins a reading in flight at the same address, or begins a new one.
 *
 * @param changes returns how often data has changed so far: a reading that began before the last change might not show
 *   that change
 */
export function sharedReadings(changes: () => number): Shared {
  const running = new Map<string, Reading>()
  return async <T>({ address, keyId, signal, begin }: Following<T>): Promise<T> => {
    const under = running.get(address)
    if (under && !under.run.isOver && under.changes === changes()) {
      return (under.made as Promise<T>).finally(under.run.joinUntil(keyId, signal))
    }
    const { run, start } = begin()
    const leave = run.joinUntil(keyId, signal)
    const made = start()
    const reading = { run, made, changes: changes() }
    running.set(address, reading)
    return made.finally(() => {
      if (running.get(address) === reading) running.delete(address)
      leave()
    })
  }
}

/**
 * Returns a page as `text/event-stream`. Serialised JSON has no line breaks, so an event needs only one `data` line. If
 * the client's filters left out the last events, the page ends with an id without data. The client then shows no event,
 * but later continues after this id.
 */
export function streamText({ events, next }: StreamPage): string {
  return textOf(events.map(eventText), events.at(-1)?.id, next)
}

const eventText = ({ id, event, data }: StreamEvent) => `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`

const textOf = (texts: readonly string[], last: number | undefined, next: number) =>
  texts.join('') + (next > (last ?? -1) ? `id: ${next}\n\n` : '')

/** Makes the bytes of a page. */
export const pieceOf = (page: StreamPage): Piece => ({
  bytes: Buffer.from(streamText(page)),
  next: page.next,
  isEnd: page.isEnd,
})

/** Events for all clients, serialised once. */
export interface WrittenNews extends Pick<StreamPage, 'next' | 'isEnd'> {
  events: readonly { id: number; text: string; fact: unknown }[]
}

export const written = ({ events, facts, next, isEnd }: News<unknown>): WrittenNews => ({
  events: events.map((event, at) => ({ id: event.id, text: eventText(event), fact: facts[at] })),
  next,
  isEnd,
})

/** The new events that match a filter, at most `most` of them. */
export function pieceFor(news: WrittenNews, filter: StreamFilter<unknown>, most: number): Piece {
  const met = news.events.filter(({ fact }) => filter.meets(fact))
  const sent = met.slice(0, most)
  const last = sent.at(-1)?.id
  const next = met.length > most ? last! : news.next
  const text = textOf(
    sent.map((event) => event.text),
    last,
    next,
  )
  return { bytes: Buffer.from(text), next, isEnd: news.isEnd && next === news.next }
}
