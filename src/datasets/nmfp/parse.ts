/**
 * Reads Form N-MFP from its one document. N-MFP1, N-MFP2 and N-MFP3 share one structure, but each renamed some
 * elements. One function reads all three, so a document with the form code of another generation is still read whole.
 * The first N-MFP has another schema: parse/original.ts.
 */
import type { Filing } from '../../declare/documents.ts'
import type { Element } from '../../read/xml.ts'
import { shareClass } from './parse/class.ts'
import { fundOf, named } from './parse/fund.ts'
import { security } from './parse/holding.ts'
import { liquidity, navs, numbered, yields } from './parse/list.ts'
import { original } from './parse/original.ts'
import { providers, relatedFunds } from './parse/provider.ts'
import { type Header, newest, type Row, type RowOf, textAt } from './parse/values.ts'

/**
 * Yields the rows of one N-MFP, of any generation.
 *
 * @throws Error if the document is not a Form N-MFP
 */
export function* parse({ documents: { form }, header }: Filing<{ form: Element }>): Generator<Row> {
  yield* documentRows(form, header)
}

/** Yields the rows of a document, which may have been rebuilt from the lines of a set. */
export function* documentRows(doc: Element, header: Header): Generator<Row> {
  const type = doc.text('headerData/submissionType') ?? doc.text('submissionType')
  if (doc.name !== 'edgarSubmission' || !/^N-MFP[123]?(\/A)?$/.test(type ?? '')) {
    throw new Error(`not a Form N-MFP: <${doc.name}> with submissionType ${type}`)
  }
  if (type !== header.form) doc.problem(type!, `the index lists it as ${header.form}`)
  if (doc.maybe('headerData') === null) yield* original(doc, type!, header)
  else yield* renamed(doc, type!, header)
}

function* renamed(doc: Element, type: string, header: Header): Generator<Row> {
  // These elements hold the envelope of the submission, and the person whom the SEC may ask about the filing.
  doc.ignore('schemaVersion', 'headerData/filerInfo', 'formData/generalInfo/contact2')
  const form = doc.one('formData')
  const general = form.maybe('generalInfo') ?? form
  const series = form.maybe('seriesLevelInfo') ?? form
  const period = general.date('reportDate') ?? header.period
  const listed = {
    liquidity: liquidity(series, period),
    nav: navs(series, period, 0, [
      'netAssetValue',
      'dailyNetAssetValuePerShareSeries',
      'dailyNetAssetValuePerShareDateSeries',
    ]),
    yields: yields(series, period, 0, 'sevenDayGrossYield'),
  }
  const classes = form.filled('classLevelInfo')
  const securities = form.filled('scheduleOfPortfolioSecuritiesInfo')
  const disposed = form.maybe('dispositionOfPortfolioSecurities')

  yield [
    'report',
    {
      submission_type: type,
      generation: generationOf(series, type),
      is_amendment: type.endsWith('/A'),
      ...fundOf(general, header),
      period,
      ...partGeneral(general, series),
      ...partSeries(series),
      ...newestOf(listed, period),
      read_class_count: classes.length,
      holding_count: securities.length,
      other_disposed: disposed && textAt(disposed, 'otherInstrumentBriefDescription'),
      ...signed(form.maybe('signature')),
      ...named(textAt(general, 'nameOfSeries'), nameOf(form, header)),
    },
  ]
  for (const row of providers(series)) yield ['provider', row]
  for (const row of relatedFunds(general, series)) yield ['related_fund', row]
  for (const row of listed.liquidity) yield ['liquidity', row]
  for (const row of listed.nav) yield ['nav', row]
  for (const row of listed.yields) yield ['seven_day_yield', row]
  for (const row of fees(series)) yield ['liquidity_fee', row]
  for (const [at, each] of classes.entries()) yield* shareClass(each, at + 1, period)
  for (const [at, each] of securities.entries()) yield* security(each, at + 1)
  for (const row of disposed === null ? [] : dispositions(disposed)) yield ['disposition', row]
}

/**
 * Determines the generation from the lists, even if the document states another type. Only N-MFP3 has a list by
 * business days, and only N-MFP2 has the elements `fridayDay1` to `fridayDay5`. Without such a list, the type decides.
 */
function generationOf(series: Element, type: string): string {
  if (series.all('liquidAssetsDetails').length > 0) return 'N-MFP3'
  if (series.all('totalValueDailyLiquidAssets/fridayDay1').length > 0) return 'N-MFP2'
  return type.replace(/\/A$/, '')
}

const nameOf = (form: Element, header: Header): string | null =>
  textAt(form, 'generalInfo/registrantFullName') ?? textAt(form, 'signature/registrant') ?? header.name

const partGeneral = (general: Element, series: Element) => ({
  registrant_lei: textAt(general, 'registrantLEIId'),
  fund_lei: textAt(general, 'leiOfSeries'),
  class_count: general.count('totalShareClassesInSeries'),
  is_final: general.flag('finalFilingFlag'),
  is_liquidating: general.flag('fundLiquidatingFlag'),
  is_merging: general.flag('fundMrgOrAcqrdByOthrFlag'),
  has_acquired: general.flag('fundAcqrdOrMrgdWthAnthrFlag'),
  is_paper_copy: null,
  securities_act_file_number: textAt(series, 'securitiesActFileNumber'),
})

