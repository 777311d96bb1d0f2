/**
 * Finds headings of items that lack the word "Item" ("7. Management's Discussion …"), or that consist of the title
 * alone.
 */
import { NUMBER_WORDS, ORDINALS, ROMANS } from '../prose/numerals.ts'
import { type Candidate, inOrder } from './in-order.ts'
import { endsOf, type Line } from './lines.ts'
import { numberedHeading } from './numbers.ts'
import { type FormItem, squeeze } from './titles.ts'

/** Longest heading: a longer line is a sentence. */
const HEADING_MAX = 170
/** Shortest text of an item: a heading with less text before the next heading is an entry of a list. */
const BODY_MIN = 30
/** A text that has only titles without numbers, and fewer titles than this, is not a report. */
const TITLES_MIN = 3
/**
 * Amounts that two kinds of headings subtract from the confidence. `number`: a number without the word "Item" may mean
 * something else. `title`: a title without a number may be the title of a part of another item.
 */
const WEAKNESS = { number: 0.1, title: 0.25 }
const SPELT = NUMBER_WORDS.slice(0, 16)
/** Matches slips of the word "Item", and other words that filers use instead: "Iterm", "Itern", "Section". */
const PREFIX = new RegExp(
  `^(?:[^\\p{L}\\d]{0,6}part\\s(?:i{1,3}|iv)\\b|[^\\p{L}\\d]{0,6}i{1,3}\\s?[.-](?=\\s?\\d))?[^\\p{L}\\d]{0,6}(?:[il1]\\s?t?\\s?\\p{L}{0,2}\\s?m\\p{L}{0,2}(?=[\\s._:\\d#-])|\\p{L}{1,8}(?=[\\s._:\\d#-]{1,3}(?:\\d|[ivxl]{1,5}\\b)))?[^\\p{L}\\d]{0,6}(?:nos?\\b[.\\s]{0,2})?(?:(\\d{1,2}|[ivxl]{1,5}|${SPELT.join('|')}|${ORDINALS.join('|')})\\s?[-.]?\\s?\\(?([a-k])?\\)?(?=[\\s.:)\\]"”–—-]|$))?(?:\\s?\\(continued\\))?[\\s.:)\\]"”–—-]{0,6}`,
  'iu',
)
const PAGE_NUMBER = /(?:\.{2}|\s)\s?(?:[A-Z]-)?\d{1,3}$/

/**
 * Adds headings of missing items between those that were found. Without this search, the text of an item whose heading
 * has an unknown form would count as text of the item before.
 *
 * @param length of the text
 * @returns the headings, and all lines that may be headings of items
 */
export function unnumberedIn(
  lines: readonly Line[],
  chosen: readonly Candidate[],
  form: readonly FormItem[],
  length: number,
): { chosen: Candidate[]; marks: readonly Mark[] } {
  if (!form.some(({ name }) => name)) return { chosen: [...chosen], marks: [] }
  // The rows of a quarterly report's index name items whose text may be anywhere.
  const isIn = (number: string) =>
    chosen.some(({ line, ranks }) =>
      ranks.some((rank) => form[rank]!.number === number && !(line.isRow && form[rank]!.part)),
    )
  const marks = lines.flatMap((line) => headingAt(line, form, isIn))
  // The headings of all items count: an entry of the contents ends at the entry of an item that is found elsewhere.
  const ends = endsOf(marks, ({ ranks }) => ranks[0], length)
  const found: Candidate[] = []
  for (let i = -1; i < chosen.length; i++) {
    const one = chosen[i]
    if (one) found.push(one)
    const [from, to] = [one?.line.start ?? -1, chosen[i + 1]?.line.start ?? length]
    const [low, high] = [one?.ranks.at(-1) ?? -1, chosen[i + 1]?.ranks[0] ?? form.length]
    if (high - low < 2) continue
    const gap = marks.flatMap(({ line, ranks, name, isNumbered, isBare }, n): Candidate[] => {
      const isWithin = line.start > from && line.start < to && ranks[0]! > low && ranks.at(-1)! < high
      if (!isWithin) return []
      const body = Math.min(ends[n]!, to) - line.next
      if (body < BODY_MIN) return []
      const weakness = isNumbered ? (isBare ? WEAKNESS.number : 0) : WEAKNESS.title
      const score = ranks.length + (isNumbered ? 2 : 0) + Math.min(2, Math.log10(1 + body / 60))
      return [{ line, ranks, title: line.plain, rest: name, score, weakness }]
    })
    const between = inOrder(gap, form.length)
    // If no item was chosen by its own heading, at least one of these headings must have a number, or there must be
    // several titles in the order of the form.
    const isSure =
      chosen.length > 0 || between.length >= TITLES_MIN || between.some(({ weakness }) => weakness < WEAKNESS.title)
    if (isSure) found.push(...between)
  }
  return { chosen: found, marks }
}

