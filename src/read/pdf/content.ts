/** What stands on the pages of a PDF, with its places, before anybody asks what it means. Lengths are points: 1/72 inch. */

export interface Font {
  name: string
  bold: boolean
  italic: boolean
}

/** One sign. `y` is its base line, counted down from the top of the page as it is shown; so is `x` from its left. */
export interface Glyph {
  text: string
  x0: number
  x1: number
  y: number
  size: number
  font: Font
  /** Whether a blank was drawn before it. */
  blank: boolean
}

/** A straight line, across or down: borders of tables, lines below headings. */
export interface Rule {
  x0: number
  y0: number
  x1: number
  y1: number
}

export interface PageContent {
  width: number
  height: number
  /** In the order in which they are drawn. Blanks are none of them. */
  glyphs: Glyph[]
  /** Turned text, each direction as a page of its own, upright. */
  turned: Glyph[][]
  rules: Rule[]
  images: number
  /** Whether one image covers most of it: a scan. */
  pictured: boolean
}

/** Bookmarks, in order. */
export interface Bookmark {
  title: string
  /** 1 for the outermost. */
  depth: number
  /** From 0; null where it leads nowhere. */
  page: number | null
}
