/**
 * Finds the periods that a company reports, by their first and last days alone. `fy` and `fp` of a value describe the
 * filing and not the value: last year's figure in a report of 2024 has the `fy` 2024.
 */
import { compare, type Fact, isQuarterly } from './fact.ts'

export type PeriodType = 'annual' | 'transition' | 'quarter' | 'year_to_date'

export interface Period {
  type: PeriodType
  start: string
  end: string
  /** Fiscal year that contains the period; null if it is unknown. */
  year: Span | null
}

export interface Span {
  start: string
  end: string
}

/** Returns days since 0000-03-01, computed by hand: Date.parse would take over a third of the time for a statement. */
function at(day: string): number {
  const month = (Number(day.slice(5, 7)) + 9) % 12
  const year = Number(day.slice(0, 4)) - (month > 9 ? 1 : 0)
  const leaps = Math.floor(year / 4) - Math.floor(year / 100) + Math.floor(year / 400)
  return 365 * year + leaps + Math.floor((153 * month + 2) / 5) + Number(day.slice(8, 10)) - 1
}
/** Returns the number of days from one day to another; 0 if they are the same day. */
export const days = (from: string, to: string): number => at(to) - at(from)
export function dayAfter(day: string, by = 1): string {
  return new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1, Number(day.slice(8, 10)) + by))
    .toISOString()
    .slice(0, 10)
}
/** Returns the number of days in a period; its first and its last day both count. */
export const lengthOf = ({ start, end }: Span): number => days(start, end) + 1
export const keyOf = ({ start, end }: Span): string => `${start}|${end}`

/**
 * Lengths of periods in days. A quarter has 12 to 17 weeks (Costco’s fourth quarter is the longest). Two quarters have
 * 24 to 29 weeks, three have 36 to 40, and a year has 52 or 53.
 */
const LENGTHS = { quarter: [70, 125], half: [150, 215], nine: [240, 300], year: [350, 380] } as const
const isLong = (span: Span, of: keyof typeof LENGTHS) => {
  const length = lengthOf(span)
  return length >= LENGTHS[of][0] && length <= LENGTHS[of][1]
}

/**
 * Maximum difference between two days that count as one day. Filers state days inexactly: NVIDIA’s half year of 2009
 * begins on January 25 in one report and on January 26 in the next.
 */
const SLIP_DAYS = 3
const isNear = (a: string, b: string) => Math.abs(days(a, b)) <= SLIP_DAYS

/**
 * Returns, for each period in the facts, the first and last day that identify it. Among periods that differ by a few
 * days, takes the period with the most facts. In a tie, takes the period of the later filing.
 */
export function sameDays(facts: readonly Fact[]): Map<string, Span> {
  const spans = [...Map.groupBy(facts.filter(hasStart), keyOf)].map(([key, of]) => ({
    key,
    span: { start: of[0]!.start, end: of[0]!.end },
    first: at(of[0]!.start),
    last: at(of[0]!.end),
    count: of.length,
    filed: of
      .map(({ filed }) => filed)
      .sort(compare)
      .at(-1)!,
  }))
  spans.sort((a, b) => b.count - a.count || compare(b.filed, a.filed) || compare(a.key, b.key))
  const known: (typeof spans)[number][] = []
  const same = new Map<string, Span>()
  for (const one of spans) {
    const standing = known.find(
      ({ first, last }) => Math.abs(first - one.first) <= SLIP_DAYS && Math.abs(last - one.last) <= SLIP_DAYS,
    )
    if (!standing) known.push(one)
    same.set(one.key, (standing ?? one).span)
  }
  return same
}

export const hasStart = (fact: Fact): fact is Fact & { start: string } => fact.start !== null

/** A fact about a period with a first day. `start` and `end` are the days that identify the period (`sameDays`). */
export interface Dated extends Span {
  fact: Fact
  figure: string
}

