/**
 * Reads the board's vote recommendation on each proposal. Six sources count: words that name the number of a proposal;
 * a sentence, list or column with as many votes as there are proposals; a sentence that can concern only one proposal;
 * a sentence on all proposals; the section of a proposal; and the row of a proposal, or the line below its label.
 */
import { sentenceAt } from '../../read/prose/sentences.ts'
import type { Proposal } from './fact.ts'
import { NUMERAL, numberOf } from './proposals/numbers.ts'
import { topicOf } from './proposals/topics.ts'
import type { Proposals } from './proposals.ts'
import type { Paragraph } from './prose.ts'
import { frequencyIn, isOfBoard, type Recommendation, recommendation } from './recommendations/recommendation.ts'
import { nextToNumbers } from './recommendations/rows.ts'
import { inSections } from './recommendations/sections.ts'

/** Pattern of a vote in capitals, as boards write it. In lower case, "for" is an ordinary word. */
const VOTE = '(FOR|AGAINST|ABSTAIN|WITHHOLD)'
const ITEM = '(?:[Pp]roposal|[Ii]tem|PROPOSAL|ITEM)[sS]?\\s{1,2}(?:(?:[Nn]os?|[Nn]umbers?|NOS?)\\s?\\.?\\s{0,2})?'
const NUMBERS = `${NUMERAL}(?:(?:\\s{0,2},\\s{1,2}(?:(?:and|AND|&)\\s{1,2})?|\\s{1,2}(?:and|AND|&|through|to)\\s{1,2}|\\s{0,2}[–-]\\s{0,2})(?:${ITEM})?${NUMERAL}){0,20}`
const DIRECT = new RegExp(
  `\\b${VOTE}\\b[”"’']?\\s{1,3}(?:each\\s{1,2}of\\s{1,2})?(?:the\\s{1,2})?${ITEM}(${NUMBERS})\\b`,
  'g',
)
const IN_BRACKETS = new RegExp(
  `\\b${VOTE}\\b[”"’']?(?:(?!\\b(?:FOR|AGAINST|ABSTAIN)\\b)[^.;()]){0,260}\\(${ITEM}(${NUMBERS})\\)`,
  'g',
)
const POINT = new RegExp(`^(?:-\\s{1,3})?${ITEM}(${NUMERAL})\\s{0,3}[:—–-]{1,2}\\s{0,3}[“"‘']?${VOTE}\\b`)
const RECOMMENDS = /\brecommend(?:s|ed|ation)?\b/i
const VOTES = /["“‘*]?\b(FOR|AGAINST|ABSTAIN)\b/g
/** Matches a point of a list, or a line, that begins with a vote. */
const BEGINS = /^-?\s{0,3}["“‘]?\s?(FOR|AGAINST|ABSTAIN)\b/
/**
 * Returns all recommendations on any proposal. The caller keeps a recommendation only if all recommendations on its
 * proposal agree.
 */
export function recommendationsOf(paragraphs: readonly Paragraph[], read: Proposals): Recommendation[] {
  const { list: proposals, labels } = read
  const found = [
    ...inLists(paragraphs, proposals),
    ...inSections(paragraphs, proposals, labels),
    ...nextToNumbers(paragraphs, read),
  ]
  for (const paragraph of paragraphs) {
    if (!/\b(?:FOR|AGAINST|ABSTAIN|WITHHOLD)\b/.test(paragraph.text)) continue
    found.push(
      ...named(paragraph),
      ...inOrder(paragraph, proposals),
      ...aboutOne(paragraph, proposals),
      ...onAll(paragraph, proposals),
    )
  }
  // The recommendation on a frequency is a number of years. A vote for the board's own proposal on the frequency does
  // not say which frequency.
  const isFrequency = (number: number) => topicOf(proposals[number - 1]?.value ?? '') === 'frequency'
  return found.filter(({ number, value }) => isFrequency(number) === value.includes('year'))
}

function* named(paragraph: Paragraph): Generator<Recommendation> {
  const { text } = paragraph
  const point = POINT.exec(text)
  const pointed = point && numberOf(point[1]!)
  if (point && pointed) {
    yield recommendation(pointed, point[2]!, paragraph, point)
    const years = frequencyIn(text)
    if (years) yield recommendation(pointed, years[0], paragraph, years)
    return
  }
  // A statement also names these votes where it says how unmarked proxies are voted. Such a sentence does not
  // recommend.
  if (!RECOMMENDS.test(text) && !text.startsWith('- ')) return
  for (const match of [...text.matchAll(DIRECT), ...text.matchAll(IN_BRACKETS)]) {
    if (!isOfBoard(text, match.index)) continue
    for (const number of numbersIn(match[2]!)) yield recommendation(number, match[1]!, paragraph, match)
  }
}

/** Reads a sentence with as many votes as proposals, in their order. */
function* inOrder(paragraph: Paragraph, proposals: readonly Proposal[]): Generator<Recommendation> {
  const { text } = paragraph
  const at = text.search(RECOMMENDS)
  // If the text names numbers of proposals, `named` reads its votes by these numbers.
  if (proposals.length < 2 || at < 0 || text.search(DIRECT) >= 0) return
  const votes = [...text.matchAll(VOTES)].filter(({ index }) => index > at)
  if (votes.length !== proposals.length || !isOfBoard(text, votes[0]!.index)) return
  const parts = votes.map(({ index }, i) => text.slice(index, votes[i + 1]?.index ?? text.length))
  // If a topic differs from the topic of the proposal, the votes are in another order.
  if (parts.some((part, i) => isOther(topicOf(part), topicOf(proposals[i]!.value)))) return
  for (const [i, match] of votes.entries()) yield recommendation(i + 1, match[1]!, paragraph, match)
}

const isOther = (a: string | null, b: string | null) => a !== null && b !== null && a !== b

/**
 * Reads "The board recommends that you vote:" with as many points as proposals, or a table with a column for the vote.
 */
function* inLists(paragraphs: readonly Paragraph[], proposals: readonly Proposal[]): Generator<Recommendation> {
  for (const [at, { text }] of paragraphs.entries()) {
    if (!RECOMMENDS.test(text)) continue
    const isTable = text.startsWith('|')
    if (!isTable && !/\bvote\b[^.]{0,80}:\s*$/i.test(text.slice(-300))) continue
    const read = isTable ? voteOfRow : (line: string) => BEGINS.exec(line)?.[1] ?? null
    // In a table, the rule follows the head, so the first row is two lines below the head.
    const points = pointsOf(paragraphs.slice(at + (isTable ? 2 : 1), at + proposals.length + 3), read)
    if (points.length !== proposals.length) continue
    if (points.some(({ paragraph }, i) => isOther(topicOf(paragraph.text), topicOf(proposals[i]!.value)))) continue
    for (const [i, { paragraph, vote }] of points.entries()) {
      yield recommendation(i + 1, vote, paragraph, { index: 0, 0: paragraph.text })
    }
  }
}

function pointsOf(paragraphs: readonly Paragraph[], read: (text: string) => string | null) {
  const points: { paragraph: Paragraph; vote: string }[] = []
  for (const paragraph of paragraphs) {
    const vote = read(paragraph.text)
    if (vote === null) break
    points.push({ paragraph, vote })
  }
  return points
}

/** Returns the vote in the last cell that is not empty. A frequency also counts as a vote. */
function voteOfRow(text: string): string | null {
  if (!text.startsWith('|')) return null
  const last =
    text
      .split('|', 20)
      .map((cell) => cell.trim())
      .findLast((cell) => cell !== '') ?? ''
  return /^["“]?(FOR|AGAINST|ABSTAIN)\b/.exec(last)?.[1] ?? (last.length < 40 ? (frequencyIn(last)?.[0] ?? null) : null)
}

/** Matches a vote for all proposals: "FOR each of the proposals", but not "FOR all proposals except Proposal 4". */
const ON_ALL =
  /\b(FOR|AGAINST)\b[”"’]?\s{1,3}(?:each|all)(?:\s{1,3}and\s{1,3}every)?(?:\s{1,3}one)?(?:\s{1,3}of)?(?:\s{1,3}(?:the|these))?(?:\s{1,3}(?:above|foregoing|following|two|three|four|five|six|\d{1,2}))?\s{1,3}(?:proposals?|matters|items)(?=[.,;:]|\s{0,3}$|\s{1,3}(?:above|below|listed|described|discussed|presented|set|in\s{1,3}this|to\s{1,3}be|at\s{1,3}the)\b)(?![^.]{0,300}\b(?:except|other\s{1,3}than|but|AGAINST|ABSTAIN|excluding)\b)/

/**
 * Matches titles of holders' proposals. A vote FOR "all proposals" does not count for these, since the board may mean
 * only its own proposals.
 */
const OF_HOLDERS = /\b(?:stock|share|unit)?holders?[’']?s?[’']?\s{1,3}(?:proposals?|resolutions?)\b|\bproponents?\b/i

function* onAll(paragraph: Paragraph, proposals: readonly Proposal[]): Generator<Recommendation> {
  const { text } = paragraph
  const at = text.search(RECOMMENDS)
  const match = at < 0 ? null : ON_ALL.exec(text)
  if (!match || match.index < at || match.index >= sentenceAt(text, at).end || !isOfBoard(text, match.index)) return
  const about = match[1] === 'FOR' ? proposals.filter(({ value }) => !OF_HOLDERS.test(value)) : proposals
  for (const { number } of about) yield recommendation(number, match[1]!, paragraph, match)
}

/** Reads one vote on the topic of a single proposal. */
function* aboutOne(paragraph: Paragraph, proposals: readonly Proposal[]): Generator<Recommendation> {
  const { text } = paragraph
  const at = text.search(RECOMMENDS)
  if (at < 0) return
  const { end } = sentenceAt(text, at)
  const votes = [...text.slice(0, end).matchAll(VOTES)].filter(({ index }) => index > at)
  const [vote] = votes
  if (!vote || votes.length > 1 || !isOfBoard(text, vote.index)) return
  const topic = topicOf(text.slice(vote.index, end))
  const about = proposals.length === 1 ? proposals : proposals.filter(({ value }) => topicOf(value) === topic)
  if (about.length !== 1 || (topic === null && proposals.length > 1)) return
  const years = topic === 'frequency' ? frequencyIn(text) : null
  yield recommendation(about[0]!.number, years?.[0] ?? vote[1]!, paragraph, vote)
}

/** Returns the numbers that words list: "1, 2 and 3", "5 through 8". */
function numbersIn(text: string): number[] {
  const numbers = [...text.matchAll(new RegExp(`\\b${NUMERAL}\\b`, 'g'))].flatMap(([word]) => numberOf(word) ?? [])
  const [first, last] = numbers
  if (numbers.length === 2 && first! < last! && /through|to|[–-]/i.test(text)) {
    return Array.from({ length: last! - first! + 1 }, (_, i) => first! + i)
  }
  return numbers
}
