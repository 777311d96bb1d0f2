/** The headline figures of a press release on results: those of the whole company, in the period of the release. */
import type { Period } from './earnings.ts'
import type { Fact, FactName } from './facts.ts'
import { type Sentence, sentencesOf } from './prose.ts'

/** The head of a release, where its headline figures stand. Behind it come segments, which have revenues too (0000891092-04-003383). */
const HEAD_MAX = 3_500

const AMOUNT = String.raw`(?:a (?:record|strong) )?(?<![A-Za-z])(?:US)?\$\s?\(?([\d,]+(?:\.\d+)?)\)?(?:\s?(billion|million|thousand|MM|M|B)\b)?`
/** "for the three months ended December 31, 2003," */
const OF_PERIOD = String.raw`(?:,?\s(?:for|in|during)\s(?:the|its)?\s?(?:[\w-]{1,12}\s){0,4}?(?:quarter|year|months|period|half|weeks|\d{4})(?:\s(?:of|ended)\s[^.;$]{4,40}?)?,?)?`
const REACHES = String.raw`(?:was|were|of|totaled|totalled|reached|came in at|(?:increased|decreased|rose|grew|declined|fell|climbed|up|down)(?: by)?[\s\d.,%]{0,12}(?:percent )?to|to)`
/** What may stand before the word: the whole company's, and no segment's. */
const WHOLE = String.raw`(?:^|[.,;:|•–—]\s|\b(?:total|net|quarterly|record|consolidated|reported|reports?|posted|with|and|on|GAAP|our|its|company|company[’']s|overall|annual|generated|delivered|achieved|quarter|year|months|half|(?:19|20)\d\d|Q[1-4])\s)`
const REVENUE = '(?:revenues?|net sales|net revenues?|sales)'
const OWN = `(?: attributable to (?!(?:the )?(?:non-?controlling|minority))[^.,;$]{0,60}?)?`
const PER_SHARE = '(?:earnings|income|EPS)(?: per (?:common )?share)?'

