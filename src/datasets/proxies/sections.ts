/** Recommendations in the sections of their proposals, where each proposal has one. */
import { FREQUENCY, isOfBoard, type Recommendation, recommendation } from './asked.ts'
import { NUMBER, numberOf, type Proposal } from './proposals.ts'
import type { Paragraph } from './prose.ts'
import { topicOf } from './topics.ts'

const HEADING = new RegExp(`^(?:proposal|item)\\s{1,3}(?:(?:no|number)\\s?\\.?\\s{0,2})?(${NUMBER})\\b`, 'i')
const HEADING_MAX = 300
/** Paragraphs of the last section, which nothing ends. */
const SECTION_MAX = 120
/** The vote of a sentence that recommends one; in a section nothing else is voted on. */
const ASKED =
  /\brecommends?\b(?:(?!\b(?:not|against|for)\b)[^.;]){0,160}?\bvot(?:e|ing)\b[^.;a-z]{0,6}(?:shares\s{1,2})?[“"‘']?\s?\b(for|against|abstain)\b/i

/** Only where each proposal has its own section, in their order: in the section of another it would be taken for its own. */
export function* inSections(
  paragraphs: readonly Paragraph[],
  proposals: readonly Proposal[],
): Generator<Recommendation> {
  const starts = new Map<number, number>()
  for (const [at, { text }] of paragraphs.entries()) {
    const number = text.length <= HEADING_MAX ? numberOf(HEADING.exec(text)?.[1] ?? '') : null
    // The last heading of a number is that of its section; summaries and tables of contents come before.
    if (number !== null && number <= proposals.length && isFollowedByProse(paragraphs, at)) starts.set(number, at)
  }
  if (proposals.some(({ number }) => !starts.has(number))) return
  const order = [...starts].sort(([, a], [, b]) => a - b)
  if (order.some(([number], i) => number !== i + 1)) return
  for (const [i, [number, from]] of order.entries()) {
    const to = order[i + 1]?.[1] ?? Math.min(paragraphs.length, from + SECTION_MAX)
    const isFrequency = topicOf(proposals[number - 1]!.value) === 'frequency'
    for (const paragraph of paragraphs.slice(from, to)) {
      const match = /\brecommends?\b/i.test(paragraph.text) && (isFrequency ? FREQUENCY : ASKED).exec(paragraph.text)
      if (!match || !isOfBoard(paragraph.text, match.index + match[0].length)) continue
      yield recommendation(number, isFrequency ? match[0] : match[1]!, paragraph, match)
    }
  }
}

/** A section is told from a point of a list by prose that follows. */
const isFollowedByProse = (paragraphs: readonly Paragraph[], at: number) =>
  paragraphs.slice(at + 1, at + 6).some(({ text }) => text.length > 200 && !text.startsWith('|') && !HEADING.test(text))
