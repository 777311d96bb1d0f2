import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { key, rows } from './parse.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Representatives of investment advisers: their present and former registrations, and arrivals at firms and departures
 * from them.
 */
export default bulkDataset({
  slug: 'reps',
  label: 'Representatives of investment advisers',
  group: 'Investment advisers',
  source: bulk({
    collection: 'adv',
    series: {
      IA_INDVL: {
        format: 'xml',
        kind: 'snapshot',
        tables: ['person', 'registration'],
        file: /^IA_INDVL_Feeds?_(\d\d)_(\d\d)_(\d{4})\.xml\.zip$/i,
        example: 'IA_INDVL_Feeds_07_23_2026.xml.zip',
        days: ([, month, day, year]) => ({ from: `${year}-${month}-${day}`, to: `${year}-${month}-${day}` }),
        record: 'Indvl',
        members: 20,
        // A real feed has some 440,000 people and 1.5 GB.
        most: { bytes: 8 * 1024 ** 3, records: 5_000_000 },
        key,
        rows,
      },
    },
  }),
  tables,
  main: 'person',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  parser: new URL('parse.ts', import.meta.url),
  views,
  routes,
})
