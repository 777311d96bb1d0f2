import { detailOf, facts, filings } from '../../serve/details.ts'
import { rowsOf } from '../../serve/lists.ts'
import { row } from './answers.ts'
import { removal } from './tables.ts'
import { form25Amended } from './views.ts'

export const rows = rowsOf({ of: removal, row, amended: form25Amended })

export const detail = detailOf(removal, 'Form25Detail', {
  filing: facts(removal, { id: 'Form25Removal', amended: form25Amended }),
  other_filings: filings(rows, {
    same: 'issuer_cik',
    says: 'Up to 200 other notices about the same issuer, newest first; only notices that were read',
  }),
})
