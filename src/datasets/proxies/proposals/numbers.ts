/** Numbers of proposals as statements write them: `3`, `Three`, `III`. */
import { NUMBER_WORDS, ROMANS } from '../../../read/prose/numerals.ts'

const ROMAN = ROMANS.slice(0, 12)
/** Maximum number of proposals. No real statement has more than about thirty. */
export const PROPOSALS_MAX = 60

export const NUMBER = `(?:\\d{1,2}|${NUMBER_WORDS.join('|')})`
/** After "Proposal" a number may be Roman; alone, "I" is a word. */
export const NUMBER_AFTER_WORD = `(?:\\d{1,2}|${[...NUMBER_WORDS, ...ROMAN].join('|')})`

const capital = (word: string) => `${word[0]!.toUpperCase()}${word.slice(1)}`
/**
 * A number after "Proposal", for patterns that distinguish capitals: `three`, `Three`, `THREE`, `III`, but not `iii`.
 */
export const NUMERAL = `(?:\\d{1,2}|${[...NUMBER_WORDS.flatMap((word) => [word, capital(word), word.toUpperCase()]), ...ROMAN.map((one) => one.toUpperCase())].join('|')})`

/**
 * Reads a number from 1 to 60 in digits, from 1 to 20 in words, or from 1 to 12 in Roman digits; null for anything
 * else.
 */
export function numberOf(text: string): number | null {
  const word = text.toLowerCase()
  const number = NUMBER_WORDS.indexOf(word) + 1 || ROMAN.indexOf(word) + 1 || Number(word || Number.NaN)
  return Number.isInteger(number) && number >= 1 && number <= PROPOSALS_MAX ? number : null
}
