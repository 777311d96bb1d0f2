/** Reads Part C of Form N-CEN: one fund, its lists, and its service providers. */
import { classAt, type Series, seriesAt } from '../../../read/fund.ts'
import { isNone } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'
import { advisersOf, providersOf } from './provider.ts'
import { amount, answer, fileNumber, lei, leiAndRssd, type Part, textAt, textsAt } from './values.ts'

/** Item C.3: words of the form, and their columns. */
const FUND_TYPES = {
  'Exchange-Traded Fund': 'is_etf',
  'Exchange-Traded Managed Fund': 'is_etmf',
  'Index Fund': 'is_index',
  'Inverse of a benchmark': 'is_inverse',
  'Interval Fund': 'is_interval',
  'Fund of Funds': 'is_fund_of_funds',
  'Master-Feeder Fund': 'is_master_feeder',
  'Money Market Fund': 'is_money_market',
  'Target Date Fund': 'is_target_date',
  'Underlying fund': 'is_underlying',
} as const

const TYPE_WORDS = new Map(Object.keys(FUND_TYPES).map((type) => [type.toLowerCase(), type]))

/** @param fundOf returns the key of the fund of a series */
export function* fundParts(
  element: Element,
  fundOf: (series: Series) => string | null,
  cik: string | null,
): Generator<Part> {
  const series = seriesAt(element, 'mgmtInvSeriesId')
  const fund = fundOf(series)
  yield ['fund', { fund, cik, series_id: series.id, ...fundRow(element) }]
  for (const shares of element.filled('sharesOutstandings/sharesOutstanding'))
    yield ['share_class', shareClass(shares, fund)]
  for (const feeder of element.filled('fundTypes/masterFeederFundInfo/feederFunds'))
    yield ['related_fund', feederOf(feeder, fund)]
  for (const master of element.filled('fundTypes/masterFeederFundInfo/masterFunds'))
    yield ['related_fund', masterOf(master, fund)]
  for (const one of element.filled('foreignInvestments/foreignInvestment')) {
    const name = textAt(one, '@foreignSubsidiaryName')
    yield ['foreign_subsidiary', { fund, name, ...leiAndRssd(one, '@foreignSubsidiary') }]
  }
  for (const line of element.filled('lineOfCredit/lineOfCreditDetails/lineOfCreditDetail')) {
    yield ['credit_line', creditLine(line, fund)]
  }
  for (const [at, stem, direction] of LOANS) {
    for (const loan of element.filled(`${at}/${stem}`))
      yield ['interfund_loan', interfundLoan(loan, fund, stem, direction)]
  }
  yield* advisersOf(element, 'fund', fund)
  yield* providersOf(element, 'fund', fund)
}

const LOANS = [
  ['interfundLendingDetails', 'interfundLending', 'lent'],
  ['interfundBorrowingDetails', 'interfundBorrowing', 'borrowed'],
] as const

function fundRow(element: Element) {
  const index = 'fundTypes/indexFundInfo'
  return {
    fund_name: textAt(element, 'mgmtInvFundName'),
    lei: lei(element, 'mgmtInvLei'),
    is_first_filing: element.flag('isFirstFilingByFund'),
    classes_authorized: element.count('numAuthorizedClass', ['N/A']),
    classes_added: element.count('numAddedClass', ['N/A']),
    classes_ended: element.count('numTerminatedClass', ['N/A']),
    ...fundTypes(element),
    index_is_affiliated: element.flag(`${index}/isIndexFundAffiliated`),
    index_is_exclusive: element.flag(`${index}/isIndexFundExclusive`),
    index_difference_before: amount(element, `${index}/indexFundReturnDiffBeforeExpense`),
    index_difference_after: amount(element, `${index}/indexFundReturnDiffAfterExpense`),
    index_deviation_before: amount(element, `${index}/indexFundReturnDailyStdevBeforeExpense`),
    index_deviation_after: amount(element, `${index}/indexFundReturnDailyStdevAfterExpense`),
    is_non_diversified: element.flag('isNonDiversifiedCompany'),
    has_foreign_subsidiary: answer(element, 'isForeignSubsidiary', 'foreignInvestments'),
    may_lend: element.flag('isFundSecuritiesLending'),
    did_lend: answer(element, 'didFundLendSecurities', 'fundLendSecurities'),
    lending_liquidated: element.flag('fundLendSecurities/isFundLiquidated'),
    lending_harmed: element.flag('fundLendSecurities/isFundAdverselyImpacted'),
    // If the answer is N/A, the element `paymentToAgentManagerType` occurs without its parent element.
    lending_payments: textsAt(element, 'paymentToAgentManagers/paymentToAgentManagerType', 'paymentToAgentManagerType'),
    lending_payment_note: textAt(element, 'paymentToAgentManagers/otherFeeDesc'),
    lent_average: amount(element, 'avgPortfolioSecuritiesValue'),
    lending_income: amount(element, 'netIncomeSecuritiesLending'),
    rules: textsAt(element, 'relyOnRuleTypes/relyOnRuleType', 'relyOnRuleType'),
    has_expense_limit: element.flag('isExpenseLimitationInPlace'),
    had_expenses_waived: element.flag('isExpenseReducedOrWaived'),
    may_be_recouped: element.flag('isFeesWaivedRecoupable'),
    was_recouped: element.flag('isExpenseWaivedRecoupable'),
    has_changed_transfer_agent: element.flag('isTransferAgentHiredOrTerminated'),
    has_changed_pricing_service: element.flag('isPricingServiceHiredOrTerminated'),
    has_changed_custodian: element.flag('isCustodianHiredOrTerminated'),
    has_changed_shareholder_agent: element.flag('isShareholderServiceHiredTerminated'),
    has_changed_administrator: element.flag('isAdminHiredOrTerminated'),
    commissions: amount(element, 'aggregateCommission'),
    principal_trades: amount(element, 'principalAggregatePurchase'),
    pays_for_research: element.flag('isBrokerageResearchPayment'),
    monthly_avg_net_assets: amount(element, 'mnthlyAvgNetAssets'),
    daily_avg_net_assets: amount(element, 'dailyAvgNetAssets'),
    has_credit_line: answer(element, 'hasLineOfCredit', 'lineOfCredit'),
    lends_to_funds: answer(element, 'isInterfundLending', 'interfundLendingDetails'),
    borrows_from_funds: answer(element, 'isInterfundBorrowing', 'interfundBorrowingDetails'),
    has_swing_pricing: answer(element, 'isSwingPricing', 'swingPricingDetail'),
    swing_limit: amount(element, 'swingPricingDetail/@swingUpperLimit'),
    has_changed_liquidity_service: element.flag('isLiquidityHiredTerminated'),
  }
}

