import { product } from '../../declare/product.ts'
import { refresh } from './queries-refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'

/** One search for everything that has a name or a number. */
export default product({
  slug: 'search',
  label: 'Search',
  rollups,
  refresh,
  refreshed: new URL('queries-refresh.ts', import.meta.url),
  routes,
})
