import { dataset, filings } from '../../declare/dataset.ts'
import { lazy } from '../../declare/documents.ts'
import { READERS } from '../../read/readable.ts'
import { isRead, parse } from './filing.ts'
import { FORMS } from './forms.ts'
import * as routes from './routes.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/** Schedules 13D and 13G: owners of more than 5% of a class of equity, in XML since 2024-12-18 and in text before. */
export default dataset({
  slug: 'schedule13',
  label: 'Beneficial ownership above 5% (Schedules 13D, 13G)',
  group: 'Ownership',
  source: filings({ forms: FORMS, documents: { files: lazy(isRead) }, parse }),
  tables,
  parser: [new URL('filing.ts', import.meta.url), ...READERS],
  views,
  family: {
    table: 'report',
    columns: ['issuer_name', 'issuer_cik', 'cusip', 'title_of_class', 'event_date', 'shares', 'percent', 'source'],
    facets: ['issuer_cik', 'cusip', 'event_date', 'percent', 'source'],
  },
  routes,
})
