/** Reads lists of N-MFP1 and N-MFP2, by the Fridays of the month, and of N-MFP3, by business days. */
import type { Element } from '../../../read/xml.ts'
import { fridayOf, type RowOf, WEEKS } from './values.ts'

/**
 * Reads liquid assets of the series, Item A.13. In the lists of daily liquid assets, the elements are named
 * `fridayWeek1` … in N-MFP1, and `fridayDay1` … in N-MFP2.
 */
export function liquidity(series: Element, period: string | null): RowOf<'liquidity'>[] {
  const rows: Omit<RowOf<'liquidity'>, 'n'>[] = []
  for (const week of WEEKS) {
    const daily = (path: string) =>
      series.money(`${path}/fridayDay${week}`) ?? series.money(`${path}/fridayWeek${week}`)
    const row = {
      daily_liquid_assets: daily('totalValueDailyLiquidAssets'),
      weekly_liquid_assets: series.money(`totalValueWeeklyLiquidAssets/fridayWeek${week}`),
      daily_liquid_ratio: daily('percentageDailyLiquidAssets'),
      weekly_liquid_ratio: series.money(`percentageWeeklyLiquidAssets/fridayWeek${week}`),
    }
    if (isSomething(row)) rows.push({ week, day: fridayOf(period, week), ...row })
  }
  for (const each of series.filled('liquidAssetsDetails')) {
    rows.push({
      week: null,
      day: each.date('totalLiquidAssetsNearPercentDate'),
      daily_liquid_assets: each.money('totalValueDailyLiquidAssets'),
      weekly_liquid_assets: each.money('totalValueWeeklyLiquidAssets'),
      daily_liquid_ratio: each.money('percentageDailyLiquidAssets'),
      weekly_liquid_ratio: each.money('percentageWeeklyLiquidAssets'),
    })
  }
  return numbered(rows)
}

/**
 * Reads net asset values per share: Item A.20 of the series, B.6 of a class.
 *
 * @param weekly the element with the Fridays
 * @param daily the element of one day, which contains an element of the same name
 * @param dayName the element of the day's date
 */
export function navs(
  of: Element,
  period: string | null,
  position: number,
  [weekly, daily, dayName]: readonly [string, string, string],
): RowOf<'nav'>[] {
  const rows: Omit<RowOf<'nav'>, 'n'>[] = []
  for (const week of WEEKS) {
    const nav = of.money(`${weekly}/fridayWeek${week}`)
    if (nav !== null) rows.push({ class_position: position, week, day: fridayOf(period, week), nav_per_share: nav })
  }
  for (const each of of.filled(daily)) {
    const row = { week: null, day: each.date(dayName), nav_per_share: each.money(daily) }
    rows.push({ class_position: position, ...row })
  }
  return numbered(rows)
}

/**
 * Reads seven-day yields: one as of the end of the month, or one for each day (N-MFP3).
 *
 * @param name of the element; in N-MFP3 it has `<name>Value` and `<name>Date`
 */
export function yields(of: Element, period: string | null, position: number, name: string) {
  const rows = of.filled(name).map((each) => {
    const isDated = each.childNames().length > 0
    return {
      class_position: position,
      day: isDated ? each.date(`${name}Date`) : period,
      yield: isDated ? each.money(`${name}Value`) : each.money(),
    }
  })
  return numbered(rows) satisfies RowOf<'seven_day_yield'>[]
}

/** Reads shareholder flows of a class, Item B.7: by weeks, or by days under a name that the SEC misspelt (N-MFP3). */
export function flows(of: Element, period: string | null, position: number): RowOf<'flow'>[] {
  const rows: Omit<RowOf<'flow'>, 'n'>[] = []
  for (const week of WEEKS) {
    const each = of.maybe(`fridayWeek${week}`)
    if (each === null) continue
    const row = {
      subscriptions: each.money('weeklyGrossSubscriptions'),
      redemptions: each.money('weeklyGrossRedemptions'),
    }
    rows.push({ class_position: position, week, day: fridayOf(period, week), ...row })
  }
  for (const each of of.filled('dialyShareholderFlowReported')) {
    rows.push({
      class_position: position,
      week: null,
      day: each.date('dailyShareHolderFlowDate'),
      subscriptions: each.money('dailyGrossSubscriptions'),
      redemptions: each.money('dailyGrossRedemptions'),
    })
  }
  return numbered(rows)
}

/** Numbers rows by their position in the list, from 1. */
export const numbered = <T extends object>(rows: readonly T[]): (T & { n: number })[] =>
  rows.map((row, at) => ({ ...row, n: at + 1 }))

const isSomething = (row: object) => Object.values(row).some((value) => value !== null)
