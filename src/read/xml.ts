/**
 * Reads strict XML: a whole document, or the records of a large document one at a time. Its elements remember which of
 * their parts were read. Names are local names, since filers use any prefix on the same form. Nothing is repaired: a
 * document that is not well-formed, has an unbound prefix or declares a DTD is an XmlError.
 */

import { excerpt } from './text.ts'
import { bigint, cik, count, crd, day, decimal, flag, integer, isAmong } from './values.ts'
import { type Limits, Reader } from './xml/reader.ts'
import {
  childNames,
  find,
  ignore,
  isBlank,
  type Node,
  type Path,
  pathOf,
  read,
  readAll,
  single,
  singles,
  unread,
} from './xml/tree.ts'

export { XmlError } from './xml/error.ts'
export type { Limits } from './xml/reader.ts'

import { XmlError } from './xml/error.ts'

/**
 * A value that is present, but that its reader cannot interpret. The record of the value is plain JSON, with the value
 * cut at 200 characters.
 */
export interface Problem {
  path: string
  value: string
  reason: string
}

/**
 * Reads a whole document and returns its root; throws XmlError. A string is read unchanged, whatever encoding it
 * declares.
 */
export function parse(source: string | Uint8Array, options?: Limits): Element {
  const reader = new Reader(null, options)
  if (typeof source === 'string') reader.write(source)
  else for (const piece of pieces(source)) reader.write(piece)
  reader.end()
  return rootOf(reader)
}

/** Reads a whole document as it arrives and returns its root. The bytes are never held all at once. */
export async function parseStream(stream: AsyncIterable<Uint8Array>, options?: Limits): Promise<Element> {
  const reader = new Reader(null, options)
  for await (const chunk of stream) for (const piece of pieces(chunk)) reader.write(piece)
  reader.end()
  return rootOf(reader)
}

function rootOf(reader: Reader): Element {
  const [node] = reader.take()
  return new Element(node!, notes(reader, node!))
}

/** Returns a problem if the bytes of the document contradict its declared encoding. */
function notes({ overruled }: Reader, node: Node): Problem[] {
  if (overruled === null) return []
  const reason = 'the document is not in its declared encoding, so its encoding was detected from its bytes'
  return [{ path: node.shape.path, value: excerpt(overruled, 200), reason }]
}

/**
 * Reads a document as it arrives, and yields every element that has that local name, or one of those names. If such
 * elements are nested, only the outermost is yielded. Each element is as `parse` would return it, with its path from
 * the root. Only the records that one piece of 64 KB completes are in memory. Text outside the records is checked but
 * not kept, so `unread()` never reports it. `outside` in `Limits` collects its paths. Each record has its own
 * `problems()`. A fault is thrown after the records before it were yielded.
 */
export async function* each(
  stream: AsyncIterable<Uint8Array>,
  name: string | readonly string[],
  options?: Limits,
): AsyncGenerator<Element> {
  const reader = new Reader(name, options)
  let isNoted = false
  // The first record after a contradiction of the declared encoding reports the contradiction.
  const element = (node: Node) => {
    if (isNoted || reader.overruled === null) return new Element(node)
    isNoted = true
    return new Element(node, notes(reader, node))
  }
  for await (const chunk of stream) {
    for (const piece of pieces(chunk)) {
      try {
        reader.write(piece)
      } finally {
        // `yield*` would make three promises for a record instead of one: a quarter of the time of an empty loop.
        for (const node of reader.take()) yield element(node)
      }
    }
  }
  try {
    reader.end()
  } finally {
    for (const node of reader.take()) yield element(node)
  }
}

/** Number of bytes that are decoded and tokenised at a time. */
const PIECE = 65_536

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE)
}

/**
 * An element, with a record of which of its parts were read. Paths are relative, `a/b`, and consist of local names; a
 * last part `@name` means an attribute. The text of an element does not include the text of its child elements.
 */
