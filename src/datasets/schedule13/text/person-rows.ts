/**
 * Finds the numbered rows on cover pages of Schedules 13D and 13G by their labels: one page for each reporting person.
 */
import type { Span } from '../../../read/prose/sentences.ts'
import { GAP } from './plain-text.ts'
import { isBlank, withoutMarginWords } from './values.ts'

/** A row of a page. `irs` is a part of the first row; `sec` is for the Commission's use only. */
export type RowName =
  | ('name' | 'irs' | 'group' | 'sec' | 'funds' | 'legal' | 'citizenship')
  | ('sole_voting' | 'shared_voting' | 'sole_dispositive' | 'shared_dispositive')
  | ('shares' | 'excludes' | 'percent' | 'type')

/** The text between a label and the next label. */
export interface Row {
  name: RowName
  /** Start of the label, and of the evidence of a fact. */
  label: number
  value: Span
  /** The text of the row; a row number after the label is blanked out. */
  text: string
}

export interface Page extends Span {
  rows: Row[]
}

const words = (text: string) => text.replaceAll(' ', GAP)
const ANY = '(?:\\(s\\))?'
const ROW = '(?:row|box|line|item)\\s{0,60}\\(?\\s?\\d{1,2}(?:\\s?\\))?'
/** The number of the row may be missing: "BY AMOUNT IN ROW 9.2%" has only the percentage (0001144204-13-040868). */
const ROW_OR_NONE = '(?:row|box|line|item)(?:\\s{0,60}\\(?\\s?\\d{1,2}(?:\\s?\\)|(?!\\d|\\.\\d|%)))?'

/**
 * Patterns of labels as the forms and filers word them. Each pattern begins with a distinct word, so that a search
 * fails fast.
 */
const LABELS: Readonly<Record<RowName, string>> = {
  name: `(?:${words(`names?${ANY} of (?:the |each )?reporting persons?${ANY}`)}|${words('item 1\\s?: reporting persons?')})`,
  irs: words(
    `(?:s\\.?\\s?s\\.?(?: nos?\\.?)? or )?i\\.?\\s?r\\.?\\s?s\\.?\\s{0,60}identification n(?:o|umber)s?\\.?${ANY}(?: of (?:the )?(?:above|reporting) persons?${ANY})?`,
  ),
  group: words(
    'check (?:(?:the )?appropriate (?:box|row|line|space|\\[line\\])(?: if (?:a )?member of (?:a )?group)?|(?:box )?if (?:a )?member of (?:a )?group)',
  ),
  sec: words('sec use only'),
  funds: words('sources? of funds?'),
  legal: words(
    'check (?:the )?(?:box )?if (?:the )?disclosure of legal proceedings?(?: is)?(?: required)?(?: pursuant to items? 2\\s?\\(d\\)(?: (?:or|and) (?:items? )?2?\\s?\\(?e\\)?)?)?',
  ),
  citizenship: `(?:${words('citizen(?:ship)? o[rf] place of (?:organi[sz]ation|incorporation)')}|citizenship(?=\\s?:|\\s{2})|(?<=\\b(?:item|row|line)\\s{1,9}\\d\\s?:\\s{0,9})citizenship)`,
  sole_voting: words('sole (?:voting power|power to vote)'),
  shared_voting: words('shared (?:voting power|power to vote)'),
  sole_dispositive: words('sole (?:dispositi(?:ve|on) power|power to dispose)'),
  shared_dispositive: words('shared (?:dispositi(?:ve|on) power|power to dispose)'),
  shares: words(
    'aggregate (?:amount (?:of (?:shares )?)?(?:beneficially owned|owned beneficially|owned)(?: by (?:each |the )?(?:reporting )?persons?)?|amount(?: beneficially)?(?=\\s?:|\\s{1,60}\\d)|(?=\\n|[\\d-]))',
  ),
  excludes: words(
    `(?:aggregate amount excludes certain shares|check (?:the )?(?:appropriate )?(?:box )?if (?:the )?aggregate amount (?:represented by amount )?(?:(?:in )?${ROW}(?: excludes)?|excludes)(?: \\(?10\\)?)?(?: certain shares)?)`,
  ),
  percent: `(?:${words(`percent(?:age)? of (?:the )?class represent(?:ed|ing) by (?:the )?(?:amount )?(?:in )?${ROW_OR_NONE}`)}|${words('percent(?:age)? of (?:the )?class(?: represent(?:ed|ing))?')}(?=\\s{1,60}[\\d.]|\\s?:))`,
  type: words('type of (?:each |the )?(?:reporting persons?|persons? reporting)'),
}

