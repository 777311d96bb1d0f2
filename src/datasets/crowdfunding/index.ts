import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = [
  ...['C', 'C/A', 'C-W', 'C/A-W', 'C-U', 'C-U/A', 'C-U-W'],
  ...['C-AR', 'C-AR/A', 'C-AR-W', 'C-AR/A-W', 'C-TR', 'C-TR/A', 'C-TR-W'],
]

/** Form C: offerings under Regulation Crowdfunding, their amendments, progress updates, annual reports and endings. */
export default dataset({
  slug: 'crowdfunding',
  label: 'Regulation Crowdfunding',
  group: 'Fundraising',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  sets: quarterlySets,
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'submission',
    columns: ['entity_name', 'state', 'intermediary_name', 'target_amount', 'maximum_amount', 'raised', 'deadline'],
    facets: [
      ...['state', 'security_type', 'intermediary_cik', 'target_amount', 'maximum_amount', 'raised', 'deadline'],
      'file_number',
    ],
  },
  routes: [routes.detail],
})
