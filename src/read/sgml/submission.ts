/**
 * Finds the header and the documents of a submission as EDGAR serves it (`<SEC-DOCUMENT>`, `<IMS-DOCUMENT>`, `.nc`
 * `<SUBMISSION>`, with or without a mail wrapper).
 */

import { excerpt } from '../text.ts'
import { Copy, type Keep } from './copy.ts'
import { Content, type DocumentEntry, SubmissionError } from './document.ts'
import { type Header, readHeader } from './header.ts'
import { decodeHeader } from './line.ts'
import { lackingOf, numbered } from './sequence.ts'
import { readTitle, type Title } from './title.ts'
import { type Tag, Window } from './window.ts'

export type { Keep } from './copy.ts'
export { type DocumentEntry, decodeDocument, SubmissionError } from './document.ts'
export type { Header } from './header.ts'

export interface Submission {
  header: Header
  documents: DocumentEntry[]
  /** `seq` of the documents whose content was not copied; empty if nothing was copied at all. */
  dropped: number[]
  /** Length of the whole submission. */
  bytes: number
}

/** The mail wrapper has a few lines of keys. The container's tag must begin within this many bytes. */
const PREAMBLE_MAX = 16 * 1024
/** Maximum size of the header: 469 filers, the largest number in any submission, take half a megabyte. */
const HEADER_MAX = 4 * 1024 * 1024
/** Longest title of a document: its type, sequence, file name and description. */
const TITLE_MAX = 64 * 1024
/** Maximum number of documents: twice as many as any real filing has. */
const DOCUMENTS_MAX = 20_000
/** Maximum number of recorded problems; further problems would add nothing. */
const PROBLEMS_MAX = 100
/** Maximum number of blanks between `</TEXT>`, `</DOCUMENT>` and the next tag. */
const BLANKS_MAX = 4096

/** Number of bytes of a document's title that are read to find the number of the document. */
const TITLE_LOOK = 256
/** Number of bytes after a closing tag that are examined. */
const LOOK_MAX = BLANKS_MAX + TITLE_LOOK

const CONTAINER =
  /^(?:\xef\xbb\xbf)?\s*(-----BEGIN PRIVACY-ENHANCED MESSAGE-----[\r\n](?:[^<\r\n][^\r\n]*[\r\n]|[\r\n])*)?<(SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION)>/
/** Nothing, or the start of a page for people. */
const ANOTHER_PAGE = /^(?:\xef\xbb\xbf)?\s*(?:$|<!doctype html|<html)/i
const OPEN = Buffer.from('<DOCUMENT>')
const CLOSE = Buffer.from('</DOCUMENT>')
const TEXT = Buffer.from('<TEXT>')
const TEXT_END = Buffer.from('</TEXT>')

/**
 * The common end of the tags between documents. One search for this end finds all of these tags: a search for each tag
 * took 1.5 times as long.
 */
const TAG_END = Buffer.from('DOCUMENT>')

const LACKS_BOTH = `${TEXT_END} and ${CLOSE}`
/** Tags at the end of a document's own markup. */
const MARKUP_END = /<\/(?:xml|html|body|xbrl|pdf|table)>$/i

/** The end of a document's content, and which of its closing tags is missing. */
interface Ending {
  end: number
  lacks?: string
}

/** The facts of a document before its `seq` is known. */
type UnnumberedDocument = Omit<DocumentEntry, 'seq'> & Title

/**
 * Splits a submission in one pass and constant memory. A document ends at a `</TEXT>` followed by a `</DOCUMENT>`, with
 * only blanks between the two, if the next document or the container's end follows. So a text that quotes such tags
 * does not end at the quotation. A document that contains a whole other document does not end at the end of the inner
 * document (0000037996-02-000015). If one of the two tags is missing, a problem is recorded, and the document ends at
 * the other tag. After that tag the document with the next number or the container's end must follow. If both tags are
 * missing, the document ends at the end of the container. The document also ends before the document with the next
 * number, if its own markup has ended or the header announces more documents.
 *
 * If a submission is cut off after its header, the documents before the cut are returned. The position of the cut is
 * stated in `header.cutOff`, and in `cutOff` of the last document unless this document is complete.
 *
 * @param keep receives the submission as it is read, without the content of documents that it does not want
 * @throws SubmissionError if the bytes are not a submission, or are cut off in the header. Lesser faults are listed in
 *   `header.problems`
 */
export async function readSubmission(stream: AsyncIterable<Uint8Array>, keep?: Keep): Promise<Submission> {
  const splitter = new Splitter(new Window(stream), keep)
  try {
    return await splitter.split()
  } finally {
    await splitter.close()
  }
}

