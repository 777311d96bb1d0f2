/**
 * Turns pieces of text into tokens of XML 1.0. The scanner is our own code, because everything that we read depends on
 * it. The tests compare it with saxes, which examines one character at a time and makes a new name for each tag.
 */
import { AttributeScanner } from './attributes.ts'
import {
  decoded,
  isAllowedAt,
  isBlank,
  isName,
  isPlainBlank,
  nameEnd,
  prefixAndLocal,
  REFERENCE_MAX,
  standsAt,
} from './characters.ts'
import { Lines } from './lines.ts'
import { SectionScanner } from './sections.ts'
import { type Layout, NO_ATTRIBUTES, Shape, Shapes } from './shapes.ts'

// These constants are declared here, since imported constants are loaded and checked at every use, which took 8 % of
// the time.
const [TAB, LF, CR, SPACE, EXCLAMATION, AMPERSAND, SLASH, LESS, GREATER, QUESTION, BRACKET] = [
  9, 10, 13, 32, 33, 38, 47, 60, 62, 63, 93,
] as const

/** Receives the tokens of a scanner. Each method may throw. */
export interface Tokens {
  /** An element begins. `values` may be longer than the names of the layout; ignore the values after the last name. */
  opened(shape: Shape, layout: Layout, values: readonly string[]): void
  /** A piece of text of the innermost open element; never empty. */
  text(text: string): void
  /** Blanks between two tags, from one index up to the other. */
  blank(text: string, from: number, to: number): void
  closed(): void
  /** A path, or an attribute at a path, occurs in this document for the first time. */
  met(name: string, path: string): void
}

export interface SourcePosition {
  /** UTF-16 units of all text up to the fault, including the fault. */
  end: number
  /** Both count from 1. */
  line: number
  column: number
}

/**
 * Longest tag. A tag that continues in the next piece is scanned again from its start, so a longer tag would take too
 * much time.
 */
const TAG_MAX = 1 << 20

export class Scanner {
  readonly #tokens: Tokens
  readonly #refuse: (message: string, place: SourcePosition) => never
  readonly #shapes = Shapes.take()
  /** Shape of the innermost open element; outside the root, the shape of the root's parent. */
  #shape = this.#shapes.root
  readonly #document = this.#shapes.document
  #isRooted = false
  #text = ''
  /** Offset of the current text in all text. */
  #base = 0
  /** The end of the text, if the text ends with an incomplete token. */
  #rest = ''
  readonly #lines = new Lines()
  readonly #sections: SectionScanner
  readonly #attributes: AttributeScanner

