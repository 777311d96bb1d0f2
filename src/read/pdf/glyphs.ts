/** Reads the characters of a page: their positions, sizes and fonts. */
import type { Font, Glyph } from './content.ts'
import type { Library } from './library.ts'
import { isBlank, symbolOf } from './symbols.ts'

/**
 * A page as it is shown. PDFium's coordinates start at the lower left of the page before it is rotated. `shown`
 * converts them to coordinates that start at the upper left of the page as shown.
 */
export interface Frame {
  left: number
  top: number
  right: number
  bottom: number
  width: number
  height: number
  shown: (x: number, y: number) => [x: number, y: number]
  /** How far the page is rotated: quarters of a circle, clockwise. */
  quarters: number
}

export function frameOf(pdf: Library, page: number): Frame {
  pdf.FPDF_GetPageBoundingBox(page, pdf.room)
  const [left = 0, top = 0, right = 0, bottom = 0] = pdf.floats(pdf.room, 4)
  const quarters = pdf.FPDFPage_GetRotation(page) & 3
  const [width, height] = [right - left, top - bottom]
  const shown = (x: number, y: number): [number, number] => {
    if (quarters === 0) return [x - left, top - y]
    if (quarters === 1) return [y - bottom, x - left]
    if (quarters === 2) return [right - x, y - bottom]
    return [top - y, right - x]
  }
  const across = quarters % 2 === 1
  return { left, top, right, bottom, width: across ? height : width, height: across ? width : height, shown, quarters }
}

/** The properties that all characters of a piece of text share if they were drawn by one command. */
interface Style {
  size: number
  font: Font
  /** By how many quarters of a circle the text is rotated on the page as shown; null if it is slanted. */
  turned: number | null
  /** The base line of the text after the page is rotated so that the text stands upright. */
  base: number
}

export interface Glyphs {
  /**
   * The characters, grouped by their rotation: list n has those that are rotated by n quarters of a circle. The
   * positions in lists 1 to 3 are positions on a page that is rotated so that the characters stand upright.
   */
  directions: [Glyph[], Glyph[], Glyph[], Glyph[]]
  /** Number of slanted characters, such as those of a watermark. They are left out. */
  slanted: number
  /** Number of characters for which the font has no letter. */
  unknown: number
  /** Number of all examined characters, including those outside the page. */
  seen: number
}

/**
 * Reads each character with three calls, and makes no object except the glyph, since this code takes most of the time
 * after PDFium itself.
 *
 * @param most maximum number of characters that are examined; if the page has more, `seen` is greater than `most`
 */
export function glyphsOf(pdf: Library, page: number, frame: Frame, most: number): Glyphs {
  const found: Glyphs = { directions: [[], [], [], []], slanted: 0, unknown: 0, seen: 0 }
  const text = pdf.FPDFText_LoadPage(page)
  if (text === 0) return found
  const count = pdf.FPDFText_CountChars(text)
  found.seen = count
  const { left, right, bottom, top } = frame
  const box = pdf.room >> 2
  const fonts = new Map<number, Font>()
  let drawn = -1
  let style: Style | null = null
  let blank = false
  for (let i = 0; count <= most && i < count; i++) {
    const code = pdf.FPDFText_GetUnicode(text, i)
    if (isBlank(code)) {
      // PDFium adds blanks at gaps. These blanks are not drawn and do not count, since rows.ts examines the gaps
      // itself.
      blank ||= pdf.FPDFText_IsGenerated(text, i) === 0
      continue
    }
    pdf.FPDFText_GetLooseCharBox(text, i, pdf.room)
    const floats = pdf.allFloats()
    const [x0, y1, x1, y0] = [floats[box]!, floats[box + 1]!, floats[box + 2]!, floats[box + 3]!]
    const [x, y] = [(x0 + x1) / 2, (y0 + y1) / 2]
    // Characters outside the page are left out. In a printed web page, each of the 21 pages contains the whole text and
    // shows a part of it: 79,000 of 827,508 characters are shown.
    if (!(x >= left && x <= right && y >= bottom && y <= top)) continue
    const object = pdf.FPDFText_GetTextObject(text, i)
    if (object !== drawn || style === null) {
      drawn = object
      style = styleOf(pdf, text, i, object, fonts, frame)
    }
    const sign = symbolOf(code, style.font.name)
    if (style.turned === null) found.slanted++
    else if (sign === null) found.unknown++
    else {
      let [from, to] = [x0 - left, x1 - left]
      if (style.turned !== 0 || frame.quarters !== 0) {
        from = upright(frame.shown(x0, y0), style.turned, frame)[0]
        to = upright(frame.shown(x1, y1), style.turned, frame)[0]
      }
      const { size, font, base } = style
      const glyph = { text: sign, x0: Math.min(from, to), x1: Math.max(from, to), y: base, size, font, blank }
      found.directions[style.turned]!.push(glyph)
      blank = false
    }
  }
  pdf.FPDFText_ClosePage(text)
  return found
}

