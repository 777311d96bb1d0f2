/**
 * Decides which paragraphs are headings, and their levels: by size, weight, bookmarks and the titles that forms
 * prescribe.
 */
import { allOf, firstOf, type Signal, sumOf, type Weighted } from '../signals.ts'
import { type Block, ITEM, isLeader, type Text } from './blocks.ts'
import type { Bookmark } from './content.ts'
import { mostCommon } from './rows.ts'

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** Letters count as larger than the text if they have at least this multiple of the text's size. */
const LARGER = 1.1
const LENGTH = 160

/**
 * @param scans pages whose letters were recognised from a picture, so that their sizes are guesses
 * @returns levels of the blocks that are headings
 */
export function headingsOf(
  blocks: readonly Block[],
  bookmarks: readonly Bookmark[],
  scans: ReadonlySet<number>,
): Map<Block, Level> {
  const body = bodySize(blocks)
  const marked = new Set(bookmarks.map(({ title }) => plain(title)).filter((title) => title.length > 3))
  const styles = new Map<Text, string>()
  blocks.forEach((block, i) => {
    if (block.kind === 'table') return
    const { style } = styleOf(block, { previous: blocks[i - 1], next: blocks[i + 1], body, marked })
    if (style !== null && (!scans.has(block.page) || isPlainTitle(block.text))) styles.set(block, style)
  })
  return levelsOf(styles)
}

/** Facts about the whole document that help to decide on its headings. */
interface Document {
  /** Size of most of the text, in points. */
  body: number
  /** Titles of bookmarks, as `plain` returns them. */
  marked: ReadonlySet<string>
}

