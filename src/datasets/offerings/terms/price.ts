/** Finds the price, or the range in which the price is expected, in the prose of a cover. */
import { type Fact, figure } from './facts.ts'
import { DOLLARS, NOTE, PER, US_DOLLARS } from './money.ts'

const PRICE = '(?:initial\\s+)?(?:public\\s+)?offering\\s+price'
/** Words between "price" and the figure: "per share of our common stock to the public". */
const GAP = '[^.;$]{0,200}?'

/** Excludes other prices: "The market price has been between …" is not about the price of the offering. */
const OTHER_PRICES =
  '(?<!\\b(?:exercise|conversion|closing|sales?|market|trading|strike|purchase|redemption|bid|ask|high|low|stock|reported|historical)\\s+)'

interface Patterns {
  range: RegExp
  prices: readonly RegExp[]
}

const patternsOf = (money: string): Patterns => ({
  range: new RegExp(
    `(${OTHER_PRICES}\\bprice\\b${GAP})\\b(?:between|from|of|be)\\s+(?:approximately\\s+)?${money}${NOTE}\\s*(?:and|to|[-–—])\\s*${money}${NOTE}(\\s*${PER})?`,
    'gi',
  ),
  prices: [
    new RegExp(
      `\\b${PRICE}((?:\\s+(?:per|of|for|to)\\s+[^.;$]{1,80}?)?\\s+(?:is|was|of|will\\s+be|to\\s+be))\\s+${money}${NOTE}(\\s*${PER})?`,
      'gi',
    ),
    new RegExp(
      `\\beach\\s+unit\\s+(?:has\\s+an?\\s+(?:offering\\s+)?price\\s+of|is\\s+being\\s+(?:sold|offered)\\s+at\\s+a\\s+price\\s+of)()\\s+${money}()`,
      'gi',
    ),
    new RegExp(`\\bfixed\\s+(?:offering\\s+)?price\\s+of()\\s+${money}${NOTE}(\\s*${PER})`, 'gi'),
  ],
})
const ANY = patternsOf(DOLLARS)
const US = patternsOf(US_DOLLARS)

const OF_ONE = new RegExp(PER, 'i')
const IS_INITIAL = /^initial/i
const OF_INITIAL = /\binitial\s+(?:public\s+)?offering\s+price\b/i
const OF_OFFERING = /\boffering\s+price\b|\bprice\s+to\s+(?:the\s+)?public\b|\bprice\s+range\b/i
/** Matches an expectation: "We anticipate that the price will be $6.00" does not state the final price. */
const EXPECTED = /\b(?:anticipate|estimate|expect)\w*\b/i
/**
 * Matches words of an assumption or of an earlier offering. An assumed price is not a fact about the offering, and the
 * price of an earlier offering is not the price of this offering.
 */
const ASSUMED =
  /\b(?:assum\w*|(?:increase|decrease|change)s?\s+in|paid|purchased|acquired|completed|consummated|closed|we\s+(?:sold|issued)|midpoint|aggregate|hypothetical\w*|for\s+(?:purposes|example|illustrative)|if\s+the)\b/i
/** Maximum price of a unit or a share. A larger amount is the amount of the whole offering. */
const PRICE_MAX = 100_000

interface PriceStatement {
  name: Fact['name']
  value: string
  at: number
}

/** @param before returns the part of the sentence that precedes an offset of the text */
export function pricesOf(text: string, money: string, before: (at: number) => string): PriceStatement[] {
  const { range, prices } = money === US_DOLLARS ? US : ANY
  const statements: PriceStatement[] = []
  const take = (at: number, low: string, high: string) =>
    statements.push({ name: 'price_low', value: low, at }, { name: 'price_high', value: high, at })
  for (const { index, 1: gap, 2: low, 3: high, 4: per } of text.matchAll(range)) {
    const isOfOne = per !== undefined || OF_ONE.test(gap!) || OF_INITIAL.test(before(index) + gap)
    const [least, most] = [low!, high!].map(figure) as [string, string]
    const around = before(index) + gap
    const isOffered = OF_OFFERING.test(around) || EXPECTED.test(around)
    if (isOfOne && isOffered && !ASSUMED.test(around) && Number(least) <= Number(most)) take(index, least, most)
  }
  for (const match of prices.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const { index, 0: whole, 1: gap, 2: stated, 3: per } = match
    const value = figure(stated!)
    const isOfOne = per !== undefined || OF_ONE.test(gap!) || IS_INITIAL.test(whole)
    const around = before(index) + gap
    const isRange = /^\s*(?:and|to|[-–—])\s*(?:U\.?S\.?\s?)?\$/.test(
      text.slice(index + whole.length, index + whole.length + 12),
    )
    if (!isOfOne || isRange || ASSUMED.test(around) || Number(value) > PRICE_MAX || Number(value) === 0) continue
    if (EXPECTED.test(around)) take(index, value, value)
    else statements.push({ name: 'price', value, at: index })
  }
  return statements
}
