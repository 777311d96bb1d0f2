/** Indexes the facts of one company by tag and period. Leaves out facts of forms and tags that no figure uses. */
import { byFiled, compare, counts, currencyOf, type Fact, isAnnual, isPeriodic } from './fact.ts'
import { FIGURES, type Figure, tagsOf, WAYS } from './parse-tags.ts'
import { type Dated, fiscalYears, hasStart, keyOf, type Period, periodsOf, type Span, sameDays } from './periods.ts'

/** Data of a filing, as far as the facts of the filing show them. */
export interface Report {
  accession: string
  form: string
  filed: string
  fy: number | null
  /** Last day of the newest period in the filing. */
  end: string
}

export interface Book {
  periods: readonly Period[]
  /** Fiscal years and transition periods in their order. */
  years: readonly Span[]
  /** Maps the days of a fiscal year to its number. */
  named: ReadonlyMap<string, number>
  reports: ReadonlyMap<string, Report>
  /** Other currencies in which some amounts are also given, for convenience. */
  otherCurrencies: readonly string[]
  /** Returns the values of a tag in a period, in the order in which they were filed. */
  during(taxonomy: string, tag: string, period: Span): readonly Fact[]
  /** Returns the values of a tag at the end of a period. */
  atEnd(taxonomy: string, tag: string, period: Span): readonly Fact[]
  /**
   * Returns the values of a tag in a period, or at its end, that were left out because their unit is not the main
   * currency of their filing.
   */
  leftOut(taxonomy: string, tag: string, period: Span): readonly Fact[]
  /** Returns all facts of a period, of any tag. */
  of(period: Span): readonly Fact[]
  /** Tests whether any balance at the end of a period is known. */
  hasBalance(period: Span): boolean
  /** Returns the first and last day that identify a period; the given days may differ from these two by a few days. */
  known(days: Span): Span
  /** Returns all spans with values of a tag. */
  spans(taxonomy: string, tag: string): readonly Span[]
}

/**
 * @param facts stored facts of one company
 * @param asOf ignores facts filed after this day
 */
export function bookOf(facts: readonly Fact[], asOf?: string): Book {
  const known = facts.filter(
    (fact) => counts(fact) && TAGS.has(tagOf(fact)) && (asOf === undefined || fact.filed <= asOf),
  )
  const { own, others, left } = inOwnCurrency(known)
  own.sort(byFiled)
  const same = sameDays(own)
  const spanOf = (fact: Fact & { start: string }): Span => same.get(keyOf(fact)) ?? { start: fact.start, end: fact.end }
  const lasting = own.filter(hasStart)
  const dated: Dated[] = lasting.map((fact) => ({ ...spanOf(fact), fact, figure: TAGS.get(tagOf(fact))! }))
  const periods = periodsOf(dated)
  const years = periods.filter(({ type }) => type === 'annual' || type === 'transition')
  const reports = reportsOf(dated)
  const bySpan = Map.groupBy(dated, keyOf)
  const spansOf = new Map(
    [...Map.groupBy(dated, ({ fact }) => tagOf(fact))].map(([tag, of]) => [
      tag,
      [...new Map(of.map((one) => [keyOf(one), one as Span])).values()],
    ]),
  )
  const byTagAndSpan = Map.groupBy(dated, (one) => `${tagOf(one.fact)}|${keyOf(one)}`)
  const balances = own.filter(({ start }) => start === null)
  const byTagAndDay = Map.groupBy(balances, (fact) => `${tagOf(fact)}|${fact.end}`)
  const daysOf = Map.groupBy(balances, ({ end }) => end)
  // Reports may give different last days for one period. Returns all of them, first the day that identifies the period.
  const ends = (span: Span) => [...new Set([span.end, ...(bySpan.get(keyOf(span)) ?? []).map(({ fact }) => fact.end)])]
  return {
    periods,
    years,
    named: fiscalYears(years, namesOf(years, reports, dated)),
    reports,
    otherCurrencies: others,
    during: (taxonomy, tag, span) =>
      (byTagAndSpan.get(`${taxonomy}:${tag}|${keyOf(span)}`) ?? []).map(({ fact }) => fact),
    atEnd: (taxonomy, tag, span) =>
      ends(span)
        .map((day) => byTagAndDay.get(`${taxonomy}:${tag}|${day}`))
        .find((found) => found !== undefined) ?? [],
    leftOut: (taxonomy, tag, span) =>
      left.filter(
        (fact) =>
          tagOf(fact) === `${taxonomy}:${tag}` &&
          ends(span).includes(fact.end) &&
          (fact.start === null || fact.start === span.start),
      ),
    of: (span) => (bySpan.get(keyOf(span)) ?? []).map(({ fact }) => fact),
    hasBalance: (span) => ends(span).some((day) => daysOf.has(day)),
    known: (span) => same.get(keyOf(span)) ?? span,
    spans: (taxonomy, tag) => spansOf.get(`${taxonomy}:${tag}`) ?? [],
  }
}

