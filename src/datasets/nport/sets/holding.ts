/**
 * Rebuilds one holding as `invstOrSec` from the SEC's data sets of Form N-PORT, with the lines of other members that
 * name the holding.
 *
 * The sets lack the following, so rows from them have null: the country of risk; the liquidity class; membership in the
 * basket of a names rule; deltas, if the set has no such column; the description of a swap's payments; nested
 * derivatives (only the outer derivative has lines).
 */
import type { SetRecord } from '../../../declare/sets.ts'
import type { CsvRow } from '../../../read/csv.ts'
import { type Columns, type FormPart, LinePart } from '../../../read/form-part.ts'
import { Made, type Plan, problemsOf } from '../../../read/made.ts'
import type { Element, Problem } from '../../../read/xml.ts'

const HOLDING: Plan = {
  name: 'ISSUER_NAME',
  lei: 'ISSUER_LEI',
  title: 'ISSUER_TITLE',
  cusip: 'ISSUER_CUSIP',
  balance: 'BALANCE',
  units: 'UNIT',
  descOthUnits: 'OTHER_UNIT_DESC',
  valUSD: 'CURRENCY_VALUE',
  pctVal: 'PERCENTAGE',
  payoffProfile: 'PAYOFF_PROFILE',
  invCountry: 'INVESTMENT_COUNTRY',
  isRestrictedSec: 'IS_RESTRICTED_SECURITY',
  fairValLevel: 'FAIR_VALUE_LEVEL',
}

const DEBT: Plan = {
  couponKind: 'COUPON_TYPE',
  annualizedRt: 'ANNUALIZED_RATE',
  isDefault: 'IS_DEFAULT',
  areIntrstPmntsInArrs: 'ARE_ANY_INTEREST_PAYMENT',
  isPaidKind: 'IS_ANY_PORTION_INTEREST_PAID',
  isMandatoryConvrtbl: 'IS_CONVTIBLE_MANDATORY',
  isContngtConvrtbl: 'IS_CONVTIBLE_CONTINGENT',
  delta: 'DELTA',
}
const DEBT_DAYS: Plan = { maturityDt: 'MATURITY_DATE' }

const COLLATERAL = {
  cash: ['CASH_COLLATERAL_AMOUNT', 'CASH_COLLATERAL_VALUE'],
  other: ['NON_CASH_COLLATERAL_VALUE', 'NON_CASH_COLLATERAL_AMOUNT'],
} as const

