import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { FORMS } from './forms.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Form 144: sales that insiders propose. Notices before 2023-04-13 are paper, PDF or text; their rows are marked as
 * text.
 */
export default dataset({
  slug: 'form144',
  label: 'Proposed sales by insiders (144)',
  group: 'Ownership',
  source: filings({
    forms: FORMS,
    documents: { form: xml({ name: 'primary_doc.xml', type: FORMS, optional: true }) },
    parse,
  }),
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'notice',
    columns: ['issuer_name', 'issuer_cik', 'seller_name', 'seller_cik', 'notice_date', 'source'],
    facets: ['issuer_cik', 'seller_cik', 'notice_date', 'source', 'is_amendment'],
  },
  routes,
})
