/** Converts the pages of a PDF to Markdown. The same pages always give the same text. */
import type { Heading, Markdown } from '../made-markdown.ts'
import { type Block, blocksOf, type Text } from './blocks.ts'
import type { Bookmark } from './content.ts'
import { headingsOf } from './headings.ts'
import { elementsOf, type LaidPage } from './layout.ts'

/** Step of the indents of nested list items, in points. */
const STEP = 9
const INNERMOST = 4

/** Returns the text of the pages in reading order. */
export function markdownOfPages(pages: readonly LaidPage[], bookmarks: readonly Bookmark[]): Markdown {
  const blocks = blocksOf(elementsOf(pages))
  const scans = new Set(pages.flatMap(({ pictured }, page) => (pictured ? [page] : [])))
  const levels = headingsOf(blocks, bookmarks, scans)
  const headings: Heading[] = []
  const parts: string[] = []
  let length = 0
  let tables = 0
  const add = (part: string, tight: boolean) => {
    const between = parts.length === 0 ? '' : tight ? '\n' : '\n\n'
    parts.push(between + part)
    length += between.length + part.length
    return length - part.length
  }
  let list: number[] = []
  let before: Block | null = null
  for (const block of blocks) {
    if (block.kind === 'table' && isContents(block.cells)) {
      // An entry of two lines may have divided a table of contents into two tables: joins these tables.
      const tight = before?.kind === 'table' && isContents(before.cells)
      block.cells.forEach((row, i) => void add(entryText(row), tight || i > 0))
      list = []
    } else if (block.kind === 'table') {
      add(tableText(block.cells), false)
      tables++
      list = []
    } else {
      const level = levels.get(block)
      if (level !== undefined) {
        const text = withMark(block)
        headings.push({ level, text, start: add(`${'#'.repeat(level)} ${escaped(text)}`, false) })
        list = []
      } else if (isItem(block)) {
        list = [...list.filter((x) => x < block.x0 - STEP), block.x0]
        const depth = Math.min(list.length - 1, INNERMOST)
        add('  '.repeat(depth) + itemText(block), before?.kind === 'text' && isItem(before) && !levels.has(before))
      } else {
        add(paragraphText(block), false)
        if (block.x0 < (list[0] ?? 0) - STEP || block.lines > 1) list = []
      }
    }
    before = block
  }
  const images = pages.reduce((sum, page) => sum + page.images, 0)
  return { text: parts.join('') + (parts.length > 0 ? '\n' : ''), headings, tables, images, problems: [] }
}

const isItem = (block: Text) => block.mark === '-'

const withMark = ({ mark, text }: Text) => (mark === null || mark === '-' ? text : `${mark} ${text}`)

const itemText = (block: Text) => `- ${escaped(withMark(block))}`

const paragraphText = (block: Text) => {
  const text = escaped(withMark(block))
  // Escapes signs that would begin a heading, a list, a quotation or a horizontal rule.
  return text
    .replace(/^(\d+)([.)])(?=\s)/, block.mark === null ? '$1\\$2' : '$1$2')
    .replace(/^(#{1,6}(?=\s)|>|[-+](?=\s)|={3,}$|-{3,}$)/, '\\$1')
}

/** Whether a table is a table of contents: titles of parts with page numbers that never decrease. */
function isContents(cells: readonly (readonly string[])[]): boolean {
  const numbers = cells.flatMap((row) => (/^\d{1,3}$/.test(row.at(-1)!) ? Number(row.at(-1)) : []))
  const titles = cells.filter(([title]) => /^(?:item|part|section|note)\b/i.test(title!)).length
  const rise = numbers.every((number, i) => i === 0 || number >= numbers[i - 1]!)
  return numbers.length >= 2 && numbers.length > 0.7 * cells.length && rise && titles > 0.5 * cells.length
}

const entryText = (row: readonly string[]) => {
  const cells = row.filter((cell) => cell !== '')
  const page = /^\d{1,3}$/.test(cells.at(-1)!) ? ` … ${cells.pop()}` : ''
  return `- ${escaped(cells.join(' '))}${page}`
}

function tableText(cells: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map((cell) => escaped(cell).replaceAll('|', '\\|')).join(' | ')} |`
  const [first, ...rest] = cells as [readonly string[], ...(readonly string[])[]]
  // A table without titles gets empty titles. A row of figures is not a row of titles.
  const titled = !first.some((cell) => /^[($€£\s-]*\d[\d,.]*[)%\s]*$/.test(cell) && !/^(?:19|20)\d\d$/.test(cell))
  const head = titled ? first : first.map(() => '')
  const body = titled ? rest : cells
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...body.map(line)].join('\n')
}

/** Escapes the characters that have a meaning in Markdown. */
export function escaped(text: string): string {
  return text
    .replace(/[\\`*~]/g, '\\$&')
    .replace(/(?<![\p{L}\p{N}_])_|_(?![\p{L}\p{N}_])/gu, '\\_')
    .replace(/<(?=[A-Za-z/!?])/g, '\\<')
    .replace(/&(?=#?\w+;)/g, '\\&')
    .replace(/\](?=[(:[])/g, '\\]')
}
