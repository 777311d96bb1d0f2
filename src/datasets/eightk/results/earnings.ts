/** Item 2.02: reads the period of the results from the item or the press release. */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import { type Span, sentencesOf } from '../../../read/prose/sentences.ts'
import type { Fact } from '../facts/fact.ts'
import type { PERIODS } from '../tables-words.ts'

export type Period = (typeof PERIODS)[number]

const SPAN =
  'quarter|three(?: and (?:six|nine|twelve))?[- ]months?|(?:thirteen|fourteen|13|14)[- ]weeks?|six[- ]months?|half|(?:twenty-six|26)[- ]weeks?|nine[- ]months?|(?:thirty-nine|39)[- ]weeks?|fiscal year|full year|year|twelve[- ]months?|(?:fifty-two|fifty-three|52|53)[- ]weeks?'
const ENDED = new RegExp(
  `\\b(${SPAN})(?: period)?(?:\\s(?:of\\s)?(?:(?:the|its|our)\\s)?(?:fiscal\\s)?(?:year\\s)?\\d{4})?,?(?:\\s(?:and\\s[^.;]{0,60}?)?)\\s?(?:that\\s|which\\s)?ended\\s${DAY}`,
  'i',
)
const PERIOD_OF: readonly (readonly [RegExp, Period])[] = [
  [/^(?:quarter|three|thirteen|fourteen|1[34])/i, 'quarter'],
  [/^(?:six|half|twenty|26)/i, 'half_year'],
  [/^(?:nine|thirty|39)/i, 'nine_months'],
  [/^/, 'year'],
]
const OF_RESULTS = /\b(?:results|earnings|release|announc\w+|reported|income|revenues?|sales)\b/i

/** Returns the period that the text states; an empty list if the text names no day. */
export function periodIn(markdown: string, span: Span): Fact[] {
  for (const { text, start, end } of sentencesOf(markdown, span).sentences) {
    if (!OF_RESULTS.test(text) || /\bForm 10-[KQ]\b/.test(text)) continue
    const plain = text.replace(/\s/g, ' ')
    const found = ENDED.exec(plain)
    const iso = dayOf(found?.[2])
    if (!found || !iso) continue
    const period = PERIOD_OF.find(([pattern]) => pattern.test(found[1]!))![1]
    // A release about a quarter also covers the six or nine months of the year to date. The stated last day of these
    // months may differ from the last day of the quarter, so no day is returned with the quarter.
    const quarter =
      period === 'nine_months' || period === 'half_year' ? spanIn(markdown, { start: span.start, end }) : []
    if (quarter.some(({ value }) => value === 'quarter')) return quarter
    const part = PART_OF_YEAR.exec(plain.slice(0, found.index))
    const isDayOf = !part || /^(?:fourth|Q4)$/i.test(part[1]!) || (part[2] ?? '') > iso.slice(0, 4)
    return [
      { name: 'period', value: part ? 'quarter' : period, start, end },
      ...(isDayOf ? [{ name: 'period_end', value: iso, start, end } as const] : []),
    ]
  }
  return []
}
/**
 * Matches results of a quarter whose stated day may be the end of the fiscal year: "its first quarter of the fiscal
 * year ended June 30, 2007". If the number of the fiscal year is greater than the year of the day, the day is the end
 * of the quarter.
 */
const PART_OF_YEAR =
  /\b(first|second|third|fourth|Q[1-4])[- ](?:fiscal )?(?:quarter )?(?:of|in) (?:the |its |our )?(?:fiscal )?((?:19|20)\d\d)? ?$/i

/** Matches "third quarter of fiscal 2019", "Q3 2019", "full year 2019", "results for the third quarter" */
const NAMED =
  /\b(?:results|earnings|sales|income) (?:for|of|in) (?:the |its )?(?:fiscal )?(?:(?:first|second|third|fourth)[- ](?:fiscal[- ])?quarter|Q[1-4])\b|\b(?:(?:first|second|third|fourth)[- ](?:fiscal[- ])?quarter|Q[1-4])(?=\b[^.;]{0,40}\b(?:results|revenues?|earnings|sales|net)|[^.;]{0,20}\b(?:19|20)\d\d)/i
const OF_YEAR = /\b(?:full[- ]year|fiscal year|fiscal|annual|year[- ]end)\b[^.;]{0,30}\b(?:results|earnings)\b/i

/** Returns the kind of period (a quarter or a year) of a release that names no day. */
export function spanIn(markdown: string, span: Span): Fact[] {
  for (const { text, start, end } of sentencesOf(markdown, span, { headings: true }).sentences) {
    if (!OF_RESULTS.test(text)) continue
    const value = NAMED.test(text) ? 'quarter' : OF_YEAR.test(text) ? 'year' : undefined
    if (value) return [{ name: 'period', value, start, end }]
  }
  return []
}
