/** Queries one report of a money market fund with its lists, and a page of its portfolio. */
import { detailOf, each, facts, nextLines, otherFilings, rowsIn, those, value } from '../../serve/details.ts'
import { collateralCount, isCounted } from './answers.ts'
import { SLIP } from './rollups-slip.ts'
import * as tables from './tables.ts'
import { nmfpAmended } from './views.ts'

/**
 * Maximum numbers of classes, of lines in each list, and of entries about a security in one answer. The form has room
 * for 50 classes and 31 days.
 */
export const CLASSES_MAX = 100
const LINES_MAX = 100
const ENTRIES_MAX = 200

const ofClass = { by: 'class_position', max: LINES_MAX } as const
const ofSecurity = { by: 'n', max: ENTRIES_MAX } as const

const yields = each(tables.seven_day_yield, { ...ofClass, id: 'MoneyMarketYield', says: 'Seven-day net yields' })
const navs = each(tables.nav, { ...ofClass, id: 'MoneyMarketNav', says: 'Net asset values per share' })

export const detail = detailOf(tables.report, 'MoneyMarketDetail', {
  filing: facts(tables.report, { id: 'MoneyMarketReport', amended: nmfpAmended }),
  is_counted: value(
    isCounted,
    (sql) => sql`filing.fund is not null and coalesce(not (${sql.unsafe(SLIP)}) and not exists (
      select from nmfp.report o where o.fund = filing.fund and o.period = filing.period
        and (o.filed_date, o.accession) > (filing.filed_date, filing.accession)), false)`,
  ),
  providers: rowsIn(tables.provider, {
    id: 'MoneyMarketProvider',
    says: 'Advisers and other firms that serve the fund',
    max: LINES_MAX,
  }),
  related_funds: rowsIn(tables.related_fund, { id: 'MoneyMarketRelatedFund', max: LINES_MAX }),
  liquidity: rowsIn(tables.liquidity, { id: 'MoneyMarketLiquidity', says: 'Liquid assets', max: LINES_MAX }),
  yields: those(yields, 0, 'Seven-day gross yields of the series'),
  navs: those(navs, 0, 'Net asset values per share of the series'),
  liquidity_fees: rowsIn(tables.liquidity_fee, { id: 'MoneyMarketLiquidityFee', max: LINES_MAX }),
  dispositions: rowsIn(tables.disposition, {
    id: 'MoneyMarketDisposition',
    says: 'Securities that the fund disposed of in the month, by category',
    max: LINES_MAX,
  }),
  classes: rowsIn(tables.share_class, {
    id: 'MoneyMarketClass',
    says: `Share classes with their lists, the first ${CLASSES_MAX}`,
    max: CLASSES_MAX,
    parts: {
      yields,
      navs,
      flows: each(tables.flow, { ...ofClass, id: 'MoneyMarketFlow', says: 'Subscriptions and redemptions' }),
      cancelled: each(tables.cancelled, { ...ofClass, id: 'MoneyMarketCancelled', says: 'Shares cancelled' }),
      holders: each(tables.holder, { ...ofClass, id: 'MoneyMarketHolder', says: 'Kinds of investors' }),
    },
  }),
  holdings: rowsIn(tables.holding, {
    id: 'MoneyMarketHolding',
    says: 'Portfolio securities, in the order of the filing',
    paged: true,
    parts: {
      collateral_count: value(
        collateralCount,
        (sql) => sql`(select count(*) from nmfp.collateral c where c.accession = w.accession and c.n = w.n)`,
      ),
      collateral: each(tables.collateral, {
        ...ofSecurity,
        id: 'MoneyMarketCollateral',
        says: `The first ${ENTRIES_MAX} securities of the collateral`,
      }),
      supports: each(tables.support, {
        ...ofSecurity,
        id: 'MoneyMarketSupport',
        says: `Firms that support the security, at most ${ENTRIES_MAX}`,
      }),
      ratings: each(tables.rating, {
        ...ofSecurity,
        id: 'MoneyMarketRating',
        says: `Ratings of the security and of the firms in supports, at most ${ENTRIES_MAX}`,
      }),
    },
  }),
  next_cursor: nextLines('Cursor of the next securities; null on the last page'),
  other_filings: otherFilings(tables.report, {
    id: 'MoneyMarketFilingRow',
    says: 'Up to 200 other Form N-MFP filings of the registrant, newest first',
    facts: ['submission_type', 'series_id', 'period', 'net_assets', 'seven_day_gross_yield'],
    amended: nmfpAmended,
  }),
})
