/** Which paragraphs are headings, and of which level: by size, weight, bookmarks and the titles that forms prescribe. */
import { type Block, ITEM, isLeader, type Text } from './blocks.ts'
import type { Bookmark } from './content.ts'
import { mostCommon } from './rows.ts'

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/** Of the size of the text: smaller letters are no larger ones. */
const LARGER = 1.1
const LENGTH = 160

/** @returns levels of the blocks that are headings */
export function headingsOf(blocks: readonly Block[], bookmarks: readonly Bookmark[]): Map<Block, Level> {
  const body = bodySize(blocks)
  const marked = new Set(bookmarks.map(({ title }) => plain(title)).filter((title) => title.length > 3))
  const styles = new Map<Text, string>()
  blocks.forEach((block, i) => {
    if (block.kind === 'table') return
    const style = styleOf(block, blocks[i + 1], body, marked)
    if (style !== null) styles.set(block, style)
  })
  return levelsOf(styles)
}

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
function styleOf(block: Text, next: Block | undefined, body: number, marked: ReadonlySet<string>): string | null {
  const { text, bold, size, lines, mark } = block
  if (text.length > LENGTH || lines > 3 || isLeader(text) || mark === '-' || !/[A-Za-z]{2}/.test(text)) return null
  const item = ITEM.test(text)
  const larger = size >= LARGER * body
  const capitals = /[A-Z]{2}/.test(text) && !/[a-z]{2}/.test(text)
  const known = marked.has(plain(text)) || (mark !== null && marked.has(plain(mark + text)))
  const style = `${(larger ? Math.round(size) : 0).toString().padStart(3, '0')} ${bold ? 2 : 0}${capitals ? 1 : 0}`
  if (known) return style
  if (item) return bold || larger || capitals ? style : null
  if (!larger && !bold && !capitals) return null
  if (!/^["“(]?[A-Z\d]/.test(text) || /[.,;]$/.test(text) || isContact(text)) return null
  if (larger) return style
  // Of the text's own size: what stands before text, and not the bold line of an address or a signature.
  const before = next?.kind === 'table' || (next?.kind === 'text' && (next.text.length > 60 || next.mark !== null))
  const title = next?.kind === 'text' && next.bold && next.size < LARGER * body
  if (bold) return (before || title) && text.length > 3 ? style : null
  return before && lines === 1 && text.length > 5 && text.length < 90 && /[A-Z]{4}/.test(text) ? style : null
}

/** Lines of a cover: addresses, numbers to call, days. */
const isContact = (text: string) =>
  /@|www\.|https?:|\b\d{3}[-.)\s]\s?\d{3}[-.\s]\d{4}\b|\b[A-Z]{2}\s+\d{5}\b|^\d+\s+\w+.*\b(?:street|st|avenue|ave|road|rd|suite|drive|blvd|parkway|lane|way)\b|^(?:as of |dated? |updated |effective )?(?:january|february|march|april|may|june|july|august|september|october|november|december)\s+(?:\d{1,2},?\s+)?\d{4}$|^[\d\s/.$%,()-]+$/i.test(
    text,
  )

/** What titles are compared by. */
export const plain = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')
    .slice(0, 80)

function levelsOf(styles: ReadonlyMap<Text, string>): Map<Block, Level> {
  const ranked = [...new Set(styles.values())].toSorted().toReversed()
  const levels = new Map<Block, Level>()
  const level = (style: string) => Math.min(ranked.indexOf(style) + 1, 6) as Level
  const items = new Map<number, number>()
  for (const [block, style] of styles) if (ITEM.test(block.text)) items.set(level(style), (items.get(level(style)) ?? 0) + 1)
  const ofItems = mostCommon(items) as Level
  for (const [block, style] of styles) levels.set(block, ITEM.test(block.text) ? ofItems : level(style))
  return levels
}
