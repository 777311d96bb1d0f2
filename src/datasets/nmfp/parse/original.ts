/**
 * Reads the first Form N-MFP (2010 to 2016). Its elements are named after the taxonomies of that time. The amortized
 * cost of a security is AvailableForSaleSecuritiesAmortizedCost, a rating is in R and its agency in RAN, and a
 * guarantor is in O.
 */
import { classAt, seriesAt } from '../../../read/fund.ts'
import type { Element } from '../../../read/xml.ts'
import { fundOf, named } from './fund.ts'
import { idOf } from './holding.ts'
import { numbered } from './list.ts'
import { providerRows } from './provider.ts'
import { type Header, maturity, type Row, textAt } from './values.ts'

/** Yields the rows of a document of the first schema. */
export function* original(doc: Element, type: string, header: Header): Generator<Row> {
  // These elements are the envelope of the submission.
  doc.ignore('schemaVersion', 'liveTestFlag', 'filerInfo', 'contact')
  const series = doc.maybe('seriesLevelInformation') ?? doc
  const period = doc.date('DocumentPeriodEndDate') ?? header.period
  const classes = doc.filled('classLevelInformationList/classLevelInformation')
  const securities = doc.filled('scheduleOfPortfolioSecuritiesList/scheduleOfPortfolioSecurities')
  const gross = series.money('MoneyMarketSevenDayYield')
  yield [
    'report',
    {
      submission_type: type,
      generation: 'N-MFP',
      is_amendment: type.endsWith('/A'),
      ...fundOf(doc, header, 'EntityCentralIndexKey'),
      period,
      ...named(null, header.name),
      ...general(doc, series),
      seven_day_gross_yield: gross,
      yield_day: gross === null ? null : period,
      read_class_count: classes.length,
      holding_count: securities.length,
      ...LATER,
    },
  ]
  for (const row of providers(series)) yield ['provider', row]
  for (const row of relatedFunds(series)) yield ['related_fund', row]
  if (gross !== null) yield ['seven_day_yield', { class_position: 0, n: 1, day: period, yield: gross }]
  for (const [at, each] of classes.entries()) {
    yield* shareClass(each, at + 1, period)
  }
  for (const [at, each] of securities.entries()) yield* security(each, at + 1)
}

/** Columns for which only later generations have elements; they are null in this generation. */
const LATER = {
  registrant_lei: null,
  fund_lei: null,
  is_retail: null,
  is_government: null,
  daily_liquid_assets: null,
  weekly_liquid_assets: null,
  daily_liquid_ratio: null,
  weekly_liquid_ratio: null,
  liquid_day: null,
  cash: null,
  securities_value: null,
  shares_outstanding: null,
  seeks_stable_price: null,
  stable_price: null,
  nav_per_share: null,
  nav_day: null,
  is_cash_vehicle: null,
  has_liquidity_fee: null,
  other_disposed: null,
  signed_by: null,
  signature: null,
  signer: null,
  signer_title: null,
  signed: null,
}

const general = (doc: Element, series: Element) => ({
  class_count: doc.count('totalClassesInSeries'),
  is_final: doc.flag('isThisFinalFiling'),
  is_liquidating: doc.flag('isFundLiquidating'),
  is_merging: doc.flag('isFundMergingWithOrBeingAcquiredByAnotherFund'),
  has_acquired: doc.flag('hasFundAcquiredOrMergedWithAnotherFundSinceLastFiling'),
  is_paper_copy: doc.flag('isThisElectronicCopyOfPaperFormat'),
  securities_act_file_number: textAt(series, 'ContainedFileInformationFileNumber'),
  is_feeder: series.flag('isThisFeederFund'),
  is_master: series.flag('isThisMasterFund'),
  for_insurance_accounts: series.flag('isThisSeriesPrimarilyUsedToFundInsuranceCompanySeperateAccounts'),
  category: textAt(series, 'InvestmentTypeDomain'),
  average_maturity: series.count('dollarWeightedAveragePortfolioMaturity'),
  average_life: series.count('dollarWeightedAverageLifeMaturity'),
  amortized_cost: series.money('AvailableForSaleSecuritiesAmortizedCost'),
  other_assets: series.money('OtherAssets'),
  liabilities: series.money('Liabilities'),
  net_assets: series.money('AssetsNet'),
  shadow_price: series.money('seriesShadowPrice/netValuePerShareIncludingCapitalSupportAgreement'),
  shadow_price_day: series.date('seriesShadowPrice/dateCalculatedFornetValuePerShareIncludingCapitalSupportAgreement'),
  shadow_price_unsupported: series.money('seriesShadowPrice/netValuePerShareExcludingCapitalSupportAgreement'),
  shadow_price_unsupported_day: series.date(
    'seriesShadowPrice/dateCalculatedFornetValuePerShareExcludingCapitalSupportAgreement',
  ),
})

