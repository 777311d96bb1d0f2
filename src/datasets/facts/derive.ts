/**
 * Derives quarters that no report has. Such a quarter is the difference of two sums since the beginning of the fiscal
 * year. For example, the cash flow of the second quarter is that of six months less that of three, and the fourth
 * quarter is the year less nine months.
 */
import type { Book } from './book.ts'
import { byFiled, changeOf, type Fact, isPeriodic } from './fact.ts'
import type { Reported } from './parse-tags.ts'
import { dayAfter, days, keyOf, type Period, type Span } from './periods.ts'

export interface Difference {
  larger: Fact
  smaller: Fact
}

/** Reason for a missing difference: the parts exist, but do not belong together. */
export type Refused = 'amended'

/**
 * Returns quarters that no report has. Each quarter begins after the last day of one sum since the beginning of a
 * fiscal year, and ends with the last day of the next such sum.
 */
export function missingQuarters(periods: readonly Period[]): Period[] {
  const quarters = periods.filter(({ type }) => type === 'quarter')
  return periods
    .filter(({ type, year }) => year !== null && type === 'annual')
    .flatMap((whole) => {
      const within = periods.filter(
        ({ type, year, end }) => type !== 'annual' && year !== null && keyOf(year) === keyOf(whole) && end < whole.end,
      )
      const sums = [...within.filter((one) => Math.abs(days(one.start, whole.start)) <= 3), whole]
      return sums.slice(1).flatMap((sum, before): Period[] => {
        const span = { start: dayAfter(sums[before]!.end), end: sum.end }
        const length = days(span.start, span.end) + 1
        const isThere = quarters.some(({ start, end }) => start <= span.end && end >= span.start)
        return isThere || length < 70 || length > 125 ? [] : [{ type: 'quarter', ...span, year: whole.year }]
      })
    })
}

/**
 * Returns the two sums of a tag whose difference is the quarter. They must come from reports of one fiscal year,
 * because such reports use the same accounting. For example, the next annual report repeats the year's figure, and the
 * next year's quarterly report repeats the nine months: these two form a pair. Uses the newest fiscal year whose
 * reports have both sums. Skips a fiscal year if one sum was amended afterwards, because it is unknown whether the
 * amendment concerns both sums. Apple's 10-K/A of January 2010 restates the year, and the nine months were restated in
 * July.
 */
export function difference(book: Book, { taxonomy, names }: Reported, quarter: Period): Difference | Refused | null {
  let refused: Refused | null = null
  for (const { tag } of names) {
    for (const other of names.filter((one) => one.tag === tag || areSame(book, taxonomy, tag, one.tag))) {
      const found = ofTags(book, taxonomy, tag, other.tag, quarter)
      if (found === 'amended') refused = found
      else if (found) return found
    }
  }
  return refused
}

/**
 * Tests whether a company uses two names for one thing: some period has both, and the amounts are equal wherever both
 * occur. Alphabet had its revenues of nine months in 2020 under one name, and its revenues of the year under the other
 * name.
 */
function areSame(book: Book, taxonomy: string, a: string, b: string): boolean {
  const both = book.spans(taxonomy, a).flatMap((span) => {
    const [one, other] = [book.during(taxonomy, a, span).at(-1), book.during(taxonomy, b, span).at(-1)]
    return one && other && one.unit === other.unit ? [!differs(one.value, other.value)] : []
  })
  return both.length > 0 && both.every(Boolean)
}

function ofTags(
  book: Book,
  taxonomy: string,
  tag: string,
  other: string,
  quarter: Period,
): Difference | Refused | null {
  const { year } = quarter
  if (year === null) return null
  const sumsOf = (one: string) =>
    book.spans(taxonomy, one).filter(({ start }) => Math.abs(days(start, year.start)) <= 3)
  const larger = sumsOf(tag).find(({ end }) => end === quarter.end)
  const smaller = sumsOf(other).find(({ end }) => Math.abs(days(end, quarter.start) - 1) <= 3 && end < quarter.start)
  if (!larger || !smaller) return null
  const large = byCycle(book, book.during(taxonomy, tag, larger))
  const small = byCycle(book, book.during(taxonomy, other, smaller))
  let refused: Refused | null = null
  for (const cycle of [...large.keys()].sort((a, b) => b - a)) {
    const found = pair(large.get(cycle)!, small.get(cycle) ?? [])
    if (found === 'amended') refused = found
    else if (found) return found
  }
  return refused
}

function pair(larger: readonly Fact[], smaller: readonly Fact[]): Difference | Refused | null {
  const whole = larger[0]!
  const before = smaller.filter((fact) => byFiled(fact, whole) <= 0)
  const part = before.at(-1)
  if (!part || part.unit !== whole.unit) return null
  const isAmended =
    larger.some(({ value }) => differs(whole.value, value)) ||
    smaller.slice(before.length).some(({ value }) => differs(part.value, value))
  return isAmended ? 'amended' : { larger: whole, smaller: part }
}

const differs = (a: string, b: string) => {
  const change = changeOf(a, b)
  return change !== null && change !== 'rounded'
}

/**
 * Groups facts of periodic reports by the fiscal year of the report. The key is the number of fiscal years that ended
 * before the last day of the newest period in the report.
 */
function byCycle(book: Book, facts: readonly Fact[]): Map<number, Fact[]> {
  return Map.groupBy(
    facts.filter(({ form }) => isPeriodic(form)),
    ({ accession }) => {
      const { end } = book.reports.get(accession)!
      return book.years.filter((year: Span) => year.end < end).length
    },
  )
}
