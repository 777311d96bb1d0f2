/**
 * Service providers of the funds of Form N-CEN. Advisers have a separate table, in which a search finds the funds of an
 * adviser.
 */
import { boolean, crd, date, fileNumber, firm, table, text, texts, usd } from '../../../declare/table.ts'
import { lei, ofFund, place, ROLES, yes } from './columns.ts'

/** Names and numbers of a provider. Filers write N/A, zeros or 8-000 for a missing number; these become null. */
const identity = {
  name: text('Name of the adviser or provider, as filed').nullable(),
  crd: firm('CRD number of the adviser or provider, without leading zeros').nullable(),
  file_number: fileNumber(
    'SEC file number, as filed: 801- of an adviser, 8- of a broker, 84- of a transfer agent',
  ).nullable(),
  lei: lei('LEI of the adviser or provider').nullable(),
  rssd_id: text('RSSD ID of the adviser or provider, a number that the Federal Reserve assigns').nullable(),
}

export const adviser = table(
  'ncen.adviser',
  'One row per adviser or subadviser of a fund, current or dismissed during the period (Items C.9 and D.12)',
  ['n'],
  {
    ...ofFund,
    role: text('Role of the firm: adviser or subadviser', { values: ['adviser', 'subadviser'] }),
    ...identity,
    crd: crd('CRD number of the adviser or provider, without leading zeros').nullable(),
    name_key: text('Name, normalized for comparison: accents stripped, lower case').nullable(),
    number_key: text('SEC file number, normalized for comparison: 801-16048 for 801-016048').nullable(),
    ...place('the adviser'),
    is_current: boolean(
      'Whether the adviser advised the fund at the end of the period; false if it was dismissed before',
    ),
    is_affiliated: yes(
      'Items C.9.c and D.12.c: whether a subadviser is an affiliated person of the adviser; null for advisers',
    ),
    is_hired: yes('Whether the adviser was hired during the period'),
    started: date('Day on which the adviser began, if it was hired during the period').nullable(),
    ended: date('Day on which the adviser ended its work, if it was dismissed').nullable(),
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
  'One row per service provider, other than an adviser, of a fund, or of the registrant if fund is null',
  ['n'],
  {
    ...ofFund,
    role: text(
      'Role, with the item of the form: principal_underwriter (B.16), accountant (B.17), lending_agent, indemnity_provider and collateral_manager (C.6), transfer_agent (C.10, D.13), pricing_service (C.11), custodian (C.12, D.14), shareholder_agent (C.13), administrator (C.14, F.2), affiliated_broker (C.15), broker (C.16), principal_dealer (C.17), liquidity_service (C.22), authorized_participant (E.2), depositor (F.1), sponsor (F.4), trustee (F.5)',
      { values: ROLES },
    ),
    ...identity,
    other_id: text('Other identification number, if there is no LEI').nullable(),
    other_id_type: text('Kind of the other identification number: Tax ID').nullable(),
    pcaob: text('Item B.17.b: PCAOB number of an accountant').nullable(),
    ...place('the provider'),
    is_affiliated: yes(
      'Whether the provider is an affiliated person of the fund, or an affiliate of such a person; null for roles for which the form does not ask this',
    ),
    is_agent_affiliated: yes(
      'Item C.6.d.iii: whether a manager of cash collateral is affiliated with a lending agent; null for other roles',
    ),
    is_sub: yes(
      'Whether the provider works for another provider of the same role: sub-transfer agent, sub-custodian, sub-administrator',
    ),
    amount: usd(
      'Amount in US dollars: commissions of a broker (C.15, C.16), purchases and sales with a dealer (C.17), or value of the creation units that an authorised participant purchased (E.2)',
    ).nullable(),
    redeemed: usd('Item E.2.f: value of creation units that an authorised participant redeemed, US dollars').nullable(),
    custody_type: text('Items C.12.a and D.14.a: kind of custody, in the words of the form').nullable(),
    asset_classes: texts(
      'Item C.22.a: classes of assets that a liquidity service classifies, in the words of the form',
    ),
    is_indemnified: yes('Item C.6.c: the lending agent, or another person, indemnifies the fund'),
    used_indemnity: yes('Item C.6.c: the fund exercised its rights of indemnification'),
    agent: text(
      'Name of the lending agent for which an indemnity provider indemnifies the fund; null for other roles',
    ).nullable(),
    parent_name: text('Item F.1: name of the ultimate parent of a depositor').nullable(),
    note: text('Description of a kind of custody, or of classes of assets, that are not in the form’s list').nullable(),
  },
  { indexes: ['(crd) where crd is not null', '(lei) where lei is not null'] },
)
