import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as views from './views.ts'

/** An adviser elsewhere in EDGAR: the filers that it is linked to, and its filings and funds by their CIKs. */
export default product({
  slug: 'links',
  label: 'Links of advisers',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  routes,
})
