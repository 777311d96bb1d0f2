import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'
import * as views from './views.ts'

/** CUSIP, CIK, ticker, ISIN and LEI of a security, with the source, age and confidence of each link. */
export default product({
  slug: 'identifiers',
  label: 'Numbers of securities',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  views,
  routes,
})
