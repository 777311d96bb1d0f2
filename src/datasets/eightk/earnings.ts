/** Item 2.02: the period of the results, and the headline figures of the press release. */

import { DAY, dayOf } from './days.ts'
import type { Fact, FactName } from './facts.ts'
import { type Sentence, type Span, sentencesOf } from './prose.ts'
import type { PERIODS } from './tables-words.ts'

/** The head of a release, where its headline figures stand. Behind it come segments, which have revenues too (0000891092-04-003383). */
const HEAD_MAX = 3_500

const ENDED = new RegExp(
  `\\b(quarter|three months|three-month period|thirteen weeks|six months|half|nine months|fiscal year|full year|year|twelve months)(?:\\s(?:of\\s)?(?:the\\s)?(?:fiscal\\s)?(?:year\\s)?\\d{4})?(?:\\s(?:and\\s[^.;]{0,60}?)?)\\s?ended\\s${DAY}`,
  'i',
)
const PERIOD_OF: readonly (readonly [RegExp, (typeof PERIODS)[number]])[] = [
  [/quarter|three|thirteen/i, 'quarter'],
  [/six|half/i, 'half_year'],
  [/nine/i, 'nine_months'],
  [/year|twelve/i, 'year'],
]

/** What the text says of the period; nothing where it names no day. */
export function periodIn(markdown: string, span: Span): Fact[] {
  for (const { text, start, end } of sentencesOf(markdown, span).sentences) {
    if (!/\b(?:results|earnings|release|announc\w+|reported|income|revenues?|sales)\b/i.test(text) || /\bForm 10-[KQ]\b/.test(text)) continue // biome-ignore format: one line
    const [, words, day] = ENDED.exec(text.replace(/\s/g, ' ')) ?? []
    const iso = dayOf(day)
    const period = PERIOD_OF.find(([pattern]) => pattern.test(words ?? ''))?.[1]
    if (iso && period) return [
      { name: 'period', value: period, start, end },
      { name: 'period_end', value: iso, start, end },
    ] // biome-ignore format: one line
  }
  return []
}

/** "for the three months ended December 31, 2003," */
const OF_PERIOD = String.raw`(?:\s(?:for|in)\s(?:the|its)\s(?:[\w-]{1,12}\s){0,3}(?:quarter|year|months|period|half)(?:\sended\s[A-Z][a-z]{2,9}\s\d{1,2},\s\d{4})?(?:\sof\s(?:fiscal\s)?\d{4})?,?)?`
const AMOUNT = String.raw`(?:a (?:record|strong) )?(?<![A-Z])\$\s?([\d,]+(?:\.\d+)?)(?:\s(billion|million|thousand))?`
const REACHES = String.raw`(?:was|were|of|totaled|totalled|reached|(?:increased|decreased|rose|grew|declined|fell|up|down)(?: by)?[\s\d.,%]{0,12}(?:percent )?to|to)`
/** What may stand before the word: the whole company's, and no segment's. */
const WHOLE = String.raw`(?:^|[.,;:|]\s|\b(?:total|net|quarterly|record|consolidated|reported|reports?|posted|with|and|on|GAAP|our|its|company[’']s|overall|annual|generated|delivered|achieved)\s)`
const FIGURES: readonly (readonly [FactName, RegExp])[] = [
  ['revenue', new RegExp(String.raw`${WHOLE}(?:revenues?|net sales|net revenues?)${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'i')], // biome-ignore format: one line
  ['net_income', new RegExp(String.raw`\bnet (?:income|earnings)(?: attributable to (?!(?:the )?(?:non-?controlling|minority))[^.,;$]{0,60}?)?${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'i')], // biome-ignore format: one line
  ['net_income', new RegExp(String.raw`\b(net loss)(?: attributable to (?!(?:the )?(?:non-?controlling|minority))[^.,;$]{0,60}?)?${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'i')], // biome-ignore format: one line
  ['eps_diluted', new RegExp(String.raw`\b(?:earnings|income|EPS)(?: per (?:common )?share)?,? ?(?:per diluted (?:common )?share|diluted)[^.;$]{0,20}?\s(?:was|were|of)\s${AMOUNT}`, 'i')], // biome-ignore format: one line
  ['eps_diluted', new RegExp(`\\bdiluted (?:earnings|income) per (?:common )?share (?:was|were|of) ${AMOUNT}`, 'i')],
  ['eps_diluted', new RegExp(`${AMOUNT} per diluted (?:common )?share`, 'i')],
]
/** A figure that is not the one of the statements, or of another period. */
const OTHER =
  /\b(?:non-GAAP|adjusted|pro forma|core|excluding|compared|versus|vs\.?|prior|last year|previous|expects?|expected|guidance|outlook|anticipates?|estimates?|approximately|preliminary|range|between)\b/i

/** Figures that the head of a release states in words: the first of each, where its sentence speaks of nothing else. */
export function headlinesOf(markdown: string): Fact[] {
  const facts: Fact[] = []
  for (const sentence of sentencesOf(markdown, { start: 0, end: Math.min(markdown.length, HEAD_MAX) }).sentences) {
    for (const [name, pattern] of FIGURES) {
      if (facts.some((one) => one.name === name)) continue
      const value = figureIn(sentence, pattern)
      if (value) facts.push({ name, value, start: sentence.start, end: sentence.end })
    }
  }
  return facts
}

function figureIn({ text }: Sentence, pattern: RegExp): string | null {
  const plain = text.replace(/\s/g, ' ')
  const match = pattern.exec(plain)
  // What is compared with stands behind the figure.
  if (!match || OTHER.test(plain.slice(0, match.index + match[0].length))) return null
  if (/^,? (?:on a )?non-GAAP\b/i.test(plain.slice(match.index + match[0].length))) return null
  const isNetLoss = match[1]?.toLowerCase() === 'net loss'
  const [amount, scale] = isNetLoss ? match.slice(2) : match.slice(1)
  // "Net loss was $3.5 million, or $0.10 per diluted share"
  const isLoss = isNetLoss || (isPerShare(match[0]) && OF_LOSS.test(plain.slice(0, match.index)))
  const value = scaled(amount!, scale)
  return value && isLoss ? `-${value}` : value
}

const isPerShare = (said: string) => /\bper diluted\b/i.test(said)
const OF_LOSS = /\bloss(?:es)?\b(?:(?!\b(?:income|earnings|profit|gains?)\b).)*$/i

const DIGITS: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9 }

/** "119.6 billion" as dollars, without rounding. */
function scaled(amount: string, scale: string | undefined): string | null {
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.')
  const digits = DIGITS[scale?.toLowerCase() ?? ''] ?? 0
  const moved = whole + fraction.slice(0, digits).padEnd(digits, '0')
  const rest = fraction.slice(digits)
  if (!/^\d{1,18}$/.test(moved)) return null
  return `${BigInt(moved)}${rest === '' ? '' : `.${rest}`}`
}
