import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { series } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as searchRollups from './rollups-search.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'

const PARSERS = [
  ...['parse', 'parse-disclosures', 'parse-figures', 'parse-filing', 'parse-firm', 'parse-fund', 'parse-member'],
  ...['parse-schedules', 'parse-values', 'parse-web', 'parse-withdrawal'],
]

/** What the rollups are made by. */
const REFRESHED = [
  ...[
    'place',
    'queries-former',
    'queries-link',
    'queries-merge',
    'queries-names',
    'queries-refresh',
    'queries-search-refresh',
  ],
  ...['queries-sources', 'similar', 'similar-lists', 'similar-refresh'],
]

/** Form ADV and ADV-W: investment advisers from the daily feeds of firms and the monthly data files. */
export default bulkDataset({
  slug: 'adv',
  label: 'Form ADV',
  group: 'Investment advisers',
  source: bulk({ collection: 'adv', series }),
  tables,
  rollups: { ...rollups, ...searchRollups },
  refresh,
  refreshed: REFRESHED.map((name) => new URL(`${name}.ts`, import.meta.url)),
  parser: PARSERS.map((name) => new URL(`${name}.ts`, import.meta.url)),
  views: new URL('views.sql', import.meta.url),
  routes,
})
