/**
 * Defines what elements mean for the text: which elements begin a line, which are hidden, and which close other open
 * elements.
 */
import type { Style } from './style.ts'

export type Role =
  | 'inline'
  | 'block'
  | 'hidden'
  | 'sheet'
  | 'break'
  | 'rule'
  | 'page'
  | 'image'
  | 'input'
  | 'link'
  | 'list'
  | 'item'
  | 'pre'
  | 'table'
  | 'group'
  | 'row'
  | 'cell'
  | 'caption'

export interface ElementKind {
  /** The name in lower case. */
  name: string
  /** Index of the kind, from 0. All kinds of elements whose names are not stored share the last index. */
  index: number
  role: Role
  /** Whether the element has no end tag. */
  empty: boolean
  style: Style | null
  /** 1 to 6 for `h1` to `h6`. */
  level: number
  /**
   * The bit of an element that closes other elements, is closed by other elements, or prevents such closing; 0 for
   * every other element. Similar elements share a bit, for example `dd` and `dt`.
   */
  bit: number
  /** Bits of the elements that the start of this element closes, as far as `within` allows. */
  ends: number
  /** Bits of the elements that limit this closing: what is outside the innermost open one of them stays open. */
  within: number
}

const BITS: Record<string, number> = {}
for (const [index, names] of [
  'p',
  'li',
  'dd dt',
  'tr',
  'td th',
  'caption',
  'thead tbody tfoot',
  'table',
  'ul ol dir menu',
].entries()) {
  for (const name of names.split(' ')) BITS[name] = 1 << index
}
const bits = (names: string) => names.split(' ').reduce((sum, name) => sum | BITS[name]!, 0)

const P = bits('p')
const TABLE = bits('table')
const CELL = bits('table td')
const LIST = bits('ul table td')

/** The kinds by name: in lower case, and in every other spelling that was read. */
const kinds = new Map<string, ElementKind>()
export const KINDS_MAX = 2000

function made(name: string, role: Role, more: Partial<ElementKind> = {}): ElementKind {
  const index = Math.min(kinds.size, KINDS_MAX)
  return {
    name,
    index,
    role,
    empty: false,
    style: null,
    level: 0,
    bit: BITS[name] ?? 0,
    ends: 0,
    within: CELL,
    ...more,
  }
}

function kind(names: string, role: Role, more: Partial<ElementKind> = {}): void {
  for (const name of names.split(' ')) kinds.set(name, made(name, role, more))
}

kind(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header html legend main nav optgroup p section summary text type sequence filename description document',
  'block',
  { ends: P },
)
kind('center', 'block', { ends: P, style: { align: 'center' } })
kind('html body text document', 'block')
kind('dd dt', 'block', { ends: bits('dd p') })
kind('blockquote', 'block', { ends: P, style: { left: 30 } })
for (const [index, size] of [24, 18, 14, 12, 10, 8].entries()) {
  kind(`h${index + 1}`, 'block', { ends: P, level: index + 1, style: { bold: true, size } })
}
kind(
  'head script template noscript object applet select datalist audio video canvas svg iframe noembed noframes title ix:header ix:hidden',
  'hidden',
)
kind('style', 'sheet')
kind('br', 'break', { empty: true })
kind('hr', 'rule', { empty: true, ends: P })
kind('page', 'page', { empty: true })
kind('img', 'image', { empty: true })
kind('input', 'input', { empty: true })
kind('area base basefont bgsound col embed frame link meta param source track wbr keygen', 'inline', { empty: true })
kind('a', 'link')
kind('ul ol dir menu', 'list', { ends: P })
kind('li', 'item', { ends: bits('li p'), within: LIST })
kind('pre listing xmp plaintext', 'pre', { ends: P, style: { pre: true } })
kind('table', 'table', { style: { align: 'left' } })
kind('thead tbody tfoot', 'group', { ends: bits('thead tr td caption'), within: TABLE })
kind('tr', 'row', { ends: bits('tr td caption'), within: TABLE })
kind('td', 'cell', { ends: bits('td caption'), within: TABLE })
kind('th', 'cell', { ends: bits('td caption'), within: TABLE, style: { bold: true } })
kind('caption', 'caption', { ends: bits('caption'), within: TABLE })
kind('b strong', 'inline', { style: { bold: true } })
kind('i em cite var dfn', 'inline', { style: { italic: true } })
kind('u ins', 'inline', { style: { underline: true } })
kind('sup', 'inline', { style: { raised: true } })
kind('big', 'inline', { style: { scale: 1.2 } })
kind('small', 'inline', { style: { scale: 0.83 } })

/**
 * Returns the kind of an element by its name as written. Unknown elements and elements of inline XBRL count as inline
 * elements.
 */
export function kindOf(written: string): ElementKind {
  const known = kinds.get(written)
  if (known !== undefined) return known
  const name = written.toLowerCase()
  const found = kinds.get(name) ?? made(name, 'inline')
  if (kinds.size < KINDS_MAX) {
    kinds.set(name, found)
    if (kinds.size < KINDS_MAX) kinds.set(written, found)
  }
  return found
}
