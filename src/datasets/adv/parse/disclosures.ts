/** Turns disclosure reporting pages into rows. */
import type { CsvRow } from '../../../read/csv.ts'
import { fileOf, type Lines, member, REFERENCE_ID } from './member.ts'
import type { Row } from './values.ts'

type Disclosure = Row<'disclosure'>

export const disclosureMembers = [
  member(fileOf('DRP_Criminal'), [], page('criminal', 'Date First Charged', 'Disposition')),
  member(fileOf('DRP_Regulatory'), ['Status'], page('regulatory', 'Date Initiated', 'Resolution')),
  member(fileOf('DRP_Civil_Judicial'), ['Status'], page('civil_judicial', 'Filing Date', 'Resolution Type')),
  member(
    fileOf('DRP_Advisory_Affiliates'),
    ['ReferenceID', 'Disclosure Type', 'Affiliate Name'],
    disclosure('affiliate', (line) => ({
      type: line.text('Disclosure Type'),
      crd: line.crd('CRD Number'),
      affiliate_type: line.text('Affiliate Type'),
      affiliate_name: line.text('Affiliate Name'),
      is_registered: line.flag('Registered'),
    })),
  ),
]

function page(kind: string, initiated: string, resolution: string): Lines {
  return disclosure(kind, (line) => ({
    filed_against: line.text('Filed Against'),
    initiated_by: line.text('Initiated By'),
    initiated_date: line.date(initiated),
    status: line.text('Status'),
    resolution: line.text(resolution),
    resolution_date: line.date('Resolution Date'),
    amount: line.money('Monetary Amount'),
  }))
}

function disclosure(kind: string, own: (line: CsvRow) => Partial<Disclosure>): Lines {
  return function* (line, filingId) {
    yield [
      'disclosure',
      {
        filing_id: filingId,
        reference_id: line.text(...REFERENCE_ID),
        kind,
        type: null,
        crd: null,
        affiliate_type: null,
        affiliate_name: null,
        is_registered: null,
        filed_against: null,
        initiated_by: null,
        initiated_date: null,
        status: null,
        resolution: null,
        resolution_date: null,
        amount: null,
        ...own(line),
        details: line.all(),
      },
    ]
  }
}
