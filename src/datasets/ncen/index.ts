import { dataset, filings } from '../../declare/dataset.ts'
import { stream } from '../../declare/documents.ts'
import { parse } from './filing.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as funds from './tables/fund.ts'
import * as providers from './tables/provider.ts'
import * as rest from './tables/rest.ts'
import * as registrant from './tables.ts'
import * as views from './views.ts'

/** Form N-CEN: the yearly census of registered funds, with their advisers and service providers. */
export default dataset({
  slug: 'ncen',
  label: 'Annual census of funds (N-CEN)',
  group: 'Funds',
  source: filings({ forms: ['N-CEN', 'N-CEN/A'], documents: { form: stream({ name: 'primary_doc.xml' }) }, parse }),
  sets: quarterlySets,
  tables: { ...registrant, ...funds, ...rest, ...providers },
  rollups,
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  views,
  parser: new URL('filing.ts', import.meta.url),
  family: {
    table: 'report',
    columns: ['registrant_name', 'period', 'classification', 'file_number', 'family_name', 'is_last_filing'],
    facets: ['classification', 'state', 'period', 'is_last_filing'],
  },
  routes,
})
