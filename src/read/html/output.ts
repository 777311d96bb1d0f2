/** Blocks as Markdown, with the places of headings. */
import type { Heading, Markdown } from '../made-markdown.ts'
import type { Block, Fence, Paragraph } from './block.ts'
import { bodySizeOf, levelsOf, weightOf } from './headings.ts'
import { inline } from './inline.ts'

export interface Output {
  /** Writes blocks that follow those written before. */
  write(blocks: readonly Block[]): void
  end(problems: Markdown['problems']): Markdown
}

const BULLET = /^(?:[•·●▪■◦○‣◆➢✓]|[-–—o§](?=\s))\s*/

export function openOutput(): Output {
  const pieces: string[] = []
  let length = 0
  const headings: Heading[] = []
  let tables = 0
  let images = 0
  let inList = false

  function put(text: string, list = false): void {
    const between = length === 0 ? '' : list && inList ? '\n' : '\n\n'
    pieces.push(between, text)
    length += between.length + text.length
    inList = list
  }

  function write(blocks: readonly Block[]): void {
    const paragraphs = blocks.filter((block) => block.kind === 'paragraph')
    const size = bodySizeOf(paragraphs)
    const found = paragraphs
      .map((paragraph) => ({ paragraph, weight: weightOf(paragraph, size) }))
      .filter(({ weight }) => weight > 0)
    const levels = new Map(levelsOf(found).map((level, index) => [found[index]!.paragraph, level]))
    for (const block of blocks) {
      if (block.kind === 'table') {
        put(block.text)
        tables++
        images += block.images
      } else if (block.kind === 'fence') put(fence(block))
      else if (block.kind === 'paragraph') {
        images += block.images.length
        const level = levels.get(block)
        if (level === undefined) paragraph(block)
        else {
          const text = inline(block, 'heading')
          put(`${'#'.repeat(level)} ${text}`)
          headings.push({ level, text: block.plain.replaceAll('\n', ' '), start: length - text.length - level - 1 })
        }
      }
    }
  }

  function paragraph(block: Paragraph): void {
    const { item, plain } = block
    const bullet = BULLET.exec(plain)?.[0].length ?? 0
    if (bullet > 0 && bullet < plain.length) {
      const indent = '  '.repeat(Math.min(item?.depth ?? 0, 10))
      put(`${indent}- ${indented(inline(withoutStart(block, bullet), 'text'), `${indent}  `)}`, true)
    } else if (item === null) put(inline(block, 'text'))
    else {
      const indent = '   '.repeat(Math.min(item.depth, 10))
      const text = indented(inline(block, 'text'), `${indent}   `)
      if (item.marker === '') put(`${indent}   ${text}`)
      else put(`${indent}${item.marker} ${text}`, true)
    }
  }

  return {
    write,
    end: (problems) => ({ text: pieces.join('') + (length > 0 ? '\n' : ''), headings, tables, images, problems }),
  }
}

const indented = (text: string, by: string) => text.replaceAll('\n', `\n${by}`)

/** The paragraph after its bullet. */
function withoutStart(paragraph: Paragraph, length: number): Paragraph {
  const cut = (at: number) => Math.max(at - length, 0)
  return {
    ...paragraph,
    plain: paragraph.plain.slice(length),
    spans: paragraph.spans.map(({ start, look }) => ({ start: cut(start), look })),
    links: paragraph.links
      .map(({ start, end, address }) => ({ start: cut(start), end: cut(end), address }))
      .filter(({ start, end }) => start < end),
  }
}

/** Text in lines stands between fences, or as a paragraph of lines where a sign in it could be taken for a tag. */
function fence({ text }: Fence): string {
  const lines = text
    .replace(/^(?:[^\S\n]*\n)+/, '')
    .replace(/\s+$/, '')
    .split('\n')
    .map((line) => line.trimEnd())
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length).slice(0, 1000))
  const sign = '`'.repeat(longest + 1)
  return [sign, ...lines.map((line) => line.replace(/<(?=[a-zA-Z/!?])/g, '< ')), sign].join('\n')
}
