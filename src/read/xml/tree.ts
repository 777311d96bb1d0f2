/** Defines the nodes of a document, and answers the queries of parsers. */
import { known, type Layout, type Shape } from './shapes.ts'

const SCHEMA_ATTRIBUTES = new Set(['schemaLocation', 'noNamespaceSchemaLocation', 'nil'])

/**
 * Whether an attribute belongs to the schema instance namespace, and therefore not to the form. Its prefix may be any.
 */
export const isOfSchema = (prefix: string, name: string): boolean => prefix !== '' && SCHEMA_ATTRIBUTES.has(name)

/** The attributes of an element. */
export class Attributes {
  readonly layout: Layout
  readonly texts: readonly string[]
  /** For each attribute, whether it was read; or one flag for all attributes. */
  #read: boolean[] | boolean = false

  constructor(layout: Layout, texts: readonly string[]) {
    this.layout = layout
    this.texts = texts
  }

  /** Local names of the attributes that are neither read nor blank. */
  unread(): string[] {
    const found: string[] = []
    if (this.#read === true) return found
    for (let at = 0; at < this.texts.length; at++) {
      const isRead = this.#read !== false && this.#read[at]
      if (!isRead && this.texts[at]!.trim() !== '') found.push(this.layout.names[at]!.name)
    }
    return found
  }

  /** Whether the form states nothing in these attributes. */
  isBlank(): boolean {
    return this.texts.every((text, at) => {
      const { prefix, name } = this.layout.names[at]!
      return isOfSchema(prefix, name) || text.trim() === ''
    })
  }

  markRead(at: number): void {
    if (this.#read === true) return
    if (this.#read === false) this.#read = this.texts.map(() => false)
    this.#read[at] = true
  }

  markAllRead(): void {
    this.#read = true
  }
}

export class Node {
  readonly shape: Shape
  readonly attributes: Attributes | null
  text = ''
  read = false
  first: Node | null = null
  next: Node | null = null
  constructor(shape: Shape, attributes: Attributes | null) {
    this.shape = shape
    this.attributes = attributes
  }
}

/** A relative path, parsed once: parsers use the same few hundred paths again and again. */
export interface Path {
  readonly steps: readonly string[]
  /** The attribute, if the last part of the path is `@name`. */
  readonly attribute: string | null
}

const paths = new Map<string, Path>()

/** @param text must come from a parser's own code and never from a document, because the result is cached */
export function pathOf(text: string): Path {
  const met = paths.get(text)
  if (met) return met
  const steps = text.split('/').map(known)
  const attribute = steps.at(-1)!.startsWith('@') ? known(steps.pop()!.slice(1)) : null
  const path = { steps, attribute }
  paths.set(text, path)
  return path
}

/** Returns every node at the path, in document order. */
export function find(node: Node, path: Path): readonly Node[] {
  const found = lookUp(node, path)
  if (found === null) return NONE
  return found instanceof Node ? [found] : found
}

/** One shared empty list for absent nodes, since this is the most common answer. */
const NONE: readonly Node[] = []

/** Returns the only node at the path, null if there is none, or the number of nodes if there are several. */
export function single(node: Node, path: Path): Node | number | null {
  const found = lookUp(node, path)
  return found === null || found instanceof Node ? found : found.length
}

/** Returns the only node at the path, null if there is none, or all nodes if there are several. */
function lookUp(node: Node, path: Path): Node | Node[] | null {
  let at = node
  for (const name of path.steps) {
    let only: Node | null = null
    for (let child = at.first; child !== null; child = child.next) {
      if (child.shape.name !== name) continue
      // A rare case: several children have this name, but the whole path may still lead to one element.
      if (only !== null) {
        const all = collect(node, path, 0, [])
        return all.length > 1 ? all : (all[0] ?? null)
      }
      only = child
    }
    if (only === null) return null
    at = only
  }
  return at
}

function collect(node: Node, path: Path, step: number, found: Node[]): Node[] {
  const { steps } = path
  if (step === steps.length) found.push(node)
  else {
    const name = steps[step]!
    for (let child = node.first; child !== null; child = child.next) {
      if (child.shape.name === name) collect(child, path, step + 1, found)
    }
  }
  return found
}

const numberings = new WeakMap<readonly string[], ReadonlyMap<string, number>>()

/** Returns the index of each name in a list of names, computed once for each list. */
function numbering(names: readonly string[]): ReadonlyMap<string, number> {
  const made = numberings.get(names)
  if (made) return made
  const numbers = new Map(names.map((name, at) => [known(name), at]))
  numberings.set(names, numbers)
  return numbers
}

/**
 * Returns for each name the only child that has the name, or null. If several children share one of these names, the
 * function returns null instead of the list.
 */
export function singles(node: Node, names: readonly string[]): (Node | null)[] | null {
  const numbers = numbering(names)
  const found = names.map((): Node | null => null)
  for (let child = node.first; child !== null; child = child.next) {
    const at = numbers.get(child.shape.name)
    if (at === undefined) continue
    if (found[at] !== null) return null
    found[at] = child
  }
  return found
}

export function read(node: Node, attribute: string | null): string | null {
  if (attribute === null) {
    node.read = true
    return node.text === '' ? null : node.text.trim() || null
  }
  if (node.attributes === null) return null
  const { layout, texts } = node.attributes
  const { names } = layout
  for (let at = 0; at < names.length; at++) {
    if (names[at]!.name !== attribute) continue
    node.attributes.markRead(at)
    return texts[at]!.trim() || null
  }
  return null
}

/**
 * Returns every attribute that is not blank, by local name; if two prefixes share a name, the first. Null if there is
 * none.
 */
export function readAll({ attributes }: Node): Record<string, string> | null {
  if (attributes === null) return null
  attributes.markAllRead()
  const { names, hasPrefixes } = attributes.layout
  let found: Record<string, string> | null = null
  for (let at = 0; at < names.length; at++) {
    const text = attributes.texts[at]!.trim()
    if (text === '') continue
    found ??= {}
    const { name } = names[at]!
    // If no attribute has a prefix, two attributes cannot share a name: checking this would take a third of the time of
    // this function.
    if (!hasPrefixes || !Object.hasOwn(found, name)) found[name] = text
  }
  return found
}

/** Returns the local names of the child elements, each as often as it occurs. */
export function childNames(node: Node): string[] {
  const names: string[] = []
  for (let child = node.first; child !== null; child = child.next) names.push(child.shape.name)
  return names
}

/** Whether neither the element nor any element in it has a text or an attribute that is not blank. */
export function isBlank(node: Node): boolean {
  if (node.text.trim() !== '' || node.attributes?.isBlank() === false) return false
  for (let child = node.first; child !== null; child = child.next) if (!isBlank(child)) return false
  return true
}

export function ignore(node: Node): void {
  node.read = true
  node.attributes?.markAllRead()
  for (let child = node.first; child !== null; child = child.next) ignore(child)
}

/** Maximum number of paths that are distinguished; the real document with the most paths has 185. */
const UNREAD_MAX = 10_000

export function unread(node: Node, paths: Set<string>): void {
  if (paths.size >= UNREAD_MAX) return
  const { path } = node.shape
  if (!node.read && node.text.trim() !== '') paths.add(path)
  if (node.attributes !== null) {
    for (const name of node.attributes.unread()) paths.add(`${path}/@${name}`)
  }
  for (let child = node.first; child !== null; child = child.next) unread(child, paths)
}
