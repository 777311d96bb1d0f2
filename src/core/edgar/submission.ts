/**
 * A submission as EDGAR serves it (`<SEC-DOCUMENT>`, `<IMS-DOCUMENT>`, `.nc` `<SUBMISSION>`, with or without a mail wrapper) →
 * its header and where its documents are.
 */
import { Content, type DocumentEntry, SubmissionError } from './document.ts'
import { type Header, readHeader } from './header.ts'
import { decodeHeader, decodeReferences, linesOf, readLine } from './sgml.ts'
import { Window } from './window.ts'

export { type DocumentEntry, decodeDocument, SubmissionError } from './document.ts'
export type { Address, Header, HeaderFiler, HeaderSeries } from './header.ts'

export interface Submission {
  header: Header
  documents: DocumentEntry[]
  /** Of the whole submission. */
  bytes: number
}

/** The container's tag stands within the mail wrapper's few lines of keys. */
const PREAMBLE_MAX = 16 * 1024
/** 469 filers, the most ever seen, take half a megabyte. */
const HEADER_MAX = 16 * 1024 * 1024
/** Type, sequence, name and description of a document. */
const TITLE_MAX = 64 * 1024
/** Ten times what any filing holds. */
const DOCUMENTS_MAX = 100_000
/** Blanks between `</TEXT>`, `</DOCUMENT>` and what follows it. */
const BLANKS_MAX = 4096

const CONTAINER =
  /^(?:\xef\xbb\xbf)?\s*(-----BEGIN PRIVACY-ENHANCED MESSAGE-----[\r\n](?:[^<\r\n][^\r\n]*[\r\n]|[\r\n])*)?<(SEC-DOCUMENT|IMS-DOCUMENT|SUBMISSION)>/
const OPEN = Buffer.from('<DOCUMENT>')
const CLOSE = Buffer.from('</DOCUMENT>')
const TEXT = Buffer.from('<TEXT>')
const TEXT_END = Buffer.from('</TEXT>')

/** What is known of a document before its place in the manifest is. */
type Found = Omit<DocumentEntry, 'seq'> & { sequence: number | null }

/**
 * Splits a submission in one pass and constant memory.
 *
 * A document ends at the `</TEXT>` and `</DOCUMENT>` that only blanks part, and after which the next document or the
 * container's end comes: text that quotes such tags, or a whole document inside another (0000037996-02-000015), ends nothing.
 *
 * `seq` of a document is its `<SEQUENCE>` if that is a number from 1 that no other document has. Otherwise it is the
 * document's position from 1 if that number is free, else the first free number above the number of documents.
 *
 * @throws SubmissionError when the submission is cut off or the bytes are no submission; never a short manifest. What is
 *   merely odd stands in `header.problems`
 */
export async function readSubmission(stream: AsyncIterable<Uint8Array>): Promise<Submission> {
  const splitter = new Splitter(new Window(stream))
  try {
    return await splitter.split()
  } finally {
    await splitter.close()
  }
}

class Splitter {
  private readonly window: Window
  private escaped = false
  /** `</SEC-DOCUMENT>` or its like. */
  private containerEnd: Buffer = Buffer.alloc(0)
  private readonly problems: string[] = []

  constructor(window: Window) {
    this.window = window
  }

  close(): Promise<void> {
    return this.window.close()
  }

  async split(): Promise<Submission> {
    const found: Found[] = []
    let at = await this.preamble()
    const headerEnd = await this.headerEnd(at)
    const header = readHeader(decodeHeader(this.window.bytes(at, headerEnd)))
    at = headerEnd
    while (this.window.has(OPEN, at)) {
      const document = await this.document(at, found.length + 1)
      found.push(document.entry)
      if (found.length > DOCUMENTS_MAX) throw new SubmissionError(`more than ${DOCUMENTS_MAX} documents`, document.next)
      at = document.next
    }
    const bytes = await this.rest(at + this.containerEnd.length)
    this.counted(header, found)
    const documents = this.numbered(found)
    header.problems.push(...this.problems)
    return { header, documents, bytes }
  }

