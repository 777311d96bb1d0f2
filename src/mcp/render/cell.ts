/** Turns a value of an answer into text in one line. */
import { isObject } from '../../pages/explorer/shape.ts'
import { inLine, shortened } from './plain.ts'

/** How much of a value a cell shows. */
export interface Limits {
  /** Maximum length of a text. */
  max: number
  /** Maximum number of elements of a list. */
  listed: number
}

/** Limits of a cell of a table. */
export const BRIEF: Limits = { max: 280, listed: 6 }
/** Limits of members that the argument `include` names: no usual value is longer. */
export const WHOLE: Limits = { max: 5_000, listed: 500 }

/** The place of a sentence in a filing, in the form that answers use. */
interface Place {
  sequence: number
  offset: number
  length: number
  sentence?: string
}

export const isPlace = (value: unknown): value is Place =>
  isObject(value) &&
  typeof value.sequence === 'number' &&
  typeof value.offset === 'number' &&
  typeof value.length === 'number'

/** Tests whether a value is shown as an empty text. */
export const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0)

/**
 * Returns a value in one line. A list becomes `a; b`, an object `name=a, unit=b`, and the place of a sentence its
 * document, offset and words.
 */
export function cell(value: unknown, limits: Limits = BRIEF): string {
  const { max, listed } = limits
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return shortened(inLine(value), max)
  if (isPlace(value)) {
    const { sequence, offset, length, sentence } = value
    const place = `at document ${sequence} offset ${offset} length ${length}`
    return sentence === undefined ? place : `${place}: “${shortened(inLine(sentence), max)}”`
  }
  if (Array.isArray(value)) {
    const shown = value
      .slice(0, listed)
      .map((each) => (isObject(each) ? `{${cell(each, limits)}}` : cell(each, limits)))
    const more = value.length > listed ? `; … ${value.length - listed} more` : ''
    return `${shown.join('; ')}${more}`
  }
  if (isObject(value)) {
    return Object.entries(value)
      .filter(([, each]) => !isEmpty(each))
      .map(
        ([name, each]) =>
          `${inLine(name)}=${isObject(each) && !isPlace(each) ? `{${cell(each, limits)}}` : cell(each, limits)}`,
      )
      .join(', ')
  }
  return String(value)
}
