/** Scans the attributes of a start tag. */
import { decoded, type Fail, isAllowedAt, isBlank, nameEnd, prefixAndLocal, standsAt } from './characters.ts'
import { AttributeName, NO_ATTRIBUTES, type Shape } from './shapes.ts'

// These constants are declared here, since imported constants are loaded and checked at every use, which took 8 % of
// the time.
const [TAB, LF, CR, SPACE, QUOTE, AMPERSAND, APOSTROPHE, SLASH, LESS, EQUALS, GREATER] = [
  9, 10, 13, 32, 34, 38, 39, 47, 60, 61, 62,
] as const

/** The number of characters of `assigned` after the name. */
const EQUALS_QUOTE = '="'.length

/** Counts across all documents, so that each element has its own number. */
let elements = 0

export class AttributeScanner {
  /** The layout of the last tag scanned. */
  layout = NO_ATTRIBUTES
  /** The values of the last tag. Values after the last name of the layout are left over from earlier tags. */
  readonly values: string[] = []
  readonly #names: AttributeName[] = []
  #count = 0
  readonly #fail: Fail
  readonly #met: (name: AttributeName) => void
  /** Elements with lower numbers belong to earlier documents. */
  readonly #elementMin = elements + 1

  /** @param met is called when a name first occurs in this document on an element of its shape; may throw */
  constructor(fail: Fail, met: (name: AttributeName) => void) {
    this.#fail = fail
    this.#met = met
  }

  /** @returns the index of the `>` or `/>` after the attributes; -1 if the tag continues in the next piece */
  scan(text: string, from: number, shape: Shape): number {
    const element = ++elements
    let last: AttributeName | null = null
    this.#count = 0
    for (let at = from; ; ) {
      const expected: AttributeName | null = last === null ? shape.firstAttribute : last.follower
      if (expected !== null && standsAt(text, expected.assigned, at)) {
        const begin = at + expected.assigned.length
        this.#take(expected, element, begin - EQUALS_QUOTE)
        at = this.#value(text, begin, QUOTE)
      } else {
        const begin = blankEnd(text, at)
        if (begin >= text.length) return -1
        const code = text.charCodeAt(begin)
        if (code === SLASH && begin + 1 === text.length) return -1
        if (code === GREATER || (code === SLASH && text.charCodeAt(begin + 1) === GREATER)) {
          this.layout = shape.layoutOf(this.#names, this.#count)
          return begin
        }
        if (code === SLASH) this.#fail('forward-slash in opening tag not followed by >', begin + 2)
        if (begin === at) this.#fail('no whitespace between attributes', begin + 1)
        const name = this.#name(text, begin, shape)
        if (name === null) return -1
        if (last === null) shape.firstAttribute = name
        else last.follower = name
        this.#take(name, element, begin + name.written.length)
        at = this.#assigned(text, begin + name.written.length)
      }
      if (at < 0) return -1
      last = this.#names[this.#count++]!
    }
  }

  /** @param end the index after the name */
  #take(name: AttributeName, element: number, end: number): void {
    if (name.element === element) this.#fail(`duplicate attribute ${name.written}`, end)
    if (name.element < this.#elementMin) this.#met(name)
    name.element = element
    this.#names[this.#count] = name
  }

  /** Returns null if the name may continue in the next piece. */
  #name(text: string, from: number, shape: Shape): AttributeName | null {
    const end = nameEnd(text, from)
    if (end === text.length) return null
    const written = text.slice(from, end)
    return shape.attributes.get(written) ?? this.#newName(written, end, shape)
  }

  #newName(written: string, end: number, shape: Shape): AttributeName {
    const name = new AttributeName(written, ...prefixAndLocal(written, 'attribute', end, this.#fail))
    shape.attributes.set(name.written, name)
    return name
  }

  /**
   * @returns the index after the value of the attribute whose name ends at this index; -1 if the tag continues in the
   * next piece
   */
  #assigned(text: string, nameEnd: number): number {
    const equals = blankEnd(text, nameEnd)
    if (equals >= text.length) return -1
    if (text.charCodeAt(equals) !== EQUALS) this.#fail('attribute without value', equals + 1)
    const open = blankEnd(text, equals + 1)
    if (open >= text.length) return -1
    const quote = text.charCodeAt(open)
    if (quote !== QUOTE && quote !== APOSTROPHE) this.#fail('unquoted attribute value', open + 1)
    return this.#value(text, open + 1, quote)
  }

  /** @returns the index after the value that begins at this index; -1 if the value continues in the next piece */
  #value(text: string, begin: number, quote: number): number {
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
    this.values[this.#count] = special ? this.#decoded(raw, begin) : raw
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