function providers(series: Element) {
  const advisers = (path: string, role: string) =>
    series
      .filled(path)
      .map((each) => ({ role, name: textAt(each, 'adviserName'), number: textAt(each, 'adviserFileNumber') }))
  return providerRows([
    ...advisers('investmentAdviserList/adviser', 'adviser'),
    ...advisers('subAdviserList/subAdviser', 'subadviser'),
    ...series.filled('independentPublicAccountant').map((each) => ({
      role: 'accountant',
      name: textAt(each, 'name'),
      city: textAt(each, 'city'),
      state: textAt(each, 'state'),
    })),
    ...series.filled('administratorList/administrator').map((each) => ({ role: 'administrator', name: textAt(each) })),
    ...series.filled('transferAgentList/transferAgent').map((each) => ({
      role: 'transfer_agent',
      name: textAt(each, 'name'),
      number: textAt(each, 'fileNumber'),
      cik: each.cik('EntityCentralIndexKey'),
    })),
  ])
}

function relatedFunds(series: Element) {
  const found = [
    ...series.filled('masterFund').map((each) => ({ relation: 'master', each })),
    ...series.filled('feederFundList/feederFund').map((each) => ({ relation: 'feeder', each })),
  ]
  return found.map(({ relation, each }, at) => ({
    position: at + 1,
    relation,
    name: textAt(each, 'EntityRegistrantName'),
    cik: each.cik('EntityCentralIndexKey'),
    file_number: textAt(each, 'ContainedFileInformationFileNumber'),
    series_id: seriesAt(each, 'seriesIdentifier').id,
  }))
}

function* shareClass(of: Element, position: number, period: string | null): Generator<Row> {
  const price = (which: 'Including' | 'Excluding') =>
    `classShadowPrice/netAssetValuePerShare${which}CapitalSupportAgreement`
  const nav = of.money('netAssetValuePerShare')
  const net = of.money('sevenDayNetYield')
  yield [
    'share_class',
    {
      class_position: position,
      class_id: classAt(of, 'classId'),
      name: null,
      min_investment: of.money('minInitialInvestment'),
      net_assets: of.money('netAssetsOfClass'),
      shares_outstanding: null,
      month_subscriptions: of.money('grossSubscriptionsForMonthEnded'),
      month_redemptions: of.money('grossRedemptionsForMonthEnded'),
      month_net_flow: of.money('netShareholderFlowActivityForMonthEnded'),
      seven_day_net_yield: net,
      nav_per_share: nav,
      shadow_price: of.money(`${price('Including')}/value`),
      shadow_price_day: of.date(`${price('Including')}/dateAsOfWhichValueWasCalculated`),
      shadow_price_unsupported: of.money(`${price('Excluding')}/value`),
      shadow_price_unsupported_day: of.date(`${price('Excluding')}/dateAsOfWhichValueWasCalculated`),
      is_expense_paid: null,
      expense_payer: null,
      expense_paid: null,
      has_cancelled_shares: null,
      other_holders: null,
    },
  ]
  const one = { class_position: position, n: 1, day: period }
  if (nav !== null) yield ['nav', { ...one, week: null, nav_per_share: nav }]
  if (net !== null) yield ['seven_day_yield', { ...one, yield: net }]
}

