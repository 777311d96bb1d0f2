/** Reads one holding of Part C, `invstOrSec`: the security, the amount, and the parts that only some holdings have. */
import type { FormPart } from '../../../read/form-part.ts'
import { derivativeRows, referenceRow } from './derivative.ts'
import type { Line, Row } from './types.ts'
import { amount, balanceOf, category, codeAt, currencyOf, dayOf, identifiersOf, statedAt, yes } from './values.ts'

/** Reads one holding. The element collects unreadable values as problems. */
export function parseLine(record: FormPart): Line {
  // `notDissem` marks holdings that EDGAR does not publish. Such holdings are not in a public document.
  record.ignore('notDissem')
  const identifiers = identifiersOf(record)
  const isin = identifiers.find(({ kind }) => kind === 'isin')
  const ticker = identifiers.find(({ kind }) => kind === 'ticker')
  const asset = category(record, 'asset')
  const issuer = category(record, 'issuer')
  const others = identifiers.filter((one) => one !== isin && one !== ticker)
  const parts = PARTS.map((part) => part(record)).filter((part) => part !== NOTHING)
  const derivatives = derivativeRows(record)
  return {
    security: {
      cusip: record.text('cusip'),
      isin: isin?.value ?? null,
      ticker: ticker?.value ?? null,
      lei: statedAt(record, 'lei'),
      issuer_name: statedAt(record, 'name'),
      title_of_class: statedAt(record, 'title'),
      asset_cat: asset.category,
      asset_description: asset.description,
      issuer_cat: issuer.category,
      issuer_description: issuer.description,
      country: codeAt(record, 'invCountry'),
      risk_country: codeAt(record, 'invOthCountry'),
    },
    holding: {
      value: amount(record, 'valUSD'),
      ...balanceOf(record),
      units_other: statedAt(record, 'descOthUnits'),
      ...currencyOf(record),
      percent: amount(record, 'pctVal'),
      payoff: payoffOf(statedAt(record, 'payoffProfile')),
      fair_value_level: record.value('fairValLevel', level, 'not one of 1, 2, 3, N/A'),
      is_restricted: yes(record, 'isRestrictedSec'),
      in_names_basket: yes(record, 'isIncludedFunds80PercentBasket'),
    },
    more: (placed) => [
      ...others.map(({ kind, value, description }, at): Row => {
        const of = { ...placed, position: at + 1, kind: kind === 'cusip' ? 'other' : kind, value, description }
        return ['identifier', of]
      }),
      ...parts.flatMap((part) => part(placed)),
      ...derivatives(placed),
    ],
  }
}

const LEVELS = new Map([
  ['1', 1],
  ['2', 2],
  ['3', 3],
  ['N/A', undefined],
])
const level = (text: string) => {
  const plain = text.toUpperCase()
  return LEVELS.has(plain) ? LEVELS.get(plain) : null
}

/** Returns Long or Short as the form writes them, because sums and prices compare these texts. */
function payoffOf(text: string | null): string | null {
  if (text === null || text === 'Long' || text === 'Short') return text
  return { long: 'Long', short: 'Short' }[text.toLowerCase()] ?? text
}

type Part = (record: FormPart) => Line['more']
const NOTHING: Line['more'] = () => []

const debtRows: Part = (record) => {
  const debt = record.maybe('debtSec')
  if (debt === null) return NOTHING
  const terms = {
    matures: dayOf(debt, 'maturityDt'),
    coupon: statedAt(debt, 'couponKind') ?? debt.text('couponKind'),
    rate: amount(debt, 'annualizedRt'),
    is_default: yes(debt, 'isDefault'),
    is_in_arrears: yes(debt, 'areIntrstPmntsInArrs'),
    is_paid_in_kind: yes(debt, 'isPaidKind'),
    is_mandatory_convertible: yes(debt, 'isMandatoryConvrtbl'),
    is_contingent_convertible: yes(debt, 'isContngtConvrtbl'),
    delta: amount(debt, 'delta'),
  }
  const references = debt.all('dbtSecRefInstruments/dbtSecRefInstrument').map((one) => ({
    ...referenceRow('convertible', one),
    derivative_position: null,
    name: statedAt(one, 'name'),
    title: statedAt(one, 'title'),
    currency: statedAt(one, 'curCd'),
  }))
  const ratios = debt.all('currencyInfos/currencyInfo').map((one) => ({
    ratio: amount(one, '@convRatio'),
    currency: statedAt(one, '@curCd'),
  }))
  return ({ n, quarter }) => [
    ['debt', { n, quarter, ...terms }],
    ...references.map((row, at): Row => ['reference', { n, position: at + 1, ...row }]),
    ...ratios.map((row, at): Row => ['conversion', { n, position: at + 1, ...row }]),
  ]
}

