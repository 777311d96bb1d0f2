/**
 * Reads the information table in text, before 2013. There is no format: columns have any width, names span several
 * lines, and one name and CUSIP may serve many lines of numbers. Only unambiguous content is read. The parser counts
 * the lines that look like holdings and the lines that were read; the table `quality` has both counts and the declared
 * number.
 */
import { cusipFlag } from '../../../read/securityid.ts'
import { endsName } from './text/bond.ts'
import { type Columns, columnOf } from './text/columns.ts'
import { isCutOff, withoutAnyGaps } from './text/gap.ts'
import { type Half, joinHalves, MANAGERS_AND_VOTES, NO_VOTES } from './text/half.ts'
import { headsOf, isAmountFirst, votesOf } from './text/head.ts'
import {
  cusipEnds,
  type Heads,
  hasCusip,
  holdsUnplacedVotes,
  isShared,
  managersIn,
  NO_HEADS,
  numbersOf,
  tailOf,
  withoutRules,
} from './text/line.ts'
import { Names, nameOf, type Part, type Security, security as securityNamed } from './text/name.ts'
import { digitsOf, isBroken, isNumber, isPair, looksLikeNumber } from './text/number.ts'
import { isOptions, optionOf, withOptions } from './text/option.ts'
import { agrees, type Declared, inOrder, isFarBelow, readRecords } from './text/record.ts'
import { headingsIn } from './text/sector.ts'
import { inColumns, plainText } from './text/shape.ts'
import { goOnRight, isDisplacing, isOpenList, isTotal, type Line, sideOf, sidesOf } from './text/side.ts'
import { Sums } from './text/sum.ts'
import { type Word, wordsOf } from './text/words.ts'
import type { Findings, Holding } from './types.ts'
import { AMOUNT_DIGITS, managers, note, nothingFound } from './values.ts'

/**
 * Returns the holdings of one document in their order. If far fewer lines are read than the summary declares, two more
 * attempts follow. The first ignores the tags `<TABLE>`; the second reads by CUSIPs alone, wherever the lines break.
 * The first attempt that reaches the declared numbers is used. The declared total shows whether the columns of values
 * and of amounts are swapped.
 */
export function parseText(
  text: string,
  found: Findings,
  declared: Declared = { entries: null, value: null },
): Holding[] {
  const plain = plainText(text)
  const tables = tablesOf(plain)
  let read = readTables(tables)
  if (isFarBelow(read.holdings.length, declared)) {
    const others = [() => readTables([plain.replace(/<\/?table>/gi, '')]), () => readRecords(plain)]
    for (const other of others) {
      const again = other()
      if (again.holdings.length <= read.holdings.length || !agrees(again.holdings, declared)) continue
      read = again
      note(read.found, 'text table', null, 'was read a second way, since the first found far fewer lines than declared')
      break
    }
  }
  found.looked += read.found.looked
  found.read += read.found.read
  for (const { path, value, reason } of read.found.problems) note(found, path, value, reason)
  return withOptions(inOrder(read.holdings, declared, found))
}

interface Table {
  holdings: Holding[]
  found: Findings
}

function readTables(tables: readonly string[]): Table {
  const found = nothingFound()
  const lines: Line[] = []
  const halves: Half[] = []
  const names = new Names()
  for (const table of tables) readTable(inColumns(table), { lines, halves, names }, found)
  names.settle(found)
  joinHalves(halves, lines, found)
  found.read += lines.length
  const broken = lines.find(({ value, amount }) => isBroken(value.text) || isBroken(amount.text))
  if (broken) note(found, 'text table, numbers', `${broken.value.text} ${broken.amount.text}`, ROUNDED)
  // The name is made once for each security, since thousands of lines may share one.
  const known = new Map<Security, Pick<Holding, 'issuer' | 'title'>>()
  for (const { security } of lines) {
    if (!known.has(security)) known.set(security, nameOf(security, found))
  }
  const amountOf = ({ text }: Word): string | null => {
    const digits = digitsOf(text)
    if (digits.length <= AMOUNT_DIGITS) return digits
    note(found, 'text table, amount', text, `has more than ${AMOUNT_DIGITS} digits`)
    return null
  }
  const holdings = lines.map(({ security, tail, ...line }) => ({
    ...tail,
    ...known.get(security)!,
    cusip: security.cusip,
    cusipFlag: cusipFlag(security.cusip),
    figi: null,
    value: digitsOf((line.isAmountFirst ? line.amount : line.value).text),
    amount: amountOf(line.isAmountFirst ? line.value : line.amount),
    managers: managers(tail.managers),
  }))
  return { holdings: withoutCounts(holdings), found }
}

