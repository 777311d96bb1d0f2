/** What elements mean for the text: which begin a line, which are hidden, which end others that stand open. */
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
  name: string
  role: Role
  /** Has no end tag. */
  empty: boolean
  style: Style | null
  /** 1 to 6 of `h1` to `h6`. */
  level: number
  /** Elements that end where this one begins, if they stand open within `within`. */
  ends: ReadonlySet<string> | null
  /** The elements across which nothing is ended. */
  within: ReadonlySet<string>
}

const words = (list: string) => new Set(list.split(' '))

const TABLE = words('table')
const CELL = words('table td th')
const LIST = words('ul ol dir menu table td th')
const P = words('p')

const kinds = new Map<string, ElementKind>()

function kind(names: string, role: Role, more: Partial<ElementKind> = {}): void {
  for (const name of names.split(' ')) {
    kinds.set(name, { name, role, empty: false, style: null, level: 0, ends: null, within: CELL, ...more })
  }
}

kind(
  'address article aside blockquote body center dd details dialog div dl dt fieldset figcaption figure footer form header html legend main nav optgroup p section summary text type sequence filename description document',
  'block',
  { ends: P },
)
kind('center', 'block', { ends: P, style: { align: 'center' } })
kind('html body text document', 'block')
kind('dd dt', 'block', { ends: words('dd dt p') })
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
kind('li', 'item', { ends: words('li p'), within: LIST })
kind('pre listing xmp plaintext', 'pre', { ends: P, style: { pre: true } })
kind('table', 'table', { style: { align: 'left' } })
kind('thead tbody tfoot', 'group', { ends: words('thead tbody tfoot tr td th caption'), within: TABLE })
kind('tr', 'row', { ends: words('tr td th caption'), within: TABLE })
kind('td', 'cell', { ends: words('td th caption'), within: TABLE })
kind('th', 'cell', { ends: words('td th caption'), within: TABLE, style: { bold: true } })
kind('caption', 'caption', { ends: words('caption'), within: TABLE })
kind('b strong', 'inline', { style: { bold: true } })
kind('i em cite var dfn', 'inline', { style: { italic: true } })
kind('u ins', 'inline', { style: { underline: true } })
kind('sup', 'inline', { style: { raised: true } })
kind('big', 'inline', { style: { scale: 1.2 } })
kind('small', 'inline', { style: { scale: 0.83 } })

const UNKNOWN: ElementKind = {
  name: '',
  role: 'inline',
  empty: false,
  style: null,
  level: 0,
  ends: null,
  within: CELL,
}
const KINDS_MAX = 2000

/** Elements that nobody knows, and those of inline XBRL, are as their text. */
export function kindOf(name: string): ElementKind {
  const known = kinds.get(name)
  if (known) return known
  if (kinds.size >= KINDS_MAX) return UNKNOWN
  const made = { ...UNKNOWN, name }
  kinds.set(name, made)
  return made
}
