/** A document of a filing as text, whatever it was filed as. Here it is only looked at: it is read in processes of its own. */
import type { Limits } from './apart/call.ts'
import { callApart, Excessive } from './apart/process.ts'
import type { ToMake } from './document-made.ts'
import { readPdf } from './pdf.ts'
import { type DocumentText, isExhibit, mayHaveText } from './readable.ts'
import type { DocumentEntry } from './sgml/document.ts'
import { sniff } from './sniff.ts'

const MB = 1024 * 1024
/** The largest real document of the corpora, an inline-XBRL 10-K with its pictures within, has 40 MB. */
export const SIZE_MAX = 64 * MB

/** Makes text of what is no PDF. */
export type Make = (wanted: ToMake) => Promise<DocumentText>

/** The module whose functions are called apart. */
const MADE = new URL('document-made.ts', import.meta.url)

/** Makes it in a process of its own. */
export const makeApart =
  (limits: Partial<Limits> = {}): Make =>
  (input) =>
    callApart<DocumentText>({ module: MADE, name: 'makeText', input }, { limits })

/**
 * @param entry what the submission says of the document
 * @param bytes decoded, without the tags of EDGAR's around them
 * @param make makes the text; by default in a process of its own
 * @returns why there is no text, for whatever the bytes may hold; throws what reading them throws, and Died where the process
 *   was ended from outside
 */
export async function readText(
  entry: DocumentEntry,
  bytes: AsyncIterable<Uint8Array>,
  make: Make = makeApart(),
): Promise<DocumentText> {
  if (!mayHaveText(entry)) return { format: null, reason: `${entry.mediaType} has no text` }
  if (entry.size > SIZE_MAX) return { format: null, reason: `it has ${entry.size} bytes; up to ${SIZE_MAX} are read` }
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return read(Buffer.concat(chunks), entry, make)
}

async function read(bytes: Buffer, entry: DocumentEntry, make: Make): Promise<DocumentText> {
  const found = sniff(bytes)
  // What EDGAR says of its wrapper is right.
  const kind = found === 'text' && entry.wrapper === 'XML' ? 'xml' : found
  if (kind === 'image' || kind === 'other')
    return { format: null, reason: `it holds ${kind === 'image' ? 'an image' : 'no text'}` }
  if (kind === 'pdf') return ofPdf(bytes)
  try {
    return await make({ bytes, kind, isExhibit: isExhibit(entry) })
  } catch (error) {
    if (error instanceof Excessive) return { format: null, reason: error.message, excessive: true }
    throw error
  }
}

async function ofPdf(bytes: Buffer): Promise<DocumentText> {
  const made = await readPdf(bytes)
  if (made.kind !== 'text') {
    const reason = `its PDF is ${made.kind}: ${made.reason}`
    return { format: null, reason, ...(made.kind === 'excessive' ? { excessive: true as const } : {}) }
  }
  if (made.markdown.text.trim() === '') return { format: null, reason: 'its PDF has no text' }
  return { format: 'markdown', markdown: made.markdown, pages: made.pages }
}
