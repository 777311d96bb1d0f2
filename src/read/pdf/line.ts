/**
 * Turns a row into a line of text: separates a list mark at its beginning, and joins currency signs to their numbers.
 */
import type { Rule } from './content.ts'
import type { Piece, Row } from './rows.ts'

export interface Line {
  pieces: Piece[]
  /** The text of the line without its mark. */
  text: string
  /** `-` for a bullet; `1.` or `(a)` as written; null if the line is not a list item. */
  mark: string | null
  x0: number
  x1: number
  /** Left edge of the text after the mark. */
  hang: number
  y: number
  size: number
  bold: boolean
  italic: boolean
  /** Whether a horizontal line is drawn below this line of text. */
  underlined: boolean
}

const BULLET = /^[•⚫●○◦❍▪■◼⬛□❑❒➢➔→⇨✓✗❖◆⬧⬥·‣⁃∙]$/
const DASH = /^[-–—*]$/
const ENUMERATOR = /^(?:\(?(?:\d{1,2}|[a-zA-Z]|[ivxIVX]{1,5})[.)]|\d{1,2}(?:\.\d{1,2}){1,3}\.?)$/

export function lineOf(row: Row, rules: readonly Rule[] = []): Line {
  const pieces = joined(row.pieces)
  const first = pieces[0]!
  const [, head = '', rest = ''] = /^(\S+)\s+(.*)$/s.exec(first.text) ?? []
  let mark: string | null = null
  let hang = row.x0
  if (pieces.length > 1 && markOf(first.text) !== null) {
    mark = markOf(first.text)
    pieces.shift()
    hang = pieces[0]!.x0
  } else if (rest !== '' && markOf(head) !== null) {
    mark = markOf(head)
    // The start of the text after the mark is not stored, so it is estimated from the number of characters.
    hang = first.x0 + ((head.length + 1) / first.text.length) * (first.x1 - first.x0)
    pieces[0] = { ...first, text: rest, x0: hang }
  } else if (/^[•⚫●○▪■➢✓❖◆]\S/.test(first.text)) {
    mark = '-'
    hang = first.x0 + first.size
    pieces[0] = { ...first, text: first.text.slice(1) }
  }
  const letters = pieces.reduce((sum, { text }) => sum + text.length, 0)
  const share = (is: (piece: Piece) => boolean) =>
    pieces.reduce((sum, piece) => sum + (is(piece) ? piece.text.length : 0), 0) / letters
  return {
    pieces,
    text: pieces.map(({ text }) => text).join(/^\d{1,3}$/.test(pieces.at(-1)!.text) ? ' … ' : ' '),
    mark,
    x0: row.x0,
    x1: row.x1,
    hang,
    y: row.y,
    size: row.size,
    bold: share(({ bold }) => bold) > 0.7,
    italic: share(({ italic }) => italic) > 0.7,
    underlined: rules.some((rule) => isBelow(rule, row)),
  }
}

const isBelow = ({ x0, x1, y0, y1 }: Rule, row: Row) =>
  y1 - y0 < 3 &&
  y0 > row.y - 1 &&
  y1 < row.y + 0.35 * row.size &&
  x1 - x0 > 0.75 * (row.x1 - row.x0) &&
  x1 - x0 < 1.15 * (row.x1 - row.x0)

/**
 * Returns the mark of a list item: `-` for a bullet or a dash, and an enumerator as it is. Returns null for other text.
 */
function markOf(text: string): string | null {
  // Microsoft Word's bullets of the second level are the letter o of a typewriter font.
  if (BULLET.test(text) || text === 'o' || DASH.test(text)) return '-'
  return ENUMERATOR.test(text) ? text : null
}

function joined(pieces: readonly Piece[]): Piece[] {
  const result: Piece[] = []
  for (const piece of pieces) {
    const before = result.at(-1)
    const money = before && /^\(?[$€£]\s*\(?$/.test(before.text) && /^[(\d.,–—-]/.test(piece.text)
    // The currency sign of the next column may be close to the figure of this column, and is then moved to the figure
    // of the next column.
    const [, figure] = (before && /^\d/.test(piece.text) && /^(.*\d\)?)\s+\$$/.exec(before.text)) || []
    if (before && figure !== undefined) {
      result[result.length - 1] = { ...before, text: figure }
      result.push({ ...piece, text: `$${piece.text}` })
      continue
    }
    const closing = before && /^[)%]+$/.test(piece.text) && /[\d)]$/.test(before.text)
    if (money || closing) {
      result[result.length - 1] = { ...piece, text: before.text + piece.text, x0: before.x0, x1: piece.x1 }
    } else result.push(piece)
  }
  return result
}
