/**
 * Reads derivatives of a holding, C.11: forwards, futures, swaps, options and others, with their references at every
 * depth.
 */
import type { FormPart } from '../../../read/form-part.ts'
import type { Line, Row, RowOf } from './types.ts'
import { amount, category, currencyOf, cusipOf, dayOf, identifiersOf, statedAt, written, yes } from './values.ts'

type Derivative = Omit<RowOf<'derivative'>, 'n'>
type Reference = Omit<RowOf<'reference'>, 'n' | 'position'>
type Leg = Omit<RowOf<'leg'>, 'n' | 'position'>
type Counterparty = Omit<RowOf<'counterparty'>, 'n' | 'position'>

const SHAPES = [
  ['forward', 'fwdDeriv'],
  ['future', 'futrDeriv'],
  ['swap', 'swapDeriv'],
  ['option', 'optionSwaptionWarrantDeriv'],
  ['other', 'othDeriv'],
] as const

/** Returns all rows about a holding's derivatives, with the rows of the table `derivative` first. */
export function derivativeRows(record: FormPart): Line['more'] {
  const info = record.maybe('derivativeInfo')
  if (info === null) return () => []
  const found = new DerivativeRows()
  found.take(info, null, 0)
  return ({ n }) => [
    ...found.derivatives.map((row): Row => ['derivative', { ...row, n }]),
    ...found.references.map((row, at): Row => ['reference', { ...row, n, position: at + 1 }]),
    ...found.legs.map((row, at): Row => ['leg', { ...row, n, position: at + 1 }]),
    ...found.counterparties.map((row, at): Row => ['counterparty', { ...row, n, position: at + 1 }]),
  ]
}

class DerivativeRows {
  readonly derivatives: Derivative[] = []
  readonly references: Reference[] = []
  readonly legs: Leg[] = []
  readonly counterparties: Counterparty[] = []

  /** @param of contains one derivative of any shape: `derivativeInfo`, or `nestedDerivInfo` */
  take(of: FormPart, parent: number | null, depth: number): void {
    for (const [shape, name] of SHAPES) {
      for (const one of of.all(name)) {
        const position = this.derivatives.length + 1
        this.derivatives.push({
          ...termsOf(one),
          position,
          parent,
          depth,
          shape,
          ...addedOf(one.maybe('derivAddlInfo')),
        })
        this.#around(one, position, depth)
      }
    }
  }

  #around(one: FormPart, derivative_position: number, depth: number): void {
    for (const party of one.all('counterparties')) {
      const of = { name: statedAt(party, 'counterpartyName'), lei: statedAt(party, 'counterpartyLei') }
      this.counterparties.push({ derivative_position, ...of })
    }
    for (const [side, word] of SIDES)
      for (const leg of legsOf(one, derivative_position, side, word)) this.legs.push(leg)
    for (const refers of one.all('descRefInstrmnt')) {
      for (const index of refers.all('indexBasketInfo')) this.#index(index, derivative_position)
      for (const instrument of refers.all('otherRefInst')) {
        const of = { name: statedAt(instrument, 'issuerName'), title: statedAt(instrument, 'issueTitle') }
        this.references.push({ ...referenceRow('instrument', instrument), derivative_position, ...of })
      }
      for (const nested of refers.all('nestedDerivInfo')) this.take(nested, derivative_position, depth + 1)
    }
  }

  #index(index: FormPart, derivative_position: number): void {
    this.references.push({
      ...referenceRow('index', index),
      derivative_position,
      name: statedAt(index, 'indexName'),
      index_identifier: statedAt(index, 'indexIdentifier'),
      narrative_description: statedAt(index, 'narrativeDesc'),
    })
    for (const component of index.all('components/component')) {
      this.references.push({
        ...referenceRow('component', component),
        derivative_position,
        name: statedAt(component, 'othIndName'),
        notional: amount(component, 'othIndNotAmt'),
        notional_currency: statedAt(component, 'othIndCurCd'),
        value: amount(component, 'othIndValue'),
        currency: statedAt(component, 'othIndIssCurCd'),
      })
    }
  }
}

/** Returns the identifiers of the reference; the caller adds the rest. */
export function referenceRow(kind: Reference['kind'], of: FormPart): Omit<Reference, 'derivative_position'> {
  const identifiers = identifiersOf(of)
  const first = (wanted: string) => identifiers.find((one) => one.kind === wanted)
  const [cusip, isin, ticker, other] = ['cusip', 'isin', 'ticker', 'other'].map(first)
  const kept = new Set([cusip, isin, ticker, other])
  return {
    kind,
    name: null,
    title: null,
    index_identifier: null,
    narrative_description: null,
    cusip: cusipOf(cusip?.value ?? null),
    isin: isin?.value ?? null,
    ticker: ticker?.value ?? null,
    other_identifier: other?.value ?? null,
    other_description: other?.description ?? null,
    more_identifiers: identifiers.filter((one) => !kept.has(one)).map(written),
    currency: null,
    notional: null,
    notional_currency: null,
    value: null,
  }
}

