/** Portfolio securities of Form N-MFP, Part C, with collateral, supports and ratings of each. */
import { boolean, cik, cusip, date, integer, ratio, table, text, usd } from '../../../declare/table.ts'

const n = integer('Order of the security in the filing, from 1')
const LEI = { entity: 'lei' } as const

export const holding = table(
  'nmfp.holding',
  'One row per portfolio security',
  ['n'],
  {
    n,
    sec_id: text('The security in answers about securities: its CUSIP, isin~…, or name~…', {
      entity: 'cusip',
    }).nullable(),
    cusip: cusip('CUSIP as filed, null for words that mean none').nullable(),
    cusip_flag: text('Why it may not be a CUSIP', {
      values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
    }).nullable(),
    isin: text('ISIN as filed (N-MFP1 and later)').nullable(),
    lei: text('LEI of the issuer (N-MFP1 and later)', LEI).nullable(),
    cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    rssd: text('RSSD number of the issuer (N-MFP3)').nullable(),
    other_id: text('Another identifier').nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    title: text('Title of the issue').nullable(),
    category: text('Category of investment, in the words of the form').nullable(),
    description: text('Description of another instrument').nullable(),
    coupon: text('Coupon or yield as filed (N-MFP3)').nullable(),
    is_look_through: boolean(
      'Repurchase agreement: the fund treats it as acquiring the underlying securities',
    ).nullable(),
    repo_open: boolean('Repurchase agreement: open, without maturity (N-MFP1 and later)').nullable(),
    repo_cleared: boolean('Repurchase agreement: centrally cleared (N-MFP3)').nullable(),
    repo_ccp: text('Repurchase agreement: name of the central counterparty (N-MFP3)').nullable(),
    repo_triparty: boolean('Repurchase agreement: settled on a triparty platform (N-MFP3)').nullable(),
    is_eligible: boolean('An eligible security (N-MFP2, N-MFP3)').nullable(),
    tier: text('First Tier Security, and so on (N-MFP, N-MFP1)').nullable(),
    maturity: date('Maturity by which WAM is calculated').nullable(),
    life_maturity: date('Maturity by which WAL is calculated (N-MFP1 and later)').nullable(),
    final_maturity: date('Legal final maturity').nullable(),
    has_demand_feature: boolean('It has a demand feature on which the fund relies').nullable(),
    has_guarantee: boolean('It has a guarantee on which the fund relies').nullable(),
    has_enhancement: boolean('It has other enhancements on which the fund relies').nullable(),
    principal: usd('Principal amount, US dollars (N-MFP)').nullable(),
    amortized_cost: usd('Amortized cost, US dollars (N-MFP)').nullable(),
    yield: ratio('Yield on the report date as filed: 0.0532 is 5.32 % (N-MFP1 and later)').nullable(),
    value: usd('Value with any sponsor or capital support, US dollars').nullable(),
    value_unsupported: usd('Value without that support, US dollars').nullable(),
    net_assets_ratio: ratio('Part of net assets as filed: 0.01 is 1 % in N-MFP1 and later').nullable(),
    is_level3: boolean('Level 3 of fair value (N-MFP1 and later)').nullable(),
    is_daily_liquid: boolean('A daily liquid asset (N-MFP1 and later)').nullable(),
    is_weekly_liquid: boolean('A weekly liquid asset (N-MFP1 and later)').nullable(),
    is_illiquid: boolean('An illiquid security').nullable(),
    explanatory_notes: text('Explanatory notes').nullable(),
  },
  { indexes: ['(sec_id, value desc)', '(cik) where cik is not null'] },
)

export const collateral = table(
  'nmfp.collateral',
  'One row per security that secures a repurchase agreement',
  ['n', 'position'],
  {
    n,
    position: integer('Order among the collateral of the agreement, from 1'),
    issuer_name: text('Name of the issuer').nullable(),
    lei: text('LEI of the issuer (N-MFP1 and later)', LEI).nullable(),
    cusip: cusip('CUSIP as filed (N-MFP3)').nullable(),
    maturity: date('Maturity, or the first of a range').nullable(),
    maturity_to: date('Last maturity of a range').nullable(),
    coupon: text('Coupon as filed; coupon or yield before N-MFP3').nullable(),
    yield: text('Yield as filed (N-MFP3)').nullable(),
    principal: usd('Principal amount, US dollars').nullable(),
    value: usd('Value, US dollars').nullable(),
    category: text('Category of the collateral, in the words of the form').nullable(),
    description: text('Description of another instrument').nullable(),
  },
)

export const support = table(
  'nmfp.support',
  'One row per firm that supports a security, by a demand feature, a guarantee or another enhancement',
  ['n', 'position'],
  {
    n,
    position: integer('Order within the security, from 1'),
    kind: text('What the firm gives', { values: ['demand_feature', 'guarantee', 'enhancement'] }),
    name: text('Name of the firm').nullable(),
    ratio: ratio('Part of the security that it covers, as filed (N-MFP1 and later)').nullable(),
    type: text('Kind of an enhancement').nullable(),
    remaining: integer('Remaining period of a demand feature (N-MFP1 and later)', { unit: 'days' }).nullable(),
    is_conditional: boolean('A conditional demand feature (N-MFP1 and later)').nullable(),
  },
)

export const rating = table(
  'nmfp.rating',
  'One row per credit rating, of a security or of a firm that supports it',
  ['n', 'position'],
  {
    n,
    position: integer('Order within the security, from 1'),
    support: integer('The firm, by its position in support; null for the security itself').nullable(),
    agency: text('Name of the rating organization').nullable(),
    rating: text('Rating as filed').nullable(),
  },
)
