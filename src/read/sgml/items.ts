/**
 * Finds the codes of a header's ITEM INFORMATION lines. Most lines are descriptions whose wording and case vary; some
 * are the codes themselves. The codes are those of the SEC's own submission index.
 */

type Vocabulary = readonly (readonly [code: string, ...beginnings: string[]])[]

/**
 * Numbering of Form 8-K since 2004-08-23. Each entry has the code and the beginnings of its descriptions, in the form
 * that `plain` returns.
 */
const EVENTS: Vocabulary = [
  ['1.01', 'entry into a material', 'entry into material'],
  ['1.02', 'termination of a material', 'termination of material'],
  ['1.03', 'bankruptcy or receivership'],
  ['1.04', 'mine safety'],
  ['1.05', 'material cybersecurity incident'],
  ['2.01', 'completion of acquisition'],
  ['2.02', 'results of operations'],
  ['2.03', 'creation of a direct financial obligation'],
  ['2.04', 'triggering events'],
  ['2.05', 'cost associated with exit', 'costs associated with exit'],
  ['2.06', 'material impairment'],
  ['3.01', 'notice of delisting'],
  ['3.02', 'unregistered sale'],
  ['3.03', 'material modification'],
  ['4.01', 'changes in registrants certifying accountant', 'change in registrants certifying accountant'],
  ['4.02', 'non reliance on previously issued', 'nonreliance on previously issued'],
  ['5.01', 'changes in control', 'change in control'],
  ['5.02', 'departure of'],
  ['5.03', 'amendments to articles', 'amendment to articles', 'amendments to the articles'],
  ['5.04', 'temporary suspension of trading'],
  [
    '5.05',
    'amendments to the registrants code of ethics',
    'amendment to registrants code',
    'amendments to registrants code',
  ],
  ['5.06', 'change in shell company'],
  ['5.07', 'submission of matters to a vote'],
  ['5.08', 'shareholder director nominations', 'shareholder nominations'],
  ['6.01', 'abs informational'],
  ['6.02', 'change of servicer'],
  ['6.03', 'change in credit enhancement'],
  ['6.04', 'failure to make a required distribution'],
  ['6.05', 'securities act updating'],
  ['6.06', 'static pool'],
  ['6.10', 'alternative filings of asset backed'],
  ['7.01', 'regulation fd'],
  ['8.01', 'other events'],
  ['9.01', 'financial statements'],
]

/**
 * Numbering of Form 8-K before 2004-08-23. Item 9 was about Regulation S sales until 1998, and about Regulation FD from
 * 2000.
 */
const EVENTS_BEFORE_2004: Vocabulary = [
  ['1', 'changes in control', 'change in control'],
  ['2', 'acquisition or disposition'],
  ['3', 'bankruptcy or receivership'],
  ['4', 'changes in registrants certifying accountant', 'change in registrants certifying accountant'],
  ['5', 'other events', 'other materially important events'],
  ['6', 'resignation'],
  ['7', 'financial statements'],
  ['8', 'change in fiscal year', 'changes in fiscal year'],
  ['9', 'regulation fd', 'sales of equity securities pursuant to regulation s'],
  [
    '10',
    'amendments to the registrants code of ethics',
    'amendment to registrants code',
    'amendments to registrants code',
  ],
  ['11', 'temporary suspension of trading'],
  ['12', 'results of operations', 'disclosure of results of operations'],
]

/** Items of Form 1-U, the current report of Regulation A. */
const REGULATION_A_EVENTS: Vocabulary = [
  ['1', 'fundamental change'],
  ['2', 'bankruptcy or receivership'],
  ['3', 'material modification'],
  ['4', 'changes in issuers certifying accountant'],
  ['5', 'non reliance on previous'],
  ['6', 'changes in control'],
  ['7', 'departure of'],
  ['8', 'certain unregistered sales', 'unregistered sales'],
  ['9.1', 'other events'],
]

const ASSET_BACKED: Vocabulary = [
  ['1.01', 'initial filing of rule 15ga 1'],
  ['1.02', 'periodic filing of rule 15ga 1'],
  ['1.03', 'notice of termination of duty to file'],
  ['2.01', 'findings and conclusions of a third party due diligence report obtained by the issuer'],
  ['2.02', 'findings and conclusions of a third party due diligence report obtained by the underwriter'],
]

/** Items of Form SD. There is one rule for each item. */
const SPECIALIZED: Vocabulary = [
  ['1.01', 'conflict minerals disclosure', 'conflict minerals'],
  ['1.02', 'exhibit'],
  ['2.01', 'resource extraction issuer disclosure', 'disclosure of payments by resource extraction issuers'],
  ['3.01', 'exhibits'],
]

