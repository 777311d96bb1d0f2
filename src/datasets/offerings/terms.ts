/**
 * What the cover of a prospectus says of the offering. A fact is only read from words that can mean nothing else; two that
 * disagree are both left out, by name.
 */
import { sentenceAt } from '../../read/sentences.ts'
import { type Cover, coverOf, FACING_MAX, type Span } from './cover.ts'
import { type Fact, type FactName, figure, LINE_MAX, type Terms } from './facts.ts'
import { tableFacts } from './price-table.ts'
import { FACTS } from './tables-words.ts'
import { underwritersOf } from './underwriters.ts'

/** Facts of which a cover has one. */
const SINGLE = ['shares', 'security', 'price', 'price_low', 'price_high', 'gross', 'proceeds'] as const

const NUMBER = '\\d{1,3}(?:,\\d{3})+|\\d+'
/** Dollars of the United States: "C$8.00" and "HK$8.00" are others. */
const MONEY = '(?<![A-Z])(?:US)?\\$\\s?(\\d[\\d,]*(?:\\.\\d+)?)'
const KIND =
  '(?:class\\s+[a-c]\\s+)?(?:american\\s+depositary\\s+shares|adss?|ordinary\\s+shares|common\\s+(?:shares|units)|preferred\\s+shares|shares|units)'
const PRICE = '(?:initial\\s+)?(?:public\\s+)?offering\\s+price'
const PER = '(?:(?:per|a|for each)\\s+|\\/)(?:common\\s+|ordinary\\s+|class\\s+a\\s+)*(?:share|unit|ads)\\b'

/** A line of the cover's head: "25,000,000 Units". */
const TITLE = new RegExp(
  `^(?:up\\s+to\\s+)?(${NUMBER})\\s+(${KIND})(?:\\s+(?:of|representing)\\s+[\\w ,$.]{1,80})?(?:\\s{3,}.*)?$`,
  'i',
)
const WE_OFFER = new RegExp(`\\bwe\\s+are\\s+(?:offering|selling)\\s+(${NUMBER})\\s+(${KIND})\\b`, 'gi')
const TOTAL = new RegExp(`^${MONEY}$`)
const RANGE = new RegExp(`\\bprice\\b[^.;$]{0,120}?\\bbetween\\s+${MONEY}\\s+and\\s+${MONEY}(?=\\s+${PER})`, 'gi')
const PRICES = [
  new RegExp(
    `\\b${PRICE}(?:\\s+(?:per|of|for)\\s+[^.;$]{1,60}?)?\\s+(?:is|of|will\\s+be)\\s+${MONEY}(?=\\s+${PER})`,
    'gi',
  ),
  new RegExp(`\\beach\\s+unit\\s+(?:has\\s+an?\\s+(?:offering\\s+)?price\\s+of|is\\s+being\\s+sold\\s+at\\s+a\\s+price\\s+of)\\s+${MONEY}`, 'gi'), // biome-ignore format: one line
]
/** "We anticipate that the price will be $6.00" is no price yet. */
const EXPECTED = /\b(?:anticipate|estimate|expect|assum)\w*\b/i

const EXCHANGES: readonly (readonly [RegExp, string])[] = [
  [/\bNYSE\s+American\b|\bNYSE\s+MKT\b|\bAmerican\s+Stock\s+Exchange\b|\bNYSE\s+Amex\b/i, 'NYSE American'],
  [/\bNYSE\s+Arca\b/i, 'NYSE Arca'],
  [/\bNew\s+York\s+Stock\s+Exchange\b|\bNYSE\b/i, 'NYSE'],
  [/\bNasdaq\b/i, 'Nasdaq'],
  [/\bCboe\b/i, 'CboeBZX'],
]
const SYMBOLS = /\bsymbols?\s{1,9}((?:,?\s{0,3}(?:and\s{1,3})?[“"]\s?[A-Z][A-Z.\- ]{0,9}?[,.]?\s?[”"][,.]?)+)/g
const SYMBOL = /[“"]\s?([A-Z][A-Z.\- ]{0,9}?)[,.]?\s?[”"]/g
const IS_LISTED =
  /\b(?:is|are)\s+(?:currently\s+|presently\s+|also\s+)?(?:listed|traded|quoted)(?:\s+(?:and|for)\s+(?:traded|trading))?\s+(?:on|under)\b/i
/** "Our parent’s stock is listed …", "…, whose shares are listed": what another has does not make the issuer a listed company. */
const OF_ANOTHER = /\b(?:parent|whose|sponsor|affiliate)\b(?:(?!\b(?:our|we)\b).){0,200}$/is

const INITIAL =
  /\b(?:this\s+is|is)\s+(?:an|our|the)\s+initial\s+public\s+offering\b|\bno\s+(?:established\s+)?public\s+(?:trading\s+)?market\s+(?:currently\s+)?(?:exists|for)\b/gi
const SPAC = /\b(?:is|are)\s+an?\s+(?:[a-z-]+\s+){0,4}?blank\s+check\s+(?:company|corporation)\b/gi

/** Facts of the cover of a document, in the order in which they are declared. */
export function termsOf(markdown: string, isProspectus: boolean): Terms | null {
  const cover = coverOf(markdown, isProspectus)
  if (!cover) return null
  const underwriters = underwritersOf(cover.lines)
  const read: Fact[] = [
    ...ofLines(cover),
    ...ofProse(cover),
    ...tableFacts(cover),
    ...underwriters.found.map(({ name, line }) => fact('underwriter', name, line)),
  ]
  const left = new Set<FactName>(underwriters.left > 0 ? ['underwriter'] : [])
  const facts = read.filter((one) => !isSingle(one.name) || agreed(one, read, left))
  if (facts.some(({ name }) => name === 'price')) drop(facts, ['price_low', 'price_high'])
  return { facts: facts.sort(byName), leftOut: [...left].sort() }
}

