/** What other slices may read of Schedules 13D and 13G. */
import { view } from '../../declare/view.ts'
import { report, security } from './tables.ts'

const { submission_type, issuer_cik, issuer_name, title_of_class } = report.columns

/** A cover that names several CUSIPs does not say which of them its title means. */
export const schedule13Security = view(
  'pub.schedule13_security',
  'One row a CUSIP of a cover in XML, which names the issuer too; that of a text is named by EDGAR’s header alone',
  {
    accession: report.row.shape.accession,
    filed_date: report.row.shape.filed_date,
    submission_type,
    issuer_cik: issuer_cik.unwrap(),
    issuer_name,
    cusip: security.columns.cusip.unwrap(),
    title_of_class,
  },
  `
select r.accession, r.filed_date, r.submission_type, r.issuer_cik, r.issuer_name, s.cusip, r.title_of_class
from report r join security s using (accession)
where r.source = 'xml' and s.cusip_flag is null and s.cusip is not null and r.issuer_cik is not null`,
  { families: { schedule13: 'owners of more than 5% (Schedules 13D, 13G)' } },
)
