/**
 * Reads values as typed on covers of Schedules 13D and 13G. A value with two readings is `uncertain`, never guessed.
 */
import { placeCode } from '../places.ts'
import type { ReadValue } from './facts.ts'

/**
 * The form prints these words in one column next to rows 5 to 8 (13G) and 7 to 10 (13D). Text tables, and paragraphs
 * made from such tables, have these words between label and value.
 */
const MARGIN_WORDS =
  /\b(?:number\s{1,60}of(?:\s{1,60}shares)?|beneficial(?:ly|l\s?y)?|owned(?:\s{1,60}by)?|each|reporting|persons?|with)\b:?|(?<=\s)by(?=\s)/gi
const blank = (some: string) => ' '.repeat(some.length)
const withoutMargin = (text: string) => text.replace(MARGIN_WORDS, blank)
/**
 * Blanks out the words in the margin, the word "shares", and remarks for questions, in texts that are not read for an
 * amount.
 */
export const withoutMarginWords = (text: string) =>
  withoutMargin(text.replace(/\(for\s{1,9}questions\b[^)]{0,160}\)/gi, blank)).replace(/\bshares?\b:?/gi, blank)

/**
 * A number with or without commas or apostrophes between thousands, and with up to four decimals. The mark of a
 * footnote that directly follows the number is not part of it.
 */
const FIGURE = "(?:\\d{1,3}(?:(?:,\\d{3})+|(?:['’]\\d{3})+)|\\d{1,15})(?:\\.\\d{1,4})?(?![\\d,.'’]?\\d)"
const AMOUNT = new RegExp(`^[\\s:$–—-]*(?:(${FIGURE})|(-?0-?(?!\\d)|none|nil|zero)(?![\\w,]|\\.\\d))`, 'i')
/** Marks of footnotes, which may follow a figure. */
const FOOTNOTES = /[([{]\s?(?:\d{1,2}|[a-z*†‡+]{1,3})\s?[)\]}]|[†‡+¹²³⁴⁵]/gi
const OTHER_FIGURE = /\d[\d,]{3,}/g
const IN_BRACKETS = /[([][^()[\]]{0,400}[)\]]/g
/**
 * Matches the composition of the figure, or a reference to a note about the figure. Either may follow directly below
 * the figure (0000354204-98-000539).
 */
