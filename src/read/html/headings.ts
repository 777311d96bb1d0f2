/** Which paragraphs are headings, by what is seen of them. */
import type { Paragraph } from './block.ts'
import type { Look } from './style.ts'

const HEADING_MAX = 200
/** `Item 7A.`, `PART II`, `Note 3`, `ARTICLE IV`: what is numbered like this is a heading if anything sets it apart. */
const NUMBERED = /^(?:part\s+[ivx]+\b|item\s+\d+[a-c]?\b|signatures?$)/i
const PART = /^part\s+[ivx]+\b/i
const ITEM = /^items?\s+\d+[a-c]?\b/i

/** How a heading is set apart, greater the more; 0 for what is no heading. */
export function weightOf(paragraph: Paragraph, bodySize: number): number {
  const { plain, spans, level, item } = paragraph
  if (plain.length > HEADING_MAX || item !== null || !/\p{L}/u.test(plain) || plain.includes('\ufffc')) return 0
  if (level > 0) return 1000 - level
  if (plain.split('\n').length > 3) return 0
  const look = commonLook(paragraph)
  const capitals = /\p{Lu}{2}/u.test(plain) && !/\p{Ll}/u.test(plain)
  const centered = spans[0]!.look.align === 'center'
  const large = look.size >= bodySize * 1.15
  const numbered = NUMBERED.test(plain)
  const apart =
    look.bold ||
    (capitals && (centered || look.underline || numbered)) ||
    (large && (centered || plain.length < 80)) ||
    (numbered && (look.underline || centered || paragraph.anchors.length > 0))
  if (!apart)
    return look.underline && !centered && plain.length <= 100 && !/[.,;:]$/.test(plain) && plain.length > 3 ? 1 : 0
  if (/[,;]$/.test(plain) || (/[.:]$/.test(plain) && plain.length > 120)) return 0
  return (
    Math.round(look.size * 4) * 2 +
    (capitals ? 6 : 0) +
    (centered ? 3 : 0) +
    (look.bold ? 4 : 0) +
    (look.underline ? 1 : 0)
  )
}

/** What all text of a paragraph has in common. */
function commonLook({ plain, spans }: Paragraph): { bold: boolean; underline: boolean; size: number } {
  let bold = true
  let underline = true
  let size = 0
  for (const [index, { start, look }] of spans.entries()) {
    if (!/[\p{L}\p{N}]/u.test(plain.slice(start, spans[index + 1]?.start ?? plain.length))) continue
    bold &&= look.bold
    underline &&= look.underline
    size = Math.max(size, look.size)
  }
  return { bold, underline, size }
}

export type Level = 1 | 2 | 3 | 4 | 5 | 6

/**
 * Levels by weight: parts are 1, items 2, others follow from the largest down. Where a document has neither, the largest
 * is 1.
 */
export function levelsOf(headings: readonly { paragraph: Paragraph; weight: number }[]): Level[] {
  const items = headings.some(({ paragraph }) => ITEM.test(paragraph.plain))
  const others = headings.filter(
    ({ paragraph, weight }) => weight < 900 && !PART.test(paragraph.plain) && !ITEM.test(paragraph.plain),
  )
  const ranks = [...new Set(others.map(({ weight }) => weight))].sort((a, b) => b - a)
  const base = items ? 3 : 1
  return headings.map(({ paragraph, weight }) => {
    if (weight > 900) return (1000 - weight) as Level
    if (PART.test(paragraph.plain)) return 1
    if (ITEM.test(paragraph.plain)) return 2
    return Math.min(base + ranks.indexOf(weight), 6) as Level
  })
}

/** The size of most of the text, in points. */
export function bodySizeOf(paragraphs: Iterable<{ plain: string; spans: readonly { look: Look }[] }>): number {
  const sizes = new Map<number, number>()
  for (const { plain, spans } of paragraphs) {
    const { size } = spans[0]!.look
    sizes.set(size, (sizes.get(size) ?? 0) + plain.length)
  }
  let body = 10
  let most = 0
  for (const [size, count] of sizes) if (count > most) [body, most] = [size, count]
  return body
}