/** Reads the terms of a derivative. The elements of the terms have the same meaning in every shape of `SHAPES`. */
function termsOf(one: FormPart) {
  const notionals = one.all('notionalAmts/notionalAmt')
  return {
    category: one.text('@derivCat'),
    description: one.text('@othDesc'),
    payoff: statedAt(one, 'payOffProf'),
    put_or_call: statedAt(one, 'putOrCall'),
    written_or_purchased: statedAt(one, 'writtenOrPur'),
    shares: amount(one, 'shareNo'),
    principal: amount(one, 'principalAmt'),
    exercise_price: amount(one, 'exercisePrice'),
    exercise_currency: statedAt(one, 'exercisePriceCurCd'),
    expires: dayOf(one, 'expDate') ?? dayOf(one, 'expDt'),
    settles: dayOf(one, 'settlementDt'),
    terminates: dayOf(one, 'terminationDt'),
    amount_sold: amount(one, 'amtCurSold'),
    currency_sold: statedAt(one, 'curSold'),
    amount_bought: amount(one, 'amtCurPur'),
    currency_bought: statedAt(one, 'curPur'),
    notional: amount(one, 'notionalAmt'),
    notional_currency: statedAt(one, 'curCd'),
    notionals:
      notionals.length === 0
        ? null
        : notionals.map((each) => ({ amount: amount(each, '@amt'), currency: statedAt(each, '@curCd') })),
    is_swap: yes(one, 'swapFlag'),
    upfront_payment: amount(one, 'upfrontPmnt'),
    upfront_payment_currency: statedAt(one, 'pmntCurCd'),
    upfront_receipt: amount(one, 'upfrontRcpt'),
    upfront_receipt_currency: statedAt(one, 'rcptCurCd'),
    delta: amount(one, 'delta'),
    unrealized: amount(one, 'unrealizedAppr'),
  }
}

/**
 * Reads `derivAddlInfo`, in which a nested derivative describes itself with the elements of a holding. Branches: each
 * value is null if there is no such element.
 */
function addedOf(info: FormPart | null) {
  const asset = info && category(info, 'asset')
  const issuer = info && category(info, 'issuer')
  return {
    name: info && statedAt(info, 'name'),
    lei: info && statedAt(info, 'lei'),
    title: info && statedAt(info, 'title'),
    cusip: info && cusipOf(info.text('cusip')),
    identifiers: info === null ? [] : identifiersOf(info).map(written),
    balance: info && amount(info, 'balance'),
    units: info && statedAt(info, 'units'),
    units_other: info && statedAt(info, 'descOthUnits'),
    ...(info === null ? { currency: null, exchange_rate: null } : currencyOf(info)),
    value: info && amount(info, 'valUSD'),
    percent: info && amount(info, 'pctVal'),
    in_names_basket: info && yes(info, 'isIncludedFunds80PercentBasket'),
    asset_cat: asset?.category ?? null,
    asset_description: asset?.description ?? null,
    issuer_cat: issuer?.category ?? null,
    issuer_description: issuer?.description ?? null,
    country: info && statedAt(info, 'invCountry'),
    risk_country: info && statedAt(info, 'invOthCountry'),
  }
}

const SIDES = [
  ['receive', 'Rec'],
  ['pay', 'Pmnt'],
] as const

/** Reads `fixedRecDesc`, `floatingRecDesc` or `otherRecDesc`. On the paying side the names end in `PmntDesc`. */
function legsOf(swap: FormPart, derivative_position: number, side: Leg['side'], word: 'Rec' | 'Pmnt'): Leg[] {
  return ['fixed', 'floating', 'other'].flatMap((kind) =>
    swap.all(`${kind}${word}Desc`).map((leg) => {
      const tenors = leg.all('rtResetTenors/rtResetTenor')
      return {
        derivative_position,
        side,
        kind: leg.text('@fixedOrFloating'),
        rate: amount(leg, '@fixedRt'),
        floating_index: statedAt(leg, '@floatingRtIndex'),
        spread: amount(leg, '@floatingRtSpread'),
        amount: amount(leg, '@amount') ?? amount(leg, '@pmntAmt'),
        currency: statedAt(leg, '@curCd'),
        description: leg.text(),
        tenors:
          tenors.length === 0
            ? null
            : tenors.map((each) => ({
                reset: each.text('@resetDt'),
                resetCount: statedAt(each, '@resetDtUnit'),
                tenor: each.text('@rateTenor'),
                tenorCount: statedAt(each, '@rateTenorUnit'),
              })),
      }
    }),
  )
}
