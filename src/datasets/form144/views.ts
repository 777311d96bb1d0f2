/** Views of Forms 144 that lists and exports may read. */
import { amendedColumns, amendsNamed } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'

/** An amendment names the accession of the amended filing: the first notice, or an amendment of it. */
export const form144Amended = view(
  'pub.form144_amended',
  'One row per notice that is amended, with its amendments',
  amendedColumns,
  amendsNamed('notice'),
)
