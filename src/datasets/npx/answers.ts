/** Shapes of answers. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { countedTotal, nextCursor } from '../../declare/paging.ts'
import { accession, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { report, vote } from './tables.ts'

export const listed = report.row
  .pick({
    accession: true,
    filed_date: true,
    submission_type: true,
    source: true,
    cik: true,
    person_name: true,
    report_type: true,
    period: true,
    file_number: true,
    vote_count: true,
    amendment_number: true,
    amendment_type: true,
  })
  .extend({ amended_by: amendedBy })
  .meta({ id: 'NpxFilingRow' })

/** Columns that queries need to find and sort votes, and that answers do not show. */
export const NOT_SHOWN = ['how', 'listed_day', 'cik'] as const

const voteRow = vote.parsed
  .omit({ how: true, listed_day: true, cik: true })
  .extend({
    accession: accession('The report'),
    filed_date: report.row.shape.filed_date,
    cik: vote.columns.cik,
    person_name: report.columns.person_name,
    is_amendment: report.columns.is_amendment,
    amendment_type: report.columns.amendment_type,
    amended_by: amendedBy,
    series_name: text('Name of the series, as the report states it').nullable(),
  })
  .meta({ id: 'NpxVoteRow' })

export const votes = z
  .object({ rows: z.array(voteRow), ...countedTotal, next_cursor: nextCursor, ...notLoaded })
  .meta({ id: 'NpxVotePage' })

export type Votes = z.infer<typeof votes>