/** Removes the row numbers in front of names: `1. APPLE INC`, `2. …`. */
function withoutCounts(holdings: Holding[]): Holding[] {
  const counts = holdings.map(({ issuer }) => /^(\d{1,5})[.)]? +(?=\S)/.exec(issuer ?? ''))
  const isCounted = holdings.length >= 3 && counts.every((count, at) => count !== null && Number(count[1]) === at + 1)
  return isCounted
    ? holdings.map((line, at) => ({ ...line, issuer: line.issuer!.slice(counts[at]![0].length) }))
    : holdings
}

const ROUNDED = 'has a fraction: such values and amounts are rounded to whole ones, from here on'

/** Returns the parts between `<TABLE>` and `</TABLE>`, or the whole text if it has no such tags. */
function tablesOf(text: string): string[] {
  const tables = text
    .split(/<table>/i)
    .slice(1)
    .map((part) => part.split(/<\/table>/i)[0]!)
  return tables.length > 0 ? tables : [text]
}

interface Reading {
  lines: Line[]
  halves: Half[]
  names: Names
}

/**
 * Long: each line changes what the next line may be. Branches: a line is a head, a rule, a holding, half of a holding,
 * or a name.
 */
function readTable(table: string, { lines, halves, names }: Reading, found: Findings): void {
  let before = lines.length
  let columns: Columns = null
  let half: Half | null = null
  let above: string[] = []
  let headings: readonly (readonly Word[])[] = []
  let heads: Heads = NO_HEADS
  let isDisplaced = false
  /** Whether the amount stands before the value; null until the first row below the headings. */
  let amountFirst: boolean | null = null
  /** Managers of the next holding, if their list begins above it. */
  let listed: string[] = []
  /** The kind of options in the section; null if it is not a section of puts or calls. */
  let option: Holding['putCall'] = null
  const sums = new Sums(lines)
  const rows = table.split('\n')
  const headingLines = headingsIn(rows)
  names.table(false)
  let isNoted = false
  const noteOnce = (reason: string) => {
    if (!isNoted) note(found, MANAGERS_AND_VOTES, null, reason)
    isNoted = true
  }
  let isSharedNoted = false
  const noteShared = () => {
    if (!isSharedNoted) note(found, 'text table, discretion', 'SHARED', 'names no kind of shared discretion')
    isSharedNoted = true
  }
  const add = (security: Security, { value, amount, after }: Pick<Line, 'value' | 'amount'> & { after: Word[] }) => {
    const tail = tailOf(after, amount, columns, heads)
    if (tail.discretion === null && after.some(isShared)) noteShared()
    if (holdsUnplacedVotes(after, amount, tail))
      noteOnce('are under no heading that shows which kind of votes they are')
    if (isDisplaced) Object.assign(tail, { managers: null, ...NO_VOTES })
    else if (listed.length > 0) tail.managers = [...listed, tail.managers ?? []].flat().join(',')
    listed = []
    tail.putCall ??= option
    lines.push({ security, value, amount, tail, isListOpen: isOpenList(after), isAmountFirst: amountFirst ?? false })
    found.looked++
  }
  let ends: ReadonlySet<number> | null = null
  const isPlaced = (word: Word) => {
    if (columns !== null) return columnOf(word, columns) === 2
    ends ??= cusipEnds(table)
    // A left-aligned CUSIP of seven or eight characters ends one or two characters before a CUSIP of nine.
    return ends.has(word.end) || ends.has(word.end + 9 - word.text.length)
  }
  for (const [at, line] of rows.entries()) {
    if (/^\s*<S>/i.test(line)) {
      columns = [...line.matchAll(/<[SC]>/gi)].map(({ index }) => index)
      headings = above.slice(-HEAD_LINES).map(wordsOf)
      heads = { discretion: headsOf(headings), votes: votesOf(headings, columns) }
      amountFirst = null
      // The columns change here, so no later line continues a line above (0000950150-03-000957).
      before = lines.length
      names.table(true)
      listed = []
      isDisplaced = false
      half = { columns, from: lines.length, rows: [] }
      halves.push(half)
    }
    // After a caption, `above` collects the headings of the next half (`text/half.ts`).
    if (/^\s*<CAPTION>/i.test(line)) half = null
    if (half === null) above.push(line)
    else above = []
    if (/^\s*$/.test(line)) names.blank()
    else if (/^[\s\-=_]*$/.test(line)) names.cut(line.trim().length >= RULE_MIN)
    if (/^\s*(<|$)|^[\s\-=_]*$/.test(line)) continue
    const all = wordsOf(line)
    half?.rows.push(all)
    const last = lines.length > before ? lines.at(-1)! : null
    const full = numbersOf(all, (word) => !isTotal(line) && isPlaced(word))
    if (full !== null) {
      if (columns === null && amountFirst === null) {
        headings = above.slice(-HEAD_LINES - 1, -1).map(wordsOf)
        heads = { discretion: headsOf(headings), votes: votesOf(headings, columns) }
      }
      amountFirst ??= isAmountFirst(headings, full.value, full.amount)
      const part = namesOf(line, full.before, full.cusip!, columns)
      const security = securityNamed(part, full.cusip, heirOf(full.cusip!, last))
      names.holding(security, part.issuer.length > 0 ? full.before[0]!.start : null)
      add(security, full)
      continue
    }
    const words = withoutRules(all, last?.amount)
    if (words.length === 0) continue
    if (isOptions(line)) option = optionOf(line)
    else if (HEADING.test(line)) option = null
    const repeated = last === null || isTotal(line) || hasCusip(words) ? null : repeatedOf(words, last)
    if (repeated !== null && last !== null) {
      const { value, amount, after } = repeated
      if (repeated.before.length === 0 && sums.isTotal(value, amount, tailOf(after, amount, columns))) {
        names.cut()
        continue
      }
      add(repeatedSecurity(line, repeated.before, last, columns, names), repeated)
      continue
    }
    const isLoose = last === null && !hasCusip(words)
    const sides = last === null ? { left: words, right: [], isOpen: !hasCusip(words) } : sidesOf(line, words, last)
    if (last !== null && !isDisplaced && isDisplacing(line, sides, last)) {
      isDisplaced = true
      note(found, MANAGERS_AND_VOTES, line.trim(), 'are on other lines than their holdings, from here on')
    }
    if (sides.isOpen) {
      const side = isDisplaced || last === null ? null : sideOf(sides, last, listed.length > 0)
      if (side === 'below') listed.push(managersIn(sides.right)!)
      else if (!isDisplaced && last !== null) goOnRight(sides.right, last, columns, heads)
      const isPart = sides.left.length > 0 && !headingLines.has(at) && isName(line, sides.left, columns)
      if (isPart) names.line(sides.left, namesOf(line, sides.left, null, columns), side)
      else if (sides.left.length > 0) names.cut()
    } else names.cut()
    const whole = withoutAnyGaps(line)
    if (whole !== line && numbersOf(wordsOf(whole), isPlaced) !== null) {
      found.looked++
      note(found, `text table, line ${at + 1}`, line.trim(), 'has numbers with blanks that no column explains')
    } else if (!isLoose && (hasCusip(words) || looksLikeHolding(words))) {
      found.looked++
      note(found, `text table, line ${at + 1}`, line.trim(), 'looks like a holding and was not read')
    }
  }
}

