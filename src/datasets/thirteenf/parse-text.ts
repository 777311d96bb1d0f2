/**
 * The information table in text, before 2013. There is no format: columns of any width, names over several lines, one
 * name and CUSIP for many lines of numbers. What is read is what cannot be something else; how many lines looked like
 * holdings and how many were read is counted, and stands beside what the summary declares.
 */
import { cusipFlag } from '../../read/securityid.ts'
import { type Half, joinHalves, MANAGERS_AND_VOTES, NO_VOTES } from './parse-texthalf.ts'
import {
  type Columns,
  columnOf,
  cusipEnds,
  digitsOf,
  hasCusip,
  isAmount,
  isNumber,
  isPair,
  looksLikeNumber,
  numbersOf,
  tailOf,
  type Word,
  withoutRules,
  wordsOf,
} from './parse-textline.ts'
import { managers, note } from './parse-values.ts'
import type { Findings, Holding } from './types.ts'

/** Issuer, title and CUSIP, which several lines may share and which may go on below. */
interface Security {
  issuer: string[]
  title: string[]
  /** As filed, without the blanks between its parts. */
  cusip: string | null
}

interface Line {
  security: Security
  value: Word
  amount: Word
  tail: ReturnType<typeof tailOf>
}

/** Holdings of the text of one document, in its order. */
export function parseText(text: string, found: Findings): Holding[] {
  const lines: Line[] = []
  const halves: Half[] = []
  for (const table of tablesOf(text.replaceAll('\r', ''))) readTable(table, lines, halves, found)
  joinHalves(halves, lines, found)
  found.read += lines.length
  // Once for all lines of a security: thousands may share it.
  const names = new Map<Security, Pick<Holding, 'issuer' | 'title'>>()
  for (const { security } of lines) {
    if (!names.has(security)) names.set(security, nameOf(security, found))
  }
  return lines.map(({ security, value, amount, tail }) => ({
    ...tail,
    ...names.get(security)!,
    cusip: security.cusip,
    cusipFlag: cusipFlag(security.cusip),
    figi: null,
    value: digitsOf(value.text),
    amount: digitsOf(amount.text),
    managers: managers(tail.managers),
  }))
}

/** Parts between `<TABLE>` and `</TABLE>`; the whole text where it has no such tags. */
function tablesOf(text: string): string[] {
  const tables = text
    .split(/<table>/i)
    .slice(1)
    .map((part) => part.split(/<\/table>/i)[0]!)
  return tables.length > 0 ? tables : [text]
}

function readTable(table: string, lines: Line[], halves: Half[], found: Findings): void {
  let before = lines.length
  let columns: Columns = null
  let pending = NOTHING
  let half: Half | null = null
  let isDisplaced = false
  const tail = (words: readonly Word[], amount: Word) => {
    const read = tailOf(words, amount, columns)
    return isDisplaced ? { ...read, managers: null, ...NO_VOTES } : read
  }
  let ends: ReadonlySet<number> | null = null
  const isPlaced = (word: Word) => {
    if (columns !== null) return columnOf(word, columns) === 2
    ends ??= cusipEnds(table)
    // Left-aligned it ends one before those of nine.
    return ends.has(word.end) || ends.has(word.end + 1)
  }
  for (const [at, line] of table.split('\n').entries()) {
    if (/^\s*<S>/i.test(line)) {
      columns = [...line.matchAll(/<[SC]>/gi)].map(({ index }) => index)
      // Other columns from here on: nothing below goes on with a line above (0000950150-03-000957).
      before = lines.length
      pending = NOTHING
      isDisplaced = false
      half = { columns, from: lines.length, rows: [] }
      halves.push(half)
    }
    // Headings of the next half.
    if (/^\s*<CAPTION>/i.test(line)) half = null
    if (/^\s*(<|$)|^[\s\-=_]*$/.test(line)) continue
    const all = wordsOf(line)
    half?.rows.push(all)
    const last = lines.length > before ? lines.at(-1)! : null
    const full = numbersOf(all, (word) => !isTotal(line) && isPlaced(word))
    if (full !== null) {
      const { issuer, title } = namesOf(line, full.before, full.cusip!, columns)
      const security = { ...after(pending, issuer, title), cusip: full.cusip! }
      // A second security of the issuer above, whose name is not said again (0000950150-01-500322).
      if (security.issuer.length === 0 && sameIssuer(security, last?.security)) security.issuer = last!.security.issuer
      lines.push({ security, ...full, tail: tail(full.after, full.amount) })
      pending = NOTHING
      found.looked++
      continue
    }
    const words = withoutRules(all, last?.amount)
    if (words.length === 0) continue
    if (last === null && !hasCusip(words)) {
      pending = waiting(pending, line, words, columns)
      continue
    }
    const repeated = last === null || isTotal(line) || hasCusip(words) ? null : repeatedOf(words, last)
    if (repeated !== null && last !== null) {
      const security = securityOf(line, repeated.before, last, columns)
      lines.push({ security, ...repeated, tail: tail(repeated.after, repeated.amount) })
      pending = NOTHING
      found.looked++
      continue
    }
    if (last !== null) {
      const sides = sidesOf(line, words, last)
      if (!isDisplaced && isDisplacing(line, sides, last)) {
        isDisplaced = true
        note(found, MANAGERS_AND_VOTES, line.trim(), 'stand on other lines than their holdings, from here on')
      }
      if (sides.isOpen && !isDisplaced) goOnRight(sides.right, last, columns)
      if (sides.isOpen && sides.left.length > 0) pending = goOnLeft(line, sides.left, last, pending, columns)
    }
    if (hasCusip(words) || looksLikeHolding(words)) {
      found.looked++
      note(found, `text table, line ${at + 1}`, line.trim(), 'looks like a holding and was not read')
      pending = NOTHING
    }
  }
}

