/**
 * Reads the style properties that influence the Markdown: weight, size, alignment, indents, visibility, page breaks.
 */

import { type SymbolFont, symbolFontOf } from './symbols.ts'

/**
 * The style that one element sets; properties that the element does not set are absent. Sizes and indents are in
 * points.
 */
export interface Style {
  bold?: boolean
  italic?: boolean
  underline?: boolean
  raised?: boolean
  pre?: boolean
  capitals?: boolean
  /** The symbol font; null for a font of letters. */
  symbols?: SymbolFont | null
  align?: Align
  size?: number
  /** Factor by which the font size of the surrounding element is multiplied. */
  scale?: number
  left?: number
  hanging?: number
  /** Whether the text has a relative position. Then `top` may move the text up, which is a common way to raise text. */
  moved?: boolean
  hidden?: boolean
  invisible?: boolean
  /** Whether the element begins a line, by `display`. */
  block?: boolean
  /** Whether the element is a box within its line, with a width of its own: a tab, or the bullet of an item. */
  box?: boolean
  /** Whether the element has a width that people see; kept only while declarations are read. */
  wide?: boolean
  /** Whether the element floats to the left of the next text. */
  floats?: boolean
  pageBefore?: boolean
  pageAfter?: boolean
}

export type Align = 'left' | 'center' | 'right'

/** Absolute units in points. */
const UNITS: Record<string, number> = { pt: 1, px: 0.75, in: 72, cm: 28.35, mm: 2.835, pc: 12, '': 0.75 }
const SIZES: Record<string, number> = {
  'xx-small': 7,
  'x-small': 7.5,
  small: 10,
  medium: 12,
  large: 13.5,
  'x-large': 18,
  'xx-large': 24,
}

/** Returns a length in points; null if it is invalid. `em` and `%` refer to `whole`, in points. */
function length(value: string, whole: number): number | null {
  const [, digits, unit] = /^(-?(?:\d+\.?\d*|\.\d+))\s*([a-z%]*)/.exec(value) ?? []
  if (digits === undefined) return null
  const number = Number(digits.slice(0, 12))
  if (unit === 'em' || unit === 'rem') return number * whole
  if (unit === '%') return (number / 100) * whole
  const points = UNITS[unit!]
  return points === undefined ? null : number * points
}

/** Page width in points, to which a width in `%` refers. */
const PAGE_WIDTH = 450
const indent = (value: string): number => length(value, value.endsWith('%') ? PAGE_WIDTH : 10) ?? 0

/** The smallest gap, in points, that people see as a blank. */
const GAP_MIN = 2

/**
 * Reads the declarations of a `style` attribute or of a rule in a style sheet.
 *
 * @returns null if the declarations set nothing that is kept
 */
export function readStyle(declarations: string): Style | null {
  const style: Style = {}
  for (const declaration of declarations.toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    if (colon > 0) declare(style, declaration.slice(0, colon).trim(), declaration.slice(colon + 1).trim())
  }
  if (style.box && !style.wide) delete style.box
  if (style.wide) delete style.wide
  for (const _ in style) return style
  return null
}

/** Long: it is a table of the CSS properties that are read. Branches: each property is one case. */
function declare(style: Style, property: string, value: string): void {
  switch (property) {
    case 'font-weight':
      style.bold = /^bold/.test(value) || Number.parseInt(value, 10) >= 600
      return
    case 'font-family':
      style.symbols = symbolFontOf(value)
      return
    case 'position':
    case 'top':
      if (property === 'top' && style.moved && (length(value, 10) ?? 0) <= -2) style.raised = true
      else if (value.startsWith('relative')) style.moved = true
      return
    case 'font-style':
      style.italic = /^(italic|oblique)/.test(value)
      return
    case 'font-size':
      size(style, value)
      return
    case 'font':
      style.bold = /\b(bold|bolder|[6-9]00)\b/.test(value)
      style.italic = /\b(italic|oblique)\b/.test(value)
      font(style, value)
      return
    case 'text-align':
      if (/^(center|right|left|justify|start)/.test(value)) {
        style.align = value.startsWith('c') ? 'center' : value.startsWith('r') ? 'right' : 'left'
      }
      return
    case 'text-decoration':
    case 'text-decoration-line':
      if (value.includes('underline')) style.underline = true
      else if (value.startsWith('none')) style.underline = false
      return
    case 'text-transform':
      style.capitals = value.startsWith('upper')
      return
    case 'vertical-align':
      // `top` and similar values position the text of a cell; a `<sup>` stays raised with any of these values.
      if (value.startsWith('super') || value.startsWith('text-top')) style.raised = true
      return
    case 'white-space':
      style.pre = value === 'pre'
      return
    case 'display':
      if (value.startsWith('none')) style.hidden = true
      else if (/^(block|list-item|flex|grid)/.test(value)) style.block = true
      else if (/^inline/.test(value)) style.block = false
      if (/^inline-(?:block|flex)/.test(value)) style.box = true
      return
    case 'width':
    case 'min-width':
      if (indent(value) >= GAP_MIN) style.wide = true
      return
    case 'float':
      style.floats = value.startsWith('left')
      return
    case 'visibility':
      style.invisible = /^(hidden|collapse)/.test(value)
      return
    case 'margin-left':
    case 'padding-left':
      style.left = (style.left ?? 0) + indent(value)
      return
    case 'margin':
    case 'padding': {
      const sides = value.split(/\s+/)
      style.left = (style.left ?? 0) + indent(sides[3] ?? sides[1] ?? sides[0]!)
      return
    }
    case 'text-indent':
      style.hanging = length(value, 10) ?? 0
      return
    case 'page-break-before':
    case 'break-before':
      if (/^(always|page|left|right)/.test(value)) style.pageBefore = true
      return
    case 'page-break-after':
    case 'break-after':
      if (/^(always|page|left|right)/.test(value)) style.pageAfter = true
  }
}

