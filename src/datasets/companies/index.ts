import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { series } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Companies and other filers, from EDGAR's JSON files, the lists of tickers and EDGAR's indexes. */
export default bulkDataset({
  slug: 'companies',
  label: 'Companies',
  group: 'Companies',
  source: bulk({ collection: 'companies', series }),
  tables,
  main: 'company',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  parser: new URL('parse.ts', import.meta.url),
  views,
  routes,
})
