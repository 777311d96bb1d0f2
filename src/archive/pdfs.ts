/** Makes the texts of PDFs, which the archive keeps under their digests. */
import { createHash } from 'node:crypto'
import { type PdfText, READER, readPdf } from '../read/pdf.ts'
import { digestOfCode } from '../store/code.ts'
import type { Store } from './store.ts'

/**
 * Modules that turn PDFs into text, in this process and in the separate process that reads. When they change, the texts
 * are made again.
 */
const PDF_READERS = [new URL('../read/pdf.ts', import.meta.url), READER]

/** Digest of the code that turns PDFs into text. */
export const pdfVersion = () =>
  (version ??= createHash('sha256').update(PDF_READERS.map(digestOfCode).join()).digest('hex'))
let version: string | undefined

/**
 * Carries the result for a PDF without text. Because it is thrown, the store does not keep the result, and a later try
 * may succeed.
 */
class NoText extends Error {
  readonly text: PdfText
  constructor(text: PdfText) {
    super('a PDF without text')
    this.text = text
  }
}

/**
 * Returns the text of a PDF, made on the first request and cached in the archive. A PDF without text is read again each
 * time.
 *
 * @param read reads the PDF; by default from the archive
 * @throws CorruptEntry if the archive lacks the PDF, or its entry has other bytes
 */
export async function pdfText(
  store: Store,
  sha256: string,
  read: () => Promise<PdfText> = () => readEntry(store, sha256),
): Promise<PdfText> {
  try {
    return await store.derived.get({ sha256, name: 'pdf', version: pdfVersion() }, async () => {
      const text = await read()
      if (text.kind !== 'text') throw new NoText(text)
      return text
    })
  } catch (error) {
    if (error instanceof NoText) return error.text
    throw error
  }
}

const readEntry = async (store: Store, sha256: string) =>
  readPdf(Buffer.concat(await Array.fromAsync(store.read(sha256))))
