/** Views that lists and exports may read. */
import { amendedColumns, amendsSame } from '../../declare/amended.ts'
import { view } from '../../declare/view.ts'
import { broker } from './rollups.ts'
import { report } from './tables.ts'

export const x17a5Amended = view(
  'pub.x17a5_amended',
  'One row per report that was amended, with the amendments about the same period',
  amendedColumns,
  amendsSame('report', {
    same: 'a.cik = r.cik and a.period_end = r.period_end',
    amends: (filing) => `${filing}.submission_type = 'X-17A-5/A'`,
  }),
)

export const x17a5Broker = view(
  'pub.x17a5_broker',
  'One row per broker-dealer or swap dealer, with name and address from its newest report',
  {
    ...{ cik: broker.columns.cik, name: report.columns.broker_name, city: report.columns.city },
    ...{ state: broker.columns.state, file_number: broker.columns.file_number },
  },
  `
select b.cik, r.broker_name as name, r.city, b.state, b.file_number
from broker b join report r using (accession)`,
)
