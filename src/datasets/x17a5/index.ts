import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = ['X-17A-5', 'X-17A-5/A']

/** Form X-17A-5 Part III: covers of the audited annual reports of broker-dealers and swap dealers. */
export default dataset({
  slug: 'x17a5',
  label: 'Annual reports of broker-dealers (X-17A-5)',
  group: 'Broker-dealers and markets',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  tables,
  views,
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  parser: new URL('parse.ts', import.meta.url),
  family: {
    table: 'report',
    columns: ['broker_name', 'state', 'period_end', 'auditor', 'material_weakness'],
    facets: ['state', 'period_begin', 'period_end', 'auditor', 'material_weakness', 'registrant_types'],
  },
  routes,
})
