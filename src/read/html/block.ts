/** What a document is made of, in the order in which it is read. */
import type { Look } from './style.ts'

export type Block = Paragraph | Table | Fence | PageBreak

/** Where text of a look begins in a paragraph. */
export interface Span {
  start: number
  look: Look
}

export interface Link {
  start: number
  end: number
  /** Only of a kind that is kept: http, https, mailto, or `#` and the name of an anchor. */
  address: string
}

export interface Image {
  /** What is said of it; its file's name where nothing is. */
  alt: string
  /** File name without folders; empty for an image that stands in the document itself. */
  name: string
}

export interface Paragraph {
  kind: 'paragraph'
  /** Without signs of Markdown. Line ends are those of `<br>`; IMAGE stands for the next of `images`. */
  plain: string
  /** At least one, the first at 0. */
  spans: Span[]
  links: Link[]
  images: Image[]
  /** 1 to 6 in an `h1` to `h6`, else 0. */
  level: number
  /** The item of a list that it begins. */
  item: Item | null
  /** Whether it stood in a table as a title or note of it, or in a form among other rows. */
  laid: boolean
  /** Names by which links lead here. */
  anchors: string[]
}

export interface Item {
  /** 0 for a list that is in no other; -1 where only the indent tells. */
  depth: number
  /** `1.` or `-`; empty for a further paragraph of the same item. */
  marker: string
}

/** A table of data, as Markdown. */
export interface Table {
  kind: 'table'
  text: string
  images: number
  anchors: string[]
}

/** Text that was set in lines: as it stands. */
export interface Fence {
  kind: 'fence'
  text: string
}

export interface PageBreak {
  kind: 'page'
}

/** Stands for an image; Unicode's own sign for an object among letters. */
export const IMAGE = '\ufffc'
