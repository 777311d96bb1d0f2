/**
 * Tracks the open elements. An element is closed at its end tag, or at another tag that shows that the end tag is
 * missing.
 */
import { type ElementKind, KINDS_MAX } from './elements.ts'
import type { ComputedStyle, Style } from './style.ts'
import { HIDDEN, type Styles } from './styles.ts'

/** An open element. */
export interface Open {
  kind: ElementKind
  computed: ComputedStyle
  /** The element's own style. */
  own: Style | null
  /** Whether the element begins a line. */
  block: boolean
  /** Number of a list's next item; 0 for a list of bullets. */
  next: number
}

/** Number of bits in `ElementKind.bit`. For each bit, the open elements that have it are counted. */
const BITS = 16

/**
 * The open elements of a document. The state is the stack of these elements, the computed style of the innermost
 * element, and the number of open elements of each kind. If this number is 0, an end tag of the kind is ignored without
 * a search of the stack. `push`, `pop`, `endFor` and `close` change this state.
 */
export class OpenElements {
  readonly #styles: Pick<Styles, 'root' | 'inside'>
  readonly #leave: (open: Open) => void
  readonly #stack: Open[] = []
  #computed: ComputedStyle
  readonly #counts = new Uint32Array(KINDS_MAX + 1)
  readonly #bitCounts = new Uint32Array(BITS)
  /** Bits of all open elements. */
  #bits = 0

  /** @param leave handles the end of an element; it is called while `computed` is still the style of that element */
  constructor(styles: Pick<Styles, 'root' | 'inside'>, leave: (open: Open) => void) {
    this.#styles = styles
    this.#leave = leave
    this.#computed = styles.root
  }

  /** The open elements, the outermost first. */
  get stack(): readonly Open[] {
    return this.#stack
  }

  /** Style of the innermost element. */
  get computed(): ComputedStyle {
    return this.#computed
  }

  push(open: Open): void {
    this.#stack.push(open)
    this.#count(open.kind, 1)
    this.#computed = open.computed
  }

  /** Closes the innermost element. */
  pop(): void {
    const open = this.#stack.pop()!
    this.#count(open.kind, -1)
    this.#leave(open)
    this.#computed = this.#stack.at(-1)?.computed ?? this.#styles.root
  }

  /** Closes the elements that cannot stay open when an element of this kind begins. */
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

  /** Closes the elements that an end tag ends. @returns whether there were such elements */
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
      // An end tag closes nothing outside its table. Only an end tag of a part of the table closes anything outside its
      // cell.
      if (open.kind.role === 'table' || (open.kind.role === 'cell' && !ofTable)) return false
      crossed ||= open.block
    }
    return false
  }

  /** Closes an element that overlaps with others, which stay open: `<b><p>…</b>…</p>`. */
  #takeOut(at: number): void {
    const [gone] = this.#stack.splice(at, 1)
    this.#count(gone!.kind, -1)
    this.#leave(gone!)
    const { root, inside } = this.#styles
    let computed = this.#stack[at - 1]?.computed ?? root
    for (const open of this.#stack.slice(at)) {
      const hid = open.computed.hidden
      computed = inside(inside(computed, open.kind.style), open.own)
      if (hid && !computed.hidden) computed = inside(computed, HIDDEN)
      open.computed = computed
    }
    this.#computed = computed
  }

  #count({ index, bit }: ElementKind, by: 1 | -1): void {
    this.#counts[index]! += by
    if (bit === 0) return
    const at = 31 - Math.clz32(bit)
    this.#bitCounts[at]! += by
    this.#bits = this.#bitCounts[at] === 0 ? this.#bits & ~bit : this.#bits | bit
  }
}
