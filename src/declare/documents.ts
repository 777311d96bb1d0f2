/**
 * The documents of a filing by their role. A document is found by name or type, never by position. A document is read
 * whole, as it arrives, or when the parser asks for it.
 */
import type { DocumentText } from '../read/readable.ts'
import type { Header } from '../read/sgml/header.ts'
import type { DocumentEntry } from '../read/sgml/submission.ts'
import type { Element, Problem } from '../read/xml.ts'

/** The input of a parser for each way of reading. */
interface Readers {
  xml: Element
  text: string
  stream: AsyncIterable<Uint8Array>
  lazy: readonly FiledDocument[]
}

export type Reader = keyof Readers

/** The facts about a document that are known from its first bytes. */
export type DocumentKind = Pick<DocumentEntry, 'type' | 'filename' | 'wrapper' | 'mediaType'>

export type Reads = (document: DocumentKind) => boolean

interface Which {
  /** File name, in upper or lower case. If a document of the filing has this name, `type` is ignored. */
  name?: string
  /** EDGAR's type of the document: one, several, or a pattern. */
  type?: string | readonly string[] | RegExp
  /** A filing without the document is read too; the parser then gets null. */
  optional?: boolean
}

/** How the documents of a filing that have one role are found and read. */
export interface Role<R extends Reader = Reader, O extends boolean = boolean> extends Which {
  readonly reader: R
  readonly optional: O
  /** For a role with any number of documents: tests whether the parser may ask for a document. */
  readonly reads?: Reads
}

type Declare<R extends Reader> = <const W extends Which>(
  which: W,
) => Role<R, W extends { optional: true } ? true : false>

const declare =
  <R extends Reader>(reader: R): Declare<R> =>
  (which) => {
    if (which.name === undefined && which.type === undefined)
      throw new Error('a document needs a name or a type, by which it is found')
    return { ...which, reader, optional: which.optional === true } as never
  }

/**
 * An XML document that is read whole, so its size is limited. If it is found by type, EDGAR must have wrapped it as
 * XML.
 */
export const xml = declare('xml')
/** A document that is read whole as text. If it is found by type, it must have no wrapper. */
export const text = declare('text')
/** A document of any size. The parser gets its bytes as they arrive: `each` of read/xml.ts reads its records. */
export const stream = declare('stream')
/**
 * Any number of documents, in the order of the submission. A document is not read before the parser asks for its text
 * or its bytes.
 */
export const lazy = (reads: Reads): Role<'lazy', false> => ({ reader: 'lazy', optional: false, reads })

export type Roles = Readonly<Record<string, Role>>

/** The parser's input by role; null for an optional document that is missing. */
export type Documents<D extends Roles> = {
  [K in keyof D]: D[K] extends Role<infer R, infer O> ? (O extends true ? Readers[R] | null : Readers[R]) : never
}

/** Whether a document has the file name of a role. */
export const isNamed = ({ filename }: Pick<DocumentKind, 'filename'>, { name }: Pick<Role, 'name'>): boolean =>
  name !== undefined && filename?.toLowerCase() === name.toLowerCase()

/**
 * Whether a document has the type of a role. For XML, EDGAR must have wrapped it as XML; for text, it must have no
 * wrapper.
 */
export function isTyped(
  document: Pick<DocumentKind, 'type' | 'wrapper'>,
  { type, reader }: Pick<Role, 'type' | 'reader'>,
): boolean {
  if (type === undefined || (reader === 'xml' && document.wrapper !== 'XML')) return false
  if (reader === 'text' && document.wrapper !== null) return false
  if (type instanceof RegExp) return type.test(document.type)
  return typeof type === 'string' ? document.type === type : type.includes(document.type)
}

/** Whether a document may have the role. */
export const isFit = (document: DocumentKind, role: Role): boolean =>
  role.reads ? role.reads(document) : isNamed(document, role) || isTyped(document, role)

/** Facts about a filing from the index and from EDGAR's header. */
export interface FilingHeader extends Pick<Header, 'effectiveDate' | 'items' | 'filers' | 'series'> {
  accession: string
  /** Form type in the index. */
  form: string
  /** Slug of the family that claims the form. */
  family: string
  /** Day of filing in the index, `YYYY-MM-DD`. */
  filedDate: string
  /** CIK and name of the first filer. */
  cik: string | null
  name: string | null
  /** Period of report, `YYYY-MM-DD`. */
  period: string | null
}

/**
 * Reports unread leaves and faulty values. An `Element` records them by itself. For a stream or a text, the parser must
 * report them.
 */
export type Tell = (notes: { problems?: Iterable<Problem>; unread?: Iterable<string> }) => void

/** One filing as its parser gets it. */
export interface Filing<D = Readonly<Record<string, unknown>>> {
  /** The documents by role. */
  documents: D
  header: FilingHeader
  tell: Tell
}

/** A document that the parser may ask for. */
export interface FiledDocument {
  entry: DocumentEntry
  /** The document as Markdown, made once for all its readers. */
  text: () => Promise<DocumentText>
  /** The bytes of the document as they arrive, without EDGAR's tags around them. */
  bytes: () => AsyncIterable<Uint8Array>
}
