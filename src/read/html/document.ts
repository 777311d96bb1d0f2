/** Converts a document's tags and texts to blocks: paragraphs, tables, preformatted texts and page ends. */
import { namedImage, safeAddress } from './address.ts'
import type { Block, Item } from './block.ts'
import { decoded } from './characters.ts'
import type { ElementKind } from './elements.ts'
import { Flow } from './flow.ts'
import type { Limits } from './limits.ts'
import { type Open, OpenElements } from './open-elements.ts'
import { OpenTables } from './open-tables.ts'
import type { ComputedStyle, Style } from './style.ts'
import { HIDDEN, openStyles, type Styles } from './styles.ts'
import { shownIn } from './symbols.ts'
import type { Attributes, Handler } from './tokens.ts'

/** Maximum number of link targets within a document that are remembered; a table of contents has a few hundred. */
const LINKED_MAX = 20_000
/** Smallest gap before a piece of a line, in points, that readers see as a blank. */
const GAP_MIN = 2

/**
 * Reads one document. The state of this class has three parts: the open elements (`#elements`, and `#beyond` for
 * elements that are nested too deep), the paragraph and tables in progress (`#flow`, `#tables`), and the position in
 * lists, headings and floats. Only `open`, `close` and `text`, which receive tags and texts, change the state. `end`
 * finishes the document.
 */
export class DocumentReader implements Handler {
  at = 0
  readonly problems: { place: string; reason: string }[] = []
  readonly #limits: Limits
  readonly #styles: Styles
  readonly #elements: OpenElements
  readonly #tables: OpenTables
  readonly #flow = new Flow()
  readonly #linked = new Set<string>()
  /** Number of open elements that are not on the stack because the stack was full. */
  #beyond = 0
  /** Number of open lists. */
  #lists = 0
  /** The list item that the next paragraph begins. */
  #item: Item | null = null
  /** Level of the open heading; 0 outside a heading. */
  #level = 0
  /** Whether the last text (a bullet, the number of a note) floats next to the block that follows. */
  #floats = false

  /** @param write receives blocks when too many are waiting */
  constructor(limits: Limits, write: (blocks: Block[]) => void) {
    this.#limits = limits
    this.#styles = openStyles(limits)
    this.#elements = new OpenElements(this.#styles, (open) => this.#leave(open))
    this.#tables = new OpenTables(limits, write, (reason) => this.#problem(reason))
  }

  /** Names of anchors that links of the document have used so far. */
  get linked(): ReadonlySet<string> {
    return this.#linked
  }

  open(kind: ElementKind, attributes: Attributes, selfClosing: boolean): void {
    const elements = this.#elements
    if (kind.ends !== 0) elements.endFor(kind)
    const own = this.#styles.own(kind, attributes)
    const computed = this.#styles.computed(elements.computed, kind, attributes, own)
    const shown = !computed.hidden && kind.role !== 'hidden' && kind.role !== 'sheet'
    const block = isBlock(kind, own)
    if (block && !kind.empty) this.#makeRoom()
    const tooDeep = elements.stack.length >= this.#limits.depth
    if (shown) {
      this.#separate(kind, own, block)
      if (!tooDeep || kind.empty) this.#begin(kind, attributes, computed)
    }
    if (kind.empty) {
      if (shown && own?.pageAfter) this.#page()
    } else if (tooDeep) {
      if (!selfClosing) this.#beyond++
      this.#problem(`elements are nested deeper than ${this.#limits.depth}`)
    } else if (selfClosing) {
      if (shown) this.#leave({ kind, computed, own, block, next: 0 })
    } else {
      const inner = shown || computed.hidden ? computed : this.#styles.inside(computed, HIDDEN)
      elements.push({ kind, computed: inner, own, block, next: kind.role === 'list' ? startOf(kind, attributes) : 0 })
    }
  }

