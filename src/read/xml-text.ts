/** Converts a form that was filed as XML to text: the label and the content of each box. */
import type { Heading, Markdown } from './made-markdown.ts'
import { escaped } from './pdf/markdown.ts'
import { type Element, parse } from './xml.ts'

/** Limits for a form, which is read as a whole: a table of holdings of 100 MB is data, not text. */
const LIMITS = { sizeMax: 8 * 1024 * 1024, nodesMax: 50_000 }

/** Elements that have a meaning only for EDGAR. */
const LEFT_OUT = new Set(['headerData', 'filerCredentials', 'ccc', 'schemaVersion'])

/**
 * Boxes that contain other boxes become headings, and all other boxes become paragraphs: `Reporting person name: …`.
 *
 * @throws XmlError if it is not XML, or exceeds these limits
 */
export function markdownOfXml(text: string): Markdown {
  const parts: string[] = []
  const headings: Heading[] = []
  let length = 0

  function put(part: string): number {
    const start = length + (parts.length === 0 ? 0 : 2)
    length = start + part.length
    parts.push(part)
    return start
  }

  function write(element: Element, depth: number): void {
    if (LEFT_OUT.has(element.name)) return
    const label = labelOf(element.name)
    const names = [...new Set(element.childNames())]
    const own = element.text()
    if (names.length === 0) {
      if (own !== null) put(`**${escaped(label)}:** ${paragraphs(own)}`)
      return
    }
    const level = Math.min(depth, 6) as Heading['level']
    const before = { parts: parts.length, length, headings: headings.length }
    const start = put(`${'#'.repeat(level)} ${escaped(label)}`)
    headings.push({ level, text: label, start })
    if (own !== null) put(paragraphs(own))
    for (const name of names) for (const child of element.all(name)) write(child, depth + 1)
    if (parts.length > before.parts + 1) return
    // A box without content gets no heading.
    parts.length = before.parts
    headings.length = before.headings
    length = before.length
  }

  write(parse(text, LIMITS), 1)
  return { text: `${parts.join('\n\n')}\n`, headings, tables: 0, images: 0, problems: [] }
}

const paragraphs = (text: string) =>
  text
    .split(/\n[^\S\n]*\n/)
    .map((part) => escaped(part.replace(/\s+/g, ' ').trim()))
    .filter((part) => part !== '')
    .join('\n\n')

/** `reportingPersonName` → `Reporting person name`; `item4` → `Item 4`. */
function labelOf(name: string): string {
  const words = name
    .replace(/([a-z])([A-Z0-9])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    .replace(/[_.-]+/g, ' ')
    .split(' ')
    .map((word) => (/^[A-Z]{2,}$/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .trim()
  return words === '' ? name : words[0]!.toUpperCase() + words.slice(1)
}