  private counted({ documentCount }: Header, found: readonly Found[]): void {
    // EDGAR itself announces one more than there are where it rendered XBRL (0001193125-25-066253).
    const rendered = found.some(({ filename }) => filename === 'FilingSummary.xml') ? 1 : 0
    if (documentCount !== null && documentCount - rendered > found.length) {
      this.problems.push(`${documentCount} documents announced, ${found.length} found`)
    }
  }

  /** Offset of the container's tag. */
  private async preamble(): Promise<number> {
    const { window } = this
    await window.reach(PREAMBLE_MAX, 0)
    const match = CONTAINER.exec(window.bytes(0, PREAMBLE_MAX).toString('latin1'))
    if (!match)
      throw new SubmissionError(
        'no submission: it does not begin with <SEC-DOCUMENT>, <IMS-DOCUMENT> or <SUBMISSION>',
        0,
      )
    this.escaped = match[1] !== undefined
    this.containerEnd = Buffer.from(`</${match[2]}>`)
    return match[0].length - this.containerEnd.length + 1
  }

  /** Offset of the first document or, without any, of the container's end. */
  private async headerEnd(from: number): Promise<number> {
    const found = await this.firstLine([OPEN, this.containerEnd], from, from, from + HEADER_MAX)
    if (found === null) throw new SubmissionError('the header does not end', this.window.end)
    return found
  }

  private async document(from: number, position: number): Promise<{ entry: Found; next: number }> {
    const { window, escaped } = this
    const titleEnd = await this.firstLine([TEXT, CLOSE], from + OPEN.length, from, from + TITLE_MAX)
    if (titleEnd === null) throw new SubmissionError(`document ${position} has no <TEXT>`, window.end)
    const title = this.title(window.bytes(from + OPEN.length, titleEnd), position)
    const content = new Content(escaped)
    // A document without text closes at once.
    const start = this.window.has(TEXT, titleEnd) ? await this.lineEnd(titleEnd + TEXT.length) : titleEnd
    const { end, next } = await this.content(start, content, position)
    const { problems, ...facts } = content.finish(title.filename)
    for (const problem of problems) this.problems.push(`document ${position}: ${problem}`)
    return { entry: { ...title, ...facts, start, end, escaped }, next }
  }

  /** Feeds the content of a document; where it ends, and where the next document or the container's end begins. */
  private async content(start: number, content: Content, position: number): Promise<{ end: number; next: number }> {
    const { window } = this
    let fed = start
    let from = start
    for (;;) {
      const close = window.find(CLOSE, from)
      if (close >= 0) {
        from = close + CLOSE.length
        const end = this.textEnd(start, close)
        if (end === null) continue
        const needed = from + BLANKS_MAX + this.containerEnd.length
        if (needed > window.end) await window.reach(needed, fed)
        const next = this.following(from)
        if (next === null) continue
        content.feed(window.bytes(fed, end))
        return { end, next }
      }
      from = Math.max(from, window.end - CLOSE.length + 1)
      const settled = Math.max(fed, from - BLANKS_MAX - TEXT_END.length)
      content.feed(window.bytes(fed, settled))
      fed = settled
      if (!(await window.more(fed))) {
        throw new SubmissionError(
          `the submission is cut off: document ${position} does not end before ${this.containerEnd}`,
          window.end,
        )
      }
    }
  }

  /** Offset of the `</TEXT>` that ends before the `</DOCUMENT>` at `close`; of that itself in a document without text. */
  private textEnd(start: number, close: number): number | null {
    if (close === start) return close
    let at = close
    const limit = Math.max(start + TEXT_END.length, close - BLANKS_MAX)
    while (at > limit && isBlank(this.window.at(at - 1))) at--
    at -= TEXT_END.length
    return at >= start && this.window.has(TEXT_END, at) ? at : null
  }

