/** Views of current reports that analysts may read. */
import { accession, cik, date, text } from '../../declare/table.ts'
import { view } from '../../declare/view.ts'
import { officer } from './tables.ts'

const { n, name, title, event, event_date, effective_date, sentence } = officer.columns

/** Conditions on cik and accession use the indexes of both tables. */
export const officerEvent = view(
  'pub.eightk_officer_event',
  'One row per appointment, departure or compensation of an officer or director (item 5.02). Filter by cik or accession, which are indexed; cik joins edgar.filer and companies.company',
  {
    accession: accession('Accession number of the current report; joins edgar.filing'),
    n,
    filed_date: date('Date the SEC gives as the filing date of the report'),
    cik: cik('CIK of the company; joins companies.company').nullable(),
    company_name: text('Name of the company').nullable(),
    ...{ person_name: name, title, event, event_date, effective_date, sentence },
  },
  `
select o.accession, o.n, f.filed_date, f.cik, f.company_name, o.name as person_name, o.title, o.event, o.event_date,
  o.effective_date, o.sentence
from officer o join filing f using (accession)`,
)
