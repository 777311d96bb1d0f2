/**
 * Text on its way to a terminal. Names of filers and answers of hosts may hold anything: escapes that move the cursor or set
 * the title, and characters that turn the direction of what follows, so that a line reads as something else.
 */

/**
 * C0 but tab and line end, DEL, C1 (0x9b begins an escape as well), the marks, embeddings and isolates of directions, and the
 * ends of lines and paragraphs.
 */
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Text for people: what a terminal would not show is a replacement character. */
export const visible = (text: string): string => text.replace(HIDDEN, '\ufffd')

/** JSON that means the same, with what a terminal would not show as escapes. Between its strings it has none of that. */
export const visibleJson = (json: string): string =>
  json.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Text as one line: a value must not look like the next line. */
export const inOneLine = (text: string): string => text.replace(/(?<!\s)\s*\n\s*/g, ' ')
