/** Item 2.01: what was acquired or disposed of, the other party, the day and the consideration. */
import { DOTTED_FORM, PROSE_FORM } from '../../../read/legal-forms.ts'
import { amountFor, type Count, type ReadAmount, SEVERAL_REASON, sharesIn } from '../../../read/prose/money.ts'
import { organizationsIn } from '../../../read/prose/organizations.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { dayBefore } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom, type Section } from './prepared.ts'
import { isDenied, isHistory, isOfFiler, isReported } from './subject.ts'
import { targets } from './targets.ts'

const DONE =
  /\b(?:completed|consummated|closed|effected|finalized)\s(?:on\s)?(?:the|its|our|their|a)\s(?:(?:previously|acquisition|sale)?[- ]?(?:announced|disclosed|reported|contemplated|planned|pending)\s)?(?:[a-z-]{1,20}\s){0,5}?(acquisition|purchase|sale|disposition|divestiture|distribution|separation|spin-off|merger)\b|\b(acquired|purchased|sold)\b/gi
const NOT_MADE =
  /\b(?:not|never|will|will have|may|might|would|could|agreed to|if|until|unless|to have|had|previously|be|being|been|was|were|are|is|which|who|that|shares|stock|assets|interests?|business|and|or|when|upon|once|after|before)\s$/i
const DISPOSES = /^(?:sale|disposition|divestiture|distribution|separation|spin-off|sold)$/i
/** Matches the end of the words that say what was acquired or disposed of. */
const OBJECT_END = new RegExp(
  String.raw`\sand\s(?=[^,;.]{1,60}\s(?:merged|became|was|were)\b)|,\s(?!${PROSE_FORM}\b|and\s(?:certain|the|all|substantially))|\s\(|\s(?:pursuant|from|to|for|in exchange|in accordance|by|under|through|as contemplated|in consideration|with|on|at|effective)\s|[;:]|(?<!\b(?:${DOTTED_FORM}|[A-Z]))\.(?:\s|$)`,
)
const LAST_SIGN = new RegExp(String.raw`,$|(?<!\b(?:${DOTTED_FORM}|[A-Z]))\.$`)
/**
 * Matches words that can name an object, by their first word. Words with a second verb do not match, since the object
 * is then uncertain.
 */
const OBJECT =
  /^(?:the|all|substantially|certain|its|our|an?|each|one|two|three|\d|\p{Ll}?\p{Lu})(?!.*\b(?:acquired|purchased|sold|merged|became|entered|paid|will)\b)/u
/** Matches an object with a name. An object without a name, such as "two businesses", is of no use to a reader. */
const NAMED = /\p{Lu}|\bsubstantially all\b.{0,80}\bof\b/u
const OBJECT_MAX = 260
const PARTY = { acquired: /\sfrom\s/, disposed: /\sto\s/ } as const

interface Deal {
  kind: 'acquired' | 'disposed'
  object: string | null
  verb: number
  after: number
}

/** Reads item 2.01. If the item says that the filer itself was acquired, only that acquisition is read. */
export function deals(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const own = targets(sentences, filer)
  return own.facts.length > 0 ? own : dealsOfFiler(sentences, filer)
}

function dealsOfFiler(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const section = preparedFrom(sentences, filer)
  const out = collector()
  for (const [i, { said }] of section.sentences.entries()) {
    const [deal, ...further] = dealsIn(said, section)
    if (deal) put(section, i, deal, out)
    for (const { kind } of further) out.leave(kind, 'the sentence states a further deal')
  }
  out.leaveUnread('acquired', sentences, 'no sentence certainly says what was acquired or disposed of')
  return out.read
}

function dealsIn(said: string, { shortNames }: Section): Deal[] {
  return [...said.matchAll(DONE)].flatMap(({ index, 0: words, 1: noun, 2: verb }) => {
    const before = said.slice(Math.max(0, index - 300), index)
    if (NOT_MADE.test(before) || isDenied(said, index) || isReported(said, index)) return []
    if (!isOfFiler(said, index, shortNames)) return []
    const after = index + words.length
    if (isHistory(said, after)) return []
    const kind = DISPOSES.test(noun ?? verb ?? '') ? 'disposed' : 'acquired'
    return [{ kind, object: objectAfter(said.slice(after), noun !== undefined), verb: index, after }]
  })
}