const tagOf = ({ taxonomy, tag }: Fact) => `${taxonomy}:${tag}`

/** The figure of each tag; a tag that several figures use maps to the first of them. */
const TAGS: ReadonlyMap<string, Figure> = new Map(
  [...FIGURES]
    .reverse()
    .flatMap((figure) =>
      WAYS[figure].flatMap((way) => tagsOf(way).map((tag) => [`${way.taxonomy}:${tag}`, figure] as const)),
    ),
)

/**
 * Keeps the facts of each filing in the currency of most of its amounts. A report in New Taiwan dollars also gives the
 * newest year in US dollars for convenience, converted at the rate of one day (Taiwan Semiconductor).
 */
function inOwnCurrency(facts: readonly Fact[]): { own: Fact[]; others: string[]; left: Fact[] } {
  const amounts = facts.filter(({ unit }) => /^[A-Z]{3}$/.test(unit))
  const all = countBy(amounts)
  const byFiling = new Map(
    [...Map.groupBy(amounts, ({ accession }) => accession)].map(([accession, of]) => {
      const counted = countBy(of)
      const [currency] = [...counted.keys()].sort(
        (a, b) => counted.get(b)! - counted.get(a)! || all.get(b)! - all.get(a)! || compare(a, b),
      )
      return [accession, currency!]
    }),
  )
  const own = facts.filter(
    ({ accession, unit }) => currencyOf(unit) === (byFiling.get(accession) ?? null) && currencyOf(unit) !== null,
  )
  const taken = new Set(own)
  const left = facts.filter((fact) => !taken.has(fact)).sort(byFiled)
  const used = new Set(own.map(({ unit }) => currencyOf(unit)))
  return { own, others: [...all.keys()].filter((currency) => !used.has(currency)).sort(compare), left }
}

function countBy(facts: readonly Fact[]): Map<string, number> {
  const counted = new Map<string, number>()
  for (const { unit } of facts) counted.set(unit, (counted.get(unit) ?? 0) + 1)
  return counted
}

function reportsOf(dated: readonly Dated[]): Map<string, Report> {
  const reports = new Map<string, Report>()
  for (const { fact, end } of dated) {
    const { accession, form, filed, fy } = fact
    const report = reports.get(accession)
    if (!report) reports.set(accession, { accession, form, filed, fy, end })
    else if (report.end < end) report.end = end
  }
  return reports
}

/**
 * Returns, for each fiscal year, the number that its annual report gives. A number that differs by more than one from
 * the calendar year of the fiscal year's last day is a mistake and is left out.
 */
function namesOf(
  years: readonly Span[],
  reports: ReadonlyMap<string, Report>,
  dated: readonly Dated[],
): Map<string, number> {
  const bySpan = Map.groupBy(dated, keyOf)
  return new Map(
    years.flatMap((year) => {
      const own = (bySpan.get(keyOf(year)) ?? [])
        .map(({ fact }) => reports.get(fact.accession)!)
        .find(({ form, end, fy }) => isAnnual(form) && end === year.end && fy !== null)
      const isSane = own && Math.abs(own.fy! - Number(year.end.slice(0, 4))) <= 1
      return isSane ? [[keyOf(year), own.fy!] as const] : []
    }),
  )
}

/**
 * Returns the report of a period: the first annual or interim report whose newest period ends with this period. If no
 * filing is such a report, returns the first filing that has the period at all. This happens for years before a
 * company's first report in XBRL.
 */
export function reportOf(book: Book, period: Span): Report | null {
  const found = [...new Set(book.of(period).map(({ accession }) => accession))].map((one) => book.reports.get(one)!)
  return found.find(({ form, end }) => isPeriodic(form) && end === period.end) ?? found[0] ?? null
}
