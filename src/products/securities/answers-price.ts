/** Shapes of the answers about prices that funds put on securities, and about companies of private securities. */
import { z } from 'zod'
import { nextCursor } from '../../declare/paging.ts'
import { accession, count, cusip, decimal, integer, text, usd } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { alias, price } from './rollups-issuer.ts'

/** Reasons why a line's price is excluded. */
export const EXCLUDED = ['units', 'short', 'no_balance', 'no_value', 'written_off', 'outlier'] as const

const sec_id = text('Id of the security: its CUSIP, isin~ with its ISIN, or name~ with the name of its issuer', {
  entity: 'cusip',
})

const variant = z
  .object({
    sec_id,
    cusip: cusip('CUSIP; null if it has none').nullable(),
    issuer_name: text('Name of the issuer').nullable(),
    title_of_class: text('Title of the class of the security').nullable(),
    reason: text(
      'Reason why the answer includes the security. asked: it is the requested security. cusip: its CUSIP has the same first six characters. lei: its issuer has the same LEI. All other values are only for private securities: they say why the security belongs to the company, in the words of /adv/securities/{cusip}/aliases',
      {
        values: [
          'asked',
          'cusip',
          ...['name', 'vehicle', 'exposure', 'aka', 'title', 'lei', 'misspelling', 'override'],
        ],
      },
    ),
    basis: text('Evidence for this reason').nullable(),
    accession: accession('A filing that states this reason; null if none does').nullable(),
    confidence: alias.columns.confidence.nullable(),
  })
  .meta({ id: 'SecurityVariant' })

const { fund_count, mark_count, low, median, high, mean, total_value, total_balance, held_value, held_count } =
  price.columns

const figures = z
  .object({
    sec_id: sec_id
      .nullable()
      .describe('Id of the security; null if several securities of a private company form one class'),
    class: text('Class of the security, as its title or the reports state it; empty if they state none'),
    ...{ fund_count, mark_count, low, median, high, mean, total_value, total_balance, held_value, held_count },
    outliers: price.columns.outliers,
    written_off: price.columns.written_off,
    unpriced: count(
      'Number of lines without a price: lines in principal or contracts, short positions, and lines without a balance or a value. Written-off lines are counted separately',
    ),
    ...{ lower: price.columns.lower, upper: price.columns.upper, largest: price.columns.largest },
    split: integer(
      'Factor of a possible split: all prices are this many times lower than in the previous period, and there are correspondingly more shares. Negative if prices are that many times higher instead, as after a reverse split; null if there is no such jump. Prices are not corrected for it',
    ).nullable(),
  })
  .meta({ id: 'SecurityPrices' })

const period = z
  .object({
    period: price.columns.period,
    held_value: usd('Value of all lines of all classes, US dollars'),
    median: price.columns.median.describe(
      'Median of the prices; null if there are several classes, since classes are not averaged',
    ),
    classes: z.array(figures).describe('Prices by class'),
  })
  .meta({ id: 'SecurityPricePeriod' })

const filing = z
  .object({
    accession: accession('Accession of the report'),
    n: integer('Number of the holding in the report'),
    sec_id,
    class: text('Class of the security, as in `classes` of the period'),
    fund: text('Key of the fund: CIK of the registrant, and the series'),
    fund_name: text('Name of the fund').nullable(),
    value: usd('Value of the holding, US dollars').nullable(),
    balance: decimal('Number of shares, principal or number of contracts, as `units` states', {
      unit: 'shares_or_principal',
    }).nullable(),
    units: text('Unit of the balance: NS shares, PA principal, NC contracts, OU other').nullable(),
    mark: decimal('Price: value divided by balance. Null if `excluded` has a reason other than outlier', {
      unit: 'USD',
    }).nullable(),
    excluded: text(
      'Reason why the price of the holding is left out; null if it is not left out. units: the holding is not in shares. short: it is not held long. no_balance: its balance is not stated, or not above zero. no_value: its value is not stated, or below zero. written_off: its value is zero, which is not a price. outlier: its price is below `lower` or above `upper` of its class',
      {
        values: EXCLUDED,
      },
    ).nullable(),
  })
  .meta({ id: 'SecurityMark' })
export type Mark = z.infer<typeof filing>

export const history = z
  .object({
    sec_id,
    scope: text('company or exact, as requested', { values: ['company', 'exact'] }),
    company_id: alias.columns.company_id,
    company_name: text('Name of the company; null if nothing states it').nullable(),
    variants: z
      .array(variant)
      .describe(
        'Securities whose prices this answer has, at most 50, the most valuable first; empty if no fund reports any of them',
      ),
    periods: z
      .array(period)
      .describe(
        'Periods in order of date, or only the requested period. Empty if no fund reports shares, and, if a period is requested, on every page after the first',
      ),
    filings: z
      .array(filing)
      .describe(
        'Lines of the requested period, the largest value first. Empty if the request has no `period`; then `largest` of each class names the reports of the largest lines',
      ),
    next_cursor: nextCursor,
    ...notLoaded,
  })
  .meta({ id: 'SecurityPriceHistory' })
export type History = z.infer<typeof history>
export type Variant = z.infer<typeof variant>
export type Figures = z.infer<typeof figures>

export const aliases = z
  .object({
    sec_id,
    issuer_key: alias.columns.issuer,
    company_id: alias.columns.company_id,
    company_name: alias.columns.company_name,
    aliases: z
      .array(
        z
          .object({
            sec_id,
            issuer_name: text('Name of the issuer, as filed').nullable(),
            reason: alias.columns.reason,
            basis: alias.columns.basis,
            accession: alias.columns.accession,
            confidence: alias.columns.confidence,
          })
          .meta({ id: 'SecurityAlias' }),
      )
      .describe('All securities of the company, at most 1,000, each with its evidence'),
    ids: z.array(z.string()).describe('All ids of the company, one for each of its names'),
    ...notLoaded,
  })
  .meta({ id: 'SecurityAliases' })
export type Aliases = z.infer<typeof aliases>
