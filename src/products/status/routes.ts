import { z } from 'zod'
import { SPINE } from '../../declare/catalog.ts'
import { moment } from '../../declare/moment-type.ts'
import { get } from '../../declare/route.ts'
import { count } from '../../declare/table.ts'
import { feedState } from '../../ingest/feed/gaps.ts'
import { DELAY_DAYS, delays, WORDS } from '../../store/delays.ts'
import { unlistedCount } from '../../store/unlisted.ts'
import { feedOf, firstSeen } from './first-seen.ts'

export const status = get('/status', {
  name: 'status',
  summary: 'Show how this server keeps up with EDGAR',
  description: `Ingest latency, the time from EDGAR’s acceptance to the first sight by this server, and gaps of the feed. It covers the last ${DELAY_DAYS} days, today included, by UTC. Filings of a backlog are not counted: only those of the feed of current filings, and those of recent daily indexes that it lacked.`,
  tag: 'filings',
  reads: [SPINE],
  input: {},
  output: z
    .object({
      day_count: count('Days that are told of, today included'),
      followed_day_count: count('Days of these on which the feed of current filings was read at least once'),
      delays: z.array(
        z
          .object({
            delay: z
              .enum(WORDS)
              .describe(
                'Upper bound of the time from acceptance to first seen; not known: the daily index alone named the filing, or its acceptance lies after it was seen',
              ),
            under_seconds: count('The upper bound in seconds; null of more, and of what is not known').nullable(),
            filing_count: count(
              'New filings; null where nothing was counted in these days, which is not the same as none',
            ).nullable(),
          })
          .meta({ id: 'FirstSeen' }),
      ),
      unlisted_count: count(
        'Filings that the last whole index of their quarter lacks: they count as removed if an index made a day later lacks them too',
      ),
      feed_reading: z
        .object({
          newest_accepted_at: moment.describe('Acceptance of its newest entry'),
          reached_back_to: moment.describe('Acceptance of the oldest entry that was read'),
          read_at: moment.describe('When it was read'),
        })
        .meta({ id: 'FeedReading' })
        .nullable()
        .describe(
          'The last reading of the feed of current filings that found something new; null where it was never read',
        ),
      open_gap_count: count(
        'Times of which the feed had nothing more when it was read, until the daily indexes of their days are read: filings accepted then may be missing here',
      ),
      gaps: z
        .array(
          z
            .object({
              accepted_after: moment.describe('What was accepted up to this moment is known'),
              accepted_before: moment.describe('What was accepted from this moment on is known'),
              found_at: moment.describe('When the gap was found'),
              closed_at: moment
                .nullable()
                .describe('When the indexes of its days had been read; null while filings may be missing'),
            })
            .meta({ id: 'FeedGap' }),
        )
        .describe('Gaps that are open, then those that were closed last; at most 20'),
      unread_entry_count: count(
        'Entries of the feed that could not be read, until the indexes have listed what they were',
      ),
    })
    .meta({ id: 'Status' }),
  rows: 'delays',
  cached: false,
  run: async (_, { sql }) => ({
    ...{ day_count: DELAY_DAYS, ...firstSeen(await delays(sql)) },
    unlisted_count: await unlistedCount(sql),
    ...feedOf(await feedState(sql)),
  }),
})