/** Members whose lines name a holding, each with a reader. */
export const OF_HOLDING = {
  IDENTIFIERS: identifiers,
  DEBT_SECURITY: filled('debtSec', DEBT, DEBT_DAYS),
  DEBT_SECURITY_REF_INSTRUMENT(made: Made, row: CsvRow) {
    const one = made.child('debtSec/dbtSecRefInstruments/dbtSecRefInstrument')
    one.fill(row, { name: 'ISSUER_NAME', title: 'ISSUE_TITLE', curCd: 'CURRENCY_CODE' })
    identified(one, row)
  },
  CONVERTIBLE_SECURITY_CURRENCY(made: Made, row: CsvRow) {
    made
      .child('debtSec/currencyInfos/currencyInfo')
      .fill(row, { '@convRatio': 'CONVERSION_RATIO', '@curCd': 'CURRENCY_CODE' })
  },
  REPURCHASE_AGREEMENT(made: Made, row: CsvRow) {
    const one = made.within('repurchaseAgrmt')
    one.fill(
      row,
      { transCat: 'TRANSACTION_TYPE', isTriParty: 'IS_TRIPARTY', repurchaseRt: 'REPURCHASE_RATE' },
      { maturityDt: 'MATURITY_DATE' },
    )
    const isCleared = row.text('IS_CLEARED')
    one.put(`${isCleared === 'Y' ? 'clearedCentCparty' : 'notClearedCentCparty'}/@isCleared`, isCleared)
    one.put('clearedCentCparty/@centralCounterparty', row.text('CENTRAL_COUNTER_PARTY'))
  },
  REPURCHASE_COUNTERPARTY(made: Made, row: CsvRow) {
    const at = 'repurchaseAgrmt/notClearedCentCparty/counterpartyInfos/counterpartyInfo'
    made.child(at).fill(row, { '@name': 'NAME', '@lei': 'LEI' })
  },
  REPURCHASE_COLLATERAL(made: Made, row: CsvRow) {
    const one = made.child('repurchaseAgrmt/repurchaseCollaterals/repurchaseCollateral')
    one.fill(row, {
      principalAmt: 'PRINCIPAL_AMOUNT',
      principalCd: 'PRINCIPAL_CURRENCY_CODE',
      collateralVal: 'COLLATERAL_AMOUNT',
      collateralCd: 'COLLATERAL_CURRENCY_CODE',
    })
    conditional(one, 'invst', row.text('INVESTMENT_CAT'), row.text('OTHER_INSTRUMENT_DESC'))
  },
  SECURITIES_LENDING(made: Made, row: CsvRow) {
    const lent = made.within('securityLending')
    const answer = (plain: string, at: string, value: string, is: string | null, amount: string | null) => {
      if (amount === null) lent.put(plain, is)
      else lent.put(`${at}/@${plain}`, is).put(`${at}/@${value}`, amount)
    }
    const cash = row.text(...COLLATERAL.cash)
    const other = row.text(...COLLATERAL.other)
    answer('isCashCollateral', 'cashCollateralCondition', 'cashCollateralVal', row.text('IS_CASH_COLLATERAL'), cash)
    answer(
      'isNonCashCollateral',
      'nonCashCollateralCondition',
      'nonCashCollateralVal',
      row.text('IS_NON_CASH_COLLATERAL'),
      other,
    )
    answer('isLoanByFund', 'loanByFundCondition', 'loanVal', row.text('IS_LOAN_BY_FUND'), row.text('LOAN_VALUE'))
  },
  FUT_FWD_NONFOREIGNCUR_CONTRACT: filled(
    '',
    { payOffProf: 'PAYOFF_PROFILE', notionalAmt: 'NOTIONAL_AMOUNT', curCd: 'CURRENCY_CODE', unrealizedAppr: 'UNREALIZED_APPRECIATION' }, // biome-ignore format: a table
    { expDate: 'EXPIRATION_DATE' },
  ),
  FWD_FOREIGNCUR_CONTRACT_SWAP: filled(
    '',
    {
      amtCurSold: 'CURRENCY_SOLD_AMOUNT',
      curSold: 'DESC_CURRENCY_SOLD',
      amtCurPur: 'CURRENCY_PURCHASED_AMOUNT',
      curPur: 'DESC_CURRENCY_PURCHASED',
      unrealizedAppr: 'UNREALIZED_APPRECIATION',
    },
    { settlementDt: 'SETTLEMENT_DATE' },
  ),
  NONFOREIGN_EXCHANGE_SWAP(made: Made, row: CsvRow) {
    made.fill(
      row,
      {
        swapFlag: 'SWAP_FLAG',
        upfrontPmnt: 'UPFRONT_PAYMENT',
        pmntCurCd: 'PMNT_CURRENCY_CODE',
        upfrontRcpt: 'UPFRONT_RECEIPT',
        rcptCurCd: 'RCPT_CURRENCY_CODE',
        notionalAmt: 'NOTIONAL_AMOUNT',
        curCd: 'CURRENCY_CODE',
        unrealizedAppr: 'UNREALIZED_APPRECIATION',
      },
      { terminationDt: 'TERMINATION_DATE' },
    )
    leg(made, row, 'RECEIPT', 'Rec')
    leg(made, row, 'PAYMENT', 'Pmnt')
  },
  SWAPTION_OPTION_WARNT_DERIV: filled(
    '',
    {
      putOrCall: 'PUT_OR_CALL',
      writtenOrPur: 'WRITTEN_OR_PURCHASED',
      shareNo: 'SHARES_CNT',
      principalAmt: 'PRINCIPAL_AMOUNT',
      exercisePrice: 'EXERCISE_PRICE',
      exercisePriceCurCd: 'CURRENCY_CODE',
      delta: 'DELTA',
      unrealizedAppr: 'UNREALIZED_APPRECIATION',
    },
    { expDt: 'EXPIRATION_DATE' },
  ),
  OTHER_DERIV: filled(
    '',
    { '@othDesc': 'OTHER_DESC', delta: 'DELTA', unrealizedAppr: 'UNREALIZED_APPRECIATION' },
    { terminationDt: 'TERMINATION_DATE' },
  ),
  OTHER_DERIV_NOTIONAL_AMOUNT(made: Made, row: CsvRow) {
    made.child('notionalAmts/notionalAmt').fill(row, { '@amt': 'NOTIONAL_AMOUNT', '@curCd': 'CURRENCY_CODE' })
  },
  DERIVATIVE_COUNTERPARTY(made: Made, row: CsvRow) {
    const names = { counterpartyName: 'DERIVATIVE_COUNTERPARTY_NAME', counterpartyLei: 'DERIVATIVE_COUNTERPARTY_LEI' }
    made.child('counterparties').fill(row, names)
  },
  FLOATING_RATE_RESET_TENOR(made: Made, row: CsvRow) {
    const side = /^p/i.test(row.text('RECEIPT_OR_PAYMENT') ?? '') ? 'Pmnt' : 'Rec'
    made.child(`floating${side}Desc/rtResetTenors/rtResetTenor`).fill(row, {
      '@resetDt': 'RESET_DATE',
      '@resetDtUnit': 'RESET_DATE_UNIT',
      '@rateTenor': 'RATE_TENOR',
      '@rateTenorUnit': 'RATE_TENOR_UNIT',
    })
  },
  DESC_REF_INDEX_BASKET: filled('descRefInstrmnt/indexBasketInfo', {
    indexName: 'INDEX_NAME',
    indexIdentifier: 'INDEX_IDENTIFIER',
    narrativeDesc: 'NARRATIVE_DESC',
  }),
  DESC_REF_INDEX_COMPONENT(made: Made, row: CsvRow) {
    const one = made.child('descRefInstrmnt/indexBasketInfo/components/component')
    one.fill(row, {
      othIndName: 'NAME',
      othIndNotAmt: 'NOTIONAL_AMOUNT',
      othIndCurCd: 'CURRENCY_CODE',
      othIndValue: 'VALUE',
      othIndIssCurCd: 'ISSUER_CURRENCY_CODE',
    })
    identified(one, row)
  },
  DESC_REF_OTHER(made: Made, row: CsvRow) {
    const one = made.child('descRefInstrmnt/otherRefInst')
    one.fill(row, { issuerName: 'ISSUER_NAME', issueTitle: 'ISSUE_TITLE' })
    identified(one, row)
  },
} as const

