/**
 * Makes text safe for a terminal. Names of filers and answers of hosts may contain anything. An escape sequence in them
 * could move the cursor or set the title of the terminal. Another character could reverse the direction of the text
 * after it, so that a line seems to say something else.
 */

/**
 * These characters: C0 except tab and line feed; DEL; C1 (0x9b also begins an escape); bidirectional marks, embeddings,
 * overrides and isolates; the line and paragraph separators.
 */
const HIDDEN = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Returns text for people: characters that a terminal would not show are replaced by U+FFFD. */
export const visible = (text: string): string => text.replace(HIDDEN, '\ufffd')

/**
 * Returns JSON that means the same, with escapes for the characters that a terminal would not show. These characters
 * occur only within strings of the JSON.
 */
export const visibleJson = (json: string): string =>
  json.replace(HIDDEN, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Returns text as one line: a value must not look like the next line. */
export const inOneLine = (text: string): string => text.replace(/(?<!\s)\s*\n\s*/g, ' ')
