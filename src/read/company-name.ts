/**
 * Compares names of companies in spite of different spellings, and makes the ids of private companies from these names.
 */
import { fold } from './fold.ts'
import { FORMS } from './legal-forms.ts'

/** A company's name in the form that is compared. */
export interface Company {
  /**
   * Letters and digits of the name, without the legal form and without blanks: `space exploration technologies` and
   * `spaceexploration…`.
   */
  key: string
  /** Kind of the company's legal form (`inc` for all kinds of corporations); empty if the name has no legal form. */
  form: string
  /** As written, without the class. */
  name: string
}

const LONG_FORMS: readonly (readonly [RegExp, string])[] = [
  [/\bpublic benefit (?:corporation|corp)\b/g, 'pbc'],
  [/\blimited liability company\b/g, 'llc'],
  [/\blimited partnership\b/g, 'lp'],
  [/\bprivate limited\b/g, 'ltd'],
]

/** Returns null if the text has neither letter nor digit. */
export function companyOf(text: string): Company | null {
  let plain = fold(text)
    .replace(/['’‘`´]/gu, '')
    .replace(/&/g, ' and ')
    // L.L.C., B.V., S.A.: letters with dots count as one word. "2.5" and "2 5" are not 25.
    .replace(/\b(?:[a-z]\.){2,}/g, (letters) => `${letters.replaceAll('.', '')} `)
    .replace(/(?<=\d)[.](?=\d)/g, '·')
  for (const [long, short] of LONG_FORMS) plain = plain.replace(long, short)
  let words = plain.split(/[^\p{L}\p{N}·]+/u).filter((word) => word !== '')
  if (words.length > 1 && words[0] === 'the') words = words.slice(1)
  // "Company (The)".
  if (words.length > 1 && words.at(-1) === 'the') words = words.slice(0, -1)
  let end = words.length
  while (end > 1 && FORMS.has(words[end - 1]!)) end--
  const key = words
    .slice(0, end)
    .map((word) => (word === 'co' ? 'company' : word))
    .join(' ')
    .replace(/(?<!\d) | (?!\d)/g, '')
  if (key === '') return null
  return { key, form: end < words.length ? FORMS.get(words.at(-1)!)! : '', name: text.trim() }
}

/** How the id of a private company begins: `company~spacex`. */
export const COMPANY_ID = 'company~'

/** Returns the name in an id, in any spelling (`company~Discord, Inc.`); null if the name has no letter or digit. */
export const companyOfId = (id: string): Company | null => companyOf(id.slice(COMPANY_ID.length).replaceAll('-', ' '))

export const isCompanyId = (id: string): boolean => id.slice(0, COMPANY_ID.length).toLowerCase() === COMPANY_ID