/** Members about the derivative, not about the holding. */
const OF_DERIVATIVE = new Set([
  'FUT_FWD_NONFOREIGNCUR_CONTRACT',
  'FWD_FOREIGNCUR_CONTRACT_SWAP',
  'NONFOREIGN_EXCHANGE_SWAP',
  'SWAPTION_OPTION_WARNT_DERIV',
  'OTHER_DERIV',
  'OTHER_DERIV_NOTIONAL_AMOUNT',
  'DERIVATIVE_COUNTERPARTY',
  'FLOATING_RATE_RESET_TENOR',
  'DESC_REF_INDEX_BASKET',
  'DESC_REF_INDEX_COMPONENT',
  'DESC_REF_OTHER',
])

/**
 * The columns of a usual holding (`isUsual`). They are read without an element, which takes a third of the time. Nearly
 * all holdings are usual.
 */
const USUAL: Columns = {
  texts: { ...HOLDING, curCd: 'CURRENCY_CODE', assetCat: 'ASSET_CAT', issuerCat: 'ISSUER_TYPE' },
  parts: {
    currencyConditional: {
      texts: { '@curCd': 'CURRENCY_CODE', '@exchangeRt': 'EXCHANGE_RATE' },
      if: ['EXCHANGE_RATE'],
    },
    assetConditional: { texts: { '@assetCat': 'ASSET_CAT', '@desc': 'OTHER_ASSET' }, if: ['OTHER_ASSET'] },
    issuerConditional: { texts: { '@issuerCat': 'ISSUER_TYPE', '@desc': 'OTHER_ISSUER' }, if: ['OTHER_ISSUER'] },
    identifiers: {
      texts: {},
      parts: {
        isin: { member: 'IDENTIFIERS', texts: { '@value': 'IDENTIFIER_ISIN' }, if: ['IDENTIFIER_ISIN'] },
        ticker: { member: 'IDENTIFIERS', texts: { '@value': 'IDENTIFIER_TICKER' }, if: ['IDENTIFIER_TICKER'] },
        other: {
          member: 'IDENTIFIERS',
          texts: { '@value': 'OTHER_IDENTIFIER', '@otherDesc': 'OTHER_IDENTIFIER_DESC' },
          if: ['OTHER_IDENTIFIER', 'OTHER_IDENTIFIER_DESC'],
        },
      },
    },
    debtSec: { member: 'DEBT_SECURITY', texts: DEBT, days: DEBT_DAYS },
    securityLending: {
      member: 'SECURITIES_LENDING',
      texts: {
        isCashCollateral: 'IS_CASH_COLLATERAL',
        isNonCashCollateral: 'IS_NON_CASH_COLLATERAL',
        isLoanByFund: 'IS_LOAN_BY_FUND',
      },
    },
  },
}

