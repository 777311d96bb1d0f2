/** Which paragraphs are headings, and of which level: by size, weight, bookmarks and the titles that forms prescribe. */
import { type Block, ITEM, isLeader, type Text } from './blocks.ts'
import type { Bookmark } from './content.ts'
import { mostCommon } from './rows.ts'

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** Letters are larger from this multiple of the size of the text. */
const LARGER = 1.1
const LENGTH = 160

/**
 * @param scans pages whose letters were recognised from a picture: their sizes are guesses
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
    const style = styleOf(block, blocks[i - 1], blocks[i + 1], body, marked)
    if (style !== null && (!scans.has(block.page) || isPlainTitle(block.text))) styles.set(block, style)
  })
  return levelsOf(styles)
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

/** A style by which headings are ranked, `<size> <weight>`, or null for text. */
function styleOf(
  block: Text,
  previous: Block | undefined,
  next: Block | undefined,
  body: number,
  marked: ReadonlySet<string>,
): string | null {
  const { text, bold, italic, underlined, size, lines, mark, page } = block
  // Form CRS prescribes questions as its titles, and they may stand in a narrow column.
  const question = bold && text.endsWith('?') && text.length < 2 * LENGTH
  if (((text.length > LENGTH || lines > 3) && !question) || isLeader(text) || mark === '-' || !/[A-Za-z]{2}/.test(text))
    return null
  const item = ITEM.test(text)
  const larger = size >= LARGER * body
  const capitals = /[A-Z]{2}/.test(text) && !/[a-z]{2}/.test(text)
  const known = marked.has(plain(text)) || (mark !== null && marked.has(plain(mark + text)))
  const weight = (bold ? 4 : 0) + (capitals ? 2 : 0) + (underlined ? 1 : 0) + (italic ? 0 : 0.5)
  const style = `${(larger ? Math.round(size) : 0).toString().padStart(3, '0')} ${weight.toFixed(1)}`
  if (known) return style
  if (item && (bold || larger || capitals)) return style
  // A title of an item may be set as text is, but not in a list of all of them.
  const listed = [previous, next].some((beside) => beside?.kind === 'text' && ITEM.test(beside.text))
  if (item) return lines === 1 && text.length < 90 && !listed && !/[.,;]$/.test(text) ? style : null
  if (!larger && !bold && !capitals && !italic && !underlined) return null
  if (!/^["“(]?[A-Z\d]/.test(text) || /[.,;]$/.test(text) || isContact(text)) return null
  if (larger) return style
  // In the size of the text, a heading is what stands before text, and not the bold lines of a cover.
  const before = next?.kind === 'table' || (next?.kind === 'text' && (next.text.length > 60 || next.mark !== null))
  if (bold) return (before || page > 0) && next !== undefined && text.length > 3 ? style : null
  if (!before || page === 0 || lines > 1 || text.length < 6 || text.length > 90) return null
  return !capitals || /[A-Z]{4}/.test(text) ? style : null
}

/** Lines of a cover: addresses, numbers to call, days. */
const isContact = (text: string) =>
  /@|www\.|https?:|\b\d{3}[-.)\s]\s?\d{3}[-.\s]\d{4}\b|[a-z]\s+\d{5}(?:-\d{4})?$|^\d+\s+\w.*\b(?:street|st|avenue|ave|road|rd|suite|drive|blvd|parkway|lane|way)\b|^(?:as of |dated?:? |updated |effective )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+(?:\d{1,2},?\s+)?\d{4}$|^[\d\s/.$%,()-]+$/i.test(
    text,
  )

/** What titles are compared by. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 80)

/**
 * Items have level 2, since nothing is above them but the title of the document; without items the styles that are on the
 * first page alone are those of the title.
 */
function levelsOf(styles: ReadonlyMap<Text, string>): Map<Block, Level> {
  const ranked = [...new Set(styles.values())].toSorted().toReversed()
  const items = [...styles].filter(([block]) => ITEM.test(block.text))
  const counts = new Map<number, number>()
  for (const [, style] of items) counts.set(ranked.indexOf(style), (counts.get(ranked.indexOf(style)) ?? 0) + 1)
  const within = new Set([...styles].flatMap(([block, style]) => (block.page > 0 ? [style] : [])))
  const used = ranked.filter((style) => within.has(style))
  const second = items.length > 1 ? ranked[mostCommon(counts)]! : (used[0] ?? ranked[0]!)
  // Styles of the cover alone take no level from those of the text.
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
