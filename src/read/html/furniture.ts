/**
 * Finds the furniture of pages, which is not part of the text: page numbers, repeated headers and footers, links back
 * to the table of contents.
 */
import { firstIndex } from '../first-index.ts'
import { type Block, IMAGE, type Paragraph } from './block.ts'

/**
 * Maximum number of blocks that are examined at each page end. Blocks before the end may be the footer, and blocks
 * after the end may be the header of the next page.
 */
const REACH = 3
const LINE_MAX = 150
const WORDS_MAX = 15
/** Maximum number of lines of a header that is one paragraph with line breaks. */
const LINES_MAX = 5
const NUMBER_MAX = 30
/**
 * A line is furniture only if it is at page ends at least OFTEN times, at most APART pages apart. APART is two, since
 * left and right pages may have different lines.
 */
const OFTEN = 3
/**
 * Numbers that are alone on a line and closer together than this are the numbers of notes. Each is next to the text of
 * its note (form 497K, 0000837276-25-000013).
 */
const NOTE_REACH = 3
const APART = 2

const PAGE_NUMBER =
  /^[-–—\s]*(?:page\s+)?((?:(?!EX)[A-Z]{1,3}\s?[-–—]\s?)?\d{1,4}|[ivxl]{1,7})(?:\s+of\s+(?:[A-Z]{1,3}-)?\d{1,4}(?:\s+pages)?)?[-–—\s]*$/i
/** Matches a number with a full stop, which is mostly the number of a list. */
const STOPPED = /^(\d{1,3})\.$/
const BACK =
  /^(?:(?:back|return|go)\s+to\s+)?(?:the\s+)?(?:table of contents|contents|index to financial statements|top)$|^quicklinks\b/i

/**
 * Returns the blocks that are left out.
 *
 * A number that is alone on a line is a page number in two cases: a page ends near it, or it continues the count of the
 * number before it or after it. A line at the very edge of a page is left out if the same line was on one of the two
 * pages before. The two lines may differ by a number that did not decrease. The first such line stays, so that no
 * unique text is lost.
 */
export function furnitureOf(blocks: readonly Block[]): Set<Block> {
  const found = new Set<Block>()
  const ends = pageEnds(blocks, found)
  // A heading with the words of a link back to the contents is not such a link (Verizon Wireless, 10-K of 2008).
  for (const block of blocks) if (isBackLink(block)) found.add(block)
  const lines = linesAround(blocks, ends, found)
  const seen = Map.groupBy(lines, ({ key }) => key)
  const places = new Map(blocks.map((block, at) => [block, at]))
  for (const equal of seen.values()) {
    const same = outermost(equal)
    if (
      same.length < OFTEN ||
      isContent(
        blocks,
        same.map(({ block }) => places.get(block)!),
      )
    )
      continue
    for (const [index, line] of same.entries()) {
      const before = same[index - 1]
      const after = same[index + 1]
      line.repeats = before !== undefined && follows(before, line)
      line.stays = !line.repeats && after !== undefined && follows(line, after)
    }
  }
  for (const line of lines) {
    const { outer } = line
    line.atEdge = outer === null || (outer.atEdge && (outer.repeats || outer.stays))
    if (line.atEdge && line.repeats) found.add(line.block)
  }
  return found
}

/**
 * Returns, for each page, the line next to the page end. An equal line further inside is the heading that the running
 * head repeats: "ITEM 1. BUSINESS" above "Item 1. Business".
 */
function outermost(lines: readonly Line[]): Line[] {
  const least = new Map<number, number>()
  for (const { page, distance } of lines) {
    least.set(page, Math.min(least.get(page) ?? Number.POSITIVE_INFINITY, distance))
  }
  return lines.filter(({ page, distance }) => distance === least.get(page))
}

const isContent = (blocks: readonly Block[], places: readonly number[]): boolean =>
  areTitles(blocks, places) || areCaptions(blocks, places)

/** Matches a word that states the period or the unit of a table. */
const CAPTION = /\b(?:months|weeks|quarters?|years?|ended|ending|as of|thousands|millions|unaudited)\b/i
/**
 * Matches every word that occurs in captions. A running head such as "Schedule of Investments (unaudited)" also has
 * other words.
 */
