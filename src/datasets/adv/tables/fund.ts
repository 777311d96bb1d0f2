/** Schedule D, Section 7.B: private funds. */
import { advFiling, boolean, count, fileNumber, firm, json, percent, table, text, usd } from '../../../declare/table.ts'
import { filed } from './filing.ts'

export const fund = table(
  'adv.fund',
  'One row per private fund that a filing reports in Section 7.B.(1)',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text(
      'ReferenceID of the fund in this filing, which joins adv.fund_provider; each filing gives the fund another ReferenceID',
    ).nullable(),
    fund_id: text('A.1(b): private fund identification number, 805-…, the same in every filing', {
      entity: 'private_fund',
    }).nullable(),
    name: text('A.1(a): name of the fund').nullable(),
    state: text('A.2: state of organisation, in words').nullable(),
    country: text('A.2: country of organisation').nullable(),
    exclusion_3c1: boolean('A.4(1): excluded by section 3(c)(1) of the Investment Company Act').nullable(),
    exclusion_3c7: boolean('A.4(2): excluded by section 3(c)(7)').nullable(),
    is_master: boolean('A.6(a): master fund in a master-feeder arrangement').nullable(),
    is_feeder: boolean('A.6(c): feeder fund').nullable(),
    master_fund_name: text('A.6(d): name of the master fund').nullable(),
    master_fund_id: text('A.6(d): 805- number of the master fund', { entity: 'private_fund' }).nullable(),
    is_fund_of_funds: boolean('A.8(a): fund of funds').nullable(),
    invests_in_related_funds: boolean('A.8(b): invests in funds of the adviser or a related person').nullable(),
    invests_in_registered: boolean('A.9: invested in securities of registered investment companies').nullable(),
    fund_type: text('A.10: Hedge Fund, Private Equity Fund, Venture Capital Fund …').nullable(),
    fund_type_other: text('A.10: description of another type of fund').nullable(),
    gross_asset_value: usd('A.11: gross asset value, US dollars').nullable(),
    minimum_investment: usd('A.12: minimum investment commitment, US dollars').nullable(),
    owner_count: count('A.13: approximate number of beneficial owners').nullable(),
    pct_owned_related: percent('A.14: per cent owned by the adviser and related persons').nullable(),
    pct_owned_funds: percent('A.15(a): per cent owned by funds of funds').nullable(),
    sales_limited: boolean('A.15(b): sales limited to qualified clients').nullable(),
    pct_owned_non_us: percent('A.16: per cent owned by non-United States persons').nullable(),
    is_subadviser: boolean('A.17(a): the filer is a subadviser to the fund').nullable(),
    has_other_advisers: boolean('A.18(a): other advisers advise the fund').nullable(),
    clients_solicited: boolean('A.19: clients of the adviser are solicited to invest').nullable(),
    pct_clients_invested: percent('A.20: per cent of the clients invested in the fund').nullable(),
    relies_on_regulation_d: boolean('A.21: relied on an exemption under Regulation D').nullable(),
    is_audited: boolean('B.23(a)(1): financial statements are audited annually').nullable(),
    is_gaap: boolean('B.23(a)(2): financial statements are prepared in accordance with U.S. GAAP').nullable(),
    statements_distributed: boolean('B.23(g): audited statements are distributed to investors').nullable(),
    unqualified_opinion: text(
      'B.23(h): whether the audit reports have unqualified opinions, as filed: Y, N or Report Not Yet Received',
    ).nullable(),
    has_prime_brokers: boolean('B.24(a): uses prime brokers').nullable(),
    has_custodians: boolean('B.25(a): uses custodians').nullable(),
    has_administrator: boolean('B.26(a): uses an administrator').nullable(),
    pct_assets_valued: percent('B.27: per cent of assets valued by a person who is not a related person').nullable(),
    has_marketers: boolean('B.28(a): uses marketers other than the adviser and its employees').nullable(),
  },
  { record: 'filing_id', numbered: true, indexes: ['(fund_id)'] },
)

export const fund_provider = table(
  'adv.fund_provider',
  'One row per auditor, prime broker, custodian, administrator or marketer of a fund (Section 7.B.(1) B)',
  [],
  {
    filing_id: advFiling('FilingID'),
    reference_id: text('ReferenceID of the fund in the filing').nullable(),
    kind: text(
      'Kind of provider: auditor (B.23), prime_broker (B.24), custodian (B.25), administrator (B.26) or marketer (B.28)',
      {
        values: ['auditor', 'prime_broker', 'custodian', 'administrator', 'marketer'],
      },
    ),
    name: text('Name of the provider; for a custodian, the legal name').nullable(),
    business_name: text('B.25(c): primary business name of a custodian').nullable(),
    city: text('City').nullable(),
    state: text('State, in words').nullable(),
    country: text('Country').nullable(),
    crd: firm('CRD number of a prime broker or marketer').nullable(),
    sec_number: fileNumber('SEC file number of a prime broker, custodian or marketer').nullable(),
    lei: text('Legal entity identifier of a custodian', { entity: 'lei' }).nullable(),
    is_related: boolean(
      'The provider is a related person of the adviser; null for auditors and prime brokers, for which the form does not ask this',
    ).nullable(),
    details: json(filed, 'All answered columns of the CSV line, as filed, by column name'),
  },
  { record: 'filing_id', numbered: true },
)

export const fund_reported = table(
  'adv.fund_reported',
  'One row per fund that the filer advises and another adviser reports (Section 7.B.(2))',
  [],
  {
    filing_id: advFiling('FilingID'),
    name: text('(1): name of the fund').nullable(),
    fund_id: text('(2): private fund identification number, 805-…', { entity: 'private_fund' }).nullable(),
    adviser_name: text('(3): name of the adviser that reports the fund').nullable(),
    adviser_sec_number: fileNumber('(3): SEC file number of the adviser that reports the fund').nullable(),
    clients_solicited: boolean('(4): clients of the filer are solicited to invest').nullable(),
  },
  { record: 'filing_id', numbered: true, indexes: ['(fund_id)'] },
)
