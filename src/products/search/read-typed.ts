/** Reads typed text as ids: finds the kinds of numbers that the text can be. */
import { cusipOfIsin, isLei, validCusip, validIsin } from '../../read/securityid.ts'

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
  figi?: string
  /** Id of a private company: company~spacex. */
  company?: string
  /** Whether the text can only be an id and not a name. A few digits may be part of a name: 1290 Funds. */
  isCertain: boolean
  /** Whether the check digits are wrong, so that nothing has this number. */
  isMistyped?: boolean
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
  const file = fileOf(text)
  if (file !== null) return { files: [file], isCertain: true }
  if (/^0*\d{1,10}$/.test(text)) return ofDigits(text.replace(/^0+(?=\d)/, ''), text, is)
  return ofSigns(text, is('cusip'))
}

/**
 * Reads an SEC file number. EDGAR writes 008-12345 and 028-01234; people omit the leading zeros. "7-11" and "1-800" may
 * also be names. Tier 2 offerings have numbers such as 24R-00592-01. A number may end with the number of a
 * co-registrant: 333-256367-01.
 */
function fileOf(text: string): string | null {
  const [, kinds, dash, digits, part] = /^(\d{1,3}[A-Z]?)([- ])(\d{1,10})(-\d{2})?$/.exec(text) ?? []
  if (digits === undefined) return null
  const [kind, number] = [kinds!, digits].map((each) => each.replace(/^0+(?=\d)/, ''))
  const isKnown = /^(?:80[125]|811|8|28)$/.test(kind!)
  const isWhole = dash === '-' && digits.length >= (kinds!.length >= 3 ? 3 : 4)
  if (!isKnown && !isWhole) return null
  return `${kind}-${number}${part ?? ''}`
}

/** Reads letters and digits as the identifier of a security or of a legal entity. */
function ofSigns(text: string, isCusip: boolean): TypedIds {
  const joined = text.replace(/[\s-]/g, '')
  if (/^[B-DF-HJ-NP-TV-Z]{2}G[B-DF-HJ-NP-TV-Z\d]{8}\d$/.test(joined))
    return { figi: joined, files: [], isCertain: true }
  const isin = validIsin(joined)
  if (isin !== null) {
    const cusip = cusipOfIsin(isin)
    return { isin, files: [], isCertain: true, ...(cusip ? { cusip } : {}) }
  }
  if (isLei(joined)) return { lei: joined, files: [], isCertain: true }
  const digits = joined.replace(/\D/g, '').length
  // Words with blanks between them may be a name.
  const isWord = joined === text && digits >= 4
  const isMistyped = true
  if (isWord && /^[A-Z0-9]{18}\d{2}$/.test(joined)) return { lei: joined, files: [], isCertain: true, isMistyped }
  if (isWord && /^[A-Z]{2}[A-Z0-9]{9}\d$/.test(joined)) return { isin: joined, files: [], isCertain: true, isMistyped }
  // A word of nine letters may be a name; a CUSIP contains digits.
  if (/^(?=.*\d)[A-Z0-9*@#]{9}$/.test(joined) || (isCusip && joined.length === 9)) {
    return { cusip: joined, files: [], isCertain: isCusip || (digits >= 3 && validCusip(joined) !== null) }
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
