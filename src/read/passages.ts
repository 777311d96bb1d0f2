/** Splits a document into passages of a few paragraphs, which are searched and shown. */
import type { Markdown } from './made-markdown.ts'
import { wordsOfMarkdown } from './words.ts'

/** The fields of a section that passages need. */
interface Within {
  id: string
  start: number
  end: number
}

export interface Passage {
  /** Position in the Markdown, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
  /** Id of the innermost section that contains the passage. */
  section: string | null
}

/**
 * A passage ends at the last paragraph end within this length. If no paragraph ends in the second half of this length,
 * the passage ends with the paragraph in which it reaches this length.
 */
const LENGTH = 1500
/** A paragraph longer than this is split at the end of a line, of a sentence, or of a word. */
const LENGTH_MAX = 3000
/**
 * Number of words by which a passage overlaps the next passage. So every phrase of up to 25 words is complete in at
 * least one passage.
 */
export const OVERLAP_WORDS = 24
/** Maximum length of the overlap in characters, since a row of a wide table is mostly padding. */
const OVERLAP_MAX = 500

/**
 * Returns the passages of a document, in order. Each passage begins at the start of a paragraph or a section, or within
 * a long paragraph at a line or a sentence. Together they contain the whole text. A passage ends up to 24 words after
 * the start of the next passage. It never reaches beyond the start or the end of a section, so that no phrase spans the
 * heading of another item.
 *
 * @param sections in any order; they may be nested
 */
export function passagesOf({ text }: Pick<Markdown, 'text'>, sections: readonly Within[]): Passage[] {
  const passages: Passage[] = []
  const stops = [...new Set([0, text.length, ...sections.flatMap(({ start, end }) => [start, end])])]
    .filter((stop) => stop >= 0 && stop <= text.length)
    .sort((a, b) => a - b)
  const inner = innermost(sections, stops)
  for (let i = 0; i + 1 < stops.length; i++) {
    const stop = stops[i + 1]!
    let start = skipBlank(text, stops[i]!, stop)
    while (start < stop) {
      const cut = cutAfter(text, start, stop)
      const next = skipBlank(text, cut, stop)
      const end = next < stop ? overlapEnd(text, cut, next, stop) : trimmedEnd(text, start, cut)
      passages.push({ start, end, section: inner[i] ?? null })
      start = next
    }
  }
  return passages
}

/**
 * Returns, for each range between two stops, the section that contains the range. If several sections contain it,
 * returns the one that begins last.
 */
function innermost(sections: readonly Within[], stops: readonly number[]): (string | null)[] {
  const byStart = sections
    .filter(({ start, end }) => end > start)
    .toSorted((a, b) => a.start - b.start || b.end - a.end)
  const open: Within[] = []
  let at = 0
  return stops.slice(0, -1).map((stop) => {
    while (at < byStart.length && byStart[at]!.start <= stop) open.push(byStart[at++]!)
    while (open.length > 0 && open.at(-1)!.end <= stop) open.pop()
    return open.findLast(({ end }) => end > stop)?.id ?? null
  })
}

/**
 * Returns where to cut a passage that starts here: at the end of a paragraph if possible, else within a long paragraph.
 */
function cutAfter(text: string, start: number, stop: number): number {
  if (stop - start <= LENGTH) return stop
  // Searches only as far as a passage may reach. Otherwise, in a text without paragraphs, each search would scan the
  // whole text.
  const near = text.slice(start, Math.min(stop + 1, start + LENGTH_MAX + 2))
  const paragraph = near.indexOf('\n\n', LENGTH / 2)
  if (paragraph === -1 || start + paragraph >= stop) {
    if (stop - start <= LENGTH_MAX) return stop
  } else if (paragraph <= LENGTH) {
    // Cuts at the last paragraph end within LENGTH, so that most passages are nearly as long as LENGTH.
    return start + near.lastIndexOf('\n\n', LENGTH)
  } else if (paragraph <= LENGTH_MAX) return start + paragraph
  const least = LENGTH / 3
  const line = near.lastIndexOf('\n', LENGTH)
  if (line > least) return start + line
  const sentence = lastSentenceEnd(near.slice(0, LENGTH))
  if (sentence > least) return start + sentence
  const blank = near.lastIndexOf(' ', LENGTH)
  if (blank > least) return start + blank
  return start + (isSecondHalf(near.charCodeAt(LENGTH)) ? LENGTH + 1 : LENGTH)
}

/** Returns the end of the last sentence that is followed by another sentence; 0 if there is none. */
function lastSentenceEnd(text: string): number {
  let end = 0
  for (const match of text.matchAll(/[.;!?]["”’)]?\s/g)) end = match.index + match[0].length - 1
  return end
}

const isSecondHalf = (unit: number) => unit >= 0xdc00 && unit < 0xe000

function skipBlank(text: string, from: number, stop: number): number {
  BLANK.lastIndex = from
  BLANK.test(text)
  return Math.min(Math.max(BLANK.lastIndex, from), stop)
}

const BLANK = /\s*/y

function trimmedEnd(text: string, start: number, end: number): number {
  while (end > start && /\s/.test(text[end - 1]!)) end--
  return end
}

/** Returns the end of the words that the passage shares with the next passage, which starts at `next`. */
function overlapEnd(text: string, cut: number, next: number, stop: number): number {
  let end = cut
  let words = 0
  for (const word of wordsOfMarkdown(text.slice(next, Math.min(next + OVERLAP_MAX, stop)))) {
    // The slice may cut the last word in two.
    if (word.end === OVERLAP_MAX) break
    end = next + word.end
    if (++words === OVERLAP_WORDS) break
  }
  return end
}
