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

/** Elements counted by their bit. */
const BITS = 16

/**
 * The elements of a document that stand open. Its state is their stack, with the look of the innermost, and how many of
 * each kind stand in it, so that a tag that ends nothing costs nothing. `push`, `pop`, `endFor` and `close` change it.
 */
export class OpenElements {
  readonly #styles: Pick<Styles, 'root' | 'inside'>
  readonly #leave: (open: Open) => void
  readonly #stack: Open[] = []
  #look: Look
  readonly #counts = new Uint32Array(KINDS_MAX + 1)
  readonly #bitCounts = new Uint32Array(BITS)
  /** Bits of all that stand open. */
  #bits = 0

  /** @param leave what an element does where it ends, called while `look` still is its own */
  constructor(styles: Pick<Styles, 'root' | 'inside'>, leave: (open: Open) => void) {
    this.#styles = styles
    this.#leave = leave
    this.#look = styles.root
  }

  /** From the outermost. */
  get stack(): readonly Open[] {
    return this.#stack
  }

  /** Style of the innermost element. */
  get look(): Look {
    return this.#look
  }

  push(open: Open): void {
    this.#stack.push(open)
    this.#count(open.kind, 1)
    this.#look = open.look
  }

  /** Ends the innermost. */
  pop(): void {
    const open = this.#stack.pop()!
    this.#count(open.kind, -1)
    this.#leave(open)
    this.#look = this.#stack.at(-1)?.look ?? this.#styles.root
  }

  /** Ends the elements that cannot stand open where one of this kind begins. */
  endFor({ ends, within }: ElementKind): void {
    if ((this.#bits & ends) === 0) return
    const stack = this.#stack
    let end = stack.length
    for (let at = stack.length - 1; at >= 0; at--) {
      const { bit } = stack[at]!.kind
      if ((bit & within) !== 0) break
      if ((bit & ends) !== 0) end = at
    }
    while (stack.length > end) this.pop()
  }

  /** What an end tag ends. @returns whether there was anything */
  close(kind: ElementKind): boolean {
    if (this.#counts[kind.index] === 0) return false
    const stack = this.#stack
    const ofTable = kind.role === 'row' || kind.role === 'group' || kind.role === 'table' || kind.role === 'cell'
    let crossed = false
    for (let at = stack.length - 1; at >= 0; at--) {
      const open = stack[at]!
      if (open.kind === kind || open.kind.name === kind.name) {
        if (crossed && (kind.role === 'inline' || kind.role === 'link')) this.#takeOut(at)
        else while (stack.length > at) this.pop()
        return true
      }
      // What is ended in a cell or a table was begun there.
      if (open.kind.role === 'table' || (open.kind.role === 'cell' && !ofTable)) return false
      crossed ||= open.block
    }
    return false
  }

  /** Ends an element that others, which stay open, overlap: `<b><p>…</b>…</p>`. */
  #takeOut(at: number): void {
    const [gone] = this.#stack.splice(at, 1)
    this.#count(gone!.kind, -1)
    this.#leave(gone!)
    const { root, inside } = this.#styles
    let look = this.#stack[at - 1]?.look ?? root
    for (const open of this.#stack.slice(at)) {
      const hid = open.look.hidden
      look = inside(inside(look, open.kind.style), open.own)
      if (hid && !look.hidden) look = inside(look, HIDDEN)
      open.look = look
    }
    this.#look = look
  }

  #count({ index, bit }: ElementKind, by: 1 | -1): void {
    this.#counts[index]! += by
    if (bit === 0) return
    const at = 31 - Math.clz32(bit)
    this.#bitCounts[at]! += by
    this.#bits = this.#bitCounts[at] === 0 ? this.#bits & ~bit : this.#bits | bit
  }
}
