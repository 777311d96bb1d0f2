/** Joins paragraphs that people read as one. */
import type { Block, Paragraph } from './block.ts'
import { furnitureOf } from './furniture.ts'

/** Joins several paragraphs into one, with a blank between each two. */
export function combined(paragraphs: readonly Paragraph[]): Paragraph {
  const [first, ...others] = paragraphs
  const whole: Paragraph = {
    ...first!,
    spans: [...first!.spans],
    links: [...first!.links],
    images: [...first!.images],
    anchors: [...first!.anchors],
  }
  for (const { plain, spans, links, images, anchors } of others) {
    const by = whole.plain.length + 1
    whole.plain += ` ${plain}`
    for (const { start, computed } of spans) whole.spans.push({ start: start + by, computed })
    for (const { start, end, address } of links) whole.links.push({ start: start + by, end: end + by, address })
    whole.images.push(...images)
    whole.anchors.push(...anchors)
  }
  return whole
}

/**
 * A bullet or note mark that is alone on a line because its text is in another cell or element. More than four stars
 * are a rule between two texts.
 */
const MARKER = /^(?:[•·●▪■◦○‣◆➢❖❑]|[-–—]|\((?:\d{1,3}|[a-z]|[ivxl]{1,5})\)|[*†‡]{1,4})$/i

/**
 * Removes the furniture of pages, so that a sentence that continues on the next page becomes one paragraph. Anchors of
 * furniture move to the next block: a link to the top of a page leads to the text below the page's header.
 */
export function withoutPages(blocks: readonly Block[]): Block[] {
  const furniture = furnitureOf(blocks)
  const kept: Block[] = []
  let turned = false
  let moved: string[] = []
  for (const each of blocks) {
    if (each.kind === 'page' || furniture.has(each)) {
      turned = true
      if (each.kind === 'paragraph') moved.push(...each.anchors)
      continue
    }
    const block = withAnchors(each, moved)
    if (block !== each) moved = []
    const last = kept.at(-1)
    if (block.kind === 'paragraph' && last?.kind === 'paragraph' && block.level === 0 && last.level === 0) {
      if (isMark(last) || (turned && continues(last, block))) {
        kept[kept.length - 1] = combined([last, block])
        turned = false
        continue
      }
    }
    kept.push(block)
    turned = false
  }
  return kept
}

/** Returns the block with further anchors before its own. A fence and a page end have no anchors. */
function withAnchors(block: Block, anchors: readonly string[]): Block {
  if (anchors.length === 0 || block.kind === 'fence' || block.kind === 'page') return block
  return { ...block, anchors: [...anchors, ...block.anchors] }
}

/** Whether a paragraph is only a bullet or a note mark, followed by the paragraph with its text. */
const isMark = ({ plain, spans }: Paragraph): boolean =>
  MARKER.test(plain) || (plain.length <= 3 && spans[0]!.computed.raised && /^[\w*†‡]+$/.test(plain))

const continues = (last: Paragraph, next: Paragraph) =>
  last.plain.length > 60 && /[\p{Ll},]$/u.test(last.plain) && /^\p{Ll}/u.test(next.plain) && next.item === null
