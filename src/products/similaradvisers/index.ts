import { product } from '../../declare/product.ts'
import { refresh } from './refresh.ts'
import * as rollups from './rollups.ts'
import * as routes from './routes.ts'

/** The advisers most similar to each adviser, by Form ADV. */
export default product({
  slug: 'similaradvisers',
  label: 'Similar advisers',
  rollups,
  refresh,
  refreshed: new URL('refresh.ts', import.meta.url),
  routes,
})
