import { bulk, bulkDataset } from '../../declare/dataset.ts'
import { rows } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Figures that companies reported in XBRL, combined by year and quarter. */
export default bulkDataset({
  slug: 'facts',
  label: 'Company facts (XBRL)',
  group: 'Companies',
  source: bulk({
    collection: 'facts',
    series: {
      COMPANY_FACTS: {
        format: 'json',
        kind: 'update',
        tables: ['company', 'filing', 'fact'],
        file: /^(?:companyfacts|CIK\d{10})(?:_(?<day>\d{4}-\d\d-\d\d))?\.(?:zip|json)$/,
        example: 'CIK0000320193.json',
        record: /^CIK(?<key>\d{10})\.json$/,
        at: {
          all: '/Archives/edgar/daily-index/xbrl/companyfacts.zip',
          one: (cik) => `/api/xbrl/companyfacts/CIK${cik}.json`,
        },
        rows,
      },
    },
  }),
  tables,
  main: 'fact',
  parser: new URL('parse.ts', import.meta.url),
  views,
  routes,
})
