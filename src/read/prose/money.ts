/** Reads amounts of US dollars in prose. Also finds amounts that are not certain, and amounts of another currency. */
import { shifted } from '../values.ts'
import type { Span } from './sentences.ts'

export interface Amount extends Span {
  /** Dollars as a decimal without an exponent: `265000000`. */
  value: string
}

/** Powers of ten by the first letters of a scale such as "million". */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|k)/i, 3],
  [/^m/i, 6],
  [/^b/i, 9],
  [/^t/i, 12],
]
const SCALE = String.raw`(?:[\s-]?(thousand|million|billion|trillion|mm|m|bn|b|k)s?(?![A-Za-z]))?`
const NUMBER = String.raw`(\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(\.\d{1,4})?(?![\d,.]?\d)${SCALE}(?![A-Za-z]|-[A-Za-z])`
const MONEY = new RegExp(String.raw`(?<![A-Za-z])(?:USD?\s?|U\.S\.\s?)?\$\s?${NUMBER}`, 'gi')
/** Words after an amount that is a rate: "$5 per share". */
const RATE_AFTER =
  /^(?:\sin cash)?(?:,\sper\b|\s?(?:per\b|a share|a unit|each\b|\/|for each|for every|principal amount (?:of|per) (?:each|the)|of (?:the )?principal amount\b))/i
/** Words before an amount that is part of a rate: "19.0931 shares per $1,000". */
const RATE = /\b(?:per|each|every|multiples? of|denominations? of|par value(?: of)?)\s$/i
/** Source of a pattern of the nations whose dollars are not US dollars: "Canadian dollars". For any flags. */
export const NATION = '(?:Canadian|Australian|Hong\\s{1,3}Kong|Singapore|New\\s{1,3}Zealand|New\\s{1,3}Taiwan)'
/** Source of a pattern of codes of other currencies: "CAD", "RMB". */
export const CODE =
  '(?:RMB|CNY|EUR|GBP|JPY|CHF|CAD|CDN|Cdn|AUD|HKD|SGD|NZD|TWD|INR|KRW|SEK|NOK|DKK|BRL|MXN|ILS|NIS|ZAR)'
/** Words for another currency before the dollar sign. */
const OTHER_CURRENCY = new RegExp(String.raw`(?<![A-Za-z])(?:${CODE}\.?|${NATION}|C)\s?$`, 'i')
/** Words for another currency after an amount: "$40 million Canadian", "$40 million (CAD)". */
const AFTER = String.raw`\s?\(?(?:in\s)?(?:${CODE}|${NATION})\b(?:\s[Dd]ollars)?`
const OF_OTHER_CURRENCY = new RegExp(`^${AFTER}`, 'i')
const UNITS = String.raw`(?:[Ee]uros?|[Pp]ounds\s[Ss]terling|(?:[Jj]apanese\s)?[Yy]en|[Yy]uan|[Rr]enminbi|[Rr]upees|[Ss]hekels|[Ss]wiss\s[Ff]rancs|[Pp]esos)\b`
const OTHER = String.raw`(?<![A-Za-z])(?:(?:(?!US)[A-Z]{1,3}\$|(?:${CODE}\.?|${NATION})\s?\$|[€£¥₩₹₪]|${CODE}(?=[\s\d])|[Ee]uros?(?=\s))\s?${NUMBER}|\$?${NUMBER}(?:${AFTER}|\s${UNITS}))`
const OTHER_AMOUNT = new RegExp(OTHER, 'g')
const ONE_SECURITY = String.raw`(?:[a-z’']{1,14},?\s){0,4}(?:shares?|units?|ADSs?|warrants?|notes?|debentures?|bonds?|options?|interests?|security)\b`
/**
 * Words before an amount, in the same clause, that say that it is paid for one security: "each share is converted
 * into".
 */
const FOR_EACH = new RegExp(
  String.raw`\b(?:each|every|(?:price|consideration|amount|value) per)\s${ONE_SECURITY}(?:(?!\b(?:aggregate|total|proceeds)\b)[^;$]){0,160}$`,
  'i',
)
/**
 * Does the same as `FOR_EACH` for a small amount. Another amount may come before the small amount: "each share, par
 * value $0.01, is converted into".
 */
