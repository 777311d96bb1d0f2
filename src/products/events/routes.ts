import { apiError } from '../../declare/api-errors.ts'
import { SPINE } from '../../declare/catalog.ts'
import { get, limit, whole } from '../../declare/route.ts'
import { assertForms } from '../../serve/known.ts'
import { withMissing } from '../../serve/loaded.ts'
import type { Sql } from '../../store/db.ts'
import { type EventRow, page } from './answers.ts'
import { assertPossible, FILTERS, type Filters, wantedOf } from './filters.ts'
import { eventsAfter, isReplica, meeting, newestEvent, newsAfter } from './queries.ts'

/**
 * Maximum number of events that are read at once for all clients with filters: the events of one minute, less than 1 MB
 * of text.
 */
const NEWS_EVENTS = 1_000

const streamed = (event: EventRow) => ({ id: event.event_number, event: event.what, data: event })

export const events = get('/events', {
  name: 'events',
  summary: 'Follow what is new, corrected or withdrawn',
  description: `A log of all changes, in the order in which this service learned of them. Reports everything that is added, corrected or removed: filings of the index, rows of datasets, records of bulk files. To follow the log, repeat the request with \`after\` set to \`next_after\` of the last answer: nothing is missed or repeated, because event numbers become visible in their order. A filing causes one event of the index when it is listed, and one of its dataset when it is read. A filing counts as removed if two indexes of its quarter lack it. Both indexes must have been made after the filing was known, and the second must have been read at least a day after the first. If EDGAR lists the filing again, it is \`restored\`.

An event without a key stands for too many changes to name: the first index of a quarter, the first edition of a series, a rebuild, the removal of the sample. With a filter by family or form, such an event is reported if its dataset reads filings of this family or form, or if its index lists some of them. With a filter by filer, all such events are reported. A filing whose form is corrected also matches filters for its former form, and a removed filing matches filters for each of its filers. So a client that follows only some filings also learns which of them no longer match. With filters, a page may be short or empty although the log continues: \`is_end\` is true only if no event follows yet.

With \`Accept: text/event-stream\`, the answer is a stream that continues (Server-Sent Events): each event is sent as soon as it occurs. Its number is the \`id\` of the message, \`what\` is the name, and the data is the object that a page has for the event. \`Last-Event-ID\` overrides \`after\`, so a client that reconnects continues where it was; without either, the stream begins with the next event. A slow client misses nothing. A key can have at most 50 streams at once.`,
  tag: 'filings',
  reads: [SPINE],
  input: {
    after: whole({
      describe:
        'Number of the last event that the client has. Without this parameter, a page begins with the first event, and a stream with the next new event',
    }).optional(),
    ...FILTERS,
    limit: limit({ max: 1_000, default: 100 }),
  },
  examples: [
    // This filer has a single 8-K: with two 8-Ks, the order of the events would depend on which worker finished first.
    { source: 'eightk', family: 'eightk', cik: '19617', limit: '3' },
    { after: '0', source: 'formd', form: 'D', cik: '925421', limit: '2' },
  ],
  output: page,
  next: (_, { is_end, next_after }) => (is_end ? null : { after: next_after }),
  // Clients poll this route for new events, and use a different address each time.
  cached: false,
  stream: {
    newest: newestEvent,
    pageOf: ({ events, next_after: next, is_end: isEnd }) => ({ events: events.map(streamed), next, isEnd }),
    async news(sql, after) {
      const { events, ...rest } = await newsAfter(sql, after, NEWS_EVENTS)
      return { events: events.map(streamed), ...rest }
    },
    filterOf(input, catalog) {
      assertPossible(catalog, input as Filters)
      const wanted = wantedOf(catalog, input as Filters)
      const isOfAll = Object.values(wanted).every((values) => values === null)
      return isOfAll ? null : { meets: meeting(wanted) }
    },
  },
  run: async ({ after = 0, limit, ...filters }, { sql, catalog }) => {
    await assertForms(sql, catalog, filters.form)
    assertPossible(catalog, filters)
    const found = await eventsAfter(sql, { after, limit, ...wantedOf(catalog, filters) })
    if (found.is_end && found.next_after === after) await assertOfThisLog(sql, after)
    return found.events.length === 0 && after === 0 ? withMissing(sql, { edgar: true }, found) : found
  },
})

/**
 * Rejects a number that no event has yet. Such a number has one of two causes. If it comes from the log of another
 * database, a client that continues with it would miss new events. If it comes from this database, the replica that
 * answers has not received the event yet.
 */
async function assertOfThisLog(sql: Sql, after: number): Promise<void> {
  const newest = await newestEvent(sql)
  if (after <= newest) return
  if (await isReplica(sql)) throw apiError('replica_behind', { newest })
  throw apiError('invalid_parameter', {
    parameter: 'after',
    reason: `${after} is greater than the number of the newest event, ${newest}, so it belongs to another log; begin again with 0`,
  })
}