class Splitter {
  private readonly window: Window
  private escaped = false
  /** The end tag of the container: `</SEC-DOCUMENT>` or a similar tag. */
  private containerEnd: Buffer = Buffer.alloc(0)
  /** Number of documents that the header announces. */
  private expected = 0
  private readonly problems: string[] = []
  /** Number of problems beyond the recorded problems. */
  private more = 0
  private readonly copy: Copy | null
  /** Positions of documents that the copy leaves out. */
  private readonly dropped = new Set<number>()

  constructor(window: Window, keep: Keep | undefined) {
    this.window = window
    this.copy = keep ? new Copy(window, keep) : null
  }

  close(): Promise<void> {
    return this.window.close()
  }

  async split(): Promise<Submission> {
    const found: UnnumberedDocument[] = []
    let at = await this.preamble()
    await this.copy?.through(at)
    const headerEnd = await this.headerEnd(at)
    await this.copy?.through(headerEnd)
    const header = readHeader(decodeHeader(this.window.bytes(at, headerEnd)))
    at = headerEnd
    this.expected = header.documentCount ?? 0
    while (header.cutOff === undefined && this.window.has(OPEN, at)) {
      const document = await this.document(at, found.length + 1)
      if (document === null) header.cutOff = this.cut(`in the title of document ${found.length + 1}`)
      else {
        found.push(document.entry)
        if (document.entry.cutOff) header.cutOff = this.cut(`in document ${found.length}`)
        else if (document.next === null) header.cutOff = this.cut(`after document ${found.length}`)
        at = document.next ?? at
      }
      if (found.length > DOCUMENTS_MAX) throw new SubmissionError(`more than ${DOCUMENTS_MAX} documents`, at)
    }
    const bytes = header.cutOff === undefined ? await this.rest(at) : this.window.end
    const lacking = lackingOf(header, found)
    if (lacking) this.problem(lacking)
    await this.copy?.through(this.window.end)
    const documents = numbered(found, (what) => this.problem(what))
    const dropped = documents.filter((_, index) => this.dropped.has(index)).map(({ seq }) => seq)
    header.problems.push(...this.problems, ...(this.more > 0 ? [`and ${this.more} more problems`] : []))
    return { header, documents, dropped, bytes }
  }

  private problem(what: string): void {
    if (this.problems.length < PROBLEMS_MAX) this.problems.push(what)
    else this.more++
  }

  private cut(where: string): string {
    const cutOff = `the submission is cut off ${where}, at byte ${this.window.end}`
    this.problems.unshift(cutOff)
    return cutOff
  }

  /** Returns the offset of the container's tag. */
  private async preamble(): Promise<number> {
    const { window } = this
    await window.reach(PREAMBLE_MAX, 0)
    const start = window.bytes(0, PREAMBLE_MAX).toString('latin1')
    const match = CONTAINER.exec(start)
    if (!match) {
      const isAnotherPage = ANOTHER_PAGE.test(start)
      const what = isAnotherPage ? 'it is empty or a page of HTML, and' : 'it'
      throw new SubmissionError(
        `not a submission: ${what} does not begin with <SEC-DOCUMENT>, <IMS-DOCUMENT> or <SUBMISSION>`,
        0,
        { isAnotherPage },
      )
    }
    this.escaped = match[1] !== undefined
    this.containerEnd = Buffer.from(`</${match[2]}>`)
    return match[0].length - this.containerEnd.length + 1
  }

  /** Returns the offset of the first document or, if there is none, of the container's end. */
  private async headerEnd(from: number): Promise<number> {
    const found = await this.firstLine([OPEN, this.containerEnd], from, from, from + HEADER_MAX)
    if (found === null) throw new SubmissionError('the header does not end', this.window.end)
    return found
  }

  /**
   * Reads a document. Returns null if the submission ends in the document's title. `next` is null if the submission
   * ends after the document.
   */
  private async document(
    from: number,
    position: number,
  ): Promise<{ entry: UnnumberedDocument; next: number | null } | null> {
    const { window, escaped } = this
    const limit = from + TITLE_MAX
    const titleEnd = await this.firstLine([TEXT, CLOSE], from + OPEN.length, from, limit)
    if (titleEnd === null && window.end > limit)
      throw new SubmissionError(`document ${position} has no <TEXT>`, window.end)
    if (titleEnd === null) return null
    const title = readTitle(window.bytes(from + OPEN.length, titleEnd), (what) =>
      this.problem(`document ${position}${what}`),
    )
    const content = new Content(escaped)
    await this.copy?.through(titleEnd)
    // A document without text has no `<TEXT>`, and its closing tag follows at once.
    const start = window.has(TEXT, titleEnd) ? await this.lineEnd(titleEnd) : titleEnd
    await this.copy?.through(start)
    const { end, next, cutOff, lacks } = await this.content(start, title, content, title.sequence ?? position)
    if (lacks) this.problem(`document ${position} has no ${lacks}`)
    const { problems, ...facts } = content.finish(title.filename)
    if (await this.copy?.closed(title, content)) this.dropped.add(position - 1)
    await this.copy?.through(next ?? window.end)
    for (const problem of problems) this.problem(`document ${position}: ${problem}`)
    return { entry: { ...title, ...facts, start, end, escaped, ...(cutOff ? { cutOff } : {}) }, next }
  }