const SMALL_FOR_EACH = new RegExp(String.raw`\b(?:each|every|per)\s${ONE_SECURITY}[^;]{0,200}$`, 'i')
/**
 * Number of dollars. A lower amount without a scale counts as the price of one security, unless the words call the
 * amount a total.
 */
const SMALL = 10_000
const WHOLE = /\b(?:(?:aggregate|total|gross)\s(?:[a-z]{1,14}\s){0,4}|(?:proceeds|fees?)\sof\s(?:approximately\s)?)$/i
const IN_TOTAL = /^\s(?:in\s(?:the\s)?(?:aggregate|total)|in gross proceeds)\b/i
/**
 * Matches the end of a range after an amount without a scale. The scale of the end applies to both amounts: both
 * amounts of "$5 to $7 million" are in millions.
 */
const SHARES_SCALE =
  /^\s?(?:to|and|-|–|—|through)\s?(?:approximately\s)?(\$?)\s?[\d.,]{1,14}[\s-]?(thousand|million|billion|mm|m|bn|b)\b/i
/** Matches the end of a range without a dollar sign: "-30" in "$25-30". */
const DASH = /^\s?[-–—]\s?\d/

const placesOf = (scale: string | undefined): number =>
  SCALES.find(([pattern]) => scale && pattern.test(scale))?.[1] ?? 0

/** Number of characters before an amount that are searched. The words there may say what the amount is paid for. */
const BEFORE_MAX = 320

/** Tests whether an amount is a rate, or the price of one security. */
const isRate = (before: string, after: string): boolean =>
  RATE_AFTER.test(after) || RATE.test(before) || FOR_EACH.test(before)

/**
 * Returns the amounts of a text in the order of the text, without rates, prices of one security, and other currencies.
 */
export function amountsIn(text: string): Amount[] {
  return [...text.matchAll(MONEY)].flatMap(({ 0: words, 1: whole, 2: fraction = '', 3: own, index }) => {
    const end = index + words.length
    const before = text.slice(Math.max(0, index - BEFORE_MAX), index)
    const after = text.slice(end, end + 40)
    if (OF_OTHER_CURRENCY.test(after) || OTHER_CURRENCY.test(before) || isRate(before, after)) return []
    const next = own ? null : SHARES_SCALE.exec(after)
    if (DASH.test(after) || next?.[1] === '') return []
    const scale = own ?? next?.[2]
    const digits = whole!.replaceAll(',', '')
    const isSmall = !scale && Number(digits) < SMALL
    if (isSmall && (SMALL_FOR_EACH.test(before) || (!WHOLE.test(before) && !IN_TOTAL.test(after)))) return []
    return [{ value: scaled(digits, fraction.slice(1), placesOf(scale)), start: index, end }]
  })
}

/**
 * Moves the decimal point to the right. The patterns admit at most 15 digits before the point, and a shift by at most
 * 12 places. `shifted` returns null only for larger numbers.
 */
const scaled = (whole: string, fraction: string, places: number): string => shifted('', whole, fraction, places)!

/** Words between two amounts that are the ends of a range. "And" joins the ends only after "between". */
const TO = /^\s?(?:to|-|–|—|through)\s?(?:approximately\s)?$/
const AND = /^\sand\s(?:approximately\s)?$/
const BETWEEN = /\bbetween\s(?:approximately\s)?$/

/** Tests whether two amounts that follow each other are the ends of a range. */
export function isRange(text: string, low: Amount, high: Amount): boolean {
  const link = text.slice(low.end, high.start)
  const isLinked = TO.test(link) || (AND.test(link) && BETWEEN.test(text.slice(0, low.start).slice(-40)))
  return isLinked && !/^[^;.]{0,120}\brespectively\b/.test(text.slice(high.end, high.end + 140))
}

/** Returns the amounts of a text that are the ends of a range. */
function endsIn(text: string, all: readonly Amount[]): ReadonlySet<Amount> {
  const ends = new Set<Amount>()
  for (const [i, high] of all.entries()) {
    const low = all[i - 1]
    if (low && isRange(text, low, high)) ends.add(low).add(high)
  }
  return ends
}

