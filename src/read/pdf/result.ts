/** What reading a PDF ends in, and within which bounds it is read. */
import { type Limits, LIMITS as OF_CALLS } from '../apart/call.ts'
import type { Markdown } from '../made-markdown.ts'

export type PdfText =
  | { kind: 'text'; markdown: Markdown; pages: number }
  /**
   * `encrypted`: it opens with a password only. `scanned`: its pages are pictures. `broken`: no PDF, or one that ended its
   * reader. `excessive`: beyond a limit.
   */
  | { kind: 'encrypted' | 'scanned' | 'broken' | 'excessive'; pages: number | null; reason: string }

/** What a PDF may have. */
export interface PdfBounds {
  pages: number
  /** Characters of all pages together, with the invisible ones outside of the page. */
  characters: number
}

/** PDFium has at most half of the memory of its process. */
export interface PdfLimits extends PdfBounds, Limits {
  /** The file's own. */
  bytes: number
}

/**
 * The largest brochure of the corpus has 63,917 characters; an X-17A-5 has 157,928. A printed web page has 827,508 on 21
 * pages, nine tenths of them outside of these.
 */
export const LIMITS: PdfLimits = {
  bytes: 128_000_000,
  pages: 3_000,
  characters: 12_000_000,
  ...OF_CALLS,
}
