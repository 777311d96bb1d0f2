/** A document of a filing as text, whatever it was filed as. */
import { Buffer } from 'node:buffer'
import { textOf } from './encoding.ts'
import { markdownOfHtml } from './html.ts'
import type { Markdown } from './made-markdown.ts'
import type { DocumentEntry } from './sgml/document.ts'

/** The text of a document, or why it has none. */
export type DocumentText =
  | { format: 'markdown'; markdown: Markdown /** Of a PDF. */; pages: number | null }
  | { format: null; reason: string }

const MB = 1024 * 1024
/** The largest real document of the corpora, an inline-XBRL 10-K with its pictures within, has 40 MB. */
export const SIZE_MAX = 64 * MB

type Kind = 'html' | 'plain' | null

/** How a document is read as text; null for one that has none for people: pictures, spreadsheets, XML of data. */
export function kindOf({ mediaType }: Pick<DocumentEntry, 'mediaType'>): Kind {
  const [type] = mediaType.split(';')
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (type === 'text/plain') return 'plain'
  return null
}

/** Whether it is an exhibit, and no main document of its filing. */
export const isExhibit = ({ type }: Pick<DocumentEntry, 'type'>): boolean => /^EX-/i.test(type)

/** Pages that EDGAR makes of XBRL, and what is data. */
const NO_PROSE = /^(?:XML|XBRL|GRAPHIC|ZIP|EXCEL|JSON|EX-(?:101|104)\b)/i

/** Whether a document is written for people, and of a kind that can be read. */
export const isProse = (entry: Pick<DocumentEntry, 'type' | 'mediaType'>): boolean =>
  kindOf(entry) !== null && !NO_PROSE.test(entry.type)

/**
 * @param entry what the submission says of the document
 * @param bytes decoded, without wrapper tags
 */
export async function readText(entry: DocumentEntry, bytes: AsyncIterable<Uint8Array>): Promise<DocumentText> {
  const kind = kindOf(entry)
  if (kind === null) return { format: null, reason: `${entry.mediaType} has no text` }
  if (entry.size > SIZE_MAX) return { format: null, reason: `it has ${entry.size} bytes; up to ${SIZE_MAX} are read` }
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const text = textOf(Buffer.concat(chunks))
  return { format: 'markdown', markdown: markdownOfHtml(text), pages: null }
}