const repurchaseRows: Part = (record) => {
  const agreement = record.maybe('repurchaseAgrmt')
  if (agreement === null) return NOTHING
  const [cleared, notCleared] = [agreement.maybe('clearedCentCparty'), agreement.maybe('notClearedCentCparty')]
  const terms = {
    kind: statedAt(agreement, 'transCat'),
    is_cleared: (cleared && yes(cleared, '@isCleared')) ?? (notCleared && yes(notCleared, '@isCleared')),
    central_counterparty: cleared && statedAt(cleared, '@centralCounterparty'),
    is_tri_party: yes(agreement, 'isTriParty'),
    rate: amount(agreement, 'repurchaseRt'),
    matures: dayOf(agreement, 'maturityDt'),
  }
  const parties = notCleared?.all('counterpartyInfos/counterpartyInfo') ?? []
  const counterparties = parties.map((one) => ({ name: statedAt(one, '@name'), lei: statedAt(one, '@lei') }))
  const collaterals = agreement.all('repurchaseCollaterals/repurchaseCollateral').map((one) => ({
    principal: amount(one, 'principalAmt'),
    principal_currency: statedAt(one, 'principalCd'),
    value: amount(one, 'collateralVal'),
    value_currency: statedAt(one, 'collateralCd'),
    ...category(one, 'invst'),
  }))
  return ({ n }) => [
    ['repurchase', { n, ...terms }],
    ...counterparties.map(
      (row, at): Row => ['counterparty', { n, position: at + 1, derivative_position: null, ...row }],
    ),
    ...collaterals.map((row, at): Row => ['repurchase_collateral', { n, position: at + 1, ...row }]),
  ]
}

/** Returns the row about lending. Nearly every holding answers N three times, and then has no row. */
const lendingRows: Part = (record) => {
  const lent = record.maybe('securityLending')
  if (lent === null) return NOTHING
  const answer = (plain: string, conditional: string, is: string, value: string) => {
    const more = lent.maybe(conditional)
    const isLent = yes(lent, plain)
    return { is: isLent ?? (more && yes(more, is)), value: more && amount(more, value) }
  }
  const cash = answer('isCashCollateral', 'cashCollateralCondition', '@isCashCollateral', '@cashCollateralVal')
  const other = answer(
    'isNonCashCollateral',
    'nonCashCollateralCondition',
    '@isNonCashCollateral',
    '@nonCashCollateralVal',
  )
  const loan = answer('isLoanByFund', 'loanByFundCondition', '@isLoanByFund', '@loanVal')
  const isNone = ({ is, value }: typeof cash) => is !== true && value === null
  if (isNone(cash) && isNone(other) && isNone(loan)) return NOTHING
  const row = {
    is_cash_collateral: cash.is,
    cash_collateral: cash.value,
    is_noncash_collateral: other.is,
    noncash_collateral: other.value,
    is_loaned: loan.is,
    loaned: loan.value,
  }
  return ({ n }) => [['lending', { n, ...row }]]
}

/**
 * Public reports omit the liquidity class. The form has it as one word, or as several classes with their parts and
 * reasons.
 */
const liquidityRows: Part = (record) => {
  const one = record.text('fundCat')
  if (one !== null) {
    return ({ n }) => [['liquidity', { n, position: 1, category: one, percent: null, circumstances: [] }]]
  }
  const several = record.maybe('fundCats')
  if (several === null) return NOTHING
  const classes = several
    .all('fundCat')
    .map((each) => ({ category: each.text('@category'), percent: amount(each, '@pct') }))
  const reasons = several.texts('circumstances')
  return ({ n }) =>
    classes.map((row, at): Row => {
      const of = { n, position: at + 1, ...row, circumstances: at === 0 ? reasons : [] }
      return ['liquidity', of]
    })
}

/** Parts that only some holdings have. */
const PARTS: readonly Part[] = [debtRows, repurchaseRows, lendingRows, liquidityRows]
