import { READABLE } from '../../declare/corpora.ts'
import { dataset, filings } from '../../declare/dataset.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Documents of filings as text, with their sections and passages. It claims no family: other slices read the same filings. */
export default dataset({
  slug: 'documents',
  label: 'Documents as text',
  group: 'Documents',
  source: filings({ families: READABLE, parseEvery: parse }),
  tables,
  main: 'filing',
  views,
  parser: new URL('parse.ts', import.meta.url),
  routes,
})
