/**
 * Reads one document of a submission: determines the type of the document while its bytes pass, and returns these bytes
 * decoded.
 */
import { mediaType } from './media.ts'
import { DashUnescaper } from './pem.ts'
import { Uudecoder } from './uuencode.ts'

/** A submission is cut off, or the bytes are not a submission. */
export class SubmissionError extends Error {
  /** Position in the submission, in bytes. */
  readonly offset: number
  /**
   * Whether the host sent a page for people, or nothing, in place of the submission. The host may send the submission
   * later.
   */
  readonly isAnotherPage: boolean
  constructor(message: string, offset: number, { isAnotherPage = false } = {}) {
    super(`${message} (byte ${offset})`)
    this.name = 'SubmissionError'
    this.offset = offset
    this.isAnotherPage = isAnotherPage
  }
}

export interface DocumentEntry {
  /** Unique in a submission: `<SEQUENCE>` if no other document has it, else a number by the rules of `numbered`. */
  seq: number
  type: string
  filename: string | null
  description: string | null
  /** The tag directly inside `<TEXT>`. */
  wrapper: 'XML' | 'XBRL' | 'PDF' | null
  encoding: 'text' | 'uuencode'
  /**
   * Media type, determined by the decoded bytes first, then by the file name; with `; charset=…` if the document
   * declares one.
   */
  mediaType: string
  /**
   * Byte offsets in the submission of the content between `<TEXT>` and `</TEXT>`; the line end after `<TEXT>` counts as
   * part of the tag.
   */
  start: number
  end: number
  /** Bytes after decoding, wrapper tags included. */
  size: number
  /**
   * Whether the document is part of a privacy-enhanced mail. In such a mail each line that begins with a dash has `- `
   * before it, which decoding removes.
   */
  escaped: boolean
  /** Set if the submission ends before the end of the document. */
  cutOff?: true
}

/** Number of bytes at the start of a document that are searched for its wrapper, encoding and type. */
const HEAD = 2048
const WRAPPER = /^\s*<(XML|XBRL|PDF)>[ \t]*(?:\r\n|\r|\n)?/
/**
 * Matches the first two lines of uuencode: mode and name, which may be missing, and a line of the code, which has no
 * small letters. A text may begin with the words "begin 2001 with a plan".
 */
