/**
 * Reads CUSIPs of a cover: a cover has the CUSIP of its class, sometimes the CUSIPs of two classes, and from some
 * filers no valid CUSIP.
 */
import { validCusip } from '../../../read/securityid.ts'
import { coverFact, type FactOrGap, leftOut } from './facts.ts'
import { evidence, type LabelledValue, trimmed } from './plain-text.ts'
import { isBlank, saysNone } from './values.ts'

/** Matches the CUSIP above each page of a person. */
const OF_PAGE = /\bcusip\s{1,9}(?:no\.?|number)?\s{0,9}[:.#]?\s{0,9}([0-9a-z]{6}[ -]?[0-9a-z]{2}[ -]?\d)\b/gi

/**
 * Returns the CUSIPs of the cover. If the cover has none, takes the number above the pages, provided that it is valid
 * and the same on each page.
 */
export function cusipsOf(text: string, cover: string, place: LabelledValue | null): FactOrGap[] {
  const number = place ? cover.slice(place.value.start, place.value.end) : ''
  if (place && !isBlank(number) && !saysNone(number)) {
    const whole = evidence(cover, trimmed(cover, place.value)!, place)
    const numbers = numbersIn(number)
    if (numbers.length === 0) return [leftOut('cusip', number)]
    // A number of another length is stored as written, and also reported as left out, since searches do not find it.
    const isShort = numbers.every(({ length }) => length !== 9)
    return [
      ...numbers.map((number) => coverFact('cusip', number, whole)),
      ...(isShort ? [leftOut('cusip', number)] : []),
    ]
  }
  const valid = [...text.matchAll(OF_PAGE)].flatMap(({ index, 0: whole, 1: number }) => {
    const cusip = validCusip(bare(number!))
    return cusip === null ? [] : [{ cusip, start: index, end: index + whole.length }]
  })
  const [first] = valid
  return first && valid.every(({ cusip }) => cusip === first.cusip) ? [coverFact('cusip', first.cusip, first)] : []
}

const bare = (text: string) => text.replace(/[\s-]/g, '').toUpperCase()

/**
 * Reads one number of nine characters in any spelling, or else all valid numbers in the text. If there are none, a
 * single number of 6 to 12 characters stays as written.
 */
function numbersIn(text: string): string[] {
  const one = bare(text.replace(/:/g, ''))
  if (/^[0-9A-Z]{9}$/.test(one)) return [one]
  const valid = [...text.matchAll(/\b[0-9A-Z]{6}[ -]?[0-9A-Z]{2}[ -]?\d\b/gi)].flatMap(
    ([number]) => validCusip(bare(number)) ?? [],
  )
  if (valid.length > 0) return [...new Set(valid)]
  return /^[0-9A-Z]{6,12}$/.test(one) && /\d/.test(one) && one.length === text.trim().length ? [one] : []
}
