/** The nodes of a document, and what parsers ask of them. */
import { known, type Shape } from './shapes.ts'

export interface Attribute {
  name: string
  text: string
  read: boolean
}

export class Node {
  readonly shape: Shape
  readonly attributes: readonly Attribute[] | null
  text = ''
  read = false
  first: Node | null = null
  next: Node | null = null
  constructor(shape: Shape, attributes: readonly Attribute[] | null) {
    this.shape = shape
    this.attributes = attributes
  }
}

/** A relative path, taken apart once: parsers ask for the same few hundred again and again. */
export interface Path {
  readonly steps: readonly string[]
  /** The attribute of a last step `@name`. */
  readonly attribute: string | null
}

const paths = new Map<string, Path>()

/** @param text comes from a parser's own code and never from a document, because the result is kept */
export function pathOf(text: string): Path {
  const met = paths.get(text)
  if (met) return met
  const steps = text.split('/').map(known)
  const attribute = steps.at(-1)!.startsWith('@') ? steps.pop()!.slice(1) : null
  const path = { steps, attribute }
  paths.set(text, path)
  return path
}

/** Every node there, in document order. */
export function find(node: Node, path: Path): readonly Node[] {
  const found = lookUp(node, path)
  if (found === null) return NONE
  return found instanceof Node ? [found] : found
}

/** One list for all that is not there, which is most of what parsers ask for. */
const NONE: readonly Node[] = []

/** The only node there, null for none, or the number of nodes when there are several. */
export function single(node: Node, path: Path): Node | number | null {
  const found = lookUp(node, path)
  return found === null || found instanceof Node ? found : found.length
}

/** The only node there, null for none, or all of several. */
function lookUp(node: Node, path: Path): Node | Node[] | null {
  let at = node
  for (const name of path.steps) {
    let only: Node | null = null
    for (let child = at.first; child !== null; child = child.next) {
      if (child.shape.name !== name) continue
      // Rare: although a step occurs twice, the path may still lead to one element.
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

export function read(node: Node, attribute: string | null): string | null {
  if (attribute === null) {
    node.read = true
    return node.text === '' ? null : node.text.trim() || null
  }
  if (node.attributes === null) return null
  for (const holder of node.attributes) {
    if (holder.name !== attribute) continue
    holder.read = true
    return holder.text.trim() || null
  }
  return null
}

/** Every attribute that is not blank, by local name; the first where two prefixes share it. */
export function readAll(node: Node): Record<string, string> {
  const found: Record<string, string> = {}
  for (const attribute of node.attributes ?? []) {
    attribute.read = true
    const text = attribute.text.trim()
    if (text !== '') found[attribute.name] ??= text
  }
  return found
}

/** Local names of the elements directly in this one, each as often as it occurs. */
export function childNames(node: Node): string[] {
  const names: string[] = []
  for (let child = node.first; child !== null; child = child.next) names.push(child.shape.name)
  return names
}

export function ignore(node: Node): void {
  node.read = true
  for (const attribute of node.attributes ?? []) attribute.read = true
  for (let child = node.first; child !== null; child = child.next) ignore(child)
}

/** Most paths that are told apart; the richest real document has 185. */
const UNREAD_MAX = 10_000

export function unread(node: Node, paths: Set<string>): void {
  if (paths.size >= UNREAD_MAX) return
  const { path } = node.shape
  if (!node.read && node.text.trim() !== '') paths.add(path)
  for (const { name, text, read } of node.attributes ?? []) {
    if (!read && text.trim() !== '') paths.add(`${path}/@${name}`)
  }
  for (let child = node.first; child !== null; child = child.next) unread(child, paths)
}