/** Matches remarks between a label and its value: "(See Instructions)", "(ENTITIES ONLY)". */
const REMARK =
  ':?(?:\\s{0,60}\\((?:see\\s{1,60}instr[a-z.]{0,12}|entities\\s{1,60}only|optional)\\.?\\s?\\))?(?:\\s{0,9}(?::|\\.(?=\\s)))?'
/**
 * Fidelity and Dimensional number the rows as items, and some filers leave out the labels: `Item 5: 0`
 * (0000315066-05-001987), `Item 11: 903,691`. "Row 9" in the label of another row is not such a number.
 */
const NUMBERED = `(?<!\\b(?:in|by)\\s{1,9})(?:(?:item|row|line|box)\\s{1,9}(?:no\\.?\\s?)?[#(]{0,2}(?<number>\\d{1,2})\\)?\\s?(?::|[-–—=](?=\\s))|(?:row|line|box)\\s{1,9}(?<pointed>\\d{1,2})\\.(?=\\s))`
const LABEL = new RegExp(
  `\\b(?:${Object.entries(LABELS)
    .map(([name, label]) => `(?<${name}>${label})`)
    .join('|')})${REMARK}|\\b${NUMBERED}`,
  'gi',
)

/** Maximum length of the last row's value, which no label ends. */
const LAST_MAX = 400
/** Matches text that follows a page, or that interrupts a page. */
const ENDS =
  /\b(?:cusip(?::|\s{1,9}(?:no|number)\b)|page\s{1,9}\d{1,3}\s{1,9}of\b|see\s{1,9}instructions?\s{1,9}(?:before|sheet)|item\s{1,9}1\b|instructions\s{1,9}for\b|schedule\s{1,9}13[dg]\b|(?:<|&lt;)page)/i

const IN_PROSE = /\b(?:have|has|having|holds?|shares?|and|or|the|of|its|such|exercises?)\s{1,9}$/

/**
 * Minimum number of distinctive rows. A page of a real form has at least the powers, the amount, the percentage and the
 * type.
 */
const ROWS_MIN = 4
const DISTINCTIVE: readonly RowName[] = [
  ...(['sole_voting', 'shared_voting', 'sole_dispositive', 'shared_dispositive', 'shares', 'percent', 'type'] as const),
]
/** Maximum number of pages: a real filing has at most 45. */
export const PAGES_MAX = 500

/**
 * Returns the pages of persons, in the order of the document.
 *
 * @param text the result of `plainText`
 * @param schedule determines the meaning of row numbers, if rows have no other label
 */
