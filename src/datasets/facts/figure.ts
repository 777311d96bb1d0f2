/** Finds one figure of one period: its tag and filing, and notes about it. */
import type { Book } from './book.ts'
import { type Difference, difference } from './derive.ts'
import { byFiled, type Change, changeOf, compare, currencyOf, type Fact, sum } from './fact.ts'
import { type Computed, type Figure, ofDay, type Reported, WAYS } from './parse-tags.ts'
import type { Period } from './periods.ts'

export type Basis =
  /** Stated by a filing. */
  | 'reported'
  /** The difference of two sums since the beginning of the fiscal year. */
  | 'derived'
  /** Computed from other lines of the same filing. */
  | 'computed'
  | 'missing'

export interface FigureValue {
  basis: Basis
  value: string | null
  /** The fact of a reported value; null for other values. */
  fact: Fact | null
  /** The value reported first, if it differs from `fact`. */
  first: Fact | null
  change: Change | null
  parts: readonly { sign: 1 | -1; fact: Fact }[]
  /** Reason why the value is missing, or the rule by which the value was computed. */
  reason: string | null
}

const missing = (reason: string): FigureValue => ({
  basis: 'missing',
  value: null,
  fact: null,
  first: null,
  change: null,
  parts: [],
  reason,
})

/** @param currency the currency of the period: figures never use amounts in another currency */
export function figureOf(book: Book, figure: Figure, period: Period, currency: string): FigureValue {
  const isPerShare = figure === 'eps_diluted'
  const isUsable = (unit: string) => currencyOf(unit) === currency && unit.endsWith('/shares') === isPerShare
  const facts: FactsOf = (taxonomy, tag) =>
    (ofDay.has(figure) ? book.atEnd : book.during)(taxonomy, tag, period).filter(({ unit }) => isUsable(unit))
  for (const way of WAYS[figure]) {
    const found = 'parts' in way ? computed(way, facts) : reported(way, facts)
    if (found) return found
  }
  const other = inOtherUnit(book, figure, period, isUsable)
  if (other && (period.type !== 'quarter' || isPerShare || ofDay.has(figure))) return other
  if (ofDay.has(figure)) {
    return missing(
      book.hasBalance(period)
        ? 'no balance sheet of this day has a line for it'
        : 'there is no balance sheet of this day',
    )
  }
  if (period.type !== 'quarter') return missing('no report has it for this period')
  if (isPerShare) return missing('no report has it for this quarter, and amounts for one share cannot be subtracted')
  const found = derived(book, figure, period, currency)
  return found.basis === 'missing' ? (other ?? found) : found
}

/** Finds a report with the figure in an impossible unit: earnings per share in shares, amounts in another currency. */
function inOtherUnit(
  book: Book,
  figure: Figure,
  period: Period,
  isUsable: (unit: string) => boolean,
): FigureValue | null {
  const tags = WAYS[figure].flatMap((way) =>
    'names' in way ? way.names.map(({ tag }) => [way.taxonomy, tag] as const) : [],
  )
  const facts = tags.flatMap(([taxonomy, tag]) => [
    ...(ofDay.has(figure) ? book.atEnd : book.during)(taxonomy, tag, period),
    ...book.leftOut(taxonomy, tag, period),
  ])
  const last = facts
    .filter(({ unit }) => !isUsable(unit))
    .sort(byFiled)
    .at(-1)
  if (!last) return null
  const wanted =
    figure === 'eps_diluted' ? 'an amount of money for one share' : 'an amount in the currency of the report'
  return missing(
    `a report has it in a unit that is not ${wanted}: ${last.value} ${last.unit} as ${last.tag} (${last.accession})`,
  )
}

type FactsOf = (taxonomy: string, tag: string) => readonly Fact[]

interface Candidate {
  fact: Fact
  /** Index of the fact's tag among the tags of one way to obtain the figure. */
  rank: number
}

/**
 * Returns the value filed last under one of the names, and the filing since which the value is unchanged. If one filing
 * has several of the names, `ofFiling` chooses between them.
 */
