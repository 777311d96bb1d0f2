/** Lists of Form N-MFP: by Fridays (N-MFP1, N-MFP2) or by business days (N-MFP3), and lists that only N-MFP3 has. */
import { date, decimal, integer, ratio, table, text, usd } from '../../../declare/table.ts'

/**
 * The date of a week's Friday is certain, because the form asks for each Friday of the reported month. If the fund made
 * no calculation on that Friday, the items ask for the value of the last day before it in that week.
 */
const when = {
  week: integer('Which Friday of the month, from 1 (N-MFP1, N-MFP2)').nullable(),
  day: date(
    'Day as filed (N-MFP3), else that Friday, else the last of the month; null for the fifth Friday of a month that has four, where filers write zeros',
  ).nullable(),
}
const classOrSeries = integer('The class, by its position in share_class; 0 for the series')
const n = integer('Order in the list, from 1')

export const liquidity = table(
  'nmfp.liquidity',
  'One row per day of the list of liquid assets (N-MFP1 and later)',
  ['n'],
  {
    n,
    ...when,
    daily_liquid_assets: usd('Daily liquid assets, US dollars; null for tax-exempt funds').nullable(),
    weekly_liquid_assets: usd('Weekly liquid assets, the daily ones included, US dollars').nullable(),
    daily_liquid_ratio: ratio('Daily liquid assets, part of total assets').nullable(),
    weekly_liquid_ratio: ratio('Weekly liquid assets, part of total assets').nullable(),
  },
)

export const flow = table(
  'nmfp.flow',
  'One row per day or week of a class: what shareholders put in and took out (N-MFP1 and later)',
  ['class_position', 'n'],
  {
    class_position: integer('The class, by its position in share_class'),
    n,
    ...when,
    subscriptions: usd(
      'Gross subscriptions, of the week in N-MFP1 and N-MFP2, of the day in N-MFP3, US dollars',
    ).nullable(),
    redemptions: usd('Gross redemptions of the same time, US dollars').nullable(),
  },
)

export const seven_day_yield = table(
  'nmfp.seven_day_yield',
  'One row per day of a seven-day yield: gross of the series, net of a class. One a filing but in N-MFP3',
  ['class_position', 'n'],
  {
    class_position: classOrSeries,
    n,
    day: date('Day as filed (N-MFP3), else the last of the month that is reported').nullable(),
    yield: ratio('Seven-day yield as filed: 0.0532 is 5.32 % in N-MFP1 and later').nullable(),
  },
)

export const nav = table(
  'nmfp.nav',
  'One row per day or week of a net asset value per share, of the series or of a class',
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
    day: date('Day').nullable(),
    type: text('Mandatory, mandatory by the default amount, or discretionary, in the words of the form').nullable(),
    amount: usd('Fee applied to redemptions, US dollars').nullable(),
    redeemed_ratio: ratio('The fee, part of what was redeemed').nullable(),
  },
)

export const cancelled = table(
  'nmfp.cancelled',
  'One row per day on which shares of a class were cancelled (N-MFP3)',
  ['class_position', 'n'],
  {
    class_position: integer('The class, by its position in share_class'),
    n,
    day: date('Day').nullable(),
    value: usd('Value of the shares cancelled, US dollars').nullable(),
    shares: decimal('Shares cancelled', { unit: 'shares' }).nullable(),
  },
)

export const holder = table(
  'nmfp.holder',
  'One row per kind of investor of a class (N-MFP3)',
  ['class_position', 'n'],
  {
    class_position: integer('The class, by its position in share_class'),
    n,
    list: text(
      'owner: beneficial or record owners of 5 % or more; composition: all investors of an institutional fund',
      {
        values: ['owner', 'composition'],
      },
    ),
    category: text('Kind of investor, in the words of the form').nullable(),
    other: text('Description of another kind').nullable(),
    record_ratio: ratio('Part of the shares owned of record').nullable(),
    beneficial_ratio: ratio('Part of the shares owned beneficially').nullable(),
    ratio: ratio('Part of the shares, in the list composition').nullable(),
  },
)

export const disposition = table(
  'nmfp.disposition',
  'One row per category of securities disposed of in the month, Part D (N-MFP3)',
  ['n'],
  {
    n,
    category: text('Category of investment, in the words of the form'),
    amount: usd('Gross market value of what was disposed of, US dollars').nullable(),
  },
)
