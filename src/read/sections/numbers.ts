/**
 * Reads headings with the numbers of their items: "Item 7.", "Items 7 and 7A.", "Items 10 through 14", "ITEM VII",
 * "I tem 7."
 */
import { NUMBER_WORDS, ROMANS } from '../prose/numerals.ts'
import { type FormItem, squeeze } from './titles.ts'

export interface NumberedHeading {
  /**
   * The numbers in the form's spelling: `7A`. Numbers that are not items of the form are left out, so the list may be
   * empty.
   */
  numbers: string[]
  /** The characters between the numbers and the title. */
  sign: string
  /** The text after the numbers. */
  rest: string
  /**
   * Whether the number is written in Roman letters or as a word. Such a number counts only with the title of its item.
   */
  isSpelt: boolean
  /** Whether the heading belongs to a part of an item: item 14(a)(1) is a part of item 14. */
  isPartOf: boolean
}

/**
 * Matches "Item", also with a stray blank within the word or a letter that looks like its first (0000912057-96-000009
 * has "ltem"), and "Part I. Financial Information — Item".
 */
const WORD =
  /^["“([•·–—-]{0,2}\s?(?:part\s(?:i{1,3}|iv)\s?[,.:;(–—-]{0,3}\s?(?:(?:financial|other)\sinformation\s?[,.:;(–—-]{0,3}\s?)?)?[il1]\s?t\s?e\s?m(\s?s|\(s\))?(?![a-z]{2})\s?(?:nos?\b\.?\s?|no\.?\s?|numbers?\s|#\s?|[:_–—-]\s?)?/i
const SPELT = NUMBER_WORDS.slice(0, 16)
const SPELT_OUT = new RegExp(`^(${SPELT.toReversed().join('|')})(?:[\\s-]?([a-c]))?(?![a-z])`, 'i')
const ROMAN = /^(XVI|XV|XIV|XIII|XII|XI|X|IX|VIII|VII|VI|V|IV|III|II|I)(?:\s?\(?([ABC])\)?)?(?![A-Za-z\d])/
const digits = (letters: string) =>
  new RegExp(
    String.raw`^(\d{1,4})(?:\s?(?:-\s?)?\(?([${letters}])\)?(?![a-z])|\.\s?([${letters}])(?=[.:)–—-]))?(?:\s?\(t\))?`,
    'i',
  )
/**
 * Match a number with the letter after it. `few` has A to C; `many` has A to K, since the items of Form 20-F go up to
 * 16K.
 */
const DIGITS = { few: digits('a-c'), many: digits('a-k') }
/** Matches a blank within the number: "Item 1 0." */
const PARTED = /^(1)\s(\d)(?=[.:])/
const OTHER_LETTER = /^[A-Z](?![A-Za-z])/
/** Matches the text between two numbers: "and", "&", "/", a comma, or words of a range. */
const JOINED =
  /^[.:)]?\s?[([]?(?:(,?\s?and\/or|,?\s?and(?:\salso)?|,?\s?[&+]|(?:plus|et|(?:combined |together )?with|as well as)(?=\s(?:items?\s)?\d)|,|;|\/)|((?:up )?to|through(?:\sand including)?|thru|until|[-–—…]|(?:\.\s?){3}))\s?(items?\s?(?:nos?\b\.?\s?)?)?/i
const BRACKET = /^[([](?=\d{1,2}\s?[a-c]?[)\]])/i
/** Matches a number with a letter in brackets: "7(a)". */
const BRACKETED = /^\d{1,2}\s?(?:-\s?)?\([a-k]\)/i
const LETTER = { few: /^([BC])(?![A-Za-z])/, many: /^([B-K])(?![A-Za-z])/ }
const ENDING = /[A-K]$/
const LIST_MAX = 16
/** "Item 4A. Executive Officers" is a caption of its own, and not a part of item 4. */
const EXECUTIVES = /\bexecutive officers\b/i

interface NumberAt {
  number: string
  length: number
  isSpelt: boolean
}

function numberAt(text: string, letters: keyof typeof DIGITS): NumberAt | null {
  if (BRACKET.test(text)) {
    const within = numberAt(text.slice(1), letters)
    return within && { ...within, length: within.length + 2 }
  }
  const parted = PARTED.exec(text)
  if (parted) return { number: `${parted[1]}${parted[2]}`, length: parted[0].length, isSpelt: false }
  const numeral = DIGITS[letters].exec(text)
  if (numeral) {
    const letter = (numeral[2] ?? numeral[3] ?? '').toUpperCase()
    return { number: `${numeral[1]}${letter}`, length: numeral[0].length, isSpelt: false }
  }
  const roman = ROMAN.exec(text)
  if (roman) {
    return {
      number: `${ROMANS.indexOf(roman[1]!.toLowerCase()) + 1}${roman[2] ?? ''}`,
      length: roman[0].length,
      isSpelt: true,
    }
  }
  const [whole, word, letter = ''] = SPELT_OUT.exec(text) ?? []
  if (whole) {
    return {
      number: `${SPELT.indexOf(word!.toLowerCase()) + 1}${letter.toUpperCase()}`,
      length: whole.length,
      isSpelt: true,
    }
  }
  const other = OTHER_LETTER.exec(text)
  return other ? { number: other[0], length: 1, isSpelt: false } : null
}

/**
 * Returns the items between the two ends of a range. If the last end has a letter, items with the same number and an
 * earlier letter are included: "4 through 7B" gives 5, 6, 7 and 7A. If both ends have the same number, the result is
 * only the items between their letters.
 */
function between(from: string, to: string, form: readonly FormItem[]): string[] {
  const [first, last] = [Number.parseInt(from, 10), Number.parseInt(to, 10)]
  return form.flatMap(({ number }) => {
    const whole = Number.parseInt(number, 10)
    const isWithin =
      whole === last
        ? number < to && (first !== last || number > from)
        : number === String(whole) && whole > first && whole < last
    return isWithin ? [number] : []
  })
}

/**
 * Reads the numbers of a heading. Branches: each is a way in which filers number an item.
 *
 * @param plain a line without Markdown signs, its blanks collapsed
 * @returns null if the line does not begin with "Item" and a number
 */
export function numberedHeading(plain: string, form: readonly FormItem[]): NumberedHeading | null {
  const word = WORD.exec(plain)
  if (!word) return null
  const letters = form.some(({ number }) => /[D-K]$/.test(number)) ? 'many' : 'few'
  const first = numberAt(plain.slice(word[0].length), letters)
  if (!first) return null
  const isPlural = word[1] !== undefined
  const isOfForm = (number: string) => form.some((item) => item.number === number)
  const numbers = [first.number]
  let rest = plain.slice(word[0].length + first.length)
  for (let count = 1; count < LIST_MAX; count++) {
    const [joined, , range, again] = JOINED.exec(rest) ?? []
    if (joined === undefined) break
    const after = rest.slice(joined.length)
    const before = numbers.at(-1)!
    const letter = LETTER[letters].exec(after)
    const given =
      letter && ENDING.test(before)
        ? { number: `${before.slice(0, -1)}${letter[1]}`, length: 1 }
        : numberAt(after, letters)
    // "15(a)" means a part of item 15 if the form has no item 15A, so it is read as item 15.
    const next = given && !isOfForm(given.number) ? { ...given, number: given.number.replace(ENDING, '') } : given
    // "Item 5, 2025 was" and "Item 1 - 3,000 employees": the second number is not an item.
    if (!next || !isOfForm(next.number) || !isOfForm(before) || /^[\d,]*\d/.test(after.slice(next.length))) break
    const isDash = range !== undefined && !/[a-z]/i.test(range)
    const isSame = Number.parseInt(next.number, 10) === Number.parseInt(before, 10)
    if (isDash && !isPlural && !isSame && again === undefined) break
    if (range !== undefined) numbers.push(...between(before, next.number, form))
    numbers.push(next.number)
    rest = after.slice(next.length)
  }
  const [, sign = '', title = ''] = /^(?:,?\s?\(?inclusive\)?)?\s?([.:)–—-]*)\s*(.*)$/is.exec(rest) ?? []
  const known = [...new Set(numbers)].filter(isOfForm)
  const shown = isTitleOfPart(known, title, form) ? [] : known
  const own = BRACKETED.test(plain.slice(word[0].length)) ? withoutPart(shown, title, form) : shown
  const isPartOf =
    own.length === 0 &&
    ENDING.test(first.number) &&
    isOfForm(first.number.slice(0, -1)) &&
    !EXECUTIVES.test(title.slice(0, 80))
  return { numbers: own, sign, rest: title, isSpelt: first.isSpelt, isPartOf }
}

/**
 * "Item 7(a). Management's Discussion": the letter in brackets names a part of item 7 if the title is the whole title
 * of item 7. "Item 1A. Business Risks" keeps its letter, since "Business Risks" is not the whole title of item 1.
 */
function withoutPart(numbers: string[], title: string, form: readonly FormItem[]): string[] {
  const [number = ''] = numbers
  const whole = number.replace(ENDING, '')
  if (numbers.length !== 1 || whole === number || title === '') return numbers
  const items = (one: string) => form.filter((item) => item.number === one)
  const isWhole = items(whole).some((item) => item.squeezed?.test(squeeze(title)))
  return isWhole && !items(number).some((item) => item.title.test(title)) ? [whole] : numbers
}

/**
 * Tests for "Item 4A. History and Development of the Company". That title belongs to part 4.A, and not to item 4A,
 * which Form 20-F has too.
 */
function isTitleOfPart(numbers: readonly string[], title: string, form: readonly FormItem[]): boolean {
  const [number = ''] = numbers
  if (numbers.length !== 1 || !ENDING.test(number)) return false
  const parts = form.find((item) => item.number === number.slice(0, -1))?.parts ?? []
  const isOfPart = parts.some((part) => part.letter === number.slice(-1) && part.title.test(title))
  return isOfPart && !form.some((item) => item.number === number && item.title.test(title))
}

const WITHIN =
  /(?:(?:^|[\s,;/&.–—-])items?\s(?:no\.?\s)?|(?:[;/&]|\sand)\s?)(\d{1,2})\s?([a-c](?![a-z]))?[.:]?\s[–—-]?\s?/gi

/** Returns further items that a heading names with their titles: "Business and Item 2. Properties". */
export function furtherItems(rest: string, form: readonly FormItem[]): string[] {
  return [...rest.matchAll(WITHIN)].flatMap(({ 1: digits, 2: letter = '', 0: whole, index }) => {
    const number = `${digits}${letter.toUpperCase()}`
    const after = rest.slice(index + whole.length)
    return form.some((item) => item.number === number && item.title.test(after.slice(0, 60))) ? [number] : []
  })
}
