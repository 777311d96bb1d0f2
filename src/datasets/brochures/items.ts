/** Items of Form ADV Part 2A, by the headings of a brochure. */
import type { Markdown } from '../../read/made-markdown.ts'
import type { Section } from '../../read/sections.ts'

/** "Item 5 – Fees and Compensation", "ITEM 5: FEES AND COMPENSATION", "Item 5. Fees". */
const ITEM = /^item\s{1,3}(\d{1,2})\b[\s.:\u2010-\u2015-]*(.*)$/i
/** Part 2A has 18 items, and 19 for firms that register with states. */
const ITEMS = 19

/** A line of the table of contents ends with its page, and what follows it up to the next line is no section. */
const BODY_MIN = 80

/**
 * The items in their order. One of which two headings speak, such as a table of contents and the text itself, is where the
 * most text follows. A firm that names its headings otherwise has none.
 */
export function itemsOf({ text, headings }: Markdown): Section[] {
  const found = headings.flatMap((heading) => {
    const [, number = '', title = ''] = ITEM.exec(heading.text.trim()) ?? []
    return Number(number) >= 1 && Number(number) <= ITEMS ? [{ ...heading, id: String(Number(number)), title }] : []
  })
  const sections = found.map(({ id, title, start }, at): Section => {
    const end = found[at + 1]?.start ?? text.length
    return { id, title: title.replace(/[\s.\u2026]+\d+$/, '').trim(), start, end, confidence: 0.9 }
  })
  const longest = new Map<string, Section>()
  for (const section of sections) {
    const other = longest.get(section.id)
    if (lengthOf(section) >= BODY_MIN && (!other || lengthOf(section) > lengthOf(other)))
      longest.set(section.id, section)
  }
  return sections.filter((section) => longest.get(section.id) === section)
}

const lengthOf = ({ start, end }: Section) => end - start
