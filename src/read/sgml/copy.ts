/** Copies a submission while it is split, and leaves out the contents of unwanted documents. */
import type { Content, DocumentEntry } from './document.ts'
import type { Window } from './window.ts'

/** The destination of a copy, and the function that chooses the documents to be copied. */
export interface Keep {
  /** Called once for each document, after its first bytes were read. */
  wants(document: Pick<DocumentEntry, 'type' | 'filename' | 'wrapper' | 'mediaType'>): boolean
  /**
   * Receives the next bytes of the copy. The caller reuses the bytes afterwards, so the caller waits until this call
   * has returned.
   */
  write(bytes: Buffer): Promise<void> | void
}

type Title = Pick<DocumentEntry, 'type' | 'filename'>

export class Copy {
  private readonly window: Window
  private readonly keep: Keep
  /** Offset up to which the submission was copied, left out or held back. */
  private at = 0
  /** Whether the current document is wanted; null until its first bytes have been read. */
  private wanted: boolean | null = null
  /** Content that waits until it is known whether the document is wanted: a little more than 2 KB. */
  private held: Buffer[] = []

  constructor(window: Window, keep: Keep) {
    this.window = window
    this.keep = keep
  }

  /** Copies everything up to an offset. The window must still hold the bytes before the offset. */
  async through(offset: number): Promise<void> {
    if (offset <= this.at) return
    const bytes = this.next(offset)
    if (bytes.length > 0) await this.keep.write(bytes)
  }

  /** Copies the content of a document up to an offset, or leaves it out. */
  async content(offset: number, title: Title, content: Content): Promise<void> {
    if (offset <= this.at) return
    const bytes = this.next(offset)
    if (!this.knows(title, content)) this.held.push(Buffer.from(bytes))
    else if (this.wanted) {
      await this.release()
      await this.keep.write(bytes)
    }
  }

  /** Ends a document; must be called after `finish` of its content. @returns whether the content was left out */
  async closed(title: Title, content: Content): Promise<boolean> {
    this.knows(title, content)
    const { wanted } = this
    if (wanted) await this.release()
    this.wanted = null
    this.held = []
    return !wanted
  }

  private knows({ type, filename }: Title, content: Content): boolean {
    if (this.wanted !== null) return true
    const found = content.recognised(filename)
    if (found) this.wanted = this.keep.wants({ type, filename, ...found })
    if (this.wanted === false) this.held = []
    return found !== null
  }

  private async release(): Promise<void> {
    for (const bytes of this.held.splice(0)) await this.keep.write(bytes)
  }

  private next(offset: number): Buffer {
    const { at, window } = this
    if (at < window.start) throw new Error(`byte ${at} of the submission is released before it is copied`)
    this.at = offset
    return window.bytes(at, offset)
  }
}