const FONT = /(?:^|\s)([\d.]+[a-z%]+|xx?-small|small|medium|large|xx?-large)(?=\s|\/)(?:\s?\/\s?\S+)?\s*/

/** Reads the size and the family of `font: bold 10pt/12pt Wingdings`. A family after the size also ends a symbol font. */
function font(style: Style, value: string): void {
  const found = FONT.exec(value)
  size(style, found?.[1] ?? '')
  if (found) style.symbols = symbolFontOf(value.slice(found.index + found[0].length))
}

function size(style: Style, value: string): void {
  if (SIZES[value] !== undefined) style.size = SIZES[value]
  else if (value.endsWith('em') || value.endsWith('%')) style.scale = (length(value, 100) ?? 100) / 100
  else if (value === 'smaller' || value === 'larger') style.scale = value === 'larger' ? 1.2 : 0.83
  else {
    const points = length(value, 10)
    if (points !== null) style.size = points
  }
}

/**
 * The look of text, computed from all elements around it. Elements that set the same style inside the same computed
 * style share one object, up to a maximum number of objects.
 */
export interface ComputedStyle {
  readonly bold: boolean
  readonly italic: boolean
  readonly underline: boolean
  readonly raised: boolean
  readonly pre: boolean
  readonly capitals: boolean
  readonly symbols: SymbolFont | null
  readonly align: Align
  /** In points. */
  readonly size: number
  /** In points from the left margin. */
  readonly left: number
  readonly hanging: number
  readonly hidden: boolean
  readonly invisible: boolean
  /** Computed styles of inner elements, by the style that the inner elements set. */
  readonly inner: Map<Style, ComputedStyle>
}

export const PLAIN: Omit<ComputedStyle, 'inner'> = {
  bold: false,
  italic: false,
  underline: false,
  raised: false,
  pre: false,
  capitals: false,
  symbols: null,
  align: 'left',
  size: 12,
  left: 0,
  hanging: 0,
  hidden: false,
  invisible: false,
}

/** The computed styles of one document. */
export interface ComputedStyles {
  root: ComputedStyle
  /** Returns the computed style of an element in `around` that sets `style`. */
  inside(around: ComputedStyle, style: Style | null): ComputedStyle
}

const SIZE_MAX = 200

export function openComputedStyles(max: number): ComputedStyles {
  let made = 0
  return {
    root: { ...PLAIN, inner: new Map() },
    inside(around, style) {
      if (style === null) return around
      const known = around.inner.get(style)
      if (known) return known
      const computed = derive(around, style)
      if (made++ < max) around.inner.set(style, computed)
      return computed
    },
  }
}

function derive(around: ComputedStyle, style: Style): ComputedStyle {
  const size = Math.min(style.size ?? around.size * (style.scale ?? 1), SIZE_MAX)
  return {
    bold: style.bold ?? around.bold,
    italic: style.italic ?? around.italic,
    underline: style.underline ?? around.underline,
    raised: style.raised ?? around.raised,
    pre: style.pre ?? around.pre,
    capitals: style.capitals ?? around.capitals,
    symbols: style.symbols === undefined ? around.symbols : style.symbols,
    align: style.align ?? around.align,
    size,
    left: Math.min(around.left + (style.left ?? 0), 1000),
    hanging: style.hanging ?? around.hanging,
    hidden: around.hidden || style.hidden === true,
    invisible: style.invisible ?? around.invisible,
    inner: new Map(),
  }
}
