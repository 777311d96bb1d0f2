/** Collects lists of proposals: the numbered points of a notice, the rows of a summary, and the labelled proposals. */

import type { FactName, Proposal } from '../fact.ts'
import { type Paragraph, spanIn } from '../prose.ts'
import { cellsOf, voteAlone, voteOfCells } from '../recommendations/votes.ts'
import { type Builder, enumeratedIn, introduces, isNameOfList } from './enumerated.ts'
import { type Label, labelsOf } from './labels.ts'
import { numberOf, PROPOSALS_MAX } from './numbers.ts'
import { OTHER_BUSINESS, withoutOther } from './other-business.ts'
import { summarizedIn } from './summary.ts'
import { topicOf } from './topics.ts'

export interface Lists {
  points: Proposal[]
  /** One entry for each table whose rows have the numbers of proposals. */
  tables: Proposal[][]
  named: Proposal[]
  labels: Label[]
  /** Number of proposals. It is the highest number without a gap before it; a range counts up to its last number. */
  count: number
}

/** Length of the front: the notice, and a summary on the first pages. */
const FRONT_MAX = 120_000
const TITLE_MAX = 1_000
/** Maximum number of other lines between two points of a list, such as the foot of a page. */
const GAP_MAX = 2
/** Maximum number of lines between two rows: the rule below the head of the table, and rows that continue a title. */
const ROW_GAP_MAX = 4

const POINT = /^\(?(\d{1,2})\s?[.)]\s{1,6}(.{4,})$/s
const BEFORE_MAX = 3
/** Words of matters that a meeting votes on. */
const IS_REQUESTED =
  /\b(?:elect|ratif|approv|amend|advis|adopt|proposal|vote|consider|merger|authori[sz]|adjourn|reclassif|report|request|policy|compensation|plan)/i
/** The same words, and nouns with which a short title names such a matter: "Auditors". */
const IS_PUT = new RegExp(
  `${IS_REQUESTED.source}|\\b(?:nominees?|directors?|appoint|selection|accountants?|auditors?)`,
  'i',
)
/** Matches a rule about proposals of holders for the next meeting: "must be received by …". */
const IS_RULE = /^(?:must|should|shall|may|cannot|be\s)/i
/** Matches a range of numbers. Other parts of the statement have the titles of these proposals. */
const RANGE = /^[|\s]{0,6}(\d{1,2})\s{0,2}(?:[-–]|to|through)\s{0,2}(\d{1,2})(?:\.|\s{0,3}\|)/

export function listsOf(paragraphs: readonly Paragraph[]): Lists {
  const front = paragraphs.filter(({ start }) => start < FRONT_MAX)
  const lines = pointsOf(front)
  const rows = tablesOf(front)
  const tables = rows.filter((list) => !holdsNext(list))
  const labels = labelsOf(paragraphs)
  const named = namedOf(paragraphs, labels)
  // Enumerated points count only without other lists: numbers in lines, tables and labels identify proposals better.
  const isAlone = named.length === 0 && tables.length === 0 && lines.length < 2
  const enumerated = isAlone ? enumeratedIn(front, partRequested) : []
  const listed = enumerated.length > lines.length || holdsNext(lines) ? enumerated : lines
  const summarized = isAlone && listed.length < 2 ? summarizedIn(front, partPut) : []
  const points = summarized.length > 0 ? summarized : listed
  const lists = [points, named, ...tables]
  const ranges = [...labels, ...front.flatMap(rangeOf)].filter(({ number, last }) => last > number)
  // A list that could not be split has at least two proposals.
  let count = Math.max([lines, ...rows].some(holdsNext) ? 2 : 0, ...lists.map((list) => list.length))
  for (const { number, last } of ranges.sort((a, b) => a.number - b.number)) {
    if (number <= count + 1) count = Math.max(count, last)
  }
  return { points, tables, named, labels, count }
}

interface Point {
  proposal: Proposal
  /** Whether the point states a request, or the vote that the board asks for. */
  isRequested: boolean
}

/**
 * Splits the paragraph of a point, from the second point on, if it has the next point too: "2. To ratify …; and 3. To
 * approve …", as in texts without blank lines between points.
 */
function apart(paragraph: Paragraph): Paragraph[] {
  const number = Number(POINT.exec(paragraph.text)?.[1] ?? 0)
  if (number < 2 || paragraph.text.startsWith('|')) return [paragraph]
  const next = new RegExp(`[;,]\\s{1,3}(?:and\\s{1,3})?(?=\\(?${number + 1}\\s?[.)]\\s)`).exec(paragraph.text)
  if (next === null) return [paragraph]
  const { start, end, text } = paragraph
  const at = next.index + next[0].length
  const [own, rest] = [text.slice(0, at).trimEnd(), text.slice(at)]
  return [{ start, end: start + own.length, text: own }, ...apart({ start: start + at, end, text: rest })]
}