/**
 * Whether `USUAL` has all that the lines of a holding state. Derivatives, repurchase agreements, convertibles and amounts
 * of lending are not in it.
 */
export function isUsual({ row, lines }: SetRecord): boolean {
  if (row.text('DERIVATIVE_CAT') !== null) return false
  for (const [member, of] of lines) {
    if (member === 'IDENTIFIERS') continue
    if (of.length > 1) return false
    if (member === 'SECURITIES_LENDING') {
      const amounts = [of[0]!.text(...COLLATERAL.cash), of[0]!.text(...COLLATERAL.other), of[0]!.text('LOAN_VALUE')]
      if (amounts.some((amount) => amount !== null)) return false
    } else if (member !== 'DEBT_SECURITY') return false
  }
  return true
}

/** Reads a holding with the parser of the form. @param tell gets the values that the parser cannot read */
export function holdingRead<T>(record: SetRecord, read: (part: FormPart) => T, tell: (found: Problem[]) => void): T {
  const { row, lines } = record
  row.ignore('ACCESSION_NUMBER', 'HOLDING_ID')
  if (!isUsual(record)) {
    const element = elementOf(record)
    const result = read(element)
    tell([...problemsOf(element, row)])
    return result
  }
  for (const line of lines.get('IDENTIFIERS') ?? []) line.ignore('IDENTIFIERS_ID')
  const problems: Problem[] = []
  const result = read(new LinePart(USUAL, row, lines, `${row.file}:${row.number}`, problems))
  if (problems.length > 0) tell(problems)
  return result
}

/** Builds the element of a holding. */
export function elementOf({ row, lines }: SetRecord): Element {
  const made = Made.root('invstOrSec').fill(row, HOLDING)
  const rate = row.text('EXCHANGE_RATE')
  made.put(rate === null ? 'curCd' : 'currencyConditional/@curCd', row.text('CURRENCY_CODE'))
  made.put('currencyConditional/@exchangeRt', rate)
  conditional(made, 'asset', row.text('ASSET_CAT'), row.text('OTHER_ASSET'))
  conditional(made, 'issuer', row.text('ISSUER_TYPE'), row.text('OTHER_ISSUER'))
  const category = row.text('DERIVATIVE_CAT')
  let derivative: Made | null = null
  const derived = () => {
    derivative ??= made.within(`derivativeInfo/${shapeOf(category, lines)}`).put('@derivCat', category)
    return derivative
  }
  if (category !== null) derived()
  for (const [member, of] of lines) {
    const read = OF_HOLDING[member as keyof typeof OF_HOLDING]
    const to = OF_DERIVATIVE.has(member) ? derived() : made
    for (const line of of) read(to, line)
  }
  return made.element()
}

