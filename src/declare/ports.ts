/**
 * Types of what a route's `run` gets from rooms that import this one. Those rooms implement the types, and nothing here
 * imports the rooms. So no circle of imports crosses rooms, not even one of types.
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
  /**
   * Digest of the entry that holds it; null if the whole submission is one entry, under the digest of the submission.
   */
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
  /** The operator wants the whole submission, so no later run removes any of its documents. */
  originals: boolean
}

/** A large text. Whatever is made from it is made in a process of its own. */
export interface LargeText {
  format: 'packed'
  packed: Uint8Array
}

/** Lets a fetch wait for its turn. @throws HttpError 503 if the turn does not come in time */
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
   * Fetches a document that the archive does not keep, so that `document` has it at once. Does nothing for any other
   * document.
   *
   * @throws HttpError 503 if EDGAR cannot be asked, or now serves another submission
   */
  bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
  /**
   * One document as text, made once and kept next to the archive. For a request it throws as `bring` does. The verdict
   * that a document is excessive is remembered as well, until the readers change.
   *
   * @throws HttpError 503 if the process that makes it was ended from outside
   */
  text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText | LargeText>
  /**
   * The sections of a document's text, found once and kept like the text.
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
   * The text of a PDF that is an entry of the archive: a brochure.
   *
   * @throws HttpError 503 if it is unavailable now: the archive lacks the PDF, or its reader did not finish
   */
  pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>>
  /**
   * Calls a function in a process of its own, with a large text in its input.
   *
   * @throws Excessive, Thrown, HttpError 503 as `text`
   */
  call<R>(what: { module: URL; name: string; input: unknown }): Promise<R>
}

/** Submissions for a server, which admits the fetches of its requests one by one. */
export interface AdmittingSubmissions extends ReadSubmissions {
  /** Returns these submissions for one request: `admit` admits each of its fetches. */
  admittedBy(admit: Admit): ReadSubmissions
}
