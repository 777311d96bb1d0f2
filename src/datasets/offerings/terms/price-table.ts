/**
 * Reads the table of Item 501(b)(3): price to the public, discounts and proceeds, for a share and in total. Some filers
 * put these amounts into rows (CAMP4's 424B4), and some put them into columns (Facebook's S-1). Tables before 2001 are
 * aligned with blanks.
 */
import type { Cover, Line } from './cover.ts'
import { type Fact, figure, LINE_MAX } from './facts.ts'
import { DOLLARS, NOTES, US_DOLLARS } from './money.ts'

const IS_PRICE = /\b(?:public\s+offering\s+price|price\s+to\s+(?:the\s+)?public|offering\s+price)\b/i
const IS_PROCEEDS = /\bproceeds\b/i
/** Matches "selling". The proceeds of selling holders are not proceeds of the company. */
const OF_OTHERS = /\bselling\b/i
const PER = /\bper\s+(?:[\w ]{1,60}\s)?(?:share|unit|ads|american deposit[ao]ry share)s?\b/i
/**
 * Matches the head of a column about one note. The price in such a column is a percentage, or depends on the note's
 * denomination.
 */
const PER_NOTE = /\bper\s+(?:[\w ]{1,60}\s)?(?:note|debenture|bond|debt security)s?\b/i
/**
 * Matches the label "Total". "Total with over-allotment" does not match, since it is the total of a larger offering.
 */
const TOTAL =
  /^total\b(?!.*\b(?:with(?!out\b|\s+no\b)|including|assuming|if)\b|.*\b(?:full|over-?allotment\s+exercise)\b)/i
const SCALE = /\(\s?(?:(?:dollars|amounts|figures)\s+)?in\s+(?:thousands|millions)\b|\(\$?000['’]?s\)/i
const moneyIn = (dollars: string) => new RegExp(`^${dollars}${NOTES}\\s*$`)
const MONEY = moneyIn(DOLLARS)
const US_MONEY = moneyIn(US_DOLLARS)

/** A cell with an amount: the price of one security or of all, or the proceeds from one or from all. */
interface Cell {
  what: 'price' | 'proceeds'
  of: 'one' | 'all'
  value: string
  line: Line
}

/** Returns the facts of the table. Skips blank cells, which a cover has before pricing. */
export function tableFacts({ lines }: Cover, dollars: string): Fact[] {
  const money = dollars === US_DOLLARS ? US_MONEY : MONEY
  const set = dollars === US_DOLLARS ? [] : ofBlanks(lines)
  return [...ofRows(lines, money), ...ofColumns(lines, money), ...set].flatMap(({ what, of, value, line }): Fact[] => {
    const name = what === 'price' ? (of === 'one' ? 'price' : 'gross') : of === 'all' ? 'proceeds' : null
    return name ? [{ name, value, start: line.start, end: line.end }] : []
  })
}

/** Tests whether amounts are in thousands or millions. If they are, the value of a figure is uncertain. */
export const isInScale = ({ text }: Cover): boolean => SCALE.test(text)

const cellsOf = (text: string) =>
  text.startsWith('|')
    ? text
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
    : []

function moneyOf(cell: string | undefined, money: RegExp) {
  const value = money.exec(cell ?? '')?.[1]
  return value && figure(value)
}

/**
 * Returns the subject of a label: price or proceeds. Returns null for other subjects, and for the proceeds of selling
 * holders.
 */
function named(label: string): Cell['what'] | null {
  if (OF_OTHERS.test(label)) return null
  if (IS_PROCEEDS.test(label)) return 'proceeds'
  return IS_PRICE.test(label) ? 'price' : null
}

/** Reads `| Public offering price | $5.10 | $3,103,629.29 |` below `|  | Per Share | Total |`. */
function* ofRows(lines: readonly Line[], money: RegExp): Generator<Cell> {
  let head: string[] = []
  for (const line of lines) {
    const cells = cellsOf(line.text)
    if (cells.length === 0) head = []
    else if (
      cells.some((cell) => PER.test(cell) || PER_NOTE.test(cell)) &&
      cells.some((cell) => TOTAL.test(cell)) &&
      !moneyOf(cells[1], money)
    )
      head = cells
    const what = named(cells[0] ?? '')
    if (!what || head.length !== cells.length) continue
    for (const [at, title] of head.entries()) {
      const value = moneyOf(cells[at], money)
      const of = PER.test(title) ? 'one' : TOTAL.test(title) ? 'all' : null
      if (value && of) yield { what, of, value, line }
    }
  }
}

/**
 * Reads `| Per share | $17.00 | $0.51 | $16.49 |` below `|  | Price to Public | Discounts | Proceeds to the Company |`.
 */
function* ofColumns(lines: readonly Line[], money: RegExp): Generator<Cell> {
  let head: string[] = []
  for (const line of lines) {
    const cells = cellsOf(line.text)
    if (cells.length === 0) head = []
    else if (cells.filter((cell) => named(cell)).length >= 2 && !moneyOf(cells[1], money)) head = cells
    if (head.length !== cells.length) continue
    const of = PER.test(cells[0]!) ? 'one' : TOTAL.test(cells[0]!) ? 'all' : null
    if (!of) continue
    for (const [at, title] of head.entries()) {
      const what = named(title)
      const value = moneyOf(cells[at], money)
      if (what && value) yield { what, of, value, line }
    }
  }
}

const BLANK_ROW =
  /^(per\s[\w ]{1,60}|total)(?:\s*\(\d+\))*[\s.]*(\$\s?[\d,]+(?:\.\d+)?(?:\s*\(\d+\))*(?:\s*\$\s?[\d,]+(?:\.\d+)?(?:\s*\(\d+\))*){2})$/i
const HEAD_LINES = 6

/**
 * Reads a table aligned with blanks: three amounts below a head that names price, discount and proceeds in this order.
 */
function* ofBlanks(lines: readonly Line[]): Generator<Cell> {
  for (const [at, line] of lines.entries()) {
    const row = line.text.length <= LINE_MAX && BLANK_ROW.exec(line.text)
    if (!row) continue
    const head = lines
      .slice(Math.max(0, at - HEAD_LINES), at)
      .map(({ text }) => text)
      .join(' ')
    if (
      !/\bprice\b/i.test(head) ||
      !/\bdiscount/i.test(head) ||
      !/\bproceeds\s+to\b/i.test(head) ||
      OF_OTHERS.test(head)
    )
      continue
    const [price, , proceeds] = [...row[2]!.matchAll(/\$\s?(\d[\d,]*(?:\.\d+)?)/g)].map(([, value]) => figure(value!))
    const of = TOTAL.test(row[1]!) ? 'all' : 'one'
    yield { what: 'price', of, value: price!, line }
    yield { what: 'proceeds', of, value: proceeds!, line }
  }
}