const CAPTION_WORD =
  /^(?:in|of|for|the|and|as|at|to|on|or|is|are|except|per|shares?|data|amounts?|percentages?|dollars?|u|s|us|usd|hundreds|thousands|millions|billions|unaudited|audited|months?|weeks?|quarters?|quarterly|years?|fiscal|periods?|then|ended|ending|one|two|three|four|six|nine|twelve|thirteen|twenty|thirty|forty|fifty|first|second|third|fourth|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec|january|february|march|april|may|june|july|august|september|october|november|december|expressed|stated|unless|otherwise|where|noted|indicated|respectively)$/i

/** Whether each of the lines states only the period or the unit of the table below it. */
function areCaptions(blocks: readonly Block[], places: readonly number[]): boolean {
  return places.every((at) => {
    const [own, next] = [blocks[at], blocks[at + 1]]
    return own?.kind === 'paragraph' && next?.kind === 'table' && isCaption(own.plain)
  })
}

const isCaption = (plain: string): boolean =>
  plain.length <= LINE_MAX &&
  CAPTION.test(plain) &&
  plain.split(/[^\p{L}]+/u).every((word) => word === '' || CAPTION_WORD.test(word))

/**
 * Whether each of the lines is above a different title. The name of the company above each of its statements is part of
 * the title of the statement. A running head is not part of a title, since it would also be above prose and above
 * "notes (continued)".
 */
function areTitles(blocks: readonly Block[], places: readonly number[]): boolean {
  const titles = new Set<string>()
  for (const at of places) {
    const [own, next] = [blocks[at], blocks[at + 1]]
    if (own?.kind !== 'paragraph' || next?.kind !== 'paragraph' || !isTitle(own) || !isTitle(next)) return false
    titles.add(next.plain)
  }
  return titles.size === places.length
}

const isTitle = ({ plain, spans, item }: Extract<Block, { kind: 'paragraph' }>): boolean =>
  item === null &&
  plain.length <= LINE_MAX &&
  /\p{Lu}{3}/u.test(plain) &&
  (spans[0]?.computed.bold === true || spans[0]?.computed.align === 'center')

interface Line {
  block: Block
  /** The side of the page end on which the line is, and the text without its number. */
  key: string
  number: number | null
  page: number
  /** The next line towards the page end. */
  outer: Line | null
  /** Number of lines between this line and the page end. */
  distance: number
  /**
   * `repeats`: the line was on an earlier page. `stays`: the line is the first of several equal lines that later pages
   * repeat.
   */
  repeats: boolean
  stays: boolean
  atEdge: boolean
}

const follows = (before: Line, line: Line): boolean =>
  line.page - before.page <= APART && (line.number === null || line.number >= before.number!)

/** Returns the positions of page ends. Adds the page numbers to `found`. */
function pageEnds(blocks: readonly Block[], found: Set<Block>): number[] {
  const ends: number[] = []
  const numbers: { at: number; number: number; prefix: string; isBare: boolean }[] = []
  const stopped: { at: number; number: number }[] = []
  const logos = logosOf(blocks)
  for (const [at, block] of blocks.entries()) {
    const number = block.kind === 'paragraph' && block.item === null ? STOPPED.exec(block.plain)?.[1] : undefined
    if (number !== undefined) stopped.push({ at, number: Number(number) })
    if (block.kind === 'page') ends.push(at)
    else if (block.kind === 'paragraph' && block.plain.length <= NUMBER_MAX) {
      const plain = withoutLogos(block, logos)
      const number = PAGE_NUMBER.exec(plain)?.[1]
      if (number !== undefined) {
        const prefix = number.replace(/(?<!\d)\d+$|^[ivxl]+$/i, '')
        numbers.push({ at, number: countOf(number), prefix, isBare: prefix === '' && plain === number })
      }
    }
  }
  const isNear = nearnessTo(ends)
  for (const { at } of counted(stopped.filter(({ at }) => isNear(at)))) found.add(blocks[at]!)
  for (const [index, { at, number, prefix, isBare }] of numbers.entries()) {
    const isNearEnd = isNear(at)
    const isCounted = [numbers[index - 1], numbers[index + 1]].some(
      (other, side) =>
        other?.prefix === prefix &&
        other.number === number + (side === 0 ? -1 : 1) &&
        (!isBare || Math.abs(other.at - at) > NOTE_REACH),
    )
    if (isNearEnd || isCounted) found.add(blocks[at]!)
  }
  for (const { at } of [...numbers, ...stopped]) if (found.has(blocks[at]!)) ends.push(at)
  return ends.sort((a, b) => a - b)
}

