import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { READERS } from '../../read/readable.ts'
import { isRead, parse } from './filing.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = ['8-K', '8-K12B', '8-K12G3', '8-K15D5'].flatMap((form) => [form, `${form}/A`])

/** Current reports: events of a company, item by item. */
export default dataset({
  slug: 'eightk',
  label: 'Current reports (8-K)',
  group: 'Company reports',
  source: filings({ forms: FORMS, documents: { texts: lazy(isRead) }, parse }),
  tables,
  views,
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  family: {
    table: 'filing',
    columns: ['period', 'items', 'items_differ', 'officers', 'facts'],
    facets: ['items_differ', 'officers'],
    items: 'item',
  },
  routes,
})
