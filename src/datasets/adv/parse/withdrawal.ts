/** Turns Form ADV-W into rows. */

import type { Rows } from '../../../declare/table.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type * as tables from '../tables.ts'
import { fileOf, type Lines, member } from './member.ts'

export const withdrawalMembers = [
  member(fileOf('ADVW', ''), ['CRD Number', 'Filing Type', 'Filing Date'], withdrawalOf, { required: true }),
  ...['W1_5', 'W1_8', 'W2'].map((name) => member(fileOf(`ADVW_${name}`, ''), [], schedule(name))),
]

function* withdrawalOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  yield [
    'withdrawal',
    {
      filing_id: filingId,
      crd: line.crd('CRD Number'),
      sec_number: line.text('SEC File Number'),
      business_name: line.text('Primary Business Name'),
      legal_name: line.text('Full Legal Name'),
      form_type: line.text('Form Type'),
      status: line.text('Filing Type'),
      date: line.date('Filing Date'),
      is_business_ceased: line.flag('Business Ceased'),
      ceased_date: line.date('Date Ceased'),
      reasons: line.text('Reasons for Withdrawal'),
      details: line.all(),
    },
  ]
}

function schedule(name: string): Lines {
  return function* (line, filingId) {
    yield ['withdrawal_line', { filing_id: filingId, member: name, details: line.all() }]
  }
}
