/**
 * Makes the Markdown of a document. This function is called in a separate process, since the bytes come from outside.
 */
import type { Caller } from './apart/call.ts'
import { textOf } from './encoding.ts'
import { pack } from './packed.ts'
import { LIMITS as PDF_BOUNDS } from './pdf/result.ts'
import type { DocumentText } from './readable.ts'
import { storable } from './text.ts'

export interface ToMake {
  /**
   * The bytes, in the pieces in which they arrived. The pieces are joined only in the process that reads them. V8 scans
   * all memory of a process after every few megabytes that the process allocates. The calling process has a lot of
   * memory, so joining the pieces there would be slow.
   */
  pieces: readonly Uint8Array[]
  kind: 'html' | 'text' | 'xml' | 'pdf'
  isExhibit: boolean
}

/**
 * The parts of `Caller` that this function uses: the limits, and `retire`, since a process may be retired after a PDF.
 */
export type Maker = Pick<Caller, 'limits' | 'retire'>

/**
 * Returns the text of a document, or the reason why the document has no text. A process loads only the readers that it
 * needs, since loading takes longer than reading most texts.
 */
export async function makeText({ pieces, kind, isExhibit }: ToMake, maker: Maker): Promise<DocumentText> {
  const bytes = joined(pieces)
  if (kind === 'pdf') return ofPdf(bytes, maker)
  const text = storable(textOf(bytes))
  if (text.trim() === '') return { format: null, reason: 'it is empty' }
  if (kind === 'xml') return ofXml(text, isExhibit)
  const markdownOf =
    kind === 'html' ? (await import('./html.ts')).markdownOfHtml : (await import('./plain.ts')).markdownOfText
  return { format: 'markdown', markdown: markdownOf(text), pages: null }
}

/** Joins the pieces. A document in one piece is not copied. */
function joined(pieces: readonly Uint8Array[]): Buffer {
  const [first, second] = pieces
  return first && !second ? Buffer.from(first.buffer, first.byteOffset, first.length) : Buffer.concat(pieces)
}

/** Does the same as `makeText`, and then packs the result, since a large document gives a large text. */
export const makePacked = async (wanted: ToMake, maker: Maker): Promise<Uint8Array> =>
  pack(await makeText(wanted, maker))

async function ofXml(text: string, isExhibit: boolean): Promise<DocumentText> {
  if (isExhibit) return { format: null, reason: 'it is XML data, not text' }
  const { XmlError } = await import('./xml.ts')
  const { markdownOfXml } = await import('./xml-text.ts')
  try {
    return { format: 'markdown', markdown: markdownOfXml(text), pages: null }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return { format: null, reason: error.message }
  }
}

async function ofPdf(bytes: Uint8Array, maker: Maker): Promise<DocumentText> {
  const { makePdfText } = await import('./pdf-made.ts')
  const made = await makePdfText({ bytes, bounds: PDF_BOUNDS }, maker)
  if (made.kind !== 'text') {
    const reason = `its PDF is ${made.kind}: ${made.reason}`
    return { format: null, reason, ...(made.kind === 'excessive' ? { excessive: true as const } : {}) }
  }
  if (made.markdown.text.trim() === '') return { format: null, reason: 'its PDF has no text' }
  return { format: 'markdown', markdown: made.markdown, pages: made.pages }
}
