/** What is put to the vote: the numbered list of a notice, of a summary or of a table, whichever comes first and is whole. */
import type { Fact, FactName } from './meeting.ts'
import { type Paragraph, spanIn } from './prose.ts'

export interface Proposal extends Fact {
  number: number
}

/** A summary stands on the first pages, the notice before it. */
const FRONT_MAX = 120_000
const TITLE_MAX = 1_000
/** No real statement has more than some thirty. */
const PROPOSALS_MAX = 60
/** Between two points of a list a line may stand that is none: the foot of a page. */
const GAP_MAX = 2

const WORDS = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
export const NUMBER = `(?:\\d{1,2}|${WORDS.join('|')})`

/** 1 to 60, of digits or of a word; null for anything else. */
export function numberOf(text: string): number | null {
  const word = WORDS.indexOf(text.toLowerCase()) + 1
  const number = word || Number(text)
  return Number.isInteger(number) && number >= 1 && number <= PROPOSALS_MAX ? number : null
}

const POINT = /^\(?(\d{1,2})\s?[.)]\s{1,6}(.{4,})$/s
const NAMED = new RegExp(`^(?:-\\s{1,3})?(?:proposal|item)\\s{1,3}(?:no\\s?\\.?\\s{0,2})?(${NUMBER})\\b\\s{0,3}[:.—–-]{0,2}\\s{0,3}(.{4,})$`, 'is') // biome-ignore format: one line
/** A list is one of proposals where something says so before it. */
const BEFORE_LIST =
  /\b(?:following\s{1,3}(?:purposes?|matters?|proposals?|items?|business)|items\s{1,3}of\s{1,3}business|(?:consider|act|vote)\s{1,3}(?:and\s{1,3}(?:act|vote)\s{1,3})?(?:up)?on|be\s{1,3}asked\s{1,3}to)\b[^.]{0,400}$/i
const BEFORE_MAX = 3
/** What a meeting can be asked. */
const IS_ASKED =
  /\b(?:elect|ratif|approv|amend|advis|adopt|proposal|vote|consider|merger|authori[sz]|adjourn|reclassif|report|request|policy|compensation|plan)/i
const OTHER_BUSINESS = /\b(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b/i

/** The proposals in their order, empty where no list is whole: numbers from 1 on without a gap. */
export function proposalsOf(paragraphs: readonly Paragraph[]): Proposal[] {
  const front = paragraphs.filter(({ start }) => start < FRONT_MAX)
  return listOf(front, pointOf, true) ?? listOf(front, namedOf, false) ?? listOf(front, rowOf, false) ?? []
}

type Read = (paragraph: Paragraph) => Proposal | null

function listOf(front: readonly Paragraph[], read: Read, isAnnounced: boolean): Proposal[] | null {
  for (const [at, paragraph] of front.entries()) {
    if (read(paragraph)?.number !== 1) continue
    const before = front.slice(Math.max(0, at - BEFORE_MAX), at)
    if (isAnnounced && !before.some(({ text }) => BEFORE_LIST.test(text.slice(-500)))) continue
    const list = restOf(front, at, read)
    if (list.length > 0 && list.every(({ value }) => IS_ASKED.test(value))) return list
  }
  return null
}

/** A row for several proposals at once: what they are is told elsewhere. */
const RANGE = /^\|\s{0,3}\d{1,2}\s{0,2}[-–]\s{0,2}\d{1,2}\s{0,3}\|/

/** The points from one on, without the other business that comes last; none where one of them stands for several. */
function restOf(front: readonly Paragraph[], from: number, read: Read): Proposal[] {
  const list: Proposal[] = []
  let gap = 0
  for (let at = from; at < front.length && gap <= GAP_MAX && list.length < PROPOSALS_MAX; at++) {
    if (RANGE.test(front[at]!.text)) return []
    const point = read(front[at]!)
    if (point === null) gap++
    else if (point.number !== list.length + 1) break
    else {
      gap = 0
      list.push(point)
    }
  }
  return OTHER_BUSINESS.test(list.at(-1)?.value.slice(0, 200) ?? '') ? list.slice(0, -1) : list
}

function pointOf(paragraph: Paragraph): Proposal | null {
  const match = POINT.exec(paragraph.text)
  return match && proposal(paragraph, match[1]!, match[2]!)
}

function namedOf(paragraph: Paragraph): Proposal | null {
  const match = NAMED.exec(paragraph.text)
  return match && proposal(paragraph, match[1]!, match[2]!)
}

/** A row of a table, whose first cell is the number. */
function rowOf(paragraph: Paragraph): Proposal | null {
  if (!paragraph.text.startsWith('|')) return null
  const [, number = '', title = ''] = paragraph.text.split('|', 3).map((cell) => cell.trim())
  return /^\d{1,2}\.?$/.test(number) ? proposal(paragraph, number.replace('.', ''), title) : null
}

const NAME: FactName = 'proposal'

function proposal(paragraph: Paragraph, digits: string, said: string): Proposal | null {
  const number = numberOf(digits)
  const value = titleOf(said)
  if (number === null || value.length < 4) return null
  return { name: NAME, number, value, ...spanIn(paragraph, 0, paragraph.text.length) }
}

/** The words of the proposal without the place where it is told of, and without what joins it to the next one. */
const titleOf = (said: string): string =>
  said
    .slice(0, TITLE_MAX)
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\s+/g, ' ')
    .replace(/\s?\(\s?(?:see\s)?(?:page|item)\s[^)]{0,60}\)/gi, '')
    .replace(/ • .*$/, '')
    .replace(/[;,.\s]{0,3}(?:\band\b)?[;,.\s]{0,3}$/, '')
    .trim()
