/** Turns lines of Schedule D, Section 7.B, into rows: funds and their service providers. */

import type { Rows } from '../../../declare/table.ts'
import type { CsvRow } from '../../../read/csv.ts'
import type * as tables from '../tables.ts'
import { fileOf, type Lines, member, REFERENCE_ID } from './member.ts'
import type { Row } from './values.ts'

type Provider = Row<'fund_provider'>

/**
 * The columns that only some kinds of provider have, all null. For each kind, a function below fills the columns that
 * this kind has. The other columns of a provider, such as its name and location, apply to all kinds.
 */
const NOTHING = { business_name: null, crd: null, sec_number: null, lei: null, is_related: null }

export const fundMembers = [
  member(fileOf('Schedule_D_7B1'), ['Fund Name', 'Fund ID', 'ReferenceID', 'Fund Type', 'Gross Asset Value'], fundOf),
  member(fileOf('Schedule_D_7B2'), ['Fund Name', 'Fund ID'], reportedOf),
  provider('23', 'auditor', 'Name of Auditing Firm', () => NOTHING),
  provider('24', 'prime_broker', 'Name of Prime Broker', (line) => ({ ...NOTHING, ...numbers(line) })),
  provider('25', 'custodian', 'Legal Name of Custodian', (line) => ({
    ...NOTHING,
    business_name: line.text('Primary Business Name'),
    sec_number: line.text('SEC Number'),
    lei: line.text('Legal Entity Identifier'),
    is_related: line.flag('Related Person'),
  })),
  provider('26', 'administrator', 'Name of Administrator', (line) => ({
    ...NOTHING,
    is_related: line.flag('Related Person'),
  })),
  provider('28', 'marketer', 'Name of Marketer', (line) => ({
    ...NOTHING,
    ...numbers(line),
    is_related: line.flag('Related Person'),
  })),
]

function* fundOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  yield [
    'fund',
    {
      filing_id: filingId,
      reference_id: line.text(...REFERENCE_ID),
      fund_id: line.text('Fund ID'),
      name: line.text('Fund Name'),
      state: line.text('State'),
      country: line.text('Country'),
      exclusion_3c1: line.flag('3(c)(1) Exclusion'),
      exclusion_3c7: line.flag('3(c)(7) Exclusion'),
      is_master: line.flag('Master Fund'),
      is_feeder: line.flag('Feeder Fund'),
      master_fund_name: line.text('Master Fund Name'),
      master_fund_id: line.text('Master Fund ID'),
      is_fund_of_funds: line.flag('Fund of Funds'),
      invests_in_related_funds: line.flag('Fund Invested Self or Related'),
      invests_in_registered: line.flag('Fund Invested in Securities'),
      fund_type: line.text('Fund Type'),
      fund_type_other: line.text('Fund Type Other'),
      gross_asset_value: line.money('Gross Asset Value'),
      minimum_investment: line.money('Minimum Investment'),
      owner_count: line.count('Owners'),
      pct_owned_related: line.money('%Owned You or Related'),
      pct_owned_funds: line.money('%Owned Funds'),
      sales_limited: line.flag('Sales Limited'),
      pct_owned_non_us: line.money('%Owned Non-US'),
      is_subadviser: line.flag('Subadviser'),
      has_other_advisers: line.flag('Other IAs Advise'),
      clients_solicited: line.flag('Clients Solicited'),
      pct_clients_invested: line.money('Percentage Invested'),
      relies_on_regulation_d: line.flag('Exempt from Registration'),
      is_audited: line.flag('Annual Audit'),
      is_gaap: line.flag('GAAP'),
      statements_distributed: line.flag('FS Distributed'),
      unqualified_opinion: line.text('Unqualified Opinion'),
      has_prime_brokers: line.flag('Prime Brokers'),
      has_custodians: line.flag('Custodians'),
      has_administrator: line.flag('Administrator'),
      pct_assets_valued: line.money('% Assets Valued'),
      has_marketers: line.flag('Marketing'),
    },
  ]
}

/** @param item number of the item of Section 7.B.(1) whose answers are in the file */
function provider(
  item: string,
  kind: string,
  name: string,
  own: (line: CsvRow) => Pick<Provider, keyof typeof NOTHING>,
) {
  const lines: Lines = function* (line, filingId) {
    yield [
      'fund_provider',
      {
        filing_id: filingId,
        reference_id: line.text(...REFERENCE_ID),
        kind,
        name: line.text(name),
        city: line.text('City'),
        state: line.text('State'),
        country: line.text('Country'),
        ...own(line),
        details: line.all(),
      },
    ]
  }
  // Before 2017, names of files of exempt reporting advisers have 7B1B instead of 7B1A.
  return member(fileOf(`Schedule_D_7B1[AB]${item}`), ['ReferenceID', name], lines)
}

function numbers(line: CsvRow) {
  return {
    crd: line.crd('CRD Number'),
    sec_number: line.text('SEC Number'),
  }
}

function* reportedOf(line: CsvRow, filingId: string): Rows<typeof tables> {
  yield [
    'fund_reported',
    {
      filing_id: filingId,
      name: line.text('Fund Name'),
      fund_id: line.text('Fund ID'),
      adviser_name: line.text('Adviser Name'),
      adviser_sec_number: line.text('Adviser SEC Number'),
      clients_solicited: line.flag('Clients Solicited?', 'Clients Solicited'),
    },
  ]
}
