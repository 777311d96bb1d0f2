import { dataset, filings, type ParsedRow } from '../../declare/dataset.ts'
import type { EveryPart } from '../../declare/documents.ts'
import { READERS } from '../../read/readable.ts'
import { CATEGORY_OF } from './forms.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'

/** Loaded when it is needed: a process that reads other forms has its memory for them (test/thirteenf-memory.test.ts). */
async function* parseEvery(filing: EveryPart): AsyncGenerator<ParsedRow> {
  const { readStatement } = await import('./filing.ts')
  yield* readStatement(filing)
}

/** Proxy and information statements: who asks whose holders for what, and when. */
export default dataset({
  slug: 'proxies',
  label: 'Proxy and information statements (14A, 14C)',
  group: 'Proxies and takeovers',
  source: filings({ forms: Object.keys(CATEGORY_OF), parseEvery }),
  tables,
  parser: [new URL('filing.ts', import.meta.url), new URL('pay.ts', import.meta.url), ...READERS],
  family: {
    table: 'statement',
    columns: ['category', 'meeting_date', 'meeting_kind', 'record_date', 'proposals', 'filed_by_name'],
    facets: ['category', 'is_preliminary', 'meeting_date', 'meeting_kind', 'record_date', 'proposals'],
  },
  routes,
})
