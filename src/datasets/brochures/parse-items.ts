/** Finds items of Form ADV Part 2A by the headings of a brochure. */
import type { Markdown } from '../../read/made-markdown.ts'

/** An item: its number, and its beginning and end in the Markdown. */
interface Item {
  id: string
  start: number
  end: number
}

/** Matches the beginning of "Item 5 – Fees and Compensation", "ITEM 5: FEES AND COMPENSATION", "Item 5. Fees". */
const ITEM = /^item\s{1,3}(\d{1,2})\b/i
/** Part 2A has 18 items, and 19 for firms that register with states. */
const ITEMS = 19

/**
 * Returns the items in their order. If two headings name one item, for example one in the table of contents and one in
 * the text, the heading with more text after it is used. If no heading of a brochure names an item, the brochure has no
 * items.
 */
export function itemsOf({ text, headings }: Markdown): Item[] {
  const found = headings.flatMap((heading) => {
    const number = Number(ITEM.exec(heading.text.trim())?.[1] ?? 0)
    return number >= 1 && number <= ITEMS ? [{ id: String(number), start: heading.start }] : []
  })
  const items = found.map((item, at): Item => ({ ...item, end: found[at + 1]?.start ?? text.length }))
  const longest = new Map<string, Item>()
  for (const item of items) {
    const other = longest.get(item.id)
    if (!other || lengthOf(item) > lengthOf(other)) longest.set(item.id, item)
  }
  return items.filter((item) => longest.get(item.id) === item)
}

const lengthOf = ({ start, end }: Item) => end - start
