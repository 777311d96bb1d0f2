/**
 * Finds the headline figures of a press release on results: figures of the whole company for the period of the release.
 */

import { CODE, NATION } from '../../../read/prose/money.ts'
import type { Fact, FactName } from '../facts/fact.ts'
import type { Period } from './earnings.ts'
import { PART_AFTER, PATTERNS, type Pattern, PERIOD_WORD } from './headline-words.ts'
import { type Context, type Line, linesOf } from './release-lines.ts'
import { isOfEarlierYear, kindsIn, nearestKind } from './spans.ts'

/**
 * Number of characters at the beginning of a release that are searched for headline figures. The text after them has
 * figures of segments, which also have revenues (0000891092-04-003383).
 */
const HEAD_MAX = 3_500

/** Words near figures that are not from the statements, or not for the period. */
const OTHER =
  /\b(?:non-GAAP|adjusted|pro forma|core|excluding|excludes|compared|compares|versus|vs\.?|prior|last year|(?<!\b(?:from|than|over|against|with|to) (?:the |its )?)(?:year[- ]ago|(?:a|one) year (?:ago|earlier|before)|(?:same|comparable|corresponding) (?:period|quarter))|previous|preliminary|expects?|expected|guidance|outlook|anticipates?|estimates?|estimated|forecasts?|range|between|would have been|target)\b/i
/** Words for a part of the company, whose revenue is not the revenue of the whole company. */
const PART =
  /\b(?:segment|division|unit|region|product|services?|subscription|cloud|license|hardware|software|rental|advertising|international|domestic|backlog|recurring|comparable|same-store|organic|deferred)\b[^,;:.]{0,40}$/i
