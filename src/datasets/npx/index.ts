import { dataset } from '../../declare/dataset.ts'
import * as routes from './routes.ts'
import { submissions } from './sources.ts'
import * as tables from './tables.ts'
import * as views from './views.ts'

/**
 * Form N-PX: votes of funds, and since 2024 of managers, at meetings. Reports before July 2024 are text, and marked as
 * such.
 */
export default dataset({
  slug: 'npx',
  label: 'Proxy votes of funds and managers (N-PX)',
  group: 'Funds',
  source: submissions,
  tables,
  parser: new URL('filing.ts', import.meta.url),
  views,
  family: {
    table: 'report',
    columns: ['person_name', 'report_type', 'period', 'file_number', 'votes', 'amendment_type', 'source'],
    facets: ['report_type', 'period', 'votes', 'source', 'is_amendment', 'amendment_type'],
  },
  routes,
})