const partSeries = (series: Element) => ({
  is_feeder: series.flag('feederFundFlag'),
  is_master: series.flag('masterFundFlag'),
  for_insurance_accounts: series.flag('seriesFundInsuCmpnySepAccntFlag'),
  category: series.texts('moneyMarketFundCategory').join(', ') || null,
  is_retail: series.flag('fundExemptRetailFlag') ?? series.flag('fundRetailMoneyMarketFlag'),
  is_government: series.flag('govMoneyMrktFundFlag'),
  average_maturity: series.count('averagePortfolioMaturity'),
  average_life: series.count('averageLifeMaturity'),
  cash: series.money('cash'),
  securities_value: series.money('totalValuePortfolioSecurities'),
  amortized_cost: series.money('amortizedCostPortfolioSecurities'),
  other_assets: series.money('totalValueOtherAssets'),
  liabilities: series.money('totalValueLiabilities'),
  net_assets: series.money('netAssetOfSeries'),
  shares_outstanding: series.money('numberOfSharesOutstanding'),
  seeks_stable_price: series.flag('seekStablePricePerShare'),
  stable_price: series.money('stablePricePerShare'),
  shadow_price: null,
  shadow_price_day: null,
  shadow_price_unsupported: null,
  shadow_price_unsupported_day: null,
  is_cash_vehicle: series.flag('cashMgmtVehicleAffliatedFundFlag'),
  has_liquidity_fee: series.flag('liquidityFeeFundApplyFlag'),
})

interface Listed {
  liquidity: RowOf<'liquidity'>[]
  nav: RowOf<'nav'>[]
  yields: RowOf<'seven_day_yield'>[]
}

function newestOf({ liquidity: liquid, nav, yields: yielded }: Listed, period: string | null) {
  const [last, price, gross] = [newest(liquid, period), newest(nav, period), newest(yielded, period)]
  return {
    daily_liquid_assets: last?.daily_liquid_assets ?? null,
    weekly_liquid_assets: last?.weekly_liquid_assets ?? null,
    daily_liquid_ratio: last?.daily_liquid_ratio ?? null,
    weekly_liquid_ratio: last?.weekly_liquid_ratio ?? null,
    liquid_day: last?.day ?? null,
    seven_day_gross_yield: gross?.yield ?? null,
    yield_day: gross?.day ?? null,
    nav_per_share: price?.nav_per_share ?? null,
    nav_day: price?.day ?? null,
  }
}

const signed = (of: Element | null) => ({
  signed_by: of && textAt(of, 'registrant'),
  signature: of && textAt(of, 'signature'),
  signer: of && textAt(of, 'nameOfSigningOfficer'),
  signer_title: of && textAt(of, 'titleOfSigningOfficer'),
  signed: of?.date('signatureDate') ?? null,
})

const fees = (series: Element) =>
  numbered(
    series.filled('liquidityFeeReportingPeriod').map((each) => ({
      day: each.date('liquidityFeeApplyDate'),
      type: textAt(each, 'liquidityFeeTypeForReportingPeriod'),
      amount: each.money('liquidityFeeAmountApplyToRedemption'),
      redeemed_ratio: each.money('liquidityFeePercentSharesRedeemed'),
    })),
  )

/** The elements of Part D. Each has its category in the words of Item C.6, which has the same categories. */
const DISPOSED = [
  ['depositionUSTreasuryDebtAmt', 'U.S. Treasury Debt'],
  ['govtAgencyCouponPayingDebtAmt', 'U.S. Government Agency Debt (if categorized as coupon-paying notes)'],
  ['govtAgencyNonCouponPayingDebtAmt', 'U.S. Government Agency Debt (if categorized as no-coupon discount notes)'],
  ['nonUSSovereignSupraNationalDebtAmt', 'Non-U.S. Sovereign, Sub-Sovereign and Supra-National debt'],
  ['certificateDepositAmt', 'Certificate of Deposit'],
  ['nonNegotiableTimeDepositAmt', 'Non-Negotiable Time Deposit'],
  ['variableRateDemandNoteAmt', 'Variable Rate Demand Note'],
  ['otherMunicipalSecurityAmt', 'Other Municipal Security'],
  ['assetBackedCommercialPaperAmt', 'Asset Backed Commercial Paper'],
  ['otherAssetBackedSecuritiesAmt', 'Other Asset Backed Securities'],
  [
    'usTreasuryRepurchaseAgreementAmt',
    'U.S. Treasury Repurchase Agreement, if collateralized only by U.S. Treasuries (including Strips) and cash',
  ],
  [
    'usGovtAgencyRepurchaseAgreementAmt',
    'U.S. Government Agency Repurchase Agreement, collateralized only by U.S. Government Agency securities, U.S. Treasuries, and cash',
  ],
  [
    'otherRepurchaseAgreementAmt',
    'Other Repurchase Agreement, if collateral falls outside Treasury, Government Agency and cash',
  ],
  ['insuranceCompanyFundAgreementAmt', 'Insurance Company Funding Agreement'],
  ['investmentCompanyAmt', 'Investment Company'],
  ['financialCompanyCommercialAmt', 'Financial Company Commercial Paper'],
  ['nonFinancialCompanyCommercialAmt', 'Non-Financial Company Commercial Paper'],
  ['tenderOptionBondAmt', 'Tender Option Bond'],
  ['otherInstrumentAmt', 'Other Instrument'],
] as const

const dispositions = (of: Element) =>
  numbered(
    DISPOSED.flatMap(([path, category]) => {
      const amount = of.money(path)
      return amount === null ? [] : [{ category, amount }]
    }),
  )
