/**
 * The information table in text, before 2013. There is no format: columns of any width, names over several lines, one
 * name and CUSIP for many lines of numbers. What is read is what cannot be something else; how many lines looked like
 * holdings and how many were read is counted, and stands beside what the summary declares.
 */
import { type Columns, digitsOf, isNumber, numbersOf, tailOf, type Word, wordsOf } from './parse-textline.ts'
import { cusipFlag, managers, note } from './parse-values.ts'
import type { Findings, Holding } from './types.ts'

/** Issuer, title and CUSIP, which several lines may share and which may go on below. */
interface Security {
  issuer: string[]
  title: string[]
  cusip: string
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
  for (const table of tablesOf(text.replaceAll('\r', ''))) readTable(table, lines, found)
  found.read += lines.length
  return lines.map(({ security, value, amount, tail }) => ({
    ...tail,
    issuer: joined(security.issuer),
    title: joined(security.title),
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
  const tables = text.split(/<table>/i).slice(1).map((part) => part.split(/<\/table>/i)[0]!)
  return tables.length > 0 ? tables : [text]
}

function readTable(table: string, lines: Line[], found: Findings): void {
  const before = lines.length
  let columns: Columns = null
  let pending: string[] = []
  for (const [at, line] of table.split('\n').entries()) {
    if (/^\s*<S>/i.test(line)) columns = [...line.matchAll(/<[SC]>/gi)].map(({ index }) => index)
    if (/^\s*(<|$)|^[\s\-=_]*$/.test(line)) continue
    const words = wordsOf(line)
    const last = lines.length > before ? lines.at(-1)! : null
    const full = numbersOf(words)
    if (full !== null) {
      const { issuer, title } = namesOf(line, full.before, full.cusip!, columns)
      const security = { issuer: [...pending, ...issuer], title, cusip: full.cusip! }
      // A name at the margin begins anew: what waited was a heading.
      if (pending.length > 0 && /^\S/.test(line)) security.issuer = issuer
      lines.push({ security, ...full, tail: tailOf(full.after, full.amount, columns) })
      pending = []
      found.looked++
      continue
    }
    if (last === null) {
      pending = waiting(pending, line, words)
      continue
    }
    const repeated = repeatedOf(words, last)
    if (repeated !== null) {
      lines.push({ security: last.security, ...repeated, tail: tailOf(repeated.after, repeated.amount, columns) })
      found.looked++
      continue
    }
    pending = goOn(line, words, last, pending, columns)
    if (looksLikeHolding(words)) {
      found.looked++
      note(found, `text table, line ${at + 1}`, line.trim(), 'looks like a holding and was not read')
    }
  }
}

/** A line of numbers below another: its value and amount end where those do. A total has no amount. */
function repeatedOf(words: readonly Word[], last: Line) {
  const [value, amount, ...after] = words
  if (!value || !amount || !isNumber(value.text) || !isNumber(amount.text)) return null
  const isUnder = (word: Word, above: Word) => Math.abs(word.end - above.end) <= 2
  return isUnder(value, last.value) && isUnder(amount, last.amount) ? { value, amount, after } : null
}

/** Two numbers of three digits and more; a wrapped list of managers has none. */
const looksLikeHolding = (words: readonly Word[]): boolean =>
  words.filter(({ text }) => isNumber(text) && digitsOf(text).length >= 3).length >= 2 &&
  !words.some(({ text }) => /total/i.test(text))

/** Words before any number: the beginning of a name, if they stand at the margin or go on one that does. */
function waiting(pending: string[], line: string, words: readonly Word[]): string[] {
  if (words.some(({ text }) => isNumber(text))) return []
  return /^\S/.test(line) ? [line.trim()] : pending.length > 0 ? [...pending, line.trim()] : []
}

/**
 * A line that is no holding of its own: more of the last one's name, title, managers and votes, or the beginning of the
 * next one's name, which stands at the margin.
 */
function goOn(line: string, words: readonly Word[], last: Line, pending: string[], columns: Columns): string[] {
  const left = words.filter(({ end }) => end <= last.value.start - 3 && !isTotal(line))
  const right = words.filter(({ start }) => start > last.amount.end)
  if (right.length > 0 && left.length + right.length === words.length) goOnRight(right, last, columns)
  if (left.length === 0 || left.length + right.length < words.length) return pending
  if (/^\S/.test(line)) return [textOf(left)]
  if (pending.length > 0) return [...pending, textOf(left)]
  const { issuer, title } = namesOf(line, left, null, columns)
  last.security.issuer.push(...issuer)
  last.security.title.push(...title)
  return pending
}

const isTotal = (line: string): boolean => /\btotal\b/i.test(line)

/** `16, 17, 18` below `4, 3, 14,`, and votes that were moved down with them (0000950123-10-105654). */
function goOnRight(right: readonly Word[], last: Line, columns: Columns): void {
  const more = tailOf(right, last.amount, columns)
  const { tail } = last
  if (more.managers !== null) tail.managers = [tail.managers, more.managers].filter(Boolean).join(',')
  if (tail.sole !== null || tail.shared !== null || tail.none !== null) return
  Object.assign(tail, { sole: more.sole, shared: more.shared, none: more.none })
}

/** Issuer and title: two parts with a gap between them, or what the columns say. */
function namesOf(line: string, words: readonly Word[], cusip: string | null, columns: Columns) {
  const parts = textBefore(line, words).split(/\s{2,}/).filter(Boolean)
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

/** Parts of a name; one that ends in a hyphen goes on without a blank, and keeps it. */
function joined(parts: readonly string[]): string | null {
  return parts.reduce((whole, part) => (whole === '' || whole.endsWith('-') ? whole + part : `${whole} ${part}`), '') || null
}
