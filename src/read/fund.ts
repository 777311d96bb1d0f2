/** Reads EDGAR's identifiers of funds and share classes, for all forms that name them. */
import { isNone } from './values.ts'
import type { Element } from './xml.ts'

/**
 * Returns a reader of identifiers that consist of a letter and nine digits; the schema of N-MFP also allows a
 * lower-case letter. Zeros and words like N/A mean that there is no identifier.
 */
const numbered = (letter: 'S' | 'C') => {
  const [form, none] = [new RegExp(`^${letter}\\d{9}$`), `${letter}000000000`]
  return (text: string): string | null | undefined => {
    const plain = text.toUpperCase()
    if (isNone(plain) || plain === none) return undefined
    return form.test(plain) ? plain : null
  }
}

/**
 * Reads the series number of a fund in EDGAR, such as S000012345. Returns undefined for a text that means "no value",
 * and null for an invalid text.
 */
export const seriesId = numbered('S')

/**
 * Reads the number of a share class, such as C000012345. Returns undefined for a text that means "no value", null for
 * an invalid text.
 */
export const classId = numbered('C')

/** The series of a registrant's fund. */
export interface Series {
  /** Null if the registrant has no series (as with closed-end funds), or if the identifier is unreadable. */
  id: string | null
  /** False if the form has another text where the series identifier should be. Then the fund is unknown. */
  isKnown: boolean
}

export const NO_SERIES: Series = { id: null, isKnown: true }

export function seriesAt(of: Element, path?: string): Series {
  const text = of.text(path)
  const id = of.value(path, seriesId, 'is not a valid series identifier, S and nine digits')
  return { id, isKnown: id !== null || text === null || seriesId(text) === undefined }
}

export const classAt = (of: Element, path?: string): string | null =>
  of.value(path, classId, 'is not a valid class identifier, C and nine digits')

/**
 * Returns the key of a fund: the CIK of the registrant, then a dash and the series if the fund has a series. Returns
 * null if the series is unknown, since the registrant may have many funds.
 */
export const fundKey = (registrant: string | null, { id, isKnown }: Series): string | null =>
  registrant === null || !isKnown ? null : id === null ? registrant : `${registrant}-${id}`
