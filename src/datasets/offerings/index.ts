import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { isMainText, READERS } from '../../read/readable.ts'
import { parse } from './filing.ts'
import { KIND_OF, LISTED } from './forms.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Offerings to the public: registration statements, prospectuses, and the notices by which offerings become effective,
 * listed or withdrawn.
 */
export default dataset({
  slug: 'offerings',
  label: 'Offerings to the public (S-1, F-1, S-11, 424B, EFFECT, 8-A)',
  group: 'Offerings',
  source: filings({ forms: Object.keys(KIND_OF), documents: { texts: lazy(isMainText) }, parse }),
  tables,
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  family: {
    table: 'filing',
    columns: ['kind', 'security', 'shares', 'price', 'price_low', 'price_high', 'gross', 'exchanges', 'tickers'],
    facets: ['kind', 'shares', 'price', 'gross', 'says_spac'],
    listed: LISTED,
  },
  routes,
})