/** Minimum length of a rule that separates rows. A shorter one is the line below a heading or above a sum. */
const RULE_MIN = 60
/** Maximum number of lines that column headings take. */
const HEAD_LINES = 16

/**
 * Returns the security from which a row without a name takes its name, if both CUSIPs have the same issuer. It is the
 * security above, or the one from which that security takes its own name.
 */
const heirOf = (cusip: string, last: Line | null): Security | null =>
  last !== null && last.security.cusip?.slice(0, 6) === cusip.slice(0, 6)
    ? last.security.issuer.length === 0
      ? (last.security.heir ?? last.security)
      : last.security
    : null

/**
 * Reads a line without a CUSIP that repeats the security above: its value and amount end in the same columns. So a
 * total, which has no amount, is not such a line.
 */
function repeatedOf(words: readonly Word[], last: Line) {
  const at = words.findIndex(({ text, end }) => isNumber(text) && Math.abs(end - last.value.end) <= 2)
  const [value, amount, ...after] = at < 0 ? [] : words.slice(at)
  if (
    !value ||
    !amount ||
    !isPair(value.text, amount.text, after[0]?.text) ||
    Math.abs(amount.end - last.amount.end) > 2
  )
    return null
  const before = words.slice(0, at)
  // In `8, 967`, the value begins before the blank.
  if (isCutOff(before.at(-1)?.text)) return null
  // A longer number before the value is a sum of another column, or a CUSIP that lost its zero. Names have no such
  // numbers.
  if (before.some(({ text }) => looksLikeNumber(text) && digitsOf(text).length > 5)) return null
  return { before, value, amount, after }
}

