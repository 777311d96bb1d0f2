/** Reads all text of an inline XBRL document and its tags that have a prefix, one after another. */
import { Tokenizer } from 'htmlparser2'
import { decoded } from '../html/characters.ts'

export type Attributes = Readonly<Record<string, string>>

/** A name without its prefix. */
export const localName = (written: string): string => written.slice(written.indexOf(':') + 1)

export interface Tags {
  /** @param at where the content begins */
  opened(written: string, attributes: Attributes, at: number): void
  textFound(text: string): void
  /** @param at where the content ended */
  closed(written: string, at: number): void
}

/** Maximum length of an attribute value: the attributes that are read here are names and dates. */
const VALUE_MAX = 1_000
/** Maximum length of a tag name; the rest of a longer name is not read. */
const NAME_MAX = 100

/**
 * Reads tags with a prefix, and all text. The tokeniser's own parser is not used: it keeps every open element, and its
 * running time grows with the square of the depth.
 */
export function readTags(html: string, { opened, textFound, closed }: Tags): void {
  let written = ''
  let attribute = ''
  let attributes: Record<string, string> = {}
  const ignored = () => {}
  const nameAt = (start: number, end: number) => html.slice(start, Math.min(end, start + NAME_MAX))
  const tokenizer = new Tokenizer(
    { decodeEntities: false, xmlMode: true },
    {
      ontext: (start, end) => textFound(decoded(html.slice(start, end))),
      onopentagname(start, end) {
        written = nameAt(start, end)
        attributes = {}
      },
      onattribname(start, end) {
        attribute = written.includes(':') ? nameAt(start, end) : ''
      },
      onattribdata(start, end) {
        if (attribute !== '') attributes[attribute] ??= decoded(html.slice(start, Math.min(end, start + VALUE_MAX)))
      },
      onopentagend(end) {
        if (written.includes(':')) opened(written, attributes, end + 1)
      },
      onselfclosingtag(end) {
        if (!written.includes(':')) return
        opened(written, attributes, end + 1)
        closed(written, end + 1)
      },
      onclosetag(start, end) {
        const name = nameAt(start, end)
        // The two characters before the name begin the closing tag.
        if (name.includes(':')) closed(name, start - 2)
      },
      onattribend: ignored,
      onattribentity: ignored,
      oncomment: ignored,
      oncdata: ignored,
      ondeclaration: ignored,
      onprocessinginstruction: ignored,
      ontextentity: ignored,
      onend: ignored,
    },
  )
  tokenizer.write(html)
  tokenizer.end()
}
