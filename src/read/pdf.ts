/**
 * Converts PDFs to Markdown. A separate process reads the bytes. If a PDF crashes this process or fills its memory,
 * only the reading of this PDF fails.
 */
import { callApart, Died, Excessive } from './apart/process.ts'
import { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

export { LIMITS, type PdfLimits, type PdfText } from './pdf/result.ts'

/**
 * The module that runs in the other process. The digest of this module (`store/code.ts`) changes when PDFs may be read
 * differently.
 */
export const READER = new URL('pdf-made.ts', import.meta.url)

/** The header of a PDF begins within this many bytes: PDF readers accept other bytes before the header. */
const HEADER = 1024

/**
 * Reads a PDF: headings, paragraphs, lists and tables of all its pages.
 *
 * @param limits the limits that differ from `LIMITS`
 * @param started is called with the id of each process that takes the file
 * @returns the text, or the reason why there is none. No content of the bytes makes the promise reject
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
