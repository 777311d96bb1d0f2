/** Joins lines to paragraphs and list items, across columns and pages. */
import type { Element } from './layout.ts'
import type { Line } from './line.ts'
import { mostCommon } from './rows.ts'

export interface Text {
  kind: 'text'
  text: string
  /** The list mark, as in `Line`. */
  mark: string | null
  /** Left edge of its first line, which shows the indent. */
  x0: number
  size: number
  bold: boolean
  italic: boolean
  underlined: boolean
  lines: number
  page: number
}

export type Block = Text | { kind: 'table'; cells: string[][]; page: number }

type LineElement = Extract<Element, { kind: 'line' }>

/** A paragraph that further lines may join. */
interface Open {
  block: Text
  first: Line
  last: LineElement
  /** Distance between its last two base lines; 0 if it has a single line. */
  pitch: number
}

/** Tolerance in points for lines with the same left edge. */
const EDGE = 4
/** Matches titles of parts that forms prescribe: Form ADV Part 2, Form CRS, 10-K. */
export const ITEM = /^item\s+\d{1,2}[a-z]?\b/i

export function blocksOf(elements: readonly Element[]): Block[] {
  const pitch = pitchOf(elements)
  let known: Set<string> | undefined
  const words = () => (known ??= wordsOf(elements))
  const blocks: Block[] = []
  let open: Open | null = null
  for (const element of elements) {
    if (element.kind === 'table') {
      blocks.push(element)
      open = null
      continue
    }
    if (open !== null && continues(open, element, pitch)) {
      const { block, last } = open
      const { mark, text } = element.line
      block.text = joinLines(block.text, mark === null || mark === '-' ? text : `${mark} ${text}`, words)
      block.lines++
      block.bold &&= element.line.bold
      block.italic &&= element.line.italic
      block.underlined &&= element.line.underlined
      if (last.region === element.region) open.pitch = element.line.y - last.line.y
      open.last = element
      continue
    }
    const { line, page } = element
    const { text, mark, x0, size, bold, italic, underlined } = line
    const block: Text = { kind: 'text', text, mark, x0, size, bold, italic, underlined, lines: 1, page }
    blocks.push(block)
    open = { block, first: line, last: element, pitch: 0 }
  }
  return blocks
}

/**
 * Whether the next line continues the paragraph. Branches: each is a sign that the paragraph ends or continues.
 */
function continues(open: Open, next: LineElement, usual: number): boolean {
  const { block, first, last, pitch } = open
  const { line } = next
  if (line.mark === '-' || (ITEM.test(line.text) && line.bold) || isLeader(line.text) || isLeader(last.line.text))
    return false
  if (Math.abs(line.size - block.size) > 0.06 * block.size + 0.1) return false
  // If a line is only `Item 4`, its title is on the next line.
  if (/^item\s+\d{1,2}[a-z]?[.:]?$/i.test(block.text)) return line.bold === block.bold && last.region === next.region
  const sentence = !/[.!?:;]["”’)]?$/.test(last.line.text)
  const lower = line.mark === null && /^[a-z(]/.test(line.text)
  const tabbed = last.line.pieces.length > 1 || line.pieces.length > 1
  const full = (sentence && lower) || (!tabbed && isFull(last, line, sentence && last.line.text.length > 60 ? 0.12 : 0))
  // A line that begins with `(5)` may continue a sentence.
  if (line.mark !== null && !(sentence && full && !/\b(?:and|or)$/.test(last.line.text))) return false
  if (last.line.bold !== line.bold && !(full && sentence && !block.bold)) return false
  if (last.region !== next.region) {
    // A paragraph crosses to another column or page only within a sentence.
    if (block.bold || line.bold || !sentence || next.page - last.page > 1) return false
    return full && (/^[a-z(,$\d]/.test(line.text) || (block.text.length > 120 && !/^[A-Z\s\d.]+$/.test(line.text)))
  }
  const distance = line.y - last.line.y
  if (distance <= 0 || distance > (pitch > 0 ? 1.15 * pitch + 1 : 1.3 * usual * line.size + 1)) return false
  const edge = block.mark !== null || block.lines > 1 ? last.line.x0 : first.x0
  if (block.mark !== null) {
    const hanging = block.lines === 1 ? first.hang : last.line.x0
    return full && line.x0 > first.x0 - EDGE && line.x0 < hanging + 3 * EDGE
  }
  const centred = Math.abs(line.x0 + line.x1 - last.line.x0 - last.line.x1) < 4 * EDGE
  if (line.x0 > edge + EDGE && !centred) return false
  if (line.x0 < edge - EDGE && block.lines > 1 && !centred) return false
  return full
}

/**
 * Whether the first word of the next line would not have fitted on this line. If that word had room, the paragraph
 * ended here.
 *
 * @param slack tolerance, as a share of the width of the text
 */
function isFull({ line, left, right }: LineElement, next: Line, slack: number): boolean {
  const word = /^\S+/.exec(next.text)![0].length
  const letter = (next.x1 - next.hang) / Math.max(next.text.length, 1)
  return line.x1 + (word + 1) * letter * 0.9 > right - EDGE - slack * (right - left)
}

/** Whether a line is an entry such as `Item 4 Advisory Business … 4`, or a line to write on. */
export const isLeader = (text: string): boolean => /\s(?:\.{1,3}|…)\s?\d{1,3}$|_{8,}/.test(text)

/** Returns the usual distance of lines, as a multiple of the letter size. */
function pitchOf(elements: readonly Element[]): number {
  const counts = new Map<number, number>()
  let before: LineElement | null = null
  for (const element of elements) {
    if (element.kind === 'table') continue
    if (before?.region === element.region) {
      const pitch = Math.round(((element.line.y - before.line.y) / element.line.size) * 20) / 20
      if (pitch > 0.9 && pitch < 2.6) counts.set(pitch, (counts.get(pitch) ?? 0) + element.line.text.length)
    }
    before = element
  }
  return counts.size > 0 ? mostCommon(counts) : 1.2
}

/**
 * Returns the words that are not at the end of a line. They decide whether a hyphen at the end of a line is part of a
 * word.
 */
function wordsOf(elements: readonly Element[]): Set<string> {
  const words = new Set<string>()
  for (const element of elements) {
    if (element.kind === 'table') continue
    const own = element.line.text.toLowerCase().match(/[a-z]+(?:-[a-z]+)*/g) ?? []
    for (const word of own.slice(0, -1)) words.add(word)
  }
  return words
}

/**
 * Number of characters at the end of a paragraph that are examined: scanning the whole paragraph for each line would be
 * slow.
 */
const LONGEST_WORD = 60

function joinLines(text: string, next: string, words: () => ReadonlySet<string>): string {
  if (!/[-/]$/.test(text)) return `${text} ${next}`
  const [, head] = /(?<![A-Za-z]|[A-Za-z]-)([A-Za-z]+(?:-[A-Za-z]+)*)-$/.exec(text.slice(-LONGEST_WORD)) ?? []
  const [tail] = /^[a-z]+/.exec(next) ?? []
  if (head === undefined) return /\S[-/]$/.test(text) ? text + next : `${text} ${next}`
  if (tail === undefined) return text + next
  const whole = (head + tail).toLowerCase()
  // Microsoft Word divides words only on request. So a hyphen is kept unless the document also contains the word
  // without the hyphen.
  const divided = words().has(whole) && !words().has(`${head}-${tail}`.toLowerCase())
  return divided ? text.slice(0, -1) + next : text + next
}
