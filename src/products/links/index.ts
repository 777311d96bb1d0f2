import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as views from './views.ts'

/** Links advisers to filers of EDGAR. The CIKs of these filers lead to the adviser's filings and funds. */
export default product({
  slug: 'links',
  label: 'Links of advisers',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  routes,
})
