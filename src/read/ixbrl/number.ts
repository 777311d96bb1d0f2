/** Transforms values by the transformation registries 1 to 5. */
import { decimal } from '../values.ts'
import { localName } from './tags.ts'

/**
 * Returns `true` or `false` if the format is a fixed boolean of the transformation registry (`fixed-true`,
 * `booleanfalse`), and otherwise the text unchanged.
 */
export function transformed(text: string, format: string | undefined): string {
  const name = localName(format ?? '')
  if (/^(?:booleantrue|fixed-true)$/.test(name)) return 'true'
  if (/^(?:booleanfalse|fixed-false)$/.test(name)) return 'false'
  return text
}

/** The words of the SEC's format for numbers in words. Filers write larger numbers in figures. */
const WORDS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]

/** Returns a number as its format defines it; null if the text is not valid in that format. */
export function numberOf(text: string, format: string): string | null {
  if (format === 'numwordsen') {
    const word = WORDS.indexOf(text.toLowerCase())
    return /^(?:no|none|nil)$/i.test(text) ? '0' : word < 0 ? null : String(word)
  }
  if (/^(?:zerodash|fixed-zero|numdash|num-dash)$/.test(format)) return '0'
  if (/^(?:numdotdecimal|num-dot-decimal|numdotdecimalin|)$/.test(format)) return decimal(text.replaceAll(' ', ''))
  if (/^(?:numcommadecimal|num-comma-decimal)$/.test(format)) {
    return decimal(text.replace(/[ .]/g, '').replace(',', '.'))
  }
  return null
}

/** Multiplies a decimal by a power of ten, exactly. */
export function scaled(number: string, power: number): string {
  if (power === 0) return number
  const [whole = '0', fraction = ''] = number.replace('-', '').split('.')
  const digits = whole + fraction
  const point = whole.length + power
  const padded = point <= 0 ? '0'.repeat(1 - point) + digits : digits.padEnd(point, '0')
  const at = Math.max(1, point)
  return decimal(`${number.startsWith('-') ? '-' : ''}${padded.slice(0, at)}.${padded.slice(at)}`)!
}
