/** Prepares the Markdown of covers of Schedules 13D and 13G for reading: removes Markdown syntax and drawn lines. */
import type { Span } from '../../../read/prose/sentences.ts'

/**
 * Maximum length that is read. The real filing with the most cover pages has 40 of them in 250,000 characters. Text
 * after the maximum is not a cover.
 */
export const READ_MAX = 1_000_000

/** The gap between the words of a label, which may span several lines of a text table. */
export const GAP = '\\s{1,200}'

/** The value of a label, and the span of value and label together. */
export interface LabelledValue {
  value: Span
  whole: Span
}

/**
 * Replaces emphasis, the bars of tables, drawn lines and page marks by blanks, character for character, so that offsets
 * stay those of the Markdown. A box drawn with bars, `|X|` or `|_|`, becomes a box with brackets.
 */
export function plainText(markdown: string): string {
  return markdown
    .slice(0, READ_MAX)
    .replace(/&lt;[a-z]{1,9}>/gi, blank)
    .replace(/:?(?:-{3,}|={3,}|_{2,}|\.{4,}):?/g, blank)
    .replace(/\|(\\?[_X -]\\?)\|/gi, '[$1]')
    .replace(/[*\\`#|_~\u00a0\u2002-\u200b]/g, ' ')
    .replace(/-(?= -{2})|(?<=^|\n)- (?= )/g, blank)
}

const blank = (text: string) => ' '.repeat(text.length)

/** Returns the span without blanks at its ends; null if nothing is left. */
export function trimmed(text: string, { start, end }: Span): Span | null {
  const part = text.slice(start, end)
  const from = start + part.length - part.trimStart().length
  const to = from + part.trim().length
  return to > from ? { start: from, end: to } : null
}

/** Joins words with one blank, and unescapes Markdown's entities. */
export const oneLine = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()

/** Returns the paragraphs of a part of the text, without blank paragraphs. */
export function paragraphsOf(text: string, { start, end }: Span): Span[] {
  const found: Span[] = []
  let from = start
  for (const { index, 0: gap } of text.slice(start, end).matchAll(/\n[^\S\n]*\n/g)) {
    const own = trimmed(text, { start: from, end: start + index })
    if (own) found.push(own)
    from = start + index + gap.length
  }
  const last = trimmed(text, { start: from, end })
  if (last) found.push(last)
  return found
}

/**
 * Returns the span from the value to the end of the match. If the label is below its value, the match ends with the
 * label.
 */
export const evidence = (cover: string, { start }: Span, { whole }: LabelledValue): Span =>
  trimmed(cover, { start: Math.max(whole.start, Math.min(start, whole.end)), end: whole.end })!
