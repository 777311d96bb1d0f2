/** Assembles the current paragraph: joins pieces of text, with blanks between them where people see blanks. */
import type { Image, Item, Link, Paragraph, Span } from './block.ts'
import { IMAGE } from './block.ts'
import { collapsed, preserved } from './characters.ts'
import type { ComputedStyle } from './style.ts'

/** One empty list that nearly all paragraphs share, since they have no links, images or anchors. */
const NONE: never[] = []
Object.freeze(NONE)
const SPANS_MAX = 10_000
const LINKS_MAX = 1000
const ANCHORS_MAX = 20
const ENDS_IN_WORD = /[\p{L}\p{N})%]$/u
const BEGINS_WITH_WORD = /^[\p{L}\p{N}]/u
/**
 * Matches the mark of a note, which is set in small raised letters. Without a separator, the mark would become a part
 * of the number before it.
 */
const MARK = /^[\d*†‡§]|^[a-z]\b|^\(/i
const POINTER = /^(?:[^\p{L}\p{N}\s]{1,2}|\(?(?:\d{1,2}|\p{L}|[ivx]{1,4})[.)]?)$/u
const POINTER_MAX = 6
const FRACTION = /^[/\u2044\u2215]\s*\d?/
const ORDINAL = /^(st|nd|rd|th|tm|sm|r)\b/i

/**
 * The current paragraph. The state of this class is the text so far with its computed styles, links, images and
 * anchors, and whether a blank follows. Only its methods change the state. `take` and `takeLines` return the paragraph
 * and begin the next paragraph, in which a link that is still open continues.
 */
export class Flow {
  #plain = ''
  /** The last piece. Examining the end of `#plain` itself would join all pieces of the text each time. */
  #tail = ''
  /** Position of the last `^`; -1 if there is none. */
  #caret = -1
  #spans: Span[] = []
  #links: Link[] = []
  #images: Image[] = []
  #anchors: string[] = []
  /** Address of the open link; null if no link is open. */
  #address: string | null = null
  #linkStart = 0
  /** Whether a blank precedes the next piece. */
  #blank = false

  /** Length of the text so far. */
  get length(): number {
    return this.#plain.length
  }

  /** Whether the text so far is only a bullet, or only the number or letter of a list item or note. */
  get isPointer(): boolean {
    return this.#plain.length <= POINTER_MAX && POINTER.test(this.#plain)
  }

  /** @param raw decoded text */
  append(raw: string, computed: ComputedStyle): void {
    if (computed.pre) {
      this.#span(computed)
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
    this.#put(from === 0 && to === text.length ? text : text.slice(from, to), computed)
    this.#blank = to < text.length
  }

  /** Adds a blank that people see although the document has no blank there, for example at the end of a layout cell. */
  gap(): void {
    this.#blank = true
  }

  /** @returns whether the line before this break was empty, which ends the paragraph */
  lineBreak(): boolean {
    this.#blank = false
    if (this.#plain === '') return false
    if (this.#tail === '\n') return true
    this.#plain += '\n'
    this.#tail = '\n'
    return false
  }

  image(image: Image, computed: ComputedStyle): void {
    if (this.#plain !== '') this.#blank = true
    this.#put(IMAGE, computed)
    this.#images.push(image)
    this.#blank = true
  }

  /** Links all text from here on to an address; null ends the link. */
  link(address: string | null): void {
    this.#endLink()
    this.#address = address
    this.#linkStart = this.#plain.length
  }

  anchor(name: string): void {
    if (this.#anchors.length < ANCHORS_MAX) this.#anchors.push(name)
  }

  /** Returns the paragraph so far, or null if there is no paragraph, and begins the next paragraph. */
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

  /** Returns the text of `<pre>` so far, and begins the next paragraph. */
  takeLines(): string {
    const text = this.#plain
    this.#plain = ''
    this.#tail = ''
    this.#spans = []
    this.#links = []
    return text
  }

  #span(computed: ComputedStyle): void {
    const last = this.#spans.at(-1)
    if (last === undefined) this.#spans.push({ start: 0, computed })
    else if (last.computed !== computed && differs(last.computed, computed) && this.#spans.length < SPANS_MAX) {
      this.#spans.push({ start: this.#plain.length, computed })
    }
  }

  #put(text: string, computed: ComputedStyle): void {
    const last = this.#spans.at(-1)?.computed
    if (this.#blank) {
      if (this.#tail !== '' && this.#tail !== '\n') this.#plain += ' '
    } else if (last !== undefined && last.raised !== computed.raised) {
      this.#join(text, computed.raised)
    }
    this.#blank = false
    this.#span(computed)
    this.#plain += text
    this.#tail = text
  }

  /** Adds the separator between a raised mark and the text next to the mark. */
  #join(text: string, raised: boolean): void {
    // In 66 2/3 %, the 2 is raised like the mark of a note. The slash after it shows a fraction, so a blank replaces
    // the `^`.
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
    // A link that is split over several elements is joined again.
    if (last?.address === this.#address && this.#linkStart - last.end <= 1) last.end = this.#plain.length
    else if (this.#links.length < LINKS_MAX) {
      this.#links.push({ start: this.#linkStart, end: this.#plain.length, address: this.#address })
    }
  }
}

/** Returns the separator between a raised mark and the text next to the mark. */
function between(before: string, text: string, raised: boolean): string {
  if (!raised) return BEGINS_WITH_WORD.test(text) && /[\d*†‡§)]$/.test(before) ? ' ' : ''
  if (!ENDS_IN_WORD.test(before) || !MARK.test(text) || ORDINAL.test(text)) return ''
  if (text.startsWith('(')) return /\d$/.test(before) ? ' ' : ''
  return /^\d+\s*[/\u2044\u2215]/.test(text) ? ' ' : /^[*†‡§]/.test(text) ? '' : '^'
}

function differs(a: ComputedStyle, b: ComputedStyle): boolean {
  return (
    a.bold !== b.bold ||
    a.italic !== b.italic ||
    a.underline !== b.underline ||
    a.size !== b.size ||
    a.raised !== b.raised
  )
}

/** Trims blanks from both ends of links. */
function trimmed(links: Link[], plain: string): Link[] {
  for (const link of links) {
    link.end = Math.min(link.end, plain.length)
    while (link.start < link.end && /\s/.test(plain[link.start]!)) link.start++
    while (link.end > link.start && /\s/.test(plain[link.end - 1]!)) link.end--
  }
  return links.filter(({ start, end }) => start < end)
}
