import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

// Form 1-SA, 1-U and withdrawals have no XML document: they are the family `regaother`.
const FORMS = ['1-A', '1-A/A', '1-A POS', 'DOS', 'DOS/A', '1-K', '1-K/A', '1-Z', '1-Z/A']

/** Regulation A: offering statements with their amendments, annual reports and exit reports. */
export default dataset({
  slug: 'rega',
  label: 'Regulation A',
  group: 'Fundraising',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'submission',
    columns: ['entity_name', 'state', 'industry', 'tier', 'total_offered', 'raised', 'reporting_period'],
    facets: ['industry', 'state', 'tier', 'total_offered', 'raised', 'reporting_period', 'file_numbers'],
  },
  routes: [routes.detail],
})