function pointsOf(given: readonly Paragraph[]): Proposal[] {
  const front = given.flatMap(apart)
  let longest: Point[] = []
  for (const [at, paragraph] of front.entries()) {
    if (pointOf(paragraph)?.proposal.number !== 1) continue
    if (!front.slice(Math.max(0, at - BEFORE_MAX), at).some(({ text }) => introduces(text))) continue
    const list = restOf(front, at, pointOf, GAP_MAX)
    if (list.length > longest.length && list.every(({ isRequested }) => isRequested)) longest = list
  }
  return longest.map(({ proposal }) => proposal)
}

function tablesOf(front: readonly Paragraph[]): Proposal[][] {
  const found: Proposal[][] = []
  for (const [at, paragraph] of front.entries()) {
    if (rowOf(paragraph)?.proposal.number !== 1) continue
    const list = restOf(front, at, rowOf, ROW_GAP_MAX)
    if (list.length > 0 && list.every(({ isRequested }) => isRequested))
      found.push(list.map(({ proposal }) => proposal))
  }
  return found
}

/** Returns the points with the numbers 1, 2 … in order, without "other business" at the end. */
function restOf(
  front: readonly Paragraph[],
  from: number,
  read: (paragraph: Paragraph) => Point | null,
  gapMax: number,
): Point[] {
  const list: Point[] = []
  let gap = 0
  for (let at = from; at < front.length && gap <= gapMax && list.length < PROPOSALS_MAX; at++) {
    const point = read(front[at]!)
    if (point === null) gap++
    else if (point.proposal.number !== list.length + 1) break
    else {
      gap = 0
      list.push(point)
    }
  }
  const last = list.at(-1)
  if (!last || !OTHER_BUSINESS.test(last.proposal.value)) return list
  const { value } = last.proposal
  const length = withoutOther(value)
  return [
    ...list.slice(0, -1),
    ...(length === 0 ? [] : [{ ...last, proposal: { ...last.proposal, value: titleOf(value.slice(0, length)) } }]),
  ]
}

/**
 * Tests whether the only point contains the next point, as in "(1) To elect …; (2) to ratify …". It is then more than
 * one proposal.
 */
const holdsNext = (points: readonly Proposal[]) =>
  points.length === 1 && /[;,.]\s{1,3}(?:and\s{1,3})?(?:\(2\)|2\s?[.)])\s/.test(points[0]!.value)

const partRequested: Builder = (paragraph, number, from, to) => partOf(paragraph, number, from, to, IS_REQUESTED)
/** In a summary, a title may be short: "Auditors". */
const partPut: Builder = (paragraph, number, from, to) => partOf(paragraph, number, from, to, IS_PUT)

function partOf(paragraph: Paragraph, number: number, from: number, to: number, words: RegExp): Proposal | null {
  const value = titleOf(paragraph.text.slice(from, to))
  return value.length >= 4 && words.test(value) && !IS_RULE.test(value)
    ? { name: NAME, number, value, ...spanIn(paragraph, from, to) }
    : null
}

function pointOf(paragraph: Paragraph): Point | null {
  const match = POINT.exec(paragraph.text)
  return match && point(paragraph, match[1]!, match[2]!, null)
}