/**
 * Returns the security that the numbers belong to. It may be the last security; then words before the numbers continue
 * its name (`Co. Del`, 0000950129-06-001497). Or it is a new security, whose name begins at the margin and to which the
 * filer gave no CUSIP (0000060086-01-500013).
 */
function repeatedSecurity(line: string, before: readonly Word[], last: Line, columns: Columns, names: Names): Security {
  const part = before.length === 0 ? NOTHING : namesOf(line, before, null, columns)
  // Text without a title continues the name, even at the margin: `Ln Mtg Corp.` (0000950150-00-000737). Without columns
  // a title cannot be recognized. Then only words that never begin a name continue a name.
  const isNew =
    columns === null ? !/^(inc|corp|corporation|company|co|ltd|plc|llc)\b/i.test(line) : part.title.length > 0
  if (before.length > 0 && /^\S/.test(line) && isNew) {
    const title = part.title.map((text) => text.replace(/(?<! ) +(none|n\/?a)$/i, ''))
    const security = securityNamed({ issuer: part.issuer, title }, null)
    names.holding(security, part.issuer.length > 0 ? before[0]!.start : null)
    return security
  }
  names.repeated(last.security, part)
  return last.security
}

const NOTHING: Part = { issuer: [], title: [] }

/**
 * Tests for a line that may be a holding: it has two numbers of three or more digits. A continued list of managers has
 * no such numbers.
 */
const looksLikeHolding = (words: readonly Word[]): boolean =>
  words.filter(({ text }) => looksLikeNumber(text) && digitsOf(text).length >= 3).length >= 2 &&
  !words.some(({ text }) => /total/i.test(text))

/**
 * Tests for words that may be a part of a name: they are within the columns of names and titles, and are not the
 * heading of a section.
 */
const isName = (line: string, words: readonly Word[], columns: Columns): boolean =>
  !HEADING.test(line) &&
  !isOptions(line) &&
  (columns === null
    ? !/\S {3,}\S/.test(line) && !words.some(({ text }) => isNumber(text) && text.length > 3)
    : words.at(-1)!.end <= (columns[2] ?? 0) + 1)

const HEADING =
  /^\s*(common|preferred|stocks?\b|equit|bonds?\b|convertible|options?\b|adrs?\b|total|foreign|domestic|\(|page\s{1,9}\d{1,3}(?:\s{1,9}of\s{1,9}\d{1,3})?\s*$)/i

/** Splits issuer and title, by the columns or by a gap between two parts. */
function namesOf(line: string, words: readonly Word[], cusip: string | null, columns: Columns): Part {
  const parts = textBefore(line, words)
    .split(/\s{2,}|\t/)
    .filter(Boolean)
  if (cusip !== null && parts.length === 2) return { issuer: [parts[0]!], title: [parts[1]!] }
  if (columns === null || columns.length < 3) return { issuer: parts.length === 0 ? [] : [parts.join(' ')], title: [] }
  // Decides by the column in which a word begins: a name may end in the column of titles, but never begins in that
  // column. In a line without a CUSIP, a word also continues the name if exactly one blank precedes it, and if it
  // begins left of the column of titles or is a typical end of a name.
  const goesOn = (word: Word, at: number) =>
    cusip === null &&
    at > 0 &&
    word.start - words[at - 1]!.end === 1 &&
    (word.start < columns[1]! || endsName(word.text))
  const from = words.findIndex((word, at) => word.start >= columns[1]! - 1 && !goesOn(word, at))
  const isTitle = (word: Word) => from >= 0 && word.start >= words[from]!.start
  const issuer = textOf(words.filter((word) => !isTitle(word)))
  const title = textOf(words.filter(isTitle))
  return { issuer: issuer === '' ? [] : [issuer], title: title === '' ? [] : [title] }
}

const textBefore = (line: string, words: readonly Word[]): string =>
  words.length === 0 ? '' : line.slice(words[0]!.start, words.at(-1)!.end)
const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')
