/** Finds the Markdown signs to insert where emphasis and links of a paragraph begin and end. */
import type { Link, Paragraph } from './block.ts'

export interface Mark {
  at: number
  put: string
  /** Whether a link begins or ends here. */
  link?: boolean
}

/** Weight and slant of a piece of text: bit 1 means bold, bit 2 means italic. */
interface Piece {
  start: number
  end: number
  weight: number
}

const SIGNS = ['', '**', '*', '***']
const BLANK = /\s/
const LETTER = /[\p{L}\p{N}]/u

/** @param emphasis whether bold and italic pieces are marked; links are always marked */
export function marksOf(paragraph: Paragraph, emphasis: boolean): Mark[] {
  const { links, spans } = paragraph
  if (
    links.length === 0 &&
    (!emphasis || (spans.length === 1 && !spans[0]!.computed.bold && !spans[0]!.computed.italic))
  )
    return []
  const marks: Mark[] = []
  if (emphasis) {
    for (const { start, end, weight } of piecesOf(paragraph)) {
      if (links.some((link) => overlap(link, start, end))) continue
      marks.push({ at: start, put: SIGNS[weight]! }, { at: end, put: SIGNS[weight]! })
    }
  }
  for (const { start, end, address } of links) {
    marks.push({ at: start, put: '[', link: true }, { at: end, put: `](${address})`, link: false })
  }
  // At the same position, an end comes before a beginning, and a link is inside emphasis.
  if (links.length > 0) marks.sort((a, b) => a.at - b.at)
  return marks
}

/**
 * Whether a piece shares text with a link, but does not extend beyond the link on both sides. The asterisks of the
 * piece and the brackets of the link would then be ambiguous.
 */
function overlap(link: Link, start: number, end: number): boolean {
  return link.start < end && link.end > start && !(start < link.start && link.end < end)
}

/**
 * Returns the emphasised pieces that Markdown can mark. Blanks at the ends of a piece are left outside of the
 * asterisks, and no letter outside may touch an asterisk.
 */
function piecesOf({ plain, spans }: Paragraph): Piece[] {
  const pieces: Piece[] = []
  for (const [index, { start, computed }] of spans.entries()) {
    const weight = (computed.bold ? 1 : 0) + (computed.italic ? 2 : 0)
    if (weight === 0) continue
    const piece = trimmed(plain, start, spans[index + 1]?.start ?? plain.length, weight)
    if (piece === null) continue
    const last = pieces.at(-1)
    // Two emphasised pieces that touch become one piece, with the emphasis that both have.
    if (last && plain.slice(last.end, piece.start).trim() === '') {
      const common = last.weight & piece.weight
      if (common !== 0) {
        last.end = piece.end
        last.weight = common
      }
      continue
    }
    pieces.push(piece)
  }
  return pieces.filter(({ start, end }) => opens(plain, start) && closes(plain, end))
}

function trimmed(plain: string, from: number, to: number, weight: number): Piece | null {
  let start = from
  let end = to
  while (start < end && BLANK.test(plain[start]!)) start++
  while (end > start && BLANK.test(plain[end - 1]!)) end--
  return start < end ? { start, end, weight } : null
}

/** Signs in the middle of a word or number would be visible to readers, so no sign is inserted there. */
const opens = (plain: string, at: number) => at === 0 || /[\s("'“‘\-–—/[]/.test(plain[at - 1]!)
const closes = (plain: string, at: number) => at >= plain.length || !LETTER.test(plain[at]!)
