/** Item 2.01: what was acquired or disposed of, the other party, the day and the consideration. */
import type { Sentence } from '../prose.ts'
import { dayBefore } from './days.ts'
import { amountsIn, pointsIn, sharesIn } from './money.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { organizationsIn } from './organizations.ts'
import { isReference, preparedFrom, type Section } from './prepared.ts'
import { isDenied, isOfFiler } from './subject.ts'

const DONE =
  /\b(?:completed|consummated|closed|effected|finalized)\s(?:on\s)?(?:the|its|our|their|a)\s(?:(?:previously|acquisition|sale)?[- ]?(?:announced|disclosed|reported|contemplated|planned|pending)\s)?(?:[a-z-]{1,20}\s){0,5}?(acquisition|purchase|sale|disposition|divestiture|distribution|separation|spin-off|merger)\b|\b(acquired|purchased|sold)\b/gi
const NOT_MADE =
  /\b(?:not|never|will|will have|may|might|would|could|agreed to|if|until|unless|to have|had|previously|be|being|been|was|were|are|is|which|who|that|shares|stock|assets|interests?|business|and|or|when|upon|once|after|before)\s$/i
const DISPOSES = /^(?:sale|disposition|divestiture|distribution|separation|spin-off|sold)$/i
/** Where the words for the object end. */
const OBJECT_END =
  /\sand\s(?=[^,;.]{1,60}\s(?:merged|became|was|were)\b)|,\s(?!Inc\b|LLC\b|L\.L\.C|Ltd\b|L\.P|LP\b|N\.A|Incorporated\b|Corp|S\.A|N\.V|and\s(?:certain|the|all|substantially))|\s\(|\s(?:pursuant|from|to|for|in exchange|in accordance|by|under|through|as contemplated|in consideration|with|on|at|effective)\s|[;:]|(?<!\b(?:Inc|Corp|Co|Ltd|[A-Z]))\.(?:\s|$)/
/** How words for an object begin. A second verb in place of an object makes it uncertain. */
const OBJECT =
  /^(?:the|all|substantially|certain|its|our|an?|each|one|two|three|\d|\p{Ll}?\p{Lu})(?!.*\b(?:acquired|purchased|sold|merged|became|entered|paid|will)\b)/u
/** An object without a name, such as "two businesses", says nothing. */
const NAMED = /\p{Lu}|\bsubstantially all\b.{0,80}\bof\b/u
const OBJECT_MAX = 260
const PARTY = { acquired: /\sfrom\s/, disposed: /\sto\s/ } as const

interface Deal {
  kind: 'acquired' | 'disposed'
  object: string | null
  verb: number
  after: number
}

/** Reads item 2.01. */
export function deals(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const section = preparedFrom(sentences, filer)
  const out = collector()
  for (const i of section.sentences.keys()) {
    const deal = dealIn(section.sentences[i]!.said, section)
    if (deal) put(section, i, deal, out)
  }
  if (out.read.facts.length === 0 && out.read.leftOut.length === 0 && sentences.length > 0 && !isReference(sentences))
    out.leave('acquired', 'no sentence certainly says what was acquired or disposed of')
  return out.read
}

function dealIn(said: string, { shortNames }: Section): Deal | null {
  for (const { index, 0: words, 1: noun, 2: verb } of said.matchAll(DONE)) {
    const before = said.slice(Math.max(0, index - 300), index)
    if (NOT_MADE.test(before) || isDenied(said, index) || !isOfFiler(said, index, shortNames)) continue
    const after = index + words.length
    const kind = DISPOSES.test(noun ?? verb ?? '') ? 'disposed' : 'acquired'
    return { kind, object: objectAfter(said.slice(after), noun !== undefined), verb: index, after }
  }
  return null
}

/** Returns the words for what was acquired or disposed of; null if they are unclear. */
function objectAfter(rest: string, isNoun: boolean): string | null {
  // "the sale to Alpha Limited, a company under the laws of England, of the division"
  const noun = /^\sto\s/.test(rest) ? /^[^;]{0,300}?,\sof\s/ : /^[^.;]{0,80}?\s(?:of|with)\s/
  const lead = isNoun ? noun.exec(rest)?.[0].length : 1
  if (lead === undefined) return null
  const words = rest.slice(lead, lead + OBJECT_MAX)
  const end = OBJECT_END.exec(words)?.index ?? words.length
  const object = words
    .slice(0, end)
    .trim()
    .replace(/,$|(?<!\b(?:Inc|Corp|Co|Ltd|[A-Z]))\.$/, '')
  return object.length < 3 ||
    object.length > 220 ||
    !OBJECT.test(object) ||
    !NAMED.test(object) ||
    // Others acquire the filer or its shares.
    /\bthe Company$/.test(object)
    ? null
    : firstFirm(object)
}

/** Cuts a sentence off that follows the full stop of a legal form; null if a name may go on there. */
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
  out.put('completion_date', dayBefore(said, verb), sentence)
  const rest = said.slice(after, after + 600)
  const at = PARTY[kind].exec(rest)
  const found = at && organizationsIn(rest.slice(at.index + at[0].length, at.index + 160))[0]
  if (at && found && found.start <= 4) out.put('deal_party', found.name, sentence)
  consideration(section, i, deal, out)
}