/** Returns the words for what was acquired or disposed of; null if they are unclear. */
function objectAfter(rest: string, isNoun: boolean): string | null {
  // Example: "the sale to Alpha Limited, a company under the laws of England, of the division"
  const noun = /^\sto\s/.test(rest) ? /^[^;]{0,300}?,\sof\s/ : /^[^.;]{0,80}?\s(?:of|with)\s/
  const lead = isNoun ? noun.exec(rest)?.[0].length : 1
  if (lead === undefined) return null
  const words = rest.slice(lead, lead + OBJECT_MAX)
  const end = OBJECT_END.exec(words)?.index ?? words.length
  const object = words.slice(0, end).trim().replace(LAST_SIGN, '')
  return object.length < 3 ||
    object.length > 220 ||
    !OBJECT.test(object) ||
    !NAMED.test(object) ||
    // If the words end with "the Company", others acquired the filer or its shares.
    /\bthe Company$/.test(object)
    ? null
    : firstFirm(object)
}

/**
 * Cuts off a sentence that follows the full stop of a legal form. Returns null if the name may continue after the full
 * stop.
 */
function firstFirm(object: string): string | null {
  const [first] = organizationsIn(object)
  if (!first || !/\.$/.test(object.slice(0, first.end + 1).trimEnd())) return object
  const rest = object.slice(first.end).replace(/^\./, '')
  if (!/^\s\p{Lu}/u.test(rest)) return object
  return /^\s(?:The|This|Each|Under|Pursuant|At|In|On|A|An|Upon|We|It|Its|Our|As)\s/.test(rest)
    ? object.slice(0, object.length - rest.length)
    : null
}

function put(section: Section, i: number, deal: Deal, out: Collector): void {
  const { sentences, shortNames } = section
  const { said, sentence } = sentences[i]!
  const { kind, object, verb, after } = deal
  if (object === null) {
    out.leave(kind, 'the words for what was acquired or disposed of are not certain')
    return
  }
  out.put(kind, shortNames.get(object) ?? object, sentence)
  out.putDay('completion_date', dayBefore(said, verb), sentence)
  const rest = said.slice(after, after + 600)
  const at = PARTY[kind].exec(rest)
  const found = at && organizationsIn(rest.slice(at.index + at[0].length, at.index + 160))[0]
  if (at && found && found.start <= 4) out.put('deal_party', found.name, sentence)
  consideration(section, i, deal, out)
}

