/** PDF → Markdown. The bytes are read in a process of their own, so that those that crash or swell it fail alone. */
import { readApart } from './pdf/process.ts'
import { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

export { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

/** The module whose digest (`store/code.ts`) changes when PDFs may be read otherwise: it runs in the other process. */
export const READER = new URL('pdf/thread.ts', import.meta.url)

/** Where the header of a PDF begins at the latest; readers of all kinds allow something before it. */
const HEADER = 1024

/**
 * Reads a PDF: headings, paragraphs, lists and tables of all its pages.
 *
 * @param limits what differs from `LIMITS`
 * @returns the text, or why there is none; it never rejects for what the bytes hold
 */
export async function readPdf(bytes: Uint8Array, limits: Partial<PdfLimits> = {}): Promise<PdfText> {
  const all = { ...LIMITS, ...limits }
  if (bytes.length > all.bytes)
    return { kind: 'excessive', pages: null, reason: `it has ${bytes.length} bytes, more than ${all.bytes}` }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER))
  if (!head.includes('%PDF-')) return { kind: 'broken', pages: null, reason: 'it is no PDF: it has no header of one' }
  return readApart({ bytes, limits: all })
}
