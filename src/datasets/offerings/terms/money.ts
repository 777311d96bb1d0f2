/** Patterns of amounts, and of the offered securities, in the words of covers. */
import { CODE, NATION } from '../../../read/prose/money.ts'

/** Excludes the dollars of other countries: "C$", "HK$", "CAD $". */
const BEFORE = `(?<![A-Za-z])(?<!\\b${CODE}\\s?)`
const AMOUNT = '\\s{0,3}(\\d[\\d,]{0,18}(?:\\.\\d{1,6})?|\\.\\d{1,6})(?!\\d|\\s*(?:million|billion))'

/** Matches an amount in US dollars, with its figure in a group: "$10.00", "US$10.00", "U.S.$.05". */
export const DOLLARS = `${BEFORE}(?:U\\.?S\\.?\\s?)?\\$${AMOUNT}`
/** Like `DOLLARS`, for texts in which "$" alone means the dollars of another country. */
export const US_DOLLARS = `${BEFORE}U\\.?S\\.?\\s?\\$${AMOUNT}`

/** The number of a footnote after a figure. */
const ONE_NOTE = '(?:\\^?\\(\\d{1,2}\\)|\\^\\d{1,2})'
export const NOTE = `${ONE_NOTE}?`
export const NOTES = `(?:\\s*${ONE_NOTE})*`

export const NUMBER = '\\d{1,3}(?:,\\d{3})+|\\d+'
export const KIND =
  '(?:class\\s+[a-c]\\s+)?(?:american\\s+deposit[ao]ry\\s+shares|adss?|(?:common|ordinary|preferred|preference|(?:subordinate\\s+)?voting|deposit[ao]ry)\\s+shares|common\\s+units|shares|units)'

/** Matches "per share", "per ADS", "for each unit", "/share". */
export const PER =
  '(?:(?:per|a|for\\s+each|for\\s+one)\\s+|\\/)(?:common\\s+|ordinary\\s+|class\\s+[a-c]\\s+)*(?:share|unit|ads|american\\s+deposit[ao]ry\\s+share)\\b'

/** Matches "Dollar amounts are in Canadian dollars". On such a cover, "$" alone does not mean US dollars. */
const OTHERS = new RegExp(
  String.raw`(?:\breferences?\s+to\s+[“"]?(?:dollars|\$)|\b(?:dollar\s+)?amounts\b|\bcurrency\b|[“"]\$[”"])[^.]{0,160}\b${NATION}\b`,
  'i',
)

export const dollarsOf = (cover: string, form: string): string =>
  form.startsWith('F-10') || OTHERS.test(cover) ? US_DOLLARS : DOLLARS
