/** How a security is known: checks of its numbers, its id among all sources, and whether it is a private holding. */
import { fold } from './fold.ts'
import { stated } from './values.ts'

/** Why a text may be no CUSIP. */
export type CusipFlag = 'missing' | 'length' | 'placeholder' | 'check_digit' | 'case'

/** Why this may be no CUSIP, or null. The text itself is never changed. */
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

/** Characters worth 36, 37 and 38; what stands before them is none of a CUSIP. */
const SIGNS = [...Array<string>(36).fill(''), '*', '@', '#']

/**
 * A CUSIP by which a security is known, in capitals: letters and digits, of which the last is the right one. A CINS such
 * as G0176J109 is one too. Numbers of private placements, which have `*`, `@` or `#`, are none: nobody quotes them, and
 * addresses cannot hold them.
 */
export function validCusip(text: string | null): string | null {
  const flag = cusipFlag(text)
  if (flag !== null && flag !== 'case') return null
  return /^[A-Z0-9]{9}$/.test(text!.toUpperCase()) ? text!.toUpperCase() : null
}

/** An ISIN in capitals: two letters, nine letters or digits, and the digit that the others ask for. */
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

/** ISO 17442: 18 letters and digits and two check digits, modulo 97. */
export function isLei(text: string): boolean {
  if (!/^[A-Z0-9]{18}\d{2}$/.test(text)) return false
  const digits = [...text].map((sign) => Number.parseInt(sign, 36)).join('')
  return BigInt(digits) % 97n === 1n
}

/**
 * Countries whose national number is a CUSIP or CINS: the United States and Canada, their territories, and places whose
 * securities are numbered from New York. Elsewhere nine characters may pass the check of a CUSIP by chance: one in ten does.
 */
const NUMBERED_AS_CUSIP = new Set([
  ...['US', 'CA', 'AS', 'FM', 'GU', 'MH', 'MP', 'PR', 'PW', 'UM', 'VI'],
  ...['AG', 'AI', 'AN', 'AW', 'BB', 'BM', 'BS', 'BZ', 'CW', 'DM', 'GD', 'GY', 'HT', 'JM', 'KN', 'KY', 'LC'],
  ...['MS', 'PA', 'SR', 'SX', 'TC', 'TT', 'VC', 'VG'],
])

/** The CUSIP or CINS in a valid ISIN, or null where its country has numbers of another kind. */
export function cusipOfIsin(isin: string): string | null {
  return NUMBERED_AS_CUSIP.has(isin.slice(0, 2)) ? validCusip(isin.slice(2, 11)) : null
}

/** What a report says of a security, as filed. */
export interface SecurityAsFiled {
  cusip: string | null
  isin: string | null
  /** Name of the issuer; N/A stands for none. */
  name: string | null
  /** Title of the security, which names the issuer where `name` does not. */
  title: string | null
}

/**
 * The id of a security among all sources: its CUSIP, else that of its ISIN, else `isin~<ISIN>`, else `name~` with its folded
 * name. A CUSIP whose check digit is wrong is an id only where there is nothing else.
 *
 * @returns null where the report says nothing of it
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
 * A name as securities without numbers are known by it: folded, of punctuation and white space one blank. Null for N/A,
 * None and what has neither letter nor digit.
 */
export function nameKey(name: string | null): string | null {
  const said = stated(name?.trim() ?? null)
  if (said === null) return null
  const key = fold(said)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  // Half a character may be left at the end.
  return (
    key
      .slice(0, NAME_MAX)
      .replace(/[\ud800-\udbff]$/, '')
      .trimEnd() || null
  )
}

/** An index holds no id of more than 2,704 bytes; the form allows names of 150 characters. */
const NAME_MAX = 300

/** The folded name in an id `name~…`; null for another id and for what is no such text. */
export function nameOfId(id: string): string | null {
  if (!/^name~[\w-]+$/.test(id)) return null
  const bytes = Buffer.from(id.slice(5), 'base64url')
  const name = bytes.toString()
  // Only the one spelling that we give is an id: base64url has unused bits, and bytes that are no UTF-8 become signs.
  return `name~${Buffer.from(name).toString('base64url')}` === id ? name : null
}

/** What says whether a holding is private, as the lists of Form N-PORT have it. */
export interface Placed {
  cusip: string | null
  isin: string | null
  ticker: string | null
  /** Item C.4.a; OTHER where the filer describes it. */
  assetCat: string | null
  /** Item C.4.b; OTHER where the filer describes it. */
  issuerCat: string | null
  isRestricted: boolean | null
  /** Item C.8: 1, 2 or 3; null for N/A. */
  level: number | null
}

/**
 * Whether a holding is a share in, or a claim on, a company that is not listed.
 *
 * - A security that anybody can look up by CUSIP, ISIN or ticker is public, whatever the report says of it.
 * - Companies and private funds issue what is private; funds, governments and agencies do not.
 * - Derivatives, repurchase agreements and securitised debt have categories of their own.
 * - Shares and debt of Level 1 without restriction have a price on a market. All others are private: Anthropic's preferred
 *   stock is Level 2 and not restricted in 0001193125-26-239358, and a vehicle whose net asset value is taken has no level.
 * - What the filer describes itself (a share in a vehicle, a note that converts) has to be restricted or Level 3.
 * - Loans are Level 3 for many companies whose shares are listed, so a loan has to be restricted.
 */
export function isPrivate({ cusip, isin, ticker, assetCat, issuerCat, isRestricted, level }: Placed): boolean {
  if (validCusip(cusip) !== null || validIsin(isin) !== null || stated(ticker) !== null) return false
  if (issuerCat !== 'CORP' && issuerCat !== 'PF' && issuerCat !== 'OTHER') return false
  if (assetCat === 'LON') return isRestricted === true
  if (assetCat === 'OTHER') return isRestricted === true || level === 3
  return SHARES_AND_DEBT.has(assetCat ?? '') && (isRestricted === true || level !== 1)
}

const SHARES_AND_DEBT = new Set(['EC', 'EP', 'DBT'])