/** Returns all reported periods, in the order of their ends. */
export function periodsOf(dated: readonly Dated[]): Period[] {
  const spans = [...Map.groupBy(dated, keyOf).values()].map((of) => ({
    start: of[0]!.start,
    end: of[0]!.end,
    // Twelve months that only quarterly reports have are not a fiscal year: utilities report such sums each quarter.
    isAnnual: of.some(({ fact }) => !isQuarterly(fact.form)),
    isTransition: of.some(({ fact }) => /^(10-KT|20-FT)/.test(fact.form)),
    figures: new Set(of.map(({ figure }) => figure)).size,
    facts: of.length,
  }))
  const annual = disjoint(spans.filter((span) => span.isAnnual && isLong(span, 'year')))
  const transition = disjoint(
    spans.filter((span) => span.isTransition && lengthOf(span) < LENGTHS.year[0]).filter((span) => fits(span, annual)),
  ).filter((span) => !annual.some((year) => overlap(year, span) > SLIP_DAYS))
  const years = [...annual, ...transition].sort((a, b) => compare(a.end, b.end))
  const isOwnYear = (span: Span) => transition.some((one) => keyOf(one) === keyOf(span))
  const quarters = disjoint(spans.filter((span) => isLong(span, 'quarter') && !isOwnYear(span)))
  const toDate = spans.filter(
    (span) => (isLong(span, 'half') || isLong(span, 'nine')) && !isOwnYear(span) && beginsYear(span, years) !== false,
  )
  const of = (type: PeriodType, found: readonly Span[]) =>
    found.map(({ start, end }): Period => ({ type, start, end, year: yearOf({ start, end }, years) }))
  return [
    ...of('annual', annual),
    ...of('transition', transition),
    ...of('quarter', quarters),
    ...of('year_to_date', toDate),
  ].sort((a, b) => compare(a.end, b.end) || compare(a.start, b.start))
}

/**
 * Tests whether a transition period directly follows or precedes a fiscal year. Without fiscal years, every period
 * fits.
 */
const fits = (span: Span, years: readonly Span[]) =>
  years.length === 0 ||
  years.some((year) => isNear(dayAfter(year.end), span.start) || isNear(dayAfter(span.end), year.start))

const overlap = (a: Span, b: Span) => days(a.start > b.start ? a.start : b.start, a.end < b.end ? a.end : b.end) + 1

/**
 * If spans overlap by more than `SLIP_DAYS`, keeps the span with more figures. In a tie, keeps the span with more
 * facts, and then the later span.
 */
function disjoint<T extends Span & { figures: number; facts: number }>(spans: readonly T[]): T[] {
  const chosen: T[] = []
  for (const span of spans.toSorted((a, b) => b.figures - a.figures || b.facts - a.facts || compare(b.end, a.end))) {
    if (chosen.every((other) => overlap(other, span) <= SLIP_DAYS)) chosen.push(span)
  }
  return chosen.sort((a, b) => compare(a.end, b.end))
}

/** Returns the fiscal year that contains a period; the year after the newest reported year has no known last day. */
export function yearOf(span: Span, years: readonly Span[]): Span | null {
  const within = years.find(
    (year) => days(span.start, year.start) <= SLIP_DAYS && days(year.end, span.end) <= SLIP_DAYS,
  )
  if (within) return { start: within.start, end: within.end }
  const last = years.at(-1)
  if (!last || span.start <= last.end) return null
  // A day within a year after the end of the newest reported year is in the current year. Later days are in years that
  // no report covers.
  return days(last.end, span.end) <= LENGTHS.year[1] ? { start: dayAfter(last.end), end: '' } : null
}

/** Tests whether a period begins with its fiscal year; null if that is unknown. */
function beginsYear(span: Span, years: readonly Span[]): boolean | null {
  const year = yearOf(span, years)
  return year === null ? null : isNear(year.start, span.start)
}

/** Returns the number of a quarter, 1 to 4, by its beginning in its fiscal year. Quarters may have 12 or 16 weeks. */
export function quarterOf({ type, start, year }: Period): number | null {
  if (type !== 'quarter' || year === null) return null
  return Math.min(4, 1 + Math.round(days(year.start, start) / 91))
}

/**
 * Numbers each fiscal year as the company's reports do: Apple takes the calendar year of the last day, and many
 * retailers take the year before. A report may be wrong (NVIDIA's reports of 2011 to 2014 give the year before). So the
 * majority of reports about consecutive years decides; in a tie the later reports decide.
 *
 * @param reported the number in the report about a year, by the year's days
 */
export function fiscalYears(years: readonly Span[], reported: ReadonlyMap<string, number>): Map<string, number> {
  const numbers = new Map<string, number>()
  for (const chain of chains(years)) {
    // The number that each report implies for the first year of the chain.
    const votes = chain.flatMap((year, at) => (reported.has(keyOf(year)) ? [reported.get(keyOf(year))! - at] : []))
    const counted = Map.groupBy(votes, (vote) => vote)
    const most = Math.max(0, ...[...counted.values()].map(({ length }) => length))
    const first = votes.findLast((vote) => counted.get(vote)!.length === most)
    if (first !== undefined) for (const [at, year] of chain.entries()) numbers.set(keyOf(year), first + at)
  }
  return numbers
}

/**
 * Returns runs of consecutive whole years. A transition period is in no run, and the year after it begins a new run.
 */
function chains(years: readonly Span[]): Span[][] {
  const found: Span[][] = []
  for (const year of years.filter((one) => isLong(one, 'year'))) {
    const before = found.at(-1)?.at(-1)
    if (before && isNear(dayAfter(before.end), year.start)) found.at(-1)!.push(year)
    else found.push([year])
  }
  return found
}
