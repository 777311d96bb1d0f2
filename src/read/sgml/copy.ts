/** Copies a submission while it is split, without the contents of documents that nobody wants. */
import type { Content, DocumentEntry } from './document.ts'
import type { Window } from './window.ts'

/** Where a copy goes, and what belongs in it. */
export interface Keep {
  /** Asked once for each document, when its first bytes have passed by. */
  wants(document: Pick<DocumentEntry, 'type' | 'filename' | 'wrapper' | 'mediaType'>): boolean
  /** Takes the next bytes of the copy, which the caller reuses afterwards. Reading waits for it. */
  write(bytes: Buffer): Promise<void> | void
}

type Title = Pick<DocumentEntry, 'type' | 'filename'>

export class Copy {
  private readonly window: Window
  private readonly keep: Keep
  /** Up to where the submission was copied, left out or held back. */
  private at = 0
  /** What is known of the document whose content passes by: nothing until its first bytes have. */
  private wanted: boolean | null = null
  /** Content that waits for this: 2 KB and some. */
  private held: Buffer[] = []

  constructor(window: Window, keep: Keep) {
    this.window = window
    this.keep = keep
  }

  /** Copies everything up to an offset. What lies before it must be held still. */
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

  /** To be called when the content was `finish`ed. @returns whether it was left out */
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
    if (at < window.start) throw new Error(`byte ${at} of the submission is let go of before it is copied`)
    this.at = offset
    return window.bytes(at, offset)
  }
}
