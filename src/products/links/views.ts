/** Views that other slices may read: links between advisers and filers of EDGAR. */
import { view } from '../../declare/view.ts'
import { link } from './rollups.ts'

export const linksLink = view(
  'pub.links_link',
  'One row per adviser, filer of EDGAR that is or may be the same firm, and method that links them',
  link.columns,
  `
select crd, cik, method, confidence, basis from link`,
)
