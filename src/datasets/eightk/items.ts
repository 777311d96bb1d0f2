/**
 * Lists the items of a current report from its header and its text. The list keeps an item that only one of these two
 * sources has.
 */

import { itemCode } from '../../read/sgml/items.ts'
import { ITEM_TITLES } from './item-titles.ts'
import type { SOURCES } from './tables-words.ts'

export interface Item {
  item: string
  title: string
  source: (typeof SOURCES)[number]
  /** Description of the item in the header. */
  description: string | null
}

/**
 * @param header values of ITEM INFORMATION in the header
 * @param text items that have a section, in the order of the text
 * @returns items in the order of the form, and descriptions in the header that match no item
 */
export function itemsOf(
  header: readonly string[],
  text: readonly string[],
  { form, filedDate }: { form: string; filedDate: string },
): { items: Item[]; unknown: string[] } {
  const said = new Map<string, string | null>()
  const unknown: string[] = []
  for (const description of header) {
    const code = itemCode(description, form, filedDate)
    if (code === null) unknown.push(description)
    // Headers in daily archives give only the code, so there is no description.
    else if (!said.has(code)) said.set(code, description.toLowerCase() === code ? null : description)
  }
  const codes = [...new Set([...said.keys(), ...text])].sort(byNumber)
  const items = codes.map((item): Item => {
    const source = !said.has(item) ? 'text' : text.includes(item) ? 'both' : 'header'
    return { item, title: ITEM_TITLES[item]!, source, description: said.get(item) ?? null }
  })
  return { items, unknown }
}

const byNumber = (a: string, b: string) => Number(a) - Number(b)
