/** The blocks of a document, in reading order. */
import type { ComputedStyle } from './style.ts'

export type Block = Paragraph | Table | Fence | PageBreak

/** The start of a piece of a paragraph, with the computed style of the whole piece. */
export interface Span {
  start: number
  computed: ComputedStyle
}

export interface Link {
  start: number
  end: number
  /** Only addresses of the kinds that are kept: http, https, mailto, or `#` and the name of an anchor. */
  address: string
}

export interface Image {
  /** The alternative text; the file name if there is none. */
  alt: string
  /** File name without folders; empty if the image is embedded in the document. */
  name: string
}

export interface Paragraph {
  kind: 'paragraph'
  /**
   * Text without Markdown signs. Line ends come from `<br>`; the nth IMAGE marks the position of the nth of `images`.
   */
  plain: string
  /** At least one span; the first span begins at 0. */
  spans: Span[]
  links: Link[]
  images: Image[]
  /** 1 to 6 for `h1` to `h6`, else 0. */
  level: number
  /** The list item that the paragraph begins. */
  item: Item | null
  /** Whether the paragraph was a title or note within a table, or a row of a form that is laid out as a table. */
  laid: boolean
  /** Names by which links lead to the paragraph. */
  anchors: string[]
}

export interface Item {
  /** 0 for the outermost list; -1 if the depth is shown only by the indent. */
  depth: number
  /** `1.` or `-`; empty if the paragraph continues the item before it. */
  marker: string
}

/** A data table, as Markdown. */
export interface Table {
  kind: 'table'
  text: string
  images: number
  anchors: string[]
}

/** Preformatted text, kept as it is. */
export interface Fence {
  kind: 'fence'
  text: string
}

export interface PageBreak {
  kind: 'page'
}

/** The character in place of an image: Unicode's own character for an object within text. */
export const IMAGE = '\ufffc'
