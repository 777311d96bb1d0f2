/** Headings that go on as text in the same line: "**Item 5.02 Departure of Directors.** On May 1, …". */

/** Longer than a heading of several items with their titles. */
const LOOK = 900
/** Less than this behind a heading is a part of it. */
const TEXT_MIN = 25
const EMPHASIZED = /^(?:#{1,6}\s)?(?:(\*{1,3})(?!\s)[^*]{1,600}\1[\s.:)–—-]{0,6}){1,4}/
const NUMBER = /^(?:#{1,6}\s)?items?\s?(?:no\.?\s?|#\s?)?\d[\d\s.]{0,5}(?:\([a-z]\)[\s,]{0,2}){0,6}[\s.:)–—-]{0,6}/i
/** Where a sentence ends within a line, and the next one begins. */
const SENTENCE = /[.:]\s+(?=["“(]?\p{Lu})/gu

/**
 * Where in a line of Markdown the text behind its heading begins.
 *
 * @param isTitle whether words are the title of the item
 * @returns 0 where the line is a heading alone
 */
export function textWithin(line: string, isTitle: (words: string) => boolean): number {
  const look = line.slice(0, LOOK)
  const end = EMPHASIZED.exec(look)?.[0].length ?? endOfTitle(look, isTitle)
  return end > 0 && isText(line.slice(end)) ? end : 0
}

/** What begins with a capital and has words between: a title that goes on has none in small letters at its beginning. */
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
    // If a title has several parts, "… Officers; Election of Directors. On May 1", the sentence ends after the last.
    if (isTitle(title)) return number.length + index + sign.length
  }
  return 0
}
