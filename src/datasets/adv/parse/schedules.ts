/** Turns lines of Schedules A, B, D and R into rows. */

import type { Rows } from '../../../declare/table.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type * as tables from '../tables.ts'
import { fileOf, type Lines, member, REFERENCE_ID } from './member.ts'
import type { Row } from './values.ts'
import { isSocialMedia } from './web.ts'

function* ownerOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  yield [
    'owner',
    {
      filing_id: filingId,
      schedule: line.text('Schedule'),
      name: line.text('Full Legal Name'),
      entity_type: line.text('DE/FE/I'),
      entity_in_which: line.text('Entity in Which'),
      title: line.text('Title or Status'),
      since: line.text('Status Acquired'),
      ownership_code: line.text('Ownership Code'),
      is_control_person: line.flag('Control Person'),
      is_public_reporting: line.flag('PR'),
      owner_id: line.text('OwnerID'),
      has_indirect_owners: line.flag('SchA-3'),
    },
  ]
}

function* branchOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  yield [
    'branch',
    {
      filing_id: filingId,
      street1: line.text('Street 1'),
      street2: line.text('Street 2'),
      city: line.text('City'),
      state: line.text('State'),
      country: line.text('Country'),
      postal_code: line.text('Postal Code'),
      is_private_residence: line.flag('Private Residence'),
      phone: line.text('Telephone Number'),
      fax: line.text('Facsimile Number'),
      branch_number: line.text('Branch Number'),
      employees: line.count('Employees'),
      broker_dealer: line.flag('BD'),
      bank: line.flag('Bank'),
      insurance: line.flag('Insurance'),
      commodity: line.flag('Commodity'),
      municipal: line.flag('Municipal'),
      accounting: line.flag('Accounting'),
      law: line.flag('Law'),
      other: line.text('Other'),
    },
  ]
}

/**
 * Reads a part of Section 5.K. Only 5.K(3) has a custodian on each line; the other parts have percentages and amounts
 * by type.
 */
function sma(part: '5K1' | '5K2' | '5K3'): Lines {
  return function* (line, filingId) {
    yield [
      'sma',
      {
        filing_id: filingId,
        part,
        custodian_name: line.text('5K(3)(a)'),
        business_name: line.text('5K(3)(b)'),
        city: line.text('5K(3)(c) City'),
        state: line.text('5K(3)(c) State'),
        country: line.text('5K(3)(c) Country'),
        is_related: line.flag('5K(3)(d)'),
        sec_number: line.text('5K(3)(e)'),
        lei: line.text('5K(3)(f)'),
        raum: line.money('5K(3)(g)'),
        details: line.all(),
      },
    ]
  }
}

type Related = Row<'related'>

function* related(
  line: CsvRow,
  filingId: string,
  kind: string,
  found: Partial<Related>,
): Generator<readonly ['related', Related]> {
  yield [
    'related',
    {
      filing_id: filingId,
      kind,
      reference_id: null,
      name: null,
      business_name: null,
      crd: null,
      sec_number: null,
      cik: null,
      is_social_media: null,
      ...found,
      details: line.all(),
    },
  ]
}

const otherName: Lines = (line, filingId) =>
  related(line, filingId, 'other_name', { name: line.text('Other Business Name') })

const webAddress: Lines = (line, filingId) => {
  const address = line.text('Website')
  return related(line, filingId, 'web', {
    name: address,
    is_social_media: address === null ? null : isSocialMedia(address),
  })
}

const cikLine: Lines = (line, filingId) =>
  related(line, filingId, 'cik', {
    cik: line.cik('CIK'),
  })

const otherCrd: Lines = (line, filingId) => related(line, filingId, 'other_crd', { crd: line.crd('CRDNumber') })

const relatedPerson: Lines = (line, filingId) =>
  related(line, filingId, 'related_person', {
    reference_id: line.text(...REFERENCE_ID),
    name: line.text('Legal Name'),
    business_name: line.text('Business Name'),
    crd: line.crd('CRD Number'),
    sec_number: line.text('SEC Number or Other', 'SEC Number'),
  })

const relyingAdviser: Lines = (line, filingId) =>
  related(line, filingId, 'relying_adviser', {
    reference_id: line.text(...REFERENCE_ID),
    name: line.text('Relying Advisor Legal Name'),
    business_name: line.text('Relying Advisor Business Name'),
    crd: line.crd('Relying Advisor CRD Number'),
  })

export const scheduleMembers = [
  member(fileOf('Schedule_A_B'), ['Schedule', 'Full Legal Name', 'DE/FE/I', 'Ownership Code', 'OwnerID'], ownerOf),
  member(fileOf('Schedule_D_1F'), ['City', 'State', 'Country'], branchOf),
  member(fileOf('Schedule_D_5K1'), [], sma('5K1')),
  member(fileOf('Schedule_D_5K2'), [], sma('5K2')),
  member(fileOf('Schedule_D_5K3'), ['5K(3)(a)', '5K(3)(g)'], sma('5K3')),
  member(fileOf('Schedule_D_1B'), ['Other Business Name'], otherName),
  member(fileOf('Schedule_D_1I'), ['Website'], webAddress),
  member(fileOf('1D3_CIK'), ['CIK'], cikLine),
  member(fileOf('1E2_Additional_CRD'), ['CRDNumber'], otherCrd),
  member(fileOf('Schedule_D_7A'), ['ReferenceID', 'Legal Name'], relatedPerson),
  member(fileOf('Firm_Download_SCH_R'), ['Relying Advisor Legal Name', 'Relying Advisor CRD Number'], relyingAdviser),
]
