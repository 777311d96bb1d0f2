/**
 * Names of companies without the differences between spellings, and ids of private companies, which are made of such
 * names.
 */
import { fold } from './fold.ts'

/** A company's name in its form for comparison. */
export interface Company {
  /**
   * Letters and digits of the name without legal form and blanks: `space exploration technologies` and
   * `spaceexploration…`.
   */
  key: string
  /** Kind of its legal form (`inc` for all kinds of corporations); empty if the name has no legal form. */
  form: string
  /** As written, without the class. */
  name: string
}

/**
 * Legal forms by kind, as prose writes them, without the full stop at their end. Two kinds mean two legal entities: an
 * LLC is not the corporation of the same name.
 */
const SPELLINGS: Readonly<Record<string, readonly string[]>> = {
  inc: ['Inc', 'Incorporated', 'Corp', 'Corporation', 'PBC'],
  llc: ['LLC', 'L.L.C'],
  lp: ['LP', 'L.P', 'LLP', 'L.L.P'],
  ltd: ['Ltd', 'Limited', 'plc', 'PLC', 'Pty', 'Pte', 'Pvt'],
  sa: ['S.A', 'SA', 'S.A.S', 'S.A.R.L', 'S.à r.l'],
  ag: ['AG', 'GmbH', 'SE'],
  bv: ['B.V', 'BV', 'N.V', 'NV'],
  ab: ['AB', 'A/S', 'ASA', 'Oy', 'Oyj', 'ApS'],
  spa: ['S.p.A', 'S.r.l'],
  kk: ['K.K'],
}
/** Forms that would be another word in prose: AS. They end only a name that stands alone. */
const IN_FIELDS: Readonly<Record<string, string>> = { llc: 'lc', sa: 'sas sarl', ab: 'as', spa: 'spa srl', kk: 'kk' }
/**
 * Forms that end a name in prose, but are a part of it for comparison. "Company" is in neither list, since it is a part
 * of the name in The Boring Company.
 */
const PROSE_ONLY = ['Co', 'N.A', 'NA', 'National Association', 'F.S.B', 'FSB', 'P.C', 'ULC', 'KG', 'LLLP']
/** Forms of letters alone that are abbreviations, so that a full stop after them belongs to them. */
const ABBREVIATIONS = ['Inc', 'Corp', 'Co', 'Ltd', 'Pty', 'Pte', 'Pvt']

/** Words of legal forms in the form for comparison, with their kinds. */
const FORMS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SPELLINGS).flatMap(([form, all]) =>
    // "S.à r.l" is several words there.
    all.filter((one) => !one.includes(' ')).map((one) => [one.toLowerCase().replace(/[./]/g, ''), form] as const),
  ),
  ...Object.entries(IN_FIELDS).flatMap(([form, words]) => words.split(' ').map((word) => [word, form] as const)),
])

/** Legal forms as prose writes them, the longest first, so that a pattern of them does not stop within one. */
const PROSE_FORMS = [...Object.values(SPELLINGS).flat(), ...PROSE_ONLY].sort((a, b) => b.length - a.length)
const patternOf = (forms: readonly string[]) =>
  `(?:${forms.map((form) => form.replaceAll('.', '\\.').replaceAll(' ', '\\s')).join('|')})`

/** Source of a pattern of every legal form in prose, without the full stop at its end. */
export const PROSE_FORM = patternOf(PROSE_FORMS)
/** Source of a pattern of the forms that end with a full stop, without it. */
export const DOTTED_FORM = patternOf(PROSE_FORMS.filter((form) => form.includes('.') || ABBREVIATIONS.includes(form)))

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
    // L.L.C., B.V., S.A.: letters with dots are one word. "2.5" and "2 5" are not 25.
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

/** Returns the name in an id, in any spelling (`company~Discord, Inc.`); null if it has no letter or digit. */
export const companyOfId = (id: string): Company | null => companyOf(id.slice(COMPANY_ID.length).replaceAll('-', ' '))

export const isCompanyId = (id: string): boolean => id.slice(0, COMPANY_ID.length).toLowerCase() === COMPANY_ID
