/** Paragraphs that are one to a reader. */
import type { Paragraph } from './block.ts'

/** One paragraph of several, with a blank between them. */
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
    for (const { start, look } of spans) whole.spans.push({ start: start + by, look })
    for (const { start, end, address } of links) whole.links.push({ start: start + by, end: end + by, address })
    whole.images.push(...images)
    whole.anchors.push(...anchors)
  }
  return whole
}
