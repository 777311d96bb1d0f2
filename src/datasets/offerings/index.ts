import { dataset, filings, type ParsedRow } from '../../declare/dataset.ts'
import type { EveryPart } from '../../declare/documents.ts'
import { READERS } from '../../read/readable.ts'
import { KIND_OF, LISTED } from './forms.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'

/** Loaded when it is needed: a process that reads other forms has its memory for them (test/thirteenf-memory.test.ts). */
async function* parseEvery(filing: EveryPart): AsyncGenerator<ParsedRow> {
  const { readOffering } = await import('./filing.ts')
  yield* readOffering(filing)
}

/** Offerings to the public: registration statements, prospectuses, and what makes them effective, listed or withdrawn. */
export default dataset({
  slug: 'offerings',
  label: 'Offerings to the public (S-1, F-1, S-11, 424B, EFFECT, 8-A)',
  group: 'Offerings',
  source: filings({ forms: Object.keys(KIND_OF), parseEvery }),
  tables,
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  family: {
    table: 'filing',
    columns: ['kind', 'security', 'shares', 'price', 'price_low', 'price_high', 'gross', 'exchanges', 'tickers'],
    facets: ['kind', 'shares', 'price', 'gross', 'says_spac'],
    listed: LISTED,
  },
  routes,
})
