/** Views of Form N-PX that lists and exports may read. */
import { amendedColumns } from '../../declare/amended.ts'
import { accession, boolean, cik, date, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'
import { vote as cast } from './tables.ts'

/**
 * A restatement replaces the report of the same person and period; an amendment of the type NEW PROXY adds votes, and
 * replaces nothing. If both filings name series, the restatement replaces the series that both name. If either filing
 * names no series, the link is certain only if the person filed one report.
 */
export const npxAmended = view(
  'pub.npx_amended',
  'One row per report that was certainly amended, with the restatements of the report or of at least one of its series',
  amendedColumns,
  `
select r.accession, m.amended_by
from report r cross join lateral (
  select array_agg(a.accession order by a.filed_date desc, a.accession desc) as amended_by
  from report a
  where a.cik = r.cik and a.period = r.period and a.accession <> r.accession
    and upper(coalesce(a.amendment_type, '')) <> 'NEW PROXY'
    -- Tested inside the case: as a separate condition, is_amendment would make the planner read the index of all
    -- amendments for each report.
    and case when not a.is_amendment then false
      when r.is_amendment then (a.filed_date, a.accession) > (r.filed_date, r.accession)
      else a.filed_date >= r.filed_date end
    -- Scalar subqueries: with EXISTS, the planner may hash the whole table.
    and case when (select true from series s where s.accession = a.accession and s.series_id is not null limit 1)
        and (select true from series s where s.accession = r.accession and s.series_id is not null limit 1)
      then (select true from series s join series t using (series_id) where s.accession = a.accession and t.accession = r.accession limit 1)
      else (select count(*) from report o where o.cik = r.cik and o.period = r.period and not o.is_amendment) <= 1 end
) m
where m.amended_by is not null`,
)

const { line, cusip, issuer_name, meeting_date, description, proposed_by, how, shares_voted, series_id } = cast.columns

/** Conditions on cusip, cik and series use the indexes of votes. */
export const npxVote = view(
  'pub.npx_vote',
  'One row per matter that a fund or manager voted on. Filter by cusip, cik, series_id or accession, for which there are indexes. An amendment repeats votes: to use each vote once, leave out rows whose accession is in pub.npx_amended',
  {
    accession: accession('The report; joins edgar.filing'),
    line,
    filed_date: date('Date the SEC gives as the filing date'),
    cik: cik('CIK of the reporting person; joins edgar.filer').nullable(),
    person_name: text('Name of the reporting person').nullable(),
    ...{ series_id, cusip, issuer_name, meeting_date, description, proposed_by, how, shares_voted },
    is_amendment: boolean('True if the form type of the report is that of an amendment'),
  },
  `
select v.accession, v.line, r.filed_date, v.cik, r.person_name, v.series_id, v.cusip, v.issuer_name, v.meeting_date,
  v.description, v.proposed_by, v.how, v.shares_voted, r.is_amendment
from vote v join report r using (accession)`,
)

export const npxCode = codeView(
  'pub.npx_code',
  { what: 'file_number', rows: 'select file_number as code, cik as owner, accession, filed_date from report' },
  { what: 'lei', rows: 'select lei as code, cik as owner, accession, filed_date from report' },
  {
    what: 'lei',
    rows: 'select s.lei as code, s.series_id as owner, accession, r.filed_date from series s join report r using (accession)',
    owners: ['fund', 'money_market_fund'],
  },
)
