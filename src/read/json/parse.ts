/**
 * Parses strict JSON (RFC 8259) into containers that remember which of their values were read. Numbers keep their
 * digits, since a double cannot hold an amount of twenty digits. A duplicate key is an error; JSON.parse takes the last
 * key.
 */
import { Buffer, isUtf8 } from 'node:buffer'
import { wideOf } from '../charset.ts'
import { textOf } from '../encoding.ts'

/** A document is not JSON, is too large, or does not have the structure that its parser requires. */
export class JsonError extends Error {
  /**
   * Number of bytes before the fault. If a value is missing or has another type, the offset, line and column are 0, and
   * the message contains the path.
   */
  readonly offset: number
  readonly line: number
  readonly column: number
  constructor(message: string, offset = 0, line = 0, column = 0) {
    super(line === 0 ? message : `line ${line}, column ${column} (offset ${offset}): ${message}`)
    this.name = 'JsonError'
    this.offset = offset
    this.line = line
    this.column = column
  }
}

/** A number as it is written in the document. */
export class Numeral {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

/** An object or an array. An array has no names. */
export class Container {
  /** Neighbouring objects with the same names share this list, so a list of 200,000 facts has the names only once. */
  readonly names: readonly string[] | null
  readonly values: readonly Value[]
  /**
   * The rows of the object's parallel arrays; null until they are requested. From then on, what was read is marked in
   * these rows and no longer in the object.
   */
  lines: Container[] | null = null
  #few = 0
  #many: Uint8Array | null = null
  constructor(names: readonly string[] | null, values: readonly Value[]) {
    this.names = names
    this.values = values
  }

  /** Marks the value at an index as read. */
  mark(at: number): void {
    if (this.values.length <= FEW_MAX) this.#few |= 1 << at
    else {
      this.#many ??= new Uint8Array(this.values.length)
      this.#many[at] = 1
    }
  }

  isMarked(at: number): boolean {
    return this.values.length <= FEW_MAX ? (this.#few & (1 << at)) !== 0 : this.#many?.[at] === 1
  }
}

/** Number of flags that fit into a small integer. */
const FEW_MAX = 30

export type Value = string | boolean | null | Numeral | Container

export interface Limits {
  /** Maximum size of the document: in bytes, or in UTF-16 units for a string. */
  sizeMax?: number
}

/** Maximum size by default. The largest member of companyfacts.zip has about 30 MB. */
const SIZE_MAX = 64 * 1024 ** 2
/**
 * Maximum number of names of an object; for comparison, company_tickers.json is one object of 10,000 numbered members.
 */
const NAMES_MAX = 100_000
/** Maximum number of values; for comparison, the 30 MB of the largest member contain about two million. */
const VALUES_MAX = 8_000_000
/** Maximum number of levels; real documents have seven. */
const DEPTH_MAX = 64

/**
 * Parses a document. Bytes that are not UTF-8 are read as UTF-16 if they are UTF-16, else as windows-1252.
 *
 * @throws JsonError with the position of the fault
 */
export function parseValue(source: string | Uint8Array, { sizeMax = SIZE_MAX }: Limits = {}): Value {
  if (typeof source !== 'string') {
    if (source.length > sizeMax) throw new JsonError(`the document is larger than ${sizeMax} bytes`)
    return new Scanner(decoded(source)).document()
  }
  if (source.length > sizeMax) throw new JsonError(`the document is larger than ${sizeMax} bytes`)
  return new Scanner(source).document()
}

const decoder = new TextDecoder('utf-8')

/** Whether bytes are UTF-8, the encoding of JSON. Lists of tickers may still have names in windows-1252. */
export const isOfJson = (bytes: Uint8Array): boolean => isUtf8(bytes) && wideOf(view(bytes)) === null

const view = (bytes: Uint8Array) => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
const decoded = (bytes: Uint8Array) => (isOfJson(bytes) ? decoder.decode(bytes) : textOf(view(bytes)))

const [QUOTE, BACKSLASH, COMMA, COLON] = [34, 92, 44, 58] as const
const [BRACE, BRACE_END, BRACKET, BRACKET_END] = [123, 125, 91, 93] as const
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const ESCAPES: Record<string, string> = {
  ...{ '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' },
}

class Scanner {
  readonly #text: string
  #at = 0
  #values = 0
  /** The names of the last object at each depth, since the next object mostly has the same names. */
  readonly #shapes: (readonly string[])[] = []
  constructor(text: string) {
    this.#text = text
  }