function* security(of: Element, n: number): Generator<Row> {
  yield [
    'holding',
    {
      n,
      ...idOf({
        cusip: textAt(of, 'CUSIPMember'),
        isin: null,
        issuer_name: textAt(of, 'InvestmentIssuer'),
        title: textAt(of, 'InvestmentTitle'),
      }),
      lei: null,
      cik: of.cik('EntityCentralIndexKey'),
      rssd: null,
      other_id: textAt(of, 'InvestmentIdentifier'),
      category: textAt(of, 'InvestmentTypeDomain'),
      description: textAt(of, 'categoryOfInvestmentDesc'),
      coupon: null,
      is_look_through: of.flag('isFundTreatingAsAcquisitionUnderlyingSecurities'),
      repo_open: null,
      repo_cleared: null,
      repo_ccp: null,
      repo_triparty: null,
      is_eligible: null,
      tier: textAt(of, 'rating'),
      maturity: maturity(of, 'InvestmentMaturityDate'),
      life_maturity: null,
      final_maturity: maturity(of, 'finalLegalInvestmentMaturityDate'),
      has_demand_feature: of.flag('doesSecurityHaveDemandFeature'),
      has_guarantee: of.flag('doesSecurityHaveGuarantee'),
      has_enhancement: of.flag('doesSecurityHaveEnhancementsOnWhichFundRelying'),
      principal: of.money('InvestmentOwnedBalancePrincipalAmount'),
      amortized_cost: of.money('AvailableForSaleSecuritiesAmortizedCost'),
      yield: null,
      value: of.money('InvestmentOwnedAtFairValue'),
      value_unsupported: of.money('valueOfSecurityExcludingValueOfCapitalSupportAgreement'),
      net_assets_ratio: of.money('InvestmentOwnedPercentOfNetAssets'),
      is_level3: null,
      is_daily_liquid: null,
      is_weekly_liquid: null,
      is_illiquid: of.flag('isThisIlliquidSecurity'),
      explanatory_notes: textAt(of, 'InvestmentOwnedInvestmentAdditionalInformation'),
    },
  ]
  for (const [at, each] of of.filled('repurchaseAgreementList/RepurchaseAgreement').entries()) {
    yield ['collateral', collateral(each, n, at + 1)]
  }
  yield* supported(of, n)
}

const collateral = (of: Element, n: number, position: number) => ({
  n,
  position,
  issuer_name: textAt(of, 'InvestmentIssuer'),
  lei: null,
  cusip: null,
  maturity: maturity(of, 'InvestmentMaturityDate/date') ?? maturity(of, 'InvestmentMaturityDate/dateRange/from'),
  maturity_to: maturity(of, 'InvestmentMaturityDate/dateRange/to'),
  coupon: textAt(of, 'CR'),
  yield: null,
  principal: of.money('AssetsSoldUnderAgreementsToRepurchaseCarryingAmounts'),
  value: of.money('CashCollateralForBorrowedSecurities'),
  category: textAt(of, 'InvestmentTypeDomain'),
  description: textAt(of, 'categoryOfInvestmentDesc'),
})

/**
 * Kinds of support, each with the paths of its elements, of the firm's name and of the firm's ratings. NRSROSRating is
 * the schema's own spelling.
 */
const SUPPORTS = [
  ['demand_feature', 'demandFeatureIssuerList/demandFeatureIssuer', 'InvestmentIssuer', 'NRSRORatingList/NRSROSRating'],
  ['guarantee', 'guarantorList/guarantor', 'O', 'NRSRORatingList/NRSRORating'],
  [
    'enhancement',
    'enhancementsList/enhancement',
    'enhancementProviderList/Provider/enhancementProvider',
    'enhancementProviderList/Provider/NRSRORatingList/NRSRORating',
  ],
] as const

function* supported(of: Element, n: number): Generator<Row> {
  const ratings = of
    .filled('designatedNRSROList/designatedNRSRO')
    .map((each) => ({ support: null as number | null, each }))
  let position = 0
  for (const [kind, path, name, rated] of SUPPORTS) {
    for (const each of of.filled(path)) {
      position++
      const provider = { name: each.texts(name).join('; ') || null, type: each.text('typeOfEnhancement') }
      yield ['support', { n, position, kind, ...provider, ratio: null, remaining: null, is_conditional: null }]
      const support = position
      ratings.push(...each.filled(rated).map((one) => ({ support, each: one })))
    }
  }
  const rows = ratings.map(({ support, each }) => ({ support, agency: textAt(each, 'RAN'), rating: textAt(each, 'R') }))
  for (const { n: at, ...row } of numbered(rows)) yield ['rating', { n, position: at, ...row }]
}
