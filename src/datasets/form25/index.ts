import { dataset, filings } from '../../declare/dataset.ts'
import { xml } from '../../declare/documents.ts'
import { FORMS } from './forms.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Form 25-NSE: classes of securities that an exchange removes from listing. An issuer's own Form 25 has no XML. */
export default dataset({
  slug: 'form25',
  label: 'Removals from listing by exchanges (25-NSE)',
  group: 'Offerings',
  source: filings({ forms: FORMS, documents: { form: xml({ name: 'primary_doc.xml', type: FORMS }) }, parse }),
  tables,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    table: 'removal',
    columns: ['issuer_name', 'issuer_cik', 'exchange_name', 'security_class', 'rule', 'signed'],
    facets: ['issuer_cik', 'exchange_cik', 'rule', 'signed', 'is_amendment'],
  },
  routes,
})