const isPlainTitle = (text: string) => ITEM.test(text) || /^[A-Z][A-Z ,.&'’()/-]{9,}$/.test(text)

function bodySize(blocks: readonly Block[]): number {
  const sizes = new Map<number, number>()
  for (const block of blocks) {
    if (block.kind === 'table' || block.bold) continue
    const size = Math.round(block.size * 2) / 2
    sizes.set(size, (sizes.get(size) ?? 0) + block.text.length)
  }
  return sizes.size > 0 ? mostCommon(sizes) : 12
}

/** Features of a block of text that may be a heading. */
interface Seen {
  block: Text
  previous: Block | undefined
  next: Block | undefined
  isItem: boolean
  isLarger: boolean
  isCapitals: boolean
  /** Whether a bookmark of the document has the same words. */
  isMarked: boolean
}

/** Signs that a block is text, however it looks. */
const TEXT: readonly Signal<Text>[] = [
  {
    name: 'longer than a title',
    weight: 0,
    // Form CRS prescribes questions as its titles. In a narrow column, a question may take many lines.
    test: ({ text, lines, bold }) =>
      (text.length > LENGTH || lines > 3) && !(bold && text.endsWith('?') && text.length < 2 * LENGTH),
  },
  { name: 'line of a table of contents', weight: 0, test: ({ text }) => isLeader(text) },
  { name: 'item of a list', weight: 0, test: ({ mark }) => mark === '-' },
  { name: 'no word', weight: 0, test: ({ text }) => !/[A-Za-z]{2}/.test(text) },
]

/** Weights that rank headings of one size. */
const WEIGHTS: readonly Signal<Seen>[] = [
  { name: 'bold', weight: 4, test: ({ block }) => block.bold },
  { name: 'capitals', weight: 2, test: ({ isCapitals }) => isCapitals },
  { name: 'underlined', weight: 1, test: ({ block }) => block.underlined },
  { name: 'upright', weight: 0.5, test: ({ block }) => !block.italic },
]

/**
 * Whether text or a table follows the block directly. This is so for headings in the font size of the text, but
 * not for the bold lines of a cover.
 */
const standsBefore = ({ next }: Seen) =>
  next?.kind === 'table' || (next?.kind === 'text' && (next.text.length > 60 || next.mark !== null))

/** The first sign that applies decides. A positive weight means a heading, and 0 means text. */
const DECIDING: readonly Signal<Seen>[] = [
  { name: 'named by a bookmark', weight: 1, test: ({ isMarked }) => isMarked },
  {
    name: 'item of the form, set apart',
    weight: 1,
    test: ({ block, isItem, isLarger, isCapitals }) => isItem && (block.bold || isLarger || isCapitals),
  },
  {
    name: 'item of the form, in a line of its own',
    weight: 1,
    // The title of an item counts even if it looks like text, but not if it is in a list of items.
    test: ({ block: { text, lines }, previous, next, isItem }) =>
      isItem &&
      lines === 1 &&
      text.length < 90 &&
      ![previous, next].some((neighbour) => neighbour?.kind === 'text' && ITEM.test(neighbour.text)) &&
      !/[.,;]$/.test(text),
  },
  { name: 'item of the form, within text', weight: 0, test: ({ isItem }) => isItem },
  {
    name: 'nothing sets it apart',
    weight: 0,
    test: ({ block: { bold, italic, underlined }, isLarger, isCapitals }) =>
      !isLarger && !bold && !isCapitals && !italic && !underlined,
  },
  { name: 'begins within a sentence', weight: 0, test: ({ block }) => !/^["“(]?[A-Z\d]/.test(block.text) },
  { name: 'ends as a sentence', weight: 0, test: ({ block }) => /[.,;]$/.test(block.text) },
  { name: 'address, date or number to call', weight: 0, test: ({ block }) => isContact(block.text) },
  { name: 'larger than the text', weight: 1, test: ({ isLarger }) => isLarger },
  {
    name: 'bold before text',
    weight: 1,
    test: (seen) =>
      seen.block.bold &&
      (standsBefore(seen) || seen.block.page > 0) &&
      seen.next !== undefined &&
      seen.block.text.length > 3,
  },
  { name: 'bold, with nothing after it', weight: 0, test: ({ block }) => block.bold },
  {
    name: 'short line before text',
    weight: 1,
    test: (seen) =>
      standsBefore(seen) &&
      seen.block.page > 0 &&
      seen.block.lines <= 1 &&
      seen.block.text.length >= 6 &&
      seen.block.text.length <= 90 &&
      (!seen.isCapitals || /[A-Z]{4}/.test(seen.block.text)),
  },
]

interface Judged {
  /** `<size> <weight>`, by which headings are ranked; null for text. */
  style: string | null
  /** The first signal is the sign that decides between heading and text; the weights follow. */
  signals: readonly Weighted[]
}

/**
 * Returns the style of a heading with the signals from which it was computed, or null with the sign that makes the
 * block text.
 */
export function styleOf(
  block: Text,
  { previous, next, body, marked }: { previous?: Block | undefined; next?: Block | undefined } & Document,
): Judged {
  const { text, size, mark } = block
  const never = firstOf(TEXT, block)
  if (never) return { style: null, signals: [never] }
  const seen: Seen = {
    block,
    previous,
    next,
    isItem: ITEM.test(text),
    isLarger: size >= LARGER * body,
    isCapitals: /[A-Z]{2}/.test(text) && !/[a-z]{2}/.test(text),
    isMarked: marked.has(plain(text)) || (mark !== null && marked.has(plain(mark + text))),
  }
  const decides = firstOf(DECIDING, seen) ?? { name: 'stands before no text', weight: 0 }
  if (decides.weight === 0) return { style: null, signals: [decides] }
  const weights = allOf(WEIGHTS, seen)
  const points = seen.isLarger ? Math.round(size) : 0
  return {
    style: `${points.toString().padStart(3, '0')} ${sumOf(weights).toFixed(1)}`,
    signals: [decides, { name: 'size', weight: points }, ...weights],
  }
}

/** Whether a line belongs to a cover: an address, a phone number, a date. */
const isContact = (text: string) =>
  /@|www\.|https?:|\b\d{3}[-.)\s]\s?\d{3}[-.\s]\d{4}\b|[a-z]\s+\d{5}(?:-\d{4})?$|^\d+\s+\w.*\b(?:street|st|avenue|ave|road|rd|suite|drive|blvd|parkway|lane|way)\b|^(?:as of |dated?:? |updated |effective )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+(?:\d{1,2},?\s+)?\d{4}$|^[\d\s/.$%,()-]+$/i.test(
    text,
  )

/** Returns the form in which titles are compared. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 80)

/**
 * Returns the levels. Items have level 2, since only the title of the document is above them. If there are no items,
 * styles that occur only on the first page are taken for styles of the title.
 */
function levelsOf(styles: ReadonlyMap<Text, string>): Map<Block, Level> {
  const ranked = [...new Set(styles.values())].toSorted().toReversed()
  const items = [...styles].filter(([block]) => ITEM.test(block.text))
  const counts = new Map<number, number>()
  for (const [, style] of items) counts.set(ranked.indexOf(style), (counts.get(ranked.indexOf(style)) ?? 0) + 1)
  const within = new Set([...styles].flatMap(([block, style]) => (block.page > 0 ? [style] : [])))
  const used = ranked.filter((style) => within.has(style))
  const second = items.length > 1 ? ranked[mostCommon(counts)]! : (used[0] ?? ranked[0]!)
  // Styles that occur only on the cover do not use up a heading level of the text.
  const below = used.filter((style) => style < second)
  const ofItems = new Set(items.map(([block]) => block))
  const first = items[0]?.[0]
  let begun = first === undefined
  const levels = new Map<Block, Level>()
  for (const [block, style] of styles) {
    begun ||= block === first
    const title = style > second || (style === second && !begun && items.length > 1)
    const level = title ? 1 : style === second ? 2 : Math.min(3 + below.filter((other) => other > style).length, 6)
    levels.set(block, (items.length > 1 && ofItems.has(block) ? 2 : level) as Level)
  }
  return levels
}