const BEGIN = /^\s*begin [0-7]{3,4}(?:[ \t]([^\r\n]*))?(?:\r\n|\r|\n)[\r\n]*(?:[ -`]+(?:[\r\n]|$)|end\b)/
/** Number of bytes at the end of a document that are searched for its closing wrapper tag. */
const TAIL = 4096

/** Determines the facts of a document from its raw bytes, which come in pieces of any size. */
export class Content {
  private readonly unescaper: DashUnescaper | null
  private head: Buffer[] | null = []
  private headSize = 0
  private start: Buffer = Buffer.alloc(0)
  private wrapper: DocumentEntry['wrapper'] = null
  private uuencode: Uudecoder | null = null
  /** The name in the line `begin`, which says the type of a document without `<FILENAME>`. */
  private encodedName: string | null = null
  private plainSize = 0

  constructor(escaped: boolean) {
    this.unescaper = escaped ? new DashUnescaper() : null
  }

  /** Takes bytes, which the caller may reuse afterwards. */
  feed(bytes: Buffer): void {
    this.take(this.unescaper ? this.unescaper.feed(bytes) : bytes)
  }

  /** Must be called once, after all bytes. `problems` lists the faults of the encoding. */
  finish(
    filename: string | null,
  ): Pick<DocumentEntry, 'wrapper' | 'encoding' | 'mediaType' | 'size'> & { problems: string[] } {
    if (this.unescaper) this.take(this.unescaper.finish())
    if (this.head) this.recognise()
    const { wrapper, uuencode, start } = this
    const media = mediaType(start, filename ?? this.encodedName)
    if (!uuencode) return { wrapper, encoding: 'text', mediaType: media, size: this.plainSize, problems: [] }
    uuencode.finish()
    const problems: string[] = []
    if (!uuencode.ended) problems.push('uuencoded text without its end line')
    if (uuencode.badLines > 0) problems.push(`${uuencode.badLines} unreadable lines of uuencoded text`)
    return { wrapper, encoding: 'uuencode', mediaType: media, size: uuencode.size, problems }
  }

  /** Returns the wrapper and type of the document; null until enough bytes were fed to decide. */
  recognised(filename: string | null): Pick<DocumentEntry, 'wrapper' | 'mediaType'> | null {
    return this.head ? null : { wrapper: this.wrapper, mediaType: mediaType(this.start, filename ?? this.encodedName) }
  }

  private take(bytes: Buffer): void {
    this.plainSize += bytes.length
    if (!this.head) {
      this.uuencode?.feed(bytes)
      return
    }
    this.head.push(Buffer.from(bytes))
    this.headSize += bytes.length
    if (this.headSize >= HEAD) this.recognise()
  }

  private recognise(): void {
    const all = Buffer.concat(this.head!)
    this.head = null
    // At most HEAD bytes are used: the result must not depend on how the bytes were cut into chunks.
    const text = all.subarray(0, HEAD).toString('latin1')
    const tag = WRAPPER.exec(text)
    this.wrapper = (tag?.[1] as DocumentEntry['wrapper']) ?? null
    const inner = tag ? tag[0].length : 0
    const begin = BEGIN.exec(text.slice(inner))
    if (begin) {
      this.encodedName = begin[1]?.trim() || null
      this.start = new Uudecoder().feed(all.subarray(0, HEAD))
      this.uuencode = new Uudecoder({ measure: true })
      this.uuencode.feed(all)
    } else {
      this.start = all.subarray(inner, HEAD)
    }
  }
}

/**
 * Yields the decoded bytes of one document.
 *
 * @param stream bytes `entry.start` to `entry.end` of its submission
 * @param options `unwrapped`: without the wrapper's tags
 * @throws SubmissionError if the stream has fewer or more bytes than the entry
 */
export async function* decodeDocument(
  stream: AsyncIterable<Uint8Array>,
  entry: DocumentEntry,
  { unwrapped = false }: { unwrapped?: boolean } = {},
): AsyncGenerator<Buffer> {
  const whole = exactly(stream, entry)
  const plain = entry.escaped ? through(whole, new DashUnescaper()) : whole
  if (entry.encoding === 'uuencode') yield* through(plain, new Uudecoder())
  else if (unwrapped && entry.wrapper) yield* through(plain, new Unwrapper(entry.wrapper))
  else yield* plain
}

async function* exactly(stream: AsyncIterable<Uint8Array>, { seq, start, end }: DocumentEntry): AsyncGenerator<Buffer> {
  let at = start
  for await (const chunk of stream) {
    at += chunk.length
    if (at > end) throw new SubmissionError(`document ${seq} ends at byte ${end}, more was given`, at)
    yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length)
  }
  if (at < end) throw new SubmissionError(`document ${seq} is cut off: it ends at byte ${end}`, at)
}

interface Decoder {
  feed(bytes: Buffer): Buffer
  finish(): Buffer
}

async function* through(stream: AsyncIterable<Buffer>, decoder: Decoder): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    const decoded = decoder.feed(chunk)
    if (decoded.length > 0) yield decoded
  }
  const last = decoder.finish()
  if (last.length > 0) yield last
}

/** Removes the wrapper's opening tag with its line end, and its closing tag with the blanks after it. */
class Unwrapper implements Decoder {
  private readonly closing: RegExp
  private opened = false
  private held: Buffer = Buffer.alloc(0)

  constructor(wrapper: string) {
    this.closing = new RegExp(`[ \\t]*</${wrapper}>\\s*$`)
  }

  feed(bytes: Buffer): Buffer {
    let all: Buffer = Buffer.concat([this.held, bytes])
    if (all.length < HEAD + TAIL) {
      this.held = all
      return Buffer.alloc(0)
    }
    if (!this.opened) all = this.open(all)
    this.held = all.subarray(all.length - TAIL)
    return all.subarray(0, all.length - TAIL)
  }

  finish(): Buffer {
    const all = this.opened ? this.held : this.open(this.held)
    const tail = Math.max(0, all.length - TAIL)
    const closing = this.closing.exec(all.subarray(tail).toString('latin1'))
    return closing ? all.subarray(0, tail + closing.index) : all
  }

  private open(all: Buffer): Buffer {
    this.opened = true
    return all.subarray(WRAPPER.exec(all.subarray(0, HEAD).toString('latin1'))?.[0].length ?? 0)
  }
}
