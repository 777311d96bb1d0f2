/** A document of a filing as text, whatever it was filed as. */
import { textOf } from './encoding.ts'
import { markdownOfHtml } from './html.ts'
import { readPdf } from './pdf.ts'
import { markdownOfText } from './plain.ts'
import { type DocumentText, isExhibit, mayHaveText } from './readable.ts'
import type { DocumentEntry } from './sgml/document.ts'
import { sniff } from './sniff.ts'
import { storable } from './text.ts'
import { XmlError } from './xml.ts'
import { markdownOfXml } from './xml-text.ts'

const MB = 1024 * 1024
/** The largest real document of the corpora, an inline-XBRL 10-K with its pictures within, has 40 MB. */
export const SIZE_MAX = 64 * MB

/**
 * @param entry what the submission says of the document
 * @param bytes decoded, without the tags of EDGAR's around them
 * @returns why there is no text, for whatever the bytes may hold; throws only what reading them throws
 */
export async function readText(entry: DocumentEntry, bytes: AsyncIterable<Uint8Array>): Promise<DocumentText> {
  if (!mayHaveText(entry)) return { format: null, reason: `${entry.mediaType} has no text` }
  if (entry.size > SIZE_MAX) return { format: null, reason: `it has ${entry.size} bytes; up to ${SIZE_MAX} are read` }
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return read(Buffer.concat(chunks), entry)
}

async function read(bytes: Buffer, entry: DocumentEntry): Promise<DocumentText> {
  const found = sniff(bytes)
  // What EDGAR says of its wrapper is right.
  const kind = found === 'text' && entry.wrapper === 'XML' ? 'xml' : found
  if (kind === 'image' || kind === 'other')
    return { format: null, reason: `it holds ${kind === 'image' ? 'an image' : 'no text'}` }
  if (kind === 'pdf') return ofPdf(bytes)
  const text = storable(textOf(bytes))
  if (text.trim() === '') return { format: null, reason: 'it is empty' }
  if (kind === 'html') return { format: 'markdown', markdown: markdownOfHtml(text), pages: null }
  if (kind === 'text') return { format: 'markdown', markdown: markdownOfText(text), pages: null }
  if (isExhibit(entry)) return { format: null, reason: 'it is XML of data' }
  try {
    return { format: 'markdown', markdown: markdownOfXml(text), pages: null }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return { format: null, reason: error.message }
  }
}

async function ofPdf(bytes: Buffer): Promise<DocumentText> {
  const made = await readPdf(bytes)
  if (made.kind !== 'text') return { format: null, reason: `its PDF is ${made.kind}: ${made.reason}` }
  if (made.markdown.text.trim() === '') return { format: null, reason: 'its PDF has no text' }
  return { format: 'markdown', markdown: made.markdown, pages: made.pages }
}
