/** Item 3.02: the kind, number, price and day of unregistered sales of securities. */

import { amountFor, type Count, type ReadAmount, sharesIn } from '../../../read/prose/money.ts'
import { organizationsIn } from '../../../read/prose/organizations.ts'
import type { Sentence, Span } from '../../../read/prose/sentences.ts'
import { dayBefore } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom } from './prepared.ts'
import { isDenied, isHistory, isOfFiler, isReported } from './subject.ts'

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

/**
 * Each kind with a pattern of its words and an example. The kind whose words come first in the text counts. If the
 * words of two kinds begin at the same place, the kind that is first in this list counts.
 */
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
/**
 * Words before an amount that is not a price: the amount of a loan with which warrants were issued, or of converted
 * notes.
 */
const OTHER_SUM =
  /\b(?:in connection with|loans?|credit|indebtedness|debt|facility|conver(?:sion|ted)|exercised?|cancell?ation|satisfaction|repay\w*)\b[^$;]{0,120}$/i
const PRINCIPAL = /^\s(?:in\s)?(?:aggregate\s)?principal amount\b/
const OF_NOTES = /\bprincipal amount\b[^$;]{0,40}$|\bamount\sof\s$/i
const REACH = 420
/** Maximum number of kinds of securities that are read from one sentence. */
const SOLD_MAX = 6

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
      if (NOT_MADE.test(before) || isDenied(said, index) || isReported(said, index)) continue
      if (isHistory(said, index) || !isOfFiler(said, index, section.shortNames)) continue
      one(said, { verb: index, from: index + words.length }, sentence, out)
      break
    }
  }
  out.leaveUnread('security', sentences, 'no sentence certainly says which securities were sold')
  return out.read
}

function one(said: string, { verb, from }: { verb: number; from: number }, sentence: Sentence, out: Collector): void {
  const window = said.slice(from, from + REACH)
  const { sold, more } = soldIn(window)
  if (isOfOtherFirm(window)) {
    out.leave('security', 'the securities are those of another firm')
    return
  }
  if (sold.length === 0) {
    out.leave('security', 'the words name no certain kind of security')
    return
  }
  out.putDay('sale_date', dayBefore(said, verb), sentence)
  for (let i = 0; i < more; i++) out.leave('security', 'the sentence states more securities than are read')
  for (const [i, { kind, count, start }] of sold.entries()) {
    out.put('security', kind, sentence)
    if (count)
      out.putAmount(
        'securities_sold',
        { ...count, value: count.doubt ? null : count.value, reason: count.doubt },
        sentence,
      )
    const words = window.slice(start, sold[i + 1]?.start ?? window.length)
    const isPrice = ({ start: at, end }: Span) => {
      const before = words.slice(Math.max(0, at - 160), at)
      const isNear = PRICE.test(before) || AFTER_PRICE.test(words.slice(end, end + 60))
      const isOfNotes = OF_NOTES.test(before) || PRINCIPAL.test(words.slice(end, end + 60))
      return isNear && !FEE.test(before) && !OTHER_SUM.test(before) && (kind === 'notes' || !isOfNotes)
    }
    if (out.putAmount('sale_amount', amountFor(words, isPrice, { takesEqual: true }), sentence)) continue
    if (i === 0 && kind === 'notes') out.putAmount('sale_amount', leading(window, start), sentence)
  }
}

const STOCK_OF = /\b(?:stock|shares?|units|notes|warrants|debentures|interests)\sof\s/

/** Tests whether the first securities after the verb are those of another firm: "shares of Alpha Corp." */
function isOfOtherFirm(window: string): boolean {
  const end = window.search(/,\s|;|\b(?:to|for|at|and)\b/)
  const clause = end < 0 ? window : window.slice(0, end)
  return clause
    .split(STOCK_OF)
    .slice(1)
    .some((rest) => organizationsIn(rest)[0]?.start === 0)
}

/**
 * Reads an amount that comes before the kind of security: "sold $250 million aggregate principal amount of the
 * Debentures".
 */
const leading = (window: string, start: number): ReadAmount =>
  amountFor(window.slice(0, start + 400), ({ end }) => AFTER_PRICE.test(window.slice(end, end + 60)))

/**
 * Words before a number of shares that were not sold: other securities give the right to buy these shares, or the
 * shares existed before.
 */
const NOT_SOLD =
  /\b(?:of which|convertible into|exercisable for|per|conversion of|outstanding|exchange for|to (?:purchase|acquire))\s(?:(?:an?|aggregate|of|up|to|total)\s){0,5}$/i
const RIGHT =
  /\b(?:warrants?|options?)\s(?:[a-z]{1,14}\s){0,3}to (?:purchase|acquire)\s(?:(?:an?|aggregate|of|up|to|total)\s){0,5}$/i

/**
 * Matches notes without a count that come before the first count of securities: "issued a promissory note in the
 * principal amount of $550,000 and 50,000 shares".
 */
const NOTES_FIRST =
  /^\s(?:an?|its|the|certain|\$[\d.,]{1,14}(?:\s[a-z]{1,9}){0,5})\s(?:(?!conversion\b|exchange\b|upon\b|under\b|holders?\b|satisfaction\b|payment\b|exercise\b|shares?\b|warrants?\b)[^\s,;]{1,24}\s){0,6}?(?:notes?|debentures?|bonds)\b[^;]{0,160}(?:,|\band)\s(?:an?\s|aggregate\s|of\s)*$/i

/**
 * Returns the securities after the verb. If the text states how many securities were sold, returns notes that have no
 * count, and then each count with its kind. Otherwise returns the first kind that the text names.
 */
function soldIn(window: string): { sold: Sold[]; more: number } {
  const counts = sharesIn(window)
  if (counts.length === 0) {
    const first = kindIn(window.slice(0, 240))
    return { sold: first ? [{ kind: first, count: null, start: 0 }] : [], more: 0 }
  }
  const lead = window.slice(0, counts[0]!.start)
  const notes: Sold[] = NOTES_FIRST.test(lead) ? [{ kind: 'notes', count: null, start: 0 }] : []
  const counted = counts.flatMap((count, i): Sold[] => {
    const before = window.slice(Math.max(0, count.start - 80), count.start)
    const right = RIGHT.exec(before)
    // The count is null, since the text states how many shares a warrant buys, and not how many warrants were sold.
    if (right) return [{ kind: kindIn(right[0]) ?? 'options', count: null, start: count.start - right[0].length }]
    if (NOT_SOLD.test(before)) return []
    const words = window.slice(count.start, Math.min(counts[i + 1]?.start ?? window.length, count.end + 100))
    const own = count.end - count.start
    const end = words.slice(own).search(/\b(?:for|to (?!purchase|acquire)|in exchange|upon|at)\b|[,;]/)
    const kind = kindIn(end < 0 ? words : words.slice(0, own + end))
    return kind ? [{ kind, count, start: count.start }] : []
  })
  const all = [...notes, ...counted]
  return { sold: all.slice(0, SOLD_MAX), more: Math.max(0, all.length - SOLD_MAX) }
}

const kindIn = (words: string): SecurityKind | null => {
  const found = KINDS.flatMap(([kind, pattern]) => {
    const at = words.search(pattern)
    return at < 0 ? [] : [{ kind, at }]
  })
  return found.sort((a, b) => a.at - b.at)[0]?.kind ?? null
}

/** A test checks that each of these examples gets the kind of its own pattern. */
export const EXAMPLES = KINDS.map(([kind, , words]) => [words, kind] as const)
export { kindIn as securityKindIn }
