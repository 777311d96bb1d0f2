/** The elements that stand open, one in the other, and which of them end where tags say so or leave it out. */
import { type ElementKind, KINDS_MAX } from './elements.ts'
import type { Look, Style } from './style.ts'
import { HIDDEN, type Styles } from './styles.ts'

/** An element that stands open. */
export interface Open {
  kind: ElementKind
  look: Look
  /** What it says of itself. */
  own: Style | null
  /** Whether it begins a line. */
  block: boolean
  /** Number of a list's next item; 0 for a list of bullets. */
  next: number
}

export interface OpenElements {
  /** From the outermost. */
  readonly stack: readonly Open[]
  /** Style of the innermost element. */
  look: Look
  push(open: Open): void
  /** Ends the innermost. */
  pop(): void
  /** Ends the elements that cannot stand open where one of this kind begins. */
  endFor(kind: ElementKind): void
  /** What an end tag ends. @returns whether there was anything */
  close(kind: ElementKind): boolean
}

/** Elements counted by their bit. */
const BITS = 16

/** @param leave what an element does where it ends, called while `look` still is its own */
export function openElements({ root, inside }: Styles, leave: (open: Open) => void): OpenElements {
  const stack: Open[] = []
  /** How many of each kind stand open, so that an end tag of none costs nothing. */
  const counts = new Uint32Array(KINDS_MAX + 1)
  const bitCounts = new Uint32Array(BITS)
  /** Bits of all that stand open. */
  let bits = 0
  const elements: OpenElements = { stack, look: root, push, pop, endFor, close }
  return elements

  function count({ index, bit }: ElementKind, by: 1 | -1): void {
    counts[index]! += by
    if (bit === 0) return
    const at = 31 - Math.clz32(bit)
    bitCounts[at]! += by
    bits = bitCounts[at] === 0 ? bits & ~bit : bits | bit
  }

  function push(open: Open): void {
    stack.push(open)
    count(open.kind, 1)
    elements.look = open.look
  }

  function pop(): void {
    const open = stack.pop()!
    count(open.kind, -1)
    leave(open)
    elements.look = stack.at(-1)?.look ?? root
  }

  function endFor({ ends, within }: ElementKind): void {
    if ((bits & ends) === 0) return
    let end = stack.length
    for (let at = stack.length - 1; at >= 0; at--) {
      const { bit } = stack[at]!.kind
      if ((bit & within) !== 0) break
      if ((bit & ends) !== 0) end = at
    }
    while (stack.length > end) pop()
  }

  function close(kind: ElementKind): boolean {
    if (counts[kind.index] === 0) return false
    const ofTable = kind.role === 'row' || kind.role === 'group' || kind.role === 'table' || kind.role === 'cell'
    let crossed = false
    for (let at = stack.length - 1; at >= 0; at--) {
      const open = stack[at]!
      if (open.kind === kind || open.kind.name === kind.name) {
        if (crossed && (kind.role === 'inline' || kind.role === 'link')) takeOut(at)
        else while (stack.length > at) pop()
        return true
      }
      // What is ended in a cell or a table was begun there.
      if (open.kind.role === 'table' || (open.kind.role === 'cell' && !ofTable)) return false
      crossed ||= open.block
    }
    return false
  }

  /** Ends an element that others, which stay open, overlap: `<b><p>…</b>…</p>`. */
  function takeOut(at: number): void {
    const [gone] = stack.splice(at, 1)
    count(gone!.kind, -1)
    leave(gone!)
    let look = stack[at - 1]?.look ?? root
    for (const open of stack.slice(at)) {
      const hid = open.look.hidden
      look = inside(inside(look, open.kind.style), open.own)
      if (hid && !look.hidden) look = inside(look, HIDDEN)
      open.look = look
    }
    elements.look = look
  }
}