/**
 * A currency contract is put into the element of forwards, whatever its category: the form has no other place for
 * amounts sold and bought.
 */
function shapeOf(category: string | null, lines: SetRecord['lines']): string {
  if (lines.has('FWD_FOREIGNCUR_CONTRACT_SWAP')) return 'fwdDeriv'
  return SHAPES.get(category ?? '') ?? 'othDeriv'
}

const SHAPES = new Map([
  ['FWD', 'fwdDeriv'],
  ['FUT', 'futrDeriv'],
  ['SWP', 'swapDeriv'],
  ['OPT', 'optionSwaptionWarrantDeriv'],
  ['SWO', 'optionSwaptionWarrantDeriv'],
  ['WAR', 'optionSwaptionWarrantDeriv'],
])

function filled(at: string, texts: Plan, days?: Plan) {
  return (made: Made, row: CsvRow): void => {
    ;(at === '' ? made : made.within(at)).fill(row, texts, days)
  }
}

/** Adds a category of the form, or the category OTHER with a description. */
function conditional(
  made: Made,
  name: 'asset' | 'issuer' | 'invst',
  category: string | null,
  description: string | null,
): void {
  const at = name === 'invst' ? 'invstCatConditional' : `${name}Conditional`
  if (description === null) made.put(`${name}Cat`, category)
  else made.put(`${at}/@${name}Cat`, category).put(`${at}/@desc`, description)
}

function identifiers(made: Made, row: CsvRow): void {
  row.ignore('IDENTIFIERS_ID')
  listed(made, row, { isin: 'IDENTIFIER_ISIN', ticker: 'IDENTIFIER_TICKER' }, 'OTHER_IDENTIFIER_DESC')
}

function identified(made: Made, row: CsvRow): void {
  listed(made, row, { cusip: 'CUSIP', isin: 'ISIN', ticker: 'TICKER' }, 'OTHER_DESC')
}

function listed(made: Made, row: CsvRow, kinds: Plan, description: string): void {
  for (const kind in kinds) {
    made.add(`identifiers/${kind}/@value`, row.text(kinds[kind]!))
  }
  const [other, desc] = [row.text('OTHER_IDENTIFIER'), row.text(description)]
  if (other !== null || desc !== null) made.child('identifiers/other').put('@value', other).put('@otherDesc', desc)
}

/**
 * Adds the leg of a swap. A leg that is neither fixed nor floating has a description in the form, which the set lacks.
 */
function leg(made: Made, row: CsvRow, side: 'RECEIPT' | 'PAYMENT', word: 'Rec' | 'Pmnt'): void {
  const kind = row.text(`FIXED_OR_FLOATING_${side}`)
  if (kind === null) return
  const name = /^fix/i.test(kind) ? 'fixed' : /^float/i.test(kind) ? 'floating' : 'other'
  const one = made.within(`${name}${word}Desc`).put('@fixedOrFloating', kind)
  one.put('@fixedRt', row.text(`FIXED_RATE_${side}`))
  one.put('@floatingRtIndex', row.text(`FLOATING_RATE_INDEX_${side}`))
  one.put('@floatingRtSpread', row.text(`FLOATING_RATE_SPREAD_${side}`))
  one.put(name === 'fixed' ? '@amount' : '@pmntAmt', row.text(`AMOUNT_${side}`))
  one.put('@curCd', row.text(`CURRENCY_CODE_${side}`))
}
