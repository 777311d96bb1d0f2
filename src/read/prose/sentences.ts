/** Finds sentences in Markdown, since each fact that is read from prose is shown with its sentence. */
import { GIVEN_NAMES_CUT, HONORIFICS, SAINTS } from './abbreviations.ts'
import { joinedList, listedEnd } from './lists.ts'

export interface Span {
  /** UTF-16 offsets in the Markdown of the document; `end` is exclusive. */
  start: number
  end: number
}

export interface Sentence extends Span {
  /** Text in which each character of emphasis and each special character is replaced by a blank. */
  text: string
  /** Whether the sentence begins a paragraph. */
  isFirst: boolean
}

/**
 * Maximum length of a sentence. A sentence of a real filing has a few hundred characters, but a list without a full
 * stop may fill pages.
 */
const SENTENCE_MAX = 1_500

/**
 * Matches the end of a sentence. This is `.`, `!` or `?` before a word with a capital or before an item such as `(a)
 * The`; an empty line; or the line end before a heading, a list item or a row of a table.
 */
const ENDS =
  /[.!?]["”’)]*(?=\s+["“(]?[A-Z]|\s+\([a-z]{1,3}\)\s+[A-Z])|\n(?=[^\S\n]*\n)|\n(?=(?:#{1,6}|[-*]|\||\d+\.)\s)/g
/** Words after which a full stop does not end a sentence. */
const ABBREVIATED = new RegExp(
  String.raw`(?:\b(?:Inc|Co|Corp|Ltd|No|Nos|${HONORIFICS}|${GIVEN_NAMES_CUT}|${SAINTS}|vs|cf|Sec|Rel|(?<!\d-)[A-Z])|\b(?:L\.L\.C|L\.P|U\.S|i\.e|e\.g|a\.m|p\.m))\.$|\(Ret\.\)$|["“‘'][A-Z]\.[A-Z]\.["”’']$`,
)

/**
 * Returns the sentence around a position in a text, without the Markdown signs before a line, and without blanks at its
 * ends.
 *
 * @returns UTF-16 offsets, `end` exclusive
 */
export function sentenceAt(text: string, at: number): { start: number; end: number } {
  const from = Math.max(0, at - SENTENCE_MAX)
  const window = text.slice(from, at + SENTENCE_MAX)
  const own = at - from
  let start = 0
  let end = window.length
  for (const match of window.matchAll(ENDS)) {
    const stop = match.index + match[0].length
    if (ABBREVIATED.test(window.slice(Math.max(0, stop - 12), stop))) continue
    if (stop <= own) start = stop
    else {
      end = stop
      break
    }
  }
  start += /^[\s#>|*-]*/.exec(window.slice(start, own))![0].length
  return { start: from + start, end: from + start + window.slice(start, end).trimEnd().length }
}

/**
 * Maximum length of text that is read. The longest real text about officers has 10,000 characters
 * (0001000180-10-000089).
 */
export const READ_MAX = 40_000
const SENTENCES_MAX = 800

/** Characters that enclose placeholders for names. If a document contains these characters, they are removed. */
export const OPEN = '\uE000'
export const CLOSE = '\uE001'

/** Matches the number of a footnote that hides the end of a sentence: "effective immediately.1 In addition". */
const FOOTNOTE = /(?<=[a-z]{2}\.)\d{1,2}(?=\s+[A-Z])/g

/**
 * Returns sentences and lines of tables, without headings: "Appointment of a Director" adds nothing to the sentence
 * that follows.
 *
 * @param from start of the text in the Markdown, after the heading of the item
 * @param headings if true, also returns headings and other separate lines, which state figures in a press release
 */
export function sentencesOf(
  markdown: string,
  { start: from, end }: Span,
  { headings = false }: { headings?: boolean } = {},
): { text: string; sentences: Sentence[] } {
  const text = markdown
    .slice(from, Math.min(end, from + READ_MAX))
    .replace(/[*_`\\\uE000\uE001]/g, ' ')
    .replace(FOOTNOTE, (number) => ' '.repeat(number.length))
  const sentences: Sentence[] = []
  for (let at = 0; at < text.length && sentences.length < SENTENCES_MAX; ) {
    const blank = /\S/.exec(text.slice(at, at + 2_000))
    if (!blank) {
      at += 2_000
      continue
    }
    at += blank.index
    const span = sentenceAt(text, at)
    const stop = listedEnd(text, Math.max(span.start, at), Math.max(span.end, at + 1))
    const said = text.slice(Math.max(span.start, at), stop)
    if (
      said !== '' &&
      (headings || !isHeading(text.slice(Math.max(span.start, at), Math.max(span.end, at + 1)), text, at))
    ) {
      const start = Math.max(span.start, at)
      const before = text.slice(Math.max(0, start - 8), start)
      const blanks = before.slice(before.trimEnd().length)
      const isFirst = blanks === before || blanks.indexOf('\n') !== blanks.lastIndexOf('\n')
      sentences.push({
        text: joinedList(said),
        start: from + start,
        end: from + start + said.trimEnd().length,
        isFirst,
      })
    }
    at = stop
  }
  return { text, sentences }
}

/** Tests for a heading: text marked with `#`, or short text without a full stop that is not a row of a table. */
const isHeading = (said: string, text: string, at: number): boolean =>
  text[at] === '#' || (said.length < 180 && !/[.!?;:)”"|]\s*$/.test(said) && !said.includes('|'))
