/** Shapes of the answers about Form N-MFP. */
import { z } from 'zod'
import { amendedBy } from '../../declare/amended.ts'
import { cik, confidence, count, crd, date, ratio, text, usd } from '../../declare/table.ts'
import { filingWith } from '../../serve/filings-of.ts'
import { notLoaded } from '../../serve/loaded.ts'
import { fund_now } from './rollups.ts'
import * as tables from './tables.ts'
import { nmfpFund } from './views.ts'

const { report, share_class, holding } = tables

/** Rows of a list within a class, without the class's position. */
const of = <T extends z.ZodObject>(list: T) =>
  list.omit({ class_position: true } as never) as z.ZodObject<Omit<T['shape'], 'class_position'>>

const yields = z.array(of(tables.seven_day_yield.parsed).meta({ id: 'MoneyMarketYield' }))
const navs = z.array(of(tables.nav.parsed).meta({ id: 'MoneyMarketNav' }))

/**
 * Maximum numbers of classes, of lines in each list, and of entries about a security in one answer. The form has room
 * for 50 classes and 31 days.
 */
export const CLASSES_MAX = 100
export const LINES_MAX = 100
export const BEHIND_MAX = 200

const shareClass = share_class.parsed
  .extend({
    yields: yields.describe('Seven-day net yields'),
    navs: navs.describe('Net asset values per share'),
    flows: z.array(of(tables.flow.parsed).meta({ id: 'MoneyMarketFlow' })).describe('Subscriptions and redemptions'),
    cancelled: z.array(of(tables.cancelled.parsed).meta({ id: 'MoneyMarketCancelled' })).describe('Shares cancelled'),
    holders: z.array(of(tables.holder.parsed).meta({ id: 'MoneyMarketHolder' })).describe('Kinds of investors'),
  })
  .meta({ id: 'MoneyMarketClass' })

const security = holding.parsed
  .extend({
    collateral_count: count('Securities that secure the repurchase agreement'),
    collateral: z
      .array(tables.collateral.parsed.omit({ n: true }).meta({ id: 'MoneyMarketCollateral' }))
      .describe(`The first ${BEHIND_MAX} of them`),
    supports: z
      .array(tables.support.parsed.omit({ n: true }).meta({ id: 'MoneyMarketSupport' }))
      .describe(`Firms that stand behind the security, at most ${BEHIND_MAX}`),
    ratings: z
      .array(tables.rating.parsed.omit({ n: true }).meta({ id: 'MoneyMarketRating' }))
      .describe(`Its ratings and theirs, at most ${BEHIND_MAX}`),
  })
  .meta({ id: 'MoneyMarketHolding' })

const { submission_type, period, net_assets, seven_day_gross_yield, series_id } = report.columns

/** The answer about one filing. */
export const detail = z
  .object({
    filing: report.row
      .omit({ name_key: true, name_words: true })
      .extend({ amended_by: amendedBy })
      .meta({ id: 'MoneyMarketReport' }),
    is_counted: z.boolean().describe('The report that counts for the fund and month: the last filed about it'),
    providers: z
      .array(tables.provider.parsed.omit({ name_key: true, number_key: true }).meta({ id: 'MoneyMarketProvider' }))
      .describe('Advisers and other firms that serve the fund'),
    related_funds: z.array(tables.related_fund.parsed.meta({ id: 'MoneyMarketRelatedFund' })),
    liquidity: z.array(tables.liquidity.parsed.meta({ id: 'MoneyMarketLiquidity' })).describe('Liquid assets'),
    yields: yields.describe('Seven-day gross yields of the series'),
    navs: navs.describe('Net asset values per share of the series'),
    liquidity_fees: z.array(tables.liquidity_fee.parsed.meta({ id: 'MoneyMarketLiquidityFee' })),
    dispositions: z
      .array(tables.disposition.parsed.meta({ id: 'MoneyMarketDisposition' }))
      .describe('What was disposed of in the month, by category'),
    classes: z.array(shareClass).describe(`Share classes with their lists, the first ${CLASSES_MAX}`),
    holdings: z.array(security).describe('Portfolio securities in their order'),
    next_cursor: z.string().nullable().describe('For the securities that follow; null on the last page'),
    other_filings: z
      .array(
        filingWith({ submission_type, series_id, period, net_assets, seven_day_gross_yield }).meta({
          id: 'MoneyMarketFilingRow',
        }),
      )
      .describe('Up to 200 other Form N-MFP filings of the registrant, newest first'),
  })
  .meta({ id: 'MoneyMarketDetail' })

export type Detail = z.infer<typeof detail>

const now = fund_now.columns

/** A fund in the list of money market funds. */
export const fundRow = z
  .object({
    ...{ fund: now.fund, cik: now.cik, series_id: now.series_id, fund_name: now.fund_name },
    ...{ registrant_name: now.registrant_name, period: now.period, net_assets: now.net_assets },
    ...{ seven_day_gross_yield: now.seven_day_gross_yield, category: now.category, is_final: now.is_final },
    is_current: nmfpFund.columns.is_current,
    ...{ accession: now.accession, filed_date: now.filed_date },
  })
  .meta({ id: 'MoneyMarketFundRow' })

export const METHODS = ['801_number', 'ncen_crd', 'name'] as const

/** Funds of an adviser in the contract's form, with the method that found each. */
export const adviserFunds = z
  .object({
    match: z.boolean().describe('A money market fund of the adviser was matched'),
    crd: crd('CRD number of the adviser'),
    funds: z.array(
      z
        .object({
          cik: cik('CIK of the registrant'),
          registrant_name: text('Name of the registrant').nullable(),
          latest_report_date: date('Last day of the newest month that the fund reported'),
          latest_net_assets: usd('Net assets on that day, US dollars').nullable(),
          latest_seven_day_gross_yield: ratio(
            'Seven-day gross yield of that report as filed: 0.0532 is 5.32 %',
          ).nullable(),
          latest_mmf_category: text('Category in that report, in the words of the form').nullable(),
          last_advised_report: date('Last day of the newest month whose report names the adviser'),
          is_current: z
            .boolean()
            .describe(
              'The fund goes on, and its newest report names the adviser. A fund goes on while its newest report is not its final one, and is of the last three months before the newest of any fund that is loaded',
            ),
          series_id: now.series_id,
          fund_name: now.fund_name,
          role: z.enum(['adviser', 'subadviser']).describe('What it is to the fund in that report'),
          method: z
            .enum(METHODS)
            .describe(
              '801_number: the report names the SEC file number of the adviser. Where it names none that any adviser has, ncen_crd: the fund’s N-CEN gives the CRD number of the adviser for that name or number. name: the name is the legal name of this adviser alone',
            ),
          confidence: confidence('0 to 1: 0.95 for a file number, 0.9 for a CRD number of the N-CEN, 0.6 for a name'),
          basis: text('What was compared: 801-16048, the accession of the N-CEN, or the name'),
          accession: now.accession,
        })
        .meta({ id: 'MoneyMarketFund' }),
    ),
    ...notLoaded,
  })
  .meta({ id: 'MoneyMarketFunds' })

export type AdviserFunds = z.infer<typeof adviserFunds>
