/** Recommendations in the sections of their proposals, where each proposal has one. */

import { sentenceAt } from '../../read/sentences.ts'
import { frequencyIn, isOfBoard, type Recommendation, recommendation } from './asked.ts'
import type { Label } from './labels.ts'
import type { Proposal } from './lists.ts'
import { NUMBER, numberOf } from './numbers.ts'
import type { Paragraph } from './prose.ts'
import { topicOf } from './topics.ts'

const HEADING_MAX = 300
/** A paragraph of prose is longer than a point of a list. */
const PROSE_MIN = 200
/** Names of who proposes and dates may come first. */
const PROSE_WITHIN = 12
/** Paragraphs of a section: that of pay may have the whole discussion of it. */
const SECTION_MAX = 3_000
/** Nothing ends the last section. */
const LAST_MAX = 120
/** The vote of a sentence that recommends one; in a section nothing else is voted on. */
const ASKED =
  /\brecommends?\b(?:(?!\b(?:not|against|for)\b)[^.;]){0,160}?\bvot(?:e|ing)\b[^.;a-z]{0,6}(?:shares\s{1,2})?[“"‘']?\s?\b(for|against|abstain)\b/i

const NONE =
  /\b(?:board|directors|we)\b[^.;]{0,80}?\b(?:mak(?:es?|ing)\s{1,3}no|not\s{1,3}mak(?:e|ing)\s{1,3}(?:a|any))\s{1,3}recommendation\b/i
const OF_HOLDERS = /\b(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\b/i

/** Behind a proposal of the board those of holders may begin under a heading without a number. */
const HOLDERS_BEGIN = /^\W*(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\W*$/i
const NAMED = new RegExp(
  `\\b(?:proposal|item)s?\\s{1,3}(?:nos?\\b\\s?\\.?\\s{0,2}|numbers?\\s{1,3})?(${NUMBER})\\b`,
  'gi',
)

interface Section {
  number: number
  /** Places of paragraphs; `to` is exclusive. */
  from: number
  to: number
}

/** Only where each proposal has its own section, in their order: in the section of another it would be taken for its own. */
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

function* inSection(
  paragraphs: readonly Paragraph[],
  { number, value }: Proposal,
  { hasHolders, topics }: { hasHolders: boolean; topics: ReadonlySet<string> },
): Generator<Recommendation> {
  const topic = topicOf(value)
  const isOfBoardAlone = topic !== null || (hasHolders && !OF_HOLDERS.test(value))
  for (const paragraph of paragraphs) {
    if (isOfBoardAlone && HOLDERS_BEGIN.test(paragraph.text)) break
    for (const { 0: said, index } of paragraph.text.matchAll(/\brecommend/gi)) {
      const { start, end } = sentenceAt(paragraph.text, index + said.length)
      const sentence = paragraph.text.slice(start, end)
      if (isOfBoardAlone && OF_HOLDERS.test(sentence)) continue
      // A number that is named says which proposal is meant.
      if ([...sentence.matchAll(NAMED)].some(([, digits]) => numberOf(digits!) !== number)) continue
      // What another proposal alone is about: a card, or a summary, behind the last section.
      const about = topicOf(sentence)
      if (topic !== 'frequency' && about !== null && about !== topic && topics.has(about)) continue
      const none = NONE.exec(sentence)
      const match = none ?? (topic === 'frequency' ? frequencyIn(sentence) : ASKED.exec(sentence))
      if (!match) continue
      const place = { index: start + match.index, 0: match[0] }
      if (none) yield recommendation(number, 'none', paragraph, place)
      else if (isOfBoard(paragraph.text, place.index + match[0].length)) yield recommendation(number, match[1] ?? match[0], paragraph, place) // biome-ignore format: one line
    }
  }
}

/** Headings that prose follows, in their order; a heading that stands on each page of its section counts once. */
function sectionsOf(paragraphs: readonly Paragraph[], count: number, headings: readonly Label[]): Section[] {
  const isProse = ({ text }: Paragraph) => text.length > PROSE_MIN && !text.startsWith('|')
  const sections: Section[] = []
  for (const [i, { number, last, at }] of headings.entries()) {
    if (last !== number || number > count || sections.at(-1)?.number === number) continue
    const next = headings[i + 1]?.at ?? paragraphs.length
    // A section is told from a point of a list, and of contents, by prose that follows.
    if (!paragraphs.slice(at + 1, Math.min(next, at + 1 + PROSE_WITHIN)).some(isProse)) continue
    let end = i + 1
    while (headings[end]?.number === number && headings[end]?.last === number) end++
    sections.push({ number, from: at, to: Math.min(headings[end]?.at ?? at + LAST_MAX, at + SECTION_MAX) })
  }
  return sections
}