const PAID =
  /\b(?:aggregate (?:consideration|purchase price)|purchase price|consideration|total consideration|merger consideration|cash payment|payment|for|sale price)\b(?:\s(?:[\w’'-]{1,20},?\s){0,14}?)?(?:(?:of|was|is|consist(?:s|ed) of|approximately|up|to|cash|aggregate|net|gross|for|\(i\)|\(ii\)|an?|initial|equal)\s){1,6}$/i
const IN_CASH = /^,?\s(?:in cash|in aggregate consideration|of cash|payable in cash|cash)\b/
const NOT_PRICE =
  /\b(?:escrow|holdback|fees?|expenses?|loan|debt|borrow\w*|financ\w+|earn-?out|contingent|additional|per share|of which|net (?:proceeds|of)|up to)\b[^$;]{0,60}$/i
const GOES_ON = /\b(?:consideration|purchase price|sale price|cash payment)\b/i

const RECEIVES = /\b(?:delivered|paid|payable) to (?:the )?([^,.;]{2,80})/

function consideration(section: Section, i: number, { kind, after }: Deal, out: Collector): void {
  const { sentences, shortNames } = section
  const { said, sentence } = sentences[i]!
  if (priced(said.slice(after), sentence, sentence, out)) return
  for (const later of sentences.slice(i + 1, i + 4)) {
    if (dealIn(later.said, section)) return
    if (!GOES_ON.test(later.said)) continue
    const receiver = kind === 'acquired' ? RECEIVES.exec(later.said)?.[1] : undefined
    if (receiver) out.put('deal_party', shortNames.get(receiver), later.sentence, sentence)
    if (priced(later.said, later.sentence, sentence, out)) return
  }
}

/** The price was paid with this money: it may be more or less than the price. */
const FUNDED =
  /\b(?:fund|financ|pa(?:id|y)|satisf)\w*\s(?:[a-z]{1,12}\s){0,3}(?:with|by|from|using|through|out of)\b[^;]{0,200}$|\bproceeds\b[^;$]{0,60}$/i

/** Puts the cash and the shares that a sentence states as the price; returns whether it states any. */
function priced(words: string, sentence: Sentence, from: Sentence, out: Collector): boolean {
  const cash = pointsIn(words).filter(({ start, end }) => {
    const before = words.slice(Math.max(0, start - 160), start)
    return (
      (PAID.test(before) || IN_CASH.test(words.slice(end, end + 40))) && !NOT_PRICE.test(before) && !FUNDED.test(before)
    )
  })
  const shares = sharesIn(words).filter(({ start }) => {
    const before = words.slice(Math.max(0, start - 160), start)
    return PAID.test(before) && !NOT_PRICE.test(before)
  })
  const values = (some: readonly { value: string }[]) => [...new Set(some.map(({ value }) => value))]
  const [dollars, stock] = [values(cash), values(shares)]
  if (cash.length > 1 || shares.length > 1) {
    out.leave('consideration', 'the sentence states several amounts')
    return true
  }
  if (cash.length === 0 && pointsIn(words).length < amountsIn(words).length)
    out.leave('consideration', 'the sentence states a range')
  out.put('consideration', dollars[0], sentence, from)
  out.put('consideration_shares', stock[0], sentence, from)
  return dollars.length + stock.length > 0
}
