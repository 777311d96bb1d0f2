/** Headings of items that no line with "Item" and a number has: "7. Management's Discussion …", a title alone. */
import { type Candidate, inOrder } from './in-order.ts'
import type { Line } from './lines.ts'
import type { FormItem } from './titles.ts'

/** A longer line is a sentence. */
const HEADING_MAX = 170
/** A heading with less text before the next one stands in a list. */
const BODY_MIN = 30
/** Their number says less without its word, and a title alone may be that of a part of another item. */
const WEAKNESS = { number: 0.1, title: 0.25 }
const SPELT = 'one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen'
/** Slips of the word too: "Iterm", "Itme". */
const PREFIX = new RegExp(`^(?:[^\\p{L}\\d]{0,6}part\\s(?:i{1,3}|iv)\\b)?[^\\p{L}\\d]{0,6}(?:[il1]\\s?t?\\s?\\p{L}{0,2}\\s?m\\p{L}{0,2}(?=[\\s.:\\d#-]))?[^\\p{L}\\d]{0,6}(?:no\\b[.\\s]{0,2})?(?:(\\d{1,2}|[ivx]{1,5}|${SPELT})\\s?[-.]?\\s?\\(?([a-c])?\\)?(?=[\\s.:)–—-]|$))?[\\s.:)–—-]{0,6}`, 'iu') // biome-ignore format: one line
const ROMANS = 'I II III IV V VI VII VIII IX X XI XII XIII XIV XV XVI'.split(' ')
const PAGE_NUMBER = /(?:\.{2}|\s)\s?(?:[A-Z]-)?\d{1,3}$/

/**
 * Adds headings for items that were not found, between those that were. Text of an item whose heading is written in no known way would
 * else be that of the item before.
 *
 * @param length of the text
 */
export function unnumberedIn(
  lines: readonly Line[],
  chosen: readonly Candidate[],
  form: readonly FormItem[],
  length: number,
): Candidate[] {
  if (!form.some(({ name }) => name)) return [...chosen]
  const isIn = (number: string) => chosen.some(({ ranks }) => ranks.some((rank) => form[rank]!.number === number))
  const marks = lines.flatMap((line) => headingAt(line, form, isIn))
  const found: Candidate[] = []
  for (let i = chosen.length === 0 ? -1 : 0; i < chosen.length || i < 0; i++) {
    const one = chosen[i]
    if (one) found.push(one)
    const [from, to] = [one?.line.start ?? -1, chosen[i + 1]?.line.start ?? length]
    const [low, high] = [one?.ranks.at(-1) ?? -1, chosen[i + 1]?.ranks[0] ?? form.length]
    if (high - low < 2) continue
    const within = marks.filter(({ line, rank }) => line.start > from && line.start < to && rank > low && rank < high)
    const gap = within.flatMap(({ line, rank, name, isNumbered, isBare }, n): Candidate[] => {
      const body = (within[n + 1]?.line.start ?? to) - line.next
      // Where no item was found at all, numbers alone tell them.
      if (body < BODY_MIN || (chosen.length === 0 && !isNumbered)) return []
      const weakness = isNumbered ? (isBare ? WEAKNESS.number : 0) : WEAKNESS.title
      const score = 1 + (isNumbered ? 2 : 0) + Math.min(2, Math.log10(1 + body / 60))
      return [{ line, ranks: [rank], title: line.plain, rest: name, score, weakness }]
    })
    found.push(...inOrder(gap, form.length))
  }
  return found
}

interface Mark {
  line: Line
  rank: number
  name: string
  isNumbered: boolean
  /** Without the word "Item". */
  isBare: boolean
}

/** Whether a line is set as a heading, in capitals too. */
const isSet = ({ plain, isHeading, isBold }: Line): boolean =>
  isHeading || isBold || (/\p{Lu}{4}/u.test(plain) && !/\p{Ll}/u.test(plain))

function headingAt(line: Line, form: readonly FormItem[], isIn: (number: string) => boolean): Mark[] {
  const { plain } = line
  if (line.isRow || line.isLink || plain.length > HEADING_MAX || PAGE_NUMBER.test(plain)) return []
  const [prefix = '', digits = '', letter = ''] = PREFIX.exec(plain) ?? []
  const name = plain.slice(prefix.length).replaceAll('’', "'")
  if (/[;,]$|\(?\bcontinued\b/i.test(name)) return []
  const number = digits === '' ? null : `${wholeOf(digits)}${letter.toUpperCase()}`
  return form.flatMap((item, rank): Mark[] => {
    const isNumbered = number === item.number
    const isAlone = !isNumbered && (item.with === undefined || isIn(item.with))
    const isWhole = item.alone?.test(name) ?? false
    // What is not set as a heading is one where the line has the title and nothing else.
    if (!(isNumbered && (isWhole || (isSet(line) && item.name?.test(name)))) && !(isAlone && isWhole)) return []
    return [{ line, rank, name, isNumbered, isBare: !/^\W*(?:part\s\S+\W+)?[il1]\s?\p{L}{1,3}\b/iu.test(prefix) }]
  })
}

function wholeOf(digits: string): number {
  if (/^\d/.test(digits)) return Number(digits)
  const roman = ROMANS.indexOf(digits.toUpperCase())
  return (roman >= 0 ? roman : SPELT.split('|').indexOf(digits.toLowerCase())) + 1
}