const FIGURES: readonly (readonly [FactName, RegExp])[] = [
  ['revenue', new RegExp(String.raw`${WHOLE}${REVENUE}${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'gi')],
  ['revenue', new RegExp(String.raw`(?:^|\b(?:on|reports?|reported|posted)\s(?:record\s)?)${AMOUNT}\s(?:of|in)\s(?:total |net |record )*(?:revenues?|net sales)\b`, 'gi')],
  ['net_income', new RegExp(String.raw`\bnet (?:income|earnings)${OWN}${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'gi')],
  ['net_income', new RegExp(String.raw`\b(net loss)${OWN}${OF_PERIOD}\s${REACHES}\s${AMOUNT}`, 'gi')],
  ['net_income', new RegExp(String.raw`\bnet (?:income|earnings) and (?:basic and )?diluted ${PER_SHARE}${OF_PERIOD}\s(?:was|were|of)\s${AMOUNT}(?=,? and \$)`, 'gi')],
  ['eps_diluted', new RegExp(String.raw`\bnet (?:income|earnings) and (?:basic and )?diluted ${PER_SHARE}${OF_PERIOD}\s(?:was|were|of)\s\$[\d.,]+(?: (?:billion|million|thousand))?,? and ${AMOUNT}(?=,? respectively)`, 'gi')],
  ['eps_diluted', new RegExp(String.raw`\b${PER_SHARE},? ?(?:per (?:fully )?diluted (?:common )?share|\(?(?:basic and )?diluted\)?)[^.;$]{0,20}?\s(?:was|were|of)\s${AMOUNT}`, 'gi')],
  ['eps_diluted', new RegExp(String.raw`\b(?:basic and )?diluted (?:${PER_SHARE}|earnings per common share)${OF_PERIOD}\s(?:was|were|of)\s${AMOUNT}`, 'gi')],
  ['eps_diluted', new RegExp(`per share on a (?:basic and )?(?:fully )?diluted basis (?:was|of) ${AMOUNT}`, 'gi')],
  ['eps_diluted', new RegExp(String.raw`${AMOUNT} (?:per (?:fully )?diluted (?:common )?share|per share \(diluted\)|per share on a (?:basic and )?(?:fully )?diluted basis|(?:basic and )?diluted EPS|diluted (?:earnings|income) per share)`, 'gi')],
] // biome-ignore format: one line

/** A figure that is not the one of the statements, or of another period. */
const OTHER =
  /\b(?:non-GAAP|adjusted|pro forma|core|excluding|compared|compares|versus|vs\.?|prior|last year|previous|preliminary|expects?|expected|guidance|outlook|anticipates?|estimates?|estimated|approximately|range|between|would have been|target)\b/i
/** A part of the company whose revenue is none of the whole. */
const PART =
  /\b(?:segment|division|unit|region|product|services?|subscription|cloud|license|hardware|software|rental|advertising|international|domestic|backlog|recurring|comparable|same-store|organic|deferred)\b[^,;:.]{0,40}$/i
const QUARTER =
  /\b(?:(?:first|second|third|fourth|1st|2nd|3rd|4th)[- ](?:fiscal[- ])?quarter|quarter(?:ly)?|three[- ]months?|thirteen weeks|fourteen weeks|Q[1-4])\b(?:,?\s(?:of\s)?(?:fiscal\s)?(?:year\s)?(?:19|20)\d\d)?/gi
const LONGER: readonly (readonly [Period | 'other', RegExp])[] = [
  ['half_year', /\b(?:(?:first|second) half|six[- ]months?|twenty-six weeks)\b/gi],
  ['nine_months', /\b(?:nine[- ]months?|thirty-nine weeks|first three quarters)\b/gi],
  [
    'year',
    /\b(?:full[- ]year|fiscal[- ]year|fiscal (?:19|20)\d\d|twelve[- ]months?|annual|year ended|the (?:full )?year|(?:for|in|during) (?:all of )?(?:19|20)\d\d|(?:19|20)\d\d (?=revenue|net|sales))\b/gi,
  ],
  ['other', /\byear[- ]to[- ]date\b/gi],
]
/** A period so far from a figure is not the figure's. */
const NEAR_BEFORE = 140
const NEAR_BEHIND = 60

/**
 * Figures that the head of a release states in words: the first of each of the period.
 *
 * @param period of the release; null where it is not known, and figures of a quarter are those of a quarter
 */
export function headlinesOf(markdown: string, period: Period | null = null): Fact[] {
  const facts: Fact[] = []
  const head = { start: 0, end: Math.min(markdown.length, HEAD_MAX) }
  const { sentences } = sentencesOf(markdown, head)
  const inText = new Set(sentences.map(({ start }) => start))
  // A title rounds what the text and its lists say, so it counts for what only it says.
  const lines = sentencesOf(markdown, head, { headings: true }).sentences.filter(({ start }) => !inText.has(start))
  const isTitle = ({ start }: Sentence) => markdown[markdown.lastIndexOf('\n', start - 1) + 1] === '#'
  for (const sentence of [...sentences, ...lines.filter((line) => !isTitle(line)), ...lines.filter(isTitle)]) {
    for (const [name, pattern] of FIGURES) {
      if (facts.some((one) => one.name === name)) continue
      const value = figureIn(sentence, pattern, name, period)
      if (value) facts.push({ name, value, start: sentence.start, end: sentence.end })
    }
  }
  return facts
}

function figureIn({ text }: Sentence, pattern: RegExp, name: FactName, period: Period | null): string | null {
  const plain = text.replace(/\s/g, ' ')
  for (const match of plain.matchAll(pattern)) {
    const end = match.index + match[0].length
    // What is compared with stands behind the figure.
    const clause = plain.slice(plain.lastIndexOf(';', match.index) + 1, end)
    if (OTHER.test(clause) || /^,? (?:on a )?non-GAAP\b/i.test(plain.slice(end))) continue
    if (name === 'revenue' && PART.test(plain.slice(Math.max(0, match.index - 80), match.index + 1))) continue
    const own = periodAt(plain, match.index, end)
    if (period !== null && own !== null && own !== period) continue
    const value = dollarsOf(match, plain, name)
    if (value) return value
  }
  return null
}

function dollarsOf(match: RegExpMatchArray, plain: string, name: FactName): string | null {
  const isNetLoss = match[1]?.toLowerCase() === 'net loss'
  const [amount, scale] = isNetLoss ? match.slice(2) : match.slice(1)
  // "Net loss was $3.5 million, or $0.10 per diluted share"
  const isLoss = isNetLoss || (name === 'eps_diluted' && OF_LOSS.test(plain.slice(0, match.index)))
  const value = scaled(amount!, scale)
  // What is said in millions is no figure of a share: "net income and diluted earnings per share were $6.2 million and".
  if (name === 'eps_diluted' && (scale || amount!.includes(','))) return null
  // A figure in full has its zeros: "$15.3" of a table in millions has not.
  if (!value || (name !== 'eps_diluted' && !scale && !/,\d{3}/.test(amount!))) return null
  return isLoss ? `-${value}` : value
}

/** The period that is named nearest to a figure. */
function periodAt(plain: string, from: number, to: number): Period | 'other' | null {
  // A quarter of a year is no year.
  const masked = plain.replace(QUARTER, (said) => '\uE000'.repeat(said.length))
  let nearest: { kind: Period | 'other'; distance: number } | null = null
  const consider = (kind: Period | 'other', start: number, end: number) => {
    const distance = start >= to ? start - to : end <= from ? from - end : 0
    if (distance > (start >= to ? NEAR_BEHIND : NEAR_BEFORE)) return
    if (!nearest || distance < nearest.distance) nearest = { kind, distance }
  }
  for (const { index, 0: said } of plain.matchAll(QUARTER)) consider('quarter', index, index + said.length)
  for (const [kind, pattern] of LONGER) {
    for (const { index, 0: said } of masked.matchAll(pattern)) consider(kind, index, index + said.length)
  }
  return (nearest as { kind: Period | 'other' } | null)?.kind ?? null
}

const OF_LOSS = /\bloss(?:es)?\b(?:(?!\b(?:income|earnings|profit|gains?)\b).)*$/i

const DIGITS: Readonly<Record<string, number>> = { thousand: 3, million: 6, mm: 6, m: 6, billion: 9, b: 9 }

/** "119.6 billion" as dollars, without rounding. */
function scaled(amount: string, scale: string | undefined): string | null {
  const [whole = '', fraction = ''] = amount.replaceAll(',', '').split('.')
  const digits = DIGITS[scale?.toLowerCase() ?? ''] ?? 0
  const moved = whole + fraction.slice(0, digits).padEnd(digits, '0')
  const rest = fraction.slice(digits)
  if (!/^\d{1,18}$/.test(moved)) return null
  return `${BigInt(moved)}${rest === '' ? '' : `.${rest}`}`
}
