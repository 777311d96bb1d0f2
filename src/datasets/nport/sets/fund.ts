/**
 * Rebuilds the form's elements about the fund from the SEC's data sets of Form N-PORT (since 2019 Q4).
 *
 * The sets lack these, so rows from them have null: the header (classes, kind of company, confidentiality), the
 * signature, the liquidity and derivatives programs of Part B (B.7 to B.12) except the index of a VaR test, and terms
 * of the names rule.
 */
import type { Branch, Plan } from '../../../read/made.ts'

const TERMS = [
  ['period3Mon', '3MON'],
  ['period1Yr', '1YR'],
  ['period5Yr', '5YR'],
  ['period10Yr', '10YR'],
  ['period30Yr', '30YR'],
] as const

const byTerm = (element: string, column: (term: string) => string): Plan =>
  Object.fromEntries(TERMS.map(([attribute, term]) => [`${element}/@${attribute}`, column(term)]))

const byMonth = (path: (month: number) => string, column: string): Plan =>
  Object.fromEntries([1, 2, 3].map((month) => [path(month), `${column}${month}`]))

const INFO = 'formData/fundInfo'
const KEYS = ['ACCESSION_NUMBER']

/** Contracts and instruments of Item B.5.c, by the beginnings of their names. */
const CONTRACTS: readonly (readonly [RegExp, string])[] = [
  [/^comm/i, 'commodityContracts'],
  [/^cred/i, 'creditContracts'],
  [/^equi/i, 'equityContracts'],
  [/^(foreign|fx)/i, 'foreignExchgContracts'],
  [/^inter/i, 'interestRtContracts'],
  [/^other/i, 'otherContracts'],
]
const INSTRUMENTS: readonly (readonly [RegExp, string])[] = [
  [/^forward/i, 'forwardCategory'],
  [/^future/i, 'futureCategory'],
  [/^option/i, 'optionCategory'],
  [/^swaption/i, 'swaptionCategory'],
  [/^swap/i, 'swapCategory'],
  [/^warrant/i, 'warrantCategory'],
  [/^other/i, 'otherCategory'],
]

const found = (text: string, of: readonly (readonly [RegExp, string])[]) => of.find(([name]) => name.test(text))?.[1]

