/** Markdown of what a document holds: called in a process of its own, since the bytes are a stranger's. */
import { textOf } from './encoding.ts'
import { markdownOfHtml } from './html.ts'
import { markdownOfText } from './plain.ts'
import type { DocumentText } from './readable.ts'
import { storable } from './text.ts'
import { XmlError } from './xml.ts'
import { markdownOfXml } from './xml-text.ts'

export interface ToMake {
  bytes: Uint8Array
  kind: 'html' | 'text' | 'xml'
  isExhibit: boolean
}

/** The text of a document that is no PDF, or why it has none. */
export function makeText({ bytes, kind, isExhibit }: ToMake): DocumentText {
  const text = storable(textOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)))
  if (text.trim() === '') return { format: null, reason: 'it is empty' }
  if (kind === 'html') return { format: 'markdown', markdown: markdownOfHtml(text), pages: null }
  if (kind === 'text') return { format: 'markdown', markdown: markdownOfText(text), pages: null }
  if (isExhibit) return { format: null, reason: 'it is XML of data' }
  try {
    return { format: 'markdown', markdown: markdownOfXml(text), pages: null }
  } catch (error) {
    if (!(error instanceof XmlError)) throw error
    return { format: null, reason: error.message }
  }
}
