import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as views from './views.ts'

/** Links of advisers to filers of EDGAR, and to an adviser's filings and funds by the CIKs of these filers. */
export default product({
  slug: 'links',
  label: 'Links of advisers',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  routes,
})