export function pagesOf(text: string, schedule: '13D' | '13G'): Page[] {
  const found = [...text.matchAll(LABEL)].flatMap((match): RowLabel[] => {
    const { index: label, 0: whole } = match
    const number = match.groups!.number ?? match.groups!.pointed
    if (number !== undefined) return [{ name: null, number, label, from: label + whole.length }]
    // "… may be deemed to have sole voting power": a sentence below a row mentions another row's label
    // (0001144204-13-040868).
    if (whole.startsWith('s') && IN_PROSE.test(text.slice(Math.max(0, label - 40), label))) return []
    return [{ name: nameOf(match.groups!), number: null, label, from: label + whole.length }]
  })
  const labels = namedBy(text, found, schedule)
  const starts = labels.flatMap(({ name }, at) => (name === 'name' ? [at] : []))
  const pages = starts.flatMap((first, nth) => {
    const own = labels.slice(first, starts[nth + 1] ?? labels.length)
    const last = own.findIndex(({ name }) => name === 'type')
    const page = last < 0 ? own : own.slice(0, last + 1)
    if (new Set(page.flatMap(({ name }) => (DISTINCTIVE.includes(name) ? [name] : []))).size < ROWS_MIN) return []
    const numbered = withNumbers(text, page)
    const rows = numbered.map(({ name, label, from }, at) => {
      const next =
        numbered[at + 1]?.label ?? Math.min(text.length, from + LAST_MAX, labels[first + at + 1]?.label ?? text.length)
      const stop = ENDS.exec(text.slice(from, next))?.index
      const end = stop === undefined ? next : from + stop
      return { name, label, value: { start: from, end }, text: text.slice(from, end).replace(/;(?=\s{0,99}$)/, ' ') }
    })
    blankNumbers(rows)
    return [{ start: page[0]!.label, end: rows.at(-1)!.value.end, rows }]
  })
  return pages.slice(0, PAGES_MAX)
}

/**
 * The numbers of each row: the first is its number on Schedule 13D, the last its number on Schedule 13G. Row 1 may also
 * be typed with the letter l.
 */
const NUMBERS: Readonly<Partial<Record<RowName, readonly string[]>>> = {
  ...{ name: ['1', 'l'], group: ['2'], sec: ['3'], funds: ['4'], legal: ['5'], citizenship: ['6', '4'] },
  ...{ sole_voting: ['7', '5'], shared_voting: ['8', '6'], sole_dispositive: ['9', '7'] },
  ...{ shared_dispositive: ['10', '8'], shares: ['11', '9'], excludes: ['12', '10'], percent: ['13', '11'] },
  type: ['14', '12'],
}
const ROWS = Object.keys(NUMBERS) as RowName[]
const ONLY_13D: readonly RowName[] = ['funds', 'legal']

interface RowLabel {
  /** Null if a row has only its number. */
  name: RowName | null
  number: string | null
  label: number
  from: number
}

/**
 * Names rows that have only a number. Rows 13 and 14 exist only on Schedule 13D. If the numbers of a Schedule 13D end
 * earlier, they may be those of Schedule 13G, so their meaning is unknown.
 */
function namedBy(text: string, found: readonly RowLabel[], schedule: '13D' | '13G'): Label[] {
  let page = { isLong: false }
  const isFirst = (at: number) => found[at]!.number === '1' && beginsPage(text, found, at)
  const pages = found.map(({ name, number }, at) => {
    if (name === 'name' || isFirst(at)) page = { isLong: false }
    if (number === '13' || number === '14') page.isLong = true
    return page
  })
  return found.flatMap(({ name, number, label, from }, at): Label[] => {
    const [before, next] = [found[at - 1], found[at + 1]]
    const isOf = (one: number, other: number) => isBlank(text.slice(one, other))
    if (name !== null) {
      // "Item 5: Sole voting power" is one label, and its words decide which row it is.
      return [{ name, label: before?.number && isOf(before.from, label) ? before.label : label, from }]
    }
    if (next?.name && isOf(from, next.label)) return []
    if (isFirst(at)) return [{ name: 'name', label, from }]
    const { isLong } = pages[at]!
    if (!isLong && schedule === '13D') return []
    const row = ROWS.find(
      (each) =>
        NUMBERS[each]![isLong ? 0 : NUMBERS[each]!.length - 1] === number && (isLong || !ONLY_13D.includes(each)),
    )
    return row && row !== 'name' ? [{ name: row, label, from }] : []
  })
}

/** Maximum distance of a row from the first row of the page. */
const PAGE_MAX = 3_000
/**
 * Matches an amount alone after the number of a row. Words follow the numbers of the schedule's own items ("Item 1:
 * …"), so these are not rows.
 */
