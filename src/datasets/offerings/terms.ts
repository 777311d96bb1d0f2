/**
 * Reads the facts of a prospectus cover about the offering. Accepts only words that can mean nothing else. If two
 * statements disagree, both are left out, and `leftOut` names the fact.
 */
import { sentenceAt } from '../../read/prose/sentences.ts'
import { FACTS } from './tables-words.ts'
import { type Cover, coverOf, FACING_MAX, type Span } from './terms/cover.ts'
import { type Fact, type FactName, figure, LINE_MAX, type Terms } from './terms/facts.ts'
import { initialOf, listingsOf, noMarketOf, spacOf } from './terms/listing.ts'
import { dollarsOf, KIND, NOTE, NUMBER } from './terms/money.ts'
import { pricesOf } from './terms/price.ts'
import { isInScale, tableFacts } from './terms/price-table.ts'
import { underwritersOf } from './terms/underwriters.ts'

/** Facts of which a cover has at most one. */
const SINGLE = ['shares', 'security', 'price', 'price_low', 'price_high', 'gross', 'proceeds'] as const

/** Matches a line of the cover's head: "25,000,000 Units". */
const TITLE = new RegExp(
  `^(?:up\\s+to\\s+)?(${NUMBER})\\s+(${KIND})(?:,?\\s+(?:of|representing|each|class)\\b[\\w ,$.-]{1,120})?(?:\\s*${NOTE})?(?:\\s{3,}.*)?$`,
  'i',
)
const OFFERS = [
  new RegExp(
    `\\b(?:we\\s+are|is)\\s+(?:offering|selling)\\s+(?:up\\s+to\\s+|an\\s+aggregate\\s+of\\s+)?(${NUMBER})\\s+(?:of\\s+our\\s+)?(${KIND})\\b`,
    'gi',
  ),
  new RegExp(
    `\\binitial\\s+public\\s+offering\\s+of\\s+(?:up\\s+to\\s+)?(${NUMBER})\\s+(?:of\\s+our\\s+)?(${KIND})\\b`,
    'gi',
  ),
]
/**
 * Matches words for securities that are not offered themselves: "Shares underlying the warrants", "issuable upon
 * exercise".
 */
const UNDERLYING = /\b(?:underlying|issuable|upon\s+(?:the\s+)?(?:exercise|conversion))\b/i
/** Matches a second class with a number of its own: "and 1,000,000 shares of preferred stock". */
const SECOND = new RegExp(
  `^(?:(?!\\b(?:each|consisting|representing|option|additional|selling)\\b)[^.;]){0,80}?(?:\\band|,)\\s+(?:up\\s+to\\s+)?(?:${NUMBER})\\s+(?:of\\s+our\\s+)?${KIND}\\b`,
  'i',
)
/**
 * Matches an offering in which holders sell together with the company. The number of neither is then the number of the
 * whole offering.
 */
const SELLING =
  /\bselling\s+(?:stock|share|security|unit)?holders?\b[^.]{0,160}?\b(?:are|is)\s+(?:also\s+)?(?:offering|selling)\b|\b(?:offered|sold)\s+by\s+(?:the\s+)?selling\b/i
const TOTAL = /^(?:U\.?S\.?\s?)?\$\s{0,3}(\d[\d,]{0,18}(?:\.\d+)?)$/

/**
 * Matches the line with the name of debt: "5.25% Senior Notes due 2031", "Debt Securities". The amount above this name
 * is the principal amount. The price may be lower, for example 99.5 % of that amount.
 */
const DEBT =
  /\b(?:notes?|debentures?|bonds?|obligations?|securities)\b[^.]{0,40}\bdue\b|^(?:up\s+to\s+)?(?:\$[\d,]{5,20}\s+)?(?:[\w%./-]{1,20}\s+){0,6}?(?:notes|debentures|bonds|debt\s+securities)\b(?!.*\bshares?\b)/i
const isDebt = ({ text }: { text: string }) => text.length <= DEBT_MAX && !text.startsWith('|') && DEBT.test(text)
const DEBT_MAX = 120

/** Returns facts of a document's cover, in the order of `FACTS`; null for a document without a cover. */
export function termsOf(markdown: string, form: string): Terms | null {
  const cover = coverOf(markdown, form.startsWith('424'))
  if (!cover) return null
  const dollars = dollarsOf(cover.text, form)
  const underwriters = underwritersOf(cover.lines)
  const read: Fact[] = [
    ...ofLines(cover),
    ...ofProse(cover, dollars),
    ...tableFacts(cover, dollars),
    ...underwriters.found.map(({ name, line }) => fact('underwriter', name, line)),
  ]
  const left = new Set<FactName>(underwriters.left > 0 ? ['underwriter'] : [])
  if (isInScale(cover)) drop(read, ['gross', 'proceeds'], left)
  if (isPartOnly(cover, read) || hasSecond(cover)) drop(read, ['shares', 'security'], left)
  const facts = read.filter((one) => !isSingle(one.name) || agreed(one, read, left))
  if (facts.some(({ name }) => name === 'price')) drop(facts, ['price_low', 'price_high'])
  return { facts: facts.sort(byName), leftOut: [...left].sort() }
}

const isSingle = (name: FactName) => (SINGLE as readonly string[]).includes(name)
const byName = (a: Fact, b: Fact) => FACTS.indexOf(a.name) - FACTS.indexOf(b.name) || a.start - b.start

