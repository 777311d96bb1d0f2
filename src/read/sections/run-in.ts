/** Separates headings from text that follows in the same line: "**Item 5.02 Departure of Directors.** On May 1, …". */

/** Number of characters that are examined: more than a heading of several items with their titles has. */
const LOOK = 900
/** Minimum length of the text after a heading; shorter text is taken for a part of the heading. */
const TEXT_MIN = 25
const EMPHASIZED = /^(?:#{1,6}\s)?(?:(\*{1,3})(?!\s)[^*]{1,600}\1[\s.:)–—-]{0,6}){1,4}/
const NUMBER = /^(?:#{1,6}\s)?items?\s?(?:no\.?\s?|#\s?)?\d[\d\s.]{0,5}(?:\([a-z]\)[\s,]{0,2}){0,6}[\s.:)–—-]{0,6}/i
/** Matches the end of a sentence within a line, before the beginning of the next sentence. */
const SENTENCE = /[.:]\s+(?=["“(]?\p{Lu})/gu

/**
 * Returns where the text after the heading begins in a line of Markdown.
 *
 * @param isTitle whether words are the title of the item
 * @returns 0 if the line is a heading alone
 */
export function textWithin(line: string, isTitle: (words: string) => boolean): number {
  const look = line.slice(0, LOOK)
  const end = EMPHASIZED.exec(look)?.[0].length ?? endOfTitle(look, isTitle)
  return end > 0 && isText(line.slice(end)) ? end : 0
}

/**
 * Whether these words are text: text begins with a capital and has short words in small letters near its beginning. The
 * rest of a title has no such words.
 */
const isText = (rest: string) =>
  rest.trim().length >= TEXT_MIN &&
  /^["“(]?(?:\p{Lu}|\d|\([a-z]\))/u.test(rest) &&
  /\s\p{Ll}{1,4}\s/u.test(rest.slice(0, 120)) &&
  /[.:;”"]\s*$/.test(rest.trimEnd())

function endOfTitle(look: string, isTitle: (words: string) => boolean): number {
  const [number = ''] = NUMBER.exec(look) ?? []
  if (number === '') return 0
  for (const { index, 0: sign } of look.slice(number.length).matchAll(SENTENCE)) {
    const title = look.slice(number.length, number.length + index)
    // If a title has several parts, "… Officers; Election of Directors. On May 1", the heading ends after the last
    // part.
    if (isTitle(title)) return number.length + index + sign.length
  }
  return 0
}
