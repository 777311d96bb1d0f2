/** View of numbers that the search reads. */
import { codeView } from '../../products/search/views.ts'

export const offeringsCode = codeView(
  'pub.offerings_code',
  {
    what: 'file_number',
    rows: 'select unnest(file_numbers) as code, cik as owner, accession, filed_date from offering',
  },
  {
    what: 'file_number',
    rows: 'select registration_file_number as code, cik as owner, accession, filed_date from filing',
  },
)
