/** Finds expense examples in the Markdown of a prospectus (Form N-1A, Item 3; Form N-2, Item 3). */
import { INVESTMENT } from './amounts.ts'
import { gridsIn } from './grid.ts'
import { type Line, linesOf } from './layouts.ts'
import { proseLines } from './prose.ts'
import { casesOf, type Redemption, redemptionIn, redemptionOf } from './redemption.ts'

/** An example without its series and class, which are not assigned yet. */
export interface WrittenExample extends Line {
  /** Number of the example's table in the document, from 1. */
  table: number
  /** Amount that the example invests, US dollars: 10000. */
  investment: string
}

export interface Examples {
  lines: WrittenExample[]
  /** Examples of the text that could not be read, or could be read only in part. */
  problems: { path: string; value: string; reason: string }[]
}

const EXAMPLES_MAX = 300
/** Maximum distance between the sentence with the investment and its table. */
const REACH = 6_000
/** Maximum length of the text between two tables of one example. */
const GAP = 800
const PARAGRAPH_MAX = 6_000

/** Returns the examples in the order of the document. */
export function examplesOf(markdown: string): Examples {
  const found: Examples = { lines: [], problems: [] }
  let table = 0
  const places = placesOf(markdown)
  for (const [n, place] of places.entries()) {
    const to = Math.min(place.end + REACH, places[n + 1]?.start ?? markdown.length)
    const read = readAt(markdown, place, to)
    for (const each of read.tables) {
      table++
      found.lines.push(...each.map((line) => ({ ...line, table, investment: place.investment })))
    }
    for (const { start, end, reason } of read.unread) {
      found.problems.push({ path: 'expense example', value: markdown.slice(start, Math.min(end, start + 300)), reason })
    }
  }
  return found
}

interface Place {
  /** Offsets of the paragraph that states the investment. */
  start: number
  end: number
  investment: string
}

/** Returns the paragraphs that introduce an example: an investment, and a return of 5% a year. */
function placesOf(markdown: string): Place[] {
  const places: Place[] = []
  let seen = 0
  for (const found of markdown.matchAll(INVESTMENT)) {
    if (places.length >= EXAMPLES_MAX) break
    if (found.index < seen) continue
    const start = markdown.lastIndexOf('\n', found.index) + 1
    const stop = markdown.indexOf('\n', found.index)
    const end = stop < 0 ? markdown.length : stop
    // Other amounts of the same paragraph are skipped, so that a long paragraph is searched once.
    seen = end
    if (markdown[start] === '|' || end - start > PARAGRAPH_MAX) continue
    const isExample = /\bexamples?\b/i.test(markdown.slice(Math.max(0, start - 400), end))
    const isGrowing = /\b5(?:\.0{1,2})?\s?%/.test(markdown.slice(Math.max(0, start - 300), end + 600))
    const investment = isExample && isGrowing ? investmentIn(markdown.slice(start, end)) : null
    if (investment !== null) places.push({ start, end, investment })
  }
  return places
}

/** Returns the amount that stands next to a word about investing in a paragraph. */
function investmentIn(paragraph: string): string | null {
  for (const { 0: all, 1: amount, index } of paragraph.matchAll(INVESTMENT)) {
    const near = paragraph.slice(Math.max(0, index - 80), index + all.length + 40)
    if (/\binvest/i.test(near)) return amount!.replaceAll(',', '')
  }
  return null
}

interface Unread {
  start: number
  end: number
  reason: string
}

/** Reads the tables of one example, or its sentences if it has no table. */
function readAt(markdown: string, place: Place, to: number): { tables: Line[][]; unread: Unread[] } {
  const tables: Line[][] = []
  const unread: Unread[] = []
  let above = place.start
  for (const grid of gridsIn(markdown, place.end, to)) {
    if (tables.length > 0 && grid.start - above > GAP) break
    const reading = linesOf(grid)
    if (reading === null) continue
    for (const row of reading.unread) unread.push({ ...row, reason: 'the amounts belong to no known year or class' })
    const redemption = redemptionAt(markdown.slice(above, grid.start))
    const all = reading.lines.map((line) => ({ ...line, redemption: line.redemption ?? redemption }))
    const lines = withoutAnnuities(all, unread)
    above = grid.end
    if (lines.length === 0) continue
    if (areTwice([...tables.flat(), ...lines])) {
      unread.push({ start: grid.start, end: grid.end, reason: 'states a class twice, without saying for which case' })
      continue
    }
    tables.push(lines)
  }
  if (tables.length > 0) return { tables, unread }
  const prose = proseLines(markdown, place.end, Math.min(to, place.end + REACH / 4))
  const redemption = redemptionIn(markdown.slice(place.start, place.end))
  if (prose !== null) {
    const lines = prose.map((line) => ({ ...line, redemption: line.redemption ?? redemption }))
    return { tables: [withoutAnnuities(lines, unread)], unread }
  }
  const none = { start: place.start, end: place.end, reason: 'no amounts by year were found' }
  return { tables, unread: unread.length > 0 ? unread : [none] }
}

/** Leaves out amounts of a contract that pays an annuity. Such a contract is neither surrendered nor kept. */
function withoutAnnuities(lines: readonly Line[], unread: Unread[]): Line[] {
  const annuity = lines.find(({ redemption }) => redemption === 'annuitized')
  if (!annuity) return [...lines]
  unread.push({ start: annuity.start, end: annuity.end, reason: 'is about a contract that pays an annuity' })
  return lines.filter(({ redemption }) => redemption !== 'annuitized')
}

/**
 * Returns what the words above a table say about redemption: those of the last line if it is a heading, else all words.
 */
function redemptionAt(words: string): Redemption | null {
  const last = words.trimEnd().slice(words.trimEnd().lastIndexOf('\n') + 1)
  return redemptionIn(last) === 'either' ? 'either' : (redemptionOf(last) ?? redemptionIn(words))
}

/**
 * Tests whether a class has several amounts for one period that cannot be told apart: two are for the same case (shares
 * redeemed, or kept), or one states no case.
 */
function areTwice(lines: readonly Line[]): boolean {
  const cases = Map.groupBy(lines, ({ class_name, years }) => `${years} ${class_name}`)
  return [...cases.values()].some((own) => {
    const all = own.flatMap(({ redemption }) => casesOf(redemption))
    return own.length > 1 && (all.includes(null) || new Set(all).size < all.length)
  })
}