  document(): Value {
    const value = this.#value(0)
    this.#blanks()
    if (this.#at < this.#text.length) this.#fail('there is text after the end of the document')
    return value
  }

  #value(depth: number): Value {
    if (++this.#values > VALUES_MAX) this.#fail(`more than ${VALUES_MAX} values`)
    switch (this.#blanks()) {
      case QUOTE:
        return this.#string()
      case BRACE:
        return this.#object(depth)
      case BRACKET:
        return this.#array(depth)
      case 116:
        return this.#word('true', true)
      case 102:
        return this.#word('false', false)
      case 110:
        return this.#word('null', null)
      default:
        return this.#number()
    }
  }

  #object(depth: number): Container {
    this.#deeper(depth)
    const shape = this.#shapes[depth] ?? []
    let names: string[] | null = null
    let known: Set<string> | null = null
    const values: Value[] = []
    if (this.#blanks() === BRACE_END) this.#at++
    else {
      for (;;) {
        if (this.#blanks() !== QUOTE) this.#fail('a name in quotes is needed')
        const expected: string | undefined = names === null ? shape[values.length] : undefined
        if (expected !== undefined && this.#isNext(expected)) this.#at += expected.length + 2
        else {
          const start = this.#at
          const name = this.#string()
          names ??= shape.slice(0, values.length)
          known ??= new Set(names)
          if (known.has(name)) this.#fail(`the name ${JSON.stringify(name.slice(0, 100))} appears twice`, start)
          if (names.length >= NAMES_MAX) this.#fail(`an object has more than ${NAMES_MAX} names`, start)
          known.add(name)
          names.push(name)
        }
        if (this.#blanks() !== COLON) this.#fail('a colon is needed')
        this.#at++
        values.push(this.#value(depth + 1))
        const mark = this.#blanks()
        if (mark !== COMMA && mark !== BRACE_END) this.#fail('a comma or } is needed')
        this.#at++
        if (mark === BRACE_END) break
      }
    }
    const own = names ?? (shape.length === values.length ? shape : shape.slice(0, values.length))
    this.#shapes[depth] = own
    return new Container(own, values)
  }

  /** Whether this name, written without escapes, is at this position. */
  #isNext(name: string): boolean {
    return (
      this.#text.startsWith(name, this.#at + 1) &&
      this.#text.charCodeAt(this.#at + 1 + name.length) === QUOTE &&
      // A name with a backslash is written with an escape.
      !name.includes('\\')
    )
  }

  #array(depth: number): Container {
    this.#deeper(depth)
    const values: Value[] = []
    if (this.#blanks() === BRACKET_END) this.#at++
    else {
      for (;;) {
        values.push(this.#value(depth + 1))
        const mark = this.#blanks()
        if (mark !== COMMA && mark !== BRACKET_END) this.#fail('a comma or ] is needed')
        this.#at++
        if (mark === BRACKET_END) break
      }
    }
    return new Container(null, values)
  }

  #deeper(depth: number): void {
    if (depth >= DEPTH_MAX) this.#fail(`more than ${DEPTH_MAX} levels`)
    this.#at++
  }

  #string(): string {
    const text = this.#text
    const start = ++this.#at
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        return text.slice(start, at)
      }
      if (code === BACKSLASH) return this.#escaped(start, at)
      if (code < 32) this.#fail('a string has an unescaped control character', at)
    }
    return this.#fail('a string is not closed', text.length)
  }

  #escaped(start: number, first: number): string {
    const text = this.#text
    let value = text.slice(start, first)
    let at = first
    while (at < text.length) {
      const code = text.charCodeAt(at)
      if (code === QUOTE) {
        this.#at = at + 1
        return value
      }
      if (code < 32) this.#fail('a string has an unescaped control character', at)
      if (code !== BACKSLASH) {
        value += text[at++]
        continue
      }
      const mark = text[at + 1] ?? ''
      const plain = ESCAPES[mark]
      if (plain !== undefined) {
        value += plain
        at += 2
        continue
      }
      const digits = text.slice(at + 2, at + 6)
      if (mark !== 'u' || !/^[\da-f]{4}$/i.test(digits)) this.#fail('not a valid escape of JSON', at)
      value += String.fromCharCode(Number.parseInt(digits, 16))
      at += 6
    }
    return this.#fail('a string is not closed', at)
  }

  #number(): Numeral {
    NUMBER.lastIndex = this.#at
    const found = NUMBER.exec(this.#text)
    if (!found) this.#fail(this.#at < this.#text.length ? 'not a JSON value' : 'the document is cut off')
    this.#at += found[0].length
    return new Numeral(found[0])
  }

  #word<T>(word: string, value: T): T {
    if (!this.#text.startsWith(word, this.#at)) this.#fail('not a JSON value')
    this.#at += word.length
    return value
  }

  /** Skips white space. @returns the code of the next character, NaN at the end */
  #blanks(): number {
    for (;;) {
      const code = this.#text.charCodeAt(this.#at)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return code
      this.#at++
    }
  }

  #fail(message: string, at = this.#at): never {
    const before = this.#text.slice(0, at)
    const isCut = at >= this.#text.length && !/cut off|larger/.test(message)
    const line = before.split('\n').length
    const column = before.length - before.lastIndexOf('\n')
    throw new JsonError(
      isCut ? `${message}: the document is cut off` : message,
      Buffer.byteLength(before),
      line,
      column,
    )
  }
}
