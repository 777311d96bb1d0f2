/**
 * Items 7.01 and 8.01: share repurchases that the board authorized. Reads the dollars or the number of shares, the
 * total of the program, and its last day.
 */
import { DAY } from '../../../read/prose/dates.ts'
import {
  type Amount,
  amountsIn,
  OTHER_CURRENCY_REASON,
  othersIn,
  SEVERAL_REASON,
  sharesIn,
} from '../../../read/prose/money.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import { type StatedDay, statedDay } from './days.ts'
import { type Collector, collector, type NoticeRead } from './notice.ts'
import { preparedFrom } from './prepared.ts'
import { isOfOtherFirm, isReported, isSupposed } from './subject.ts'

const AUTHORIZED =
  /\b(?:authori[sz](?:ed|es)|approv(?:ed|es)|adopted|increas(?:ed|es)|expand(?:ed|s)|extend(?:ed|s)|renewed|authori[sz]ation (?:of|to|for))\b(?:(?!\bdividends?\b)[^;]){0,220}?\b(?:re-?purchas(?:e|es|ing)|buy-?\s?backs?|buy back)\b|\b(?:repurchase|buy-?\s?back) (?:program|plan|authori[sz]ation)\b[^;]{0,120}?\b(?:was|were|has been)\s(?:authori[sz]ed|approved|increased|expanded|extended|renewed)\b/i
/** Words of a repurchase that is old, planned, denied, or not of shares. */
const NOT_MADE =
  /\b(?:not(?! to exceed| exceeding)|never|neither|subject to (?:the )?(?:closing|completion|consummation|approval)|if|whether|propos\w+|intends? to (?:seek|ask)|expects? to|plans? to (?:seek|ask)|considering|had (?:been )?(?:authori[sz]ed|approved)|(?:previously|originally) (?:authori[sz]ed|approved)|(?:authori[sz]ed|approved) in (?:[A-Z][a-z]+ )?(?:of )?\d{4}|repurchase agreements?|(?:re-?purchase|redemption) of (?:the |its |our |all )?(?:[\w$,.%-]{1,12} ){0,6}(?:notes|debentures|bonds)|rescind\w*|suspend\w*|terminat(?:ed|es) (?:the|its))\b/i
