/** Splits the Markdown of a statement into paragraphs, with their positions. */
import type { Span } from '../../read/prose/sentences.ts'

export interface Paragraph extends Span {
  /** The text is as long as its span: a blank replaces each Markdown sign of emphasis, of an escape or of a heading. */
  text: string
}

/** Returns paragraphs, headings, points of lists and rows of tables, each with its position. */
export function paragraphsOf(markdown: string): Paragraph[] {
  const paragraphs: Paragraph[] = []
  let start = 0
  let previous = ''
  for (let at = 0; at <= markdown.length; ) {
    const stop = endOfLine(markdown, at)
    const line = markdown.slice(at, stop)
    // An empty line, a heading, a point of a list and a row of a table are never joined with other lines. Any other
    // line continues the line before it.
    const isNew = line === '' || LINE_OF_ITS_OWN.test(line) || previous === '' || LINE_OF_ITS_OWN.test(previous)
    if (isNew && start < at) push(paragraphs, markdown, start, at)
    if (isNew) start = at
    previous = line
    at = stop + 1
  }
  push(paragraphs, markdown, start, markdown.length)
  return paragraphs
}

const LINE_OF_ITS_OWN = /^(?:#{1,6} |\||[-*] |\d{1,3}\. )/

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function push(paragraphs: Paragraph[], markdown: string, from: number, to: number): void {
  const raw = markdown.slice(from, to)
  const end = from + raw.trimEnd().length
  const lead = raw.length - raw.trimStart().length
  if (from + lead >= end) return
  const start = from + lead
  paragraphs.push({ start, end, text: markdown.slice(start, end).replace(/[*\\_#]/g, ' ') })
}

/** Returns the position of a part of a paragraph in the document, without the blanks at the ends of the part. */
export function spanIn({ start, text }: Paragraph, from: number, to: number): Span {
  const part = text.slice(from, to)
  const lead = part.length - part.trimStart().length
  return { start: start + from + lead, end: start + from + part.trimEnd().length }
}
