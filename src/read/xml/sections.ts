/**
 * Reads the parts of a document other than tags and text: comments, CDATA sections, instructions, the XML declaration.
 */
import { disallowedAt, type Fail, isBlank, isName, nameEnd, plain } from './characters.ts'

const MARKS = {
  comment: { mark: '--', end: '-->' },
  cdata: { mark: ']]>', end: ']]>' },
  instruction: { mark: '?>', end: '?>' },
} as const

export type Section = keyof typeof MARKS

/**
 * Scans a section to its end, or to the end of the piece. Each piece of the section's text is passed on before the next
 * piece is examined.
 */
export class SectionScanner {
  /** The section in which the last piece ended. */
  open: Section | null = null
  readonly #fail: Fail
  readonly #text: (text: string) => void

  constructor(fail: Fail, text: (text: string) => void) {
    this.#fail = fail
    this.#text = text
  }

  /**
   * @returns the index after the part that was passed on; this is the section's end, unless the section is still open
   */
  scan(text: string, from: number, section: Section): number {
    const { mark, end } = MARKS[section]
    const found = text.indexOf(mark, from)
    if (found >= 0 && text.startsWith(end, found)) {
      this.#take(text, from, found, section)
      this.open = null
      return found + end.length
    }
    // A comment may have two dashes only at its end.
    if (found >= 0 && text.length - found >= end.length) this.#fail('malformed comment', found + end.length)
    this.open = section
    const sure = found >= 0 ? found : Math.max(from, sureEnd(text, end))
    this.#take(text, from, sure, section)
    return sure
  }

  #take(text: string, from: number, to: number, section: Section): void {
    if (from >= to) return
    const raw = text.slice(from, to)
    const disallowed = disallowedAt(raw)
    if (disallowed >= 0) this.#fail('disallowed character', from + disallowed + 1)
    if (section === 'cdata') this.#text(plain(raw))
  }

  /**
   * @param isFirst whether the document begins here
   * @returns the index after the instruction; -1 if this piece ends before the text of the instruction begins
   */
  instruction(text: string, from: number, isFirst: boolean): number {
    const end = nameEnd(text, from + 2)
    if (end === text.length) return -1
    const name = text.slice(from + 2, end)
    if (name === 'xml' && isFirst) return this.#declaration(text, from)
    if (/^xml\??$/i.test(name)) this.#fail('an XML declaration must be at the start of the document', end + 1)
    const isWhole = name.endsWith('?') && text[end] === '>'
    const target = isWhole ? name.slice(0, -1) : name
    if (!isName(target) || target.includes(':')) this.#fail('disallowed processing instruction name', end + 1)
    if (isWhole) return end + 1
    if (!isBlank(text.charCodeAt(end))) this.#fail('disallowed character in processing instruction name', end + 1)
    return this.scan(text, end, 'instruction')
  }

  #declaration(text: string, from: number): number {
    const end = text.indexOf('?>', from)
    if (end < 0) return -1
    if (!DECLARATION.test(text.slice(from, end + 2))) this.#fail('malformed XML declaration', end + 2)
    return end + 2
  }
}

/** `\s` would match more than the four blanks of XML. */
const [S, EQ] = ['[ \\t\\r\\n]', '[ \\t\\r\\n]*=[ \\t\\r\\n]*']
// The pattern accepts invalid encoding names. charset.ts ignores such a name, and the bytes decide how the document is
// read.
const DECLARATION = new RegExp(
  `^<\\?xml${S}+version${EQ}(["'])1\\.[0-9]+\\1(?:${S}+encoding${EQ}(["'])[^"'<>&?]*\\2)?(?:${S}+standalone${EQ}(["'])(?:yes|no)\\3)?${S}*\\?>$`,
)

/**
 * Returns the length of the text that can be passed on without the next piece. Three things at the end must wait for
 * the next piece: characters that may begin the end mark, half of a character, and a carriage return.
 */
function sureEnd(text: string, end: string): number {
  const to = text.length - end.length + 1
  const last = text.charCodeAt(to - 1)
  return last === 0x0d || (last >= 0xd800 && last < 0xdc00) ? to - 1 : to
}