/**
 * Tests whether to keep a fact that a cover has at most once. The fact is kept if all facts with its name have the same
 * value, and if it is the first of them.
 */
function agreed(one: Fact, read: readonly Fact[], left: Set<FactName>): boolean {
  const all = read.filter(({ name }) => name === one.name)
  if (all.every(({ value }) => Number(value) === Number(one.value) || value === one.value)) return all[0] === one
  left.add(one.name)
  return false
}

function drop(facts: Fact[], names: readonly FactName[], left?: Set<FactName>): void {
  for (let at = facts.length - 1; at >= 0; at--) {
    const { name } = facts[at]!
    if (!names.includes(name)) continue
    left?.add(name)
    facts.splice(at, 1)
  }
}

/** Matches the item of Form 8-A that names the registration statement. The item may span two lines. */
const RELATES = /\bfile\s+numbers?\s+to\s+which\s+this\s+form\s+relates[\s:*_|]*\(?(33[13]?-\d{4,6})\b/i

/** Returns the file number of the registration statement that a Form 8-A names. */
export function relatesTo(markdown: string): Fact[] {
  const found = RELATES.exec(markdown.slice(0, FACING_MAX))
  return found
    ? [fact('registration_file_number', found[1]!, sentenceAt(markdown, found.index + found[0].length - 1))]
    : []
}

/** Returns the form that a notice of effectiveness concerns. The notice's XML has two names for this field. */
export function effectiveOf(markdown: string): Fact[] {
  const found = [...markdown.matchAll(/^\*\*(?:Submission type|Form):\*\* (?!EFFECT$)(.{1,20})$/gm)].at(-1)
  return found ? [fact('effective_of', found[1]!, { start: found.index, end: found.index + found[0].length })] : []
}

const fact = (name: FactName, value: string, { start, end }: Span): Fact => ({ name, value, start, end })

const isTitle = ({ text }: { text: string }) => text.length <= LINE_MAX && TITLE.test(text) && !UNDERLYING.test(text)

/**
 * Tests whether the cover states numbers of two classes next to each other. If it does, neither number is the number of
 * the whole offering.
 */
function hasSecond({ lines, text }: Cover): boolean {
  const titles = lines.filter(isTitle)
  if (titles.length > 0) return titles.some((line) => SECOND.test(line.text.replace(FIRST, '')))
  return OFFERS.some((pattern) =>
    [...text.matchAll(pattern)].some(({ index, 0: words }) =>
      SECOND.test(text.slice(index + words.length, index + words.length + 200)),
    ),
  )
}

const FIRST = new RegExp(`^(?:up\\s+to\\s+)?(?:${NUMBER})\\s+${KIND}`, 'i')

/**
 * Tests whether the number of securities may be only a part of the offering: the head has no number, and holders sell
 * together with the company.
 */
const isPartOnly = ({ lines, text }: Cover, read: readonly Fact[]) =>
  read.some(({ name }) => name === 'shares') && !lines.some(isTitle) && SELLING.test(text)

function ofLines({ lines }: Cover): Fact[] {
  const facts: Fact[] = []
  const hasPrincipal = lines.some(isDebt)
  for (const line of lines) {
    if (line.text.length > LINE_MAX) continue
    const title = isTitle(line) ? TITLE.exec(line.text) : null
    if (title) facts.push(...offered(title, line))
    const total = TOTAL.exec(line.text)
    // "$250,000,000" above the name of a SPAC is the total. A price can also be alone in a line, so smaller amounts do
    // not count.
    if (total && !hasPrincipal && Number(figure(total[1]!)) >= 1_000_000)
      facts.push(fact('gross', figure(total[1]!), line))
  }
  return facts
}

const offered = ([, number, kind]: RegExpExecArray | RegExpMatchArray, span: Span): Fact[] => [
  fact('shares', figure(number!), span),
  fact('security', kind!.toLowerCase().replace(/\s+/g, ' '), span),
]

function ofProse(cover: Cover, dollars: string): Fact[] {
  const { text, start: from } = cover
  const spanAt = (at: number): Span => {
    const { start, end } = sentenceAt(text, at)
    return { start: from + start, end: from + end }
  }
  const facts: Fact[] = []
  const take = (name: FactName, value: string, at: number) => facts.push(fact(name, value, spanAt(at)))
  const offers = cover.lines.some(isTitle) ? [] : OFFERS.flatMap((pattern) => [...text.matchAll(pattern)])
  for (const match of offers) {
    // Securities sold by holders are not part of the company's offer.
    if (!/\bselling\s+\S{1,20}\s*$/i.test(text.slice(Math.max(0, match.index - 60), match.index)))
      facts.push(...offered(match, spanAt(match.index)))
  }
  const before = (at: number) => text.slice(sentenceAt(text, at).start, at)
  for (const { name, value, at } of pricesOf(text, dollars, before)) take(name, value, at)
  for (const { name, value, at } of listingsOf(text, (at) => sentenceAt(text, at).start)) take(name, value, at)
  const initial = initialOf(text)
  if (initial >= 0) take('initial', 'true', initial)
  const noMarket = noMarketOf(text)
  if (noMarket >= 0) take('no_market', 'true', noMarket)
  const spac = spacOf(text)
  if (spac >= 0) take('spac', 'true', spac)
  return unique(facts)
}

/** Keeps the first of equal facts. */
const unique = (facts: readonly Fact[]) =>
  facts.filter((one, at) => facts.findIndex((each) => each.name === one.name && each.value === one.value) === at)
