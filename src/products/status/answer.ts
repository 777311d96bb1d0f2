import type { Backlog, Failure } from '../../ingest/backlog.ts'
import type { Chosen } from '../../ingest/chosen.ts'
import type { FeedState } from '../../ingest/feed/gaps.ts'
import { BOUNDS, type Delays, WORDS } from '../../store/delays.ts'

/** Adds up the counts of the days. If there is no day with counts, the sums are null and not zero. */
export function firstSeen(days: readonly Delays[]) {
  return {
    followed_day_count: days.filter(({ followed }) => followed).length,
    delays: WORDS.map((delay, at) => ({
      delay,
      under_seconds: BOUNDS[at] ?? null,
      filing_count: days.length === 0 ? null : days.reduce((sum, { filings }) => sum + filings[delay], 0),
    })),
  }
}

/** Returns, in the form of the answer, the state of the feed of current filings. */
export function feedOf({ reading, gaps, open, unread }: FeedState) {
  return {
    feed_reading: reading && {
      newest_accepted_at: reading.newest_at,
      reached_back_to: reading.reached_at,
      read_at: reading.read_at,
    },
    open_gap_count: open,
    gaps: gaps.map(({ after_at, before_at, noted_at, closed_at }) => ({
      ...{ accepted_after: after_at, accepted_before: before_at, found_at: noted_at, closed_at },
    })),
    unread_entry_count: unread,
  }
}

/** Returns, in the form of the answer, the filers that the operator chose. */
export function chosenFilers(chosen: Chosen | null) {
  if (!chosen) return null
  const { filers, failed, from, through, hasIndexes } = chosen
  return { filer_count: filers, failed_count: failed, from, through, is_only: !hasIndexes }
}

/**
 * Returns, in the form of the answer, the work that waits, the work that failed, and the filings from quarterly sets.
 */
export const workOf = (waiting: readonly Backlog[]) => ({
  of_sets_count: waiting.reduce((sum, { of_sets }) => sum + of_sets, 0),
  work: waiting.map(({ dataset, pending, failed, of_sets }) => ({
    ...{ dataset, waiting_count: pending, failed_count: failed, of_sets_count: of_sets },
  })),
})

/** Returns, in the form of the answer, the reasons of failures, each with its newest filing. */
export const failuresOf = (failed: readonly Failure[]) =>
  failed.map(({ dataset, reason, filings, examples: [newest] }) => ({
    ...{ dataset, reason, filing_count: filings, accession: newest!.accession, error: newest!.error },
  }))
