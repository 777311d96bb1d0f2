/** The attributes of a start tag. */
import { decoded, type Fail, isAllowedAt, isBlank, nameEnd, prefixAndLocal } from './characters.ts'
import { AttributeName, type Shape } from './shapes.ts'

// Declared here: imported constants are loaded and checked at every use, which took 8 % of the time.
const [TAB, LF, CR, SPACE, QUOTE, AMPERSAND, APOSTROPHE, SLASH, LESS, EQUALS, GREATER] = [
  9, 10, 13, 32, 34, 38, 39, 47, 60, 61, 62,
] as const

/** Counts over all documents, so that no two elements have one number. */
let elements = 0

export class AttributeScanner {
  /** The first `count` are those of the tag that was scanned last. */
  readonly names: AttributeName[] = []
  readonly values: string[] = []
  count = 0
  readonly #fail: Fail
  readonly #met: (name: AttributeName) => void
  /** Elements with lower numbers are of earlier documents. */
  readonly #elementMin = elements + 1

  /** @param met is told of every name that a shape did not have in this document before; may throw */
  constructor(fail: Fail, met: (name: AttributeName) => void) {
    this.#fail = fail
    this.#met = met
  }

  /** @returns the place of the `>` or `/>` behind the attributes, -1 when the tag goes on in the next piece */
  scan(text: string, from: number, shape: Shape): number {
    const element = ++elements
    this.count = 0
    for (let at = from; ; ) {
      const begin = blankEnd(text, at)
      if (begin >= text.length) return -1
      const code = text.charCodeAt(begin)
      if (code === GREATER) return begin
      if (code === SLASH) {
        if (begin + 1 === text.length) return -1
        if (text.charCodeAt(begin + 1) === GREATER) return begin
        this.#fail('forward-slash in opening tag not followed by >', begin + 2)
      }
      if (begin === at) this.#fail('no whitespace between attributes', begin + 1)
      const name = this.#name(text, begin, shape)
      if (name === null) return -1
      if (name.element === element) this.#fail(`duplicate attribute ${name.written}`, begin + name.written.length)
      if (name.element < this.#elementMin) this.#met(name)
      name.element = element
      at = this.#value(text, begin + name.written.length)
      if (at < 0) return -1
      this.names[this.count++] = name
    }
  }

  /** Null when the name may go on in the next piece. */
  #name(text: string, from: number, shape: Shape): AttributeName | null {
    const expected = shape.order[this.count]
    const expectedEnd = from + (expected?.written.length ?? 0)
    if (expected !== undefined && expectedEnd < text.length && text.startsWith(expected.written, from)) {
      if (text.charCodeAt(expectedEnd) === EQUALS) return expected
    }
    const end = nameEnd(text, from)
    if (end === text.length) return null
    const written = text.slice(from, end)
    const name = shape.attributes.get(written) ?? this.#newName(written, end, shape)
    shape.order[this.count] = name
    return name
  }

  #newName(written: string, end: number, shape: Shape): AttributeName {
    const name = new AttributeName(written, ...prefixAndLocal(written, 'attribute', end, this.#fail))
    shape.attributes.set(name.written, name)
    return name
  }

  /** @returns the place behind the value, -1 when the tag goes on in the next piece */
  #value(text: string, nameEnd: number): number {
    const equals = blankEnd(text, nameEnd)
    if (equals >= text.length) return -1
    if (text.charCodeAt(equals) !== EQUALS) this.#fail('attribute without value', equals + 1)
    const open = blankEnd(text, equals + 1)
    if (open >= text.length) return -1
    const quote = text.charCodeAt(open)
    if (quote !== QUOTE && quote !== APOSTROPHE) this.#fail('unquoted attribute value', open + 1)
    const begin = open + 1
    let special = false
    let at = begin
    for (; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === quote) break
      if (code > LESS && code < 0x80) continue
      if (code === AMPERSAND || (code >= 0x80 && code < 0xa0)) special = true
      else if (code === LESS) this.#fail('disallowed character', at + 1)
      else if (code === LF || code === CR || code === TAB) special = true
      else if ((code < SPACE || code >= 0xd800) && !isAllowedAt(text, at)) this.#fail('disallowed character', at + 1)
    }
    if (at === text.length) return -1
    const raw = text.slice(begin, at)
    this.values[this.count] = special ? this.#decoded(raw, begin) : raw
    return at + 1
  }

  #decoded(raw: string, begin: number): string {
    return decoded(raw.replace(/\r\n?|[\n\t]/g, ' '), (message, end) => this.#fail(message, begin + end))
  }
}

function blankEnd(text: string, from: number): number {
  let at = from
  while (at < text.length && isBlank(text.charCodeAt(at))) at++
  return at
}
