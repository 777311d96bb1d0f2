/**
 * What a route's `run` is given of rooms that come after this one: they implement these types, and nothing here imports
 * them. So no circle of imports crosses rooms, not even one of types.
 */
import type { PdfText } from '../read/pdf.ts'
import type { DocumentText } from '../read/readable.ts'
import type { Section, SectionKind } from '../read/sections.ts'
import type { DocumentEntry, Header } from '../read/sgml/submission.ts'
import type { Scope } from './scopes.ts'

/** The rate bucket in which requests of a route are counted. */
export type Bucket = 'search' | 'general'

/** The sender of a request: serve/keyring.ts. */
export interface KeyContext {
  keyId: string
  /** The account that the key was made for. */
  uid: string
  scopes: readonly Scope[]
  /** Requests a minute. */
  limits: Readonly<Record<Bucket, number>>
  selfServe: boolean
}

/** The part of a submission that a store has. */
export interface KeptPart {
  /** Digest of the entry that holds it; null where the whole submission is an entry, by its own digest. */
  kept: string | null
  /** Documents whose content was left out, by `seq`. */
  dropped: number[]
}

/** The archive's facts about one submission. */
export interface StoredSubmission extends KeptPart {
  accession: string
  /** Digest of the whole submission. */
  sha256: string
  /** Bytes of the whole submission. */
  bytes: number
  sourceUrl: string
  header: Header
  documents: DocumentEntry[]
  /** The operator wants all of it: nothing of it is left out later. */
  originals: boolean
}

/** A text that is large: what is made of it is made in a process of its own. */
export interface LargeText {
  format: 'packed'
  packed: Uint8Array
}

/** Lets a fetch wait for its turn. @throws HttpError 503 when the turn does not come */
export type Admit = <T>(look: () => Promise<T>) => Promise<T>

/** Archived submissions as a route reads them: archive/submissions.ts. */
export interface ReadSubmissions {
  /**
   * The submission of a filing, fetched when it is first asked for.
   *
   * @returns null when the spine has no such filing
   * @throws HttpError 503 when EDGAR cannot be asked, 404 when it has no such file
   */
  get(accession: string): Promise<StoredSubmission | null>
  /**
   * Fetches a document that the archive does not keep, so that `document` has it at once. Nothing is done for any other.
   *
   * @throws HttpError 503 when EDGAR cannot be asked, or serves another submission by now
   */
  bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
  /**
   * One document as text, made once and kept next to the archive. For a request it throws as `bring` does. What is excessive
   * is kept too, until the readers change.
   *
   * @throws HttpError 503 where the process that makes it was ended from outside
   */
  text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText | LargeText>
  /**
   * The sections of a document's text, found once and kept as the text is.
   *
   * @throws Excessive, HttpError 503 as `text`
   */
  sections(
    submission: StoredSubmission,
    entry: DocumentEntry,
    read: LargeText | Extract<DocumentText, { markdown: unknown }>,
    kind: SectionKind,
  ): Promise<Section[]>
  /**
   * The text of a PDF that lies in the archive by itself: a brochure.
   *
   * @throws HttpError 503 when it cannot be had now: the archive lacks the PDF, or its reader did not get through
   */
  pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>>
  /**
   * Calls a function in a process of its own, with a large text in its input.
   *
   * @throws Excessive, Thrown, HttpError 503 as `text`
   */
  call<R>(what: { module: URL; name: string; input: unknown }): Promise<R>
}

/** The same for a server, which admits the fetches of its requests one by one. */
export interface AdmittingSubmissions extends ReadSubmissions {
  /** The same submissions, for one request: each fetch waits until EDGAR may be asked for one more. */
  admittedBy(admit: Admit): ReadSubmissions
}
