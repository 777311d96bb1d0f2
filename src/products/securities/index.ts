import { product } from '../../declare/product.ts'
import { corrections } from './aliases.ts'
import { refresh } from './queries/refresh.ts'
import * as rollups from './rollups.ts'
import * as issuers from './rollups-issuer.ts'
import * as routes from './routes.ts'
import * as prices from './routes-price.ts'
import * as views from './views.ts'

/**
 * Securities, public and private, with their holders: managers (13F), funds (N-PORT) and money market funds (N-MFP).
 */
export default product({
  slug: 'securities',
  label: 'Securities',
  rollups: { ...rollups, ...issuers },
  refresh,
  refreshed: new URL('queries/refresh.ts', import.meta.url),
  corrections,
  views,
  routes: { ...routes, ...prices },
})