/** Returns the point on the page after the page is rotated back by these quarters of a circle. */
function upright([x, y]: [number, number], turned: number, { width, height }: Frame): [number, number] {
  if (turned === 1) return [height - y, x]
  if (turned === 2) return [width - x, height - y]
  if (turned === 3) return [y, width - x]
  return [x, y]
}

/** Text that is slanted by more than this many degrees is not upright and not rotated by quarters of a circle. */
const SLANT = 8

function styleOf(
  pdf: Library,
  text: number,
  at: number,
  object: number,
  fonts: Map<number, Font>,
  frame: Frame,
): Style {
  pdf.FPDFText_GetMatrix(text, at, pdf.room)
  const [a = 1, b = 0, c = 0, d = 1] = pdf.floats(pdf.room, 4)
  const size = pdf.FPDFText_GetFontSize(text, at) * (Math.hypot(c, d) || 1)
  // The angle of the base line, counter-clockwise. If the page is rotated clockwise, the subtraction undoes the
  // rotation.
  const degrees = (Math.atan2(b, a) * 180) / Math.PI - 90 * frame.quarters
  const quarters = Math.round(degrees / 90)
  const turned = Math.abs(degrees - quarters * 90) > SLANT ? null : ((quarters % 4) + 4) % 4
  const handle = object === 0 ? 0 : pdf.FPDFTextObj_GetFont(object)
  let font = fonts.get(handle)
  if (font === undefined) {
    font = fontOf(pdf, handle, pdf.FPDFText_GetFontWeight(text, at))
    fonts.set(handle, font)
  }
  pdf.FPDFText_GetCharOrigin(text, at, pdf.room, pdf.room + 8)
  const doubles = pdf.allDoubles()
  const origin = frame.shown(doubles[pdf.room >> 3]!, doubles[(pdf.room >> 3) + 1]!)
  const [, base] = upright(origin, turned ?? 0, frame)
  return { size: Math.abs(size) || 1, font, turned, base }
}

/** Bits of a font's flags (ISO 32000-1, table 123). */
const ITALIC = 1 << 6
const FORCE_BOLD = 1 << 18

function fontOf(pdf: Library, handle: number, weight: number): Font {
  if (handle === 0) return { name: '', bold: false, italic: false }
  pdf.FPDFFont_GetBaseFontName(handle, pdf.room, 512)
  // In the name of a subset of a font, `ABCDEF+` comes before the font's name.
  const name = pdf.narrow(pdf.room).replace(/^[A-Z]{6}\+/, '')
  const flags = pdf.FPDFFont_GetFlags(handle)
  // PDFium derives the weight from the width of stems, and returns 700 for fonts that state no weight. The names of
  // fonts are right more often, so the weight counts only for a font without a name.
  const bold = /bold|black|heavy|semibold|demi|[-,](bd|b)\b/i.test(name) || (flags !== -1 && (flags & FORCE_BOLD) !== 0)
  return {
    name,
    bold: bold || (weight >= 700 && name === ''),
    italic: /italic|oblique|[-,](it|i|bi)\b/i.test(name) || (flags !== -1 && (flags & ITALIC) !== 0),
  }
}
