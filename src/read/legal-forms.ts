/**
 * Legal forms of companies. This module imports nothing, so that a reader of prose does not depend on the folding of
 * names. A change of the folding rebuilds every dataset that depends on it.
 */

/**
 * Legal forms by kind, in the spellings of prose, without the full stop at the end. Two different kinds mean two legal
 * entities: an LLC is not the corporation of the same name.
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
/**
 * Forms that are ordinary words in prose, such as AS. These forms count only at the end of a text that consists of a
 * name.
 */
const IN_FIELDS: Readonly<Record<string, string>> = { llc: 'lc', sa: 'sas sarl', ab: 'as', spa: 'spa srl', kk: 'kk' }
/**
 * Forms that end a name in prose, but count as part of the name in comparisons. "Company" is in none of these lists,
 * since it is a part of the name in The Boring Company.
 */
const PROSE_ONLY = ['Co', 'N.A', 'NA', 'National Association', 'F.S.B', 'FSB', 'P.C', 'ULC', 'KG', 'LLLP']
/** Abbreviated forms that consist of letters only, so that a full stop after such a form is part of it. */
const ABBREVIATIONS = ['Inc', 'Corp', 'Co', 'Ltd', 'Pty', 'Pte', 'Pvt']

/** Words of legal forms in the spelling in which names are compared, with the kinds of these forms. */
export const FORMS: ReadonlyMap<string, string> = new Map([
  ...Object.entries(SPELLINGS).flatMap(([form, all]) =>
    // In that spelling, "S.à r.l" is several words.
    all.filter((one) => !one.includes(' ')).map((one) => [one.toLowerCase().replace(/[./]/g, ''), form] as const),
  ),
  ...Object.entries(IN_FIELDS).flatMap(([form, words]) => words.split(' ').map((word) => [word, form] as const)),
])

/**
 * Legal forms in the spellings of prose, the longest first, so that a pattern made of them does not stop within a form.
 */
const PROSE_FORMS = [...Object.values(SPELLINGS).flat(), ...PROSE_ONLY].sort((a, b) => b.length - a.length)
const patternOf = (forms: readonly string[]) =>
  `(?:${forms.map((form) => form.replaceAll('.', '\\.').replaceAll(' ', '\\s')).join('|')})`

/** Source of a pattern of every legal form in prose, without the full stop at its end. */
export const PROSE_FORM = patternOf(PROSE_FORMS)
/** Source of a pattern of the forms that end with a full stop; the pattern leaves out the full stop. */
export const DOTTED_FORM = patternOf(PROSE_FORMS.filter((form) => form.includes('.') || ABBREVIATIONS.includes(form)))
