/**
 * Makes text of filings safe to show to a model. Text in a filing is untrusted: it must not look like a part of the
 * answer that the service itself wrote.
 */

/**
 * Characters that people do not see but models read. They are control characters, marks of direction, zero-width
 * characters, and the tags of plane 14, in which whole sentences can be hidden.
 */
const HIDDEN =
  /[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/**
 * Matches whatever `inLine` could change. Most cells need no change, and this test takes a fifth of the time of the
 * changes.
 */
const CHANGED = /[^ -~]| {2}|^ | $/

/** The text in one line, without hidden characters. */
export const inLine = (text: string): string =>
  CHANGED.test(text)
    ? text
        .replace(/[\t\n\v\f\r\u2028\u2029]+/g, ' ')
        .replace(HIDDEN, '')
        .replace(/\s+/g, ' ')
        .trim()
    : text

/** The text with its lines, without hidden characters. */
export const inLines = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(HIDDEN, (found) => (found === '\n' ? '\n' : found === '\t' ? ' ' : ''))

/** The first characters of a text. A character outside of the BMP is left out whole if only its first half fits. */
export const beginning = (text: string, max: number): string => text.slice(0, max).replace(/[\ud800-\udbff]$/, '')

/** Shortens a text, and adds how many characters were removed. */
export const shortened = (text: string, max: number): string =>
  text.length <= max ? text : `${beginning(text, max)}… (+${text.length - max} characters)`