/**
 * Items of Form D and of its paper predecessor, with the codes that the XML of Form D has. They are rules 504 to 506,
 * sections 4(6) and 4(a)(5), and exclusions of 3(c).
 */
const EXEMPTIONS: Vocabulary = [
  ['04.1', 'rule 504 b 1 i'],
  ['04.2', 'rule 504 b 1 ii'],
  ['04.3', 'rule 504 b 1 iii'],
  ['04', 'rule 504'],
  ['05', 'rule 505'],
  ['06b', 'rule 506 b'],
  ['06c', 'rule 506 c'],
  ['06', 'rule 506'],
  ['46', 'section 4 6', 'securities act section 4 6'],
  ['4a5', 'section 4 a 5', 'securities act section 4 a 5', 'section 4 5', 'securities act section 4 5'],
  ...[1, 2, 3, 4, 5, 6, 7, 9, 10, 11, 12, 13, 14].map(
    (n) => [`3C.${n}`, `section 3 c ${n}`, `investment company act section 3 c ${n}`] as const,
  ),
  ['3C', 'section 3 c', 'investment company act section 3 c'],
]

/** Codes of exemptions and exclusions of Form D. */
export const EXEMPTION_CODES = EXEMPTIONS.map(([code]) => code)

const RENUMBERED = '2004-08-23'

function vocabularyOf(form: string, filedDate: string): Vocabulary | null {
  if (/^8-K/i.test(form)) return filedDate < RENUMBERED ? EVENTS_BEFORE_2004 : EVENTS
  if (/^(?:D|REGDEX)(?:\/A)?$/i.test(form)) return EXEMPTIONS
  if (/^1-U(?:\/A)?$/i.test(form)) return REGULATION_A_EVENTS
  if (/^ABS-15G(?:\/A)?$/i.test(form)) return ASSET_BACKED
  if (/^SD(?:\/A)?$/i.test(form)) return SPECIALIZED
  return null
}

/** Every code that the lines of a header can give, for all forms. */
export const ITEM_CODES: readonly string[] = [
  ...new Set(
    [EVENTS, EVENTS_BEFORE_2004, REGULATION_A_EVENTS, ASSET_BACKED, SPECIALIZED, EXEMPTIONS].flatMap((vocabulary) =>
      vocabulary.map(([code]) => code),
    ),
  ),
]

/**
 * Returns the codes of a header's item lines, each once. If a description has no known code, the description is stored
 * only in the header.
 *
 * @param lines the lines' values
 */
export function itemCodes(lines: readonly string[], filing: { form_type: string; filed_date: string }): string[] {
  const codes = lines.map((line) => itemCode(line, filing.form_type, filing.filed_date))
  return [...new Set(codes.filter((code) => code !== null))]
}

/**
 * Returns the code of one ITEM INFORMATION line.
 *
 * @param description the line's value: a description, or a code as in `.nc` submissions
 * @param form form type of the filing
 * @param filedDate `YYYY-MM-DD`; it decides between the two numberings of Form 8-K
 * @returns a code: such as `2.02`; before 2004-08-23 such as `12`; for Form D such as `06b` or `3C.1`. Null for an
 * unknown description, and for forms whose lines are not items (EFFECT has a form and a time in these lines)
 */
export function itemCode(description: string, form: string, filedDate: string): string | null {
  const vocabulary = vocabularyOf(form, filedDate)
  if (!vocabulary) return null
  const given = description
    .trim()
    .replace(/^item\s+/i, '')
    .replace(/(?<![\s.:])[\s.:]+$/, '')
  const number = given.split(/[\s:]/, 1)[0]!.replace(/\.$/, '').toLowerCase()
  const byCode = vocabulary.find(([code]) => code.toLowerCase() === number)
  if (byCode) return byCode[0]
  const words = `${plain(given)} `
  // A beginning must end at the end of a word; otherwise `Rule 504(b)(1)(i)` would match `(ii)`. A plural counts as the
  // same word.
  const found = vocabulary.find(([, ...beginnings]) =>
    beginnings.some((beginning) => words.startsWith(`${beginning} `) || words.startsWith(`${beginning}s `)),
  )
  return found?.[0] ?? null
}

/**
 * Returns the text in lower case, without apostrophes. Every other run of characters that are not letters or digits
 * becomes a single space.
 */
function plain(text: string): string {
  return text
    .toLowerCase()
    .replace(/['’`]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim()
}
