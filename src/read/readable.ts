/** Which documents of a filing may have text, and the text that they have. What makes it is loaded when it is needed. */
import type { Markdown } from './made-markdown.ts'
import type { DocumentEntry } from './sgml/document.ts'

/** The text of a document, or why it has none. */
export type DocumentText =
  | {
      format: 'markdown'
      markdown: Markdown
      /** Number of pages of a PDF. */
      pages: number | null
    }
  | {
      format: null
      reason: string
      /** Making it takes more time or memory than a document may: a filing with it is not read. */
      excessive?: true
    }

/** Where another text is made of a document that changes it, though no module here imports it: they run in processes. */
export const READERS: readonly URL[] = [
  new URL('document-text.ts', import.meta.url),
  new URL('document-made.ts', import.meta.url),
  new URL('pdf-made.ts', import.meta.url),
]

/** Whether a document may be the text of the form itself: one that has text and is not an exhibit. */
export const isMainText = (document: Pick<DocumentEntry, 'mediaType' | 'type'>): boolean =>
  !isExhibit(document) && mayHaveText(document)

/** Whether a document is an exhibit: EX-99.1, EX-10. The others are what the form itself asks for. */
export const isExhibit = ({ type }: Pick<DocumentEntry, 'type'>): boolean => /^EX-/i.test(type)

/**
 * Whether a document may have text for people. Pictures, spreadsheets and archives have none, nor has data: exhibits that
 * are XML (XBRL, tables of holdings) and the instance that EDGAR takes out of a document (type XML).
 */
export function mayHaveText({ mediaType, type }: Pick<DocumentEntry, 'mediaType' | 'type'>): boolean {
  const [media = ''] = mediaType.split(';')
  if (media === 'application/xml') return !isExhibit({ type }) && type !== 'XML'
  return /^(?:text\/html|text\/plain|application\/xhtml\+xml|application\/pdf)$/.test(media)
}
