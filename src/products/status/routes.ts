import { z } from 'zod'
import { SPINE } from '../../declare/catalog.ts'
import { get } from '../../declare/route.ts'
import { count } from '../../declare/table.ts'
import { DELAY_DAYS, delays, WORDS } from '../../store/delays.ts'
import { unlistedCount } from '../../store/unlisted.ts'
import { firstSeen } from './first-seen.ts'

export const status = get('/status', {
  name: 'status',
  summary: 'How long after their acceptance new filings were first seen here',
  description: `Of the last ${DELAY_DAYS} days, today included, by UTC. Filings of a backlog are not counted: only those of the feed of current filings, and those of recent daily indexes that it lacked.`,
  tag: 'filings',
  reads: [SPINE],
  input: {},
  output: z
    .object({
      days: count('Days that are told of, today included'),
      followed_days: count('Days of these on which the feed of current filings was read at least once'),
      first_seen: z.array(
        z
          .object({
            delay: z
              .enum(WORDS)
              .describe('Upper bound of the time from acceptance to first seen; not known: the daily index alone named the filing, or its acceptance lies after it was seen'), // biome-ignore format: one line
            under_seconds: count('The upper bound in seconds; null of more, and of what is not known').nullable(),
            filings: count('New filings; null where nothing was counted in these days, which is not the same as none').nullable(), // biome-ignore format: one line
          })
          .meta({ id: 'FirstSeen' }),
      ),
      unlisted: count('Filings that the last whole index of their quarter lacks: they count as removed if an index made a day later lacks them too'), // biome-ignore format: one line
    })
    .meta({ id: 'Status' }),
  rows: 'first_seen',
  cached: false,
  run: async (_, { sql }) => ({
    ...{ days: DELAY_DAYS, ...firstSeen(await delays(sql)) },
    unlisted: await unlistedCount(sql),
  }),
})
