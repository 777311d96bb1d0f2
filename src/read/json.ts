/**
 * Reads strict JSON into values that remember which of them were read, as `Element` does for XML. If a structure is
 * missing or has another type, the reader throws a JsonError. If a single value cannot be read, the result is null, and
 * a problem is recorded.
 */
import { Container, isOfJson, JsonError, type Limits, Numeral, parseValue, type Value } from './json/parse.ts'
import { excerpt, storable } from './text.ts'
import { cik, count, day, decimal, flag, integer, shifted } from './values.ts'
import type { Problem } from './xml.ts'

export { JsonError } from './json/parse.ts'

/**
 * Reads a whole document; throws JsonError. A string is parsed unchanged. Bytes that are not valid UTF-8 are recorded
 * as a problem.
 */
export function parseJson(source: string | Uint8Array, limits?: Limits): Json {
  const document = new Json(parseValue(source, limits))
  if (typeof source !== 'string' && !isOfJson(source)) document.note('the bytes are not UTF-8, as JSON requires')
  return document
}

/** Maximum number of problems of one document, and of its unread paths. Further problems would add nothing. */
const PROBLEMS_MAX = 1_000
const UNREAD_MAX = 10_000

/**
 * A value, with its position in a document. Each name is a single key, not a path: units of facts such as USD/shares
 * have slashes.
 */
export class Json {
  readonly #value: Value
  readonly #parent: Json | null
  readonly #name: string | number
  readonly #problems: Problem[]
  constructor(value: Value, parent: Json | null = null, name: string | number = '') {
    this.#value = value
    this.#parent = parent
    this.#name = name
    this.#problems = parent === null ? [] : parent.#problems
  }

