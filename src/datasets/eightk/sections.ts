/** Finds the sections of a current report in its own documents. Quotations in exhibits do not count. */
import type { FiledDocument, Filing } from '../../declare/documents.ts'
import type { Markdown } from '../../read/made-markdown.ts'
import { isExhibit, mayHaveText } from '../../read/readable.ts'
import { currentReportItems, titles } from '../../read/sections/current.ts'
import { textWithin } from '../../read/sections/run-in.ts'

export type CurrentReport = Filing<{ texts: readonly FiledDocument[] }>

export interface ItemSection {
  item: string
  heading: string
  sequence: number
  start: number
  /** Position of the text after the heading. */
  textStart: number
  stop: number
  markdown: string
}

/** Maximum number of documents. At most two were seen: two real filings have two documents of the form's own type. */
const DOCUMENTS_MAX = 5

/** Returns the first section of each item. Reports documents without text as problems. */
export async function sectionsOf(filing: CurrentReport): Promise<ItemSection[]> {
  const found: ItemSection[] = []
  const main = filing.documents.texts.filter(({ entry }) => isOwn(entry)).slice(0, DOCUMENTS_MAX)
  if (main.length === 0) tell(filing, 'documents', 'no document has text')
  for (const { entry, text } of main) {
    const made = await text()
    const place = entry.filename ?? `document ${entry.seq}`
    if (made.format === null) tell(filing, place, made.reason)
    else {
      for (const each of inMarkdown(made.markdown, entry.seq)) {
        if (!found.some(({ item }) => item === each.item)) found.push(each)
      }
    }
  }
  if (main.length > 0 && found.length === 0) tell(filing, 'items', 'the text has no item')
  return found
}

const isOwn = (entry: FiledDocument['entry']) =>
  !isExhibit(entry) && mayHaveText(entry) && !/^(?:GRAPHIC|COVER|CORRESP)$/.test(entry.type)

const tell = (filing: CurrentReport, path: string, reason: string) =>
  filing.tell({ problems: [{ path, value: filing.header.form, reason }] })

/** Returns the sections of one document. */
export function inMarkdown(markdown: Markdown, sequence: number): ItemSection[] {
  const { text } = markdown
  return currentReportItems(markdown).map(({ id, title, start, end }) => {
    const line = text.indexOf('\n', start)
    const next = line < 0 || line >= end ? end : line + 1
    const within = textWithin(text.slice(start, next), (words) => titles(id, words))
    const heading = within > 0 ? headingOf(text.slice(start, start + within)) : title
    // If no text follows the line, or if the line is too long for a heading, the line is also the text of the item.
    // `currentReportItems` lets consecutive headings share the text that follows them.
    const isWhole = text.slice(next, end).trim() === '' || next - start > LINE_MAX
    const textStart = within > 0 ? start + within : isWhole ? start : next
    return { item: id, heading, sequence, start, textStart, stop: end, markdown: text }
  })
}

const headingOf = (line: string) =>
  line
    .replace(/[#*`\\]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Maximum length of a heading line. The longest heading, of item 5.02, has 170 characters. */
const LINE_MAX = 280

/** The number of an exhibit may have a letter: 10.16a, 99(b). */
const EXHIBIT = /\bExhibits?\s(?:No\.?\s)?(?:\()?(\d{1,3}(?:\.\d{1,3})?(?:[a-z](?![a-z])|\([a-z]\))?)(?![\d])/gi
const ALSO = /^(?:\s?(?:,|and|or|through|&)\s?){1,2}(\d{1,3}\.\d{1,3}(?:[a-z](?![a-z])|\([a-z]\))?)(?![\d])/
/** The beginning of a line or row of a list of exhibits, with marks of footnotes after the number: `| 10.6+ |`. */
const IN_LIST =
  /^[ \t]{0,20}\|?[ \t]{0,4}\*{0,2}\(?(?:Exhibit\s)?(?:(\d{1,3}\.\d{1,3}[a-z]?)[)\\*+†#.]{0,6}(?=[ \t|]|$|[A-Z][a-z])|(\d{1,3}\([a-z]\))(?=[ \t]{0,4}[|–—-]))/gm
/** A number without a dot, which could also count pages or statements: `| 104 | Cover Page`, `99 Press release`. */
const WHOLE_IN_LIST =
  /^[ \t]{0,20}(?:\|[ \t]{0,4}\*{0,2}(\d{2,3})[)\\*+†#.]{0,6}[ \t]?\|[ \t]?[“"]?[A-Za-z]|(16|99|101|104) [A-Z][a-z])/gm
/** A number that a table has in two cells: `| 23 | .1 |`. */
const IN_TWO_CELLS = /^[ \t]{0,20}\|[ \t](\d{1,3})[ \t]\|[ \t](\.\d{1,3})(?!\d)/gm
const EXHIBITS_MAX = 200

/** Returns the numbers of the exhibits that a text names, each once, in the order of the text. */
export function exhibitsIn(text: string, isList: boolean): string[] {
  const numbers = new Set<string>()
  for (const match of text.matchAll(EXHIBIT)) {
    numbers.add(match[1]!)
    for (let at = match.index + match[0].length, more = ALSO.exec(text.slice(at, at + 20)); more; ) {
      numbers.add(more[1]!)
      at += more[0].length
      more = ALSO.exec(text.slice(at, at + 20))
    }
    if (numbers.size >= EXHIBITS_MAX) break
  }
  if (isList) for (const number of inList(text)) if (numbers.size < EXHIBITS_MAX) numbers.add(number)
  return [...numbers]
}

function inList(text: string): string[] {
  const found: [at: number, number: string][] = []
  for (const { 1: dotted, 2: lettered, index } of text.matchAll(IN_LIST)) found.push([index, (dotted ?? lettered)!])
  for (const { 1: cell, 2: line, index } of text.matchAll(WHOLE_IN_LIST)) found.push([index, (cell ?? line)!])
  for (const { 1: before, 2: after, index } of text.matchAll(IN_TWO_CELLS)) found.push([index, before! + after!])
  return found.sort(([a], [b]) => a - b).map(([, number]) => number)
}

const EXCERPT_MAX = 400
/** Length of the text from which an excerpt is made. */
const LOOK = 4_000

/** Returns the beginning of a text, without Markdown syntax and drawn lines, cut between words. */
export function excerptOf(text: string): string {
  const plain = text
    .slice(0, LOOK)
    .replace(/^\|[\s|:-]{3,200}\|$/gm, ' ')
    .replace(/\]\([^)\s]{0,200}\)/g, '')
    .replace(/[|[\]*`#\\]/g, ' ')
    .replace(/[-=_]{4,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  if (plain.length <= EXCERPT_MAX) return plain
  const cut = plain.lastIndexOf(' ', EXCERPT_MAX - 1)
  return `${plain.slice(0, cut > 0 ? cut : EXCERPT_MAX - 1)}…`
}
