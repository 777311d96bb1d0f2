/** Reads a report's data about its fund: header, Part A, Part B, the notes and the signature. */

import { foldedKey } from '../../../read/fold.ts'
import { classAt, fundKey, NO_SERIES, type Series, seriesAt } from '../../../read/fund.ts'
import type { Element } from '../../../read/xml.ts'
import { storedName } from '../../../stored-names.ts'
import type { Row, RowOf } from './types.ts'
import { amount, dayOf, statedAt, whole, yes } from './values.ts'

export type Signature = ReturnType<typeof parseSignature>
/**
 * The row of the report without the signature and the totals of holdings, because both are known only after the
 * holdings.
 */
export type Head = Omit<RowOf<'report'>, 'holding_count' | 'holdings_value' | keyof Signature>

/** Facts about the submission, used if the document lacks them. */
export interface Outside {
  form: string
  cik: string | null
}

/** Reads `headerData`. Skips elements that only serve the submission to EDGAR. */
export function parseHeader(header: Element) {
  header.ignore('accessionNumber')
  const info = header.maybe('filerInfo')
  // These elements only serve the submission to EDGAR, which removes the ccc before publication. The file number is
  // read in Part A.
  info?.ignore('liveTestFlag', 'contact', 'notifications', 'flags', 'filer/issuerCredentials/ccc', 'filer/fileNumber')
  info?.ignore('invstCompanyType/isImCompany')
  const type = header.text('submissionType')
  return {
    submission_type: type,
    is_confidential: header.flag('isConfidential'),
    cik: info?.cik('filer/issuerCredentials/cik') ?? null,
    series: info === null ? NO_SERIES : seriesAt(info, 'seriesClassInfo/seriesId'),
    class_ids: (info?.all('seriesClassInfo/classId') ?? []).flatMap((one) => classAt(one) ?? []),
    company_type: info?.text('invstCompanyType') ?? info?.text('invstCompanyType/invCompanyType') ?? null,
  }
}

type Header = ReturnType<typeof parseHeader>

/** Returns the series in Part A, else the series in the header. */
function seriesOf(general: Element, header: Header | null): Series {
  const own = seriesAt(general, 'seriesId')
  const other = header?.series ?? NO_SERIES
  return own.id !== null || (!own.isKnown && other.id === null) ? own : other
}

/** Reads Part A, `genInfo`. */
export function parseGeneral(general: Element, header: Header | null, outside: Outside) {
  const cik = general.cik('regCik') ?? header?.cik ?? outside.cik
  const submission_type = header?.submission_type ?? outside.form
  const series = seriesOf(general, header)
  const [registrant_name, series_name] = [statedAt(general, 'regName'), statedAt(general, 'seriesName')]
  const fund_name = series_name ?? registrant_name
  // Users search for a fund by its own name, or by the name of its fund family. The latter may occur only in the
  // registrant's name.
  const searched = [...new Set([series_name, registrant_name])].filter((name) => name !== null).join(' ')
  const conditional = general.maybe('regStateConditional')
  return {
    submission_type,
    is_amendment: submission_type.endsWith('/A'),
    is_confidential: header?.is_confidential ?? null,
    class_ids: header?.class_ids ?? [],
    company_type: header?.company_type ?? null,
    fund: fundKey(cik, series),
    cik,
    series_id: series.id,
    fund_name,
    name_key: searched === '' ? null : foldedKey(searched),
    name_words: searched === '' ? null : storedName(searched).words,
    registrant_name,
    file_number: statedAt(general, 'regFileNumber'),
    registrant_lei: statedAt(general, 'regLei'),
    street1: statedAt(general, 'regStreet1'),
    street2: statedAt(general, 'regStreet2'),
    city: statedAt(general, 'regCity'),
    state: conditional?.text('@regState') ?? null,
    country: conditional?.text('@regCountry') ?? statedAt(general, 'regCountry'),
    zip: statedAt(general, 'regZipOrPostalCode'),
    phone: statedAt(general, 'regPhone'),
    series_name,
    series_lei: statedAt(general, 'seriesLei'),
    fiscal_year_end: dayOf(general, 'repPdEnd'),
    period: dayOf(general, 'repPdDate'),
    is_final: yes(general, 'isFinalFiling'),
  }
}

