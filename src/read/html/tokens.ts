/** Tags and texts of HTML, one after the other, by htmlparser2's tokeniser. */
import { Tokenizer } from 'htmlparser2'
import { decoded } from './characters.ts'

/** The attributes that mean something here; what is absent is undefined. */
export type Attributes = Partial<Record<(typeof NAMES)[number], string>>

const NAMES = [
  'style', 'class', 'id', 'name', 'href', 'colspan', 'rowspan', 'align', 'size', 'src', 'alt', 'width', 'height',
  'hidden', 'type', 'checked', 'start', 'value',
] as const // biome-ignore format: one list

export interface Handler {
  /** @param attributes valid until the call returns */
  open(name: string, attributes: Attributes, selfClosing: boolean): void
  close(name: string): void
  /** @param text as it stands in the document, references undecoded */
  text(text: string): void
  /** Where in the document the reader is. */
  at: number
}

const NOTHING: Attributes = Object.freeze({})
/** A value of an attribute is read so far. Addresses of pictures that hold the picture itself are megabytes long. */
const VALUE_MAX = 65_536
const NAMES_MAX = 2000

/** Names as they are written → in small letters, once for all documents. */
const lower = new Map<string, string>()
const wanted = new Map<string, keyof Attributes | null>()

/**
 * Reads a document once from its beginning to its end. The tokeniser is told not to decode references, since it would
 * then look at every character of every attribute: it is three times as fast so.
 *
 * @returns whether the document ended within a tag or a comment
 */
export function readTokens(html: string, handler: Handler): boolean {
  let attributes: Attributes = NOTHING
  let attribute: keyof Attributes | null = null
  let tag = ''
  let ended = 0
  const opened = (end: number, selfClosing: boolean) => {
    ended = end + 1
    handler.at = end
    handler.open(tag, attributes, selfClosing)
    attributes = NOTHING
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
        tag = nameOf(html, start, end)
      },
      onattribname(start, end) {
        attribute = end - start > 8 ? null : wantedOf(html.slice(start, end))
        if (attribute !== null) {
          if (attributes === NOTHING) attributes = {}
          if (attributes[attribute] === undefined) attributes[attribute] = ''
          else attribute = null
        }
      },
      onattribdata(start, end) {
        if (attribute !== null) attributes[attribute] = decoded(html.slice(start, Math.min(end, start + VALUE_MAX)))
      },
      onattribend() {},
      onattribentity() {},
      onopentagend: (end) => opened(end, false),
      onselfclosingtag: (end) => opened(end, true),
      onclosetag(start, end) {
        ended = end + 1
        handler.at = start
        handler.close(nameOf(html, start, end))
      },
      oncomment(_start, end) {
        ended = end + 1
      },
      oncdata() {},
      ondeclaration(_start, end) {
        ended = end + 1
      },
      onprocessinginstruction(_start, end) {
        ended = end + 1
      },
      ontextentity() {},
      onend() {},
    },
  )
  tokenizer.write(html)
  tokenizer.end()
  return ended < html.length
}

/** Longer names than those of inline XBRL are of nobody. */
const NAME_MAX = 40

function nameOf(html: string, start: number, end: number): string {
  const name = html.slice(start, Math.min(end, start + NAME_MAX))
  const before = lower.get(name)
  if (before !== undefined) return before
  const found = name.toLowerCase()
  if (lower.size < NAMES_MAX) lower.set(name, found)
  return found
}

function wantedOf(name: string): keyof Attributes | null {
  const before = wanted.get(name)
  if (before !== undefined) return before
  const small = name.toLowerCase()
  const found = NAMES.find((each) => each === small) ?? null
  if (wanted.size < NAMES_MAX) wanted.set(name, found)
  return found
}
