/** Views of company facts that other slices may read. */
import { view } from '../../declare/view.ts'
import { company, filing } from './tables.ts'

export const filings = view(
  'pub.facts_filing',
  'One row per company and filing from which a value of the company is stored',
  { ...filing.columns, entity_name: company.columns.entity_name },
  `
select
  f.cik,
  f.accession,
  f.form,
  f.filed_date,
  c.entity_name
from filing f
join company c using (cik)`,
)