/** Reads the single figures of Part B, `fundInfo`. All are null if the report has no Part B. */
export function parseFund(info: Element | null) {
  const money = (path: string) => (info === null ? null : amount(info, path))
  const liquid = info?.maybe('liquidInvst') ?? null
  const changed = liquid?.maybe('liquidInvConditional') ?? null
  const classes = info?.all('derivTrans/derivTran') ?? []
  const terms = info?.all('namesRuleInvstPolicy/terms/termInformation') ?? []
  return {
    total_assets: money('totAssets'),
    total_liabilities: money('totLiabs'),
    net_assets: money('netAssets'),
    miscellaneous_securities: money('assetsAttrMiscSec'),
    foreign_corporation_assets: money('assetsInvested'),
    owed_banks_year: money('amtPayOneYrBanksBorr'),
    owed_controlled_year: money('amtPayOneYrCtrldComp'),
    owed_affiliates_year: money('amtPayOneYrOthAffil'),
    owed_others_year: money('amtPayOneYrOther'),
    owed_banks_later: money('amtPayAftOneYrBanksBorr'),
    owed_controlled_later: money('amtPayAftOneYrCtrldComp'),
    owed_affiliates_later: money('amtPayAftOneYrOthAffil'),
    owed_others_later: money('amtPayAftOneYrOther'),
    delayed_delivery: money('delayDeliv'),
    standby_commitments: money('standByCommit'),
    liquidation_preference: money('liquidPref'),
    cash_not_reported: money('cshNotRptdInCorD'),
    has_noncash_collateral:
      info === null ? null : (yes(info, 'isNonCashCollateral') ?? yes(info, 'aggregateCondition/@isNonCashCollateral')),
    highly_liquid_minimum: money('liquidInvst/highlyLiquidInvst'),
    highly_liquid_days: liquid && whole(liquid, 'daysOfHolding'),
    highly_liquid_changed: liquid && (yes(liquid, 'isChangeRepPd') ?? (changed && yes(changed, 'isChangeRepPd'))),
    highly_liquid_before: changed?.texts('rptPdChanges/rptPdChange') ?? [],
    derivative_classification: info?.text('derivTrans/classification') ?? null,
    derivative_classes:
      classes.length === 0
        ? null
        : classes.map((one) => ({ classification: one.text('@classification'), percent: amount(one, '@fundPct') })),
    derivative_exposure: money('derivExposureInfo/derivExposurePct'),
    currency_derivative_exposure: money('derivExposureInfo/derivCurrencyExposurePct'),
    rate_derivative_exposure: money('derivExposureInfo/derivIntRateExposurePct'),
    exposure_excess_days: info && whole(info, 'derivExposureInfo/noOfBusinessDaysInExcess'),
    var_median: money('varInfo/medianDailyVarPct'),
    var_index_name: info && statedAt(info, 'varInfo/fundsDesignatedInfo/nameDesignatedIndex'),
    var_index_id: info && statedAt(info, 'varInfo/fundsDesignatedInfo/indexIdentifier'),
    var_median_ratio: money('varInfo/fundsDesignatedInfo/medianVarRatioPct'),
    var_exceptions: info && whole(info, 'varInfo/backtestingResults'),
    names_rule_terms:
      terms.length === 0
        ? null
        : terms.map((one) => ({ term: one.text('@term'), definition: one.text('@definitionofTerm') })),
    names_rule_basket: money('namesRuleInvstPolicy/fundsEightyPercentBasket'),
  }
}

/** Yields the repeated rows of Part B in their order. */
export function* fundRows(info: Element): Generator<Row> {
  for (const [position, row] of [...risks(info)].entries()) yield ['rate_risk', { position: position + 1, ...row }]
  for (const [at, one] of info.filled('borrowers/borrower').entries()) {
    const of = { name: statedAt(one, '@name'), lei: statedAt(one, '@lei'), value: amount(one, '@aggrVal') }
    yield ['borrower', { position: at + 1, ...of }]
  }
  for (const [at, one] of info.filled('aggregateCondition/aggregateInfos/aggregateInfo').entries()) {
    const conditional = one.maybe('invstCatConditional')
    const category = statedAt(one, 'invstCat') ?? conditional?.text('@invstCat') ?? null
    const description = conditional?.text('@otherDesc') ?? null
    const [principal, value] = [amount(one, '@amt'), amount(one, '@collatrl')]
    yield ['collateral', { position: at + 1, category, description, principal, value }]
  }
  for (const [at, one] of info.filled('returnInfo/monthlyTotReturns/monthlyTotReturn').entries()) {
    const [month1 = null, month2 = null, month3 = null] = MONTHS.map((month) => amount(one, `@rtn${month}`))
    yield ['class_return', { position: at + 1, class_id: classAt(one, '@classId'), month1, month2, month3 }]
  }
  for (const [position, row] of [...gains(info)].entries()) yield ['gain', { position: position + 1, ...row }]
  for (const [kind, name] of FLOWS) {
    const of = MONTHS.map((month) => info.maybe(`mon${month}Flow`))
    if (of.every((month) => month === null)) continue
    const [month1 = null, month2 = null, month3 = null] = of.map((month) => month && amount(month, `@${name}`))
    yield ['flow', { kind, month1, month2, month3 }]
  }
}