const OF_STOCK = /\b(?:shares?|stock|units|equity)\b/i
/** Matches a sentence about the program that the previous sentence reports. */
const OF_IT =
  /^(?:The|This|Such|Under (?:the|this)|With this)\s(?:[\w’'-]{1,20}\s){0,5}?(?:program|plan|authori[sz]ation|repurchases?|buy-?back|increases?)\b/i
/** Words before an amount that is the whole authorization. */
const TOTAL =
  /(?:\b(?:increas\w+|expand\w+|bring\w+|rais\w+)\b[^$;]{0,120}?\bto|\btotal\b[^$;]{0,40}?(?:to|of)|\baggregate authori[sz]\w*(?: to| of)?)\s(?:(?:an?|up to|total|aggregate|of|approximately|maximum)\s){0,5}$/i
/**
 * Matches the words before the second amount of "from $100 million to $250 million", which is the whole authorization.
 */
const FROM_TO =
  /\bfrom\s(?:up to\s|approximately\s)?\$?[\d.,]{1,16}[kmb]{0,2}(?:[\s-][a-z]{1,9}){0,3}\sto\s(?:(?:an?|up to|total|aggregate|of|approximately|maximum)\s){0,5}$/i
/** Words before an amount that is not an authorization. */
const PART =
  /\b(?:from|remain\w*|repurchased|purchased|spent|existing|prior|previous|of which|outstanding|price of|includ\w+|existing)\b[^$;]{0,40}$/i
const AFTER_PART =
  /^(?:[^.;,$]{0,40})\b(?:remain\w*|ha(?:s|ve) been|had been|outstanding(?!\s(?:shares?|common|ordinary|capital|class|voting|equity|stock|units|American)\b)|was available|were available|already)\b/i
const EXPIRES = new RegExp(
  `\\b(expir(?:es?|ing|ation)|through|until|terminat(?:es?|ing)|ends?|ending)\\b(?:\\s(?:at|on|date|of|the|no later than|or before|is|in)){0,3}\\s${DAY}`,
  'i',
)

interface Numbers {
  own: string[]
  total: string[]
}

/** Reads the authorizations of an item. */
export function repurchases(sentences: readonly Sentence[], filer: string | null): NoticeRead {
  const out = collector()
  if (!sentences.some(({ text }) => /re-?purchas|buy-?\s?back|buy back/i.test(text))) return out.read
  let before: Sentence | null = null
  let isStated = false
  for (const { said, sentence } of preparedFrom(sentences, filer).sentences) {
    const isNew = isAuthorization(said)
    const from = before && OF_IT.test(said) && !NOT_MADE.test(said) ? before : null
    if (!isNew && !from) {
      before = null
      continue
    }
    numbers(said, sentence, { isNew, from: isNew ? sentence : from! }, out)
    before = isNew ? sentence : before
    isStated ||= isNew && /\b(?:authori[sz]ed|approved|increased)\b/i.test(said)
  }
  if (isStated) out.leaveUnread('repurchase_amount', sentences, 'the sentence states no amount')
  return out.read
}

/** Matches "announced that its Board had approved": the verb reports a new act in spite of the word "had". */
const ANNOUNCED_HAD =
  /\b(announced(?:\s(?:today|that\sday))?\sthat\s(?:[\w’'-]{1,20}\s){1,8}?)had(?=\s(?:been\s)?(?:authori[sz]|approv)ed\b)/gi

function isAuthorization(words: string): boolean {
  const said = words.replace(ANNOUNCED_HAD, '$1has')
  const act = AUTHORIZED.exec(said)
  if (act === null || !OF_STOCK.test(said) || NOT_MADE.test(said)) return false
  return !isReported(said, act.index) && !isSupposed(said, act.index) && !isOfOtherFirm(said, act.index)
}

function numbers(
  said: string,
  sentence: Sentence,
  { isNew, from }: { isNew: boolean; from: Sentence },
  out: Collector,
): void {
  const act = isNew ? (AUTHORIZED.exec(said)?.index ?? 0) : 0
  const text = said.slice(act)
  const money = partedOf(text, amountsIn(text))
  const shares = partedOf(text, sharesIn(text))
  if (isNew) {
    if (othersIn(text).length > 0) out.leave('repurchase_amount', OTHER_CURRENCY_REASON)
    else if (money.own.length > 1 || shares.own.length > 1) out.leave('repurchase_amount', SEVERAL_REASON)
    else {
      const hasAmount = money.own.length + shares.own.length + money.total.length + shares.total.length > 0
      out.put('repurchase_kind', hasAmount ? kindOf(said) : null, sentence)
      out.put('repurchase_amount', money.own[0], sentence)
      out.put('repurchase_shares', shares.own[0], sentence)
    }
  }
  if (money.total.length === 1) out.put('repurchase_total', money.total[0], sentence, from)
  if (shares.total.length === 1) out.put('repurchase_total_shares', shares.total[0], sentence, from)
  out.putDay('repurchase_expiry', expiryIn(text), sentence, from)
}

/**
 * Words before "through" or "until" which show that shares were repurchased up to a day, so that this day is not the
 * end of the authorization.
 */
const DONE =
  /\b(?:re-?purchased|purchased|bought|acquired|spent|remain\w*|(?:ha(?:s|ve)|had)(?!\s(?:been\s|also\s)?(?:authori[sz]|approv|increas|exten|expan|renew|adopt)\w*))\b/i
const PERIOD = /\b(?:quarter|year|period|months?|weeks?)\s$/i

function expiryIn(text: string): StatedDay {
  const found = EXPIRES.exec(text)
  if (!found || PERIOD.test(text.slice(0, found.index))) return undefined
  return /^(?:through|until)$/i.test(found[1]!) && DONE.test(text.slice(0, found.index))
    ? undefined
    : statedDay(found[2])
}

function partedOf(text: string, all: readonly Amount[]): Numbers {
  const kept = all.filter(
    ({ start, end }) =>
      (FROM_TO.test(text.slice(Math.max(0, start - 80), start)) ||
        !PART.test(text.slice(Math.max(0, start - 80), start))) &&
      !AFTER_PART.test(text.slice(end, end + 60)),
  )
  const isTotal = ({ start }: Amount) => {
    const before = text.slice(Math.max(0, start - 180), start)
    return TOTAL.test(before) || FROM_TO.test(before)
  }
  const values = (some: readonly Amount[]) => [...new Set(some.map(({ value }) => value))]
  return { own: values(kept.filter((one) => !isTotal(one))), total: values(kept.filter(isTotal)) }
}

export const REPURCHASE_KINDS = ['new', 'increase', 'extension'] as const

function kindOf(said: string): (typeof REPURCHASE_KINDS)[number] | null {
  if (/\b(?:additional|another|increas\w+|expan(?:d|sion)\w*)\b/i.test(said)) return 'increase'
  if (/\b(?:exten(?:d|sion)\w*|renew\w*)\b/i.test(said)) return 'extension'
  return /\b(?:an?|new)\s(?:[\w$.,’'-]{1,20}\s){0,8}?(?:repurchase|buy-?\s?back) (?:program|plan|authori[sz]ation)\b/i.test(
    said,
  )
    ? 'new'
    : null
}
