/**
 * The documents of a filing by the part they play in it: found by name or type, never by their place, and read whole or
 * as they arrive.
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
}

export type Reader = keyof Readers

interface Which {
  /** File name, compared without case. If a filing has it, types do not matter. */
  name?: string
  /** EDGAR's type of the document, or a pattern of it. */
  type?: string | RegExp
  /** A filing without it is read all the same; the parser is given null. */
  optional?: boolean
}

/** How one document of a filing is found and read. */
export interface Role<R extends Reader = Reader, O extends boolean = boolean> extends Which {
  readonly reader: R
  readonly optional: O
}

type Declare<R extends Reader> = <const W extends Which>(
  which: W,
) => Role<R, W extends { optional: true } ? true : false>

const declare =
  <R extends Reader>(reader: R): Declare<R> =>
  (which) => {
    if (which.name === undefined && which.type === undefined) throw new Error('a document is found by name or type')
    return { ...which, reader, optional: which.optional === true } as never
  }

/** An XML document that is read whole, which bounds its size; by type only one that EDGAR wrapped as XML. */
export const xml = declare('xml')
/** A document read whole as text; by type only one that has no wrapper. */
export const text = declare('text')
/** A document of any size, whose bytes the parser is given as they arrive: `each` of read/xml.ts reads its records. */
export const stream = declare('stream')

export type Roles = Record<string, Role>

/** By role: what stands there, or null where an optional one is missing. */
type Documents<D extends Roles> = {
  [K in keyof D]: D[K] extends Role<infer R, infer O> ? (O extends true ? Readers[R] | null : Readers[R]) : never
}

/** Facts about a filing that a parser gets in addition to its documents. */
export interface About {
  /** Form type in the index. */
  form: string
  /** `YYYY-MM-DD`, of the index. */
  filedDate: string
  /** The filer's, of EDGAR's header. */
  cik: string | null
  name: string | null
  /** Period of report, of EDGAR's header. */
  period: string | null
  /** Notes what an `Element` does not remember by itself: leaves of a stream that nobody reads, values of a text. */
  tell: (told: { problems?: Iterable<Problem>; unread?: Iterable<string> }) => void
}

/** One filing as its parser gets it. */
export interface Parts<D extends Roles = Roles> extends About {
  documents: Documents<D>
}

/** One filing; the parser may read each of its documents. */
export interface EveryPart extends About {
  accession: string
  /** Slug of the family that claims its form. */
  family: string
  /** EDGAR's: filers with their roles, items, series and classes. */
  header: Header
  /** In the order of the submission; each is read when it is asked for. */
  documents: readonly EveryDocumentPart[]
}

export interface EveryDocumentPart {
  entry: DocumentEntry
  /** The document as Markdown, made once for all who read it. */
  text: () => Promise<DocumentText>
  /** Its own bytes as they arrive, without EDGAR's tags around them. */
  bytes: () => AsyncIterable<Uint8Array>
}
