/** Reads Parts D, E and F of Form N-CEN: closed-end funds, exchange-traded funds, unit investment trusts. */
import { classAt, type Series, seriesAt } from '../../../read/fund.ts'
import type { Element } from '../../../read/xml.ts'
import { advisersOf, providersOf } from './provider.ts'
import { amount, answer, day, type Part, textAt, textsAt } from './values.ts'

/** Reads Part D, and the providers of a small business investment company. */
export function* closedEnd(element: Element, fund: string | null): Generator<Part> {
  for (const item of element.filled('securityRelatedItems/securityRelatedItem')) {
    const security = {
      fund,
      security: textAt(item, 'description'),
      title: textAt(item, 'securityClassTitle'),
      note: textAt(item, 'otherSecurityDescription'),
    }
    const places = item.filled('commonStocks/commonStock').map((one) => ({
      exchange: textAt(one, '@commonStockExchange'),
      ticker: textAt(one, '@commonStockTickerSymbol'),
    }))
    // A security without a listing is a row too.
    for (const where of places.length > 0 ? places : [{ exchange: null, ticker: null }]) {
      yield ['listing', { ...security, ...where }]
    }
  }
  yield ['closed_end', closedEndRow(element)]
  yield* advisersOf(element, 'small', fund)
  yield* providersOf(element, 'small', fund)
}

const closedEndRow = (element: Element) => ({
  has_rights_offering: answer(element, 'isRightsOffering', 'rightsOfferingFunds'),
  rights_offerings: element.filled('rightsOfferingFunds/rightsOfferingFund').map((one) => ({
    securities: textsAt(one, 'rightsOfferingTypes/rightsOfferingType'),
    note: textAt(one, 'rightsOfferingTypes/rightsOfferingDesc'),
    participation: amount(one, 'rightsOfferingParticipationPercent'),
  })),
  has_secondary_offering: answer(element, 'isSecondaryOffering', 'secondaryOfferings'),
  secondary_securities: textsAt(element, 'secondaryOfferings/secondaryOfferingType'),
  secondary_note: textAt(element, 'secondaryOfferings/otherSecondaryOfferingDesc'),
  has_repurchase: answer(element, 'isRepurchaseSecurity', 'repurchaseSecurities'),
  repurchased_securities: textsAt(element, 'repurchaseSecurities/repurchaseSecurityType'),
  repurchase_note: textAt(element, 'repurchaseSecurities/otherRepurchaseSecurityDesc'),
  has_debt_default: answer(element, 'isDefaultLongTermDebt', 'longTermDebtDefault'),
  debt_defaults: element.filled('longTermDebtDefault/longTermDebtDefaults/longTermDebtDefault').map((one) => ({
    nature: textAt(one, '@defaultNature'),
    date: day(one, '@defaultDate'),
    per_thousand: amount(one, '@defaultPerThousandAmount'),
    total_amount: amount(one, '@defaultTotalAmount'),
  })),
  has_arrears: answer(element, 'isDividendsInArrears', 'divdInArrears'),
  arrears: element.filled('divdInArrears/dividendsInArrears/dividendsInArrear').map((one) => ({
    title: textAt(one, '@dividendIssueTitle'),
    per_share: amount(one, '@dividendAmountPerShareInArrear'),
  })),
  has_modified_securities: element.flag('isSecuritiesModified'),
  management_fee: amount(element, 'managementFee'),
  net_operating_expenses: amount(element, 'netOperatingExpenses'),
  market_price: amount(element, 'marketPricePerShare'),
  net_asset_value: amount(element, 'netAssetValuePerShare'),
  has_changed_transfer_agent: element.flag('isSmallTransferAgentHiredOrTerminated'),
  has_changed_custodian: element.flag('isSmallCustodianHiredTerminated'),
})

/** Columns of an exchange-traded fund, each with the element that has its value. */
export const ETF_AMOUNTS = {
  unit_shares: 'creationUnitNumOfShares',
  unit_shares_redeemed: 'creationUnitRedeemedNumOfShares',
  purchased_cash: 'averagePercentagePurchased',
  purchased_cash_deviation: 'standardDeviationPurchased',
  purchased_in_kind: 'creationUnitPurchasedInKind',
  purchased_in_kind_deviation: 'creationUnitPurchasedSDInKind',
  redeemed_cash: 'averagePercentageRedeemed',
  redeemed_cash_deviation: 'percentSDRedeemed',
  redeemed_in_kind: 'creationUnitPercentageRedeemedInKind',
  redeemed_in_kind_deviation: 'creationUnitSDRedeemedInKind',
  purchase_fee_per_unit: 'creationUnitTransactionFeePerUnit',
  purchase_fee_per_order: 'creationUnitTransactionFeeManyUnits',
  purchase_fee_percent: 'creationUnitTransactionFeePercentagePerUnit',
  purchase_cash_fee_per_unit: 'creationUnitTransactionFeeCashPerUnit',
  purchase_cash_fee_per_order: 'creationUnitTransactionFeeCashManyUnits',
  purchase_cash_fee_percent: 'creationUnitTransactionFeeCashPercentagePerUnit',
  // In the form, the names of redemption fees begin with purchaseCreationUnit.
  redemption_fee_per_unit: 'purchaseCreationUnitDollarPerUnit',
  redemption_fee_per_order: 'purchaseCreationUnitDollarPerMoreUnits',
  redemption_fee_percent: 'purchaseCreationUnitDollarPercentagePerUnit',
  redemption_cash_fee_per_unit: 'purchaseCreationUnitCashPerUnit',
  redemption_cash_fee_per_order: 'purchaseCreationUnitCashPerMoreUnits',
  redemption_cash_fee_percent: 'purchaseCreationUnitCashPercentagePerUnit',
  index_difference_before: 'beforeFundFeesExpensesDiff',
  index_difference_after: 'afterFundFeesExpensesDiff',
  index_deviation_before: 'beforeFundFeesExpensesSd',
  index_deviation_after: 'afterFundFeesExpensesSd',
} as const

