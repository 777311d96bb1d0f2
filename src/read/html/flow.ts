/** The paragraph that is being read: pieces of text are put together, with blanks between them where people see them. */
import type { Image, Item, Link, Paragraph, Span } from './block.ts'
import { IMAGE } from './block.ts'
import { collapsed, preserved } from './characters.ts'
import type { Look } from './style.ts'

export interface Flow {
  /** @param text decoded */
  append(text: string, look: Look): void
  /** A blank that people see and the document has not, as where a cell of a layout ends. */
  gap(): void
  /** @returns whether the line before it was empty, so that a paragraph ends */
  lineBreak(): boolean
  image(image: Image, look: Look): void
  /** All text from here on leads to an address; null where a link ends. */
  link(address: string | null): void
  anchor(name: string): void
  length(): number
  /** Whether all there is so far is the sign of a point, or the number or letter of one or of a note. */
  isPointer(): boolean
  /** The paragraph so far, null where there is none; begins the next. */
  take(level: number, item: Item | null): Paragraph | null
  /** Text of `<pre>` so far. */
  takeLines(): string
}

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

export function openFlow(): Flow {
  let plain = ''
  /** The piece put last. To look at the end of `plain` itself would join all its pieces each time. */
  let tail = ''
  /** Where the last `^` was put; -1 where none was. */
  let caret = -1
  let spans: Span[] = []
  let links: Link[] = []
  let images: Image[] = []
  let anchors: string[] = []
  let address: string | null = null
  let linkStart = 0
  let blank = false

  function span(look: Look): void {
    const last = spans.at(-1)
    if (last === undefined) spans.push({ start: 0, look })
    else if (last.look !== look && differs(last.look, look) && spans.length < SPANS_MAX) {
      spans.push({ start: plain.length, look })
    }
  }

  function put(text: string, look: Look): void {
    const last = spans.at(-1)?.look
    if (blank) {
      if (tail !== '' && tail !== '\n') plain += ' '
    } else if (last !== undefined && last.raised !== look.raised) {
      // 66 2/3 %, whose 2 is set like the mark of a note.
      if (caret >= 0 && FRACTION.test(text)) plain = `${plain.slice(0, caret)} ${plain.slice(caret + 1)}`
      const sign = between(tail, text, look.raised)
      caret = sign === '^' ? plain.length : -1
      plain += sign
    }
    blank = false
    span(look)
    plain += text
    tail = text
  }

  function endLink(): void {
    if (address === null || plain.length <= linkStart) return
    const last = links.at(-1)
    // One link in several elements is one.
    if (last?.address === address && linkStart - last.end <= 1) last.end = plain.length
    else if (links.length < LINKS_MAX) links.push({ start: linkStart, end: plain.length, address })
  }

  return {
    append(raw, look) {
      if (look.pre) {
        span(look)
        plain += preserved(raw)
        return
      }
      const text = collapsed(raw)
      if (text === '') return
      if (text === ' ') {
        blank = true
        return
      }
      const from = text.startsWith(' ') ? 1 : 0
      const to = text.endsWith(' ') ? text.length - 1 : text.length
      blank ||= from === 1
      put(from === 0 && to === text.length ? text : text.slice(from, to), look)
      blank = to < text.length
    },
    gap() {
      blank = true
    },
    lineBreak() {
      blank = false
      if (plain === '') return false
      if (tail === '\n') return true
      plain += '\n'
      tail = '\n'
      return false
    },
    image(image, look) {
      blank ||= plain !== ''
      put(IMAGE, look)
      images.push(image)
      blank = true
    },
    link(next) {
      endLink()
      address = next
      linkStart = plain.length
    },
    anchor(name) {
      if (anchors.length < ANCHORS_MAX) anchors.push(name)
    },
    length: () => plain.length,
    isPointer: () => plain.length <= POINTER_MAX && POINTER.test(plain),
    take(level, item) {
      blank = false
      if (plain === '') {
        linkStart = 0
        return null
      }
      endLink()
      linkStart = 0
      const text = plain.trimEnd()
      const found: Paragraph = {
        kind: 'paragraph',
        plain: text,
        spans,
        links: links.length === 0 ? NONE : trimmed(links, text),
        images: images.length === 0 ? NONE : images,
        level,
        item,
        laid: false,
        anchors: anchors.length === 0 ? NONE : anchors,
      }
      plain = ''
      tail = ''
      caret = -1
      spans = []
      if (links.length > 0) links = []
      if (images.length > 0) images = []
      if (anchors.length > 0) anchors = []
      return text === '' ? null : found
    },
    takeLines() {
      const text = plain
      plain = ''
      tail = ''
      spans = []
      links = []
      return text
    },
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
