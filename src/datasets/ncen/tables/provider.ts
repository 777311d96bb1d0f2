/** Service providers of the funds of Form N-CEN. Advisers have a separate table, since funds are found by them. */
import { boolean, crd, date, fileNumber, firm, table, text, texts, usd } from '../../../declare/table.ts'
import { lei, ofFund, place, ROLES, yes } from './columns.ts'

/** Names and numbers of a provider. Filers write N/A, zeros or 8-000 for a missing number; these become null. */
const identity = {
  name: text('Name, as filed').nullable(),
  crd: firm('CRD number, without leading zeros').nullable(),
  file_number: fileNumber(
    'SEC file number, as filed: 801- of an adviser, 8- of a broker, 84- of a transfer agent',
  ).nullable(),
  lei: lei('LEI').nullable(),
  rssd_id: text('RSSD ID, the number of the Federal Reserve').nullable(),
}

export const adviser = table(
  'ncen.adviser',
  'One row per adviser or subadviser of a fund, current or dismissed during the period (Items C.9 and D.12)',
  ['n'],
  {
    ...ofFund,
    role: text('adviser or subadviser', { values: ['adviser', 'subadviser'] }),
    ...identity,
    crd: crd('CRD number, without leading zeros').nullable(),
    name_key: text('Name as it is compared: accents stripped, lower case').nullable(),
    number_key: text('File number as it is compared: 801-16048 for 801-016048').nullable(),
    ...place('it'),
    is_current: boolean('It advised the fund at the end of the period; false for one that was dismissed'),
    is_affiliated: yes('Items C.9.c and D.12.c: a subadviser that is an affiliated person of the adviser'),
    is_hired: yes('It was hired during the period'),
    started: date('Day on which it began, where it was hired during the period').nullable(),
    ended: date('Day on which it ended, where it was dismissed').nullable(),
  },
  {
    indexes: [
      '(crd) where crd is not null',
      '(number_key) where number_key is not null',
      '(lei) where lei is not null',
      '(name_key)',
      '(fund)',
    ],
  },
)

export const provider = table(
  'ncen.provider',
  'One row somebody else who works for a fund, or for the registrant where fund is null',
  ['n'],
  {
    ...ofFund,
    role: text(
      'B.16 principal_underwriter, B.17 accountant, C.6 lending_agent, indemnity_provider, collateral_manager, C.10 and D.13 transfer_agent, C.11 pricing_service, C.12 and D.14 custodian, C.13 shareholder_agent, C.14 and F.2 administrator, C.15 affiliated_broker, C.16 broker, C.17 principal_dealer, C.22 liquidity_service, E.2 authorized_participant, F.1 depositor, F.4 sponsor, F.5 trustee',
      { values: ROLES },
    ),
    ...identity,
    other_id: text('Another number, if there is no LEI').nullable(),
    other_id_type: text('What that number is: Tax ID').nullable(),
    pcaob: text('Item B.17.b: PCAOB number of an accountant').nullable(),
    ...place('it'),
    is_affiliated: yes('It is an affiliated person of the fund, or an affiliate of one'),
    is_agent_affiliated: yes('Item C.6.d.iii: a manager of cash collateral is affiliated with a lending agent'),
    is_sub: yes('It works for another of the same role: sub-transfer agent, sub-custodian, sub-administrator'),
    amount: usd(
      'US dollars: commissions of a broker (C.15, C.16), purchases and sales with a dealer (C.17), creation units purchased by an authorised participant (E.2)',
    ).nullable(),
    redeemed: usd('Item E.2.f: creation units that an authorised participant redeemed, US dollars').nullable(),
    custody_type: text('Items C.12.a and D.14.a: kind of custody, in the words of the form').nullable(),
    asset_classes: texts(
      'Item C.22.a: classes of assets that a liquidity service classifies, in the words of the form',
    ),
    is_indemnified: yes('Item C.6.c: a lending agent, or somebody else, indemnifies the fund'),
    used_indemnity: yes('Item C.6.c: the fund used its rights of indemnification'),
    agent: text('Indemnity provider: the lending agent that it covers').nullable(),
    parent_name: text('Item F.1: ultimate parent of a depositor').nullable(),
    note: text('Description of another kind of custody, or of other classes of assets').nullable(),
  },
  { indexes: ['(crd) where crd is not null', '(lei) where lei is not null'] },
)
