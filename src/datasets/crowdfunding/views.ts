/** Views of Regulation Crowdfunding that other slices may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { feedColumns } from '../../products/feed/views.ts'
import { codeView } from '../../products/search/views.ts'

// The form does not ask for an industry.
export const crowdfundingFeed = view(
  'pub.crowdfunding_feed',
  'One row per filing under Regulation Crowdfunding, as /feed shows it',
  feedColumns,
  `
select
  'crowdfunding'::text as source,
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
  null::text as industry,
  coalesce(maximum_amount, target_amount) as amount,
  raised,
  website,
  name_key,
  name_words,
  null::text as industry_key,
  true as may_be_amended
from submission`,
)

/**
 * A C/A states the file number of its offering, which the first Form C does not have yet. If the issuer filed a C/A
 * before its second Form C, the C/A certainly amends the first Form C. An offering has several progress updates, and a
 * C-U/A does not name the update that it amends.
 */
const FORM = (filing: string) => `replace(${filing}.submission_type, '/A', '')`
const FIRST = (offset: 0 | 1) => `(select o.filed_date from submission o where o.cik = r.cik and o.submission_type = 'C'
          order by o.filed_date offset ${offset} limit 1)`
const SAME_OFFERING = `case when r.file_number is not null then a.file_number = r.file_number
      else a.file_number = any(array(select x.file_number from submission x
        where x.cik = r.cik and x.submission_type = 'C/A' and x.filed_date >= r.filed_date
          and x.filed_date >= ${FIRST(0)}
          and x.filed_date < coalesce(${FIRST(1)}, 'infinity'))) end`

export const crowdfundingAmended = view(
  'pub.crowdfunding_amended',
  'One row per filing that is certainly amended, with its amendments',
  amendedColumns,
  amendsSame('submission', {
    same: `a.cik = r.cik and ${FORM('a')} = ${FORM('r')} and case ${FORM('a')} when 'C' then ${SAME_OFFERING}
      when 'C-AR' then a.period = r.period when 'C-TR' then a.file_number = r.file_number end`,
    amends: (filing) => `${filing}.submission_type like '%/A'`,
  }),
)

export const crowdfundingCode = codeView(
  'pub.crowdfunding_code',
  { what: 'file_number', rows: 'select file_number as code, cik as owner, accession, filed_date from submission' },
  {
    what: 'file_number',
    rows: 'select intermediary_file_number as code, intermediary_cik as owner, accession, filed_date from submission',
    owners: ['portal', 'broker', 'company'],
  },
)
