import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as views from './views.ts'

/** CUSIP, CIK, ticker, ISIN and LEI of a security: who says that they go together, since when, and how sure it is. */
export default product({
  slug: 'identifiers',
  label: 'Numbers of securities',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  routes,
})
