import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { parse } from './parse.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import { monthlySets } from './sets.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Form N-MFP: monthly reports of money market funds with their portfolios, in four generations since 2010. */
export default dataset({
  slug: 'nmfp',
  label: 'Money market funds (N-MFP)',
  group: 'Funds',
  source: filings({
    forms: ['N-MFP', 'N-MFP/A', 'N-MFP1', 'N-MFP1/A', 'N-MFP2', 'N-MFP2/A', 'N-MFP3', 'N-MFP3/A'],
    documents: { form: xml({ name: 'primary_doc.xml', type: /^N-MFP/ }) },
    parse,
  }),
  sets: monthlySets,
  tables,
  rollups,
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'report',
    columns: ['fund_name', 'registrant_name', 'period', 'category', 'net_assets', 'seven_day_gross_yield'],
    facets: ['period', 'category', 'net_assets', 'seven_day_gross_yield', 'generation', 'is_amendment'],
  },
  routes,
})