const NUMBER_CELL = /^\(?(\d{1,2})\)?\.?$/
const NUMBERED_CELL = /^\(?(\d{1,2})[.)]?\s{1,3}([A-Z“"].{3,})$/s

/** Reads a row if its first cell with content is a number, or begins with a number. */
function rowOf(paragraph: Paragraph): Point | null {
  const filled = cellsOf(paragraph.text).filter((cell) => cell !== '')
  // A table of a notice may name its list in the first cell: "| Proposals: | 1. Election of directors |".
  const [first = '', ...others] = isNameOfList(filled[0] ?? '') ? filled.slice(1) : filled
  const vote = voteOfCells(others)
  const alone = NUMBER_CELL.exec(first)
  const title = alone && others.find((cell) => /[A-Za-z]{3}/.test(cell) && voteAlone(cell) === null)
  if (alone) return title ? point(paragraph, alone[1]!, title, vote) : null
  const numbered = NUMBERED_CELL.exec(first)
  return numbered && point(paragraph, numbered[1]!, numbered[2]!, vote)
}

function rangeOf({ text }: Paragraph): { number: number; last: number }[] {
  const [, first = '', last = ''] = RANGE.exec(text) ?? []
  const [number, end] = [numberOf(first), numberOf(last)]
  return number !== null && end !== null ? [{ number, last: end }] : []
}

/** Matches a general title of holders' proposals, which names no request. */
const IS_GENERAL = /^(?:share|stock)(?:holder|owner)s?['’]?s?\s{1,3}proposals?\W*$/i

/**
 * Ranks labels. Rows with a vote come first, since the vote shows that the row is part of a summary of the proposals.
 * Then come headings and points, and then rows without a vote, such as rows of a table of contents. General titles of
 * holders' proposals come last.
 */
const rankOf = ({ cells, title }: Label) =>
  (cells.length === 0 ? 1 : voteOfCells(cells) === null ? 2 : 0) + (IS_GENERAL.test(title) ? 10 : 0)

const keyOf = ({ title }: Label) => title.toLowerCase()

/**
 * Returns the most frequent label, and among equally frequent labels the label of the best rank. If a longer label
 * begins with this label, returns the longer label, since a heading may take two lines.
 */
function bestOf(labels: readonly Label[]): Label {
  const counts = Map.groupBy(labels, keyOf)
  const often = (label: Label) => (IS_GENERAL.test(label.title) ? 0 : counts.get(keyOf(label))!.length)
  const better = (one: Label, other: Label) => often(other) - often(one) || rankOf(one) - rankOf(other)
  const best = labels.reduce((one, other) => (better(one, other) > 0 ? other : one))
  const goesOn = (label: Label) => keyOf(label).length > keyOf(best).length && keyOf(label).startsWith(keyOf(best))
  return labels.find(goesOn) ?? best
}

/**
 * Returns the labels of the first notice or summary that lists all proposals in sequence. A table of contents does not
 * count, since it may shorten the titles.
 */
function runOf(labels: readonly Label[], count: number): Label[] {
  for (const [i, { number }] of labels.entries()) {
    const run = number === 1 ? labels.slice(i, i + count) : []
    if (run.length === count && count > 0 && run.every((label, n) => label.number === n + 1 && rankOf(label) < 2))
      return run
  }
  return []
}

/**
 * Returns the labelled proposals from number 1 up to the first gap; none if the labels of a number concern different
 * topics.
 */
function namedOf(paragraphs: readonly Paragraph[], labels: readonly Label[]): Proposal[] {
  const own = labels.filter(({ title, last, number }) => title !== '' && last === number)
  const proposals = own.filter(({ word }) => word === 'proposal')
  const isItems = !proposals.some(({ number }) => number === 1)
  const items = isItems ? own.filter(({ word }) => word === 'item') : []
  const names: Label[] = []
  while (names.length < PROPOSALS_MAX) {
    const number = names.length + 1
    const [first, second] = [items, proposals].map((all) => all.filter((label) => label.number === number))
    // A proxy card that numbers items may label the holders' proposals as proposals, so a number without an item is
    // looked up among the proposals. If a statement has a Proposal 1, only proposals are read. An item may then belong
    // to an enclosed Form 10-K; a proposal cannot, because that form has none.
    const of = first!.length > 0 ? first! : second!
    if (of.length === 0) break
    if (!isOne(of)) return []
    names.push(bestOf(of))
  }
  const run = runOf(isItems ? items : proposals, names.length)
  const list = (run.length > 0 ? run : names).map(({ number, title, at, length }) => {
    const [from, to] = [paragraphs[at]!, paragraphs[at + length - 1]!]
    return { name: NAME, number, value: title, start: from.start, end: to.end }
  })
  const requests = list.filter(({ value }) => IS_PUT.test(value)).length
  // Form 10-K, Schedule 14A and Regulation S-K have numbered items too. Their first item asks for no vote, and neither
  // do most of their other items.
  return !isItems || (IS_PUT.test(list[0]?.value ?? '') && 2 * requests > list.length) ? list : []
}

/**
 * Tests whether the labels of one number concern one topic. More than half of the labels that name a topic must name
 * the same topic.
 */
function isOne(labels: readonly Label[]): boolean {
  const topics = labels.flatMap(({ title }) => topicOf(title) ?? [])
  const counts = [...Map.groupBy(topics, (topic) => topic).values()].map(({ length }) => length)
  return counts.length < 2 || 2 * Math.max(...counts) > topics.length
}

const NAME: FactName = 'proposal'

function point(paragraph: Paragraph, digits: string, text: string, vote: string | null): Point | null {
  const number = numberOf(digits)
  const value = titleOf(text)
  if (number === null || value.length < 4) return null
  const proposal = { name: NAME, number, value, ...spanIn(paragraph, 0, paragraph.text.length) }
  return { proposal, isRequested: vote !== null || (IS_REQUESTED.test(value) && !IS_RULE.test(value)) }
}

/**
 * Matches a sentence that follows a point of a list in the same paragraph, and that concerns the meeting, the board's
 * advice or the voting.
 */
const NEXT_SENTENCE =
  /(?<=[\p{L}\d)”"]{2})\.\s(?:(?:The|Our|Your)\s(?:Board|Company|close|foregoing|above|record|meeting|matters|items|proxy|accompanying|enclosed)\b|Only\s|(?:Stock|Share)holders\s(?:of\srecord|who)\b|Holders\sof\s|(?:All|Any|Each)\s(?:stock|share)holders?\b|We\s|You\s|If\syou\s|These\s|By\s[Oo]rder\s|Please\s|Whether\s).*$/su

/** Returns the words of the proposal without page references and without words that join it to the next proposal. */
const titleOf = (text: string): string =>
  text
    .slice(0, TITLE_MAX)
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/\s?\(\s?(?:see\s)?(?:pages?|items?)\s[^)]{0,60}\)/gi, '')
    .replace(/ • .*$/, '')
    .replace(NEXT_SENTENCE, '')
    .replace(/[;,.\s]{0,3}(?:\band\b)?[;,.\s]{0,3}$/, '')
    .trim()