/** What of a line stands before the value of the line above and behind its amount. */
interface Sides {
  left: readonly Word[]
  right: readonly Word[]
  /** Nothing stands between: the line is no row of its own, and no total. */
  isOpen: boolean
}

function sidesOf(line: string, words: readonly Word[], { value, amount }: Line): Sides {
  const left = words.filter(({ end }) => end <= value.start - 3)
  const right = words.filter(({ start }) => start > amount.end)
  return { left, right, isOpen: left.length + right.length === words.length && !isTotal(line) && !hasCusip(words) }
}

/**
 * Votes behind the beginning of a name, where the line above has its own: those columns were moved against the others
 * (0000950150-00-000128, whose Gardner Denver would have the votes of Manpower).
 */
const isDisplacing = (line: string, { left, right, isOpen }: Sides, { tail }: Line): boolean =>
  isOpen &&
  /^\S/.test(line) &&
  left.length > 0 &&
  (tail.sole ?? tail.shared ?? tail.none) !== null &&
  right.some(({ text }) => isAmount(text) && digitsOf(text).length > 3)

/** A line without a CUSIP below another: its value and amount end where those do. A total has no amount. */
function repeatedOf(words: readonly Word[], last: Line) {
  const at = words.findIndex(({ text, end }) => isNumber(text) && Math.abs(end - last.value.end) <= 2)
  const [value, amount, ...after] = at < 0 ? [] : words.slice(at)
  if (!value || !amount || !isPair(value.text, amount.text) || Math.abs(amount.end - last.amount.end) > 2) return null
  const before = words.slice(0, at)
  // A sum of another column, or a CUSIP that lost its nought: no name has such a number.
  if (before.some(({ text }) => looksLikeNumber(text) && digitsOf(text).length > 5)) return null
  return { before, value, amount, after }
}

/**
 * Whose numbers they are: the last security's, with more of its name before them (`Co. Del`, 0000950129-06-001497), or
 * those of a new one at the margin that was given no CUSIP (0000060086-01-500013).
 */
function securityOf(line: string, before: readonly Word[], last: Line, columns: Columns): Security {
  if (before.length === 0) return last.security
  const { issuer, title } = namesOf(line, before, null, columns)
  // Without a title it is the name that goes on, also at the margin: `Ln Mtg Corp.` (0000950150-00-000737). Without
  // columns a title cannot be told, and a line goes on with a name that no name begins with.
  const isNew = columns === null ? !/^(inc|corp|corporation|company|co|ltd|plc|llc)\b/i.test(line) : title.length > 0
  if (/^\S/.test(line) && isNew)
    return { issuer, title: title.map((text) => text.replace(/ +(none|n\/?a)$/i, '')), cusip: null }
  nameGoesOn(last.security, issuer, title)
  return last.security
}

/** Two numbers of three digits and more; a wrapped list of managers has none. */
const looksLikeHolding = (words: readonly Word[]): boolean =>
  words.filter(({ text }) => looksLikeNumber(text) && digitsOf(text).length >= 3).length >= 2 &&
  !words.some(({ text }) => /total/i.test(text))

/** What of a name and a title stands above their line. */
type Begun = Pick<Security, 'issuer' | 'title'>
const NOTHING: Begun = { issuer: [], title: [] }
/** More parts than this are no name, but every line of a text of 16 MB may look like one. */
const NAME_PARTS = 20