/** Reads Part E: one exchange-traded fund. */
export function* exchangeTraded(element: Element, fundOf: (series: Series) => string | null): Generator<Part> {
  const series = seriesAt(element, 'etfSeriesId')
  const fund = fundOf(series)
  yield [
    'etf',
    {
      ...{ fund, fund_name: textAt(element, 'fundName'), series_id: series.id },
      needs_collateral: element.flag('isCollateralRequired'),
      ...Object.fromEntries(Object.entries(ETF_AMOUNTS).map(([column, at]) => [column, amount(element, at)])),
      index_is_affiliated: element.flag('isByAffiliatedPerson'),
      index_is_exclusive: element.flag('isExclusiveFund'),
      is_in_kind: element.flag('isInKindETF'),
    },
  ]
  for (const one of element.filled('securityExchanges/securityExchange')) {
    const where = { exchange: textAt(one, '@fundExchange'), ticker: textAt(one, '@fundsTickerSymbol') }
    yield ['listing', { fund, security: null, title: null, note: null, ...where }]
  }
  yield* providersOf(element, 'etf', fund)
}

/** Reads Part F. */
export function* unitTrust(element: Element): Generator<Part> {
  const other = 'notRegistrantSeparateInsuranceAccount'
  const separate = 'registrantSeparateInsuranceAccount'
  yield [
    'unit_trust',
    {
      has_changed_administrator: element.flag('isUitAdminHiredTerminated'),
      is_separate_account: separateAccount(element, separate, other),
      series_id: seriesAt(element, `${separate}/@separateAccountSeriesId`).id,
      series_existing: element.count(`${other}/numOfExistingSeries`),
      series_ciks: element.filled(`${other}/seriesCIKs/seriesCIK`).flatMap((one) => one.cik('@cik') ?? []),
      series_new: element.count(`${other}/numOfNewSeriesRegistration`),
      series_new_value: amount(element, `${other}/newSeriesAggregateValue`),
      series_with_prospectus: element.count(`${other}/numOfSeriesCurrentProspectus`),
      series_enlarged: element.count(`${other}/numOfExistingSeriesAdditionalUnits`),
      enlarged_value: amount(element, `${other}/additionalUnitsTotalValue`),
      placed_value: amount(element, `${other}/unitInPortfolioValue`),
      total_assets: amount(element, `${other}/totalAssetsSeries`),
      contract_count: element.count('numOfContracts'),
      relies_on_6c_7: element.flag('isRule6C7Reliance'),
      relies_on_11a_2: element.flag('isRule11A2Reliance'),
      relies_on_12d1_4: element.flag('isRule12D1Dash4Reliance'),
      relies_on_12d1_g: element.flag('isRule12D1GReliance'),
      divestments: element.filled('divestments/divestment').map((one) => ({
        name: textAt(one, '@divestmentSecurityName'),
        ticker: textAt(one, '@divestmentSecurityTickerSymbol'),
        cusip: textAt(one, '@divestmentSecurityCusipNo'),
        shares: amount(one, '@divestedNumShares'),
        date: day(one, '@divestedDate'),
        statute: textAt(one, '@divestmentStatuteName'),
      })),
      held_securities: element.filled('registrantHeldSecurities/registrantHeldSecurity').map((one) => ({
        ticker: textAt(one, '@registrantHeldSecurityTickerSymbol'),
        cusip: textAt(one, '@registrantHoldsSecurityCusipNo'),
        shares: amount(one, '@registrantNumShare'),
      })),
    },
  ]
  for (const one of element.filled('contractSecurities/contractSecurity')) yield ['contract', contractOf(one)]
  yield* providersOf(element, 'unit', null)
}

/** The form has one element for Yes and one for No, each with the answer. */
function separateAccount(element: Element, yes: string, no: string): boolean | null {
  const [is, isNot] = [yes, no].map((at) => element.flag(`${at}/@isRegistrantSeparateInsuranceAccount`))
  return is ?? isNot ?? null
}

const contractOf = (element: Element) => ({
  name: textAt(element, '@separateAccountSecurityName'),
  contract_id: classAt(element, '@separateAccountContractId'),
  total_assets: amount(element, '@separateAccountTotalAsset'),
  sold_count: element.count('@numContractsSold'),
  premiums: amount(element, '@grossPremiumReceived'),
  premiums_1035: amount(element, '@grossPremiumReceivedSection1035'),
  sold_1035_count: element.count('@numContractsAffected'),
  redeemed: amount(element, '@contractValueRedeemed'),
  redeemed_1035: amount(element, '@contractValueRedeemedSection1035'),
  redeemed_1035_count: element.count('@numContractsAffectedRedeemed'),
})
