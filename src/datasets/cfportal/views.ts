/** Views that lists and exports may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'

/** Each amendment repeats the whole form, and replaces earlier filings of the portal since its registration. */
export const cfportalAmended = view(
  'pub.cfportal_amended',
  'One row a registration or amendment that is amended, with the amendments',
  amendedColumns,
  amendsSame('filing', {
    same: `a.cik = r.cik and r.submission_type <> 'CFPORTAL-W' and not exists (select from filing o
      where o.cik = r.cik and o.submission_type <> 'CFPORTAL/A' and o.accession <> r.accession
        and (o.filed_date, o.accession) > (r.filed_date, r.accession) and o.filed_date <= a.filed_date)`,
    amends: (filing) => `${filing}.submission_type = 'CFPORTAL/A'`,
  }),
)
