/** Recognizes counts of votes, and the heads of the columns in which they stand. */

/** Kinds of votes that are counted. The last three kinds are the choices in a vote on how often holders vote on pay. */
export const COUNTS = [
  ...(['votes_for', 'votes_against', 'votes_withheld', 'abstained', 'broker_non_votes'] as const),
  ...(['one_year', 'two_years', 'three_years'] as const),
]
export type CountName = (typeof COUNTS)[number]
export type Counts = Partial<Record<CountName, string>>

/** Words in a head that do not name the kind of vote. */
const FILLERS =
  /\b(?:number|total|aggregate|shares?|votes?|voted|voting|cast|of|the|common|ordinary|stock|to|authority|were|no)\b/g
const NAMES: readonly (readonly [CountName, RegExp])[] = [
  ['votes_for', /^(?:for|in favou?r|favou?r|yes|affirmative)(?: (?:election|approval|ratification|adoption))?$/],
  ['votes_against', /^(?:against|opposed|negative)(?: (?:election|approval|ratification|adoption))?$/],
  ['votes_withheld', /^(?:withheld|withhold|withholding|for withheld)$/],
  ['abstained', /^(?:abstain|abstained|abstaining|abstentions?)$/],
  ['broker_non_votes', /^(?:brokers? )?non$/],
  ['one_year', /^(?:(?:every )?(?:1|one) (?:yr|year)s?|every year|annual|annually|yearly)$/],
  ['two_years', /^(?:(?:every )?(?:2|two) (?:yr|year)s?|every other year|biennial|biennially)$/],
  ['three_years', /^(?:(?:every )?(?:3|three) (?:yr|year)s?|triennial|triennially)$/],
]

/** Returns the kind of vote that the head of a column, or the label of a row, names; null for other words. */
export function countName(words: string): CountName | null {
  const plain = ownWords(words)
  return NAMES.find(([, pattern]) => pattern.test(plain))?.[0] ?? null
}

/** Returns the words of a head that may name the kind of vote; empty if there are none. */
export const ownWords = (words: string): string =>
  words
    .toLowerCase()
    .replace(/\(\d\)/g, ' ')
    .replace(/[^a-z\d%]+/g, ' ')
    .replace(/\bnonvotes?\b/g, 'non')
    .replace(FILLERS, ' ')
    .replace(/\s+/g, ' ')
    .trim()

/** Tests for a cell with a percentage and nothing else: "99.4%", "(99.4%)". */
export const isPercentage = (cell: string): boolean => /^\(?\d{1,3}(?:\.\d{1,6})?\s?%\)?$/.test(cell)

/** Matches a count, alone or with the mark of a footnote or the percentage of all votes in parentheses. */
const COUNT =
  /^(\d{1,3}(?:[,'’]\d{3}){1,4}(?:\.\d{1,8})?|\d{1,15}(?:\.\d{1,8})?)(?:\s?\(\d{1,3}(?:\.\d{1,6})?\s?%\)|\s?\(\d\)|\*{1,3})?$/

/** Returns the digits of a count, without commas or apostrophes; null for anything else, such as a percentage or "12.". */
export function countIn(cell: string): string | null {
  const found = COUNT.exec(cell)?.[1]?.replace(/[,'’]/g, '')
  if (found === undefined) return null
  const [whole, fraction = ''] = found.split('.') as [string, string?]
  const rest = fraction.replace(/(?<!0)0+$/, '')
  return rest === '' ? whole : `${whole}.${rest}`
}

/**
 * Tests for a cell without a count: an empty cell, a dash, an asterisk, or words such as "not applicable". A dash can
 * also mean zero, so the value is unknown.
 */
export const isNoCount = (cell: string): boolean => /^(?:[-–—*]{1,3}|n\/?a|not applicable|none)?$/i.test(cell)
