import { dataset, filings } from '../../declare/dataset.ts'
import { stream } from '../../declare/documents.ts'
import { parse } from './filing.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as declared from './tables/lines.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const { security, ...lines } = declared

/** Form N-PORT: holdings of registered funds at the end of a month, as far as the reports are public. */
export default dataset({
  slug: 'nport',
  label: 'Monthly portfolios of funds (N-PORT)',
  group: 'Funds',
  source: filings({
    forms: ['NPORT-P', 'NPORT-P/A'],
    documents: { portfolio: stream({ name: 'primary_doc.xml', type: /^NPORT-P/ }) },
    parse,
  }),
  sets: quarterlySets,
  tables: { ...tables, ...lines },
  dictionaries: { security },
  rollups,
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  parser: new URL('filing.ts', import.meta.url),
  views,
  family: {
    table: 'report',
    columns: ['fund_name', 'registrant_name', 'series_id', 'period', 'net_assets', 'holding_count'],
    facets: ['series_id', 'period', 'net_assets', 'holding_count', 'is_final'],
    listed: ['NPORT-EX', 'NPORT-EX/A', 'NPORT-NP', 'NPORT-NP/A'],
  },
  routes,
})
