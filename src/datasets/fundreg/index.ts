import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { isMainText, READERS } from '../../read/readable.ts'
import { parse } from './filing.ts'
import { KIND_OF } from './forms.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Registration statements and summary prospectuses of funds, and the launches that they announce. */
export default dataset({
  slug: 'fundreg',
  label: 'Fund registration statements and summary prospectuses (N-1A, N-2, 485, 497K)',
  group: 'Funds',
  source: filings({ forms: Object.keys(KIND_OF), documents: { texts: lazy(isMainText) }, parse }),
  tables,
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  parser: [new URL('filing.ts', import.meta.url), new URL('prospectus.ts', import.meta.url), ...READERS],
  views,
  family: {
    table: 'filing',
    columns: ['kind', 'trust_name', 'series_count', 'new_series_count', 'effective_date', 'has_fees'],
    facets: ['kind', 'new_series_count', 'effective_date', 'has_fees'],
  },
  routes,
})
