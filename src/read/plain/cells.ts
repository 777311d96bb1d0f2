/** Splits a line of a text table into cells: two or more blanks, or a row of dots, separate two cells. */
import { isNumeric } from '../html/joined.ts'

/** The text of a cell, and its columns of characters; `end` is exclusive. */
export interface Cell {
  start: number
  end: number
  text: string
}

const PART = /\S+(?: \S+)*/g
/** The dots that lead from a label to its values. */
const LEADER = / ?\.(?: ?\.){2,} ?/g
/** Dots that are set apart by wide blanks. */
const [DOTS, DOTS_ALONE] = [/^[. ]+$/, /^[. ]+$/g]
const CURRENCY = /^\(?(?:US)?\$\(?$/
const CLOSING = /^(?:\)|%|\)%|%\))$/
/** A token that can be nothing but a whole value: an amount with a comma or a point, a percentage, a year. */
const VALUE = /^\(?\$?\(?(?:\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d*\.\d+|\d+(?:\)?%|\))|(?:19|20)\d\d)\)?%?\)?$/

/** @returns the cells from left to right; null if the line begins with dots, or has dots at more than one place */
export function cellsOf(line: string): Cell[] | null {
  const cells: Cell[] = []
  /** Number of cells before the dots. */
  let dots = 0
  // `matchAll` would copy its pattern for each line.
  PART.lastIndex = 0
  for (let part = PART.exec(line); part !== null; part = PART.exec(line)) {
    const { 0: text, index } = part
    let from = 0
    const hasDots = text.startsWith('.') || text.includes('..') || text.includes('. .')
    if (!hasDots) {
      put(cells, text, index)
      continue
    }
    for (const leader of text.matchAll(DOTS.test(text) ? DOTS_ALONE : LEADER)) {
      put(cells, text.slice(from, leader.index), index + from)
      if (cells.length === 0 || (dots > 0 && dots !== cells.length)) return null
      dots = cells.length
      from = leader.index + leader[0].length
    }
    put(cells, text.slice(from), index + from)
  }
  for (const cell of cells) if (cell.text.includes('$ ')) cell.text = cell.text.replace(/^(\(?\$) (?=[\d(.-])/, '$1')
  return joinedCells(cells)
}

/** Adds a part of a line: one cell, or several values with one blank between them. */
function put(cells: Cell[], text: string, start: number): void {
  if (text.trim() === '') return
  const values = valuesIn(text)
  if (values !== null) {
    for (const { 0: value, index } of values)
      cells.push({ start: start + index, end: start + index + value.length, text: value })
    return
  }
  // Often only one blank is between the label and the currency sign of the first value, so this sign is split from the
  // label.
  const sign = text.endsWith('$') ? / \(?\$$/.exec(text) : null
  if (sign === null) cells.push({ start, end: start + text.length, text })
  else {
    cells.push({ start, end: start + sign.index, text: text.slice(0, sign.index) })
    cells.push({ start: start + sign.index + 1, end: start + text.length, text: text.slice(sign.index + 1) })
  }
}

/** Returns the values of a text that consists of two or more whole values; null for any other text. */
function valuesIn(text: string): RegExpExecArray[] | null {
  if (!text.includes(' ') || !/[\d)%-]$/.test(text) || /[^\d\s$.,()%-]/.test(text)) return null
  const values = [...text.matchAll(/(?:\(?\$ )?\S+(?: %)?/g)]
  const isValue = (value: string) => VALUE.test(value.replaceAll(' ', '')) || /^(?:\$ ?)?-+$/.test(value)
  const isWhole = ([value]: RegExpExecArray) => isValue(value) || /^\(?\$$/.test(value)
  return values.length > 1 && values.every(isWhole) ? values : null
}

/** Joins a currency sign with its number, and a number with the sign that closes it. */
function joinedCells(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = []
  for (const cell of cells) {
    const last = joined.at(-1)
    const isOne =
      last !== undefined &&
      ((last.text.length <= 5 && CURRENCY.test(last.text) && isNumeric(cell.text)) ||
        (cell.text.length <= 2 && CLOSING.test(cell.text) && isNumeric(last.text)))
    if (isOne) joined[joined.length - 1] = { start: last.start, end: cell.end, text: last.text + cell.text }
    else joined.push(cell)
  }
  return joined
}
