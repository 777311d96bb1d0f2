/** HTML as values: a template escapes every value that was not made by a template. */

import { escaped } from '../serve/escaped.ts'

/**
 * Text that is HTML already. `html` and `joined` make such a value from escaped parts, and `verbatim` makes it from
 * text that the project itself wrote.
 */
export class Html {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * Marks that change the direction of the letters after them. Within a name, such marks would also reverse our own words
 * after the name, for example in the title of a page, so no page shows them. The JSON of the page has the name as
 * filed.
 */
const DIRECTIONS = /[\u202a-\u202e\u2066-\u2069]/g

/** A value in a template. null, undefined and false write nothing; a list writes each of its items. */
export type Part = Html | string | number | false | null | undefined | readonly Part[]

/** A tagged template: `` html`<p title="${title}">${text}</p>` ``. Attributes must be in quotes. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  let text = strings[0]!
  parts.forEach((part, index) => {
    text += written(part) + strings[index + 1]!
  })
  return new Html(text)
}

/**
 * Takes text as HTML without escaping: only for HTML that the project wrote itself, such as a drawing. Never use it for
 * text from a declaration, a document or a request.
 */
export const verbatim = (text: string): Html => new Html(text)

/** Joins parts, with nothing between them. */
export const joined = (parts: readonly Part[]): Html => new Html(written(parts))

function written(part: Part): string {
  if (part instanceof Html) return part.text
  if (Array.isArray(part)) return part.map(written).join('')
  return part === null || part === undefined || part === false ? '' : escaped(String(part).replace(DIRECTIONS, ''))
}
