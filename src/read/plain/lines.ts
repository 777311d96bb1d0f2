/** Reads the lines of a text table: blank lines, rules, and lines with cells. */
import { preserved } from '../html/characters.ts'
import { type Cell, cellsOf } from './cells.ts'

/** A line between the tags of a table. */
export interface TableLine {
  /** The line without tags, with blanks in their places. */
  text: string
  /** Positions of `<S>` and `<C>`, if the line has nothing else. */
  tags: readonly number[] | null
  /** Whether the line has `<CAPTION>`, below which the head begins. */
  isCaption: boolean
  /** Whether the line has EDGAR's tag for a note, so that the notes begin here. */
  isNotes: boolean
  /** Whether each character is at the position at which the filer saw it. This is not so after a tab or a reference. */
  isExact: boolean
}

export interface ReadLine {
  /**
   * `dashes` may be a rule or values that are nil. `unread` is a line that cannot be divided into cells, or in which a
   * character may not be at its position.
   */
  kind: 'blank' | 'rule' | 'dashes' | 'cells' | 'unread'
  /** From left to right; empty unless `kind` is `cells`. */
  cells: readonly Cell[]
  text: string
  /** Whether the line consists of the mark and the text of a note. */
  isNote: boolean
}

/** Maximum length of a line: text tables have 80 to 132 characters, and few have 250. */
export const WIDTH_MAX = 400
const RULE_SIGNS = /^[\s\-=_]+$/
const NOTE = /^(?:\(?\w{1,3}[.)]|[*†‡]+|Notes?:?)$/i
const UNUSUAL = /[^ -~]/
/** A text after a mark is a note if it is longer than this. */
const NOTE_MIN = 24

const NONE: readonly Cell[] = []

export function readLine({ text: given, isExact }: TableLine): ReadLine {
  const text = UNUSUAL.test(given) ? preserved(given) : given
  let kind: ReadLine['kind'] = 'cells'
  let cells: readonly Cell[] | null = NONE
  if (text.trim() === '') kind = 'blank'
  else if (!isExact || text.length > WIDTH_MAX || text.length !== given.length) kind = 'unread'
  else if (RULE_SIGNS.test(text)) kind = /-{4}|={2}|_{2}/.test(text) ? 'rule' : 'dashes'
  else cells = cellsOf(text)
  if (cells === null) return { kind: 'unread', cells: NONE, text, isNote: false }
  const isNote = cells.length === 2 && cells[1]!.text.length > NOTE_MIN && NOTE.test(cells[0]!.text)
  return { kind, cells, text, isNote }
}
