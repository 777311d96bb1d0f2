/** Reads dividends on common shares that a company declares: amount, record date and day of payment. */
import { DAY, dayOf } from '../../../read/prose/dates.ts'
import type { Sentence } from '../../../read/prose/sentences.ts'
import type { LeftOut } from '../notices/notice.ts'
import type { Fact, FactName } from './fact.ts'

const DECLARES =
  /\b(?:declared|declares|approved|authorized)\b(?:[^.;]|\.(?=\d)){0,160}?\b(?:dividends?|distributions?)\b|\b(?:dividends?|distributions?)\b(?:[^.;]|\.(?=\d)){0,120}?\b(?:was|were|has been|have been)\s(?:declared|approved)\b/i
/** Matches a reference to the dividend that the previous sentence declared. */
const OF_IT = /^\s{0,4}(?:The|This|Such)\s(?:[a-z-]{1,20}\s){0,3}(?:dividend|distribution|record date|payment date)\b/i
/**
 * Words of a dividend that does not count, because it is of another kind, was not declared, or is an earlier dividend,
 * or because its amount is a rate or is in another currency.
 */
const OTHER =
  /\b(?:preferred|preference|series|depositary|stock dividend|rights|not (?:declared|approved|authorized)|policy|intends?|expects?|anticipates?|previous(?:ly)?|prior|compared|from \$|would|if|annuali[sz]ed|annual(?! (?:general )?(?:meeting|report)s?\b)|rate|estimat\w*|proceeds|based on|purchase price|share price|per (?:day|month|quarter|annum|year)|daily|each day|installments?|CAD|Canadian|CDN|AUD|Australian|NZD|HKD|SGD)\b/i
/**
 * Words of a dividend that is denied, withdrawn, conditional or of an earlier year, and words which show that an amount
 * is a limit or a change.
 */
const NOT_DECLARED =
  /\b(?:no(?! par\b|\.)|neither|nor|declin\w*|rescind\w*|withdr\w*|up to|at least|had declared|total dividends|exercise price|subject to (?:the )?(?:closing|completion|consummation|approval)|as (?:disclosed|reported|announced) (?:in|on)|(?:in|during) (?:19|20)\d\d|increas\w* (?:(?:of|in) )?(?:its|the|our) (?:[a-z]+ ){0,4}(?:dividends?|distributions?) (?:by|of))\b/i
const A_SHARE = String.raw`\s(?:in cash\s)?(?:per|a|for each|on each|for every)\s(?:outstanding\s|issued\s)?(?:share|unit|common (?:share|unit)|ordinary share)\b`
const DOLLARS = new RegExp(String.raw`(?<![A-Za-z])(?:US)?\$\s?(\d{0,3}(?:\.\d{1,6})?)${A_SHARE}`, 'gi')
const CENTS = new RegExp(String.raw`(?<![\d.,$])(\d{1,2}(?:\.\d{1,4})?)(?:\scents|¢)${A_SHARE}`, 'gi')
/** Words before a day that ends or begins a period, or that belongs to another act. */
const OTHER_DAY = 'ended|ending|period|each\\sday|commencing|beginning|from|since|declared|announced|approved'
const RECORD = new RegExp(
  String.raw`(?<!\b(?:payment|pay|payable)\s(?:date\s)?and\s(?:the\s|a\s)?)\b(?:(?:stock|share|unit)?holders[^.;,]{0,20}\sof\srecord|record\sdate|of\srecord)\b(?:(?!\b(?:payable|paid|payment|${OTHER_DAY})\b)[^.;$]){0,60}?\s${DAY}`,
  'g',
)
const PAID = new RegExp(
  String.raw`(?<!\b(?:since|after)\b[^.;,]{0,40}|\brecord\s(?:date\s)?and\s(?:the\s|a\s)?)\b(?:payable|paid|payment\sdate|pay\sdate|distributed)\b(?:(?!\b(?:record|${OTHER_DAY})\b)[^.;$]){0,60}?\s${DAY}`,
  'g',
)

/** @returns the facts of a sentence that declares one dividend, or of the next sentence about the same dividend */
export function dividends(sentence: Sentence, before: Sentence | undefined): Fact[] {
  const text = plain(sentence)
  const isDeclared = declares(text)
  const isOfIt = !isDeclared && before !== undefined && OF_IT.test(text) && declares(plain(before))
  if ((!isDeclared && !isOfIt) || isOther(text)) return []
  const fact = (name: FactName, value: string | null): Fact[] =>
    value === null ? [] : [{ name, value, start: sentence.start, end: sentence.end }]
  return [
    ...(isDeclared ? fact('dividend', amountIn(text)) : []),
    ...fact('dividend_record_date', dayIn(text, RECORD)),
    ...fact('dividend_payment_date', dayIn(text, PAID)),
  ]
}

