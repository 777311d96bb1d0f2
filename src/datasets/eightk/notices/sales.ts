/** Item 3.02: unregistered sales of securities: their kind, number, price and day. */
import type { Sentence } from '../prose.ts'
import { dayBefore } from './days.ts'
import { type Count, pointsIn, sharesIn } from './money.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { isReference, preparedFrom } from './prepared.ts'
import { isDenied, isOfFiler } from './subject.ts'

export const SECURITY_KINDS = [
  'common_stock',
  'preferred_stock',
  'warrants',
  'notes',
  'units',
  'options',
  'stock_units',
] as const
type SecurityKind = (typeof SECURITY_KINDS)[number]

/** Kind, its words, and an example. The first kind that matches counts. */
const KINDS: readonly (readonly [SecurityKind, RegExp, string])[] = [
  ['preferred_stock', /\b(?:preferred|preference) (?:stock|shares?|units)\b/i, 'Series A Preferred Stock'],
  ['stock_units', /\brestricted (?:stock|share) units?\b/i, 'restricted stock units'],
  ['warrants', /\bwarrants?\b/i, 'warrants'],
  ['options', /\boptions? to (?:purchase|acquire)\b/i, 'options to purchase'],
  ['notes', /\b(?:notes?|debentures?|bonds)\b/i, 'Convertible Notes'],
  ['units', /\bunits\b/i, 'units'],
  [
    'common_stock',
    /\b(?:common (?:stock|shares?)|ordinary shares?|shares? of (?:its|our|the Company[’']s) stock|Class [A-Z] (?:common )?(?:stock|shares?))\b/i,
    'common stock',
  ],
]
const SOLD =
  /\b(?:issued and sold|sold and issued|sold|issued|completed (?:the|a|its) (?:[a-z]+ ){0,4}(?:sale|issuance|private placement) of|closed (?:the|a|its) (?:[a-z]+ ){0,4}(?:sale|issuance|private placement) of)\b/g
const NOT_MADE =
  /\b(?:not|will be|to be|may be|would be|if|may|might|would|could|agreed to|previously|had|shares|stock|securities|were|was|are|being|when|upon|as|so|and)\s$|\bpress release\s$/i
/** Words before a price of securities. */
const PRICE =
  /\b(?:purchase price|consideration|price|proceeds|for|principal amount|amount)\s(?:(?:of|in|the|an?|up|to|aggregate|total|cash|approximately|gross|is|was|sum)\s){0,6}$/i
const AFTER_PRICE =
  /^,?\s(?:in\s)?(?:(?:aggregate|initial|original|total)\s)?(?:principal amount|in cash|in gross proceeds|of (?:gross )?proceeds)/
const FEE =
  /\b(?:commissions?|fees?|discounts?|expenses|exercise price|conversion price|strike price|par value|option)\b[^$;]{0,50}$/i
/** Words before a sum of something else: of a loan with which warrants were issued, or of converted notes. */
const OTHER_SUM =
  /\b(?:in connection with|loans?|credit|indebtedness|debt|facility|conver(?:sion|ted)|exercised?|cancell?ation|satisfaction|repay\w*)\b[^$;]{0,120}$/i
const OF_NOTES = /\bprincipal amount\b[^$;]{0,40}$|\bamount\sof\s$/i
const REACH = 420

interface Sold {
  kind: SecurityKind
  count: Count | null
  start: number
}

/** Reads item 3.02. */
export function sales(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const out = collector()
  const section = preparedFrom(sentences, filer)
  for (const { said, sentence } of section.sentences) {
    for (const { index, 0: words } of said.matchAll(SOLD)) {
      const before = said.slice(Math.max(0, index - 200), index)
      if (NOT_MADE.test(before) || isDenied(said, index) || !isOfFiler(said, index, section.shortNames)) continue
      one(said, { verb: index, from: index + words.length }, sentence, out)
      break
    }
  }
  if (out.read.facts.length === 0 && out.read.leftOut.length === 0 && sentences.length > 0 && !isReference(sentences))
    out.leave('security', 'no sentence certainly says which securities were sold')
  return out.read
}

function one(said: string, { verb, from }: { verb: number; from: number }, sentence: Sentence, out: Collector): void {
  const window = said.slice(from, from + REACH)
  const sold = soldIn(window)
  if (sold.length === 0) {
    out.leave('security', 'the words name no certain kind of security')
    return
  }
  out.put('sale_date', dayBefore(said, verb), sentence)
  for (const [i, { kind, count, start }] of sold.entries()) {
    out.put('security', kind, sentence)
    out.put('securities_sold', count?.value, sentence)
    const words = window.slice(start, sold[i + 1]?.start ?? window.length)
    const prices = pointsIn(words).filter(({ start: at, end }) => {
      const before = words.slice(Math.max(0, at - 160), at)
      const isPrice = PRICE.test(before) || AFTER_PRICE.test(words.slice(end, end + 60))
      return isPrice && !FEE.test(before) && !OTHER_SUM.test(before) && (kind === 'notes' || !OF_NOTES.test(before))
    })
    const values = [...new Set(prices.map(({ value }) => value))]
    if (values.length > 1) out.leave('sale_amount', 'the sentence states several amounts')
    else out.put('sale_amount', values[0] ?? leading(window, i, sold), sentence)
  }
}

/** "sold $250 million aggregate principal amount of the Debentures": the amount is before the kind. */
function leading(window: string, i: number, sold: readonly Sold[]): string | undefined {
  if (i > 0 || sold[0]!.kind !== 'notes') return undefined
  const all = pointsIn(window.slice(0, sold[0]!.start + 400)).filter(({ end }) =>
    AFTER_PRICE.test(window.slice(end, end + 60)),
  )
  return all.length === 1 ? all[0]!.value : undefined
}

/** A number of shares that other securities buy, or that were there before. */
const NOT_SOLD =
  /\b(?:of which|convertible into|exercisable for|per|conversion of|outstanding|exchange for|to (?:purchase|acquire))\s(?:(?:an?|aggregate|of|up|to|total)\s){0,5}$/i
const RIGHT =
  /\b(?:warrants?|options?)\s(?:[a-z]{1,14}\s){0,3}to (?:purchase|acquire)\s(?:(?:an?|aggregate|of|up|to|total)\s){0,5}$/i

/** "issued a promissory note in the principal amount of $550,000 and 50,000 shares": notes without a number. */
const NOTES_FIRST =
  /^\s(?:an?|its|the|certain|\$[\d.,]{1,14}(?:\s[a-z]{1,9}){0,5})\s(?:(?!conversion\b|exchange\b|upon\b|under\b|holders?\b|satisfaction\b|payment\b|exercise\b|shares?\b|warrants?\b)[^\s,;]{1,24}\s){0,6}?(?:notes?|debentures?|bonds)\b[^;]{0,160}(?:,|\band)\s(?:an?\s|aggregate\s|of\s)*$/i

/**
 * Returns the securities after the verb: notes without a number, then each number with its kind, or else the first
 * kind.
 */
function soldIn(window: string): Sold[] {
  const counts = sharesIn(window)
  if (counts.length === 0) {
    const first = kindIn(window.slice(0, 240))
    return first ? [{ kind: first, count: null, start: 0 }] : []
  }
  const lead = window.slice(0, counts[0]!.start)
  const notes: Sold[] = NOTES_FIRST.test(lead) ? [{ kind: 'notes', count: null, start: 0 }] : []
  const counted = counts.slice(0, 6).flatMap((count, i): Sold[] => {
    const before = window.slice(Math.max(0, count.start - 80), count.start)
    const right = RIGHT.exec(before)
    // The text states how many shares a warrant buys, and not how many warrants were sold.
    if (right) return [{ kind: kindIn(right[0]) ?? 'options', count: null, start: count.start - right[0].length }]
    if (NOT_SOLD.test(before)) return []
    const words = window.slice(count.start, Math.min(counts[i + 1]?.start ?? window.length, count.end + 100))
    const own = count.end - count.start
    const end = words.slice(own).search(/\b(?:for|to (?!purchase|acquire)|in exchange|upon|at)\b|[,;]/)
    const kind = kindIn(end < 0 ? words : words.slice(0, own + end))
    return kind ? [{ kind, count, start: count.start }] : []
  })
  return [...notes, ...counted]
}

const kindIn = (words: string): SecurityKind | null => {
  const found = KINDS.flatMap(([kind, pattern]) => {
    const at = words.search(pattern)
    return at < 0 ? [] : [{ kind, at }]
  })
  return found.sort((a, b) => a.at - b.at)[0]?.kind ?? null
}

/** For the test that each pattern matches its own example first. */
export const EXAMPLES = KINDS.map(([kind, , words]) => [words, kind] as const)
export { kindIn as securityKindIn }
