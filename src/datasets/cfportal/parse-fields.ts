/** Values that occur in many places of Form Funding Portal. */
import { address, named } from '../../read/values.ts'
import type { Element } from '../../read/xml.ts'

/**
 * Returns the text; null for the words None and N/A, which filers write if nothing applies (`bookKeepingLocationDesc`
 * of 0001808131-25-000002).
 */
export const statedAt = (element: Element | null, path: string): string | null => named(element?.text(path) ?? null)

export const street = (element: Element | null) => address((part) => element?.text(part) ?? null)

interface Words<T> {
  meaning: (text: string) => T | null | undefined
  reason: string
}

/** Declares the codes that an element of the form can have, each with its meaning. */
export const words = <T>(meanings: Readonly<Record<string, T>>): Words<T> => ({
  meaning: (text) => (named(text) === null ? undefined : Object.hasOwn(meanings, text) ? meanings[text] : null),
  reason: `is not one of ${Object.keys(meanings).join(', ')}`,
})

/** Returns the meaning of the element's code; null without a code. Reports a code that was not declared. */
export const word = <T>(element: Element, path: string, { meaning, reason }: Words<T>): T | null =>
  element.value(path, meaning, reason)