export class Element {
  readonly #node: Node
  readonly #problems: Problem[]
  constructor(node: Node, problems: Problem[] = []) {
    this.#node = node
    this.#problems = problems
  }

  get name(): string {
    return this.#node.shape.name
  }

  /** Path of local names from the root, without indexes: `/edgarSubmission/primaryIssuer/cik`. */
  get path(): string {
    return this.#node.shape.path
  }

  /** Local names of the child elements; a name that occurs several times is listed several times. */
  childNames(): string[] {
    return childNames(this.#node)
  }

  /** The one element at that path; XmlError if there is none, or several. */
  one(path: string): Element {
    const found = this.maybe(path)
    if (found === null) throw new XmlError(`one ${path} is needed under ${this.path}, there are 0`)
    return found
  }

  /** The one element at that path, or null; XmlError if there are several. */
  maybe(path: string): Element | null {
    const node = this.#single(pathOf(path), path)
    return node && new Element(node, this.#problems)
  }

  /**
   * Returns for each name what `maybe` returns. The method walks through the children once, not once for each name. If
   * each of a firm's 57 items were queried separately, reading a feed would take a tenth more time.
   *
   * @param names must come from a parser's own code, since the result is cached
   */
  maybeEach(names: readonly string[]): (Element | null)[] {
    const found = singles(this.#node, names)
    // Several elements have the same name. `maybe` throws an error that states this name.
    if (found === null) return names.map((name) => this.maybe(name))
    return found.map((node) => node && new Element(node, this.#problems))
  }

  /** Every element at that path: for `list/item`, every `item` under every `list`. */
  all(path: string): Element[] {
    return find(this.#node, pathOf(path)).map((node) => new Element(node, this.#problems))
  }

  /**
   * Every element at that path in which something is stated. Programs of filers write an empty element for a list
   * without entries, which must not become a row without values.
   */
  filled(path: string): Element[] {
    return find(this.#node, pathOf(path))
      .filter((node) => !isBlank(node))
      .map((node) => new Element(node, this.#problems))
  }

  /**
   * Whether nothing is stated in this element: neither this element nor any element in it has a text or an attribute.
   */
  isBlank(): boolean {
    return isBlank(this.#node)
  }

  /**
   * Trimmed text of the one element or attribute at that path, or of this element; null if it is absent or blank. Marks
   * it as read.
   */
  text(path?: string): string | null {
    if (path === undefined) return read(this.#node, null)
    const at = pathOf(path)
    const node = this.#single(at, path)
    return node && read(node, at.attribute)
  }

  /** All texts at those paths that are not blank: path by path, and for each path in document order. */
  texts(...paths: string[]): string[] {
    const found: string[] = []
    for (const path of paths) {
      const at = pathOf(path)
      for (const node of find(this.#node, at)) {
        const text = read(node, at.attribute)
        if (text !== null) found.push(text)
      }
    }
    return found
  }

  /**
   * An attribute by local name; if two attributes with different prefixes share the name, the first in document order.
   */
  attribute(name: string): string | null {
    return read(this.#node, name)
  }

  /**
   * Every attribute of this element that is not blank, by local name; null if there is none. Marks them all as read.
   */
  attributes(): Record<string, string> | null {
    return readAll(this.#node)
  }

  /**
   * An exact decimal: `$1,000.50` → `1000.5`, `.5` → `0.5`. `nulls`: words that mean null, in capitals or small
   * letters.
   */
  money(path?: string, nulls?: readonly string[]): string | null {
    return this.#typed(decimal, 'not a decimal number', path, nulls)
  }

  /** A safe integer; commas and a fraction of zeros are accepted. */
  integer(path?: string, nulls?: readonly string[]): number | null {
    return this.#typed(integer, 'not an integer', path, nulls)
  }

  /** An integer that fits into an `integer` column. */
  count(path?: string, nulls?: readonly string[]): number | null {
    return this.#typed(count, 'not an integer below 2147483648', path, nulls)
  }

  /** A safe integer as the text of a `bigint` column. */
  bigint(path?: string, nulls?: readonly string[]): string | null {
    return this.#typed(bigint, 'not an integer', path, nulls)
  }

  /** Ten digits; null for zeros and for words that mean "no value". */
  cik(path?: string): string | null {
    return this.#typed(cik, 'is not a valid CIK', path)
  }

  /** Digits without leading zeros; null for zeros and for words that mean "no value". */
  crd(path?: string): string | null {
    return this.#typed(crd, 'is not a valid CRD number', path)
  }

  /**
   * Reads a value with a function of the parser's own.
   *
   * @param to returns null for a text that it cannot read (recorded as a problem with the reason), and undefined for a
   *   text that means "no value"
   */
  value<T>(path: string | undefined, to: (text: string) => T | null | undefined, reason: string): T | null {
    return this.#typed(to, reason, path)
  }

  /** true, false, 1, 0, Y, N, yes, no, in capitals or small letters. */
  flag(path?: string): boolean | null {
    return this.#typed(flag, 'neither true nor false', path)
  }

  /** A box of the form: false if it is absent or blank, null if its text is neither true nor false. */
  ticked(path: string): boolean | null {
    return this.text(path) === null ? false : this.flag(path)
  }

  /** `YYYY-MM-DD`. `iso` accepts a time or zone after the day and drops it; `mdy` is `MM-DD-YYYY` or `MM/DD/YYYY`. */
  date(path?: string, format: 'iso' | 'mdy' = 'iso'): string | null {
    const { to, reason } = DAYS[format]
    return this.#typed(to, reason, path)
  }

  /** Records a value of this element that its parser cannot use. */
  problem(value: string, reason: string): void {
    this.#note({ path: this.path, value: excerpt(value), reason })
  }

  /** Marks everything under these paths as read. A path may be absent. */
  ignore(...paths: string[]): void {
    for (const path of paths) {
      const at = pathOf(path)
      for (const node of find(this.#node, at)) at.attribute === null ? ignore(node) : read(node, at.attribute)
    }
  }

  /**
   * Distinct paths of texts and attributes (`path/@name`) in this element that were neither read nor ignored, sorted,
   * the first 10,000 of them. Blank values, xmlns declarations, schema locations and xsi:nil do not count.
   */
  unread(): string[] {
    const paths = new Set<string>()
    unread(this.#node, paths)
    return paths.size === 0 ? [] : [...paths].sort()
  }

  /** All problems recorded in this document, in the order of reading. */
  problems(): Problem[] {
    return [...this.#problems]
  }

  #single(at: Path, path: string): Node | null {
    const found = single(this.#node, at)
    if (typeof found === 'number') {
      throw new XmlError(`one ${path} is allowed under ${this.path}, there are ${found}`)
    }
    return found
  }

  #typed<T>(
    to: (text: string) => T | null | undefined,
    reason: string,
    path?: string,
    nulls?: readonly string[],
  ): T | null {
    const text = this.text(path)
    if (text === null || (nulls !== undefined && isAmong(text, nulls))) return null
    const value = to(text)
    if (value === null) {
      const at = path === undefined ? this.path : `${this.path}/${path}`
      this.#note({ path: at, value: excerpt(text), reason })
    }
    return value ?? null
  }

  #note(problem: Problem): void {
    if (this.#problems.length < PROBLEMS_MAX) this.#problems.push(problem)
    else if (this.#problems.length === PROBLEMS_MAX) {
      this.#problems.push({ path: problem.path, value: '', reason: 'and more problems from here on' })
    }
  }
}

/** Maximum number of problems of one document. Further problems would add nothing. */
const PROBLEMS_MAX = 1_000
const DAYS = {
  iso: { to: (text: string) => day(text, 'iso'), reason: 'not a day written as YYYY-MM-DD' },
  mdy: { to: (text: string) => day(text, 'mdy'), reason: 'not a day written as MM-DD-YYYY' },
}