  /**
   * Feeds the content of a document. Returns where it ends, and where the next document or the container's end begins.
   * `next` is null if the submission is cut off.
   */
  private async content(
    start: number,
    title: Title,
    content: Content,
    sequence: number,
  ): Promise<Ending & { next: number | null; cutOff?: true }> {
    const { window } = this
    const tagEnd = window.seeker(...(hasTagEnd(this.containerEnd) ? [TAG_END] : [TAG_END, this.containerEnd]))
    let fed = start
    let from = start
    /**
     * The last position at which the document would end if only blanks and a part of a tag came after this position.
     */
    let last: { end: number; closed: number } | null = null
    const settle = async (to: number) => {
      const settled = Math.max(fed, to)
      content.feed(window.bytes(fed, settled))
      await this.copy?.content(settled, title, content)
      fed = settled
    }
    for (;;) {
      const found = tagEnd(from)
      if (found) {
        from = found.at + found.is.length
        const tag = this.tagBefore(from)
        if (tag === null) continue
        if (from + LOOK_MAX > window.end) {
          // If a text has many such tags, the bytes before this tag are passed on now, so that they do not stay in
          // memory.
          await settle(tag.at - BLANKS_MAX - TEXT_END.length)
          await window.reach(from + LOOK_MAX, fed)
        }
        const end = tag.is === CLOSE || tag.at > start ? this.textEnd(start, tag.at) : null
        if (tag.is === CLOSE && end !== null) last = { end, closed: from }
        const next = tag.is === CLOSE ? this.following(from) : tag.at
        if (next === null) continue
        const ending = this.endingAt(tag, end, next, start, sequence)
        if (ending === null) continue
        await settle(ending.end)
        return { ...ending, next }
      }
      from = Math.max(from, window.end - this.containerEnd.length + 1)
      await settle(from - BLANKS_MAX - TEXT_END.length)
      if (await window.more(fed)) continue
      const isWhole = last !== null && last.end >= fed && this.endsAfter(last.closed)
      const closed = isWhole ? null : this.containerEndAfter(fed)
      if (closed !== null) {
        await settle(closed)
        return { end: closed, lacks: LACKS_BOTH, next: closed }
      }
      const end = isWhole ? last!.end : window.end
      await settle(end)
      return { end, next: null, ...(isWhole ? {} : { cutOff: true }) }
    }
  }

  /** Returns the tag that ends here. */
  private tagBefore(end: number): Tag | null {
    const is = [CLOSE, OPEN, this.containerEnd].find((one) => this.window.has(one, end - one.length))
    return is ? { at: end - is.length, is } : null
  }

  /**
   * Returns how a document ends at this tag; null if the document does not end here. If one of its closing tags is
   * missing, the document ends here only if the container's end or the document with the next number follows.
   *
   * @param text offset of the `</TEXT>` before the tag
   * @param next offset of the tag that follows
   */
  private endingAt({ at, is }: Tag, text: number | null, next: number, start: number, sequence: number): Ending | null {
    if (is === CLOSE && text !== null) return { end: text }
    const isEnd = this.window.has(this.containerEnd, next) || this.numberAt(next) === sequence + 1
    if (is === CLOSE) return isEnd ? { end: at, lacks: TEXT_END.toString() } : null
    if (text !== null && isEnd) return { end: text, lacks: CLOSE.toString() }
    return is === OPEN && this.beginsNext(at, start, sequence) ? { end: at, lacks: LACKS_BOTH } : null
  }

  /** Whether the document with the next number begins here, after a document without closing tags. */
  private beginsNext(at: number, start: number, sequence: number): boolean {
    if (this.numberAt(at) !== sequence + 1) return false
    const before = this.window
      .bytes(Math.max(start, this.window.start, at - LOOK_MAX), at)
      .toString('latin1')
      .trimEnd()
    const isLine =
      at === start ||
      /[\r\n][ \t]*$/.test(this.window.bytes(Math.max(start, this.window.start, at - 80), at).toString('latin1'))
    return isLine && (MARKUP_END.test(before.slice(-16)) || sequence < this.expected)
  }

