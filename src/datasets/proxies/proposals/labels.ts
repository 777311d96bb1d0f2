/**
 * Finds proposals by their labels in a statement: "Proposal 1", "Item No. 2", in headings, points and cells of tables.
 */
import type { Paragraph } from '../prose.ts'
import { cellsOf, voteAlone } from '../recommendations/votes.ts'
import { NUMBER_AFTER_WORD, numberOf } from './numbers.ts'

export interface Label {
  word: 'proposal' | 'item'
  number: number
  /** The last number of a range: "Items 5-7". */
  last: number
  /** The words of the proposal; empty if the label has only a number. */
  title: string
  /**
   * `at` is the index of the label's first paragraph. `length` is the number of its paragraphs, including the title.
   */
  at: number
  length: 1 | 2
  /** The cells of the label's row; empty outside tables. */
  cells: string[]
}

/**
 * Words that may come before a label. "Shareholder" is not one of these words. Holders' proposals are numbered from one
 * again, so "Shareholder Proposal 1" does not give a number on the card.
 */
const OF_BOARD = '(?:(?:proxy|agenda|ballot|voting|management|company)\\s{1,3})?'
const LABEL = new RegExp(
  `^[^\\p{L}\\p{N}|(]{0,8}${OF_BOARD}(proposal|item)(s?)(?:\\s{1,3}|\\s{0,3}#\\s{0,2})(?:nos?\\b\\s?\\.?\\s{0,2}|numbers?\\s{1,3}|#\\s{0,2})?(${NUMBER_AFTER_WORD})([a-d]?)(?![\\p{L}\\p{N}]|[.,]\\d)(?:\\s{0,2}(?:[-–—]|to|through)\\s{0,2}(\\d{1,2})(?!\\d|[.,]\\d))?`,
  'iu',
)
/** Matches "To elect five directors (Proposal 1)", "SHAREHOLDER PROPOSAL ON PAPER (ITEM NO. 4 ON PROXY CARD)" */
const LABEL_AFTER_TITLE = new RegExp(
  `^([^()]{4,300}(?:\\([^()]{0,60}\\)[^()]{0,200})?)\\(\\s?(proposal|item)\\s{1,3}(?:nos?\\b\\s?\\.?\\s{0,2}|numbers?\\s{1,3})?(${NUMBER_AFTER_WORD})(?:\\s{1,3}on\\b[^()]{0,40})?\\)[\\s;.,]{0,4}(?:and)?[\\s;.,|]{0,4}$`,
  'iu',
)
/** Matches a line that is only "(Proposal No. 2)". The heading above this line has the title. */
const LABEL_BELOW_TITLE = new RegExp(
  `^\\s{0,3}\\(\\s?(proposal|item)\\s{1,3}(?:nos?\\b\\s?\\.?\\s{0,2}|numbers?\\s{1,3})?(${NUMBER_AFTER_WORD})\\s?\\)\\s{0,3}$`,
  'i',
)
const SEPARATED = /^\s{0,3}(?:\([a-z]\)\s{0,2})?[:.—–|-]/
/** Maximum length of a title in a heading or point. In a longer paragraph, the first sentence is the title. */
const TITLE_MAX = 400
/** Matches statements about a proposal that are not its title: the required vote, the rights of holders. */
const IS_STATEMENT =
  /^(?:for|against|abstain|majority of|plurality of|you|we|if|your|each|no|none|not|yes|page|see)\b|^(?:the|an?)\s{1,3}(?:affirmative|majority|plurality)\b|\b(?:affirmative vote|votes? cast|plurality of|broker non|recommends?|requires?|is required|will be (?:elected|approved|decided|ratified))\b/i

/** Matches the boxes of a proxy card. */
const OF_CARD = /\s{0,3}(?:\[\s{0,3}\]|[☐□❑/])\s{0,3}(?:for|against|abstain|withhold)\b.*$/is
/** Matches titles that are not one proposal: other business, or "Item 3 and 4", which covers two proposals. */
const IS_NONE = /\b(?:other|further)\s{1,3}(?:such\s{1,3})?(?:business|matters)\b|^(?:and|to|through|&)\s{1,3}\d/i

/** Returns all labels of proposals, in the order of the text. Skips labels in prose ("Proposal 2 requires …"). */
export function labelsOf(paragraphs: readonly Paragraph[]): Label[] {
  const labels: Label[] = []
  for (const [at, { text }] of paragraphs.entries()) {
    const cells = cellsOf(text)
    if (cells.length === 0) labels.push(...labelIn(text, paragraphs[at + 1], at), ...labelBelow(text, paragraphs, at))
    for (const [i, cell] of cells.entries()) labels.push(...labelInCell(cell, cells.slice(i + 1), at, cells))
  }
  return labels
}

