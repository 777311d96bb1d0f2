/** The spine as a file: a row for each filing and filer. It is not a dataset, so its columns are declared here. */
import { SPINE } from '../declare/catalog.ts'
import { accession, cik, count, date, text } from '../declare/table.ts'
import { between, type Offer } from './offer.ts'

export const SPINE_LABEL = 'All filings that EDGAR lists'

const columns = {
  accession: accession('SEC accession number of the filing'),
  form_type: text('Form type as EDGAR lists it: 10-K, D/A'),
  family: text('Family that claims the form; null if no family claims it').nullable(),
  filed_date: date('Date the SEC gives as the filing date'),
  cik: cik('CIK of the filer, the subject or another party under whom the filing is listed'),
  company_name: text('Name of the filer in the index'),
  filers: count('Number of filers that are listed with the filing; each has its own row'),
  period_of_report: date(
    'End of the period that the filing reports; null until its header or a file of the company was read',
  ).nullable(),
  path: text('Path of the submission below https://www.sec.gov/Archives/'),
}

export const spine: Offer = {
  family: SPINE,
  table: 'filing',
  id: 'edgar.filer',
  meaning: 'One row per filing and filer',
  columns,
  order: ['t.accession', 't.cik'],
  from: 'edgar.filer t join edgar.filing f on f.accession = t.accession join edgar.filer_name n on n.name_id = t.name_id',
  reads: ['edgar.filer', 'edgar.filing', 'edgar.filer_name'],
  within: (days) => between('t.filed_date', days),
  sqlOf: {
    form_type: 'f.form_type',
    family: 'f.family',
    company_name: 'n.name',
    filers: 'f.filer_count',
    period_of_report: 'f.period_of_report',
    path: 'f.path',
  },
  partition: null,
}