  /** Returns where the container ends, if nothing else follows that end in the rest of the stream. */
  private containerEndAfter(from: number): number | null {
    const rest = this.window.bytes(from, this.window.end).toString('latin1')
    const at = rest.lastIndexOf(this.containerEnd.toString())
    const after = rest.slice(at + this.containerEnd.length).replace('-----END PRIVACY-ENHANCED MESSAGE-----', '')
    return at > 0 && /[\r\n]$/.test(rest.slice(0, at)) && after.trim() === '' ? from + at : null
  }

  /** Returns the number of the document that begins here. */
  private numberAt(at: number): number | null {
    const title = this.window.bytes(at, at + TITLE_LOOK).toString('latin1')
    const number = /^<DOCUMENT>\s{1,9}<TYPE>[^<\r\n]{1,99}[\r\n]\s{0,9}<SEQUENCE>(\d{1,6})\s/.exec(title)?.[1]
    return number === undefined ? null : Number(number)
  }

  /** Whether the rest of the stream has only blanks, or blanks and the beginning of a tag. */
  private endsAfter(at: number): boolean {
    const rest = this.window.bytes(at, this.window.end).toString('latin1').trimStart()
    return [OPEN, this.containerEnd].some((tag) => tag.toString().startsWith(rest))
  }

  /**
   * Returns the offset of the `</TEXT>` that ends before the tag at `close`; `close` itself for a document without
   * text.
   */
  private textEnd(start: number, close: number): number | null {
    if (close === start) return close
    let at = close
    const limit = Math.max(start + TEXT_END.length, close - BLANKS_MAX)
    while (at > limit && isBlank(this.window.at(at - 1))) at--
    at -= TEXT_END.length
    return at >= start && this.window.has(TEXT_END, at) ? at : null
  }

  /** Returns the offset of the next document or the container's end, if only blanks come before it. */
  private following(from: number): number | null {
    const { window } = this
    let at = from
    const limit = Math.min(window.end, from + BLANKS_MAX)
    while (at < limit && isBlank(window.at(at))) at++
    return this.window.has(OPEN, at) || this.window.has(this.containerEnd, at) ? at : null
  }

  /**
   * Reads to the end of the stream and returns its length. Repeated closing tags and the end of the mail are not
   * problems.
   */
  private async rest(end: number): Promise<number> {
    const { window } = this
    const from = end + this.containerEnd.length
    await window.reach(from + PREAMBLE_MAX, end)
    const after = window
      .bytes(from, from + PREAMBLE_MAX)
      .toString('latin1')
      .replaceAll(this.containerEnd.toString(), '')
      .replace('-----END PRIVACY-ENHANCED MESSAGE-----', '')
      .trim()
    if (after !== '') this.problem(`after the end: ${excerpt(after, 80)}`)
    do await this.copy?.through(window.end)
    while (await window.more(window.end))
    return window.end
  }

  /**
   * Returns the offset of the first of these tags at the start of a line, from `from` up to `limit`. Keeps all bytes
   * from `keep` on.
   */
  private async firstLine(tags: readonly Buffer[], from: number, keep: number, limit: number): Promise<number | null> {
    const { window } = this
    let searched = from
    for (;;) {
      const found = tags.map((tag) => this.lineWith(tag, searched)).filter((at) => at >= 0)
      const first = Math.min(...found)
      if (found.length > 0) return first <= limit ? first : null
      // Goes back by `BLANKS_MAX` bytes, since a tag may begin in the last bytes that were searched.
      searched = Math.max(searched, window.end - BLANKS_MAX)
      if (window.end > limit || !(await window.more(keep))) return null
    }
  }

  private lineWith(tag: Buffer, from: number): number {
    const { window } = this
    for (let at = window.find(tag, from); at >= 0; at = window.find(tag, at + 1)) {
      let before = at
      while (before > window.start && (window.at(before - 1) === 0x20 || window.at(before - 1) === 0x09)) before--
      if (before === window.start || window.at(before - 1) === 0x0a || window.at(before - 1) === 0x0d) return at
    }
    return -1
  }

  /**
   * Returns the offset of the line after the tag at `tag`. If the text begins on the line of the tag, returns the offset
   * right after the tag.
   */
  private async lineEnd(tag: number): Promise<number> {
    const { window } = this
    const from = tag + TEXT.length
    await window.reach(from + BLANKS_MAX, tag)
    const text = window.bytes(from, from + BLANKS_MAX).toString('latin1')
    return from + (/^[ \t]*(?:\r\n|\r|\n)/.exec(text)?.[0].length ?? 0)
  }
}

const hasTagEnd = (tag: Buffer) => tag.subarray(-TAG_END.length).equals(TAG_END)

const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