const EXPLAINED = /^\s*(?:shares?\b[^\d(]{0,60}\s*)?(?:,\s*)?(?:(?:which\s{1,9})?includ|\(see\s{1,9}note\b)/i

/** Reads a number of shares that is alone in its row: `26,940,499*`, `-0-`, `None`, `4,740 shares (1)`. */
export function amountOf(row: string): ReadValue {
  const text = withoutMargin(row)
  if (isBlank(text.replace(/\bshares?\b/gi, ' '))) return 'blank'
  // The first word of the column next to the rows: "SHARES 4,740".
  const lead = /^\s*shares?\b:?/i.exec(text)?.[0].length ?? 0
  const found = AMOUNT.exec(text.slice(lead))
  if (!found) return 'uncertain'
  const end = lead + found[0].length
  const written = found[1]?.replace(/[,'’]/g, '') ?? '0'
  if (/^0\d/.test(written) || /^\d{1,3}\.\d{3}$/.test(written)) return 'uncertain'
  const value = written.replace(/\.0+$/, '')
  const rest = text.slice(end)
  // "1,000,000 Class A 500,000 Class B" has two amounts; "1,000,000 (includes 500,000 options)" has one.
  if (!EXPLAINED.test(rest) && hasOther(rest.replace(IN_BRACKETS, ' '), value)) return 'uncertain'
  // If two labels are next to each other, two figures are below them. The second figure is not a footnote of the first,
  // so the amount is uncertain.
  if (/^[\s*†‡,;.-]*\d/.test(rest.replace(FOOTNOTES, ' '))) return 'uncertain'
  if (OF_CLASS.test(rest.replace(IN_BRACKETS, ' '))) return 'uncertain'
  if (/^\s*%|^\s*(?:\/|or\b|to\b|[-–]\s*\d)/i.test(rest)) return 'uncertain'
  if (IN_UNITS.test(rest) || (!EXPLAINED.test(rest) && SECOND.test(rest.replace(IN_BRACKETS, ' ')))) return 'uncertain'
  return { value, end }
}

/** An amount of another class, however small: `410,000 Class A 900 Class B`. */
const OF_CLASS =
  /\b(?:class|series)\s{1,9}[a-z0-9]{1,3}\b[^\w\n]{0,20}\d|\s\d[\d,]{0,15}\s{1,9}(?:shares\s{1,9}of\s{1,9})?(?:class|series)\s{1,9}[a-z0-9]{1,3}\b/i

/** The unit of a figure that is not whole shares: `1.5 million`, `2.5M`, `2,500 thousand`. */
const IN_UNITS = /^\s?(?:(?:hundred|thousand|million|billion)s?\b|mm?\b|bn\b|k\b)/i
/** A second holding, however small: `410,000 direct; 900 by spouse`, `1,000,000 plus 500 warrants`. */
const SECOND =
  /^[^\n\d]{0,60}(?:(?:[;+]|\bplus\b)\s{0,9}\d[\d,]{0,15}\b(?!\s?[%.)])|(?:,|\band\b)\s{0,9}\d[\d,]{0,15}\s{1,9}(?:shares?|units?|warrants?|options?|ads|adrs?|direct|indirect|held|owned|common|preferred|in)(?:ly)?\b)/i

const hasOther = (rest: string, value: string) =>
  [...rest.matchAll(OTHER_FIGURE)].some(([figure]) => figure.replace(/,/g, '') !== value)

const PERCENT = /(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})\s?(?:%|per\s?cent\b)/gi
const BARE = /^[\s:–—-]*(\d{1,3}(?:\.\d{1,6})?|\.\d{1,6})(?![\d,.]?\d)/
const NO_PERCENT = /^[\s:]*(?:-?0-?|none|nil|zero)\s?%?(?![\w,]|\.\d)/i
/** Words that make the percentage a bound and not the exact figure. */
const BOUND = /\b(?:less|more|fewer|greater|under|over|below|above|up|exceeds?|between|least)\b|[<>≤≥]|&[lg]t;/i

/** A reference, whose number is not a percentage: `(see Item 5)`, `See Item 4(a);`. */
const SEE = /\(\s?see\b[^()]{0,40}\)|\bsee\s{1,9}(?:items?|rows?|notes?)\s{1,9}\d{1,2}(?:\s?\([a-z]\))?(?![\d.%])/gi

/** Reads the percentage of the class, if the row has one: `34.6%*`, `9.78`, `5.4% based on …`. */
export function percentOf(row: string): ReadValue {
  if (isBlank(row)) return 'blank'
  if (BOUND.test(row.replace(/(%[^%\n]{0,40}\b)(?:below|above)\b/gi, '$1'))) return 'uncertain'
  const found = [...row.matchAll(PERCENT)]
  if (found.length > 0) {
    const [first] = found as [RegExpExecArray]
    const before = row.slice(0, first.index)
    if (
      /\d/.test(before.replace(SEE, ' ').replace(FOOTNOTES, ' ')) ||
      found.some(([, value]) => Number(value) !== Number(first[1]))
    ) {
      return 'uncertain'
    }
    return ofPercent(first[1]!, first.index + first[0].length)
  }
  const bare = BARE.exec(row)
  const rest = bare && row.slice(bare[0].length).replace(SEE, ' ').replace(FOOTNOTES, ' ')
  if (bare && !/\d/.test(rest!) && !/^[ \t]*[a-z]/i.test(rest!))
    return isFraction(bare[1]!) ? 'uncertain' : ofPercent(bare[1]!, bare[0].length)
  const none = NO_PERCENT.exec(row)
  return none ? { value: '0', end: none[0].length } : 'uncertain'
}

/**
 * Tests for a figure below 1 without a percent sign. Such a figure may be a fraction (`.051` for 5.1 %), so it is
 * uncertain.
 */
const isFraction = (text: string): boolean => Number(text) > 0 && Number(text) < 1

function ofPercent(text: string, end: number): ReadValue {
  const value = text.startsWith('.') ? `0${text}` : text
  return Number(value) <= 100 && !/^0\d/.test(value) ? { value, end } : 'uncertain'
}

export const TYPES = ['BD', 'BK', 'IC', 'IV', 'IA', 'EP', 'HC', 'SA', 'CP', 'CO', 'PN', 'FI', 'IN', 'OO']
export const FUNDS = ['SC', 'BK', 'AF', 'WC', 'PF', 'OO']

/** Reads codes at the beginning of a row that otherwise has only remarks: `IA, IN`, `OO (trust)`. */
export function codesOf(
  row: string,
  codes: readonly string[],
): { values: string[]; end: number } | 'blank' | 'uncertain' {
  if (isBlank(row)) return 'blank'
  const values: string[] = []
  let end = 0
  const each = /^[\s:;,./&–-]*(?:and\s+|or\s+)?([A-Z]{2})(?![A-Za-z])/
  for (;;) {
    const found = each.exec(row.slice(end, end + 80))
    if (!found || !codes.includes(found[1]!)) break
    if (!values.includes(found[1]!)) values.push(found[1]!)
    end += found[0].length
  }
  // In "CO of Delaware" on one line, "CO" is a word and not a code.
  if (values.length === 0 || /^[ \t]*[a-z0-9]/i.test(row.slice(end, end + 80))) return 'uncertain'
  return { values, end }
}

/** Returns EDGAR's code for a row that is only the name of a state or country. */
export function citizenshipOf(row: string): ReadValue {
  if (isBlank(row)) return 'blank'
  const shown = withoutMarginWords(row).replace(FOOTNOTES, blank).trimEnd()
  const code = placeCode(shown)
  return code === null ? 'uncertain' : { value: code, end: shown.length }
}

const EMPTY_BOX = /[☐□❑¨]|\[\s*\]|\(\s*\)|\/\s*\/|\[-\]/
const CHECKED = /^[\s:[(/{|]*(?:[xX✓✔☒☑⌧]|[xX]{2})[\s\])/}|]*$/
const OPEN = /^(?:[\s:.[\](){}/☐□❑¨?-]|\bo\b)*$/

const BRACKETED = /^\s*(?::\s*)?(?:\[\s*(?:x\s*)?\]|\(\s*(?:x\s*)?\)|\/\s*(?:x\s*)?\/|[☐☒☑□])/i

/** Reads a box: true if it is checked, false if it is empty or absent, null for other text. */
export function isChecked(text: string): boolean | null {
  const mark = text.trim()
  if (CHECKED.test(mark)) return true
  return OPEN.test(mark) ? false : null
}

/** Reads a box that is alone in its row. */
export function boxOf(given: string): ReadValue {
  const row = withoutNone(given)
  const checked = isChecked(row)
  if (checked === null) return 'uncertain'
  if (!checked && !EMPTY_BOX.test(row)) return 'blank'
  return { value: String(checked), end: row.trimEnd().length }
}

/**
 * Matches the end of the label of row 2. The end may be on a second line, next to the boxes: "IF A MEMBER (a) [X] OF A
 * GROUP".
 */
const LABEL_OF_GROUP = /\bif\s{1,60}(?:an?\s{1,60})?member\b|\bof\s{1,60}(?:an?\s{1,60})?group\b\*?/gi

/** Reads row 2, with boxes after their letters or before them: `(a) [X] (b) [ ]`, `☐ (a) ☒ (b)`, `A. B. X`. */
export function groupOf(given: string): ReadValue {
  const row = withoutNone(given).replace(LABEL_OF_GROUP, blank)
  if (isBlank(row)) return 'blank'
  const a = /\(\s?a\.?\s?\)|\ba[.)]/i.exec(row)
  const b = a && /\(\s?b\.?\s?\)|\bb[.)]/i.exec(row.slice(a.index + a[0].length))
  if (!a || !b) return 'uncertain'
  const from = a.index + a[0].length
  const afterB = from + b.index + b[0].length
  const [before, middle] = [row.slice(0, a.index), row.slice(from, from + b.index)]
  // A box in brackets ends the row, whatever text is below it (0000902664-04-001527).
  const after = BRACKETED.exec(row.slice(afterB))?.[0] ?? row.slice(afterB)
  const isBefore = EMPTY_BOX.test(before) || isChecked(before) === true
  const boxes = isBefore ? [before, middle] : [middle, after]
  const [first, second] = boxes.map(isChecked)
  if (isBefore ? !isBlank(after) : !isBlank(before)) return 'uncertain'
  if (first === null || second === null || (first && second)) return 'uncertain'
  return first || second ? { value: first ? 'a' : 'b', end: afterB + (isBefore ? 0 : after.trimEnd().length) } : 'blank'
}

export const isBlank = (text: string) => !/[^\s:.,;*–—-]/.test(text)
export const saysNone = (text: string) => /^[\s:]*(?:n\s?\/?\s?a|none|not\s{1,60}applicable)[\s.]*$/i.test(text)
const withoutNone = (row: string) => row.replace(/\b(?:n\/a|not\s{1,60}applicable)\b\.?|\(\d{1,2}\)/gi, blank)
