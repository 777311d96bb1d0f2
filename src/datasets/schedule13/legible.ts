/** Covers of Schedules 13D and 13G in Markdown, as they are read: without signs of Markdown and lines that were drawn. */

/** The richest real filing has 40 cover pages in 250,000 characters. What stands further behind is no cover. */
export const READ_MAX = 1_000_000

/** Between the words of a label, which may stand over several lines of a table of characters. */
export const GAP = '\\s{1,200}'

/** A part of the text. UTF-16 offsets in the Markdown; `end` is exclusive. */
export interface Span {
  start: number
  end: number
}

/** What a label says, and that with the label. */
export interface Place {
  said: Span
  whole: Span
}

/**
 * The text with emphasis, the bars of tables, drawn lines and marks of pages blanked out, sign for sign: an offset in it is
 * one in the Markdown. A box drawn with bars, `|X|` or `|_|`, becomes one with brackets.
 */
export function legible(markdown: string): string {
  return markdown
    .slice(0, READ_MAX)
    .replace(/&lt;[a-z]{1,9}>/gi, blank)
    .replace(/:?(?:-{3,}|={3,}|_{2,}|\.{4,}):?/g, blank)
    .replace(/\|(\\?[_X -]\\?)\|/gi, '[$1]')
    .replace(/[*\\`#|_~\u00a0\u2002-\u200b]/g, ' ')
    .replace(/-(?= -{2})|(?<=^|\n)- (?= )/g, blank)
}

const blank = (text: string) => ' '.repeat(text.length)

/** The span without blanks at its ends; null where nothing is left. */
export function trimmed(text: string, { start, end }: Span): Span | null {
  const said = text.slice(start, end)
  const from = start + said.length - said.trimStart().length
  const to = from + said.trim().length
  return to > from ? { start: from, end: to } : null
}

/** Words with one blank between them, and the signs that Markdown escapes as they were. */
export const oneLine = (text: string) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim()

/** Paragraphs of a part of the text, the blank ones left out. */
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

/** From the value to the end of what was found, which is its label where that stands below. */
export const evidence = (cover: string, { start }: Span, { whole }: Place): Span =>
  trimmed(cover, { start: Math.max(whole.start, Math.min(start, whole.end)), end: whole.end })!
