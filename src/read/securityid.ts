/**
 * Identifies securities: checks their numbers, gives each an id that is the same in all sources, and distinguishes
 * private from public holdings.
 */
import { fold } from './fold.ts'
import { stated } from './values.ts'

/** Reasons to doubt that a text is a CUSIP. */
export type CusipFlag = 'missing' | 'length' | 'placeholder' | 'check_digit' | 'case'

/** Returns the reason to doubt that this is a CUSIP, or null. The text itself is never changed. */
export function cusipFlag(cusip: string | null): CusipFlag | null {
  if (cusip === null) return 'missing'
  if (cusip.length !== 9) return 'length'
  let sum = 0
  let isLower = false
  for (let at = 0; at < 8; at++) {
    let code = cusip.charCodeAt(at)
    if (code >= 97 && code <= 122) {
      isLower = true
      code -= 32
    }
    const value =
      code >= 48 && code <= 57 ? code - 48 : code >= 65 && code <= 90 ? code - 55 : SIGNS.indexOf(cusip[at]!)
    if (value < 0) return 'check_digit'
    const weighed = at % 2 === 1 ? value * 2 : value
    sum += weighed > 9 ? Math.floor(weighed / 10) + (weighed % 10) : weighed
  }
  if (cusip === '000000000' || cusip === '999999999') return 'placeholder'
  if ((10 - (sum % 10)) % 10 !== cusip.charCodeAt(8) - 48) return 'check_digit'
  return isLower ? 'case' : null
}

/**
 * Characters by their value in the check of a CUSIP: these three have 36, 37 and 38. Smaller values belong to digits
 * and letters, which are not in this list.
 */
const SIGNS = [...Array<string>(36).fill(''), '*', '@', '#']

/**
 * Returns a CUSIP in capitals if it can identify a security: letters and digits, with the correct check digit at the
 * end. A CINS such as G0176J109 counts too. Numbers of private placements, which have `*`, `@` or `#`, do not count.
 * The sources do not state such numbers, and these signs cannot be part of a URL.
 */
export function validCusip(text: string | null): string | null {
  const flag = cusipFlag(text)
  if (flag !== null && flag !== 'case') return null
  return /^[A-Z0-9]{9}$/.test(text!.toUpperCase()) ? text!.toUpperCase() : null
}

/** Returns an ISIN in capitals: two letters, nine letters or digits, and the correct check digit. */
export function validIsin(text: string | null): string | null {
  const isin = text?.toUpperCase() ?? ''
  if (!/^[A-Z]{2}[A-Z0-9]{9}\d$/.test(isin)) return null
  let sum = 0
  let isDoubled = false
  const digits = isin.replace(/[A-Z]/g, (letter) => String(letter.charCodeAt(0) - 55))
  for (let at = digits.length - 1; at >= 0; at--) {
    const weighed = Number(digits[at]) * (isDoubled ? 2 : 1)
    sum += weighed > 9 ? weighed - 9 : weighed
    isDoubled = !isDoubled
  }
  return sum % 10 === 0 ? isin : null
}

/** Whether a text is a valid LEI (ISO 17442): 18 letters and digits, and two check digits modulo 97. */
export function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(text)) return false
  const digits = [...text].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/**
 * Countries that use a CUSIP or CINS as national number. They are the United States and Canada, their territories, and
 * places whose securities get their numbers from New York. In one of ten ISINs of other countries, the characters of
 * the national number pass the check of a CUSIP by chance.
 */
