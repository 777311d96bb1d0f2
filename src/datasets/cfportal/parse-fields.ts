/** Values that stand in many places of Form Funding Portal. */
import { address, named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'

/** Text; null for what filers write where nothing applies: None, N/A (`bookKeepingLocationDesc` of 0001808131-25-000002). */
export const said = (element: Element | null, path: string): string | null => named(element?.text(path) ?? null)

export const street = (element: Element | null) => address((part) => element?.text(part) ?? null)

/** The meaning of one of the form's words; null when absent, and reported when it is another. */
export function word<T>(element: Element, path: string, words: Readonly<Record<string, T>>): T | null {
  const meaning = (text: string) => (named(text) === null ? undefined : Object.hasOwn(words, text) ? words[text] : null)
  return element.value(path, meaning, `is none of ${Object.keys(words).join(', ')}`)
}
