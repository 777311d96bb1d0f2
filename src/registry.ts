/**
 * The slices. A new dataset is one line here; `catalog` refuses two slices that claim the same slug, form, path or
 * name.
 */
import { catalog } from './declare/catalog.ts'
import type { Dataset } from './declare/dataset.ts'
import { withLinks } from './declare/links.ts'
import type { Product } from './declare/product.ts'
import type { Route } from './declare/route.ts'
import { withSuggestions } from './declare/suggestions.ts'
import families from './families.ts'

const datasets = await Promise.all([
  import('./datasets/formd/index.ts'),
  import('./datasets/rega/index.ts'),
  import('./datasets/crowdfunding/index.ts'),
  import('./datasets/cfportal/index.ts'),
  import('./datasets/x17a5/index.ts'),
  import('./datasets/thirteenf/index.ts'),
  import('./datasets/schedule13/index.ts'),
  import('./datasets/ownership/index.ts'),
  import('./datasets/form144/index.ts'),
  import('./datasets/form25/index.ts'),
  import('./datasets/npx/index.ts'),
  import('./datasets/ncen/index.ts'),
  import('./datasets/nmfp/index.ts'),
  import('./datasets/nport/index.ts'),
  import('./datasets/adv/index.ts'),
  import('./datasets/reps/index.ts'),
  import('./datasets/brochures/index.ts'),
  import('./datasets/companies/index.ts'),
  import('./datasets/facts/index.ts'),
  import('./datasets/eightk/index.ts'),
  import('./datasets/offerings/index.ts'),
  import('./datasets/fundreg/index.ts'),
  import('./datasets/proxies/index.ts'),
  import('./datasets/documents/index.ts'),
])

const products = await Promise.all([
  import('./products/me/index.ts'),
  import('./products/filings/index.ts'),
  import('./products/status/index.ts'),
  import('./products/docs/index.ts'),
  import('./products/feed/index.ts'),
  import('./products/events/index.ts'),
  import('./products/textsearch/index.ts'),
  import('./products/newadvisers/index.ts'),
  import('./products/similaradvisers/index.ts'),
  import('./products/links/index.ts'),
  import('./products/identifiers/index.ts'),
  import('./products/securities/index.ts'),
  import('./products/search/index.ts'),
])

const slices = <T>(modules: { default: T }[]): T[] => modules.map((module) => module.default)

export default withSuggestions(
  withLinks(catalog(slices<Dataset>(datasets), slices<Product | readonly Route[]>(products), families)),
)