const PAID =
  /\b(?:aggregate (?:consideration|purchase price)|purchase price|consideration|total consideration|merger consideration|cash payment|payment|for|sale price)\b(?:\s(?:[\w’'-]{1,20},?\s){0,14}?)?(?:(?:of|was|is|consist(?:s|ed) of|approximately|up|to|at|least|more|less|than|cash|aggregate|net|gross|for|\(i\)|\(ii\)|an?|initial|equal)\s){1,6}$/i
const IN_CASH = /^,?\s(?:in cash|in aggregate consideration|of cash|payable in cash|cash)\b/
const NOT_PRICE =
  /\b(?:escrow|holdback|fees?|expenses?|loan|debt|borrow\w*|financ\w+|earn-?out|contingent|additional|per share|of which|net (?:proceeds|of))\b[^$;]{0,60}$/i
const GOES_ON = /\b(?:consideration|purchase price|sale price|cash payment)\b/i

const RECEIVES = /\b(?:delivered|paid|payable) to (?:the )?([^,.;]{2,80})/

function consideration(section: Section, i: number, { kind, after }: Deal, out: Collector): void {
  const { sentences, shortNames } = section
  const { said, sentence } = sentences[i]!
  if (priced(said.slice(after).replace(OF_OBJECT, ''), sentence, sentence, out)) return
  for (const later of sentences.slice(i + 1, i + 4)) {
    if (dealsIn(later.said, section).length > 0) return
    const paid = kind === 'acquired' ? AT_CLOSING.exec(later.said)?.[0] : undefined
    if (paid !== undefined && pricedAtClosing(later.said.slice(paid.length), later.sentence, sentence, out)) return
    if (!GOES_ON.test(later.said)) continue
    const receiver = kind === 'acquired' ? RECEIVES.exec(later.said)?.[1] : undefined
    if (receiver) out.put('deal_party', shortNames.get(receiver), later.sentence, sentence)
    if (priced(later.said, later.sentence, sentence, out)) return
  }
}

/** Matches "At the Closing, the Company paid": such a sentence states the price without a word such as "price". */
const AT_CLOSING =
  /^(?:At|On|Upon|In connection with)\s(?:the\s)?[Cc]losing(?:\s(?:of\sthe\s(?:[\w-]{1,20}\s){0,2}(?:acquisition|purchase|merger|transactions?)|[Dd]ate))?,?\s(?:the\sCompany|we)\s(?:also\s)?(?=(?:paid|issued|delivered)\b)/i
const PAID_IN = /\b(?:paid|delivered|and)\s(?:an\saggregate\sof\s|approximately\s|the\ssellers?\s)?$/i
const ISSUED = /\bissued\s(?:to\s[^,;$\d]{1,80}\s)?(?:an\saggregate\sof\s|approximately\s)?(?:[\d,]{1,15}\sto\s)?$/i

/** Adds the cash and the shares that the filer paid at the closing; returns whether the sentence states any. */
function pricedAtClosing(words: string, sentence: Sentence, from: Sentence, out: Collector): boolean {
  const near = (at: number) => words.slice(Math.max(0, at - 160), at)
  const isOther = (at: number) => NOT_PRICE.test(near(at)) || FUNDED.test(near(at))
  const cash = amountFor(
    words,
    ({ start, end }) =>
      PAID_IN.test(near(start)) && /^,?\s(?:in|of)\scash\b/.test(words.slice(end, end + 12)) && !isOther(start),
  )
  const shares = sharesIn(words).filter(({ start }) => ISSUED.test(near(start)) && !isOther(start))
  const hasCash = out.putAmount('consideration', cash, sentence, from)
  return out.putAmount('consideration_shares', onlyOf(shares), sentence, from) || hasCash
}

/**
 * Returns the only number of a list. If the list has several numbers, or if the number is not exact, returns null with
 * the reason.
 */
function onlyOf(shares: readonly Count[]): ReadAmount {
  const [stock] = shares
  const doubt = shares.length > 1 ? SEVERAL_REASON : (stock?.doubt ?? null)
  return { value: doubt === null ? (stock?.value ?? null) : null, reason: doubt }
}

/** Matches what a relative clause says about the object: "which acquired Alpha in 2020 for $5 million". */
const OF_OBJECT = /,\s(?:which|who|whose)\s[^,;]{0,300}/g

/**
 * Matches words which say that the price was paid with an amount of money. That amount may be more or less than the
 * price, so it is not read.
 */
const FUNDED =
  /\b(?:fund|financ|pa(?:id|y)|satisf)\w*\s(?:[a-z]{1,12}\s){0,3}(?:with|by|from|using|through|out of)\b[^;]{0,200}$|\bproceeds\b[^;$]{0,60}$/i

/** Adds the cash and the shares that a sentence states as the price; returns whether it states any. */
function priced(words: string, sentence: Sentence, from: Sentence, out: Collector): boolean {
  const cash = amountFor(words, ({ start, end }) => {
    const before = words.slice(Math.max(0, start - 160), start)
    return (
      (PAID.test(before) || IN_CASH.test(words.slice(end, end + 40))) && !NOT_PRICE.test(before) && !FUNDED.test(before)
    )
  })
  const shares = sharesIn(words).filter(({ start }) => {
    const before = words.slice(Math.max(0, start - 160), start)
    return PAID.test(before) && !NOT_PRICE.test(before)
  })
  const hasCash = out.putAmount('consideration', cash, sentence, from)
  const hasShares = out.putAmount('consideration_shares', onlyOf(shares), sentence, from)
  return hasCash || hasShares
}
