/** Computes the figures of a company, period by period, from all values that it reported. */
import { type Book, bookOf, reportOf } from './book.ts'
import { missingQuarters } from './derive.ts'
import { compare, counts, type Fact } from './fact.ts'
import { currencyAt, type FigureValue, figureOf } from './figure.ts'
import { FIGURES, type Figure, WAYS } from './parse-tags.ts'
import { keyOf, lengthOf, type Period, type PeriodType, quarterOf } from './periods.ts'
import { explains, type ShareChange, shareChanges } from './splits.ts'

/** Requested periods. A transition period takes the place of a year. */
export const CHOICES = ['annual', 'quarter', 'all'] as const
export type Choice = (typeof CHOICES)[number]

const TYPES: Readonly<Record<Choice, readonly PeriodType[]>> = {
  annual: ['annual', 'transition'],
  quarter: ['quarter'],
  all: ['annual', 'transition', 'quarter', 'year_to_date'],
}

export interface Line {
  period_type: PeriodType
  start_date: string
  end_date: string
  day_count: number
  fiscal_year: number | null
  fiscal_quarter: number | null
  currency: string
  accession: string
  form: string
  filed_date: string
  figures: Record<Figure, FigureValue>
}

export interface Statement {
  /** Content of `history`: the requested periods. By default years, or all periods if no year was reported yet. */
  period: Choice
  otherCurrencies: readonly string[]
  shareChanges: readonly ShareChange[]
  history: Line[]
}

/**
 * @param facts all stored facts of one company
 * @param choice by default years, or all periods if no year was reported yet
 * @param asOf ignores facts filed after this day
 */
export function statement(
  facts: readonly Fact[],
  { choice, asOf }: { choice?: Choice; asOf?: string } = {},
): Statement {
  const book = bookOf(facts, asOf)
  const periods = [...book.periods, ...missingQuarters(book.periods)]
  const of = (one: Choice) => periods.filter(({ type }) => TYPES[one].includes(type))
  const period = choice ?? (of('annual').length > 0 ? 'annual' : 'all')
  const changes = shareChanges(perShare(facts).filter((fact) => asOf === undefined || fact.filed <= asOf))
  const history = of(period).flatMap((one) => lineOf(book, one, changes) ?? [])
  return {
    period,
    otherCurrencies: book.otherCurrencies,
    shareChanges: changes,
    history: history.sort(
      (a, b) =>
        compare(b.end_date, a.end_date) || ORDER[a.period_type] - ORDER[b.period_type] || b.day_count - a.day_count,
    ),
  }
}

/** If a year and its last quarter end on the same day, the year comes first. */
const ORDER: Readonly<Record<PeriodType, number>> = { annual: 0, transition: 1, quarter: 2, year_to_date: 3 }

function lineOf(book: Book, period: Period, changes: readonly ShareChange[]): Line | null {
  const report = reportOf(book, period) ?? (period.year && reportOf(book, period.year))
  const currency = currencyAt(book, period)
  if (!report || currency === null) return null
  const figures = FIGURES.map((figure) => [figure, figureOf(book, figure, period, currency)] as const)
  for (const [figure, found] of figures) {
    const { change, first, value } = found
    if (figure === 'eps_diluted' && change === 'restated' && explains(changes, first!.value, value!)) {
      found.change = 'share_change'
    }
  }
  return {
    period_type: period.type,
    start_date: period.start,
    end_date: period.end,
    day_count: lengthOf(period),
    fiscal_year: fiscalYearOf(book, period),
    fiscal_quarter: quarterOf(period),
    currency,
    accession: report.accession,
    form: report.form,
    filed_date: report.filed,
    figures: Object.fromEntries(figures) as Record<Figure, FigureValue>,
  }
}

/** Returns the fiscal year of a period. The current year is numbered one higher than the newest reported year. */
function fiscalYearOf({ named, years }: Book, { year }: Period): number | null {
  if (year === null) return null
  const last = years.at(-1)
  if (year.end === '') return last && named.has(keyOf(last)) ? named.get(keyOf(last))! + 1 : null
  return named.get(keyOf(year)) ?? null
}

const PER_SHARE = new Set(
  WAYS.eps_diluted.flatMap((way) => ('parts' in way ? [] : way.names.map(({ tag }) => `${way.taxonomy}:${tag}`))),
)
const perShare = (facts: readonly Fact[]) =>
  facts.filter((fact) => counts(fact) && PER_SHARE.has(`${fact.taxonomy}:${fact.tag}`) && fact.unit.endsWith('/shares'))
