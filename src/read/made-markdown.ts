/** The Markdown that is made from a document: the same types for HTML, plain text and PDF. */

/**
 * A document in GitHub's kind of Markdown, with `\n` as line end. It never contains HTML: characters of the document's
 * own text that have a meaning in Markdown are escaped. Offsets count UTF-16 units of `text`.
 */
export interface Markdown {
  text: string
  headings: Heading[]
  tables: number
  images: number
  /** The parts that could not be read correctly, each with its position and the reason. Their number is limited. */
  problems: { place: string; reason: string }[]
}

export interface Heading {
  level: 1 | 2 | 3 | 4 | 5 | 6
  /** The text without Markdown signs. */
  text: string
  /** Start of the line of the heading. */
  start: number
}
