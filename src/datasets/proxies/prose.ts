/** Splits the Markdown of a statement into paragraphs, with their positions. */

export interface Span {
  /** UTF-16 offsets in the Markdown; `end` is exclusive. */
  start: number
  end: number
}

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

const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?'
/**
 * Pattern of a day in words: "May 14, 2024" or "the 14th day of May, 2024". It has six groups: month, day and year of
 * the first form, then day, month and year of the second form.
 */
export const DAY = `(?:(${MONTH})\\.?\\s{1,3}(\\d{1,2})(?:st|nd|rd|th)?\\s?,?\\s{1,3}(\\d{4})|(?:the\\s{1,3})?(\\d{1,2})(?:(?:st|nd|rd|th)(?:\\s{1,3}day\\s{1,3}of)?)?\\s{1,3}(${MONTH})\\.?,?\\s{1,3}(\\d{4}))`
/** Pattern of an optional weekday before the day. */
export const WEEKDAY = '(?:\\w{3,6}day,?\\s{1,3})?'
