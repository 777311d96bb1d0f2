/** The events of a document, tag by tag, become blocks: paragraphs, tables, lines, ends of pages. */
import { namedImage, safeAddress } from './address.ts'
import type { Block, Item } from './block.ts'
import { decoded } from './characters.ts'
import { type ElementKind, kindOf } from './elements.ts'
import { openFlow } from './flow.ts'
import type { Limits } from './limits.ts'
import { openSheet } from './sheet.ts'
import { type Look, openLooks, readStyle, type Style } from './style.ts'
import { type OpenTable, openCell, openRow, openTable } from './table.ts'
import { tableBlocks } from './tables.ts'
import type { Attributes, Handler } from './tokens.ts'

/** An element that stands open. */
interface Open {
  kind: ElementKind
  look: Look
  /** What it says of itself. */
  own: Style | null
  block: boolean
  pageAfter: boolean
  /** Of a list: the number of its next item; 0 for a list of bullets. */
  next: number
}

export interface DocumentReader extends Handler {
  /** Ends what stands open. @returns blocks in order */
  end(): Block[]
  problems: { place: string; reason: string }[]
}

/** @param write takes blocks away when too many wait */
export function openDocument(limits: Limits, write: (blocks: Block[]) => void): DocumentReader {
  const looks = openLooks(limits.styles)
  const sheet = openSheet(limits)
  const styles = new Map<string, Style | null>()
  const flow = openFlow()
  const stack: Open[] = []
  /** How many of each element stand open, so that an end tag of none costs nothing. */
  const opened = new Map<string, number>()
  const problems: DocumentReader['problems'] = []
  const tables: OpenTable[] = []
  const root: Block[] = []
  let sink = root
  let look = looks.root
  /** Elements open that are not in the stack, since it was full. */
  let beyond = 0
  let lists = 0
  let item: Item | null = null
  let level = 0

  const reader: DocumentReader = { at: 0, open, close, text, end, problems }
  return reader

  function problem(reason: string): void {
    if (problems.length < limits.problems && !problems.some((known) => known.reason === reason)) {
      problems.push({ place: `character ${reader.at}`, reason })
    }
  }

  function styleOf(attributes: Attributes, name: string): Style | null {
    const { style, align, size, hidden } = attributes
    let own: Style | null = null
    if (style !== undefined) {
      const known = styles.get(style)
      if (known !== undefined) own = known
      else {
        own = readStyle(style)
        if (styles.size < limits.styles) styles.set(style, own)
      }
    }
    if (align === undefined && size === undefined && hidden === undefined && sheet.empty) return own
    return sheet.merged(name, attributes, own)
  }

  function open(name: string, attributes: Attributes, selfClosing: boolean): void {
    const kind = kindOf(name)
    if (kind.ends !== null) endOthers(kind)
    const own = styleOf(attributes, name)
    let inner = looks.inside(look, kind.style)
    inner = looks.inside(inner, own)
    const { role } = kind
    const shown = !inner.hidden && role !== 'hidden' && role !== 'sheet'
    const block = isBlock(kind, own)
    if (shown) {
      if (block) flush()
      else if (own?.left !== undefined && own.left >= 2) flow.gap()
      if (own?.pageBefore) page()
      begin(kind, attributes, inner)
    }
    if (kind.empty || selfClosing) {
      if (shown && own?.pageAfter) page()
      if (selfClosing && !kind.empty && shown) leave({ kind, look: inner, own, block, pageAfter: false, next: 0 })
      return
    }
    // Old documents leave hundreds of `<font>` open.
    while (block && stack.length >= limits.depth && stack.at(-1)!.kind.role === 'inline') leaveTop()
    if (stack.length >= limits.depth) {
      beyond++
      problem(`elements are nested deeper than ${limits.depth}`)
      return
    }
    if (!shown && !inner.hidden) inner = looks.inside(inner, HIDDEN)
    stack.push({ kind, look: inner, own, block, pageAfter: own?.pageAfter === true, next: startOf(kind, attributes) })
    opened.set(kind.name, (opened.get(kind.name) ?? 0) + 1)
    look = inner
  }

  /** What an element does where it begins. */
  function begin(kind: ElementKind, attributes: Attributes, inner: Look): void {
    const { id, name, href } = attributes
    if (id) flow.anchor(id)
    if (kind.level > 0) level = kind.level
    switch (kind.role) {
      case 'link':
        if (name) flow.anchor(name)
        if (href !== undefined) flow.link(safeAddress(href))
        return
      case 'break':
        if (flow.lineBreak()) flush()
        return
      case 'page':
        flush()
        page()
        return
      case 'image':
        image(attributes, inner)
        return
      case 'input':
        input(attributes, inner)
        return
      case 'list':
        lists++
        return
      case 'item':
        item = { depth: Math.max(lists - 1, 0), marker: markerOf(attributes) }
        return
      case 'table':
        tables.push(openTable(sink))
        return
      case 'row':
        if (tables.length > 0) openRow(tables.at(-1)!)
        return
      case 'cell':
        beginCell(attributes)
    }
  }

  function markerOf({ value }: Attributes): string {
    for (let at = stack.length - 1; at >= 0; at--) {
      const list = stack[at]!
      if (list.kind.role !== 'list') continue
      if (list.next === 0) return '-'
      if (value !== undefined && /^\d{1,9}$/.test(value)) list.next = Number(value)
      return `${list.next++}.`
    }
    return '-'
  }

  function image({ src = '', alt = '', width, height }: Attributes, inner: Look): void {
    // A picture of one point holds other things apart.
    if (Number.parseInt(width ?? '', 10) <= 2 || Number.parseInt(height ?? '', 10) <= 2) return
    flow.image(namedImage(src, alt), inner)
  }

  function input({ type = 'text', checked, value = '' }: Attributes, inner: Look): void {
    const kind = type.toLowerCase()
    if (kind === 'checkbox' || kind === 'radio') flow.append(checked === undefined ? ' ☐ ' : ' ☒ ', inner)
    else if (kind === 'text') flow.append(` ${value} `, inner)
  }

  function beginCell({ colspan, rowspan }: Attributes): void {
    const table = tables.at(-1)
    if (table === undefined) return
    if (table.cells.length >= limits.cells) {
      problem(`a table has more than ${limits.cells} cells; it is written in parts`)
      settle(table)
    }
    if (table.cell !== null) endCell()
    sink = openCell(table, colspan, rowspan, limits).blocks
  }

  function endCell(): void {
    const table = tables.at(-1)
    if (table?.cell == null) return
    const { cell } = table
    table.cell = null
    sink = table.sink
    flow.link(null)
    item = null
    if (table.layout) for (const each of cell.blocks) sink.push(each)
    else if (cell.blocks.length > 0) table.cells.push(cell)
  }

  /** Writes the cells that a table has so far. */
  function settle(table: OpenTable): void {
    for (const each of tableBlocks(table.cells)) table.sink.push(each)
    table.cells = []
  }

  function endTable(): void {
    endCell()
    const table = tables.pop()
    if (table === undefined) return
    settle(table)
    sink = table.sink
    spill()
  }

  function text(raw: string): void {
    const top = stack.at(-1)
    if (top?.kind.role === 'sheet') sheet.read(raw)
    if (look.hidden || look.invisible) return
    if (tables.length > 0 && tables.at(-1)!.cell === null && stack.length > 0 && !/\S/.test(raw)) return
    flow.append(decoded(raw), look)
    if (flow.length() > limits.paragraph) {
      problem(`a paragraph is longer than ${limits.paragraph} characters; it is written in parts`)
      flush()
    }
  }

  /** Ends the paragraph. */
  function flush(): void {
    if (look.pre) {
      const lines = flow.takeLines()
      if (/\S/.test(lines)) sink.push({ kind: 'fence', text: lines })
      return
    }
    const found = flow.take()
    if (found === null) return
    sink.push({ kind: 'paragraph', ...found, level, item })
    if (item !== null && item.marker !== '') item = { ...item, marker: '' }
    if (sink.length > limits.cellBlocks) spill()
  }

  /** What is too much for a cell is no table; what is too much to wait is written. */
  function spill(): void {
    for (let at = tables.length - 1; at >= 0; at--) {
      const table = tables[at]!
      const { cell } = table
      if (cell === null || cell.blocks.length <= limits.cellBlocks) continue
      settle(table)
      table.layout = true
      for (const each of cell.blocks.splice(0)) table.sink.push(each)
    }
    if (root.length >= limits.blocks) write(root.splice(0))
  }

  function page(): void {
    if (tables.length === 0 || tables.every(({ layout }) => layout)) sink.push({ kind: 'page' })
  }

  function close(name: string): void {
    const kind = kindOf(name)
    if (kind.role === 'break') open(name, {}, false)
    if (kind.empty) return
    if (beyond > 0) {
      beyond--
      if (kind.role !== 'inline' && !look.hidden) flush()
      return
    }
    if ((opened.get(name) ?? 0) === 0) {
      if (name === 'p' && !look.hidden) flush()
      return
    }
    let at = stack.length - 1
    while (at >= 0 && stack[at]!.kind !== kind) {
      // The end of a paragraph in a cell is not that of one around the table.
      if (stack[at]!.kind.role === 'cell' && kind.role !== 'row' && kind.role !== 'table' && kind.role !== 'group')
        return
      if (stack[at]!.kind.role === 'table') return
      at--
    }
    if (at < 0) return
    if (kind.role === 'inline' && stack.some(({ block }, index) => block && index > at)) takeOut(at)
    else while (stack.length > at) leaveTop()
  }

  /** Ends an element that others, which stay open, overlap: `<b><p>…</b>…</p>`. */
  function takeOut(at: number): void {
    const [gone] = stack.splice(at, 1)
    opened.set(gone!.kind.name, opened.get(gone!.kind.name)! - 1)
    look = stack[at - 1]?.look ?? looks.root
    for (const open of stack.slice(at)) {
      const hid = open.look.hidden
      look = looks.inside(looks.inside(look, open.kind.style), open.own)
      if (hid && !look.hidden) look = looks.inside(look, HIDDEN)
      open.look = look
    }
  }

  /** Ends the elements that cannot stand open where this one begins. */
  function endOthers({ ends, within }: ElementKind): void {
    let found = false
    for (const name of ends!) found ||= (opened.get(name) ?? 0) > 0
    if (!found) return
    let end = -1
    for (let at = stack.length - 1; at >= 0 && !within.has(stack[at]!.kind.name); at--) {
      if (ends!.has(stack[at]!.kind.name)) end = at
    }
    if (end >= 0) while (stack.length > end) leaveTop()
  }

  function leaveTop(): void {
    const top = stack.pop()!
    opened.set(top.kind.name, opened.get(top.kind.name)! - 1)
    if (top.kind.role === 'sheet') sheet.end()
    if (!top.look.hidden) leave(top)
    look = stack.at(-1)?.look ?? looks.root
  }

  /** What an element does where it ends. */
  function leave({ kind, block, pageAfter }: Open): void {
    if (block) flush()
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
        endCell()
        break
      case 'table':
        endTable()
    }
    if (pageAfter) page()
  }

  function end(): Block[] {
    while (stack.length > 0) leaveTop()
    flush()
    while (tables.length > 0) endTable()
    return root
  }
}

const HIDDEN: Style = { hidden: true }

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
function startOf({ role, name }: ElementKind, { start }: Attributes): number {
  if (role !== 'list' || name !== 'ol') return 0
  return start !== undefined && /^\d{1,9}$/.test(start) ? Number(start) : 1
}