  close(kind: ElementKind): void {
    const elements = this.#elements
    if (kind.empty) {
      // Browsers read `</br>` as `<br>`.
      if (kind.role === 'break' && !elements.computed.hidden && this.#flow.lineBreak()) this.#flush()
    } else if (this.#beyond > 0) {
      this.#beyond--
      if (kind.role !== 'inline' && !elements.computed.hidden) this.#flush()
    } else if (!elements.close(kind) && kind.name === 'p' && !elements.computed.hidden) this.#flush()
  }

  text(raw: string): void {
    const { computed } = this.#elements
    // Only the innermost font size counts: `font-size:0` of a cell does not hide a paragraph in the cell that sets its
    // own size.
    if (computed.hidden || computed.invisible || computed.size <= 0) {
      if (this.#elements.stack.at(-1)?.kind.role === 'sheet') this.#styles.sheet.read(raw)
      return
    }
    const flow = this.#flow
    if (!computed.pre && raw.length === 1 && raw.charCodeAt(0) <= 32) {
      flow.gap()
      return
    }
    flow.append(computed.symbols === null ? decoded(raw) : shownIn(computed.symbols, decoded(raw)), computed)
    const { paragraph } = this.#limits
    if (flow.length > paragraph) {
      this.#problem(`a paragraph is longer than ${paragraph} characters; it is written in parts`)
      this.#flush()
    }
  }

  /** Closes all open elements. @returns blocks in order */
  end(): Block[] {
    while (this.#elements.stack.length > 0) this.#elements.pop()
    this.#flush()
    this.#tables.endAll()
    return this.#tables.root
  }

  #problem(reason: string): void {
    const { problems } = this
    if (problems.length < this.#limits.problems && !problems.some((known) => known.reason === reason)) {
      problems.push({ place: `character ${this.at}`, reason })
    }
  }

  /** Closes inline elements when the stack is full: old documents leave hundreds of `<font>` open. */
  #makeRoom(): void {
    const { stack } = this.#elements
    while (stack.length >= this.#limits.depth && stack.at(-1)!.kind.role === 'inline') this.#elements.pop()
  }

  /** Separates an element from the text before it, by a new line, a new page, or a gap. */
  #separate(kind: ElementKind, own: Style | null, block: boolean): void {
    if (block && this.#floats && kind.role === 'block') this.#floats = false
    else if (block) this.#flush()
    else if (own?.left !== undefined && own.left >= GAP_MIN) this.#flow.gap()
    if (own?.pageBefore) this.#page()
  }

  /** Handles the start of an element. */
  #begin(kind: ElementKind, attributes: Attributes, computed: ComputedStyle): void {
    const { id, name, href } = attributes
    if (id !== undefined) this.#flow.anchor(id)
    if (kind.level > 0) this.#level = kind.level
    switch (kind.role) {
      case 'link':
        if (name !== undefined) this.#flow.anchor(name)
        if (href !== undefined) this.#follow(safeAddress(href))
        return
      case 'break':
        if (this.#flow.lineBreak()) this.#flush()
        return
      case 'page':
      case 'rule':
        this.#page()
        return
      case 'image':
        this.#image(attributes, computed)
        return
      case 'input':
        this.#input(attributes, computed)
        return
      case 'list':
        this.#lists++
        return
      case 'item':
        this.#item = { depth: Math.max(this.#lists - 1, 0), marker: this.#markerOf(attributes) }
        return
      case 'table':
        this.#tables.begin()
        return
      case 'row':
        this.#tables.row()
        return
      case 'cell':
        this.#tables.cell(attributes.colspan, attributes.rowspan)
    }
  }

  #follow(address: string | null): void {
    this.#flow.link(address)
    if (address?.startsWith('#') && this.#linked.size < LINKED_MAX) this.#linked.add(address.slice(1))
  }

  #markerOf({ value }: Attributes): string {
    const list = this.#elements.stack.findLast(({ kind }) => kind.role === 'list')
    if (list === undefined || list.next === 0) return '-'
    if (value !== undefined && NUMBER.test(value)) list.next = Number(value)
    return `${list.next++}.`
  }

  #image({ src = '', alt = '', width, height }: Attributes, computed: ComputedStyle): void {
    // A picture that is at most two pixels wide or high is left out, since it only separates other things.
    if (computed.invisible || Number.parseInt(width ?? '', 10) <= 2 || Number.parseInt(height ?? '', 10) <= 2) return
    this.#flow.image(namedImage(src, alt), computed)
  }

  #input({ type = 'text', checked, value = '' }: Attributes, computed: ComputedStyle): void {
    const kind = type.toLowerCase()
    if (kind === 'checkbox' || kind === 'radio') this.#flow.append(checked === undefined ? ' ☐ ' : ' ☒ ', computed)
    else if (kind === 'text') this.#flow.append(` ${value} `, computed)
  }

  /** Ends the current paragraph. */
  #flush(): void {
    this.#floats = false
    if (this.#elements.computed.pre) {
      const lines = this.#flow.takeLines()
      if (/\S/.test(lines)) this.#tables.push({ kind: 'fence', text: lines })
      return
    }
    const item = this.#item
    const found = this.#flow.take(this.#level, item)
    if (found === null) return
    this.#tables.push(found)
    if (item !== null && item.marker !== '') this.#item = { ...item, marker: '' }
  }

  #page(): void {
    if (!this.#tables.collecting) this.#tables.push({ kind: 'page' })
  }

  /** Handles the end of an element. */
  #leave({ kind, computed, own, block }: Open): void {
    if (kind.role === 'sheet') this.#styles.sheet.end()
    if (computed.hidden) return
    if (block && own?.floats && this.#flow.isPointer) {
      this.#flow.gap()
      this.#floats = true
    } else if (block) this.#flush()
    else if (own?.box) this.#flow.gap()
    if (kind.level > 0) this.#level = 0
    switch (kind.role) {
      case 'link':
        this.#flow.link(null)
        break
      case 'list':
        this.#lists = Math.max(this.#lists - 1, 0)
        this.#item = null
        break
      case 'item':
        this.#item = null
        break
      case 'cell':
        this.#flow.link(null)
        this.#item = null
        this.#tables.endCell()
        break
      case 'table':
        this.#tables.end()
    }
    if (own?.pageAfter) this.#page()
  }
}

const NUMBER = /^\d{1,9}$/

/** Whether an element begins a new line. */
function isBlock({ role }: ElementKind, own: Style | null): boolean {
  switch (role) {
    case 'inline':
    case 'link':
      return own?.block === true
    case 'block':
    case 'item':
      return own?.block !== false
    case 'break':
    case 'image':
    case 'input':
      return false
    default:
      return true
  }
}

/** Returns the number of a list's first item; 0 if the list is not numbered. */
function startOf({ name }: ElementKind, { start }: Attributes): number {
  if (name !== 'ol') return 0
  return start !== undefined && NUMBER.test(start) ? Number(start) : 1
}
