/** Decides which documents of a filing may have text, and returns that text. The readers are loaded on first use. */
import type { Markdown } from './made-markdown.ts'
import type { DocumentEntry } from './sgml/document.ts'

/** The text of a document, or the reason why it has none. */
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
      /** Set if making the text takes more time or memory than allowed. A filing with such a document is not read. */
      excessive?: true
    }

/**
 * Modules that make texts: when they change, a text may change. These modules run in separate processes, so this file
 * does not import them.
 */
export const READERS: readonly URL[] = [
  new URL('document-text.ts', import.meta.url),
  new URL('document-made.ts', import.meta.url),
  new URL('pdf-made.ts', import.meta.url),
]

/** Whether a document may be the text of the form itself: the document may have text and is not an exhibit. */
export const isMainText = (document: Pick<DocumentEntry, 'mediaType' | 'type'>): boolean =>
  !isExhibit(document) && mayHaveText(document)

/** Whether a document is an exhibit: EX-99.1, EX-10. All other documents are parts that the form itself requires. */
export const isExhibit = ({ type }: Pick<DocumentEntry, 'type'>): boolean => /^EX-/i.test(type)

/**
 * Whether EDGAR made a document from another document of the filing: the XBRL instance, and a page for each table with
 * tags (`R2.htm`). An annual report has a hundred such pages, which repeat its tables and notes.
 */
const isMadeByEdgar = ({ type }: Pick<DocumentEntry, 'type'>): boolean => type === 'XML'

/**
 * Whether a document may have text for people. Pictures, spreadsheets and archives have none. Data has no text either:
 * exhibits that are XML (XBRL, tables of holdings). Documents that EDGAR made have none, since they repeat others.
 */
export function mayHaveText({ mediaType, type }: Pick<DocumentEntry, 'mediaType' | 'type'>): boolean {
  if (isMadeByEdgar({ type })) return false
  const [media = ''] = mediaType.split(';')
  if (media === 'application/xml') return !isExhibit({ type })
  return /^(?:text\/html|text\/plain|application\/xhtml\+xml|application\/pdf)$/.test(media)
}