/** Returns a function that tests whether a position is near a page end. The positions must ascend. */
function nearnessTo(ends: readonly number[]): (at: number) => boolean {
  return (at) => {
    const next = firstIndex(ends.length, (i) => ends[i]! >= at)
    return (
      (ends[next] ?? Number.POSITIVE_INFINITY) - at <= REACH ||
      at - (ends[next - 1] ?? Number.NEGATIVE_INFINITY) <= REACH
    )
  }
}

/**
 * Returns the numbers of runs that count on by one, from one page end to another. A run has at least OFTEN numbers;
 * the numbers of a list are closer together.
 */
function counted<T extends { at: number; number: number }>(numbers: readonly T[]): T[] {
  const runs: T[][] = []
  for (const each of numbers) {
    const last = runs.at(-1)?.at(-1)
    if (last && each.number === last.number + 1 && each.at - last.at > 2 * REACH) runs.at(-1)!.push(each)
    else runs.push([each])
  }
  return runs.filter((run) => run.length >= OFTEN).flat()
}

/**
 * Returns the names of pictures that are alone with a number at least OFTEN times: the logo next to a page number. An
 * embedded picture has no name that shows whether it is the same picture again.
 */
function logosOf(blocks: readonly Block[]): Set<string> {
  const times = new Map<string, number>()
  for (const block of blocks) {
    if (block.kind !== 'paragraph' || block.images.length === 0 || block.plain.length > NUMBER_MAX) continue
    if (!PAGE_NUMBER.test(block.plain.replaceAll(IMAGE, '').trim())) continue
    for (const { name } of block.images) if (name !== '') times.set(name, (times.get(name) ?? 0) + 1)
  }
  return new Set([...times].flatMap(([name, count]) => (count >= OFTEN ? [name] : [])))
}

/** Returns the text without its pictures if all of them are logos; else the whole text. */
function withoutLogos({ plain, images }: Paragraph, logos: ReadonlySet<string>): string {
  if (images.length === 0 || !images.every(({ name }) => logos.has(name))) return plain
  return plain.replaceAll(IMAGE, '').trim()
}

const ROMAN: Record<string, number> = { i: 1, v: 5, x: 10, l: 50 }

function countOf(number: string): number {
  const digits = /(?<!\d)\d+$/.exec(number)?.[0]
  if (digits !== undefined) return Number(digits)
  const values = [...number.toLowerCase()].map((letter) => ROMAN[letter]!)
  return values.reduce((sum, value, index) => sum + (value < (values[index + 1] ?? 0) ? -value : value), 0)
}

/**
 * Returns short lines before and after each page end, the nearest first. A page number next to a page break counts as
 * one page end with the break.
 *
 * @param known page numbers and links back, which are skipped
 */
function linesAround(blocks: readonly Block[], ends: readonly number[], known: ReadonlySet<Block>): Line[] {
  const lines = new Map<Block, Line>()
  // Filters the blocks once. If page breaks and known blocks were skipped at each page end, many of these blocks in a
  // row would take quadratic time.
  const shown = blocks.filter((block) => block.kind !== 'page' && !known.has(block))
  const places = placesOf(blocks, ends, known)
  let page = 0
  for (const [index, end] of ends.entries()) {
    const before = ends[index - 1]
    if (before === undefined || end - before > REACH) page++
    for (const step of [-1, 1]) {
      let outer: Line | null = null
      for (let distance = 0; distance < REACH; distance++) {
        const at = step < 0 ? places[index]! - 1 - distance : places[index]! + distance
        const block = shown[at]
        if (block === undefined) break
        const nearer: Line | undefined = lines.get(block)
        // On a short page a line is within reach of two page ends, and belongs to the nearer page end.
        const found: Line | null =
          nearer !== undefined && nearer.distance <= distance
            ? nearer
            : lineAt(block, { step, at, page, outer, distance })
        if (found === null) break
        lines.delete(block)
        lines.set(block, found)
        outer = found
      }
    }
  }
  return [...lines.values()]
}

