/** Tracks the namespaces of prefixes, element by element. */
import type { AttributeName, Layout, Shape } from './shapes.ts'

const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace'
const DECLARATIONS_NAMESPACE = 'http://www.w3.org/2000/xmlns/'

/** Counts the states of declared prefixes in all documents, so that each state has its own number. */
let states = 0

export class Prefixes {
  readonly #fail: (message: string) => never
  readonly #bound = new Map([['xml', XML_NAMESPACE]])
  #state = ++states
  /** Declarations to undo when the element at their depth ends. */
  readonly #declared: { depth: number; prefix: string; outer: string | undefined }[] = []

  constructor(fail: (message: string) => never) {
    this.#fail = fail
  }

  /** Applies the declarations of an element at that depth, and refuses invalid attributes. */
  open(depth: number, { names, hasPrefixes }: Layout, values: readonly string[]): void {
    if (!hasPrefixes) return
    for (const [at, { prefix, name, isDeclaration }] of names.entries()) {
      if (isDeclaration) this.#declare(depth, prefix === '' ? '' : name, values[at]!.trim())
    }
    for (const [at, { prefix, isDeclaration }] of names.entries()) {
      if (prefix !== '' && !isDeclaration) this.#assertNotTwice(names, at, this.#uri(prefix))
    }
  }

  /** Refuses an element whose prefix is not declared. */
  check(shape: Shape): void {
    if (shape.boundIn === this.#state) return
    this.#uri(shape.prefix)
    shape.boundIn = this.#state
  }

  /** Undoes the declarations of an element at that depth when the element ends. */
  close(depth: number): void {
    while (this.#declared.length > 0 && this.#declared[this.#declared.length - 1]!.depth === depth) {
      const { prefix, outer } = this.#declared.pop()!
      if (outer === undefined) this.#bound.delete(prefix)
      else this.#bound.set(prefix, outer)
      this.#state = ++states
    }
  }

  /** Refuses an attribute that occurs twice, with two prefixes of one namespace. */
  #assertNotTwice(names: readonly AttributeName[], at: number, uri: string): void {
    const { name, written } = names[at]!
    for (let before = 0; before < at; before++) {
      const other = names[before]!
      if (other.name !== name || other.prefix === '' || other.isDeclaration) continue
      if (this.#bound.get(other.prefix) === uri) this.#fail(`duplicate attribute ${written}`)
    }
  }

  /**
   * @param prefix empty for the default namespace. Its declaration may be empty, and is not stored, since our names are
   * local
   */
  #declare(depth: number, prefix: string, uri: string): void {
    const isReserved = uri === DECLARATIONS_NAMESPACE || (prefix === 'xml') !== (uri === XML_NAMESPACE)
    if (isReserved || prefix === 'xmlns' || (prefix !== '' && uri === '')) {
      this.#fail(`xmlns${prefix && ':'}${prefix} may not be "${uri}"`)
    }
    if (prefix === '') return
    this.#declared.push({ depth, prefix, outer: this.#bound.get(prefix) })
    this.#bound.set(prefix, uri)
    this.#state = ++states
  }

  #uri(prefix: string): string {
    return this.#bound.get(prefix) ?? this.#fail(`unbound prefix ${prefix}`)
  }
}
