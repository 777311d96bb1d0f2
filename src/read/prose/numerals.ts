/** Numbers in words and in Roman digits, as documents use them for headings and list items. All are in lower case. */

/** From one to twenty. */
export const NUMBER_WORDS: readonly string[] = (
  'one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen ' +
  'eighteen nineteen twenty'
).split(' ')
/** From first to tenth. */
export const ORDINALS: readonly string[] = 'first second third fourth fifth sixth seventh eighth ninth tenth'.split(' ')
/** From 1 to 16, since a form has at most sixteen items with Roman numbers. */
export const ROMANS: readonly string[] = 'i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi'.split(' ')

/** Source of a pattern of the words from one to `last`, as alternatives without brackets. */
export const wordsTo = (last: number): string => NUMBER_WORDS.slice(0, last).join('|')

/**
 * Reads a number from 1 to 20 in words, or from 1 to 16 in Roman digits, in any case.
 *
 * @returns 0 for any other text, so that `numeralOf(text) || …` gives the alternative after `||`
 */
export function numeralOf(text: string): number {
  const word = text.toLowerCase()
  return NUMBER_WORDS.indexOf(word) + 1 || ROMANS.indexOf(word) + 1
}
