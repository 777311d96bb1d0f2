/** Joins lines of plain text to paragraphs, headings and text in columns. */
import type { Block } from '../html/block.ts'
import { collapsed, preserved } from '../html/characters.ts'
import { wordsTo } from '../prose/numerals.ts'
import { HeadAbove } from './head-above.ts'
import type { TableLine } from './lines.ts'
import { LOOKS, paragraph } from './paragraph.ts'
import { fenceOf, tableBlocks } from './table.ts'
import { untaggedBlocks } from './untagged.ts'

export interface Blocks {
  /**
   * A line outside of tables; an empty line ends a block.
   *
   * @param isExact whether each character is at the position at which the filer saw it
   */
  line(line: string, isExact: boolean): void
  /** A line of a table. */
  row(line: TableLine): void
  /** @param isEnded whether the table has an end tag */
  endTable(isEnded: boolean): void
  page(): void
  end(): Block[]
}

/** Longest line of prose: filers set lines to a width of 72 to 80 characters. */
const WIDTH = 80
const HEADING_MAX = 160
const HEADING_LINES = 4
/** If the first line of a title is longer than this, the next line belongs to the title. */
const TITLE_LINE = 55
/**
 * The mark at the start of a list item, or the number of an item, a part or a note. A wide blank after such a mark does
 * not begin a column.
 */
const MARKER =
  /^(?:items?\s+\w{1,4}[.:]?|part\s+[ivx]+[.:]?|\(?(?:\d{1,3}|[a-z]|[ivxl]{1,5})[.)]|[-*•o]|note\s+\d{1,2}[.:]?)\s+/i
