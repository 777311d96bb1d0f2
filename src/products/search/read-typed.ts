/** Reads typed text as ids: finds the kinds of numbers that the text can be. */
import { cusipOfIsin, isLei, validIsin } from '../../read/securityid.ts'

export interface TypedIds {
  accession?: string
  /** CIK of ten digits. */
  cik?: string
  /** CRD number of a firm or a person, without leading zeros. */
  crd?: string
  /** SEC file numbers that the text may mean, such as 801-16048. */
  files: readonly string[]
  series?: string
  classId?: string
  cusip?: string
  isin?: string
  lei?: string
  /** Id of a private company: company~spacex. */
  company?: string
  /** Whether the text has the form of an id and cannot be a name. A few digits may be a name: 1290 Funds. */
  isCertain: boolean
}

const LABEL = /^(cik|crd|iard|cusip|isin|lei|sec|file|no|nr|number|accession|series|class)(?![a-z])[\s.:#]*/i

/** @param typed as `withoutMarks` returns it */
export function typedIds(typed: string): TypedIds {
  if (/^company~./i.test(typed)) return { company: typed.toLowerCase(), files: [], isCertain: true }
  const labels: string[] = []
  let text = typed
  for (let found = LABEL.exec(text); found && labels.length < 3; found = LABEL.exec(text)) {
    labels.push(found[1]!.toLowerCase())
    text = text.slice(found[0].length)
  }
  text = text.replace(/^#\s*/, '').toUpperCase()
  const is = (...names: string[]) => names.some((name) => labels.includes(name))
  const [, filer, year, number] = /^(\d{10})-?(\d{2})-?(\d{6})$/.exec(text) ?? []
  if (number !== undefined) return { accession: `${filer}-${year}-${number}`, files: [], isCertain: true }
  const [, own, series] = /^(?:(\d{10})-)?(S\d{9})$/.exec(text) ?? []
  if (series !== undefined) return { series, files: [], isCertain: true, ...(own ? { cik: own } : {}) }
  if (/^C\d{9}$/.test(text)) return { classId: text, files: [], isCertain: true }
  // File numbers of advisers, brokers and managers. EDGAR writes 008-12345 and 028-01234; people omit the leading
  // zeros.
  const [, kind, file] = /^0*(80[12]|8|28)[- ]0*(\d{1,6})$/.exec(text) ?? []
  if (file !== undefined) return { files: [`${kind}-${file}`], isCertain: true }
  if (/^0*\d{1,10}$/.test(text)) return ofDigits(text.replace(/^0+(?=\d)/, ''), text, is)
  const joined = text.replace(/[\s-]/g, '')
  const isin = validIsin(joined)
  if (isin !== null) {
    const cusip = cusipOfIsin(isin)
    return { isin, files: [], isCertain: true, ...(cusip ? { cusip } : {}) }
  }
  if (isLei(joined)) return { lei: joined, files: [], isCertain: true }
  // A word of nine letters may be a name; a CUSIP contains digits.
  if (/^(?=.*\d)[A-Z0-9*@#]{9}$/.test(joined) || (is('cusip') && joined.length === 9)) {
    return { cusip: joined, files: [], isCertain: is('cusip') }
  }
  return { files: [], isCertain: false }
}

/** Digits may be a CIK, the CRD number of a firm or a person, a file number without its dash, or a CUSIP. */
function ofDigits(plain: string, text: string, is: (...names: string[]) => boolean): TypedIds {
  const cik = plain.padStart(10, '0')
  if (is('cik')) return { cik, files: [], isCertain: true }
  if (is('cusip') && text.length === 9) return { cusip: text, files: [], isCertain: true }
  if (is('crd', 'iard')) return { crd: plain, files: [], isCertain: true }
  // "no 1", "series 7" and "class 12" can also be words of names.
  const isId = is('sec')
  const whole = /^(80[12])(\d{1,6})$/.exec(plain)
  const ofKinds = isId || is('file') ? [`801-${plain}`, `802-${plain}`] : []
  return {
    ...(text.length <= 10 ? { cik } : {}),
    crd: plain,
    files: whole ? [`${whole[1]}-${whole[2]!.replace(/^0+(?=\d)/, '')}`] : ofKinds,
    ...(text.length === 9 ? { cusip: text } : {}),
    isCertain: isId || text.length === 10,
  }
}

/** The text without invisible characters: marks of writing direction, joiners, soft hyphens, controls. */
export const withoutMarks = (typed: string) =>
  typed
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Cc}/gu, ' ')
    .trim()
