/** The content of the pages of a PDF with its positions, before it is interpreted. Lengths are points: 1/72 inch. */

export interface Font {
  name: string
  bold: boolean
  italic: boolean
}

/**
 * One character. `x` counts from the left of the page as shown, and `y` is the base line, counted down from the top.
 */
export interface Glyph {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  font: Font
  /** Whether a blank was drawn before the character. */
  blank: boolean
}

/** A straight line, horizontal or vertical: borders of tables, lines below headings. */
export interface Rule {
  x0: number
  y0: number
  x1: number
  y1: number
}

export interface PageContent {
  width: number
  height: number
  /** The characters in the order in which they are drawn, without blanks. */
  glyphs: Glyph[]
  /**
   * Rotated text. For each direction, it has the characters with their positions on a page that is rotated so that they
   * stand upright.
   */
  turned: Glyph[][]
  rules: Rule[]
  images: number
  /** Whether one image covers most of the page. Then the page is a scan. */
  pictured: boolean
}

/** Bookmarks, in order. */
export interface Bookmark {
  title: string
  /** Level; 1 for the outermost. */
  depth: number
  /** Counts from 0; null if the bookmark has no target. */
  page: number | null
}
