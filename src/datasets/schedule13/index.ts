import { dataset, filings } from '../../declare/dataset.ts'
import { parse } from './parse.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Schedules 13D and 13G: owners of more than 5% of a class of equity. Those before 2024-12-18 are text, and not read. */
export default dataset({
  slug: 'schedule13',
  label: 'Beneficial ownership above 5% (Schedules 13D, 13G)',
  group: 'Ownership',
  source: filings({
    forms: ['SCHEDULE 13D', 'SCHEDULE 13D/A', 'SCHEDULE 13G', 'SCHEDULE 13G/A'],
    document: 'primary_doc.xml',
  }),
  tables,
  parse,
  parser: new URL('parse.ts', import.meta.url),
  views,
  family: {
    listed: ['SC 13D', 'SC 13D/A', 'SC 13G', 'SC 13G/A'],
    table: 'report',
    columns: ['issuer_name', 'issuer_cik', 'cusip', 'title_of_class', 'event_date', 'shares', 'percent'],
    facets: ['issuer_cik', 'cusip', 'event_date', 'percent'],
  },
  routes,
})
