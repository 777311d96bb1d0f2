/** Joins characters to pieces of text, and pieces to rows. A row is the text on one line, divided at wide gaps. */
import type { Glyph, Rule } from './content.ts'

/** Text without a wide gap in it. */
export interface Piece {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  bold: boolean
  italic: boolean
}

export interface Row {
  /** From left to right. */
  pieces: Piece[]
  /** Base line. */
  y: number
  size: number
  x0: number
  x1: number
}

/**
 * Characters whose base lines differ by less than this are on one line. This limit and the following limits are
 * multiples of the letter size.
 */
const SAME_LINE = 0.3
/** A gap wider than this divides a line into pieces; in justified text, gaps are at most one letter size wide. */
const DIVIDES = 1.4
/** A gap wider than this divides a bold title from the text next to it. */
const OTHER = 0.8
/** Minimum gap that divides words if no blank was drawn. */
const WORD = 0.17
/**
 * Minimum gap that divides words if a blank was drawn. It is negative, since letters overlap in fonts with wrong
 * widths.
 */
const BLANK = -0.5

const BULLETS = new Set('•●○▪■➢✓❖◆⚫')

/**
 * @param rules drawn lines; a vertical line between two characters puts them into different pieces, whatever the gap
 */
export function rowsOf(glyphs: readonly Glyph[], rules: readonly Rule[]): Row[] {
  const upright = rules.filter(({ x0, x1, y0, y1 }) => x1 - x0 < 3 && y1 - y0 > 6)
  const rows = linesOf(glyphs).map((line) => rowOf(line, upright))
  return rows.filter(({ pieces }) => pieces.length > 0)
}

/** Makes a row from pieces in any order. */
export function rowFrom(pieces: Piece[]): Row {
  const sorted = pieces.toSorted((a, b) => a.x0 - b.x0)
  const largest = sorted.reduce((best, piece) => (piece.text.length > best.text.length ? piece : best))
  return {
    pieces: sorted,
    y: largest.y,
    size: largest.size,
    x0: sorted[0]!.x0,
    x1: sorted.reduce((right, { x1 }) => Math.max(right, x1), 0),
  }
}

export const textOf = (row: Row): string => row.pieces.map(({ text }) => text).join(' ')

function linesOf(glyphs: readonly Glyph[]): Glyph[][] {
  const sorted = glyphs.filter(({ text }) => text !== '').toSorted((a, b) => a.y - b.y)
  const lines: { y: number; size: number; glyphs: Glyph[] }[] = []
  for (const glyph of sorted) {
    const line = lines.at(-1)
    if (line && glyph.y - line.y < SAME_LINE * Math.max(Math.min(glyph.size, line.size), 4)) line.glyphs.push(glyph)
    else lines.push({ y: glyph.y, size: glyph.size, glyphs: [glyph] })
  }
  for (let i = 0; i < lines.length; i++) {
    for (const neighbour of [lines[i + 1], lines[i - 1]]) {
      if (neighbour && raised(lines[i]!, neighbour)) {
        const above = lines[i]!.y < neighbour.y && lines[i]!.glyphs.every(({ text }) => /^[\d,]$/.test(text))
        neighbour.glyphs.push(...lines[i]!.glyphs.map((glyph) => moved(glyph, neighbour.y, above)))
        lines[i]!.glyphs = []
        break
      }
    }
  }
  return lines.filter((line) => line.glyphs.length > 0).map((line) => line.glyphs)
}

/**
 * The digits in raised form. The number of a note is written with them, so that it does not become a part of the amount
 * before it.
 */
const RAISED = '⁰¹²³⁴⁵⁶⁷⁸⁹'

const moved = (glyph: Glyph, y: number, above: boolean): Glyph => ({
  ...glyph,
  y,
  text: above && /^\d$/.test(glyph.text) ? RAISED[Number(glyph.text)]! : glyph.text,
})

type Line = { y: number; size: number; glyphs: Glyph[] }

/** Whether the small line consists of note marks, or of the `th` of a day, that belong to the line next to it. */
function raised(small: Line, large: Line): boolean {
  if (small.glyphs.length === 0 || large.glyphs.length === 0 || small.glyphs.length > 12) return false
  const near = Math.abs(small.y - large.y) < 0.55 * large.size
  if (!near || small.size > 0.8 * large.size) return false
  return small.glyphs.every((mark) =>
    large.glyphs.some(({ x0, x1 }) => mark.x0 < x1 + large.size && mark.x1 > x0 - large.size),
  )
}

