import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { isMainText, READERS } from '../../read/readable.ts'
import { parse } from './filing.ts'
import { CATEGORY_OF } from './forms.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'

/** Proxy and information statements: the party that asks the holders of a company, the proposals, and the days. */
export default dataset({
  slug: 'proxies',
  label: 'Proxy and information statements (14A, 14C)',
  group: 'Proxies and takeovers',
  source: filings({ forms: Object.keys(CATEGORY_OF), documents: { texts: lazy(isMainText) }, parse }),
  tables,
  parser: [new URL('filing.ts', import.meta.url), new URL('pay.ts', import.meta.url), ...READERS],
  family: {
    table: 'statement',
    columns: ['category', 'meeting_date', 'meeting_kind', 'record_date', 'proposal_count', 'filed_by_name'],
    facets: ['category', 'is_preliminary', 'meeting_date', 'meeting_kind', 'record_date', 'proposal_count'],
  },
  routes,
})