  /** JSON Pointer: `/filings/files/0/name`. */
  get path(): string {
    if (this.#parent === null) return ''
    return `${this.#parent.path}/${String(this.#name).replaceAll('~', '~0').replaceAll('/', '~1')}`
  }

  /** Records a problem of the whole document. */
  note(reason: string): void {
    this.#problems.push({ path: this.path, value: '', reason })
  }

  /** The keys of the object, in order. */
  names(): readonly string[] {
    return this.#object().names!
  }

  has(name: string): boolean {
    return this.names().includes(name)
  }

  /** The object or array of that name; JsonError if there is none. */
  one(name: string): Json {
    const found = this.maybe(name)
    if (found === null) throw new JsonError(`${this.#pathOf(name)} is missing`)
    return found
  }

  /**
   * Returns the object or array of that name, or null if it is absent or null. Throws a JsonError for another value.
   */
  maybe(name: string): Json | null {
    const own = this.#object()
    const at = own.names!.indexOf(name)
    const value = own.values[at] ?? null
    if (value === null) return null
    if (!(value instanceof Container)) throw new JsonError(`${this.#pathOf(name)} is neither an object nor an array`)
    return new Json(value, this, name)
  }

  /** Every member of the object with its key. */
  entries(): [name: string, value: Json][] {
    const own = this.#object()
    return own.names!.map((name, at) => [name, new Json(own.values[at]!, this, name)])
  }

  /** All members of this array, which must be objects or arrays; JsonError if any member is another value. */
  items(): Json[] {
    const { values } = this.#array()
    return values.map((value, at) => {
      if (!(value instanceof Container)) throw new JsonError(`${this.#pathOf(at)} is neither an object nor an array`)
      return new Json(value, this, at)
    })
  }

  /**
   * Returns the rows of an object of parallel arrays of equal length: the values at one index of all arrays are a row.
   *
   * @param ignored columns that the rows do not get; adding these columns to each row took half of the time
   */
  lines(ignored: readonly string[] = []): Json[] {
    const own = this.#object()
    if (own.lines === null) {
      const all = own.values.map((value, at) => {
        if (value instanceof Container && value.names === null) return value.values
        throw new JsonError(`${this.#pathOf(own.names![at]!)} is not an array`)
      })
      const length = all[0]?.length ?? 0
      const other = all.findIndex((column) => column.length !== length)
      if (other >= 0) {
        const name = own.names![other]!
        throw new JsonError(`${this.#pathOf(name)} has ${all[other]!.length} values, ${own.names![0]} has ${length}`)
      }
      const names = own.names!.filter((name) => !ignored.includes(name))
      const columns = all.filter((_, at) => !ignored.includes(own.names![at]!))
      const lineOf = (at: number) =>
        new Container(
          names,
          columns.map((column) => column[at]!),
        )
      own.lines = Array.from({ length }, (_, at) => lineOf(at))
    }
    return own.lines.map((line, at) => new Json(line, this, at))
  }

  /**
   * Returns the rows of a table whose column names are in another array: `{ fields: ['cik', …], data: [[320193, …], …]
   * }`.
   */
  table(fields: string, data: string): Json[] {
    const names = this.one(fields)
      .texts()
      .map((name) => name ?? '')
    if (new Set(names).size < names.length) throw new JsonError(`${this.#pathOf(fields)} has a name twice`)
    const own = this.one(data)
    const rows = own.#array()
    rows.lines ??= rows.values.map((row, at) => {
      if (!(row instanceof Container) || row.names !== null) throw new JsonError(`${own.#pathOf(at)} is not an array`)
      if (row.values.length === names.length) return new Container(names, row.values)
      throw new JsonError(`${own.#pathOf(at)} has ${row.values.length} values for ${names.length} fields`)
    })
    return rows.lines.map((line, at) => new Json(line, own, at))
  }

  /** Trimmed text; null if the member is absent, null or blank. */
  text(name: string): string | null {
    return this.#typed(name, 'string', (text) => text, 'not a text')
  }

  /**
   * The texts of this array, each trimmed. A null stays null. A value that is not a text is returned as null, and
   * recorded as a problem.
   */
  texts(): (string | null)[] {
    const own = this.#array()
    return own.values.map((_, at) => this.#read(own, at, at, 'string', (text) => text, 'not a text'))
  }

  /** An exact decimal. */
  money(name: string): string | null {
    return this.#typed(name, 'number', exact, 'not a decimal number')
  }

  integer(name: string): number | null {
    return this.#typed(name, 'number', integer, 'not an integer')
  }

  /** An integer that fits into an `integer` column. */
  count(name: string): number | null {
    return this.#typed(name, 'number', count, 'not an integer below 2147483648')
  }

  /** Ten digits, from a number or a text; null for zeros and for words that mean "no value". */
  cik(name: string): string | null {
    return this.#typed(name, 'any', cik, 'is not a valid CIK')
  }

  /** true, false, 1, 0, and the words for them. */
  flag(name: string): boolean | null {
    return this.#typed(name, 'any', flag, 'neither true nor false')
  }

  /** `YYYY-MM-DD`; a time after the date is dropped. */
  date(name: string): string | null {
    return this.#typed(name, 'string', (text) => day(text, 'iso'), 'not a day written as YYYY-MM-DD')
  }

  /**
   * Reads a value with a function of the parser, which receives a text, the digits of a number, true or false.
   *
   * @param to returns null for a value that it cannot read (recorded as a problem with the reason), and undefined for a
   *   value that means "no value"
   */
  value<T>(name: string, to: (text: string) => T | null | undefined, reason: string): T | null {
    return this.#typed(name, 'any', to, reason)
  }

  /** Marks these members and everything in them as read. A member may be absent. */
  ignore(...names: string[]): void {
    const own = this.#object()
    for (const name of names) {
      const at = own.names!.indexOf(name)
      if (at < 0) continue
      own.mark(at)
    }
  }

  /** Records a value of this object that its parser cannot use. */
  problem(name: string, value: string, reason: string): void {
    this.#note({ path: this.#pathOf(name), value: excerpt(value), reason })
  }

  /** All problems recorded in this document, in the order of reading. */
  problems(): Problem[] {
    return [...this.#problems]
  }

  /**
   * Distinct paths of values that were neither read nor ignored, sorted; `*` stands for any index of an array. Blank
   * values do not count.
   */
  unread(): string[] {
    const paths = new Set<string>()
    unreadOf(this.#value, this.path, paths)
    return [...paths].sort()
  }

  #pathOf(name: string | number): string {
    return new Json(null, this, name).path
  }

  #object(): Container {
    if (this.#value instanceof Container && this.#value.names !== null) return this.#value
    throw new JsonError(`${this.path || 'the document'} is not an object`)
  }

  #array(): Container {
    if (this.#value instanceof Container && this.#value.names === null) return this.#value
    throw new JsonError(`${this.path || 'the document'} is not an array`)
  }

  #typed<T>(name: string, kind: Kind, to: (text: string) => T | null | undefined, reason: string): T | null {
    const own = this.#object()
    const at = own.names!.indexOf(name)
    return at < 0 ? null : this.#read(own, at, name, kind, to, reason)
  }

  #read<T>(
    own: Container,
    at: number,
    name: string | number,
    kind: Kind,
    to: (text: string) => T | null | undefined,
    reason: string,
  ): T | null {
    const value = own.values[at]!
    if (value === null) return null
    if (value instanceof Container) {
      this.#note({ path: this.#pathOf(name), value: '', reason: `${reason}: it is an object or an array` })
      return null
    }
    own.mark(at)
    const text = value instanceof Numeral ? value.text : String(value).trim()
    const is = value instanceof Numeral ? 'number' : typeof value
    if (is === 'string' && text === '') return null
    const plain = storable(text)
    const made = kind === 'any' || kind === is ? to(plain) : null
    if (made === null) this.#note({ path: this.#pathOf(name), value: excerpt(text), reason })
    else if (plain !== text) {
      this.#note({
        path: this.#pathOf(name),
        value: excerpt(text),
        reason: 'a NUL or an unpaired surrogate was removed from it',
      })
    }
    return made ?? null
  }

  #note(problem: Problem): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem)
    else if (this.#problems.length === PROBLEMS_MAX) {
      this.#problems.push({ path: problem.path, value: '', reason: 'and more problems from here on' })
    }
  }
}

/** `any`: a text, a number, true or false. */
type Kind = 'string' | 'number' | 'any'

/** Writes a JSON number as an exact decimal: 1.5E3 is 1500. An exponent beyond 64 places is not a plausible amount. */
function exact(text: string): string | null {
  const [, sign = '', whole = '', fraction = '', power] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? []
  if (power === undefined) return decimal(text)
  return shifted(sign, whole, fraction, Number(power))
}

function unreadOf(value: Value, path: string, paths: Set<string>): void {
  if (!(value instanceof Container)) {
    if (value !== null && (typeof value !== 'string' || value.trim() !== '')) paths.add(path)
    return
  }
  if (value.lines !== null) {
    for (const line of value.lines) unreadOf(line, `${path}/*`, paths)
    return
  }
  for (const [at, child] of value.values.entries()) {
    if (paths.size >= UNREAD_MAX) return
    if (value.isMarked(at)) continue
    unreadOf(child, `${path}/${value.names === null ? '*' : value.names[at]}`, paths)
  }
}
