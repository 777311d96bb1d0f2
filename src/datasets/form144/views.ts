/** Views of Forms 144 that lists and exports may read. */
import { amendedColumns, amendsNamed } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'

/** An amendment names the accession of the amended filing: the first notice, or an amendment of it. */
export const form144Amended = view(
  'pub.form144_amended',
  'One row per notice that is amended, with its amendments',
  amendedColumns,
  amendsNamed('notice'),
)

export const form144Code = codeView('pub.form144_code', {
  what: 'file_number',
  rows: 'select issuer_file_number as code, issuer_cik as owner, accession, filed_date from notice',
})
