/** Reads expense examples that are sentences: "$66 after one year and $205 after three years". */
import { amountOf, areInOrder, type Period, periodOf } from './amounts.ts'
import type { Line } from './layouts.ts'
import { redemptionOf } from './redemption.ts'

const YEARS = '(?:1|3|5|10|one|three|five|ten)[ -]years?'
const AMOUNT = '\\$\\s?(?:\\d{1,3}(?:,\\d{3}){1,2}|\\d{1,6})(?![\\d.,]*\\d)'
/** Matches "$66 after one year", and "1 Year: $66". */
const AMOUNT_FIRST = new RegExp(`(${AMOUNT})(?: (?:after|for|over|in|at the end of))? (${YEARS})\\b`, 'gi')
const YEARS_FIRST = new RegExp(`\\b(${YEARS})\\b[\\s:=–—-]{1,5}(${AMOUNT})`, 'gi')
const FIRST_YEARS = new RegExp(`\\b${YEARS}\\b`, 'i')
const ANY = /\$\s?\d/g

/**
 * Returns the amounts of the paragraphs between two offsets. Each paragraph must give an amount for each of its periods
 * and no other amount.
 *
 * @returns null if no paragraph gives amounts
 */
export function proseLines(markdown: string, from: number, to: number): Line[] | null {
  const lines: Line[] = []
  for (const [start, end] of paragraphs(markdown, from, to)) {
    const text = markdown.slice(start, end)
    const pairs = pairsIn(text)
    if (!areInOrder(pairs.map(({ years }) => years)) || pairs.length !== [...text.matchAll(ANY)].length) continue
    const words = text.slice(0, text.search(/\$/))
    for (const { years, stated } of pairs) {
      const amount = amountOf(stated)
      if (amount === null) return null
      lines.push({ ...amount, class_name: null, redemption: redemptionOf(words), years, start, end })
    }
  }
  return lines.length > 0 ? lines : null
}

/**
 * Returns the pairs of a period and an amount in a paragraph. If a period precedes the first amount, the period comes
 * first in every pair.
 */
function pairsIn(text: string): { years: Period; stated: string }[] {
  const isYearsFirst = text.search(FIRST_YEARS) < text.indexOf('$')
  return [...text.matchAll(isYearsFirst ? YEARS_FIRST : AMOUNT_FIRST)].flatMap(([, one, other]) => {
    const [named, stated] = isYearsFirst ? [one!, other!] : [other!, one!]
    const years = periodOf(named)
    return years === null ? [] : [{ years, stated }]
  })
}

function* paragraphs(markdown: string, from: number, to: number): Generator<[start: number, end: number]> {
  for (let at = from; at < to; ) {
    const stop = markdown.indexOf('\n\n', at)
    const end = stop < 0 ? markdown.length : stop
    if (
      markdown
        .slice(at, at + 200)
        .trim()
        .startsWith('#')
    )
      return
    if (end > at && end - at < 2_000) yield [at, end]
    at = end + 2
  }
}