const MONTHS = [1, 2, 3] as const
const FLOWS = [
  ['sales', 'sales'],
  ['reinvestment', 'reinvestment'],
  ['redemption', 'redemption'],
] as const

type Risk = Omit<RowOf<'rate_risk'>, 'position'>

function* risks(info: Element): Generator<Risk> {
  const terms = (of: Element) => ({
    months3: amount(of, '@period3Mon'),
    year1: amount(of, '@period1Yr'),
    years5: amount(of, '@period5Yr'),
    years10: amount(of, '@period10Yr'),
    years30: amount(of, '@period30Yr'),
  })
  for (const metric of info.all('curMetrics/curMetric')) {
    const currency = statedAt(metric, 'curCd')
    for (const [kind, name] of [
      ['rate_1bp', 'intrstRtRiskdv01'],
      ['rate_100bp', 'intrstRtRiskdv100'],
    ] as const) {
      for (const one of metric.all(name)) yield { kind, currency, ...terms(one) }
    }
  }
  for (const [kind, name] of [
    ['spread_investment_grade', 'creditSprdRiskInvstGrade'],
    ['spread_other_grade', 'creditSprdRiskNonInvstGrade'],
  ] as const) {
    for (const one of info.all(name)) yield { kind, currency: null, ...terms(one) }
  }
}

type Gain = Omit<RowOf<'gain'>, 'position'>

const CONTRACTS = [
  ['commodity', 'commodityContracts'],
  ['credit', 'creditContracts'],
  ['equity', 'equityContracts'],
  ['foreign_exchange', 'foreignExchgContracts'],
  ['interest_rate', 'interestRtContracts'],
  ['other', 'otherContracts'],
] as const
const INSTRUMENTS = ['forward', 'future', 'option', 'swaption', 'swap', 'warrant', 'other'] as const

/**
 * Yields the gains of Item B.5 by contract and instrument. Skips rows with only N/A, of which a report has up to 48.
 */
function* gains(info: Element): Generator<Gain> {
  const of = (element: Element | null, name: string) => {
    const [realized1 = null, realized2 = null, realized3 = null] = MONTHS.map(
      (month) => element && amount(element, `${name}${month}/@netRealizedGain`),
    )
    const [unrealized1 = null, unrealized2 = null, unrealized3 = null] = MONTHS.map(
      (month) => element && amount(element, `${name}${month}/@netUnrealizedAppr`),
    )
    return { realized1, realized2, realized3, unrealized1, unrealized2, unrealized3 }
  }
  const all: Gain[] = []
  for (const [contract, name] of CONTRACTS) {
    const contracts = info.maybe(`returnInfo/monthlyReturnCats/${name}`)
    if (contracts === null) continue
    all.push({ contract, instrument: null, ...of(contracts, 'mon') })
    for (const instrument of INSTRUMENTS) {
      all.push({ contract, instrument, ...of(contracts.maybe(`${instrument}Category`), 'instrMon') })
    }
  }
  all.push({ contract: 'other_investments', instrument: null, ...of(info.maybe('returnInfo'), 'othMon') })
  for (const { contract, instrument, ...figures } of all) {
    if (Object.values(figures).some((figure) => figure !== null)) yield { contract, instrument, ...figures }
  }
}

export const parseNotes = (notes: Element): Row[] =>
  notes
    .filled('explntrNote')
    .map((one, at) => ['note', { position: at + 1, item: one.text('@noteItem'), note: one.text('@note') }])

export const parseSignature = (block: Element | null) => ({
  signed: block && dayOf(block, 'dateSigned'),
  applicant: block?.text('nameOfApplicant') ?? null,
  signature: block?.text('signature') ?? null,
  signer: block?.text('signerName') ?? null,
  signer_title: block?.text('title') ?? null,
})
