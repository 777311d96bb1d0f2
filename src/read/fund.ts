/** How EDGAR numbers funds and their classes of shares, for all forms that name them. */
import { isNone } from './values.ts'
import type { Element } from './xml.ts'

/** A letter and nine digits; the schema of N-MFP allows a small letter. Zeros and words like N/A mean none. */
const numbered = (letter: 'S' | 'C') => {
  const [form, none] = [new RegExp(`^${letter}\\d{9}$`), `${letter}000000000`]
  return (text: string): string | null | undefined => {
    const plain = text.toUpperCase()
    if (isNone(plain) || plain === none) return undefined
    return form.test(plain) ? plain : null
  }
}

/** The number of a fund among all of EDGAR, S000012345. Undefined for what stands for none, null for what is no such number. */
export const seriesId = numbered('S')

/** The number of a class of shares, C000012345; the same for what is none. */
export const classId = numbered('C')

/** Which series of its registrant a fund is. */
export interface Series {
  /** Null where the registrant has no series, as closed-end funds have none, and where it cannot be read. */
  id: string | null
  /** False where something stands there that is no series identifier: nobody can say which fund it is. */
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
 * The key of a fund: the CIK of its registrant, and its series after a dash where it has one. Null where nobody can say which
 * fund it is: its registrant may have many.
 */
export const fundKey = (registrant: string | null, { id, isKnown }: Series): string | null =>
  registrant === null || !isKnown ? null : id === null ? registrant : `${registrant}-${id}`
