/** Reads amounts of US dollars in prose. */

export interface Amount {
  /** Dollars as a decimal without an exponent: `265000000`. */
  value: string
  start: number
  end: number
}

/** Powers of ten by the first letters of a scale. */
const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^(?:thousand|k)/i, 3],
  [/^m/i, 6],
  [/^b/i, 9],
  [/^t/i, 12],
]
const SCALE = String.raw`(?:[\s-]?(thousand|million|billion|trillion|mm|m|bn|b|k)s?(?![A-Za-z]))?`
const MONEY = new RegExp(
  String.raw`(?<![A-Za-z])(?:US|U\.S\.\s?)?\$\s?(\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(\.\d{1,4})?(?![\d,.]?\d)${SCALE}(?![A-Za-z]|-[A-Za-z])`,
  'gi',
)
/** Words after an amount that is not a total in US dollars: a rate, or another currency. */
const NOT_TOTAL =
  /^(?:\sin cash)?(?:,\sper\b|\s?(?:per\b|a share|a unit|each\b|\/|for each|for every|principal amount (?:of|per) (?:each|the)|of (?:the )?principal amount\b|\(?(?:CAD|CDN|Canadian|AUD|Australian|HKD|SGD|NZD)\b))/i
/** Words before an amount that belongs to a rate: "19.0931 shares per $1,000". */
const RATE = /\b(?:per|each|every|multiples? of|denominations? of|par value(?: of)?)\s$/i
/** Another currency before the sign of the dollar. */
const OTHER_CURRENCY =
  /(?<![A-Za-z])(?:CAD|CDN|Cdn\.?|Canadian|AUD|Australian|HKD|Hong Kong|SGD|Singapore|NZD|New Zealand|TWD|MXN|C)\s?$/i
const ONE_SECURITY = String.raw`(?:[a-z’']{1,14},?\s){0,4}(?:shares?|units?|ADSs?|warrants?|notes?|debentures?|bonds?|options?|interests?|security)\b`
/** Words of the clause before an amount that is paid for one security: "each share is converted into". */
const FOR_EACH = new RegExp(
  String.raw`\b(?:each|every|(?:price|consideration|amount|value) per)\s${ONE_SECURITY}(?:(?!\b(?:aggregate|total|proceeds)\b)[^;$]){0,160}$`,
  'i',
)
/** The same for a small amount, which another amount may precede: "each share, par value $0.01, is converted into". */
const SMALL_FOR_EACH = new RegExp(String.raw`\b(?:each|every|per)\s${ONE_SECURITY}[^;]{0,200}$`, 'i')
/** Dollars below which an amount without a scale is a price of one security, unless the words call it the whole. */
const SMALL = 10_000
const WHOLE = /\b(?:(?:aggregate|total|gross)\s(?:[a-z]{1,14}\s){0,4}|(?:proceeds|fees?)\sof\s(?:approximately\s)?)$/i
const IN_TOTAL = /^\s(?:in\s(?:the\s)?(?:aggregate|total)|in gross proceeds)\b/i
/** The amount after an amount without a scale: "$5 to $7 million" are two amounts of one scale. */
const SHARES_SCALE =
  /^\s?(?:to|and|-|–|—|through)\s?(?:approximately\s)?(\$?)\s?[\d.,]{1,14}[\s-]?(thousand|million|billion|mm|m|bn|b)\b/i
/** "$25-30": the end of a range, whose other end has no sign. */
const DASH = /^\s?[-–—]\s?\d/

const placesOf = (scale: string | undefined): number =>
  SCALES.find(([pattern]) => scale && pattern.test(scale))?.[1] ?? 0

/** Returns the amounts of a text in its order, without rates, prices of one security, and other currencies. */
export function amountsIn(text: string): Amount[] {
  return [...text.matchAll(MONEY)].flatMap(({ 0: words, 1: whole, 2: fraction = '', 3: own, index }) => {
    const end = index + words.length
    const before = text.slice(Math.max(0, index - 320), index)
    const after = text.slice(end, end + 40)
    if (NOT_TOTAL.test(after) || RATE.test(before) || OTHER_CURRENCY.test(before)) return []
    const next = own ? null : SHARES_SCALE.exec(after)
    if (FOR_EACH.test(before) || DASH.test(after) || next?.[1] === '') return []
    const scale = own ?? next?.[2]
    const digits = whole!.replaceAll(',', '')
    const isSmall = !scale && Number(digits) < SMALL
    if (isSmall && (SMALL_FOR_EACH.test(before) || (!WHOLE.test(before) && !IN_TOTAL.test(after)))) return []
    return [{ value: scaled(digits, fraction.slice(1), placesOf(scale)), start: index, end }]
  })
}

/** Moves the decimal point to the right, exactly. */
export function scaled(whole: string, fraction: string, places: number): string {
  const digits = whole + fraction.padEnd(places, '0')
  const point = whole.length + places
  const rest = digits.slice(point).replace(/(?<!0)0+$/, '')
  const head = digits.slice(0, point).replace(/^0+(?=\d)/, '')
  return rest === '' ? head : `${head}.${rest}`
}

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

/** Returns the amounts of a text that are not the ends of a range. */
export function pointsIn(text: string): Amount[] {
  const all = amountsIn(text)
  const ends = new Set<Amount>()
  for (const [i, high] of all.entries()) {
    const low = all[i - 1]
    if (low && isRange(text, low, high)) ends.add(low).add(high)
  }
  return all.filter((one) => !ends.has(one))
}

const SHARES = new RegExp(
  String.raw`(?<![\d.,$])(\d{1,3}(?:,\d{3}){1,4}|\d{1,9})(\.\d{1,4})?${SCALE}\s(?:(?:restricted|unregistered|newly issued|additional|new|outstanding|Class [A-Z]|common|ordinary|preferred|registered|fully paid|shares of|American)\s){0,3}(shares?|units|warrants|options|ADSs)\b`,
  'gi',
)

export interface Count extends Amount {
  /** What is counted: shares, units, warrants or options. */
  unit: string
}

/** Returns the numbers of securities in a text, in its order. */
export const sharesIn = (text: string): Count[] =>
  [...text.matchAll(SHARES)].map(({ 0: words, 1: whole, 2: fraction = '', 3: scale, 4: unit, index }) => ({
    value: scaled(whole!.replaceAll(',', ''), fraction.slice(1), placesOf(scale)),
    start: index,
    end: index + words.length,
    unit: unit!.toLowerCase(),
  }))

const END = String.raw`\$?\s?(\d{1,4}(?:\.\d{1,3})?)`
/** A range whose lower end has no scale of its own: "$5 to $7 million", "between $5 and $7 million". */
const SHORT_RANGE = new RegExp(
  String.raw`(\bbetween\s(?:approximately\s)?)?\$\s?(\d{1,4}(?:\.\d{1,3})?)\s?(to|and|-|–|—|through)\s?(?:approximately\s)?${END}[\s-](million|billion)\b`,
  'gi',
)

/** Writes ranges with a sign and a scale at each end. */
export const rangesWhole = (text: string): string =>
  text.replace(
    SHORT_RANGE,
    (words, between: string | undefined, low: string, link: string, high: string, scale: string) =>
      link === 'and' && !between ? words : `${between ?? ''}$${low} ${scale} ${link} $${high} ${scale}`,
  )
