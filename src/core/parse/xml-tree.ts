/** The nodes behind an Element. */
import { cp1252 } from './encoding.ts'

/** What the elements at one path share, once per document: a node then costs no string but its text. */
export class Shape {
  readonly parent: Shape | null
  readonly prefix: string
  readonly name: string
  readonly path: string
  readonly children = new Map<string, Shape>()
  constructor(parent: Shape | null, prefix: string, name: string) {
    this.parent = parent
    this.prefix = prefix
    this.name = name
    this.path = parent === null ? '' : `${parent.path}/${name}`
  }
}

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

export function find(node: Node, path: string, found: Node[] = []): Node[] {
  const slash = path.indexOf('/')
  const name = slash < 0 ? path : path.slice(0, slash)
  for (let child = node.first; child !== null; child = child.next) {
    if (child.shape.name !== name) continue
    if (slash < 0) found.push(child)
    else find(child, path.slice(slash + 1), found)
  }
  return found
}

export function read(node: Node, attribute?: string): string | null {
  const holder = attribute === undefined ? node : node.attributes?.find(({ name }) => name === attribute)
  if (holder === undefined) return null
  holder.read = true
  return cp1252(holder.text).trim() || null
}

/** Every attribute that is not blank, by local name; the first where two prefixes share it. */
export function readAll(node: Node): Record<string, string> {
  const found: Record<string, string> = {}
  for (const attribute of node.attributes ?? []) {
    attribute.read = true
    const text = cp1252(attribute.text).trim()
    if (text !== '') found[attribute.name] ??= text
  }
  return found
}

export function ignore(node: Node): void {
  node.read = true
  for (const attribute of node.attributes ?? []) attribute.read = true
  for (let child = node.first; child !== null; child = child.next) ignore(child)
}

/** Paths that are told apart; the richest real document has 185. */
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
