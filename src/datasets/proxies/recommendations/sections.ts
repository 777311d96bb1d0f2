/** Reads recommendations in the sections of proposals, if each proposal has a section. */

import { sentenceAt } from '../../../read/prose/sentences.ts'
import type { Proposal } from '../fact.ts'
import type { Label } from '../proposals/labels.ts'
import { NUMBER, numberOf } from '../proposals/numbers.ts'
import { topicOf } from '../proposals/topics.ts'
import type { Paragraph } from '../prose.ts'
import { frequencyIn, isOfBoard, type Recommendation, recommendation } from './recommendation.ts'

const HEADING_MAX = 300
/** Minimum length of a paragraph of prose; points of lists are shorter. */
const PROSE_MIN = 200
/** Maximum distance between a heading and its prose. Names of proponents and dates may come before the prose. */
const PROSE_WITHIN = 12
/** Maximum number of paragraphs of a section: the section on pay may contain the whole discussion of pay. */
const SECTION_MAX = 3_000
/** Maximum number of paragraphs of the last section, which no heading ends. */
const LAST_MAX = 120
/**
 * Matches the vote in a sentence that recommends. The vote is on the proposal of the section, since a section is about
 * one proposal.
 */
const REQUESTED =
  /\brecommends?\b(?:(?!\b(?:not|against|for)\b)[^.;]){0,160}?\bvot(?:e|ing)\b[^.;a-z]{0,6}(?:shares\s{1,2})?[“"‘']?\s?\b(for|against|abstain)\b/i

const NONE =
  /\b(?:board|directors|we)\b[^.;]{0,80}?\b(?:mak(?:es?|ing)\s{1,3}no|not\s{1,3}mak(?:e|ing)\s{1,3}(?:a|any))\s{1,3}recommendation\b/i
/**
 * Matches the beginning of a proponent's statement. In a section with such a statement, the proponent also recommends a
 * vote. Proponents never recommend a vote against their own proposal, so a vote against it is the board's.
 */
const OF_PROPONENT =
  /^\W*(?:the\s{1,3})?(?:(?:proponent|stockholder|shareholder|shareowner)['’]?s?['’]?\s{1,3})?supporting\s{1,3}statement\b/i
const BY_BOARD = /\b(?:board|directors|management)\b/i
const OF_HOLDERS = /\b(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\b/i

/** Matches the heading of shareholder proposals, which may follow the board's proposals without a number. */
const HOLDERS_BEGIN = /^\W*(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\W*$/i
const NAMED = new RegExp(
  `\\b(?:proposal|item)s?\\s{1,3}(?:nos?\\b\\s?\\.?\\s{0,2}|numbers?\\s{1,3})?(${NUMBER})\\b`,
  'gi',
)

interface Section {
  number: number
  /** Indexes of paragraphs; `to` is exclusive. */
  from: number
  to: number
}

/**
 * Yields the recommendations in the sections of proposals. Each proposal must have a section, and the sections must be
 * in the order of the proposals. Otherwise a recommendation on a proposal whose section was not found could be read as
 * a recommendation on the proposal before it.
 */
export function* inSections(
  paragraphs: readonly Paragraph[],
  proposals: readonly Proposal[],
  labels: readonly Label[],
): Generator<Recommendation> {
  const hasHolders = proposals.some(({ value }) => OF_HOLDERS.test(value))
  const topics = new Set(proposals.flatMap(({ value }) => topicOf(value) ?? []))
  const headings = labels.filter(({ cells, at }) => cells.length === 0 && paragraphs[at]!.text.length <= HEADING_MAX)
  const sections = sectionsOf(paragraphs, proposals.length, headings)
  for (const [i, { number }] of sections.entries()) {
    const run = number === 1 ? sections.slice(i, i + proposals.length) : []
    if (run.length < proposals.length || run.some((section, n) => section.number !== n + 1)) continue
    for (const [n, { from, to }] of run.entries())
      yield* inSection(paragraphs.slice(from, to), proposals[n]!, { hasHolders, topics })
  }
}

const isOfHolder = (title: string, section: readonly Paragraph[]) =>
  OF_HOLDERS.test(title) || section.some(({ text }) => OF_PROPONENT.test(text))

const isOfProponent = (sentence: string, [, vote]: RegExpExecArray) =>
  vote?.toLowerCase() !== 'against' && !BY_BOARD.test(sentence)

function isAboutOther(sentence: string, number: number, topic: string | null, topics: ReadonlySet<string>): boolean {
  // The sentence names the number of another proposal.
  if ([...sentence.matchAll(NAMED)].some(([, digits]) => numberOf(digits!) !== number)) return true
  // The sentence has the topic of another proposal. It may be a sentence of the proxy card, or of a summary, after the
  // last section.
  const about = topicOf(sentence)
  return topic !== 'frequency' && about !== null && about !== topic && topics.has(about)
}

function* inSection(
  paragraphs: readonly Paragraph[],
  { number, value }: Proposal,
  { hasHolders, topics }: { hasHolders: boolean; topics: ReadonlySet<string> },
): Generator<Recommendation> {
  const topic = topicOf(value)
  const isProposed = isOfHolder(value, paragraphs)
  const isOfBoardAlone = topic !== null || (hasHolders && !OF_HOLDERS.test(value))
  for (const paragraph of paragraphs) {
    if (isOfBoardAlone && HOLDERS_BEGIN.test(paragraph.text)) break
    for (const { 0: word, index } of paragraph.text.matchAll(/\brecommend/gi)) {
      const { start, end } = sentenceAt(paragraph.text, index + word.length)
      const sentence = paragraph.text.slice(start, end)
      if (isOfBoardAlone && OF_HOLDERS.test(sentence)) continue
      if (isAboutOther(sentence, number, topic, topics)) continue
      const none = NONE.exec(sentence)
      const match = none ?? (topic === 'frequency' ? frequencyIn(sentence) : REQUESTED.exec(sentence))
      if (!match || (isProposed && !none && isOfProponent(sentence, match))) continue
      const place = { index: start + match.index, 0: match[0] }
      if (none) yield recommendation(number, 'none', paragraph, place)
      else if (isOfBoard(paragraph.text, place.index + match[0].length))
        yield recommendation(number, match[1] ?? match[0], paragraph, place)
    }
  }
}

/**
 * Returns the sections: headings that prose follows, in the order of the text. A heading repeated on each page of its
 * section counts once.
 */
function sectionsOf(paragraphs: readonly Paragraph[], count: number, headings: readonly Label[]): Section[] {
  const isProse = ({ text }: Paragraph) => text.length > PROSE_MIN && !text.startsWith('|')
  const sections: Section[] = []
  for (const [i, { number, last, at }] of headings.entries()) {
    if (last !== number || number > count || sections.at(-1)?.number === number) continue
    const next = headings[i + 1]?.at ?? paragraphs.length
    // Prose follows the heading of a section, but not a point of a list or an entry of a table of contents.
    if (!paragraphs.slice(at + 1, Math.min(next, at + 1 + PROSE_WITHIN)).some(isProse)) continue
    let end = i + 1
    while (headings[end]?.number === number && headings[end]?.last === number) end++
    sections.push({ number, from: at, to: Math.min(headings[end]?.at ?? at + LAST_MAX, at + SECTION_MAX) })
  }
  return sections
}
