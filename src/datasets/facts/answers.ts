/** Shapes of the answers about the figures of a company. */
import { z } from 'zod'
import { accession, count, cusip, date, decimal, integer, text } from '../../declare/table.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { FIGURES } from './parse-tags.ts'
import { CHOICES } from './statement.ts'
import { fact } from './tables.ts'

const { taxonomy, tag, unit, start_date, end_date, form, filed_date } = fact.columns
const amount = (meaning: string) => decimal(meaning, { unit: 'stated' }).nullable()
const filingUrl = text('The filing at the SEC')
const value = fact.columns.value

const filed = { accession: fact.columns.accession, form, filed_date, filing_url: filingUrl }

const part = z
  .object({
    sign: z.enum(['+', '-']).describe('Whether the amount is added (+) or subtracted (-)'),
    ...{ taxonomy, tag, start_date, end_date, value },
    ...filed,
  })
  .meta({ id: 'FinancialFigurePart' })

const first = z.object({ value, tag, ...filed }).meta({ id: 'FinancialFigureFirst' })

const figure = z
  .object({
    value: amount('The figure; null if there is none, for the given reason'),
    basis: z
      .enum(['reported', 'derived', 'computed', 'missing'])
      .describe(
        'reported: as a filing states it. derived: the figure of a quarter, calculated as the difference of two sums since the beginning of the fiscal year. computed: calculated from other lines of the same filing. missing: there is no figure',
      ),
    taxonomy: taxonomy.nullable(),
    tag: tag.nullable().describe('Tag of a reported figure'),
    unit: unit.nullable(),
    accession: accession(
      'Filing that reports the figure. If the newest filing and filings directly before it report the same value, the earliest of them',
    ).nullable(),
    form: form.nullable(),
    filed_date: filed_date.nullable(),
    filing_url: filingUrl.nullable(),
    change: z
      .enum(['rounded', 'rescaled', 'sign', 'share_change', 'restated'])
      .nullable()
      .describe(
        'How the value differs from the value reported first. rounded: it is rounded differently. rescaled: it is multiplied or divided by a power of ten. sign: only the sign differs. share_change: a per-share amount is divided by the factor of a change of shares. restated: any other difference. Null if there is no difference',
      ),
    first: first.nullable().describe('The value reported first, if it differs'),
    parts: z.array(part).describe('Values from which a derived or computed figure is calculated'),
    reason: text('Reason for a missing figure, or the rule by which the figure was derived or computed').nullable(),
  })
  .meta({ id: 'FinancialFigure' })

const period = z
  .object({
    period_type: z
      .enum(['annual', 'transition', 'quarter', 'year_to_date'])
      .describe(
        'annual: a fiscal year. transition: the time between two fiscal years if the company changed the end of its fiscal year. quarter: one quarter. year_to_date: the first two or three quarters of a fiscal year',
      ),
    start_date: date('First day'),
    end_date: date('Last day, and the day of the balance sheet'),
    day_count: integer('Number of days; a year of 53 weeks has 371', { unit: 'days' }),
    fiscal_year: integer('Fiscal year, as the company counts its years').nullable(),
    fiscal_quarter: integer(
      'Number of the quarter in the fiscal year, 1 to 4; null for other periods, and if the fiscal year is unknown',
    ).nullable(),
    currency: text('Currency of the amounts, in which the company reports'),
    revenue: amount('Total revenue; for banks, net of interest expense'),
    net_income: amount('Net income of the owners of the parent'),
    eps_diluted: amount('Diluted earnings per share'),
    operating_cash_flow: amount('Cash flow from operating activities'),
    assets: amount('Total assets'),
    liabilities: amount('Total liabilities'),
    equity: amount('Equity of the owners of the parent'),
    cash: amount('Cash and cash equivalents'),
    accession: accession('The first report that was filed about this period'),
    form,
    filed_date: date('Day on which the report `accession` was filed'),
    filing_url: filingUrl,
    figures: z
      .record(z.enum(FIGURES), figure)
      .describe('Each figure by its name, with its tag, its filing, and its difference from the value reported first'),
  })
  .meta({ id: 'FinancialPeriod' })

export type FinancialPeriod = z.infer<typeof period>

const shareChange = z
  .object({
    factor: z
      .number()
      .describe('Number by which older per-share amounts are divided: 20 if one share became 20')
      .meta({ 'x-unit': 'ratio' }),
    filed_date: date('Filing date of the first filing that restates older amounts by this factor'),
    accession: accession('First filing that restates older amounts by this factor'),
    filing_url: filingUrl,
    period_count: count('Number of periods whose amounts were restated by this factor'),
  })
  .meta({ id: 'ShareChange' })

const known = {
  cik: z.int().describe('CIK of the company').meta({ 'x-entity': 'cik' }),
  ticker: text('Ticker of the security').nullable(),
  company_name: text('Name of the company'),
  period: z.enum(CHOICES).describe('Kind of periods in `history`'),
  as_of: date(
    'Day of the parameter as_of: filings that were filed later are ignored. Null without this parameter',
  ).nullable(),
  latest: period.describe('Newest period of `history`'),
  history: z.array(period).describe('Periods with their figures, newest first'),
  other_currencies: z
    .array(text('Currency'))
    .describe(
      'Other currencies in which filings also state some amounts, for convenience. Amounts in these currencies are not used',
    ),
  share_changes: z
    .array(shareChange)
    .describe(
      'Factors by which per-share amounts of two or more periods were restated, as after splits. Amounts that no later filing repeats are not restated',
    ),
  ...notLoaded,
}

export const ofSecurity = z.object({ cusip: cusip('Requested CUSIP'), ...known }).meta({ id: 'SecurityFinancials' })
export const ofCompany = z
  .object({
    cusip: cusip('Null, because the request names a company').nullable(),
    ...known,
    ticker: text('Ticker of the company; null if it has none or several').nullable(),
  })
  .meta({ id: 'CompanyFinancials' })

export type OfSecurity = z.infer<typeof ofSecurity>
export type OfCompany = z.infer<typeof ofCompany>
