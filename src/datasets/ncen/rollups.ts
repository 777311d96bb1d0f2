/** Rollup that names, for each fund and period, the report that lists and look-ups use. */
import { accession, boolean, cik, date, integer, rollup, text } from '../../declare/table.ts'

export const standing = rollup(
  'ncen.standing',
  'One row per fund and period: the report that is used for the fund, which is the last one filed about the period',
  ['fund', 'period'],
  {
    fund: text('Key of the fund: ten digits of the CIK and, if the fund has one, the series identifier'),
    period: date('Last day of the reporting period'),
    cik: cik('CIK of the registrant'),
    series_id: text('Series identifier; null for a fund without series').nullable(),
    accession: accession('Accession number of the report that counts for the fund and period'),
    n: integer('Column n of the fund’s row in ncen.fund for the report'),
    filed_date: date('Date the SEC gives as the filing date of the report'),
    as_of: date(
      'Day by which reports are ordered: the last day of the period; if the period ends after the filing date, which is an error, the day 75 days before the filing date',
    ),
    is_newest: boolean('Whether no report about a later period is stored for the fund'),
    ended_by: text(
      'How it is known that the fund has ended; only the row of its newest report has a value. terminated: its registrant reports the end; last_filing: its registrant filed its last N-CEN; missing: a later report of its registrant should include the fund and does not; null for a fund that continues',
      { values: ['terminated', 'last_filing', 'missing'] },
    ).nullable(),
  },
  { indexes: ['(cik)', '(accession)', '(series_id) where series_id is not null', '(as_of)'] },
)
