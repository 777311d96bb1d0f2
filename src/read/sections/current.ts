/** Items of a current report (8-K): numbers of two parts since 2004-08-23, 1 to 12 before. */
import type { Markdown } from '../made-markdown.ts'
import type { Section } from '../sections.ts'
import { confidenceOf, linesOf, REFERENCE, SIGNATURES } from './lines.ts'

const ITEM =
  /^items?\s*(?:no\.?\s*)?(?:([1-9])\s?\.\s?(\d{2})|(\d{1,2}))(?![\d.]*\d)\s*(?:\(([a-z])\))?\s*([.:)–—-]*)\s*(.*)$/i

/** In the order of the text. Of an item that stands there twice the first is kept, and goes on to the next item. */
export function currentReportItems(markdown: Markdown): Section[] {
  const found: { id: string; title: string; start: number; next: number; isSet: boolean; isTitled: boolean }[] = []
  let signatures = markdown.text.length
  for (const line of linesOf(markdown)) {
    if (SIGNATURES.test(line.plain) && found.length > 0 && !line.isRow) {
      signatures = line.start
      break
    }
    const [, part, number, old, , , rest = ''] = ITEM.exec(line.plain) ?? []
    const id = part ? `${part}.${number}` : old
    if (id === undefined || REFERENCE.test(rest) || (old !== undefined && (Number(old) < 1 || Number(old) > 12)))
      continue
    const isSet = line.isHeading || line.isBold || /^ITEM/.test(line.plain)
    const isTitled = /^\p{Lu}/u.test(rest) && line.plain.length < 280
    if (!isSet && !isTitled && rest !== '') continue
    if (found.some((each) => each.id === id)) continue
    found.push({ id, title: line.plain, start: line.start, next: line.next, isSet, isTitled })
  }
  return found.map(({ id, title, start, next, isSet, isTitled }, i) => {
    const end = found[i + 1]?.start ?? signatures
    return { id, title, start, end, confidence: confidenceOf({ isSet, isTitled, length: end - next }) }
  })
}
