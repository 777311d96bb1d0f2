/** Writes blocks as Markdown, and records the positions of headings. */
import type { Heading, Markdown } from '../made-markdown.ts'
import { openAnchors } from './anchors.ts'
import type { Block, Fence, Paragraph } from './block.ts'
import { bodySizeOf, coverEnd, type Level, openOutline, weightOf } from './headings.ts'
import { openIndents } from './indents.ts'
import { inline } from './inline.ts'
import { withoutPages } from './paragraphs.ts'

export interface Output {
  /** Writes blocks that follow the blocks written before. */
  write(blocks: readonly Block[], linked: ReadonlySet<string>): void
  end(problems: Markdown['problems']): Markdown
}

const BULLET = /^(?:[•·●▪■◦○‣◆➢❖❑✓]|[-–—o§](?=\s))\s*/

/** Long: all kinds of blocks share the list of written pieces. */
export function openOutput(): Output {
  const pieces: string[] = []
  const headings: { piece: number; level: Level; text: string }[] = []
  const outline = openOutline()
  const anchors = openAnchors()
  const indents = openIndents()
  let tables = 0
  let images = 0
  let inList = false

  function put(text: string, list = false): void {
    if (!list) indents.end()
    pieces.push(pieces.length === 0 ? '' : list && inList ? '\n' : '\n\n', text)
    inList = list
  }

  function write(blocks: readonly Block[], linked: ReadonlySet<string>): void {
    const text = withoutPages(blocks)
    const bodySize = bodySizeOf(text.filter((block) => block.kind === 'paragraph'))
    const cover = pieces.length === 0 ? coverEnd(text) : 0
    for (const [index, block] of text.entries()) {
      if (block.kind === 'fence') put(fence(block))
      else if (block.kind === 'table') {
        put(block.text)
        tables++
        images += block.images
        anchors.add(block.anchors)
      } else if (block.kind === 'paragraph') {
        images += block.images.length
        const weight = weightOf(block, { bodySize, linked, cover: index < cover })
        if (weight === 0) paragraph(block)
        else heading(block, outline.level(block, weight))
      }
    }
  }

  function heading(block: Paragraph, level: Level): void {
    const text = block.plain.replaceAll('\n', ' ')
    put(`${'#'.repeat(level)} ${inline(block, 'heading')}`)
    headings.push({ piece: pieces.length - 1, level, text })
    anchors.heading(text, block.anchors)
  }

  function paragraph(block: Paragraph): void {
    const { item, plain } = block
    const bullet = BULLET.exec(plain)?.[0].length ?? 0
    if (bullet > 0 && bullet < plain.length) {
      const depth = item === null ? indents.depth(block.spans[0]!.computed.left) : Math.min(item.depth, 10)
      const indent = '  '.repeat(depth)
      put(`${indent}- ${indented(inline(withoutStart(block, bullet), 'text'), `${indent}  `)}`, true)
    } else if (item === null) put(inline(block, 'text'))
    else {
      const indent = '   '.repeat(Math.min(item.depth, 10))
      const text = indented(inline(block, 'text'), `${indent}   `)
      if (item.marker === '') put(`${indent}   ${text}`)
      else put(`${indent}${item.marker} ${text}`, true)
    }
    anchors.add(block.anchors)
  }

  function end(problems: Markdown['problems']): Markdown {
    const found: Heading[] = []
    let length = 0
    let next = 0
    for (const [index, piece] of pieces.entries()) {
      pieces[index] = anchors.resolved(piece)
      if (headings[next]?.piece === index) {
        const { level, text } = headings[next++]!
        found.push({ level, text, start: length })
      }
      length += pieces[index]!.length
    }
    if (length > 0) pieces.push('\n')
    return { text: pieces.join(''), headings: found, tables, images, problems }
  }

  return { write, end }
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

/** Returns the paragraph without its bullet. */
function withoutStart(paragraph: Paragraph, length: number): Paragraph {
  const cut = (at: number) => Math.max(at - length, 0)
  return {
    ...paragraph,
    plain: paragraph.plain.slice(length),
    spans: paragraph.spans.map(({ start, computed }) => ({ start: cut(start), computed })),
    links: paragraph.links
      .map(({ start, end, address }) => ({ start: cut(start), end: cut(end), address }))
      .filter(({ start, end }) => start < end),
  }
}

const FENCE = '```'

/**
 * Writes preformatted text between fences that are longer than any fence within it. A possible tag is broken up, since
 * nothing can be escaped between fences.
 */
function fence({ text }: Fence): string {
  const lines = text
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .trimEnd()
    // Matches only from the first blank of a run: starting at each blank would take quadratic time.
    .replace(/(?<![^\S\n])[^\S\n]+$/gm, '')
    .replace(/<(?=[a-zA-Z/!?])/g, '< ')
  let longest = FENCE.length - 1
  for (const [run] of lines.matchAll(/`{3,}/g)) longest = Math.max(longest, run.length)
  const sign = '`'.repeat(longest + 1)
  return `${sign}\n${lines}\n${sign}`
}