/** Keeps one part too many, which tells that there were more. */
function nameGoesOn({ issuer, title }: Begun, more: readonly string[], titled: readonly string[]): void {
  if (issuer.length <= NAME_PARTS) issuer.push(...more)
  if (title.length <= NAME_PARTS) title.push(...titled)
}

function after({ issuer, title }: Begun, more: readonly string[], titled: readonly string[]): Begun {
  const both = { issuer: [...issuer], title: [...title] }
  nameGoesOn(both, more, titled)
  return both
}

/** Words before any number: the beginning of a name, or more of one. */
function waiting(pending: Begun, line: string, words: readonly Word[], columns: Columns): Begun {
  if (words.some(({ text }) => isNumber(text)) || !isName(line, words, columns)) return NOTHING
  if (!/^\S/.test(line) && pending === NOTHING) return NOTHING
  const { issuer, title } = namesOf(line, words, null, columns)
  return /^\S/.test(line) ? { issuer, title } : after(pending, issuer, title)
}

/** Within the columns of names and titles, and no heading of a section. */
const isName = (line: string, words: readonly Word[], columns: Columns): boolean =>
  !HEADING.test(line) && (columns === null ? !/\S {3,}\S/.test(line) : words.at(-1)!.end <= (columns[2] ?? 0) + 1)

const HEADING =
  /^\s*(common|preferred|stocks?\b|equit|bonds?\b|convertible|options?\b|adrs?\b|total|foreign|domestic|\()/i

const sameIssuer = (one: Security, other: Security | undefined): boolean =>
  one.cusip !== null && other?.cusip?.slice(0, 6) === one.cusip.slice(0, 6)

/** Words of a line that is no holding: more of the last one's name, or the beginning of the next one's at the margin. */
function goOnLeft(line: string, left: readonly Word[], last: Line, pending: Begun, columns: Columns): Begun {
  const { issuer, title } = namesOf(line, left, null, columns)
  if (/^\S/.test(line)) return isName(line, left, columns) ? { issuer, title } : NOTHING
  if (pending !== NOTHING) return after(pending, issuer, title)
  nameGoesOn(last.security, issuer, title)
  return pending
}

const isTotal = (line: string): boolean => /\b(sub)?totals?\b/i.test(line)

/** `16, 17, 18` below `4, 3, 14,`, and votes that were moved down with them (0000950123-10-105654). */
function goOnRight(right: readonly Word[], last: Line, columns: Columns): void {
  const more = tailOf(right, last.amount, columns)
  const { tail } = last
  if (more.managers !== null) tail.managers = tail.managers ? `${tail.managers},${more.managers}` : more.managers
  if (tail.sole !== null || tail.shared !== null || tail.none !== null) return
  Object.assign(tail, { sole: more.sole, shared: more.shared, none: more.none })
}

/** Issuer and title: two parts with a gap between them, or what the columns say. */
function namesOf(line: string, words: readonly Word[], cusip: string | null, columns: Columns) {
  const parts = textBefore(line, words)
    .split(/\s{2,}|\t/)
    .filter(Boolean)
  if (cusip !== null && parts.length === 2) return { issuer: [parts[0]!], title: [parts[1]!] }
  if (columns === null || columns.length < 3) return { issuer: parts.length === 0 ? [] : [parts.join(' ')], title: [] }
  // By where a word begins: a name never begins under the title, but may end there.
  const isTitle = ({ start }: Word) => start >= columns[1]! - 1
  const issuer = textOf(words.filter((word) => !isTitle(word)))
  const title = textOf(words.filter(isTitle))
  return { issuer: issuer === '' ? [] : [issuer], title: title === '' ? [] : [title] }
}

const textBefore = (line: string, words: readonly Word[]): string => line.slice(0, words.at(-1)?.end ?? 0).trim()
const textOf = (words: readonly Word[]): string => words.map(({ text }) => text).join(' ')

function nameOf({ issuer, title, cusip }: Security, found: Findings): Pick<Holding, 'issuer' | 'title'> {
  if (issuer.length > NAME_PARTS || title.length > NAME_PARTS)
    note(found, 'text table, name', cusip, `goes on over more than ${NAME_PARTS} lines, of which the rest is not read`)
  return { issuer: joined(issuer.slice(0, NAME_PARTS)), title: joined(title.slice(0, NAME_PARTS)) }
}

/** Parts of a name; one that ends in a hyphen goes on without a blank, and keeps it. */
function joined(parts: readonly string[]): string | null {
  return (
    parts.reduce((whole, part) => (whole === '' || whole.endsWith('-') ? whole + part : `${whole} ${part}`), '') || null
  )
}
