/** What a document became as Markdown: one shape for HTML, plain text and PDF. */

/**
 * A document as Markdown of GitHub's kind, with `\n` as line end. It never holds HTML: signs of the document's own text
 * that Markdown would take for its own are escaped. Offsets count UTF-16 units of `text`.
 */
export interface Markdown {
  text: string
  headings: Heading[]
  tables: number
  images: number
  /** What could not be read as it stands, with its place. Bounded in number. */
  problems: { place: string; reason: string }[]
}

export interface Heading {
  level: 1 | 2 | 3 | 4 | 5 | 6
  /** Without signs of Markdown. */
  text: string
  /** Where its line begins. */
  start: number
}
