/** Markdown of what a document holds: called in a process of its own, since the bytes are a stranger's. */
import type { Caller } from './apart/call.ts'
import { textOf } from './encoding.ts'
import { pack } from './packed.ts'
import { LIMITS as PDF_BOUNDS } from './pdf/result.ts'
import type { DocumentText } from './readable.ts'
import { storable } from './text.ts'

export interface ToMake {
  /**
   * Its bytes as they came. They are put together where they are read: V8 looks through all memory of a process after each
   * few megabytes that it allocates, and whoever calls has much in it.
   */
  pieces: readonly Uint8Array[]
  kind: 'html' | 'text' | 'xml' | 'pdf'
  isExhibit: boolean
}

/** What this may ask of its process: that of a PDF may be spent after it. */
export type Maker = Pick<Caller, 'limits' | 'retire'>

/** The text of a document, or why it has none. A process loads the readers that it needs, which takes longer than most texts. */
export async function makeText({ pieces, kind, isExhibit }: ToMake, maker: Maker): Promise<DocumentText> {
  const bytes = Buffer.concat(pieces)
  if (kind === 'pdf') return ofPdf(bytes, maker)
  const text = storable(textOf(bytes))
  if (text.trim() === '') return { format: null, reason: 'it is empty' }
  if (kind === 'xml') return ofXml(text, isExhibit)
  const markdownOf =
    kind === 'html' ? (await import('./html.ts')).markdownOfHtml : (await import('./plain.ts')).markdownOfText
  return { format: 'markdown', markdown: markdownOf(text), pages: null }
}

/** The same, packed: what a large document becomes is large too. */
export const makePacked = async (wanted: ToMake, maker: Maker): Promise<Uint8Array> =>
  pack(await makeText(wanted, maker))

async function ofXml(text: string, isExhibit: boolean): Promise<DocumentText> {
  if (isExhibit) return { format: null, reason: 'it is XML of data' }
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