/** Words before "income" which show that the figure is not the net income of the statements. */
const OTHER_NET =
  /\b(?:operating|cash|normalized|underlying|distributable|ongoing|taxable|statutory|recurring|comparable|economic|segment|division|bank[’']s)\s$/i
/** Matches words before a figure whose subject is a part of the company: "the Paper division had". */
const PART_HAS = /\b(?:segments?|divisions?|business units?|subsidiar(?:y|ies))\b[^,;:.]{0,40}$/i
const OTHER_AFTER =
  /^,? (?:(?:on an? |as )?(?:non-GAAP|adjusted)\b|from (?:continuing|discontinued)|before\b|excluding\b|exclusive\b|(?:of|in) (?:FFO|AFFO|EBITDA))/i
/** Matches "$2.2 million lower than", "$5 million, or 10%, below plan" */
const IS_CHANGE =
  /^,?(?: or [\d.]{1,6}(?:%| percent),?)? (?:lower|less|higher|more|greater|below|above|better|worse|short of|ahead of|favorable|unfavorable)\b/i
/** Matches "In Europe, sales were", "For the Widget segment, revenue was" */
const OF_PART_BEFORE = new RegExp(
  `\\b(?:[Ii]n|[Ff]or|[Ff]rom|[Aa]t|[Aa]cross|[Oo]utside|[Ww]ithin) (?:the |our |its )?(?!${PERIOD_WORD}\\b)[A-Z]|\\b(?:segments?|divisions?|units?|regions?|subsidiar\\w+|[Oo]verseas|[Aa]broad|[Ii]nternationally|[Dd]omestically)\\b`,
)
const OTHER_MONEY = new RegExp(`^ ?(?:${CODE}|${NATION}|yen|yuan|euros?|pounds)\\b`, 'i')
const NOT_DOLLARS = new RegExp(`\\b(?:${CODE}|${NATION})\\s?$`, 'i')
/** Matches "All amounts are in Canadian dollars." */
const OTHER_DOLLARS = new RegExp(
  `\\b(?:in|are|expressed in|stated in)\\s(?:millions of |thousands of )?${NATION} dollars\\b`,
  'i',
)

/**
 * Nouns that a per-share amount may belong to. The amount belongs to the last noun before it. "(loss)" in brackets does
 * not mean a loss.
 */
const NOUN =
  /\b(net (?:income|earnings|profits?|loss(?:es)?)|(?:operating|comprehensive|pre-?tax|taxable|interest|other|investment|economic|cash|core|ongoing) (?:income|earnings|loss(?:es)?)|earnings|income|profits?|loss(?:es)?|EPS|charges?|gains?|benefits?|dividends?|distributions?|A?FFO|funds from operations|EBITDA\w*|expenses?|costs?|impairments?|tax|taxes|items?|adjustments?|write-?(?:offs?|downs?)|provisions?|settlements?|cash flow|book value|consensus)\b/gi
const IS_EARNED = /^(?:net (?:income|earnings|profits?|loss(?:es)?)|earnings|income|profits?|loss(?:es)?|EPS)$/i

/** Conditions that a figure must meet. */
export interface Wanted {
  /** Span of time that the figures cover. If null, figures of any span are found. */
  period?: Period | null
  /** Last day of the period, if known; used to reject figures of the year before. */
  periodEnd?: string | null
  /**
   * Whether the text must name the span of the figure. Set for spans other than the release's own span. If not set, a
   * figure without a named span belongs to the wanted span.
   */
  mustName?: boolean
}

/**
 * Returns figures that the beginning of a release states in words: for each kind of figure, the first figure of the
 * period.
 */
export const headlinesOf = (markdown: string, wanted: Wanted = {}): Fact[] => headlinesIn(headOf(markdown), wanted)

/**
 * A line of a release. `digits` is the power of ten for amounts without their own unit, from a line above that states
 * the unit.
 */
interface HeadLine extends Line {
  digits: number | null
}

/** Returns the lines of a release that may state its figures; none if the figures are in dollars of another country. */
export const headOf = (markdown: string): HeadLine[] =>
  OTHER_DOLLARS.test(markdown.slice(0, HEAD_MAX * 2))
    ? []
    : linesOf(markdown, HEAD_MAX).map((line) => ({ ...line, digits: unitAbove(markdown, line.start) }))

/** Matches "($ in millions, except per share data)" in a line of its own or at the end of a title. */
const UNIT_LINE =
  /\((?:[^()\n]{0,30}\s)?in\s(thousands|millions)\b[^()\n]{0,80}\)[*_:\s]*$|^[*_#\s]*(?:(?:all\s)?(?:dollars|amounts|figures)\s|\$\s)?in\s(thousands|millions)\b[^.\n]{0,80}$/i
/** Maximum distance between a line and the line above with its unit. */
const UNIT_ABOVE_MAX = 800

/**
 * Returns the power of ten of the last unit that a line above states. The unit of a table does not apply below the
 * table.
 */
function unitAbove(markdown: string, at: number): number | null {
  const lines = markdown.slice(Math.max(0, at - UNIT_ABOVE_MAX), at).split('\n')
  for (const line of lines.reverse()) {
    if (line.startsWith('|')) return null
    const [, one, other] = UNIT_LINE.exec(line) ?? []
    const unit = one ?? other
    if (unit !== undefined) return unit.toLowerCase() === 'thousands' ? 3 : 6
  }
  return null
}

/** Does the same as `headlinesOf`, for lines that are split once and then searched for several spans. */
export function headlinesIn(lines: readonly HeadLine[], wanted: Wanted): Fact[] {
  const facts: Fact[] = []
  for (const isLast of [false, true]) {
    for (const line of lines) {
      for (const pattern of PATTERNS) {
        if ((pattern.isLast ?? false) !== isLast || facts.some(({ name }) => name === pattern.name)) continue
        const value = figureIn(line, pattern, wanted)
        if (value)
          facts.push({ name: pattern.name, value, period: wanted.period ?? null, start: line.start, end: line.end })
      }
    }
  }
  return facts
}

/**
 * Matches "… compared to $3 million last year, with diluted EPS growing 24% to $0.46": the figure after "with" is the
 * figure of the new period.
 */
const WITH = /, with $/
const GROWING = /\b(?:increas|ris|grow|climb|improv|advanc|decreas|declin|fall)ing\b[^$]*\bto\b/i

function figureIn({ text: plain, context, digits }: HeadLine, { name, pattern, isBefore }: Pattern, wanted: Wanted) {
  const { periodEnd = null } = wanted
  if (context.isOther || (context.isPart && name === 'revenue')) return null
  for (const match of plain.matchAll(pattern)) {
    const end = match.index + match[0].length
    // The clause ends with the match, since a figure for comparison comes after the match.
    const isNew = WITH.test(plain.slice(Math.max(0, match.index - 8), match.index)) && GROWING.test(match[0])
    const clause = plain.slice(isNew ? match.index : plain.lastIndexOf(';', match.index) + 1, end)
    if (OTHER.test(clause) || isOther(match, plain, name)) continue
    if (context.isTopic && name === 'revenue' && match.index === 0) continue
    if (!isOfPeriod(plain, { from: match.index, to: end }, wanted, context)) continue
    if (periodEnd !== null && isOfEarlierYear(plain, match.index, end, periodEnd)) continue
    const isLoss = isBefore
      ? isLossBefore(plain.slice(0, match.index))
      : /\b(?:loss|lost)\b/i.test(match[0].replace(/\(loss\)/gi, ''))
    if (isLoss === null) continue
    const value = amountIn(match.groups!.amount!, name, { isLoss, digits })
    if (value) return value
  }
  return null
}

function isOther({ index, 0: said }: RegExpMatchArray & { index: number }, plain: string, name: FactName): boolean {
  const before = plain.slice(Math.max(0, index - 80), index + 1)
  const rest = plain.slice(index + said.length, index + said.length + 80)
  if (
    OTHER_AFTER.test(rest) ||
    IS_CHANGE.test(rest) ||
    OTHER_MONEY.test(rest) ||
    NOT_DOLLARS.test(said.slice(0, said.indexOf('$')))
  )
    return true
  if (name === 'revenue' && (PART.test(before) || (said.startsWith(',') && OF_PART_BEFORE.test(plain.slice(0, index)))))
    return true
  if (name !== 'revenue' && OTHER_NET.test(plain.slice(Math.max(0, index - 20), index))) return true
  if (name === 'net_income' && PART_HAS.test(before)) return true
  if (name !== 'eps_diluted') return PART_AFTER.test(rest)
  // In "$0.50 and $0.40 per diluted share, respectively", the figures cover two years, or basic and diluted shares.
  return (
    /\$[\d.]{1,8}\sand\s$/.test(before.slice(0, -1)) && !/\bbasic and\b/i.test(said) && /\brespectively\b/i.test(plain)
  )
}

/**
 * Tests whether the per-share amount is a loss. Returns null if the figure belongs to a charge, a dividend, or part of
 * the income.
 */
function isLossBefore(before: string): boolean | null {
  const said = before.replace(/\(loss(?:es)?\)/gi, (sign) => ' '.repeat(sign.length))
  const noun = [...said.matchAll(NOUN)].at(-1)
  // Example: "lost $6 million, or $0.12 per diluted share"
  const verb = [...said.matchAll(/\b(?:lost|earned|made)\s(?=[$\d(])/gi)].at(-1)
  if (verb && verb.index > (noun?.index ?? -1)) return /^lost/i.test(verb[0])
  if (!noun) return false
  if (!IS_EARNED.test(noun[0]) || /\b(?:continuing|discontinued|before|operations)\b/i.test(said.slice(noun.index)))
    return null
  return /loss/i.test(noun[0])
}

/**
 * Tests the period of a figure. A figure without a period has the period of the text above, unless that text has two
 * periods.
 */
function isOfPeriod(
  plain: string,
  { from, to }: { from: number; to: number },
  { period = null, mustName = false }: Wanted,
  context: Context,
): boolean {
  if (period === null) return true
  const own = nearestKind(plain, from, to) ?? context.carried
  if (own !== null) return own === period
  const kinds = kindsIn(context.above)
  return (kinds.size === 0 && !mustName) || (kinds.size === 1 && kinds.has(period))
}

const DIGITS: Readonly<Record<string, number>> = { thousand: 3, million: 6, mm: 6, m: 6, billion: 9, b: 9 }

function amountIn(
  amount: string,
  name: FactName,
  { isLoss, digits }: { isLoss: boolean; digits: number | null },
): string | null {
  // "$0.64 cents" is 64 cents.
  const [, number = '', unit = ''] =
    /(?<![\d,.])([\d,.]*\d)\)?\s?([a-z¢]*)/i.exec(amount.includes('$') ? amount.replace(/\scents$/, '') : amount) ?? []
  const isShare = name === 'eps_diluted'
  const isCents = /^(?:cents|¢)$/i.test(unit)
  // An amount in millions is not a per-share figure: "net income and diluted earnings per share were $6.2 million and".
  if (isShare && ((unit !== '' && !isCents) || number.includes(','))) return null
  if (!isShare && (isCents || (unit === '' && !isAmount(number, digits)))) return null
  const value = moved(number, isCents ? -2 : (DIGITS[unit.toLowerCase()] ?? (isShare ? 0 : (digits ?? 0))))
  if (value === null) return null
  const isZero = /^[0.]+$/.test(value)
  return (isLoss || amount.includes('(')) && !isZero ? `-${value}` : value
}

/**
 * Tests whether an amount without its own unit counts. If no line above states a unit, the amount must be written in
 * full: it ends with a comma and three digits, and may have cents. "$15.3" and "$1,234.5" do not count, since they are
 * amounts in millions. If a line above states a unit, amounts below 1 do not count ("$0.72" may be an amount per
 * share), and neither do amounts of a million or more, which may be in dollars.
 */
const isAmount = (number: string, digits: number | null): boolean =>
  digits === null
    ? /,\d{3}(?:\.\d\d)?$/.test(number)
    : /^\d{1,3}(?:,\d{3})?(?:\.\d)?$/.test(number) && Number(number.replace(',', '')) >= 1

/** Moves the decimal point without rounding: 119.6 by 9 digits for billions, 34 by -2 digits for cents. */
export function moved(number: string, digits: number): string | null {
  const [whole = '', fraction = ''] = number.replaceAll(',', '').split('.')
  const padded = digits < 0 ? whole.padStart(1 - digits, '0') : whole + fraction.slice(0, digits).padEnd(digits, '0')
  const left = digits < 0 ? padded.slice(0, digits) : padded || '0'
  const right = digits < 0 ? padded.slice(digits) + fraction : fraction.slice(digits)
  if (!/^\d{1,18}$/.test(left)) return null
  return `${BigInt(left)}${right === '' ? '' : `.${right}`}`
}