function rowOf(line: Glyph[], upright: readonly Rule[]): Row {
  const { sorted, led } = withoutLeaders(line.toSorted((a, b) => a.x0 - b.x0))
  const y = line[0]!.y
  if (sorted.length === 0) return { pieces: [], y, size: 0, x0: 0, x1: 0 }
  const walls = upright.filter((rule) => rule.y0 < y && rule.y1 > y - 0.5 * sorted[0]!.size)
  const pieces: Piece[] = []
  let from = 0
  for (let i = 1; i <= sorted.length; i++) {
    const [before, glyph] = [sorted[i - 1]!, sorted[i]]
    const gap = glyph ? glyph.x0 - before.x1 : 0
    const bullet = glyph && BULLETS.has(glyph.text)
    const other = glyph && glyph.font.bold !== before.font.bold
    const wide = glyph && gap > (bullet ? 0.5 : other ? OTHER : DIVIDES) * Math.max(glyph.size, before.size)
    const wall =
      glyph && gap > 0 && walls.some(({ x0, x1 }) => (x0 + x1) / 2 > before.x1 - 1 && (x0 + x1) / 2 < glyph.x0 + 1)
    if (glyph && !wide && !wall && !led.has(glyph)) continue
    const piece = pieceOf(sorted.slice(from, i))
    if (piece.text !== '') pieces.push(piece)
    from = i
  }
  return pieces.length === 0 ? { pieces, y, size: 0, x0: 0, x1: 0 } : rowFrom(pieces)
}

/**
 * Leaves out dot leaders, which lead from a title to its page, or from an account to its amount.
 *
 * @returns the remaining characters, and the subset of them that come after leaders
 */
function withoutLeaders(sorted: Glyph[]): { sorted: Glyph[]; led: Set<Glyph> } {
  const led = new Set<Glyph>()
  const isDot = (at: number) => sorted[at]!.text === '.' || sorted[at]!.text === '…'
  let kept: Glyph[] | null = null
  let from = 0
  for (let i = 0; i < sorted.length; i++) {
    if (!isDot(i)) continue
    let end = i
    while (end < sorted.length && isDot(end)) end++
    const after = sorted.length - end
    const toNumber = after > 0 && after < 4 && sorted.slice(end).every(({ text }) => /\d/.test(text))
    if (end - i >= (toNumber ? 3 : 5)) {
      kept = [...(kept ?? []), ...sorted.slice(from, i)]
      from = end
      if (end < sorted.length) led.add(sorted[end]!)
    }
    i = end
  }
  return { sorted: kept === null ? sorted : [...kept, ...sorted.slice(from)], led }
}

function pieceOf(glyphs: readonly Glyph[]): Piece {
  let text = ''
  let [bold, italic] = [0, 0]
  const sizes = new Map<number, number>()
  const bases = new Map<number, number>()
  let right = glyphs[0]!.x1
  glyphs.forEach((glyph, i) => {
    const gap = glyph.x0 - right
    if (i > 0 && gap > (glyph.blank ? BLANK : WORD) * glyph.size) text += ' '
    text += glyph.text
    if (glyph.font.bold) bold++
    if (glyph.font.italic) italic++
    const size = Math.round(glyph.size * 4) / 4
    sizes.set(size, (sizes.get(size) ?? 0) + 1)
    bases.set(glyph.y, (bases.get(glyph.y) ?? 0) + 1)
    right = Math.max(right, glyph.x1)
  })
  return {
    text: text.trim(),
    x0: glyphs[0]!.x0,
    x1: right,
    y: mostCommon(bases),
    size: mostCommon(sizes),
    bold: bold > 0.7 * glyphs.length,
    italic: italic > 0.7 * glyphs.length,
  }
}

/** Returns the first of the values with the highest count. */
export function mostCommon(counts: ReadonlyMap<number, number>): number {
  let best = 0
  let most = -1
  for (const [value, count] of counts) {
    if (count > most) {
      most = count
      best = value
    }
  }
  return best
}