/** Returns the amounts of other currencies in a text, without rates and prices of one security. */
export const othersIn = (text: string): Span[] =>
  [...text.matchAll(OTHER_AMOUNT)].flatMap(({ 0: words, index }) => {
    const end = index + words.length
    const isOfOne = isRate(text.slice(Math.max(0, index - BEFORE_MAX), index), text.slice(end, end + 40))
    return isOfOne ? [] : [{ start: index, end }]
  })

export const OTHER_CURRENCY_REASON = 'the words state an amount in another currency'
export const SEVERAL_REASON = 'the words state several amounts'
export const RANGE_REASON = 'the words state a range'
export const BOUND_REASON = 'the words state only the most or the least'

/**
 * An amount. `value` is null if the text has no amount, or if the amount is not certain. `reason` says why it is not
 * certain.
 */
export interface ReadAmount {
  value: string | null
  reason: string | null
}

const MOST =
  /\b(?:up to|(?:not|never) (?:to )?exceed(?:ing)?|as much as|no more than|a maximum of)\s(?:[a-z]{1,13}\s){0,4}$/i
const LEAST =
  /\b(?:at least|(?:more|greater|less) than|exceed(?:s|ing)?|in excess of|not less than|a minimum of)\s(?:[a-z]{1,13}\s){0,3}$/i

/** Tests whether the words before an amount or a number say that it is only a maximum or a minimum. */
export const isBound = (before: string): boolean => MOST.test(before) || LEAST.test(before)

/**
 * Reads the only amount that a text states for one purpose, such as the price of an acquisition.
 *
 * @param isMeant tests, by the words around an amount, whether the amount is stated for that purpose
 * @param takesMost whether a maximum counts: "a facility of up to $5 million" then has that amount
 * @param takesEqual whether two equal amounts are one amount that the text states twice, and not two parts of a sum
 */
export function amountFor(
  text: string,
  isMeant: (amount: Span) => boolean,
  { takesMost = false, takesEqual = false }: { takesMost?: boolean; takesEqual?: boolean } = {},
): ReadAmount {
  const all = amountsIn(text)
  const ends = endsIn(text, all)
  const stated = all.filter((one) => !ends.has(one) && isMeant(one))
  const before = ({ start }: Amount) => text.slice(Math.max(0, start - 80), start)
  const exact = stated.filter((one) => (takesMost ? !LEAST.test(before(one)) : !isBound(before(one))))
  // In "$5 million in cash and up to $2 million for milestones" the second amount may never be paid. So it does not
  // count next to an exact amount.
  const points = exact.length > 0 ? exact : stated
  const [point] = points
  if (othersIn(text).some(isMeant)) return { value: null, reason: OTHER_CURRENCY_REASON }
  const count = takesEqual ? new Set(points.map(({ value }) => value)).size : points.length
  if (count > 1) return { value: null, reason: SEVERAL_REASON }
  if (!point) return { value: null, reason: ends.size > 0 ? RANGE_REASON : null }
  return exact.length > 0 ? { value: point.value, reason: null } : { value: null, reason: BOUND_REASON }
}

const SHARES = new RegExp(
  String.raw`(?<![\d.,$])(\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(\.\d{1,4})?${SCALE}\s(?:(?:restricted|unregistered|newly issued|additional|new|outstanding|Class [A-Z]|common|ordinary|preferred|registered|fully paid|shares of|American)\s){0,3}(shares?|units|warrants|options|ADSs)\b`,
  'gi',
)

export interface Count extends Amount {
  /** What is counted: shares, units, warrants or options. */
  unit: string
  /** The reason why a number is not exact: it is the end of a range, or a bound. Null if it is exact. */
  doubt: string | null
}

/** Matches the first number of a range, right before the last number: "between 100,000 and 200,000 shares". */
const LOW_END =
  /(?:\bbetween\s[\d.,]{1,18}(?:\s[a-z]{1,8})?\sand|\d(?:\s(?:thousand|million|billion))?\s?(?:to|or|-|–|—))\s?$/

