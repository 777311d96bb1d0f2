import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = ['CFPORTAL', 'CFPORTAL/A', 'CFPORTAL-W']

/** Form Funding Portal: registrations of crowdfunding intermediaries, their amendments and withdrawals. */
export default dataset({
  slug: 'cfportal',
  label: 'Funding portals',
  group: 'Fundraising',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  tables,
  views,
  parser: new URL('parse.ts', import.meta.url),
  family: {
    table: 'filing',
    columns: ['name', 'website', 'city', 'state', 'legal_status', 'amendment_explanation'],
    facets: ['name', 'state', 'jurisdiction', 'legal_status', 'organized', 'is_successor', 'yes_items'],
  },
  routes: [routes.portals, routes.detail],
})
