import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { series } from './parse.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as searchRollups from './rollups-search.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Form ADV and ADV-W: investment advisers from the daily feeds of firms and the monthly data files. */
export default bulkDataset({
  slug: 'adv',
  label: 'Form ADV',
  group: 'Investment advisers',
  source: bulk({ collection: 'adv', series }),
  tables,
  main: 'adviser',
  rollups: { ...rollups, ...searchRollups },
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  parser: new URL('parse.ts', import.meta.url),
  views,
  routes,
})
