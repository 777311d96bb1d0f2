import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { FORMS } from './forms.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Forms 3, 4 and 5: holdings and trades of a company's insiders. Forms before 2003-06-30 are text; their rows are
 * marked as text.
 */
export default dataset({
  slug: 'ownership',
  label: 'Insider holdings and transactions (3, 4, 5)',
  group: 'Ownership',
  // The document may have any file name: form4.xml, doc4.xml, edgar.xml.
  source: filings({ forms: FORMS, documents: { form: xml({ type: FORMS, optional: true }) }, parse }),
  sets: quarterlySets,
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'report',
    columns: ['issuer_name', 'issuer_cik', 'ticker', 'owner_name', 'owner_ciks', 'period', 'source', 'plan_10b5_1'],
    facets: ['issuer_cik', 'ticker', 'owner_ciks', 'period', 'source', 'is_amendment', 'plan_10b5_1'],
  },
  routes,
})
