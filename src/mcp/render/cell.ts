/** Turns a value of an answer into text in one line. */
import { isObject } from '../../pages/explorer/shape.ts'
import { inLine, shortened } from './plain.ts'

/** Maximum length of a text in a cell of a table; with the argument `include`, the answer has the whole text. */
const CELL_MAX = 280
/** Maximum number of list elements within a cell. */
const LISTED = 6

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
 * Returns a value in one line: a list as `a; b`, an object as `name=a, unit=b`, and the place of a sentence as its
 * document, offset and words.
 *
 * @param max maximum length of the text
 */
export function cell(value: unknown, max = CELL_MAX): string {
  if (isEmpty(value)) return ''
  if (typeof value === 'string') return shortened(inLine(value), max)
  if (isPlace(value)) {
    const { sequence, offset, length, sentence } = value
    const place = `at document ${sequence} offset ${offset} length ${length}`
    return sentence === undefined ? place : `${place}: “${shortened(inLine(sentence), max)}”`
  }
  if (Array.isArray(value)) {
    const shown = value.slice(0, LISTED).map((each) => (isObject(each) ? `{${cell(each, max)}}` : cell(each, max)))
    const more = value.length > LISTED ? `; … ${value.length - LISTED} more` : ''
    return `${shown.join('; ')}${more}`
  }
  if (isObject(value)) {
    return Object.entries(value)
      .filter(([, each]) => !isEmpty(each))
      .map(
        ([name, each]) =>
          `${inLine(name)}=${isObject(each) && !isPlace(each) ? `{${cell(each, max)}}` : cell(each, max)}`,
      )
      .join(', ')
  }
  return String(value)
}
