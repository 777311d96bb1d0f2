/** Views of Regulation A that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { feedColumns } from '../../products/feed/views.ts'
import { codeView } from '../../products/search/views.ts'

export const regaFeed = view(
  'pub.rega_feed',
  'One row per filing under Regulation A, with the columns of the list /feed',
  feedColumns,
  `
select
  'rega'::text as source,
  accession,
  entity_name,
  cik,
  street1,
  street2,
  city,
  state,
  zip,
  filed_date as filing_date,
  submission_type,
  industry,
  total_offered as amount,
  raised,
  null::text as website,
  name_key,
  name_words,
  lower(industry) as industry_key,
  true as may_be_amended
from submission`,
)

/**
 * A 1-A/A and a 1-A POS restate the offering statement of their file number. A first 1-A has no number yet. The link to
 * it is certain if the issuer had filed no other 1-A before the amendment.
 */
const STATEMENT = (filing: string) => `${filing}.submission_type in ('1-A/A', '1-A POS', 'DOS/A')`
const FORM = (filing: string) => `replace(replace(${filing}.submission_type, '/A', ''), ' POS', '')`
const BY_NUMBER = `case when cardinality(r.file_numbers) > 0 then a.file_numbers && r.file_numbers
      else a.filed_date < (select coalesce(min(o.filed_date), 'infinity') from submission o
        where o.cik = r.cik and o.submission_type = r.submission_type and o.accession <> r.accession) end`

/** An annual or exit report is identified by its period, or by its file numbers. */
const BY_PERIOD = `a.reporting_period is not distinct from r.reporting_period
      and a.report_type is not distinct from r.report_type and a.file_numbers && r.file_numbers`

export const regaAmended = view(
  'pub.rega_amended',
  'One row per filing that was certainly amended, with the amendments',
  amendedColumns,
  amendsSame('submission', {
    same: `a.cik = r.cik and ${FORM('a')} = ${FORM('r')} and case when ${STATEMENT('a')} then ${BY_NUMBER} else ${BY_PERIOD} end`,
    amends: (filing) => `(${STATEMENT(filing)} or ${filing}.submission_type like '%/A')`,
  }),
)

export const regaCode = codeView(
  'pub.rega_code',
  {
    what: 'file_number',
    rows: 'select unnest(file_numbers) as code, cik as owner, accession, filed_date from submission',
  },
  {
    what: 'file_number',
    rows: 'select i.file_number as code, i.cik as owner, accession, s.filed_date from issuer i join submission s using (accession)',
  },
)