const NUMBERED_AS_CUSIP = new Set([
  ...['US', 'CA', 'AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'UM', 'VI'],
  ...['AG', 'AI', 'AN', 'AW', 'BB', 'BM', 'BS', 'BZ', 'CW', 'DM', 'GD', 'GY', 'HT', 'JM', 'KN', 'KY', 'LC'],
  ...['MS', 'PA', 'SR', 'SX', 'TC', 'TT', 'VC', 'VG'],
])

/** Returns the CUSIP or CINS within a valid ISIN; null if its country has numbers of another kind. */
export function cusipOfIsin(isin: string): string | null {
  return NUMBERED_AS_CUSIP.has(isin.slice(0, 2)) ? validCusip(isin.slice(2, 11)) : null
}

/** The facts that a report states about a security, as filed. */
export interface SecurityAsFiled {
  cusip: string | null
  isin: string | null
  /** Name of the issuer; N/A means that there is none. */
  name: string | null
  /** Title of the security. The title names the issuer if `name` does not. */
  title: string | null
}

/**
 * Returns the id of a security, the same in all sources. It is the first of these that is known: its CUSIP, the CUSIP
 * of its ISIN, `isin~<ISIN>`, or `name~` with its folded name. A CUSIP with a wrong check digit is used only if there
 * is nothing else.
 *
 * @returns null if the report states nothing about the security
 */
export function securityId({ cusip, isin, name, title }: SecurityAsFiled): string | null {
  const number = validCusip(cusip)
  if (number !== null) return number
  const international = validIsin(isin)
  if (international !== null) return cusipOfIsin(international) ?? `isin~${international}`
  const called = nameKey(name) ?? nameKey(title)
  if (called !== null) return `name~${Buffer.from(called).toString('base64url')}`
  const flag = cusipFlag(cusip)
  return flag === 'check_digit' && /^[A-Z0-9]{9}$/i.test(cusip!) ? cusip!.toUpperCase() : null
}

/**
 * Returns the key of a name, by which securities without numbers are compared: folded, with one blank for each run of
 * punctuation and white space. Returns null for N/A, None and a text without a letter or digit.
 */
export function nameKey(name: string | null): string | null {
  const known = stated(name?.trim() ?? null)
  if (known === null) return null
  const key = fold(known)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  // The cut may leave half a character at the end.
  return (
    key
      .slice(0, NAME_MAX)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd() || null
  )
}

/**
 * Maximum length of the name in an id, in characters. An index accepts ids of at most 2,704 bytes; the form allows
 * names of 150 characters.
 */
const NAME_MAX = 300

/** Returns the folded name in an id `name~…`; null for any other id and for an invalid id. */
export function nameOfId(id: string): string | null {
  if (!/^name~[\w-]+$/.test(id)) return null
  const bytes = Buffer.from(id.slice(5), 'base64url')
  const name = bytes.toString()
  // An id counts only if it is spelled exactly as this code writes it: base64url has unused bits, and invalid UTF-8
  // decodes to replacement characters.
  return `name~${Buffer.from(name).toString('base64url')}` === id ? name : null
}

/** The fields that decide whether a holding is private, with the codes of Form N-PORT. */
export interface Placed {
  cusip: string | null
  isin: string | null
  ticker: string | null
  /** Item C.4.a; OTHER if the filer describes the category. */
  assetCat: string | null
  /** Item C.4.b; OTHER if the filer describes the category. */
  issuerCat: string | null
  isRestricted: boolean | null
  /** Item C.8: 1, 2 or 3; null for N/A. */
  level: number | null
}

/**
 * Whether a holding is a share in, or a claim on, a company that is not listed.
 * - A security that anybody can look up by CUSIP, ISIN or ticker is public, whatever the report states.
 * - Companies and private funds issue private holdings; funds, governments and agencies do not.
 * - Derivatives, repurchase agreements and securitised debt have categories of their own.
 * - Shares and debt of Level 1 without restriction have a market price. All other shares and debt are private. For
 *   example, Anthropic's preferred stock is Level 2 and not restricted in 0001193125-26-239358. A vehicle that is
 *   valued at its net asset value has no level.
 * - If the filer describes the category in its own words (a share in a vehicle, a convertible note), the holding must
 *   be restricted or Level 3.
 * - Loans are Level 3 for many companies whose shares are listed, so a loan must be restricted.
 */
export function isPrivate({ cusip, isin, ticker, assetCat, issuerCat, isRestricted, level }: Placed): boolean {
  if (validCusip(cusip) !== null || validIsin(isin) !== null || stated(ticker) !== null) return false
  if (issuerCat !== 'CORP' && issuerCat !== 'PF' && issuerCat !== 'OTHER') return false
  if (assetCat === 'LON') return isRestricted === true
  if (assetCat === 'OTHER') return isRestricted === true || level === 3
  return SHARES_AND_DEBT.has(assetCat ?? '') && (isRestricted === true || level !== 1)
}

const SHARES_AND_DEBT = new Set(['EC', 'EP', 'DBT'])
