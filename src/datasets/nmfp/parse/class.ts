/** Reads share classes of N-MFP1, N-MFP2 and N-MFP3, Part B. */
import { classAt } from '../../../read/fund.ts'
import { decimal } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import { flows, navs, numbered, yields } from './list.ts'
import { newest, type Row, textAt } from './values.ts'

/** Yields the rows of one class. */
export function* shareClass(of: Element, position: number, period: string | null): Generator<Row> {
  const nav = navs(of, period, position, [
    'netAssetPerShare',
    'dailyNetAssetValuePerShareClass',
    'dailyNetAssetValuePerShareDateClass',
  ])
  const yielded = yields(of, period, position, 'sevenDayNetYield')
  yield ['share_class', general(of, position, newest(nav, period)?.nav_per_share, newest(yielded, period)?.yield)]
  for (const row of nav) yield ['nav', row]
  for (const row of yielded) yield ['seven_day_yield', row]
  for (const row of flows(of, period, position)) yield ['flow', row]
  for (const row of cancelled(of, position)) yield ['cancelled', row]
  for (const row of holders(of, position)) yield ['holder', row]
}

function general(of: Element, position: number, nav: string | null = null, yielded: string | null = null) {
  // N-MFP1 and N-MFP2 name the totals of the month like those of a week.
  const month = of.maybe('totalForTheMonthReported')
  const reported = of.maybe('monthlyShareholderFlowReported')
  // This element has an amount in N-MFP3, and words in earlier forms. The SEC kept its name.
  const paid = textAt(of, 'nameOfPersonDescExpensePay')
  const isAmount = paid !== null && (/^[\d.,$]+$/.test(paid) || decimal(paid) !== null)
  return {
    class_position: position,
    class_id: classAt(of, 'classesId'),
    name: textAt(of, 'classFullName'),
    min_investment: of.money('minInitialInvestment'),
    net_assets: of.money('netAssetsOfClass'),
    shares_outstanding: of.money('numberOfSharesOutstanding'),
    month_subscriptions: month?.money('weeklyGrossSubscriptions') ?? reported?.money('totalGrossSubscriptions') ?? null,
    month_redemptions: month?.money('weeklyGrossRedemptions') ?? reported?.money('totalGrossRedemptions') ?? null,
    month_net_flow: null,
    seven_day_net_yield: yielded,
    nav_per_share: nav,
    shadow_price: null,
    shadow_price_day: null,
    shadow_price_unsupported: null,
    shadow_price_unsupported_day: null,
    is_expense_paid: of.flag('personPayForFundFlag'),
    expense_payer: isAmount ? null : paid,
    expense_paid: isAmount ? of.money('nameOfPersonDescExpensePay') : null,
    has_cancelled_shares: of.flag('shareCancellationReportingPeriod'),
    other_holders: textAt(of, 'otherInvestorTypeDescription'),
  }
}

const cancelled = (of: Element, position: number) =>
  numbered(
    of.filled('cancelledSharesPerBusinessDay').map((each) => ({
      class_position: position,
      day: each.date('cancelledShareDate'),
      value: each.money('cancelledShareDollarValue'),
      shares: each.money('cancelledShareNumber'),
    })),
  )

/** The elements of Item B.11. Each has its kind of investor in the words of Item B.10, which has the same kinds. */
const COMPOSITION = [
  ['percentShareHolderCompNonFinancialCorp', 'Non-financial corporation'],
  ['percentShareHolderCompPensionPlan', 'Pension plan'],
  ['percentShareHolderCompNonProfit', 'Non-profit'],
  ['percentShareHolderCompMunicipal', 'State or municipal government entity (excluding governmental pension plans)'],
  ['percentShareHolderCompRegInvestment', 'Registered investment company'],
  ['percentShareHolderCompPrivateFunds', 'Private fund'],
  ['percentShareHolderCompDepositoryInst', 'Depository institution or other banking institution'],
  ['percentShareHolderCompSovereignFund', 'Sovereign wealth fund'],
  ['percentShareHolderCompBrokerDealer', 'Broker-dealer'],
  ['percentShareHolderCompInsurance', 'Insurance company'],
  ['percentShareHolderCompOther', 'Other'],
] as const

function holders(of: Element, position: number) {
  const owners = of.filled('beneficialRecordOwnerCategory').map((each) => ({
    class_position: position,
    list: 'owner',
    category: textAt(each, 'beneficialRecordOwnerCategoryType'),
    other: textAt(each, 'otherInvestorCategory'),
    record_ratio: each.money('percentOutstandingSharesRecord'),
    beneficial_ratio: each.money('percentOutstandingSharesBeneficial'),
    ratio: null,
  }))
  const parts = COMPOSITION.flatMap(([path, category]) => {
    const ratio = of.money(path)
    const none = { other: null, record_ratio: null, beneficial_ratio: null }
    return ratio === null ? [] : [{ class_position: position, list: 'composition', category, ...none, ratio }]
  })
  return numbered([...owners, ...parts])
}
