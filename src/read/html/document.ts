/** The events of a document, tag by tag, become blocks: paragraphs, tables, lines, ends of pages. */
import { namedImage, safeAddress } from './address.ts'
import type { Block, Item } from './block.ts'
import { decoded } from './characters.ts'
import type { ElementKind } from './elements.ts'
import { Flow } from './flow.ts'
import type { Limits } from './limits.ts'
import { type Open, openElements } from './open-elements.ts'
import { openTables } from './open-tables.ts'
import type { Look, Style } from './style.ts'
import { HIDDEN, openStyles } from './styles.ts'
import { shownIn } from './symbols.ts'
import type { Attributes, Handler } from './tokens.ts'

export interface DocumentReader extends Handler {
  /** Ends what stands open. @returns blocks in order */
  end(): Block[]
  problems: { place: string; reason: string }[]
  /** Names of anchors to which links of the document led so far. */
  linked: ReadonlySet<string>
}

/** Links that lead to places of the document; a table of contents has a few hundred. */
const LINKED_MAX = 20_000
/** Points of room before a piece of a line that are seen as a blank. */
const GAP_MIN = 2

/** @param write takes blocks away when too many wait */
export function openDocument(limits: Limits, write: (blocks: Block[]) => void): DocumentReader {
  const styles = openStyles(limits)
  const elements = openElements(styles, leave)
  const { stack } = elements
  const tables = openTables(limits, write, problem)
  const flow = new Flow()
  const problems: DocumentReader['problems'] = []
  const linked = new Set<string>()
  /** Elements open that are not in the stack, since it was full. */
  let beyond = 0
  let lists = 0
  let item: Item | null = null
  let level = 0
  /** Whether what was read last floats beside the block that begins next: a sign of a list, the number of a note. */
  let floats = false

  const reader: DocumentReader = { at: 0, open, close, text, end, problems, linked }
  return reader

  function problem(reason: string): void {
    if (problems.length < limits.problems && !problems.some((known) => known.reason === reason)) {
      problems.push({ place: `character ${reader.at}`, reason })
    }
  }

  function open(kind: ElementKind, attributes: Attributes, selfClosing: boolean): void {
    if (kind.ends !== 0) elements.endFor(kind)
    const own = styles.own(kind, attributes)
    let look = styles.look(elements.look, kind, attributes, own)
    const { role } = kind
    const shown = !look.hidden && role !== 'hidden' && role !== 'sheet'
    const block = isBlock(kind, own)
    // Old documents leave hundreds of `<font>` open.
    while (block && !kind.empty && stack.length >= limits.depth && stack.at(-1)!.kind.role === 'inline') elements.pop()
    const tooDeep = stack.length >= limits.depth
    if (shown) {
      if (block && floats && kind.role === 'block') floats = false
      else if (block) flush()
      else if (own?.left !== undefined && own.left >= GAP_MIN) flow.gap()
      if (own?.pageBefore) page()
      if (!tooDeep || kind.empty) begin(kind, attributes, look)
    }
    if (kind.empty) {
      if (shown && own?.pageAfter) page()
      return
    }
    if (tooDeep) {
      if (!selfClosing) beyond++
      problem(`elements are nested deeper than ${limits.depth}`)
      return
    }
    if (selfClosing) {
      if (shown) leave({ kind, look, own, block, next: 0 })
      return
    }
    if (!shown && !look.hidden) look = styles.inside(look, HIDDEN)
    elements.push({ kind, look, own, block, next: role === 'list' ? startOf(kind, attributes) : 0 })
  }

  /** What an element does where it begins. */
  function begin(kind: ElementKind, attributes: Attributes, look: Look): void {
    const { id, name, href } = attributes
    if (id !== undefined) flow.anchor(id)
    if (kind.level > 0) level = kind.level
    switch (kind.role) {
      case 'link':
        if (name !== undefined) flow.anchor(name)
        if (href !== undefined) follow(safeAddress(href))
        return
      case 'break':
        if (flow.lineBreak()) flush()
        return
      case 'page':
      case 'rule':
        page()
        return
      case 'image':
        image(attributes, look)
        return
      case 'input':
        input(attributes, look)
        return
      case 'list':
        lists++
        return
      case 'item':
        item = { depth: Math.max(lists - 1, 0), marker: markerOf(attributes) }
        return
      case 'table':
        tables.begin()
        return
      case 'row':
        tables.row()
        return
      case 'cell':
        tables.cell(attributes.colspan, attributes.rowspan)
    }
  }

  function follow(address: string | null): void {
    flow.link(address)
    if (address?.startsWith('#') && linked.size < LINKED_MAX) linked.add(address.slice(1))
  }

  function markerOf({ value }: Attributes): string {
    const list = stack.findLast(({ kind }) => kind.role === 'list')
    if (list === undefined || list.next === 0) return '-'
    if (value !== undefined && NUMBER.test(value)) list.next = Number(value)
    return `${list.next++}.`
  }

  function image({ src = '', alt = '', width, height }: Attributes, look: Look): void {
    // A picture of one point holds other things apart.
    if (look.invisible || Number.parseInt(width ?? '', 10) <= 2 || Number.parseInt(height ?? '', 10) <= 2) return
    flow.image(namedImage(src, alt), look)
  }

  function input({ type = 'text', checked, value = '' }: Attributes, look: Look): void {
    const kind = type.toLowerCase()
    if (kind === 'checkbox' || kind === 'radio') flow.append(checked === undefined ? ' ☐ ' : ' ☒ ', look)
    else if (kind === 'text') flow.append(` ${value} `, look)
  }

  function text(raw: string): void {
    const { look } = elements
    // How large text is, it says itself: `font-size:0` of a cell is not that of a paragraph in it that has its own.
    if (look.hidden || look.invisible || look.size <= 0) {
      if (stack.at(-1)?.kind.role === 'sheet') styles.sheet.read(raw)
      return
    }
    if (!look.pre && raw.length === 1 && raw.charCodeAt(0) <= 32) {
      flow.gap()
      return
    }
    flow.append(look.symbols === null ? decoded(raw) : shownIn(look.symbols, decoded(raw)), look)
    if (flow.length > limits.paragraph) {
      problem(`a paragraph is longer than ${limits.paragraph} characters; it is written in parts`)
      flush()
    }
  }

  /** Ends the paragraph. */
  function flush(): void {
    floats = false
    if (elements.look.pre) {
      const lines = flow.takeLines()
      if (/\S/.test(lines)) tables.push({ kind: 'fence', text: lines })
      return
    }
    const found = flow.take(level, item)
    if (found === null) return
    tables.push(found)
    if (item !== null && item.marker !== '') item = { ...item, marker: '' }
  }

  function page(): void {
    if (!tables.collecting()) tables.push({ kind: 'page' })
  }

  function close(kind: ElementKind): void {
    if (kind.empty) {
      // Browsers read `</br>` as `<br>`.
      if (kind.role === 'break' && !elements.look.hidden && flow.lineBreak()) flush()
    } else if (beyond > 0) {
      beyond--
      if (kind.role !== 'inline' && !elements.look.hidden) flush()
    } else if (!elements.close(kind) && kind.name === 'p' && !elements.look.hidden) flush()
  }

  /** What an element does where it ends. */
  function leave({ kind, look, own, block }: Open): void {
    if (kind.role === 'sheet') styles.sheet.end()
    if (look.hidden) return
    if (block && own?.floats && flow.isPointer) {
      flow.gap()
      floats = true
    } else if (block) flush()
    if (kind.level > 0) level = 0
    switch (kind.role) {
      case 'link':
        flow.link(null)
        break
      case 'list':
        lists = Math.max(lists - 1, 0)
        item = null
        break
      case 'item':
        item = null
        break
      case 'cell':
        flow.link(null)
        item = null
        tables.endCell()
        break
      case 'table':
        tables.end()
    }
    if (own?.pageAfter) page()
  }

  function end(): Block[] {
    while (stack.length > 0) elements.pop()
    flush()
    tables.endAll()
    return tables.root
  }
}

const NUMBER = /^\d{1,9}$/

/** Whether an element begins a line of its own. */
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

/** The number of a list's first item; 0 for what is no numbered list. */
function startOf({ name }: ElementKind, { start }: Attributes): number {
  if (name !== 'ol') return 0
  return start !== undefined && NUMBER.test(start) ? Number(start) : 1
}
