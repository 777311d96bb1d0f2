/** The results of reading a PDF, and its limits. */
import { type Limits, LIMITS as OF_CALLS } from '../apart/call.ts'
import type { Markdown } from '../made-markdown.ts'

export type PdfText =
  | { kind: 'text'; markdown: Markdown; pages: number }
  /**
   * `encrypted`: the file needs a password. `scanned`: its pages are pictures. `broken`: the file is not a PDF, or the
   * process that read it died. `excessive`: it exceeds a limit.
   */
  | { kind: 'encrypted' | 'scanned' | 'broken' | 'excessive'; pages: number | null; reason: string }

/** The limits of the content of a PDF. */
export interface PdfBounds {
  pages: number
  /** Characters of all pages together, including the invisible characters outside the page. */
  characters: number
}

/** PDFium gets at most half of the memory of its process. */
export interface PdfLimits extends PdfBounds, Limits {
  /** Size of the file. */
  bytes: number
}

/**
 * The largest brochure of the corpus has 63,917 characters; an X-17A-5 has 157,928. A printed web page has 827,508
 * characters on 21 pages, nine tenths of them outside the pages.
 */
export const LIMITS: PdfLimits = {
  bytes: 128_000_000,
  pages: 3_000,
  characters: 12_000_000,
  ...OF_CALLS,
}
