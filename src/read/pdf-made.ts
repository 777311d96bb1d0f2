/**
 * Makes the text of a PDF with PDFium. This function is called in a separate process, since the bytes come from
 * outside.
 */
import type { Caller } from './apart/call.ts'
import { readFile } from './pdf/file.ts'
import { type Library, openLibrary } from './pdf/library.ts'
import type { PdfBounds, PdfText } from './pdf/result.ts'

/** PDFium never frees memory, so a process is not used again if its PDFium holds more than this number of bytes. */
const KEPT = 200_000_000

let library: Promise<Library> | undefined

export async function makePdfText(
  { bytes, bounds }: { bytes: Uint8Array; bounds: PdfBounds },
  { limits, retire }: Pick<Caller, 'limits' | 'retire'>,
): Promise<PdfText> {
  const most = limits.memory / 2
  library ??= openLibrary(most)
  const pdf = await library
  try {
    const result = readFile(pdf, bytes, bounds)
    if (!pdf.refused()) {
      if (pdf.held() > KEPT) retire()
      return result
    }
  } catch (error) {
    if (!pdf.refused()) {
      leave()
      const reason = `the reader gave up: ${(error as Error).message.split('\n')[0]}`
      return { kind: 'broken', pages: null, reason }
    }
  }
  leave()
  return { kind: 'excessive', pages: null, reason: `it needs more than ${Math.round(most / 1e6)} MB of memory` }

  /** Retires the process, since the state of PDFium is unknown. */
  function leave() {
    library = undefined
    retire()
  }
}