function* labelIn(text: string, next: Paragraph | undefined, at: number): Generator<Label> {
  const found = read(text)
  if (!found) return
  const { rest, ...label } = found
  const title = titleOf(rest)
  if (title !== '') yield { ...label, title, at, length: 1, cells: [] }
  else if (!/\p{L}/u.test(rest)) {
    // The number is a separate heading, and the next heading has the title.
    const below = next && !read(next.text) && isHeading(next.text) ? titleOf(next.text) : ''
    yield { ...label, title: below, at, length: below === '' ? 1 : 2, cells: [] }
  }
}

function* labelBelow(text: string, paragraphs: readonly Paragraph[], at: number): Generator<Label> {
  const found = LABEL_BELOW_TITLE.exec(text)
  const number = numberOf(found?.[2] ?? '')
  if (!found || number === null) return
  const above = paragraphs[at - 1]
  const title = above && !read(above.text) && isHeading(above.text) ? titleOf(above.text) : ''
  const word = found[1]!.toLowerCase() as Label['word']
  const place = title === '' ? { at, length: 1 as const } : { at: at - 1, length: 2 as const }
  yield { word, number, last: number, title, ...place, cells: [] }
}

function* labelInCell(cell: string, following: readonly string[], at: number, cells: string[]): Generator<Label> {
  const found = read(cell)
  if (!found) return
  const { rest, ...label } = found
  const own = titleOf(rest)
  const title = own === '' && !/\p{L}/u.test(rest) ? titleOf(following.find((each) => /\p{L}/u.test(each)) ?? '') : own
  yield { ...label, title, at, length: 1, cells }
}

function read(text: string) {
  const found = LABEL.exec(text)
  const number = numberOf(found?.[3] ?? '')
  if (!found || number === null) return readAfterTitle(text)
  const rest = text.slice(found[0].length)
  // A sentence continues with a verb; a title follows a separator or begins with a capital.
  if (!SEPARATED.test(rest) && /^[^\p{L}]*\p{Ll}/u.test(rest)) return null
  const last = found[2] ? numberOf(found[5] ?? '') : null
  // Form 10-K and Regulation S-K also number their items. In the plural ("Items 5-7"), the items are items of the proxy
  // card, so only a plural has a range.
  return { word: found[1]!.toLowerCase() as Label['word'], number, last: Math.max(number, last ?? number), rest }
}

function readAfterTitle(text: string) {
  const [, rest = '', word = '', digits = ''] = text.length > TITLE_MAX ? [] : (LABEL_AFTER_TITLE.exec(text) ?? [])
  const number = numberOf(digits)
  return number === null ? null : { word: word.toLowerCase() as Label['word'], number, last: number, rest }
}

const isHeading = (text: string) => text.length <= 200 && !text.startsWith('|') && !/[;:]\s*$|\.\s+\p{Lu}/u.test(text)

/**
 * Matches the label of the second proposal. The text of "Proposal 1: …; Proposal 2: …" in one paragraph is not the
 * title of the first proposal.
 */
const HOLDS_NEXT =
  /[;,.]\s{1,3}(?:and\s{1,3})?(?:proposal|item)\s{1,3}(?:nos?\.?\s{0,3}|number\s{1,3})?(?:2|two)\s?[.:–—-]/i

/** Removes leading separators and the page number; returns an empty text if the words are not a title. */
function titleOf(raw: string): string {
  if (HOLDS_NEXT.test(raw.slice(0, 2 * TITLE_MAX))) return ''
  const text = raw
    .slice(0, 2 * TITLE_MAX)
    .replace(/^[\s:.—–|)-]*(?:\([a-z]\)\s{1,3})?/, '')
    .replace(/!?\[([^\]]{0,200})\]\([^)]{0,300}\)/g, '$1')
    .replace(/\]\([^)]{0,300}\)/g, '')
    .replace(OF_CARD, '')
    .replace(/\s+/g, ' ')
    .replace(/\s?\(\s?(?:see\s)?(?:pages?|items?)\s[^)]{0,60}\)/gi, '')
    .replace(/\s?(?:(?<!\.)\.{2,}|…)\s?\d{1,3}\s?$/, '')
    .replace(/\s{0,3}\(\s?cont(?:inued|['’]?d)?\.?\s?\)\s{0,3}$/i, '')
    .trim()
  const sentence =
    text.length > TITLE_MAX / 2 ? (/^.{8,240}?[\p{L})”]{2}[.:](?=\s\p{Lu})/u.exec(text)?.[0] ?? text) : text
  const title = sentence.replace(/[;,.:\s]{0,3}(?:\band\b)?[;,.:\s]{0,3}$/, '')
  const isTitle = title.length >= 4 && title.length <= TITLE_MAX && /\p{L}{3}/u.test(title)
  return isTitle && voteAlone(title) === null && !IS_STATEMENT.test(title) && !IS_NONE.test(title) ? title : ''
}
