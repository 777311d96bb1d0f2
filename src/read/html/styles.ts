/** Computes how elements of a document look, from their kind, their attributes and the document's style sheets. */
import type { ElementKind } from './elements.ts'
import type { Limits } from './limits.ts'
import { openSheet, type Sheet } from './sheet.ts'
import { type Align, type ComputedStyle, openComputedStyles, readStyle, type Style } from './style.ts'
import { symbolFontOf } from './symbols.ts'
import type { Attributes } from './tokens.ts'

export interface Styles {
  root: ComputedStyle
  sheet: Sheet
  /** Returns the style that an element gets from its `style` attribute and from the rules that match it. */
  own(kind: ElementKind, attributes: Attributes): Style | null
  /** Returns the computed style of the element in `around`. */
  computed(around: ComputedStyle, kind: ElementKind, attributes: Attributes, own: Style | null): ComputedStyle
  /** Returns the computed style if the element sets `style` and no attributes apply. */
  inside(around: ComputedStyle, style: Style | null): ComputedStyle
}

const ALIGNS: Record<Align, Style> = { left: { align: 'left' }, center: { align: 'center' }, right: { align: 'right' } }
/** Sizes of `<font size>` 1 to 7, in points. */
const SIZES: Style[] = [7.5, 10, 12, 13.5, 18, 24, 36].map((size) => ({ size }))
const LETTERS: Style = { symbols: null }
const SYMBOLS: Record<string, Style> = {
  wingdings: { symbols: 'wingdings' },
  'wingdings 2': { symbols: 'wingdings 2' },
  symbol: { symbols: 'symbol' },
}
export const HIDDEN: Style = { hidden: true }

export function openStyles(limits: Limits): Styles {
  const computedStyles = openComputedStyles(limits.styles)
  const sheet = openSheet(limits)
  const known = new Map<string, Style | null>()
  const { inside, root } = computedStyles

  function own(kind: ElementKind, attributes: Attributes): Style | null {
    const { style } = attributes
    let found: Style | null = null
    if (style !== undefined) {
      const before = known.get(style)
      if (before !== undefined) found = before
      else {
        found = readStyle(style)
        if (known.size < limits.styles) known.set(style, found)
      }
    }
    return sheet.empty ? found : sheet.merged(kind.name, attributes, found)
  }

  function computed(
    around: ComputedStyle,
    kind: ElementKind,
    attributes: Attributes,
    style: Style | null,
  ): ComputedStyle {
    const { align, size, face, hidden } = attributes
    let found = inside(around, kind.style)
    // The alignment of a table does not apply to the text in the table.
    if (align !== undefined && kind.role !== 'table') found = inside(found, alignOf(align))
    if (face !== undefined) found = inside(found, SYMBOLS[symbolFontOf(face.toLowerCase()) ?? ''] ?? LETTERS)
    if (size !== undefined && kind.name === 'font') found = inside(found, sizeOf(size))
    if (hidden !== undefined) found = inside(found, HIDDEN)
    return inside(found, style)
  }

  return { root, sheet, own, computed, inside }
}

function alignOf(align: string): Style | null {
  return ALIGNS[align as Align] ?? ALIGNS[align.toLowerCase() as Align] ?? null
}

function sizeOf(size: string): Style | null {
  const [, sign, digits] = /^([+-]?)(\d)/.exec(size) ?? []
  if (digits === undefined) return null
  const step = sign === '+' ? 3 + Number(digits) : sign === '-' ? 3 - Number(digits) : Number(digits)
  return SIZES[Math.min(Math.max(step, 1), 7) - 1]!
}
