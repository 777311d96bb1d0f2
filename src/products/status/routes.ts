import { z } from 'zod'
import { SPINE } from '../../declare/catalog.ts'
import { moment } from '../../declare/moment-type.ts'
import { get } from '../../declare/route.ts'
import { accession, count } from '../../declare/table.ts'
import { backlog, failures } from '../../ingest/backlog.ts'
import { chosenOf } from '../../ingest/chosen.ts'
import { feedState } from '../../ingest/feed/gaps.ts'
import { DELAY_DAYS, delays, WORDS } from '../../store/delays.ts'
import { unlistedCount } from '../../store/unlisted.ts'
import { chosenFilers, failuresOf, feedOf, firstSeen, workOf } from './answer.ts'

/**
 * Maximum number of failed filings whose reasons are counted. If everything fails on a day, the newest failures show
 * the reasons well enough.
 */
const FAILED_MAX = 2_000
const REASONS_MAX = 20

export const status = get('/status', {
  name: 'status',
  summary: 'Show how this server keeps up with EDGAR',
  description: `Ingest latency (time from EDGAR’s acceptance of a filing until this server first saw it), and gaps in the feed. The latency covers the last ${DELAY_DAYS} days (UTC), including today. It is measured for filings from the feed of current filings, and for filings that the feed lacked but a recent daily index lists. Filings of older daily indexes are not counted.`,
  tag: 'filings',
  reads: [SPINE],
  input: {},
  output: z
    .object({
      day_count: count('Number of days covered, today included'),
      followed_day_count: count('Number of these days on which the feed of current filings was read at least once'),
      delays: z.array(
        z
          .object({
            delay: z
              .enum(WORDS)
              .describe(
                'Upper bound of the time from the acceptance of a filing until this server first saw it. not known: only the daily index named the filing, or the stated time of acceptance is later than the time at which the filing was first seen',
              ),
            under_seconds: count(
              'The upper bound in seconds; null for delays above the longest bound and for unknown delays',
            ).nullable(),
            filing_count: count(
              'Number of new filings. Null if nothing was counted in these days, which does not mean that there were none',
            ).nullable(),
          })
          .meta({ id: 'FirstSeen' }),
      ),
      unlisted_count: count(
        'Number of filings that the last complete index of their quarter lacks. A filing counts as removed if an index that was made later, and read at least a day later, lacks it too',
      ),
      of_sets_count: count(
        'Number of filings whose rows come from the SEC’s quarterly data sets. Their submissions were not read, and are fetched only on request. /filings/coverage counts them by family',
      ),
      work: z
        .array(
          z
            .object({
              dataset: z
                .string()
                .describe('Dataset into which the filings are read: a family, `documents` or `header`'),
              waiting_count: count('Number of filings that are listed and not read yet'),
              failed_count: count(
                'Number of filings that could not be read; `openfilings ingest` tries again to read them',
              ),
              of_sets_count: count('Number of filings whose rows come only from quarterly data sets'),
            })
            .meta({ id: 'OpenWork' }),
        )
        .describe('Filings that wait, failed, or have their rows from quarterly data sets, counted by dataset'),
      failures: z
        .array(
          z
            .object({
              dataset: z.string().describe('Dataset into which the filings are read'),
              reason: z.string().describe('The error, without the parts that differ between filings'),
              filing_count: count('Number of filings that failed for this reason'),
              accession: accession('The newest of these filings'),
              error: z.string().describe('The error of this filing'),
            })
            .meta({ id: 'FailureReason' }),
        )
        .describe(
          `Why filings could not be read, the most frequent reason first; at most ${REASONS_MAX} reasons, from the ${FAILED_MAX} failed filings with the newest filing dates`,
        ),
      feed_reading: z
        .object({
          newest_accepted_at: moment.describe('When EDGAR accepted the newest entry of the feed'),
          reached_back_to: moment.describe('When EDGAR accepted the oldest entry that was read'),
          read_at: moment.describe('When the feed was read'),
        })
        .meta({ id: 'FeedReading' })
        .nullable()
        .describe(
          'The last reading of the feed of current filings that found something new; null if there was no such reading',
        ),
      open_gap_count: count(
        'Number of open gaps. A gap is a span of time that the feed no longer had when it was read, and whose daily indexes are not read yet. Filings that were accepted in these spans may be missing',
      ),
      gaps: z
        .array(
          z
            .object({
              accepted_after: moment.describe('Filings accepted up to this moment are known'),
              accepted_before: moment.describe('Filings accepted from this moment on are known'),
              found_at: moment.describe('When the gap was found'),
              closed_at: moment
                .nullable()
                .describe(
                  'Time at which the daily indexes of all days of the gap had been read; null while filings may be missing',
                ),
            })
            .meta({ id: 'FeedGap' }),
        )
        .describe('Gaps that are open, then the most recently closed gaps; at most 20'),
      chosen_filers: z
        .object({
          filer_count: count('Number of chosen filers'),
          failed_count: count('Number of these filers whose profile could not be read completely the last time'),
          from: z.iso
            .date()
            .nullable()
            .describe(
              'From this day on, the filings of every chosen filer are listed; for some filers, older filings are listed too. Null if all filings of all chosen filers are listed',
            ),
          through: z.iso
            .date()
            .nullable()
            .describe(
              'The oldest of the days on which the profiles of the chosen filers were last read; null if no profile was read completely yet',
            ),
          is_only: z
            .boolean()
            .describe('True if no filings of other filers are listed, since neither an index nor the feed was read'),
        })
        .meta({ id: 'ChosenFilers' })
        .nullable()
        .describe('Filers that the operator chose, whose filings come from their profiles; null if none was chosen'),
      unread_entry_count: count(
        'Number of entries of the feed that could not be read. An entry is no longer counted after an index has listed its filing',
      ),
    })
    .meta({ id: 'Status' }),
  rows: 'delays',
  cached: false,
  run: async (_, { sql }) => ({
    ...{ day_count: DELAY_DAYS, ...firstSeen(await delays(sql)) },
    unlisted_count: await unlistedCount(sql),
    ...workOf(await backlog(sql)),
    failures: failuresOf(await failures(sql, REASONS_MAX, FAILED_MAX)),
    ...feedOf(await feedState(sql)),
    chosen_filers: chosenFilers(await chosenOf(sql)),
  }),
})
