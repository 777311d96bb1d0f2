import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = ['D', 'D/A']

/** Form D: notices of offerings exempt under Regulation D, and their amendments. */
export default dataset({
  slug: 'formd',
  label: 'Form D',
  group: 'Fundraising',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  sets: quarterlySets,
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'offering',
    columns: ['entity_name', 'state', 'industry', 'total_offered', 'total_sold', 'first_sale'],
    facets: ['industry', 'state', 'total_offered', 'total_sold', 'first_sale', 'exemptions'],
  },
  routes: [routes.search, routes.detail],
})
