/** Recognizes spans of time: a quarter, a half year, nine months, a year. */
import type { Period } from './earnings.ts'

export type Kind = Period | 'other'

const YEAR = '(?:19|20)\\d\\d'
/** Matches a quarter with its year, so that "first quarter of fiscal 2020" does not also name the year 2020. */
const QUARTER = new RegExp(
  `(?:\\bfiscal (?:year )?)?(?:\\b${YEAR}[’']?s? )?\\b(?:(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ](?:fiscal[- ])?quarter|(?:this|last|prior|year-ago) quarter|quarter(?:ly)?|three[- ]months?|(?:thirteen|fourteen|13|14)[- ]weeks?|Q[1-4])\\b(?:,? (?:of )?(?:the |its )?(?:fiscal (?:year )?)?(?:year )?${YEAR}(?: fiscal year)?)?`,
  'gi',
)
const LONGER: readonly (readonly [Kind, RegExp])[] = [
  ['half_year', /\b(?:(?:first|second) half|six[- ]months?|(?:twenty-six|26)[- ]weeks?)\b/gi],
  ['nine_months', /\b(?:nine[- ]months?|(?:thirty-nine|39)[- ]weeks?|first three quarters)\b/gi],
  [
    'year',
    /\b(?:full[- ]year|fiscal[- ]year|fiscal (?:19|20)\d\d|twelve[- ]months?|annual|year[- ]end(?:ed)?|the (?:full )?year|(?:for|in|during) (?:all of )?(?:19|20)\d\d|(?:19|20)\d\d (?=revenue|net|sales))\b/gi,
  ],
  ['other', /\byear[- ]to[- ]date\b/gi],
]
/** Maximum distance of a period before a figure, and of a period after it. */
const NEAR_BEFORE = 140
const NEAR_AFTER = 60
/** Words before a period with which the figures are compared. */
const COMPARED = /\b(?:compared|compares|versus|vs|against|than|from|over)\b/i

/**
 * Hides quarters while a text is searched for longer spans, since the year in the name of a quarter is not a span of
 * one year.
 */
const hidden = (text: string) => text.replace(QUARTER, (said) => '\uE000'.repeat(said.length))

function* all(text: string): Generator<{ kind: Kind; start: number; end: number }> {
  for (const { index, 0: said } of text.matchAll(QUARTER))
    yield { kind: 'quarter', start: index, end: index + said.length }
  const rest = hidden(text)
  for (const [kind, pattern] of LONGER) {
    for (const { index, 0: said } of rest.matchAll(pattern)) yield { kind, start: index, end: index + said.length }
  }
}

/** Returns the spans that a text names before its first words of comparison. */
export function kindsIn(text: string): Set<Kind> {
  const end = COMPARED.exec(text)?.index ?? text.length
  return new Set([...all(text.slice(0, end))].map(({ kind }) => kind))
}

/** Returns the span nearest to a range of the text. */
export function nearestKind(text: string, from: number, to: number): Kind | null {
  const after = text.slice(to, to + NEAR_AFTER)
  const stop = to + (COMPARED.exec(after)?.index ?? after.length)
  let nearest: { kind: Kind; distance: number } | null = null
  for (const { kind, start, end } of all(text)) {
    const distance = start >= to ? start - to : end <= from ? from - end : 0
    const isNear = start >= to ? start < stop : distance <= NEAR_BEFORE
    if (isNear && (!nearest || distance < nearest.distance)) nearest = { kind, distance }
  }
  return nearest?.kind ?? null
}

/** Matches a year next to a span: "first quarter of 2006", "fiscal 2006". */
const NAMED_YEAR = new RegExp(
  `\\b(fiscal (?:year )?)?(?:quarter|half|year|months|weeks|Q[1-4]|fiscal)\\b,? (?:of |in )?(?:the )?(fiscal (?:year )?)?(?:year )?(${YEAR})\\b|\\b(${YEAR})[’']?s? (?:first|second|third|fourth|Q[1-4])\\b`,
  'gi',
)

/**
 * Tests whether the year next to the words between `from` and `to` is certainly earlier than the year in which the
 * period ends. Returns false if the year may name a fiscal year: some fiscal years are named after the calendar year in
 * which they begin, and end in the next one.
 */
export function isOfEarlierYear(text: string, from: number, to: number, periodEnd: string): boolean {
  const [year = 0, month = 0] = periodEnd.split('-').map(Number)
  const after = text.slice(to, to + NEAR_AFTER)
  const stop = to + (COMPARED.exec(after)?.index ?? after.length)
  const near = text.slice(Math.max(0, from - NEAR_BEFORE), stop)
  const named = [...near.matchAll(NAMED_YEAR)].map((match) => ({
    year: Number(match[3] ?? match[4]),
    isFiscal: /fiscal/i.test(match[0]),
  }))
  if (named.length === 0 || named.some((one) => one.year >= year)) return false
  return named.every((one) => one.year < year - 1 || month >= 7 || (month >= 3 && !one.isFiscal))
}