/** Returns the number of shown blocks before each page end. */
function placesOf(blocks: readonly Block[], ends: readonly number[], known: ReadonlySet<Block>): number[] {
  let at = 0
  let count = 0
  return ends.map((end) => {
    for (; at < end; at++) if (blocks[at]!.kind !== 'page' && !known.has(blocks[at]!)) count++
    return count
  })
}

function lineAt(
  block: Block,
  { step, at, ...place }: { step: number; at: number } & Pick<Line, 'page' | 'outer' | 'distance'>,
): Line | null {
  const line = lineOf(block, at)
  if (line === null) return null
  return {
    block,
    key: `${step} ${line.key}`,
    number: line.number,
    ...place,
    repeats: false,
    stays: false,
    atEdge: false,
  }
}

/**
 * Match the page number in a line: `Page 3 of 9 Pages` among other words, or an Arabic or Roman number at the end or at
 * the beginning.
 */
const NUMBERS = [
  /\bpage\s+(\d{1,4})(?:\s+of\s+\d{1,4}(?:\s+pages)?)?/,
  /(?<=^|[\s|])(\d{1,4}|[ivxl]{1,7})$/,
  /^(\d{1,4}|[ivxl]{1,7})(?=[\s|])/,
]
/**
 * Matches text that may repeat on each page without being furniture: rows of forms, checkboxes, list items, signatures.
 */
const TEXT =
  /[☐☑☒]|\[\s?[x_]?\s?\]|^\(?(?:\d{1,2}|[a-z])[.)]|^signatures?\b|\/s\/|^(?:by|name|dated?):|^(?:not applicable|none|\[?reserved)\b|^names? of reporting|^i\.?r\.?s\.? ident|^type of reporting/i

/** Returns a short line without its number; null if the block at `at` cannot be a header or footer. */
function lineOf(block: Block, at: number): { key: string; number: number | null } | null {
  if (block.kind !== 'paragraph' || block.item !== null || block.laid || !hasShortLines(block.plain)) return null
  // A logo stands next to the text of a header on each page.
  const plain = block.plain.replaceAll(IMAGE, '').toLowerCase().replace(/\s+/g, ' ').trim()
  if (TEXT.test(plain)) return null
  if (!/\p{L}/u.test(plain)) return { key: plain, number: Number.NaN }
  // Pictures without names may differ, so each has a key of its own.
  const pictures = block.images.map(({ name }) => `/${name || `?${at}`}`).join('')
  for (const pattern of NUMBERS) {
    const found = pattern.exec(plain)
    if (found === null) continue
    const key = `${plain.slice(0, found.index)}#${plain.slice(found.index + found[0].length)}${pictures}`
    return { key, number: countOf(found[1]!) }
  }
  return { key: `${plain}${pictures}`, number: null }
}

const hasShortLines = (plain: string): boolean => {
  // Many page ends may be beside one long paragraph.
  if (plain.length > LINE_MAX * LINES_MAX) return false
  const lines = plain.split('\n')
  return (
    lines.length <= LINES_MAX &&
    lines.every((line) => line.length <= LINE_MAX && line.trim().split(/\s+/).length <= WORDS_MAX)
  )
}

/** Whether a paragraph consists only of a link back to the table of contents. */
function isBackLink(block: Block): boolean {
  if (block.kind !== 'paragraph' || block.plain.length > LINE_MAX) return false
  const [link] = block.links
  return link?.start === 0 && link.address.startsWith('#') && BACK.test(block.plain)
}
