/** Numbers of proposals as statements write them: `3`, `Three`, `III`. */

const WORDS = [
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', 'thirteen'],
  ...['fourteen', 'fifteen', 'sixteen', 'seventeen', 'eighteen', 'nineteen', 'twenty'],
]
const ROMAN = ['i', 'ii', 'iii', 'iv', 'v', 'vi', 'vii', 'viii', 'ix', 'x', 'xi', 'xii']
/** No real statement has more than some thirty. */
export const PROPOSALS_MAX = 60

export const NUMBER = `(?:\\d{1,2}|${WORDS.join('|')})`
/** Behind "Proposal" a number may be a Roman one; alone "I" is a word. */
export const NUMBER_BEHIND_WORD = `(?:\\d{1,2}|${[...WORDS, ...ROMAN].join('|')})`

/** 1 to 60, of digits, of a word or of Roman digits; null for anything else. */
export function numberOf(text: string): number | null {
  const said = text.toLowerCase()
  const number = WORDS.indexOf(said) + 1 || ROMAN.indexOf(said) + 1 || Number(said || Number.NaN)
  return Number.isInteger(number) && number >= 1 && number <= PROPOSALS_MAX ? number : null
}