export interface Mark {
  line: Line
  ranks: number[]
  name: string
  isNumbered: boolean
  /** Whether the word "Item" is missing. */
  isBare: boolean
}

/** Whether a line is set as a heading, or is all in capitals. */
const isSet = ({ plain, isHeading, isBold }: Line): boolean =>
  isHeading || isBold || (/\p{Lu}{4}/u.test(plain) && !/\p{Ll}/u.test(plain))

function headingAt(line: Line, form: readonly FormItem[], isIn: (number: string) => boolean): Mark[] {
  const { plain } = line
  if (line.isRow || line.isLink || plain.length > HEADING_MAX || PAGE_NUMBER.test(plain)) return []
  const [prefix = '', digits = '', letter = ''] = PREFIX.exec(plain) ?? []
  const name = plain.slice(prefix.length).replaceAll('’', "'")
  if (/[;,]$|\(?\bcontinued\b/i.test(name)) return []
  const number = digits === '' ? null : `${wholeOf(digits)}${letter.toUpperCase()}`
  const isBare = !/^\W*(?:part\s\S*\w\W+)?[il1]\s?\p{L}{1,3}\b/iu.test(prefix)
  const list = isBare && /^\W{0,3}(?:\d|[ivx]{1,5}\b)/i.test(plain) ? numberedHeading(`Items ${plain}`, form) : null
  if (list && list.numbers.length > 1) {
    // "7 and 7A. Management's Discussion …"
    const title = list.rest.replaceAll('’', "'")
    const ranks = list.numbers.map((each) => form.findIndex((item) => item.number === each)).sort((a, b) => a - b)
    const titles = ranks.map((rank) => (isSet(line) ? form[rank]!.name : form[rank]!.alone))
    if (titles.some((each) => each?.test(title))) return [{ line, ranks, name: title, isNumbered: true, isBare }]
  }
  const squeezed = isSet(line) || number !== null ? squeeze(name) : ''
  return form.flatMap((item, rank): Mark[] => {
    if (item.isNoted && number !== null && isBare) return []
    const isNumbered = number === item.number
    const isAlone = !isNumbered && (item.with === undefined || isIn(item.with))
    const isSqueezed = (isNumbered || isSet(line)) && (item.squeezed?.test(squeezed) ?? false)
    const isWhole = isSqueezed || (item.alone?.test(name) ?? false)
    // A line that is not set as a heading counts only if it is the title and nothing else.
    if (!(isNumbered && (isWhole || (isSet(line) && item.name?.test(name)))) && !(isAlone && isWhole)) return []
    return [{ line, ranks: [rank], name, isNumbered, isBare }]
  })
}

function wholeOf(digits: string): number {
  if (/^\d/.test(digits)) return Number(digits)
  const word = digits.toLowerCase()
  // Filers also write "Vll" for "VII".
  const roman = ROMANS.indexOf(word.replaceAll('l', 'i'))
  return Math.max(roman, SPELT.indexOf(word), ORDINALS.indexOf(word)) + 1
}