const GAP = /\S(?: {3,}|\.{4,}\s*|(?:\. ){4,})\S/
const RULE_SIGNS = /^[\s\-=_*.]+$/
const ITEM = /^(?:part\s+[ivx]+\b|items?\s+(?:\d{1,2}|[A-Z]\b))/i
const SENTENCE_END = /[.:;!?]["')\]]*$/

/**
 * Whether the line is a rule that is drawn with characters. The function makes two tests, since the time of a single
 * pattern would grow with the cube of the line's length.
 */
const isRule = (line: string) => RULE_SIGNS.test(line) && /[-=_]{3}/.test(line)

/** Adds a block. Two blocks of text in columns with only an empty line between them are joined into one. */
function add(block: Block, blocks: Block[]): void {
  const last = blocks.at(-1)
  if (block.kind === 'fence' && last?.kind === 'fence') last.text += `\n\n${block.text}`
  else blocks.push(block)
}

export function openBlocks(): Blocks {
  const blocks: Block[] = []
  let lines: string[] = []
  let areExact = true
  let rows: TableLine[] = []
  const head = new HeadAbove()

  function flush(): void {
    if (lines.length === 0) return
    const held = lines
    const table = areExact ? (untaggedBlocks(held) ?? head.tableWith(held, blocks)) : null
    const last = blocks.at(-1)
    const before = last?.kind === 'fence' ? last.text : ''
    for (const block of table ?? partsOf(held).flatMap((part) => [...blocksOf(part)])) add(block, blocks)
    if (table === null && areExact) head.keepLast(held, blocks, { last, before })
    else head.forget()
    lines = []
    areExact = true
  }

  function endTable(isEnded: boolean): void {
    flush()
    const held = rows
    rows = []
    const certain = isEnded ? tableBlocks(held) : null
    if (certain !== null) {
      for (const block of certain) blocks.push(block)
      return
    }
    const fence = fenceOf(held)
    if (fence.text.trim() !== '') blocks.push(fence)
  }

  return {
    line(line, isExact) {
      if (line === '') flush()
      else {
        lines.push(line)
        areExact &&= isExact
      }
    },
    row(line) {
      flush()
      rows.push(line)
    },
    endTable,
    page() {
      flush()
      blocks.push({ kind: 'page' })
    },
    end() {
      flush()
      endTable(false)
      return blocks
    },
  }
}

/** Numbers in Roman letters and in words. */
const SPELT = `(?:[IVX]{1,5}|${wordsTo(16)})`
/**
 * Matches a line that begins with the number of an item or a part of the form. Such a line is a heading even without an
 * empty line above it.
 */
const BEGINS_ITEM = new RegExp(
  String.raw`^\s*(?:["“]?(?:part\s{1,4}(?:i{1,3}|iv)\s{0,3}[,.:;–—-]{1,2}\s{0,3})?[il1]\s?t\s?e\s?(?:m|rn)s?[\s:#_–—-]{0,4}(?:nos?\.?\s{1,3})?(?:[([]?\d{1,2}(?:\s?\(?[A-C]\)?)?(?:\.\d\d)?(?:\s{0,3}[.:)\]/–—-]|\s|$|(?=[A-Z][a-z]{3}))|${SPELT}(?:\s{0,3}[.:–—-]|\s{1,3}[A-Z]{2}|$))|part\s{1,4}(?:I{1,3}|IV)\s{0,3}(?:[.:–—-]|$))`,
  'i',
)
/** Matches the label of a page, which is above the page's text. */
const PAGE_LABEL = /^\s*(?:page\s{1,3}\d{1,4}(?:\s{1,3}of\s{1,3}\d{1,4})?|\(\d{1,4}\))\s*$/i
/** Matches the label of a page on the line of an item's heading: "-12- ITEM 7.", "Page 12 ITEM 7.", "10-K 12 ITEM 7." */
const LABEL_BEFORE_ITEM =
  /^\s*(?:10-[KQ](?:405)?\s{1,40})?[-–—~([]?\s?(?:[Pp]age\s{1,3}|PAGE\s{1,3})?(?:[A-Z]{1,3}-)?(?:\d{1,3}|[ivxl]{1,6})\s?[-–—~)\]]?\s{1,80}(?=ITEMS?\s)/

/** Puts the label of a page on a line of its own, if the heading of an item follows it. */
function withoutLabel(line: string): string[] {
  const label = LABEL_BEFORE_ITEM.exec(line)?.[0]
  return label !== undefined && BEGINS_ITEM.test(line.slice(label.length)) ? [label, line.slice(label.length)] : [line]
}

/**
 * Matches a line whose sentence continues in the next line: "as described in" above "Item 7. Management's Discussion".
 */
const CONTINUES =
  /[,(]$|\b(?:a|an|and|as|at|by|for|from|in|of|or|see|the|to|under|with|this|that|pursuant|entitled|caption|captioned|heading)$/i
/**
 * A line with fewer characters than this ends before the margin, so a text may have ended there; the second number is
 * the limit for lines in capitals.
 */
const [FULL_LINE, FULL_LINE_OF_CAPITALS] = [45, 65]

/** Splits consecutive lines that are not empty: before each heading and after each page label. */
function partsOf(given: readonly string[]): string[][] {
  const parts: string[][] = []
  let from = 0
  // A table of contents is not split at its items.
  if (isColumns(given.filter((line) => !isRule(line)))) return [[...given]]
  const lines = given.flatMap(withoutLabel)
  for (let i = 1; i < lines.length; i++) {
    const [before, line] = [lines[i - 1]!, lines[i]!]
    if (!(PAGE_LABEL.test(before) || (BEGINS_ITEM.test(line) && (endsAbove(before) || standsOut(line, before)))))
      continue
    parts.push(lines.slice(from, i))
    from = i
  }
  return [...parts, lines.slice(from)]
}

/** Whether the line is in capitals, and the line before it is not in capitals and may be the end of a text. */
const standsOut = (line: string, before: string): boolean =>
  isCapital(line) && !isCapital(before) && !CONTINUES.test(before.trim())

/** Whether the text above a heading has ended: with a sentence, a line in capitals, or a short line. */
function endsAbove(line: string): boolean {
  const shown = line.trim()
  if (SENTENCE_END.test(shown) || isRule(line)) return true
  return !CONTINUES.test(shown) && shown.length < (isCapital(line) ? FULL_LINE_OF_CAPITALS : FULL_LINE)
}

/** Yields the blocks in consecutive lines that are not empty. */
function* blocksOf(lines: readonly string[]): Generator<Block> {
  const shown = lines.filter((line) => !isRule(line))
  if (shown.length === 0) return
  if (isColumns(shown)) {
    yield { kind: 'fence', text: preserved(lines.join('\n')) }
    return
  }
  const title = titleLines(lines)
  if (title > 0) {
    yield* titlesOf(lines.slice(0, title))
    const rest = lines.slice(title).filter((line) => !isRule(line))
    if (rest.length > 0) yield* paragraphsOf(rest)
    return
  }
  yield* paragraphsOf(shown)
}

const bare = (line: string) => line.trimStart().replace(MARKER, '')
const indentOf = (line: string) => line.length - line.trimStart().length

/** Whether wide blanks or dots divide most lines. Then the lines are a table without a tag. */
function isColumns(lines: readonly string[]): boolean {
  const parted = lines.filter((line) => GAP.test(bare(line))).length
  return parted > 0 && parted * 2 >= lines.length
}

/** Returns how many lines at the beginning are a title; 0 if there is none. */
function titleLines(lines: readonly string[]): number {
  const first = lines[0]!.trim()
  // A rule under the text marks a title.
  if (lines.length > 1 && first.length < HEADING_MAX && isRule(lines[1]!)) return 2
  if (ITEM.test(first)) {
    const continues = (line: string) =>
      indentOf(line) >= indentOf(lines[0]!) + 4 || (isCapital(line) && isCapital(first)) || first.length > TITLE_LINE
    let count = 1
    while (count < Math.min(lines.length, HEADING_LINES) && continues(lines[count]!)) count++
    const text = lines.slice(0, count).map((line) => line.trim())
    const isShort = count === lines.length || first.length <= TITLE_LINE
    return isShort && text.join(' ').length <= HEADING_MAX ? count : 0
  }
  if (lines.length > HEADING_LINES) return 0
  const isTitle = lines.every((line) => isCapital(line) || isCentered(line))
  return isTitle && lines.join(' ').length <= HEADING_MAX ? lines.length : 0
}

const isCapital = (line: string) => /\p{Lu}{2}/u.test(line) && !/\p{Ll}/u.test(line)

function isCentered(line: string): boolean {
  const indent = indentOf(line)
  const right = WIDTH - line.length
  return indent >= 10 && Math.abs(indent - right) <= 14
}

/** Yields titles. Centred lines stay separate lines; a heading at the margin becomes one line. */
function* titlesOf(lines: readonly string[]): Generator<Block> {
  const texts = lines.filter((line) => !isRule(line))
  const isUnderlined = texts.length < lines.length
  const centered = texts.every(isCentered)
  const capital = texts.every(isCapital) || isUnderlined || ITEM.test(texts[0]!.trim())
  const plain = texts.map((line) => collapsed(line.trim())).join(centered ? '\n' : ' ')
  if (plain === '') return
  const kind = centered ? (capital ? 'title' : 'centered') : capital ? 'heading' : 'text'
  yield paragraph(plain, LOOKS[kind])
}

/**
 * Yields paragraphs. A line that is indented further than the previous one begins a paragraph if a sentence has ended.
 */
function* paragraphsOf(lines: readonly string[]): Generator<Block> {
  let held: string[] = []
  for (const [i, line] of lines.entries()) {
    const before = lines[i - 1]
    const begins =
      before !== undefined &&
      SENTENCE_END.test(before) &&
      (indentOf(line) >= indentOf(before) + 2 || (MARKER.test(line.trimStart()) && indentOf(line) <= indentOf(before)))
    if (begins) {
      yield paragraph(joined(held), LOOKS.text)
      held = []
    }
    held.push(line)
  }
  if (held.length > 0) yield paragraph(joined(held), LOOKS.text)
}

/**
 * Joins lines. If a word is divided at the end of a line, it keeps its hyphen, since the hyphen may be part of the
 * word.
 */
function joined(lines: readonly string[]): string {
  const parts: string[] = []
  for (const line of lines) {
    const next = collapsed(line.trim())
    // Only the last part is examined: examining all parts for each line takes quadratic time.
    const before = parts.at(-1)
    if (before !== undefined) parts.push(/[\p{L}\d]-$/u.test(before) ? next : ` ${next}`)
    else if (next !== '') parts.push(next)
  }
  return parts.join('')
}