function reported({ taxonomy, names }: Reported, facts: FactsOf): FigureValue | null {
  const all = names.flatMap(({ tag, unless = [] }, rank) => {
    const shown = new Set(unless.flatMap((other) => facts(taxonomy, other).map(({ accession }) => accession)))
    return facts(taxonomy, tag).flatMap((fact): Candidate[] => (shown.has(fact.accession) ? [] : [{ fact, rank }]))
  })
  const filings = [...Map.groupBy(all, ({ fact }) => fact.accession).values()].map(ofFiling).sort(byFiled)
  const last = filings.at(-1)
  if (!last) return null
  // Chooses the first filing that has the last value: the annual report, not a later quarterly report that repeats its
  // balance sheet.
  const since = filings.findLastIndex(({ value }) => value !== last.value) + 1
  const [first, fact] = [filings[0]!, filings[since]!]
  const change = changeOf(first.value, fact.value)
  const value = sum([{ sign: 1, value: fact.value }])
  return { basis: 'reported', value, fact, first: change ? first : null, change, parts: [], reason: null }
}

/**
 * Takes the amount under the first name, unless the amount under another name is larger by more than a quarter. The
 * smaller amount is then only a part. Procter & Gamble's 10-K of 2014 has its sales in the United States as Revenues
 * (0000080424-14-000057). A smaller difference proves nothing: Alphabet's revenues are a little less than its revenues
 * from contracts, because of the loss on hedges.
 */
function ofFiling(candidates: readonly Candidate[]): Fact {
  const largest = Math.max(...candidates.map(({ fact }) => Number(fact.value)))
  const whole = candidates.filter(({ fact }) => Number(fact.value) * 1.25 >= largest || largest <= 0)
  return whole.reduce((a, b) => (b.rank < a.rank ? b : a)).fact
}

/** Computes the figure from the report that was filed last among those with all required parts. */
function computed({ taxonomy, parts, why }: Computed, facts: FactsOf): FigureValue | null {
  const needed = parts.filter(({ optional }) => !optional)
  const filings = needed[0]!.tags.flatMap((tag) => facts(taxonomy, tag)).sort(byFiled)
  for (const { accession } of filings.reverse()) {
    const ofThis = (tag: string) => facts(taxonomy, tag).filter((one) => one.accession === accession)
    const found = parts.flatMap(({ sign, tags, unless }) => {
      const fact = unless !== undefined && ofThis(unless).length > 0 ? undefined : tags.flatMap(ofThis)[0]
      return fact ? [{ sign, fact }] : []
    })
    if (needed.every(({ tags }) => found.some(({ fact }) => tags.includes(fact.tag)))) {
      const value = sum(found.map(({ sign, fact }) => ({ sign, value: fact.value })))
      return { basis: 'computed', value, fact: null, first: null, change: null, parts: found, reason: why }
    }
  }
  return null
}

function derived(book: Book, figure: Figure, period: Period, currency: string): FigureValue {
  let isAmended = false
  for (const way of WAYS[figure]) {
    const found = 'parts' in way ? null : difference(book, way, period)
    if (found === 'amended') isAmended = true
    else if (found && currencyOf(found.larger.unit) === currency) return of(book, found)
  }
  return missing(
    isAmended
      ? 'no report has it for this quarter, and its year-to-date amounts were amended separately'
      : 'no report has it for this quarter, nor the two year-to-date amounts whose difference it is',
  )
}

function of(book: Book, { larger, smaller }: Difference): FigureValue {
  const parts = [
    { sign: 1, fact: larger },
    { sign: -1, fact: smaller },
  ] as const
  const value = sum(parts.map(({ sign, fact }) => ({ sign, value: fact.value })))
  const isOutdated = parts.some(({ fact }) => isRestated(book, fact))
  const reason = `the year-to-date amount to ${larger.end}, less the one to ${smaller.end}${isOutdated ? '; one of the two was restated later, and the other was not' : ''}`
  return { basis: 'derived', value, fact: null, first: null, change: null, parts, reason }
}

/**
 * Tests whether later reports have another value of the same tag for the same days. If so, quarters no longer add up to
 * their year.
 */
function isRestated(book: Book, { taxonomy, tag, start, end, value }: Fact): boolean {
  const last = book.during(taxonomy, tag, book.known({ start: start!, end })).at(-1)
  const change = last ? changeOf(value, last.value) : null
  return change !== null && change !== 'rounded'
}

/**
 * Returns the currency of the period's last filing; if no filing has the period, the currency of the last filing about
 * its fiscal year.
 */
export function currencyAt(book: Book, period: Period): string | null {
  const facts =
    period.year === null
      ? book.of(period)
      : [...book.of(period), ...(book.of(period).length > 0 ? [] : book.of(period.year))]
  const last = facts.toSorted((a, b) => compare(a.filed, b.filed)).at(-1)
  return last ? currencyOf(last.unit) : null
}
