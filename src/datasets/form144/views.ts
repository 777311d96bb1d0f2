/** Views of Forms 144 that lists and exports may read. */
import { amendedColumns, amendsNamed } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { codeColumns, codesOf } from '../../products/search/views.ts'

/** An amendment names the accession of the amended filing: the first notice, or an amendment of it. */
export const form144Amended = view(
  'pub.form144_amended',
  'One row per notice that is amended, with its amendments',
  amendedColumns,
  amendsNamed('notice'),
)

export const form144Code = view(
  'pub.form144_code',
  'One row per number that filings state, and thing that the number leads to, for the search',
  codeColumns,
  codesOf({
    what: 'file_number',
    rows: 'select issuer_file_number as code, issuer_cik as owner, accession, filed_date from notice',
  }),
)
