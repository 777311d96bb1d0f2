/** View of numbers that the search reads. */
import { view } from '../../declare/view.ts'
import { codeColumns, codesOf } from '../../products/search/views.ts'

export const offeringsCode = view(
  'pub.offerings_code',
  'One row per number that filings state, and thing that the number leads to, for the search',
  codeColumns,
  codesOf(
    {
      what: 'file_number',
      rows: 'select unnest(file_numbers) as code, cik as owner, accession, filed_date from offering',
    },
    {
      what: 'file_number',
      rows: 'select registration_file_number as code, cik as owner, accession, filed_date from filing',
    },
  ),
)
