import { dataset, filings } from '../../declare/dataset.ts'
import { stream, text, xml } from '../../declare/documents.ts'
import { parse } from './filing.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import { quarterlySets } from './sets.ts'
import * as declared from './tables.ts'
import * as views from './views.ts'

const { security, ...tables } = declared

/**
 * Form 13F: quarterly holdings of institutional managers, notices of managers whose holdings others report, and
 * requests for confidential treatment.
 */
export default dataset({
  slug: 'thirteenf',
  label: 'Holdings of institutional managers (13F)',
  group: 'Ownership',
  source: filings({
    forms: ['13F-HR', '13F-HR/A', '13F-NT', '13F-NT/A', '13F-CTR', '13F-CTR/A'],
    documents: {
      cover: xml({ name: 'primary_doc.xml', type: /^13F-/, optional: true }),
      table: stream({ type: 'INFORMATION TABLE', optional: true }),
      old: text({ type: /^13F-/, optional: true }),
    },
    parse,
  }),
  sets: quarterlySets,
  tables,
  dictionaries: { security },
  rollups,
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  parser: new URL('filing.ts', import.meta.url),
  family: {
    table: 'report',
    columns: ['manager_name', 'period', 'report_type', 'amendment_type', 'value', 'position_count'],
    facets: ['state', 'period', 'report_type', 'amendment_type', 'value', 'position_count'],
  },
  views,
  routes,
})
