/** Lists of Form N-MFP: by Fridays (N-MFP1, N-MFP2) or by business days (N-MFP3), and lists that only N-MFP3 has. */
import { date, decimal, integer, ratio, table, text, usd } from '../../../declare/table.ts'

/**
 * The date of a week's Friday is certain, because the form asks for each Friday of the reported month. If the fund made
 * no calculation on that Friday, the items ask for the value of the last day before it in that week.
 */
const when = {
  week: integer('Number of the Friday within the month, from 1 (N-MFP1, N-MFP2)').nullable(),
  day: date(
    'Day as filed (N-MFP3), else the Friday (N-MFP1, N-MFP2), else the last day of the month (N-MFP). Null for the fifth Friday of a month with only four, for which filers report zeros',
  ).nullable(),
}
const classOrSeries = integer('Number of the share class, class_position in share_class; 0 for the series')
const n = integer('Order in the list, from 1')

export const liquidity = table(
  'nmfp.liquidity',
  'One row per day with the liquid assets of the series (N-MFP1 and later)',
  ['n'],
  {
    n,
    ...when,
    daily_liquid_assets: usd('Daily liquid assets; null for tax-exempt funds').nullable(),
    weekly_liquid_assets: usd('Weekly liquid assets, including daily liquid assets').nullable(),
    daily_liquid_ratio: ratio('Daily liquid assets as a fraction of total assets').nullable(),
    weekly_liquid_ratio: ratio('Weekly liquid assets as a fraction of total assets').nullable(),
  },
)

export const flow = table(
  'nmfp.flow',
  'One row per day or week of a share class: gross subscriptions and redemptions (N-MFP1 and later)',
  ['class_position', 'n'],
  {
    class_position: integer('Number of the share class, class_position in share_class'),
    n,
    ...when,
    subscriptions: usd('Gross subscriptions: of the week in N-MFP1 and N-MFP2, of the day in N-MFP3').nullable(),
    redemptions: usd('Gross redemptions: of the week in N-MFP1 and N-MFP2, of the day in N-MFP3').nullable(),
  },
)

export const seven_day_yield = table(
  'nmfp.seven_day_yield',
  'One row per day with a seven-day yield: gross for the series, net for a class. Only N-MFP3 has several days',
  ['class_position', 'n'],
  {
    class_position: classOrSeries,
    n,
    day: date('Day as filed (N-MFP3), else the last day of the reported month').nullable(),
    yield: ratio('Seven-day yield as filed: 0.0532 is 5.32 % in N-MFP1 and later').nullable(),
  },
)

export const nav = table(
  'nmfp.nav',
  'One row per day or week with a net asset value per share, of the series or of a class',
  ['class_position', 'n'],
  {
    class_position: classOrSeries,
    n,
    ...when,
    nav_per_share: decimal('Net asset value per share, US dollars', { unit: 'USD_per_share' }).nullable(),
  },
)

export const liquidity_fee = table(
  'nmfp.liquidity_fee',
  'One row per day on which the fund applied a liquidity fee (N-MFP3)',
  ['n'],
  {
    n,
    day: date('Day on which the fee was applied').nullable(),
    type: text(
      'Type of the fee in the words of the form: mandatory, mandatory at the default amount, or discretionary',
    ).nullable(),
    amount: usd('Amount of the fee applied to redemptions').nullable(),
    redeemed_ratio: ratio('Fee as a fraction of the redemptions to which it was applied').nullable(),
  },
)

export const cancelled = table(
  'nmfp.cancelled',
  'One row per day on which shares of a class were cancelled because of negative interest rates (N-MFP3)',
  ['class_position', 'n'],
  {
    class_position: integer('Number of the share class, class_position in share_class'),
    n,
    day: date('Day of the cancellation').nullable(),
    value: usd('Value of the shares cancelled, US dollars').nullable(),
    shares: decimal('Number of shares cancelled', { unit: 'shares' }).nullable(),
  },
)

export const holder = table(
  'nmfp.holder',
  'One row per kind of investor of a class (N-MFP3)',
  ['class_position', 'n'],
  {
    class_position: integer('Number of the share class, class_position in share_class'),
    n,
    list: text(
      'List of the form. owner: beneficial or record owners of 5 % or more (B.10); composition: all investors of an institutional fund (B.11)',
      {
        values: ['owner', 'composition'],
      },
    ),
    category: text('Kind of investor, in the words of the form').nullable(),
    other: text('Description of the investor if the kind is Other').nullable(),
    record_ratio: ratio(
      'Fraction of the outstanding shares that the investor owns of record; null in the list composition',
    ).nullable(),
    beneficial_ratio: ratio(
      'Fraction of the outstanding shares that the investor owns beneficially; null in the list composition',
    ).nullable(),
    ratio: ratio(
      'Fraction of the shares that this kind of investor holds, in the list composition; null in the list owner',
    ).nullable(),
  },
)

export const disposition = table(
  'nmfp.disposition',
  'One row per category of securities disposed of in the month, Part D (N-MFP3)',
  ['n'],
  {
    n,
    category: text('Category of investment, in the words of the form'),
    amount: usd('Gross market value of the securities disposed of').nullable(),
  },
)
