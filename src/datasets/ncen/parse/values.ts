/**
 * Reads values as Form N-CEN writes them. N/A and zeros mean none. The answer No is in an element of its own; the answer
 * Yes may instead be an attribute of the element with the details. States and countries are codes of ISO 3166.
 */
import { calendarDay, isNone, stated } from '../../../read/values.ts'
import type { Element } from '../../../read/xml.ts'

/** A row from a part of the parser; reading.ts adds the number within its table. */
export type Part = readonly [table: string, row: Record<string, unknown>]

/** Returns the text; null for N/A and similar words. */
export const textAt = (element: Element | null, path: string): string | null => stated(element?.text(path) ?? null)

/** Returns all texts at the paths except N/A and similar words. */
export const textsAt = (element: Element, ...paths: string[]): string[] =>
  element.texts(...paths).filter((text) => stated(text) !== null)

/**
 * Reads an answer of yes or no. The form has a separate element for No, and for Yes an attribute of the element with
 * the details: `isClaimFiled`, or `claimFiled/@isClaimFiled`. A filing has one of the two; if both occur, the answer
 * with details is used.
 */
export function answer(element: Element, no: string, yes: string): boolean | null {
  const plain = element.flag(no)
  const detailed = element.flag(`${yes}/@${no}`)
  if (plain !== null && detailed !== null && plain !== detailed) element.problem(`${plain}`, `${no} ${BOTH}`)
  return detailed ?? plain
}

/** Text of the problem that is recorded for a contradictory answer. */
export const BOTH = 'is answered twice, with Yes and with No'

/** Reads an amount, which is N/A if the question does not apply. */
export const amount = (element: Element, path: string): string | null => element.money(path, ['N/A'])

/** Reads twenty letters and digits. Zeros and N/A mean none; any other text is a problem. */
export const lei = (element: Element, path: string): string | null =>
  element.value(path, (text) => (isRssd(text) ? undefined : leiOf(text)), 'is not an LEI of twenty letters and digits')

/**
 * Reads an LEI and RSSD ID. The schema allows the ten digits of an RSSD ID in place of the LEI (LEI_TYPE_RSS_NA), and
 * earlier forms had no element for an RSSD ID.
 */
export function leiAndRssd(element: Element, stem: string, { orNumber = false }: { orNumber?: boolean } = {}) {
  const inPlaceOfLei = element.text(`${stem}Lei`) ?? ''
  const isNumber = orNumber && numberForLei(element, `${stem}Lei`) !== null
  return {
    lei: isNumber ? null : lei(element, `${stem}Lei`),
    rssd_id: rssd(element, `${stem}RssdId`) ?? (isRssd(inPlaceOfLei) ? inPlaceOfLei.replace(/^0+/, '') : null),
  }
}

const isRssd = (text: string) => /^[0-9]{10}$/.test(text) && !isNone(text)

function leiOf(text: string): string | null | undefined {
  if (isNone(text)) return undefined
  const plain = text.toUpperCase()
  return /^[A-Z0-9]{18}\d\d$/.test(plain) ? plain : null
}

/** Returns a number of another kind that the filer gave in place of the LEI; null if there is none. */
export function numberForLei(element: Element, path: string): string | null {
  const text = textAt(element, path)
  return text === null || isRssd(text) || leiOf(text) !== null ? null : text
}

/** Reads a day. The schema allows month and day with one digit: 2025-2-9. */
export const day = (element: Element, path: string): string | null =>
  element.value(path, (text) => calendarDay(...parts(text)), 'not a day written as YYYY-MM-DD')

const parts = (text: string) =>
  (/^(\d{4})-(\d{1,2})-(\d{1,2})(?:T[\d:.]{1,18})?(?:Z|[+-]\d\d:\d\d)?$/.exec(text)?.slice(1) ?? []) as [
    string?,
    string?,
    string?,
  ]

/**
 * Reads an SEC file number as filed. If only zeros follow the dash, there is no number: in 0001410368-26-010918,
 * authorised participants without registration have 8-000.
 */
export const fileNumber = (element: Element, path: string): string | null =>
  element.value(path, fileNumberOf, 'is longer than any file number')

/** Rejects texts of more than 64 characters, which are too long for the indexes; a file number has at most fifteen. */
const fileNumberOf = (text: string) =>
  isNone(text) || /^\d{1,3}-0+$/.test(text) ? undefined : text.length > 64 ? null : text

/** Reads the RSSD ID, up to ten digits, without leading zeros. */
export const rssd = (element: Element, path: string): string | null =>
  element.value(
    path,
    (text) => (isNone(text) ? undefined : /^[0-9]{1,10}$/.test(text) ? text.replace(/^0+/, '') : null),
    'is not a valid RSSD ID',
  )

/** Reads state and country from their places in the form: US-NY and US become NY and US. */
export function place(element: Element, { state, country }: { state: string; country: readonly string[] }) {
  return {
    state: element.value(state, stateOf, 'is not a code of a US state in ISO 3166, such as US-NY'),
    country:
      country.map((path) => element.value(path, countryOf, 'is not a country of ISO 3166')).find(Boolean) ?? null,
  }
}

const stateOf = (text: string) => (isNone(text) ? undefined : (/^US-([A-Z]{2})$/.exec(text.toUpperCase())?.[1] ?? null))
const countryOf = (text: string) => (isNone(text) ? undefined : /^[A-Z]{2}$/i.test(text) ? text.toUpperCase() : null)
