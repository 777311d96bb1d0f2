import { bulk, bulkDataset } from '../../core/dataset.ts'
import { series } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as tables from './tables.ts'

const PARSERS = [
  ...['parse', 'parse-disclosures', 'parse-figures', 'parse-filing', 'parse-firm', 'parse-fund', 'parse-member'],
  ...['parse-schedules', 'parse-values', 'parse-withdrawal'],
]

/** Form ADV and ADV-W: investment advisers from the daily feeds of firms and the monthly data files. */
export default bulkDataset({
  slug: 'adv',
  label: 'Form ADV',
  group: 'Investment advisers',
  source: bulk({ collection: 'adv', series }),
  tables,
  rollups,
  refresh,
  parser: PARSERS.map((name) => new URL(`${name}.ts`, import.meta.url)),
  views: new URL('views.sql', import.meta.url),
  routes: [],
})
