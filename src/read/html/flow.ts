/** The paragraph that is being read: pieces of text are put together, with blanks between them where people see them. */
import type { Image, Item, Link, Paragraph, Span } from './block.ts'
import { IMAGE } from './block.ts'
import { collapsed, preserved } from './characters.ts'
import type { Look } from './style.ts'

/** Shared by nearly all paragraphs, which have no links, images or anchors. */
const NONE: never[] = []
Object.freeze(NONE)
const SPANS_MAX = 10_000
const LINKS_MAX = 1000
const ANCHORS_MAX = 20
const ENDS_IN_WORD = /[\p{L}\p{N})%]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u
/** A mark of a note in small raised letters, which would become part of the number before it. */
const MARK = /^[\d*†‡§]|^[a-z]\b|^\(/i
const POINTER = /^(?:[^\p{L}\p{N}\s]{1,2}|\(?(?:\d{1,2}|\p{L}|[ivx]{1,4})[.)]?)$/u
const POINTER_MAX = 6
const FRACTION = /^[/\u2044\u2215]\s*\d?/
const ORDINAL = /^(st|nd|rd|th|tm|sm|r)\b/i

/**
 * The paragraph that is being read. Its state is the text so far, with what is known of each part of it: looks, links,
 * images, anchors, and whether a blank follows. Only its methods change it. `take` and `takeLines` give it away and begin
 * the next paragraph; a link that is open goes on in that one.
 */
export class Flow {
  #plain = ''
  /** The piece put last. To look at the end of `#plain` itself would join all its pieces each time. */
  #tail = ''
  /** Where the last `^` was put; -1 where none was. */
  #caret = -1
  #spans: Span[] = []
  #links: Link[] = []
  #images: Image[] = []
  #anchors: string[] = []
  /** Where the open link leads; null where none is open. */
  #address: string | null = null
  #linkStart = 0
  /** Whether a blank stands before the next piece. */
  #blank = false

  /** How long the text is so far. */
  get length(): number {
    return this.#plain.length
  }

  /** Whether all there is so far is the sign of a point, or the number or letter of one or of a note. */
  get isPointer(): boolean {
    return this.#plain.length <= POINTER_MAX && POINTER.test(this.#plain)
  }

  /** @param raw decoded text */
  append(raw: string, look: Look): void {
    if (look.pre) {
      this.#span(look)
      this.#plain += preserved(raw)
      return
    }
    const text = collapsed(raw)
    if (text === '') return
    if (text === ' ') {
      this.#blank = true
      return
    }
    const from = text.startsWith(' ') ? 1 : 0
    const to = text.endsWith(' ') ? text.length - 1 : text.length
    if (from === 1) this.#blank = true
    this.#put(from === 0 && to === text.length ? text : text.slice(from, to), look)
    this.#blank = to < text.length
  }

  /** A blank that people see and the document has not, as where a cell of a layout ends. */
  gap(): void {
    this.#blank = true
  }

  /** @returns whether the line before it was empty, so that a paragraph ends */
  lineBreak(): boolean {
    this.#blank = false
    if (this.#plain === '') return false
    if (this.#tail === '\n') return true
    this.#plain += '\n'
    this.#tail = '\n'
    return false
  }

  image(image: Image, look: Look): void {
    if (this.#plain !== '') this.#blank = true
    this.#put(IMAGE, look)
    this.#images.push(image)
    this.#blank = true
  }

  /** All text from here on leads to an address; null where a link ends. */
  link(address: string | null): void {
    this.#endLink()
    this.#address = address
    this.#linkStart = this.#plain.length
  }

  anchor(name: string): void {
    if (this.#anchors.length < ANCHORS_MAX) this.#anchors.push(name)
  }

  /** The paragraph so far, null where there is none; begins the next. */
  take(level: number, item: Item | null): Paragraph | null {
    this.#blank = false
    if (this.#plain === '') {
      this.#linkStart = 0
      return null
    }
    this.#endLink()
    this.#linkStart = 0
    const text = this.#plain.trimEnd()
    const found: Paragraph = {
      kind: 'paragraph',
      plain: text,
      spans: this.#spans,
      links: this.#links.length === 0 ? NONE : trimmed(this.#links, text),
      images: this.#images.length === 0 ? NONE : this.#images,
      level,
      item,
      laid: false,
      anchors: this.#anchors.length === 0 ? NONE : this.#anchors,
    }
    this.#plain = ''
    this.#tail = ''
    this.#caret = -1
    this.#spans = []
    if (this.#links.length > 0) this.#links = []
    if (this.#images.length > 0) this.#images = []
    if (this.#anchors.length > 0) this.#anchors = []
    return text === '' ? null : found
  }

  /** Text of `<pre>` so far; begins the next. */
  takeLines(): string {
    const text = this.#plain
    this.#plain = ''
    this.#tail = ''
    this.#spans = []
    this.#links = []
    return text
  }

  #span(look: Look): void {
    const last = this.#spans.at(-1)
    if (last === undefined) this.#spans.push({ start: 0, look })
    else if (last.look !== look && differs(last.look, look) && this.#spans.length < SPANS_MAX) {
      this.#spans.push({ start: this.#plain.length, look })
    }
  }

  #put(text: string, look: Look): void {
    const last = this.#spans.at(-1)?.look
    if (this.#blank) {
      if (this.#tail !== '' && this.#tail !== '\n') this.#plain += ' '
    } else if (last !== undefined && last.raised !== look.raised) {
      this.#join(text, look.raised)
    }
    this.#blank = false
    this.#span(look)
    this.#plain += text
    this.#tail = text
  }

  /** Puts what stands between a raised mark and the text beside it. */
  #join(text: string, raised: boolean): void {
    // 66 2/3 %, whose 2 is set like the mark of a note.
    if (this.#caret >= 0 && FRACTION.test(text)) {
      this.#plain = `${this.#plain.slice(0, this.#caret)} ${this.#plain.slice(this.#caret + 1)}`
    }
    const sign = between(this.#tail, text, raised)
    this.#caret = sign === '^' ? this.#plain.length : -1
    this.#plain += sign
  }

  #endLink(): void {
    if (this.#address === null || this.#plain.length <= this.#linkStart) return
    const last = this.#links.at(-1)
    // One link in several elements is one.
    if (last?.address === this.#address && this.#linkStart - last.end <= 1) last.end = this.#plain.length
    else if (this.#links.length < LINKS_MAX) {
      this.#links.push({ start: this.#linkStart, end: this.#plain.length, address: this.#address })
    }
  }
}

/** What stands between a raised mark and the text beside it. */
function between(before: string, text: string, raised: boolean): string {
  if (!raised) return BEGINS_WITH_WORD.test(text) && /[\d*†‡§)]$/.test(before) ? ' ' : ''
  if (!ENDS_IN_WORD.test(before) || !MARK.test(text) || ORDINAL.test(text)) return ''
  if (text.startsWith('(')) return /\d$/.test(before) ? ' ' : ''
  return /^\d+\s*[/\u2044\u2215]/.test(text) ? ' ' : /^[*†‡§]/.test(text) ? '' : '^'
}

function differs(a: Look, b: Look): boolean {
  return (
    a.bold !== b.bold ||
    a.italic !== b.italic ||
    a.underline !== b.underline ||
    a.size !== b.size ||
    a.raised !== b.raised
  )
}

/** Links begin and end with what is seen of them. */
function trimmed(links: Link[], plain: string): Link[] {
  for (const link of links) {
    link.end = Math.min(link.end, plain.length)
    while (link.start < link.end && /\s/.test(plain[link.start]!)) link.start++
    while (link.end > link.start && /\s/.test(plain[link.end - 1]!)) link.end--
  }
  return links.filter(({ start, end }) => start < end)
}
