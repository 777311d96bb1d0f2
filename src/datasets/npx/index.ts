import { dataset, filings } from '../../declare/dataset.ts'
import { stream, xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

const FORMS = ['N-PX', 'N-PX/A']

/**
 * Form N-PX: votes of funds, and since 2024 of managers, at meetings. Reports before July 2024 are text; their rows are
 * marked as text.
 */
export default dataset({
  slug: 'npx',
  label: 'Proxy votes of funds and managers (N-PX)',
  group: 'Funds',
  source: filings({
    forms: FORMS,
    documents: {
      cover: xml({ name: 'primary_doc.xml', type: FORMS, optional: true }),
      // Since July 2024, a table of votes of any size.
      table: stream({ type: 'PROXY VOTING RECORD', optional: true }),
    },
    parse,
  }),
  tables,
  parser: new URL('filing.ts', import.meta.url),
  views,
  family: {
    table: 'report',
    columns: ['person_name', 'report_type', 'period', 'file_number', 'vote_count', 'amendment_type', 'source'],
    facets: ['report_type', 'period', 'vote_count', 'source', 'is_amendment', 'amendment_type'],
  },
  routes,
})
