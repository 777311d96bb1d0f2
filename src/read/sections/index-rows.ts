/** Tells rows of an index, which refers to pages or lists omitted items, from rows that have the text of an item. */
import type { Candidate } from './in-order.ts'
import { numberedHeading } from './numbers.ts'
import type { FormItem } from './titles.ts'

/** Words that answer an item that has nothing to report. */
const WORDS = 'none|not applicable|inapplicable|n\\/a|no response|omitted|not required|no matters? (?:was|were)'
/** Matches the answer of an item that has nothing to report. */
export const ANSWER = new RegExp(`^\\(?(?:${WORDS})\\b|\\belected not to (?:include|provide)\\b`, 'i')
/** Matches a row that answers its item, which counts as the text of the item. */
const ANSWERED = new RegExp(`\\b(?:${WORDS})\\b`, 'i')

/** Matches a rule, and a row with another item or part. */
const OTHER_ROW = /^\|(?:[\s|:-]*$|[\s|]*(?:part\s+[ivx]+\b|item\s+\d|signatures\b))/i
/**
 * Matches a cell that has only pages and marks of notes: "2-11", "Pages 5-6, 42 (a)", "F-1". Figures with a comma
 * between thousands are no pages.
 */
const PAGES =
  /^(?:[Pp](?:age|AGE)s?\b|[Pp]{1,2}\.|(?:[A-Z]{1,2}-)?\d{1,3}(?!,?\d)|[ivx]{1,5}\b|\bX\b(?!-)|\([a-z\d]{1,2}\)|and\b|to\b|[*†‡§.,;\s–—-])*$/
/** Longest label of a row of an index: a longer one is a sentence. */
const LABEL_MAX = 160
/** Number of cells within which the title of a row stands. */
const TITLE_CELLS = 5

/** Returns the cells of a row that are not empty, without links. A column of a preformatted table counts as a cell. */
const cellsOf = (row: string): string[] =>
  row
    .replace(/\]\([^()]*\)|[[\]\\]/g, '')
    .split(row.trimStart().startsWith('|') ? '|' : '   ')
    .map((cell) => cell.trim())
    .filter((cell) => cell !== '')

/** Whether the rows after the row of an item are those of an index. */
export const isIndex = (rows: string): boolean =>
  rows.split('\n').every((row) => row === '' || OTHER_ROW.test(row) || isPages(row))

/** Whether a row has only a label and pages. A row with several numbers has figures. */
function isPages(row: string): boolean {
  const [label, ...others] = row.startsWith('|') ? cellsOf(row) : []
  const isShort = label !== undefined && label.length <= LABEL_MAX && others.length > 0
  return isShort && others.every((cell) => PAGES.test(cell)) && others.filter((cell) => /\d/.test(cell)).length === 1
}

/** Whether the row of an item has a text of its own: an answer after the title, or any text in another cell. */
export function hasOwnText(
  { line: { start, next }, rest }: Pick<Candidate, 'line' | 'rest'>,
  text: string,
  form: readonly FormItem[],
): boolean {
  if (ANSWERED.test(rest)) return true
  const cells = cellsOf(text.slice(start, next))
  const title = cells
    .slice(0, TITLE_CELLS)
    .findIndex((_, i) => (numberedHeading(cells.slice(0, i + 1).join(' '), form)?.rest ?? '') !== '')
  return title >= 0 && cells.slice(title + 1).some((cell) => !PAGES.test(cell))
}
