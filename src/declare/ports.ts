/**
 * Types of the objects that `archive`, `serve` and `accounts` pass to a route's `run`. Those folders import this folder
 * and implement the types. So imports between folders form no circle, not even for types.
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

/** The person of a browser's session: accounts/accounts.ts. */
export interface SignedIn {
  account: string
  /** The key with which the person reads pages; null while the account has none. */
  keyId: string | null
}

/** Finds the person of a request's header Cookie; null if the cookie belongs to no session. */
export type FindSignedIn = (cookies: string | undefined) => Promise<SignedIn | null>

/** The part of a submission that the archive holds. */
export interface KeptPart {
  /**
   * Digest of the archive's entry with this part. Null if the whole submission is one entry, whose digest is that of
   * the submission.
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
  /** Size of the whole submission in bytes. */
  bytes: number
  sourceUrl: string
  header: Header
  documents: DocumentEntry[]
  /** Whether the operator wants the whole submission; if so, no later run removes any of its documents. */
  originals: boolean
}

/** A large text. Answers and sections are made from it in a separate process. */
export interface LargeText {
  format: 'packed'
  packed: Uint8Array
}

/** Lets a fetch wait for its turn. @throws HttpError 503 if the fetch is not admitted in time */
export type Admit = <T>(look: () => Promise<T>) => Promise<T>

/** Archived submissions as a route reads them: archive/submissions.ts. */
export interface ReadSubmissions {
  /**
   * The submission of a filing, fetched when it is first requested.
   *
   * @returns null when the spine has no such filing
   * @throws HttpError 503 when EDGAR is unavailable, 404 when it has no such file
   */
  get(accession: string): Promise<StoredSubmission | null>
  /**
   * Fetches a document that the archive does not keep, so that `document` can return it immediately. Does nothing for
   * any other document.
   *
   * @throws HttpError 503 if EDGAR is unavailable, or now serves another submission
   */
  bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
  /**
   * One document as text, made once and kept next to the archive. For a request, also throws the errors of `bring`. If
   * a document is excessive, this result is remembered until the readers change.
   *
   * @throws HttpError 503 if the process that makes it was ended from outside
   */
  text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText | LargeText>
  /**
   * The sections of a document's text, found once and kept like the text.
   *
   * @throws Excessive, HttpError 503 as `text` does
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
   * Calls a function in a separate process, with a large text in its input.
   *
   * @throws Excessive, Thrown, HttpError 503 as `text` does
   */
  call<R>(what: { module: URL; name: string; input: unknown }): Promise<R>
}

/** Submissions for a server, which admits the fetches of its requests one by one. */
export interface AdmittingSubmissions extends ReadSubmissions {
  /** Returns these submissions for one request: `admit` admits each of its fetches. */
  admittedBy(admit: Admit): ReadSubmissions
}