  /** Offset of the document or container's end that follows after blanks. */
  private following(from: number): number | null {
    const { window } = this
    let at = from
    const limit = Math.min(window.end, from + BLANKS_MAX)
    while (at < limit && isBlank(window.at(at))) at++
    return this.window.has(OPEN, at) || this.window.has(this.containerEnd, at) ? at : null
  }

  /** Reads to the end of the stream; its length. Repeated closing tags and the end of the mail are no problem. */
  private async rest(from: number): Promise<number> {
    const { window } = this
    await window.reach(from + PREAMBLE_MAX, from)
    const after = window
      .bytes(from, from + PREAMBLE_MAX)
      .toString('latin1')
      .replaceAll(this.containerEnd.toString(), '')
      .replace('-----END PRIVACY-ENHANCED MESSAGE-----', '')
      .trim()
    if (after !== '') this.problems.push(`after the end: ${after.slice(0, 80)}`)
    while (await window.more(window.end));
    return window.end
  }

  /** Offset of the first of these tags at the beginning of a line, from `from` up to `limit`; keeps all from `keep` on. */
  private async firstLine(tags: readonly Buffer[], from: number, keep: number, limit: number): Promise<number | null> {
    const { window } = this
    let searched = from
    for (;;) {
      const found = tags.map((tag) => this.lineWith(tag, searched)).filter((at) => at >= 0)
      const first = Math.min(...found)
      if (found.length > 0) return first <= limit ? first : null
      // Back to the start of the last line, which may be a tag to come.
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

  /** Offset after the blanks and the line end at `from`; `from` itself when the text begins on this line. */
  private async lineEnd(from: number): Promise<number> {
    const { window } = this
    await window.reach(from + BLANKS_MAX, from)
    const text = window.bytes(from, from + BLANKS_MAX).toString('latin1')
    return from + (/^[ \t]*(?:\r\n|\r|\n)/.exec(text)?.[0].length ?? 0)
  }

  private title(bytes: Buffer, position: number): Pick<Found, 'type' | 'filename' | 'description' | 'sequence'> {
    const values: Record<string, string> = {}
    let last: string | null = null
    for (const line of linesOf(decodeHeader(bytes))) {
      if (line.trim() === '') continue
      const read = /^\s*</.test(line) ? readLine(line) : null
      if (read && TITLE.has(read.key)) {
        last = read.key
        values[last] ??= read.value
      } else if (last !== null && !read) {
        // Descriptions go on in the next line (0000320193-97-000011).
        values[last] = `${values[last]} ${decodeReferences(line.trim())}`.trim()
      } else {
        this.problems.push(`document ${position}: unknown line: ${line.trim().slice(0, 80)}`)
      }
    }
    const { TYPE: type = '', SEQUENCE: given = '', FILENAME: filename, DESCRIPTION: description } = values
    if (type === '') this.problems.push(`document ${position} has no type`)
    const sequence = /^\d{1,6}$/.test(given) && Number(given) > 0 ? Number(given) : null
    if (sequence === null) this.problems.push(`document ${position}: no sequence number: ${given}`)
    return { type, filename: filename || null, description: description || null, sequence }
  }

  private numbered(found: readonly Found[]): DocumentEntry[] {
    const holders = new Map<number, number>()
    for (const { sequence } of found) if (sequence !== null) holders.set(sequence, (holders.get(sequence) ?? 0) + 1)
    const taken = new Set([...holders].filter(([, count]) => count === 1).map(([sequence]) => sequence))
    for (const [sequence, count] of holders)
      if (count > 1) this.problems.push(`sequence ${sequence} stands ${count} times`)
    return found.map(({ sequence, ...entry }, index) => {
      let seq = sequence ?? 0
      if (holders.get(seq) !== 1) {
        seq = index + 1
        if (taken.has(seq)) for (seq = found.length + 1; taken.has(seq); ) seq++
        taken.add(seq)
      }
      return { seq, ...entry }
    })
  }
}

const TITLE = new Set(['TYPE', 'SEQUENCE', 'FILENAME', 'DESCRIPTION', 'FLAWED'])

const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
