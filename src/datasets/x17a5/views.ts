/** Views that lists and exports may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'

export const x17a5Amended = view(
  'pub.x17a5_amended',
  'One row a report that is amended, with the amendments about the same period',
  amendedColumns,
  amendsSame('report', {
    same: 'a.cik = r.cik and a.period_end = r.period_end',
    amends: (filing) => `${filing}.submission_type = 'X-17A-5/A'`,
  }),
)
