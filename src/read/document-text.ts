/**
 * Converts a document of a filing to text, whatever the format of the document. This module only detects the format;
 * separate processes make the text.
 */
import type { Limits } from './apart/call.ts'
import { callApart, Excessive } from './apart/process.ts'
import type { ToMake } from './document-made.ts'
import { pack, unpack } from './packed.ts'
import { type DocumentText, isExhibit, mayHaveText } from './readable.ts'
import type { DocumentEntry } from './sgml/document.ts'
import { HEAD, sniff } from './sniff.ts'

const MB = 1024 * 1024
/**
 * Maximum size of a document. The largest real document of the corpora, an inline-XBRL 10-K that contains its pictures,
 * has 40 MB.
 */
export const SIZE_MAX = 64 * MB

/** Makes the text of a document, packed by packed.ts. */
export type Make = (wanted: ToMake) => Promise<Uint8Array>

/** The module whose functions run in a separate process. */
const MADE = new URL('document-made.ts', import.meta.url)

/** Makes the text in a separate process. */
export const makeApart =
  (limits: Partial<Limits> = {}): Make =>
  (input) =>
    callApart<Uint8Array>({ module: MADE, name: 'makePacked', input }, { limits })

/**
 * @param entry what the submission states about the document
 * @param bytes the bytes of the document, decoded if they were uuencoded, and without EDGAR's tags around them
 * @param make function that makes the text; by default it runs in a separate process
 * @returns the text, or the reason why there is none. The result is packed, since it may be large. The content of the
 * bytes never makes this function throw.
 * @throws the errors of reading the bytes, and Died if the process was ended from outside
 */
export async function readPacked(
  entry: DocumentEntry,
  bytes: AsyncIterable<Uint8Array>,
  make: Make = makeApart(),
): Promise<Uint8Array> {
  if (!mayHaveText(entry)) return none({ reason: `${entry.mediaType} has no text` })
  if (entry.size > SIZE_MAX) return none({ reason: `it has ${entry.size} bytes; up to ${SIZE_MAX} are read` })
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return read(chunks, entry, make)
}

/** Does the same as `readPacked`, and then unpacks the result for a caller that needs the whole text. */
export const readText = async (...of: Parameters<typeof readPacked>): Promise<DocumentText> =>
  unpack(await readPacked(...of))

const none = (why: { reason: string; excessive?: true }) => pack({ format: null, ...why } satisfies DocumentText)

async function read(pieces: readonly Uint8Array[], entry: DocumentEntry, make: Make): Promise<Uint8Array> {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  const found = sniff(Buffer.concat(pieces, Math.min(size, HEAD)))
  // EDGAR's statement that a document is XML is reliable.
  const kind = found === 'text' && entry.wrapper === 'XML' ? 'xml' : found
  if (kind === 'image' || kind === 'other')
    return none({ reason: `it holds ${kind === 'image' ? 'an image' : 'no text'}` })
  try {
    return await make({ pieces, kind, isExhibit: isExhibit(entry) })
  } catch (error) {
    if (error instanceof Excessive) return none({ reason: error.message, excessive: true })
    throw error
  }
}
