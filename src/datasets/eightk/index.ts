import { dataset, filings, type ParsedRow } from '../../declare/dataset.ts'
import type { EveryPart } from '../../declare/documents.ts'
import { READERS } from '../../read/readable.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'

const FORMS = ['8-K', '8-K12B', '8-K12G3', '8-K15D5'].flatMap((form) => [form, `${form}/A`])

/** Loaded when it is needed: a process that reads other forms has its memory for them (test/thirteenf-memory.test.ts). */
async function* parseEvery(filing: EveryPart): AsyncGenerator<ParsedRow> {
  const { readCurrentReport } = await import('./filing.ts')
  yield* readCurrentReport(filing)
}

/** Current reports: what happened to a company, item by item. */
export default dataset({
  slug: 'eightk',
  label: 'Current reports (8-K)',
  group: 'Company reports',
  source: filings({ forms: FORMS, parseEvery }),
  tables,
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  family: {
    table: 'filing',
    columns: ['period', 'items', 'items_differ', 'officers', 'facts'],
    facets: ['items_differ', 'officers'],
    items: 'item',
  },
  routes,
})
