/**
 * Converts plain-text filings to Markdown: the ASCII documents of 1993 to 2004, and later documents in that format.
 * Lines that were broken at a width become paragraphs again; text in columns stays as it is.
 */
import { decoded } from './html/characters.ts'
import { openOutput } from './html/output.ts'
import type { Markdown } from './made-markdown.ts'
import { type Blocks, openBlocks } from './plain/blocks.ts'

/** EDGAR's tags for text tables: they mark the heading, the columns and the notes. */
const TABLE_TAG = /<\/?(?:CAPTION|S|C|FN|F\d{1,2})>/gi
const PAGE = /^\s*<PAGE>|\f/i
/** Matches the text that may follow a page break in its line: nothing, or the page number. */
const NUMBER = /^(?:[A-Z]{1,2}-)?\d{0,4}$/
const TABLE = /<TABLE>/i
const TABLE_END = /<\/TABLE>/i
const TAB = 8

/**
 * @param text the document, decoded. A table without an end tag ends where the next table begins, or with the document
 */
export function markdownOfText(text: string): Markdown {
  const output = openOutput()
  const blocks = openBlocks()
  let tables = 0
  let isTable = false
  for (const each of linesOf(text)) {
    let line = each
    if (PAGE.test(line)) {
      if (!isTable) blocks.page()
      line = line.replace(/<PAGE>|\f/gi, ' ')
      if (NUMBER.test(line.trim())) continue
    }
    const begins = TABLE.test(line)
    const ends = TABLE_END.test(line)
    if (!begins && !ends && !isTable) {
      const text = expanded(decoded(line))
      blocks.line(text, isExact(line, text))
      continue
    }
    if (begins) {
      blocks.endTable(false)
      tables++
      isTable = true
    }
    addRow(line, begins || ends, blocks)
    if (ends) {
      blocks.endTable(true)
      isTable = false
    }
  }
  output.write(blocks.end(), new Set())
  return { ...output.end([]), tables }
}

/**
 * @param isTag whether the line has `<TABLE>` or `</TABLE>`; if the rest of the line is blank, such a line gives no row
 */
function addRow(line: string, isTag: boolean, blocks: Blocks): void {
  if (!line.includes('<')) {
    const text = expanded(decoded(line))
    blocks.row({ text, tags: null, isCaption: false, isNotes: false, isExact: isExact(line, text) })
    return
  }
  const bare = line.replace(/<\/?TABLE>/gi, '')
  const shown = bare.replace(TABLE_TAG, (tag) => ' '.repeat(tag.length))
  const isRuler = /<[SC]>/i.test(line) && shown.trim() === ''
  if (!isRuler && isTag && shown.trim() === '') return
  const text = expanded(decoded(shown))
  const isNotes = /<F(?:N|\d{1,2})>/i.test(line)
  blocks.row({
    text,
    tags: isRuler ? tagsOf(bare) : null,
    isCaption: /<CAPTION>/i.test(line),
    isNotes,
    isExact: isExact(shown, text),
  })
}

/** Whether the line has neither tabs nor references, which move the characters after them. */
const isExact = (line: string, text: string) => !line.includes('\t') && text.length === line.trimEnd().length

/**
 * Returns the positions of `<S>` and `<C>`; none if `<S>` is not the first tag of the line, or if a tab moves the tags.
 */
function tagsOf(line: string): number[] {
  const tags = [...line.matchAll(/<[SC]>/gi)]
  const isPlain = !line.includes('\t') && /^\s*<S>/i.test(line) && line.match(/<S>/gi)!.length === 1
  return isPlain ? tags.map(({ index }) => index) : []
}

function* linesOf(text: string): Generator<string> {
  const ends = /\r\n?|\n/g
  let start = 0
  for (let end = ends.exec(text); end !== null; end = ends.exec(text)) {
    yield text.slice(start, end.index)
    start = ends.lastIndex
  }
  if (start < text.length) yield text.slice(start)
}

/** Replaces the tabs of a line by blanks, and removes blanks at its end. */
function expanded(line: string): string {
  if (!line.includes('\t')) return line.trimEnd()
  let out = ''
  for (const [i, part] of line.split('\t').entries()) {
    if (i > 0) out += ' '.repeat(TAB - (out.length % TAB))
    out += part
  }
  return out.trimEnd()
}
