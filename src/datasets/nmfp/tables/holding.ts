/** Portfolio securities of Form N-MFP, Part C, with collateral, supports and ratings of each. */
import { boolean, cik, cusip, date, integer, ratio, table, text, usd } from '../../../declare/table.ts'

const n = integer('Order of the security in the filing, from 1')
const LEI = { entity: 'lei' } as const

export const holding = table(
  'nmfp.holding',
  'One row per portfolio security of a report',
  ['n'],
  {
    n,
    sec_id: text(
      'Id of the security: CUSIP, else isin~ and the ISIN, else name~ and the encoded name; null if the report has none of them',
      {
        entity: 'cusip',
      },
    ).nullable(),
    cusip: cusip('CUSIP as filed; null for words that mean none, such as N/A').nullable(),
    cusip_flag: text(
      'Why the text may not be a CUSIP: missing, wrong length, placeholder, wrong check digit, lower case; null if it is valid',
      {
        values: ['missing', 'length', 'placeholder', 'check_digit', 'case'],
      },
    ).nullable(),
    isin: text('ISIN as filed (N-MFP1 and later)').nullable(),
    lei: text('LEI of the issuer (N-MFP1 and later)', LEI).nullable(),
    cik: cik('CIK of the issuer', { named: 'issuer_name' }).nullable(),
    rssd: text('RSSD number of the issuer (N-MFP3)').nullable(),
    other_id: text('Identifier of another kind, as filed').nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    title: text('Title of the issue').nullable(),
    category: text('Category of investment, in the words of the form').nullable(),
    description: text('Description of the instrument if the category is Other Instrument').nullable(),
    coupon: text('Coupon or yield as filed (N-MFP3)').nullable(),
    is_look_through: boolean(
      'Repurchase agreement: true if the fund treats it as an acquisition of the underlying securities',
    ).nullable(),
    repo_open: boolean(
      'Repurchase agreement: true if it is open, without a fixed maturity (N-MFP1 and later)',
    ).nullable(),
    repo_cleared: boolean('Repurchase agreement: true if it is centrally cleared (N-MFP3)').nullable(),
    repo_ccp: text('Repurchase agreement: name of the central counterparty (N-MFP3)').nullable(),
    repo_triparty: boolean('Repurchase agreement: true if it is settled on a triparty platform (N-MFP3)').nullable(),
    is_eligible: boolean('True for an eligible security (N-MFP2, N-MFP3)').nullable(),
    tier: text('Rating tier in the words of the form, for example First Tier Security (N-MFP, N-MFP1)').nullable(),
    maturity: date('Maturity date used to calculate the weighted average maturity (WAM)').nullable(),
    life_maturity: date('Maturity date used to calculate the weighted average life (WAL; N-MFP1 and later)').nullable(),
    final_maturity: date('Final legal maturity date').nullable(),
    has_demand_feature: boolean('True if the fund relies on a demand feature of the security').nullable(),
    has_guarantee: boolean('True if the fund relies on a guarantee of the security').nullable(),
    has_enhancement: boolean('True if the fund relies on other enhancements of the security').nullable(),
    principal: usd('Principal amount, US dollars (N-MFP)').nullable(),
    amortized_cost: usd('Amortized cost, US dollars (N-MFP)').nullable(),
    yield: ratio('Yield on the report date as filed: 0.0532 is 5.32 % (N-MFP1 and later)').nullable(),
    value: usd('Value, including any sponsor or capital support').nullable(),
    value_unsupported: usd('Value without any sponsor or capital support').nullable(),
    net_assets_ratio: ratio('Fraction of the fund’s net assets as filed: 0.01 is 1 % in N-MFP1 and later').nullable(),
    is_level3: boolean('True if the security is in Level 3 of the fair value hierarchy (N-MFP1 and later)').nullable(),
    is_daily_liquid: boolean('True for a daily liquid asset (N-MFP1 and later)').nullable(),
    is_weekly_liquid: boolean('True for a weekly liquid asset (N-MFP1 and later)').nullable(),
    is_illiquid: boolean('True for an illiquid security').nullable(),
    explanatory_notes: text('Explanatory notes').nullable(),
  },
  { indexes: ['(sec_id, value desc)', '(cik) where cik is not null'] },
)

export const collateral = table(
  'nmfp.collateral',
  'One row per security, or kind of security, that is collateral of a repurchase agreement',
  ['n', 'position'],
  {
    n,
    position: integer('Order among the collateral of the agreement, from 1'),
    issuer_name: text('Name of the issuer').nullable(),
    lei: text('LEI of the issuer (N-MFP1 and later)', LEI).nullable(),
    cusip: cusip('CUSIP as filed (N-MFP3)').nullable(),
    maturity: date('Maturity date, or the first date of a range').nullable(),
    maturity_to: date('Last date of a range of maturities; null for a single date').nullable(),
    coupon: text('Coupon as filed; coupon or yield in forms before N-MFP3').nullable(),
    yield: text('Yield as filed (N-MFP3)').nullable(),
    principal: usd('Principal amount, US dollars').nullable(),
    value: usd('Value, US dollars').nullable(),
    category: text('Category of the collateral, in the words of the form').nullable(),
    description: text('Description of the collateral if its category is Other Instrument').nullable(),
  },
)

export const support = table(
  'nmfp.support',
  'One row per firm that supports a security, by a demand feature, a guarantee or another enhancement',
  ['n', 'position'],
  {
    n,
    position: integer('Order within the security, from 1'),
    kind: text('Kind of support that the firm provides', { values: ['demand_feature', 'guarantee', 'enhancement'] }),
    name: text('Name of the firm').nullable(),
    ratio: ratio('Fraction of the security that the firm supports, as filed (N-MFP1 and later)').nullable(),
    type: text('Type of the enhancement as filed; null for other kinds of support').nullable(),
    remaining: integer('Remaining period of a demand feature (N-MFP1 and later)', { unit: 'days' }).nullable(),
    is_conditional: boolean('True for a conditional demand feature (N-MFP1 and later)').nullable(),
  },
)

export const rating = table(
  'nmfp.rating',
  'One row per credit rating of a security, or of a firm that supports the security',
  ['n', 'position'],
  {
    n,
    position: integer('Order within the security, from 1'),
    support: integer(
      'Position of the rated firm among the firms that support the security; null for a rating of the security itself',
    ).nullable(),
    agency: text('Name of the rating organization').nullable(),
    rating: text('Rating as filed').nullable(),
  },
)
