/** Scores lines that may begin an item of a form, by named signals. */
import { sumOf, type Weighted } from '../signals.ts'
import type { Line } from './lines.ts'

const PAGE_NUMBER = /(?:\.{2}|(?<!\s)\s)\s*(?:[A-Z]-)?\d{1,3}$/
const CONTINUED = /\(?\bcont(?:inued|'d)\b/i
const YEAR = /\b(?:19|20)\d\d$/
/** Longest heading: a longer line is a paragraph. */
export const LONG_HEADING = 250
/** Shortest text of an item, in UTF-16 units: entries of a table of contents have less text between them. */
const BODY_MIN = 60

/** The features of a line on which its score depends. */
interface Seen {
  line: Line
  /** Numbers of the items that the line names. */
  numbers: readonly string[]
  /** The text after the number. */
  rest: string
  /** Whether a full stop follows the numbers of the line. */
  isEnded: boolean
  /** Whether the line has the title that the form prescribes. */
  isTitled: boolean
  /** Length of the text up to the next line that may begin an item. */
  body: number
  /**
   * Whether the line is in the part of the form to which the item belongs: the last part heading above the line names
   * this part.
   */
  isOwn: boolean
  isOther: boolean
  /** The number of items that the line is taken to begin. */
  items: number
}

/** Whether a line is set apart from the text, or has "ITEM" in capitals. */
export const isSet = ({ plain, isHeading, isBold }: Line): boolean => isHeading || isBold || /^I ?T ?E ?M/.test(plain)

const isList = ({ numbers }: Seen) => numbers.length > 1

/** Each weight is 0 if the signal is absent. */
const SIGNALS: readonly { name: string; weight: (seen: Seen) => number }[] = [
  { name: 'begins with an item', weight: () => 1 },
  { name: 'heading', weight: ({ line }) => (line.isHeading ? 2 : 0) },
  { name: 'bold or in capitals', weight: ({ line }) => (!line.isHeading && isSet(line) ? 1 : 0) },
  { name: 'title of the item', weight: ({ isTitled }) => (isTitled ? 3 : 0) },
  { name: 'other text', weight: (seen) => (!seen.isTitled && seen.rest !== '' && !isList(seen) ? -1.5 : 0) },
  { name: 'row of a table', weight: ({ line }) => (line.isRow ? -1.5 : 0) },
  { name: 'link', weight: ({ line }) => (line.isLink ? -2 : 0) },
  // Applies to a heading that is repeated on the next page of its item.
  { name: 'continued', weight: ({ rest }) => (CONTINUED.test(rest) ? -3 : 0) },
  {
    name: 'page number',
    // The last number of "Items 10 to 14" is not a page number.
    weight: (seen) => {
      const { plain } = seen.line
      return PAGE_NUMBER.test(isList(seen) ? ` ${seen.rest}` : plain) && !YEAR.test(plain) ? -2 : 0
    },
  },
  { name: 'text after it', weight: ({ body }) => (body < BODY_MIN ? -1 : Math.min(2, Math.log10(body / BODY_MIN))) },
  {
    name: 'paragraph',
    weight: (seen) =>
      seen.line.plain.length > LONG_HEADING && !seen.isTitled && !(isList(seen) && seen.isEnded) ? -3 : 0,
  },
  { name: 'in the part of the item', weight: ({ isOwn }) => (isOwn ? 1.5 : 0) },
  { name: 'in another part', weight: ({ isOther }) => (isOther ? -2 : 0) },
  { name: 'further items', weight: ({ items }) => 1.5 * (items - 1) },
]

/** Returns the signals that add up to the score of a line. Signals that do not apply are left out. */
export const explainScore = (seen: Seen): Weighted[] =>
  SIGNALS.map(({ name, weight }) => ({ name, weight: weight(seen) })).filter(({ weight }) => weight !== 0)

/** Scores a line; a score of 0 or less rules it out. */
export const scoreOf = (seen: Seen): number => sumOf(explainScore(seen))