/** Returns the day if the pattern finds exactly one; null for several days, and for days assigned by "respectively". */
function dayIn(text: string, pattern: RegExp): string | null {
  const days = new Set([...text.matchAll(pattern)].map(([, day]) => dayOf(day)))
  return days.size === 1 && !/\brespectively\b/i.test(text) ? ([...days][0] ?? null) : null
}

/** Matches a decision to repurchase shares that follows the dividend: "and authorized the repurchase of up to". */
const REPURCHASE =
  /(?:,|\sand)\s(?:(?:and|also|the\s[Bb]oard)\s){0,3}(?:has\s)?(?:authori[sz]ed|approved|increased|adopted)\s(?:[a-z$\d.,-]{1,20}\s){0,8}(?:re-?purchases?|buy-?backs?)\b.*$/

const plain = ({ text }: Sentence) => text.replace(/\s/g, ' ').replace(REPURCHASE, '')

const isOther = (text: string): boolean => OTHER.test(text) || NOT_DECLARED.test(text)

/** Tests whether a sentence declares exactly one amount per share. */
const declares = (text: string): boolean => DECLARES.test(text) && !isOther(text) && amountIn(text) !== null

/**
 * Matches the noun before the amount: "a dividend in the amount of", not "under its distribution reinvestment plan at".
 */
const NOUN = /\b(?:dividends?|distributions?)\b(?:(?!\b(?:plan|reinvest\w*)\b)[^.;$]){0,90}$/i

/** Matches words for dollars of another country. */
const CURRENCY = /\b(?:CAD|Canadian|CDN|AUD|Australian|NZD|HKD|SGD)\b/gi
const SEVERAL_DAYS = 'the words state several days'

/**
 * Returns the uncertain values of a declared dividend, with the reasons. A dividend that does not count has no such
 * values.
 */
export function dividendsLeftOut(sentence: Sentence): LeftOut[] {
  const text = plain(sentence)
  const known = text.replace(CURRENCY, ' ')
  if (isUndeclared(text)) return [{ name: 'dividend', reason: 'no word states that it was declared' }]
  if (!DECLARES.test(text) || isOther(known)) return []
  if (known !== text)
    return amountIn(known) === null ? [] : [{ name: 'dividend', reason: 'the amount is in another currency' }]
  const amounts = amountsIn(text)
  if (new Set(amounts.map(({ amount }) => amount)).size > 1 && amounts.some(({ isDividend }) => isDividend))
    return [{ name: 'dividend', reason: 'the words state several amounts' }]
  if (amounts.length === 0) return []
  const isUnsure = (pattern: RegExp) => dayIn(text, pattern) === null && text.search(pattern) >= 0
  return [
    ...(isUnsure(RECORD) ? [{ name: 'dividend_record_date' as const, reason: SEVERAL_DAYS }] : []),
    ...(isUnsure(PAID) ? [{ name: 'dividend_payment_date' as const, reason: SEVERAL_DAYS }] : []),
  ]
}

/**
 * Tests whether a word other than "declared" announces a dividend with an amount and a day: "increased its dividend to
 * $0.22".
 */
const isUndeclared = (text: string): boolean =>
  ANNOUNCES.test(text) &&
  !DECLARES.test(text) &&
  !KIND.test(text) &&
  amountsIn(text).some(({ isDividend }) => isDividend) &&
  (dayIn(text, RECORD) !== null || dayIn(text, PAID) !== null)
const ANNOUNCES = /\b(?:announced|announces|increased|raised|set|will pay)\b/i
const KIND = /\b(?:preferred|preference|series|depositary|stock dividend)\b/i

/** Returns dollars per share; null if no amount belongs to a dividend, or if the sentence has two different amounts. */
function amountIn(text: string): string | null {
  const all = amountsIn(text)
  const isOne = new Set(all.map(({ amount }) => amount)).size === 1 && all.some(({ isDividend }) => isDividend)
  return isOne ? String(Number(all[0]!.amount.toFixed(6))) : null
}

function amountsIn(text: string): { amount: number; isDividend: boolean }[] {
  const found = (pattern: RegExp, divisor: number) =>
    [...text.matchAll(pattern)].map(({ 1: amount, index }) => ({
      amount: Number(amount) / divisor,
      isDividend: NOUN.test(text.slice(Math.max(0, index - 110), index)),
    }))
  return [...found(DOLLARS, 1), ...found(CENTS, 100)].filter(({ amount }) => amount > 0)
}
