/** Reads the tags and texts of HTML, one after another, with htmlparser2's tokeniser. */
import { Tokenizer } from 'htmlparser2'
import { decoded } from './characters.ts'
import { type ElementKind, kindOf } from './elements.ts'

/** The attributes that are read. An attribute that the tag lacks is undefined. */
export interface Attributes {
  style: string | undefined
  class: string | undefined
  id: string | undefined
  name: string | undefined
  href: string | undefined
  colspan: string | undefined
  rowspan: string | undefined
  align: string | undefined
  size: string | undefined
  face: string | undefined
  src: string | undefined
  alt: string | undefined
  width: string | undefined
  height: string | undefined
  hidden: string | undefined
  type: string | undefined
  checked: string | undefined
  start: string | undefined
  value: string | undefined
}

export interface Handler {
  /** @param attributes valid until the call returns */
  open(kind: ElementKind, attributes: Attributes, selfClosing: boolean): void
  close(kind: ElementKind): void
  /** @param text as in the document, with references undecoded */
  text(text: string): void
  /** Position of the reader in the document. */
  at: number
}

/** Longest part of an attribute value that is read. Addresses with an embedded picture are megabytes long. */
const VALUE_MAX = 65_536

/**
 * Reads a document once from beginning to end. The tokeniser does not decode references here, since decoding would
 * examine every character of every attribute: without decoding it is three times as fast. Long: the callbacks of the
 * tokeniser share the attributes of one tag.
 *
 * @returns whether the document ended within a tag
 */
export function readTokens(html: string, handler: Handler): boolean {
  const attributes = noAttributes()
  /** The attributes of the current tag. They are cleared after the tag. */
  const given: (keyof Attributes)[] = []
  let attribute: keyof Attributes | null = null
  let kind = kindOf('')
  let ended = 0
  const opened = (end: number, selfClosing: boolean) => {
    ended = end + 1
    handler.at = end
    handler.open(kind, attributes, selfClosing)
    while (given.length > 0) attributes[given.pop()!] = undefined
  }
  const ignored = () => {}
  const passed = (_start: number, end: number) => {
    ended = end + 1
  }
  const tokenizer = new Tokenizer(
    { decodeEntities: false },
    {
      ontext(start, end) {
        ended = end
        handler.at = start
        handler.text(html.slice(start, end))
      },
      onopentagname(start, end) {
        kind = kindOf(html.slice(start, Math.min(end, start + NAME_MAX)))
      },
      onattribname(start, end) {
        attribute = attributeAt(html, start, end)
        if (attribute === null) return
        // If two attributes have the same name, the first counts.
        if (attributes[attribute] !== undefined) attribute = null
        else {
          attributes[attribute] = ''
          given.push(attribute)
        }
      },
      onattribdata(start, end) {
        if (attribute !== null) attributes[attribute] = decoded(html.slice(start, Math.min(end, start + VALUE_MAX)))
      },
      onattribend: ignored,
      onattribentity: ignored,
      onopentagend: (end) => opened(end, false),
      onselfclosingtag: (end) => opened(end, true),
      onclosetag(start, end) {
        ended = end + 1
        handler.at = start
        handler.close(kindOf(html.slice(start, Math.min(end, start + NAME_MAX))))
      },
      oncomment: passed,
      oncdata: passed,
      ondeclaration: passed,
      onprocessinginstruction: passed,
      ontextentity: ignored,
      onend: ignored,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return ended < html.length
}

/** Maximum length of a tag's name: the longest real names are those of inline XBRL. */
const NAME_MAX = 40

function noAttributes(): Attributes {
  return {
    style: undefined,
    class: undefined,
    id: undefined,
    name: undefined,
    href: undefined,
    colspan: undefined,
    rowspan: undefined,
    align: undefined,
    size: undefined,
    face: undefined,
    src: undefined,
    alt: undefined,
    width: undefined,
    height: undefined,
    hidden: undefined,
    type: undefined,
    checked: undefined,
    start: undefined,
    value: undefined,
  }
}

/**
 * The names by length and first letter. Nearly all attributes that are not read here differ from every name in length
 * or first letter.
 */
const BY_SHAPE: (keyof Attributes)[][] = []
for (const name of Object.keys(noAttributes()) as (keyof Attributes)[]) {
  const shape = shapeOf(name.length, name.charCodeAt(0))
  BY_SHAPE[shape] = [...(BY_SHAPE[shape] ?? []), name]
}

function shapeOf(length: number, first: number): number {
  return length * 32 + (first & 31)
}

/** Returns the attribute whose name is at this position, in upper or lower case; null if this attribute is not read. */
function attributeAt(html: string, start: number, end: number): keyof Attributes | null {
  const names = end - start > 7 ? undefined : BY_SHAPE[shapeOf(end - start, html.charCodeAt(start))]
  if (names === undefined) return null
  const written = html.slice(start, end)
  for (const name of names) if (written === name) return name
  const small = written.toLowerCase()
  for (const name of names) if (small === name) return name
  return null
}