const AMOUNT = /^\s{0,60}(?:-?0-?|none|\$?\d[\d,]{0,14})(?:\s|[;,]?$|[;,]\s)/i

/**
 * Tests whether a row that has only the number 1 begins a page: further numbered rows follow, and at least four of them
 * have amounts.
 */
function beginsPage(text: string, found: readonly RowLabel[], first: number): boolean {
  const { label } = found[first]!
  let amounts = 0
  for (const { number, label: at, from } of found.slice(first + 1, first + 16)) {
    if (number === null || number === '1' || at - label > PAGE_MAX) break
    if (Number(number) >= 5 && AMOUNT.test(text.slice(from, from + 80))) amounts++
  }
  return amounts >= ROWS_MIN
}

const NUMBER = /(?:^|[\s-])\(?(\d{1,2}|l)\s?[.)]{0,2}:?\s*$/
/**
 * Minimum number of numbered labels. A number before a label could also be the value of the row above; a page never has
 * three such values.
 */
const NUMBERED_MIN = 3

interface Label {
  name: RowName
  label: number
  from: number
}

/** Lets each label begin at the row number before it, if at least `NUMBERED_MIN` labels have such a number. */
function withNumbers(text: string, labels: readonly Label[]): Label[] {
  const starts = labels.map(({ name, label }, at) => {
    const from = Math.max(labels[at - 1]?.from ?? 0, label - 200)
    const found = NUMBER.exec(withoutMarginWords(text.slice(from, label)))
    return found && NUMBERS[name]?.includes(found[1]!)
      ? from + found.index + /^[\s-]?/.exec(found[0])![0].length
      : label
  })
  const isNumbered = labels.filter(({ label }, at) => starts[at] !== label).length >= NUMBERED_MIN
  return labels.map((one, at) => ({ ...one, label: isNumbered ? starts[at]! : one.label }))
}

const NUMBER_AFTER_LABEL = /^[\s:.]*\(?(\d{1,2}|l)[.)]{0,2}(?=\s)/

/** Blanks out row numbers after the labels: "CITIZENSHIP OR PLACE OF ORGANIZATION 4 Delaware". */
function blankNumbers(rows: Row[]): void {
  const numbers = rows.map(({ name, text }) => {
    const found = NUMBER_AFTER_LABEL.exec(withoutMarginWords(text))
    return found && NUMBERS[name]?.includes(found[1]!) ? found[0].length : 0
  })
  if (numbers.filter((length) => length > 0).length < NUMBERED_MIN) return
  for (const [at, length] of numbers.entries()) rows[at]!.text = ' '.repeat(length) + rows[at]!.text.slice(length)
}

/** Row numbers in sequence: `(1)`, `2.`, `3)`. */
const COUNTED = /(?<![^\s(])\(?(\d{1,2})[.):](?=\s)/g
const COUNTED_MIN = 8

/**
 * Returns the position at which row numbers in sequence begin, if amounts follow at least four of the numbers from 5
 * on, as on the page of a person. Returns null if there is no such sequence.
 */
export function countedRows(text: string): number | null {
  let [expected, start, amounts] = [1, 0, 0]
  for (const { 0: whole, 1: digits, index } of text.matchAll(COUNTED)) {
    const number = Number(digits)
    if (number === 1) [expected, start, amounts] = [2, index, 0]
    else if (number >= expected && number <= expected + (expected === 2 ? 5 : 2) && index - start < PAGE_MAX) {
      expected = number + 1
      if (number >= 5 && AMOUNT.test(text.slice(index + whole.length, index + 80))) amounts++
      if (number >= COUNTED_MIN && amounts >= ROWS_MIN) return start
    }
  }
  return null
}

const nameOf = (groups: Record<string, string>) =>
  Object.keys(groups).find((name) => groups[name] !== undefined) as RowName
