/** View of Forms 25-NSE that lists and exports may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { codeView } from '../../products/search/views.ts'

/** An amendment restates the notice and names no accession. */
export const form25Amended = view(
  'pub.form25_amended',
  'One row per notice that is amended, with the amendments by the same exchange about the same class of securities',
  amendedColumns,
  amendsSame('removal', {
    same: 'a.exchange_cik = r.exchange_cik and a.issuer_cik = r.issuer_cik and a.security_class = r.security_class',
    amends: (filing) => `${filing}.is_amendment`,
  }),
)

export const form25Code = codeView('pub.form25_code', {
  what: 'file_number',
  rows: 'select issuer_file_number as code, issuer_cik as owner, accession, filed_date from removal',
})