/** Returns the numbers of securities in a text, in the order of the text. */
export const sharesIn = (text: string): Count[] =>
  [...text.matchAll(SHARES)].map(({ 0: words, 1: whole, 2: fraction = '', 3: scale, 4: unit, index }) => {
    const before = text.slice(Math.max(0, index - 80), index)
    return {
      value: scaled(whole!.replaceAll(',', ''), fraction.slice(1), placesOf(scale)),
      start: index,
      end: index + words.length,
      unit: unit!.toLowerCase(),
      doubt: LOW_END.test(before) ? RANGE_REASON : isBound(before) ? BOUND_REASON : null,
    }
  })

const END = String.raw`\$?\s?(\d{1,4}(?:\.\d{1,3})?)`
/** Matches a range whose lower end has no scale of its own: "$5 to $7 million", "between $5 and $7 million". */
const SHORT_RANGE = new RegExp(
  String.raw`(\bbetween\s(?:approximately\s)?)?\$\s?(\d{1,4}(?:\.\d{1,3})?)\s?(to|and|-|–|—|through)\s?(?:approximately\s)?${END}[\s-](million|billion)\b`,
  'gi',
)

/** Rewrites ranges so that each end has a dollar sign and a scale. */
export const rangesWhole = (text: string): string =>
  text.replace(
    SHORT_RANGE,
    (words, between: string | undefined, low: string, link: string, high: string, scale: string) =>
      link === 'and' && !between ? words : `${between ?? ''}$${low} ${scale} ${link} $${high} ${scale}`,
  )

const LINK = String.raw`(?:(?:or|the|U\.S\.|US|dollar|equivalent|of|to|approximately|about|equal|currently)\s){0,7}`
const DOLLARS = String.raw`(?:USD?\s?|U\.S\.\s?)?\$\s?\d[\d.,]{0,18}(?:[\s-](?:thousand|million|billion))?(?![\w$])(?!${AFTER})`
/** Matches an amount that the filer itself converts to dollars: "€25 million (approximately $29 million)". */
const CONVERTED = new RegExp(
  String.raw`${OTHER}\s?(?:\(|,?\sor\s)${LINK}(?<dollars>${DOLLARS})(?:[^()]{0,100}\))?`,
  'g',
)
const CONVERTED_FROM = new RegExp(
  String.raw`(?<![A-Za-z])(?<dollars>${DOLLARS})\s?\(${LINK}${OTHER}[^()]{0,100}\)`,
  'g',
)

const NUMBER_WORDS =
  '(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:-[a-z]{3,5})?|hundred|thousand|million|billion|and)'
/** Matches "forty million dollars ($40,000,000)" */
const IN_WORDS = new RegExp(
  String.raw`\b(?:${NUMBER_WORDS}\s){1,14}(?:and\s(?:no|00)/100\s)?(?:US\s|U\.S\.\s)?dollars\s\((${DOLLARS})\)`,
  'gi',
)

/** Keeps only the dollars in figures if the text also states the same amount in words or in another currency. */
export const inDollars = (text: string): string =>
  text.replace(IN_WORDS, '$1').replace(CONVERTED, '$<dollars>').replace(CONVERTED_FROM, '$<dollars>')

/** Matches "All dollar amounts are in Canadian dollars". A dollar sign without a country then means that currency. */
const DECLARED = new RegExp(
  String.raw`\b(?:[Aa]ll|[Rr]eferences\sto|[Uu]nless\sotherwise|[Ee]xpressed)\b[^.;]{0,80}(?:\$|\b(?:dollars?|amounts?|currency)\b)[^.;]{0,80}\b${NATION}\s(?:dollars|currency|funds)\b`,
)
const BARE_SIGN = /(?<!\bUSD?\s?|\bU\.S\.\s?|[A-Za-z]\$?)\$/g

/**
 * A text may declare that its amounts are in dollars of another country. For such a text, returns a function that marks
 * each dollar sign without a country as another currency. Otherwise returns null.
 */
export const declaredIn = (whole: string): ((text: string) => string) | null =>
  DECLARED.test(whole) ? (text) => text.replace(BARE_SIGN, 'C$$') : null
