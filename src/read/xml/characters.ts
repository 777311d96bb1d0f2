/** Defines which characters XML 1.0 (fifth edition) allows at which positions, and decodes references and line ends. */
import { cp1252 } from '../encoding.ts'

const [TAB, LF, CR, SPACE, QUOTE, AMPERSAND, APOSTROPHE, SLASH, SEMICOLON, LESS, EQUALS, GREATER] = [
  9, 10, 13, 32, 34, 38, 39, 47, 59, 60, 61, 62,
] as const

/** Never returns. `end` is the index after the fault. */
export type Fail = (message: string, end: number) => never

export const isPlainBlank = (code: number): boolean => code === SPACE || code === LF || code === TAB
export const isBlank = (code: number): boolean => isPlainBlank(code) || code === CR

/**
 * Does the same as `startsWith` in half the time for names: with `startsWith`, reading a 13F takes a quarter longer.
 */
export const standsAt = (text: string, name: string, from: number): boolean =>
  text.slice(from, from + name.length) === name

const NAME_START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFF\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}'
const NAME = new RegExp(`^[${NAME_START}][${NAME_START}\\-.0-9\\u00B7\\u0300-\\u036F\\u203F\\u2040]*$`, 'u')

export const isName = (text: string): boolean => NAME.test(text)

/** Returns where a name that begins here ends. The caller must check whether the name is valid. */
export function nameEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && !endsName(text.charCodeAt(at))) at++
  return at
}

function endsName(code: number): boolean {
  if (code > GREATER) return false
  if (code <= SPACE || code === GREATER || code === SLASH || code === EQUALS || code === LESS) return true
  return code === QUOTE || code === APOSTROPHE || code === AMPERSAND || code === SEMICOLON
}

/** Returns the prefix and local name of an element or attribute. Faults are reported at `end`, where the name ends. */
export function prefixAndLocal(name: string, where: string, end: number, fail: Fail): [prefix: string, local: string] {
  if (!isName(name)) fail(`disallowed character in ${where} name`, end)
  const colon = name.indexOf(':')
  if (colon < 0) return ['', name]
  if (colon === 0 || colon === name.length - 1 || name.includes(':', colon + 1)) fail(`malformed name ${name}`, end)
  return [name.slice(0, colon), name.slice(colon + 1)]
}

const DISALLOWED =
  /[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

/** Returns the index of the first character that is not allowed in any document; -1 if there is none. */
export const disallowedAt = (text: string): number => text.search(DISALLOWED)

/**
 * Whether the character at a position is allowed. Callers ask only about characters that may be disallowed. Half of a
 * character at the end of a text is allowed, since the next piece may complete it.
 */
export function isAllowedAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  const isFirstHalf = code >= 0xd800 && code < 0xdc00
  if (isFirstHalf && at + 1 === text.length) return true
  const isSecondHalf = code >= 0xdc00 && code < 0xe000
  return disallowedAt(text.slice(isSecondHalf && at > 0 ? at - 1 : at, isFirstHalf ? at + 2 : at + 1)) < 0
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
/**
 * Longest reference between `&` and `;`: no name has more than 4 characters, and no number more than 7 without leading
 * zeros.
 */
export const REFERENCE_MAX = 64

/** Replaces references and normalises line ends. `fail` receives positions in that text. */
export function decoded(raw: string, fail: Fail): string {
  let text = ''
  let done = 0
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', done)) {
    const end = raw.indexOf(';', at)
    if (end < 0 || end - at > REFERENCE_MAX) fail('malformed entity', at + 1)
    text += plain(raw.slice(done, at)) + cp1252(referenced(raw.slice(at + 1, end), end + 1, fail))
    done = end + 1
  }
  return text + plain(raw.slice(done))
}

/** Returns the character for the text between `&` and `;`. */
function referenced(name: string, end: number, fail: Fail): string {
  const digits = /^#(?:x([0-9a-fA-F]+)|([0-9]+))$/.exec(name)
  if (digits === null) return ENTITIES.get(name) ?? fail(problemOf(name), end)
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16)
  const text = code <= 0x10ffff ? String.fromCodePoint(code) : '\0'
  return disallowedAt(text) < 0 ? text : fail('malformed character entity', end)
}

function problemOf(name: string): string {
  if (name.startsWith('#')) return 'malformed character entity'
  return isName(name) ? 'undefined entity' : 'malformed entity'
}

/**
 * Normalises text without references, as every XML reader does. C1 control characters become the intended cp1252
 * characters.
 */
export function plain(raw: string): string {
  return cp1252(raw.includes('\r') ? raw.replace(/\r\n?/g, '\n') : raw)
}