  /** @param refuse never returns */
  constructor(tokens: Tokens, refuse: (message: string, place: SourcePosition) => never) {
    this.#tokens = tokens
    this.#refuse = refuse
    const fail = (message: string, end: number): never => this.#fail(message, end)
    this.#sections = new SectionScanner(fail, (text) => tokens.text(text))
    this.#attributes = new AttributeScanner(fail, ({ name, element }) => {
      if (element === 0) this.#shapes.size++
      tokens.met(name, `${this.#shape.path}/@${name}`)
    })
  }

  /** Path of local names from the root to the innermost open element. */
  get path(): string {
    return this.#shape.path
  }

  /** Scans a piece. An incomplete token at the end of a piece waits for the next piece. */
  write(piece: string): void {
    if (piece === '') return
    const passed = this.#text.length - this.#rest.length
    if (passed > 0) this.#lines.pass(this.#text.slice(0, passed), this.#base)
    this.#base += passed
    const text = this.#rest === '' ? piece : this.#rest + piece
    this.#text = text
    let at = 0
    while (at < text.length) {
      const next = this.#next(text, at)
      if (next < 0) break
      at = next
    }
    this.#rest = text.slice(at)
  }

  /** Ends the document. */
  end(): void {
    const isWhole = this.#rest === '' && this.#sections.open === null && this.#shape === this.#shapes.root
    if (!isWhole) this.fail('the document is cut off, or something is left open')
    if (!this.#isRooted) this.fail('document must contain a root element')
    this.#shapes.giveBack()
  }

  /** Refuses the document, with the end of the given text as the position. */
  fail(message: string): never {
    this.#fail(message, this.#text.length)
  }

  #fail(message: string, end: number): never {
    const { line, column } = this.#lines.place(this.#text, end, this.#base)
    this.#refuse(message, { end: this.#base + end, line, column })
  }

  /**
   * Scans one token, or a part of a text or section. Returns the index after the token; -1 if the token continues in
   * the next piece.
   */
  #next(text: string, at: number): number {
    const { open } = this.#sections
    if (open !== null) {
      const end = this.#sections.scan(text, at, open)
      return end === at && this.#sections.open !== null ? -1 : end
    }
    return text.charCodeAt(at) === LESS ? this.#markup(text, at) : this.#content(text, at)
  }

  /**
   * Scans content up to the next tag, or as much of the content as can be passed on without the next piece. Branches:
   * one for each character that may end content or belong to it. These characters are tested here, without calls, since
   * this function runs for each piece of text.
   */
  #content(text: string, from: number): number {
    const { length } = text
    let at = from
    while (at < length && isPlainBlank(text.charCodeAt(at))) at++
    if (at < length && text.charCodeAt(at) === LESS) {
      if (this.#shape.parent !== null) this.#tokens.blank(text, from, at)
      return at
    }
    let special = false
    for (; at < length; at++) {
      const code = text.charCodeAt(at)
      if (code === LESS) break
      if (code > BRACKET && code < 0x80) continue
      if (code === AMPERSAND || code === CR || (code >= 0x80 && code < 0xa0)) special = true
      else if (code === BRACKET) {
        if (text.startsWith(']]>', at)) this.#fail('the string "]]>" is disallowed in text', at + 3)
      } else if ((code < SPACE && code !== LF && code !== TAB) || code >= 0xd800) {
        if (!isAllowedAt(text, at)) this.#fail('disallowed character', at + 1)
      }
    }
    // Outside the root no text is kept, so no part of it waits for the next piece. This matters because the document's
    // last character may be a carriage return (0001562180-25-000280).
    if (at === length && this.#shape.parent !== null) at = this.#sure(text, from)
    if (at === from) return -1
    const raw = text.slice(from, at)
    if (this.#shape.parent === null) {
      if (/[^ \t\r\n]/.test(raw)) this.#fail('text outside of root', from + raw.search(/[^ \t\r\n]/) + 1)
    } else this.#tokens.text(special ? this.#decoded(raw, from) : raw)
    return at
  }

  #decoded(raw: string, from: number): string {
    return decoded(raw, (message, end) => this.#fail(message, from + end))
  }

  /**
   * Returns the end of the part that can be used now, if text continues in the next piece. The cut must not split a
   * reference, a line end, `]]>` or a character.
   */
  #sure(text: string, from: number): number {
    const { length } = text
    const reference = text.lastIndexOf('&')
    if (reference >= from && !text.includes(';', reference)) {
      if (length - reference > REFERENCE_MAX) this.#fail('malformed entity', length)
      return reference
    }
    const last = text.charCodeAt(length - 1)
    if (last === CR || (last >= 0xd800 && last < 0xdc00)) return length - 1
    if (last !== BRACKET) return length
    return length - 2 >= from && text.charCodeAt(length - 2) === BRACKET ? length - 2 : length - 1
  }

  #markup(text: string, from: number): number {
    if (from + 1 === text.length) return -1
    const code = text.charCodeAt(from + 1)
    if (code === SLASH) return this.#endTag(text, from)
    if (code === EXCLAMATION) return this.#declared(text, from)
    if (code === QUESTION) {
      const end = this.#sections.instruction(text, from, this.#base + from === 0)
      return end < 0 ? this.#unfinished(text, from) : end
    }
    return this.#startTag(text, from)
  }

  #declared(text: string, from: number): number {
    if (text.startsWith('<!--', from)) return this.#sections.scan(text, from + 4, 'comment')
    if (text.startsWith('<![CDATA[', from)) {
      if (this.#shape.parent === null) this.#fail('text outside of root', from + 9)
      return this.#sections.scan(text, from + 9, 'cdata')
    }
    if (text.startsWith('<!DOCTYPE', from)) this.#fail('a DOCTYPE is refused', from + 9)
    const begun = text.slice(from)
    if (['<!--', '<![CDATA[', '<!DOCTYPE'].some((whole) => whole.startsWith(begun))) return -1
    this.#fail('incorrect syntax', from + 2)
  }

  #endTag(text: string, from: number): number {
    const shape = this.#shape
    let at = from + 2 + shape.tag.length
    if (shape.parent !== null && standsAt(text, shape.tag, from + 2)) {
      while (at < text.length && isBlank(text.charCodeAt(at))) at++
      if (at < text.length && text.charCodeAt(at) === GREATER) {
        this.#shape = shape.parent
        this.#shape.ended = shape
        this.#tokens.closed()
        return at + 1
      }
    }
    const end = text.indexOf('>', from)
    if (end < 0) return this.#unfinished(text, from)
    const given = text.slice(from + 2, end).trimEnd()
    this.#fail(isName(given) ? 'unexpected close tag' : 'disallowed character in closing tag', end + 1)
  }

  #unfinished(text: string, from: number): number {
    if (text.length - from > TAG_MAX) this.#tooLong(text.length)
    return -1
  }

  #tooLong(end: number): never {
    this.#fail(`a tag is longer than ${TAG_MAX} characters`, end)
  }

  #startTag(text: string, from: number): number {
    const outer = this.#shape
    const shape = this.#shapeAt(text, from + 1)
    if (shape === null) return this.#unfinished(text, from)
    let at = from + 1 + shape.tag.length
    let layout = NO_ATTRIBUTES
    if (text.charCodeAt(at) !== GREATER) {
      this.#shape = shape
      at = this.#attributes.scan(text, at, shape)
      this.#shape = outer
      if (at < 0) return this.#unfinished(text, from)
      layout = this.#attributes.layout
      if (at - from > TAG_MAX) this.#tooLong(at)
    }
    if (outer.parent === null) {
      if (this.#isRooted) this.#fail('documents may contain only one root', at + 1)
      this.#isRooted = true
    }
    shape.ended = null
    this.#shape = shape
    this.#tokens.opened(shape, layout, this.#attributes.values)
    if (text.charCodeAt(at) === GREATER) return at + 1
    this.#shape = outer
    outer.ended = shape
    this.#tokens.closed()
    return at + 2
  }

  /** Returns the shape of the tag whose name begins here; null if the name may continue in the next piece. */
  #shapeAt(text: string, from: number): Shape | null {
    const outer = this.#shape
    const expected = outer.ended === null ? outer.first : outer.ended.follower
    const expectedEnd = from + (expected?.tag.length ?? 0)
    if (expected !== null && expectedEnd < text.length && standsAt(text, expected.tag, from)) {
      const code = text.charCodeAt(expectedEnd)
      if (code === GREATER || code === SLASH || isBlank(code)) {
        if (expected.document !== this.#document) this.#met(expected)
        return expected
      }
    }
    const end = nameEnd(text, from)
    if (end === text.length) return null
    const tag = text.slice(from, end)
    const shape = outer.children.get(tag) ?? new Shape(outer, tag, ...this.#split(tag, end))
    if (shape.document !== this.#document) this.#met(shape)
    if (outer.ended === null) outer.first = shape
    else outer.ended.follower = shape
    return shape
  }

  #split(tag: string, end: number): [prefix: string, local: string] {
    return prefixAndLocal(tag, 'tag', end, (message, place) => this.#fail(message, place))
  }

  #met(shape: Shape): void {
    this.#tokens.met(shape.name, shape.path)
    if (shape.document === 0) {
      shape.parent!.children.set(shape.tag, shape)
      this.#shapes.size++
    }
    shape.document = this.#document
  }
}
