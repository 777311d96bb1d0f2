/** Selects the report that lists and lookups use for a fund. */
import { accession, boolean, cik, date, integer, rollup, text } from '../../declare/table.ts'

export const standing = rollup(
  'ncen.standing',
  'One row per fund and period: the report that counts about it, the last filed of those about this period',
  ['fund', 'period'],
  {
    fund: text('Key of the fund: ten digits of the CIK and, if it has one, the series'),
    period: date('Last day of the period that is reported'),
    cik: cik('CIK of the registrant'),
    series_id: text('Series identifier, null for a fund without series').nullable(),
    accession: accession('The report that counts'),
    n: integer('Which row of fund that report has of it'),
    filed_date: date('Date the SEC gives as the filing date of that report'),
    as_of: date(
      'Day by which reports are put in their order: the last day of the period; 75 days before the filing where the period ends after it, which is a slip',
    ),
    is_newest: boolean('No report about a later period is held of this fund'),
    ended_by: text(
      'For the newest report, why the fund ended. terminated: its registrant reports its end; last_filing: its registrant filed its last N-CEN; missing: a later report of its registrant should have it and does not; null for a fund that continues',
      { values: ['terminated', 'last_filing', 'missing'] },
    ).nullable(),
  },
  { indexes: ['(cik)', '(accession)', '(series_id) where series_id is not null', '(as_of)'] },
)