const isSingle = (name: FactName) => (SINGLE as readonly string[]).includes(name)
const byName = (a: Fact, b: Fact) => FACTS.indexOf(a.name) - FACTS.indexOf(b.name) || a.start - b.start

/** Of a fact that a cover has once the first is kept, where all of its kind say the same. */
function agreed(one: Fact, read: readonly Fact[], left: Set<FactName>): boolean {
  const all = read.filter(({ name }) => name === one.name)
  if (all.every(({ value }) => Number(value) === Number(one.value) || value === one.value)) return all[0] === one
  left.add(one.name)
  return false
}

function drop(facts: Fact[], names: readonly FactName[]): void {
  for (let at = facts.length - 1; at >= 0; at--) if (names.includes(facts[at]!.name)) facts.splice(at, 1)
}

/** Item of Form 8-A; it may stand over two lines. */
const RELATES = /\bfile\s+numbers?\s+to\s+which\s+this\s+form\s+relates[\s:*_|]*\(?(33[13]?-\d{4,6})\b/i

/** The registration statement that a Form 8-A names, by its file number. */
export function relatesTo(markdown: string): Fact[] {
  const found = RELATES.exec(markdown.slice(0, FACING_MAX))
  return found
    ? [fact('registration_file_number', found[1]!, sentenceAt(markdown, found.index + found[0].length - 1))]
    : []
}

/** Form of what a notice of effectiveness is about: as its XML names it in the two ways that there are. */
export function effectiveOf(markdown: string): Fact[] {
  const found = [...markdown.matchAll(/^\*\*(?:Submission type|Form):\*\* (?!EFFECT$)(.{1,20})$/gm)].at(-1)
  return found ? [fact('effective_of', found[1]!, { start: found.index, end: found.index + found[0].length })] : []
}

const fact = (name: FactName, value: string, { start, end }: Span): Fact => ({ name, value, start, end })

function ofLines({ lines }: Cover): Fact[] {
  const facts: Fact[] = []
  for (const line of lines) {
    if (line.text.length > LINE_MAX) continue
    const title = TITLE.exec(line.text)
    if (title) facts.push(...offered(title, line))
    const total = TOTAL.exec(line.text)
    // "$250,000,000" above the name of a SPAC; a price stands alone as well.
    if (total && Number(figure(total[1]!)) >= 1_000_000) facts.push(fact('gross', figure(total[1]!), line))
  }
  return facts
}

const offered = ([, number, kind]: RegExpExecArray | RegExpMatchArray, span: Span): Fact[] => [
  fact('shares', figure(number!), span),
  fact('security', kind!.toLowerCase().replace(/\s+/g, ' '), span),
]

function ofProse(cover: Cover): Fact[] {
  const { text, start: from } = cover
  const facts: Fact[] = []
  const spanAt = (at: number): Span => {
    const { start, end } = sentenceAt(text, at)
    return { start: from + start, end: from + end }
  }
  const said = ({ start, end }: Span) => text.slice(start - from, end - from)
  const isTitled = cover.lines.some(({ text: line }) => line.length <= LINE_MAX && TITLE.test(line))
  for (const match of isTitled ? [] : text.matchAll(WE_OFFER)) facts.push(...offered(match, spanAt(match.index)))
  for (const match of text.matchAll(RANGE)) {
    const span = spanAt(match.index)
    facts.push(fact('price_low', figure(match[1]!), span), fact('price_high', figure(match[2]!), span))
  }
  for (const match of PRICES.flatMap((pattern) => [...text.matchAll(pattern)])) {
    const span = spanAt(match.index)
    const before = said({ start: span.start, end: from + match.index })
    if (!EXPECTED.test(before + match[0])) facts.push(fact('price', figure(match[1]!), span))
  }
  for (const match of text.matchAll(SYMBOLS)) facts.push(...listing(match, spanAt(match.index), said))
  const [initial] = text.matchAll(INITIAL)
  if (initial) facts.push(fact('initial', 'true', spanAt(initial.index)))
  const [spac] = text.matchAll(SPAC)
  if (spac) facts.push(fact('spac', 'true', spanAt(spac.index)))
  return unique(facts)
}

/** Ticker and exchange of one sentence; that the class is listed already only where the sentence says so of now. */
function listing(match: RegExpMatchArray, span: Span, said: (span: Span) => string): Fact[] {
  const sentence = said(span)
  const listed = IS_LISTED.exec(sentence)
  if (listed && OF_ANOTHER.test(sentence.slice(0, listed.index))) return []
  const names = EXCHANGES.filter(([pattern]) => pattern.test(sentence)).map(([, name]) => name)
  // "NYSE American" is not NYSE as well.
  const [exchange] = names
  const only = exchange && names.every((name) => name === exchange || exchange.startsWith(name)) ? exchange : null
  const tickers = [...match[1]!.matchAll(SYMBOL)].map(([, symbol]) => symbol!.trim())
  return [
    ...tickers.map((ticker) => fact('ticker', ticker, span)),
    ...(only ? [fact('exchange', only, span)] : []),
    ...(only && listed ? [fact('listed', only, span)] : []),
  ]
}

/** The first of facts that say the same. */
const unique = (facts: readonly Fact[]) =>
  facts.filter((one, at) => facts.findIndex((each) => each.name === one.name && each.value === one.value) === at)
