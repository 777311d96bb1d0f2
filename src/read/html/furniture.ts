/** What belongs to pages and not to the text: their numbers, headers and footers that repeat, links back to the contents. */
import type { Block } from './block.ts'

/** Blocks before and after the end of a page that may be its footer and the next page's header. */
const REACH = 3
const LINE_MAX = 200
/** As often a line must stand at ends of pages to be furniture, and at most so many pages apart: left pages and right ones. */
const NUMBER_MAX = 30
const OFTEN = 3
const APART = 2

const PAGE_NUMBER = /^[-–—\s]*(?:page\s+)?((?:[A-Z]{1,3}\s?[-–—]\s?)?\d{1,4}|[ivxl]{1,7})(?:\s+of\s+\d{1,4})?[-–—\s]*$/i
const BACK =
  /^(?:(?:back|return|go)\s+to\s+)?(?:the\s+)?(?:table of contents|contents|index to financial statements|top)$|^quicklinks\b/i

/**
 * Finds the blocks that are left out.
 *
 * A number alone is that of a page where a page ends beside it, or where it goes on counting. A line that stood at the same
 * place of the page before, or of the one before that, is left out if it is the same but for a number that may have grown. The
 * first such line stays, so nothing is lost that stands nowhere else.
 */
export function furnitureOf(blocks: readonly Block[]): Set<Block> {
  const found = new Set<Block>()
  const ends = pageEnds(blocks, found)
  const seen = new Map<string, Line[]>()
  for (const line of linesBeside(blocks, ends)) {
    if (found.has(line.block)) continue
    const known = seen.get(line.key)
    if (known === undefined) seen.set(line.key, [line])
    else known.push(line)
  }
  for (const lines of seen.values()) {
    if (lines.length < OFTEN) continue
    for (const [index, line] of lines.entries()) {
      const before = lines[index - 1]
      if (before !== undefined && follows(before, line)) found.add(line.block)
    }
  }
  for (const block of blocks) if (isBackLink(block)) found.add(block)
  return found
}

interface Line {
  block: Block
  /** On which side of a page's end, and what it says without the number at its beginning or end. */
  key: string
  number: number | null
  page: number
}

const follows = (before: Line, line: Line): boolean =>
  line.page - before.page <= APART && (line.number === null || line.number >= before.number!)

/** Numbers of pages, which are added to `found`, and the places where pages end. */
function pageEnds(blocks: readonly Block[], found: Set<Block>): number[] {
  const ends: number[] = []
  const numbers: { at: number; number: number; prefix: string }[] = []
  for (const [at, block] of blocks.entries()) {
    if (block.kind === 'page') ends.push(at)
    else if (block.kind === 'paragraph' && block.plain.length <= NUMBER_MAX) {
      const number = PAGE_NUMBER.exec(block.plain)?.[1]
      if (number !== undefined) {
        numbers.push({ at, number: countOf(number), prefix: number.replace(/\d+$|^[ivxl]+$/i, '') })
      }
    }
  }
  let next = 0
  for (const [index, { at, number, prefix }] of numbers.entries()) {
    while (next < ends.length && ends[next]! < at) next++
    const beside =
      (ends[next] ?? Number.POSITIVE_INFINITY) - at <= REACH ||
      at - (ends[next - 1] ?? Number.NEGATIVE_INFINITY) <= REACH
    const goesOn = [numbers[index - 1], numbers[index + 1]].some(
      (other, side) => other?.prefix === prefix && other.number === number + (side === 0 ? -1 : 1),
    )
    if (beside || goesOn) found.add(blocks[at]!)
  }
  for (const { at } of numbers) if (found.has(blocks[at]!)) ends.push(at)
  return ends.sort((a, b) => a - b)
}

const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50 }

function countOf(number: string): number {
  const digits = /\d+$/.exec(number)?.[0]
  if (digits !== undefined) return Number(digits)
  const values = [...number.toLowerCase()].map((letter) => ROMAN[letter]!)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

/** Short lines before and after each end of a page, in order. A page's number and a break beside it are one end. */
function* linesBeside(blocks: readonly Block[], ends: readonly number[]): Generator<Line> {
  const given = new Set<Block>()
  let page = 0
  for (const [index, end] of ends.entries()) {
    const before = ends[index - 1]
    if (before === undefined || end - before > REACH) page++
    for (const step of [-1, 1]) {
      let left = REACH
      for (let at = end + step; left > 0; at += step) {
        const block = blocks[at]
        if (block === undefined) break
        if (block.kind === 'page') continue
        const line = lineOf(block)
        if (line === null) break
        left--
        if (given.has(block)) continue
        given.add(block)
        yield { block, key: `${step} ${line.key}`, number: line.number, page }
      }
    }
  }
}

/** A short line with the number at its beginning or end apart; null for what is no line. */
function lineOf(block: Block): { key: string; number: number | null } | null {
  if (block.kind !== 'paragraph' || block.plain.length > LINE_MAX || block.item !== null) return null
  const plain = block.plain.toLowerCase().replace(/\s+/g, ' ')
  if (!/\p{L}/u.test(plain)) return { key: plain, number: Number.NaN }
  const [, last] = /(?:^|[\s|])(\d{1,4})$/.exec(plain) ?? []
  if (last !== undefined) return { key: `${plain.slice(0, -last.length)}#`, number: Number(last) }
  const [, first] = /^(\d{1,4})(?=[\s|])/.exec(plain) ?? []
  if (first !== undefined) return { key: `#${plain.slice(first.length)}`, number: Number(first) }
  return { key: plain, number: null }
}

/** Whether a paragraph is a link back and nothing else. */
function isBackLink(block: Block): boolean {
  if (block.kind !== 'paragraph' || block.plain.length > LINE_MAX) return false
  const [link] = block.links
  return link?.start === 0 && link.address.startsWith('#') && BACK.test(block.plain)
}