/** All data of a filing except its holdings. */
export const FUND: readonly Branch[] = [
  {
    member: 'SUBMISSION',
    at: '',
    texts: { 'headerData/submissionType': 'SUB_TYPE', 'formData/genInfo/isFinalFiling': 'IS_LAST_FILING' },
    days: {
      'formData/genInfo/repPdEnd': 'REPORT_ENDING_PERIOD',
      'formData/genInfo/repPdDate': 'REPORT_DATE',
    },
    // Blank in every line of 2026 Q1; REGISTRANT has the registrant's.
    ignored: [...KEYS, 'FILING_DATE', 'FILE_NUM'],
  },
  {
    member: 'REGISTRANT',
    at: 'formData/genInfo',
    once: true,
    texts: {
      regCik: 'CIK',
      regName: 'REGISTRANT_NAME',
      regFileNumber: 'FILE_NUM',
      regLei: 'LEI',
      regStreet1: 'ADDRESS1',
      regStreet2: 'ADDRESS2',
      regCity: 'CITY',
      'regStateConditional/@regState': 'STATE',
      'regStateConditional/@regCountry': 'COUNTRY',
      regZipOrPostalCode: 'ZIP',
      regPhone: 'PHONE',
    },
    ignored: KEYS,
  },
  {
    member: 'FUND_REPORTED_INFO',
    at: 'formData/genInfo',
    once: true,
    texts: { seriesName: 'SERIES_NAME', seriesId: 'SERIES_ID', seriesLei: 'SERIES_LEI' },
  },
  {
    member: 'FUND_REPORTED_INFO',
    at: INFO,
    once: true,
    texts: {
      totAssets: 'TOTAL_ASSETS',
      totLiabs: 'TOTAL_LIABILITIES',
      netAssets: 'NET_ASSETS',
      assetsAttrMiscSec: 'ASSETS_ATTRBT_TO_MISC_SECURITY',
      assetsInvested: 'ASSETS_INVESTED',
      amtPayOneYrBanksBorr: 'BORROWING_PAY_WITHIN_1YR',
      amtPayOneYrCtrldComp: 'CTRLD_COMPANIES_PAY_WITHIN_1YR',
      amtPayOneYrOthAffil: 'OTHER_AFFILIA_PAY_WITHIN_1YR',
      amtPayOneYrOther: 'OTHER_PAY_WITHIN_1YR',
      amtPayAftOneYrBanksBorr: 'BORROWING_PAY_AFTER_1YR',
      amtPayAftOneYrCtrldComp: 'CTRLD_COMPANIES_PAY_AFTER_1YR',
      amtPayAftOneYrOthAffil: 'OTHER_AFFILIA_PAY_AFTER_1YR',
      amtPayAftOneYrOther: 'OTHER_PAY_AFTER_1YR',
      delayDeliv: 'DELAYED_DELIVERY',
      standByCommit: 'STANDBY_COMMITMENT',
      liquidPref: 'LIQUIDATION_PREFERENCE',
      cshNotRptdInCorD: 'CASH_NOT_RPTD_IN_C_OR_D',
      isNonCashCollateral: 'IS_NON_CASH_COLLATERAL',
      ...byTerm('creditSprdRiskInvstGrade', (term) => `CREDIT_SPREAD_${term}_INVEST`),
      ...byTerm('creditSprdRiskNonInvstGrade', (term) => `CREDIT_SPREAD_${term}_NONINVEST`),
      ...byMonth((month) => `returnInfo/othMon${month}/@netRealizedGain`, 'NET_REALIZE_GAIN_NONDERIV_MON'),
      ...byMonth((month) => `returnInfo/othMon${month}/@netUnrealizedAppr`, 'NET_UNREALIZE_AP_NONDERIV_MON'),
      ...byMonth((month) => `mon${month}Flow/@sales`, 'SALES_FLOW_MON'),
      ...byMonth((month) => `mon${month}Flow/@reinvestment`, 'REINVESTMENT_FLOW_MON'),
      ...byMonth((month) => `mon${month}Flow/@redemption`, 'REDEMPTION_FLOW_MON'),
    },
    ignored: KEYS,
  },
  {
    member: 'INTEREST_RATE_RISK',
    at: `${INFO}/curMetrics/curMetric`,
    texts: {
      curCd: 'CURRENCY_CODE',
      ...byTerm('intrstRtRiskdv01', (term) => `INTRST_RATE_CHANGE_${term}_DV01`),
      ...byTerm('intrstRtRiskdv100', (term) => `INTRST_RATE_CHANGE_${term}_DV100`),
    },
    ignored: [...KEYS, 'INTEREST_RATE_RISK_ID'],
  },
  {
    member: 'BORROWER',
    at: `${INFO}/borrowers/borrower`,
    texts: { '@name': 'NAME', '@lei': 'LEI', '@aggrVal': 'AGGREGATE_VALUE' },
    ignored: [...KEYS, 'BORROWER_ID'],
  },
  {
    member: 'BORROW_AGGREGATE',
    at: `${INFO}/aggregateCondition/aggregateInfos/aggregateInfo`,
    texts: { '@amt': 'AMOUNT', '@collatrl': 'COLLATERAL' },
    ignored: [...KEYS, 'BORROW_AGGREGATE_ID'],
    more(made, row) {
      const other = row.text('OTHER_DESC')
      made.put(other === null ? 'invstCat' : 'invstCatConditional/@invstCat', row.text('INVESTMENT_CAT'))
      made.put('invstCatConditional/@otherDesc', other)
    },
  },
  {
    member: 'MONTHLY_TOTAL_RETURN',
    at: `${INFO}/returnInfo/monthlyTotReturns/monthlyTotReturn`,
    texts: { '@classId': 'CLASS_ID', ...byMonth((month) => `@rtn${month}`, 'MONTHLY_TOTAL_RETURN') },
    ignored: [...KEYS, 'MONTHLY_TOTAL_RETURN_ID'],
  },
  {
    member: 'MONTHLY_RETURN_CAT_INSTRUMENT',
    at: `${INFO}/returnInfo/monthlyReturnCats`,
    once: true,
    ignored: KEYS,
    more(made, row) {
      const [contract, kind] = [row.text('ASSET_CAT'), row.text('INSTRUMENT_KIND')]
      const [of, instrument] = [found(contract ?? '', CONTRACTS), found(kind ?? '', INSTRUMENTS)]
      // The gains of a contract without an instrument cover all its instruments.
      if (of === undefined) row.problem('ASSET_CAT', contract ?? '', 'is not a kind of contract of the form')
      else if (kind !== null && instrument === undefined)
        row.problem('INSTRUMENT_KIND', kind, 'is not an instrument of the form')
      else {
        const at = instrument === undefined ? `${of}/mon` : `${of}/${instrument}/instrMon`
        made.fill(row, {
          ...byMonth((month) => `${at}${month}/@netRealizedGain`, 'NET_REALIZED_GAIN_MON'),
          ...byMonth((month) => `${at}${month}/@netUnrealizedAppr`, 'NET_UNREALIZED_AP_MON'),
        })
      }
    },
  },
  {
    member: 'FUND_VAR_INFO',
    at: `${INFO}/varInfo/fundsDesignatedInfo`,
    once: true,
    texts: { nameDesignatedIndex: 'DESIGNATED_INDEX_NAME', indexIdentifier: 'DESIGNATED_INDEX_IDENTIFIER' },
    ignored: KEYS,
  },
  {
    member: 'EXPLANATORY_NOTE',
    at: 'formData/explntrNotes/explntrNote',
    texts: { '@noteItem': 'ITEM_NO', '@note': 'EXPLANATORY_NOTE' },
    ignored: [...KEYS, 'EXPLANATORY_NOTE_ID'],
  },
]