/** The answer N/A means that no type applies. Two types have their own elements, with the type in an attribute. */
function fundTypes(element: Element) {
  const filed = textsAt(
    element,
    'fundTypes/fundType',
    'fundTypes/indexFundInfo/@fundType',
    'fundTypes/masterFeederFundInfo/@fundType',
    'fundType',
  )
  const types = filed.map((type) => TYPE_WORDS.get(type.toLowerCase()) ?? type)
  const flags = Object.fromEntries(Object.values(FUND_TYPES).map((flag) => [flag, false]))
  for (const type of types) {
    if (type in FUND_TYPES) flags[FUND_TYPES[type as keyof typeof FUND_TYPES]] = true
    else element.problem(type, 'is not a type of fund that the form lists')
  }
  return { fund_types: [...new Set(types)], ...flags }
}

const shareClass = (element: Element, fund: string | null) => ({
  fund,
  class_id: classAt(element, '@sharesOutstandingClassId'),
  class_name: textAt(element, '@sharesOutstandingClassName'),
  ticker: textAt(element, '@sharesOutstandingTickerSymbol'),
})

const feederOf = (element: Element, fund: string | null) => ({
  fund,
  relation: 'feeder',
  name: textAt(element, '@feederFundName'),
  file_number: fileNumber(element, '@regFeederFundFileNo'),
  sec_file_number: null,
  series_id: seriesAt(element, '@regFeederFundSeriesIdNo').id,
  lei: lei(element, '@regFeederFundLei'),
  unregistered_file_number: fileNumber(element, '@unregFeederFileNo'),
  unregistered_lei: lei(element, '@unregFeederFundLei'),
})

const masterOf = (element: Element, fund: string | null) => ({
  fund,
  relation: 'master',
  name: textAt(element, '@masterFundName'),
  file_number: fileNumber(element, '@masterFundFileNo'),
  sec_file_number: fileNumber(element, '@masterFundSECFileNo'),
  series_id: null,
  lei: lei(element, '@masterFundLei'),
  unregistered_file_number: null,
  unregistered_lei: null,
})

function creditLine(element: Element, fund: string | null) {
  const [fromShared = null, fromSole = null] = ['sharedCreditType/@creditType', 'soleCreditType/@creditType'].map(
    (path) => element.value(path, shared, 'neither Shared nor Sole'),
  )
  return {
    fund,
    is_committed: element.value('isCreditLineCommitted', committed, 'neither Committed nor Uncommitted'),
    line_amount: amount(element, 'lineOfCreditSize'),
    institutions: textsAt(element, 'lineOfCreditInstitutions/lineOfCreditInstitution/@creditInstitutionName'),
    is_shared: fromShared ?? fromSole,
    users: element.filled('sharedCreditType/creditUser').map((user) => ({
      fund_name: textAt(user, '@fundName'),
      file_number: fileNumber(user, '@secFileNo'),
    })),
    was_used: answer(element, 'isCreditLineUsed', 'creditLineUsed'),
    average_used: amount(element, 'creditLineUsed/@averageCreditLineUsed'),
    days_used: element.count('creditLineUsed/@daysCreditUsed'),
  }
}

/** Reads a word that stands for yes or for no, in capitals or small letters. */
const oneOf = (yes: string, no: string) => (text: string) => {
  if (isNone(text)) return undefined
  const word = text.toLowerCase()
  return word === yes ? true : word === no ? false : null
}
const committed = oneOf('committed', 'uncommitted')
const shared = oneOf('shared', 'sole')

const interfundLoan = (element: Element, fund: string | null, stem: string, direction: string) => ({
  fund,
  direction,
  average: amount(element, `@${stem}LoanAverage`),
  day_count: element.count(`@${stem}DaysOutstanding`),
})
