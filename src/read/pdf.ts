/** PDF → Markdown. The bytes are read in a process of their own, so that those that crash or swell it fail alone. */
import { callApart, Died, Excessive } from './apart/process.ts'
import { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

export { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

/** The module whose digest (`store/code.ts`) changes when PDFs may be read otherwise: it runs in the other process. */
export const READER = new URL('pdf-made.ts', import.meta.url)

/** Where the header of a PDF begins at the latest; readers of all kinds allow something before it. */
const HEADER = 1024

/**
 * Reads a PDF: headings, paragraphs, lists and tables of all its pages.
 *
 * @param limits what differs from `LIMITS`
 * @param started is told the number of each process that takes the file
 * @returns the text, or why there is none; it never rejects for what the bytes hold
 * @throws NoProcess
 */
export async function readPdf(
  bytes: Uint8Array,
  limits: Partial<PdfLimits> = {},
  started?: (pid: number) => void,
): Promise<PdfText> {
  const { bytes: most, milliseconds, memory, ...bounds } = { ...LIMITS, ...limits }
  if (bytes.length > most)
    return { kind: 'excessive', pages: null, reason: `it has ${bytes.length} bytes, more than ${most}` }
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEADER))
  if (!head.includes('%PDF-')) return { kind: 'broken', pages: null, reason: 'it is not a PDF: it has no PDF header' }
  const call = { module: READER, name: 'makePdfText', input: { bytes, bounds } }
  try {
    return await callApart<PdfText>(call, { limits: { milliseconds, memory }, ...(started ? { started } : {}) })
  } catch (error) {
    if (error instanceof Excessive) return { kind: 'excessive', pages: null, reason: error.reason }
    if (error instanceof Died) return { kind: 'broken', pages: null, reason: error.message }
    throw error
  }
}
