/** Views that lists and exports may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { accession, texts } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'
import { filing } from './tables.ts'

/**
 * An amendment repeats the whole form. So it replaces the portal's last registration before it, and the earlier
 * amendments of that registration.
 */
export const cfportalAmended = view(
  'pub.cfportal_amended',
  'One row per registration or amendment that later amendments amend, with these amendments',
  amendedColumns,
  amendsSame('filing', {
    same: `a.cik = r.cik and r.submission_type <> 'CFPORTAL-W' and not exists (select from filing o
      where o.cik = r.cik and o.submission_type <> 'CFPORTAL/A' and o.accession <> r.accession
        and (o.filed_date, o.accession) > (r.filed_date, r.accession) and o.filed_date <= a.filed_date)`,
    amends: (filing) => `${filing}.submission_type = 'CFPORTAL/A'`,
  }),
)

const { cik, name, website, city, state } = filing.columns

export const cfportalPortal = view(
  'pub.cfportal_portal',
  'One row per funding portal, from its newest filing',
  {
    ...{ cik, name, website, city, state },
    other_names: texts('Other names under which the portal does, or did, business; null if none is known').nullable(),
    accession: accession('Accession number of the portal’s newest filing'),
  },
  `
select f.cik, f.name, f.website, f.city, f.state,
  (select array_agg(distinct n.name) from name n join filing o using (accession)
    where o.cik = f.cik and n.name is not null) as other_names,
  f.accession
from (select distinct on (cik) * from filing order by cik, filed_date desc, accession desc) f`,
)

export const cfportalCode = codeView('pub.cfportal_code', {
  what: 'file_number',
  rows: 'select file_number as code, cik as owner, accession, filed_date from filing',
  owners: ['portal'],
})
