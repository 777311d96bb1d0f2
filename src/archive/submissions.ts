/**
 * Gets submissions by accession: from the archive, or else once from EDGAR. The store keeps the bytes by their digest;
 * a row of edgar.submission has the header, the list of documents and the digest.
 */

import { apiError, HttpError } from '../declare/api-errors.ts'
import { BucketError, messageOf } from '../declare/errors.ts'
import type { Reads } from '../declare/kept.ts'
import type { Admit, AdmittingSubmissions, LargeText, ReadSubmissions, StoredSubmission } from '../declare/ports.ts'
import { EdgarError } from '../fetch/client.ts'
import type { Limits } from '../read/apart/call.ts'
import type { Make } from '../read/document-text.ts'
import type { PdfText } from '../read/pdf.ts'
import type { DocumentText } from '../read/readable.ts'
import type { Section, SectionKind } from '../read/sections.ts'
import { type DocumentEntry, SubmissionError } from '../read/sgml/submission.ts'
import type { Sql, Transaction } from '../store/db.ts'
import type { Packed } from './derived.ts'
import { type Documents, documents } from './documents.ts'
import { Fetches, type FetchParts } from './fetches.ts'
import { keepPart } from './keep.ts'
import { pdfText } from './pdfs.ts'
import { record } from './record.ts'
import { CorruptEntry } from './store.ts'
import { findStored } from './stored.ts'
import { type Given, take } from './take.ts'
import { givenOf, type Texts, textsOf } from './texts.ts'
import { EVERYTHING, type Keeping, lacks, type SpineFiling, wantedOf } from './wanted.ts'

export type { Keeping, SpineFiling } from './wanted.ts'

/** Archived submissions, for routes and for ingest. */
export interface Submissions extends AdmittingSubmissions, Pick<Texts, 'kept'> {
  /**
   * Gets a submission as `get` does, but for ingest: does not write to the database, and throws errors unchanged.
   *
   * @param options `isRetry`: a submission that is cut off in the archive is fetched again. `reads`: documents that the
   *   archive should have, in addition to those that it keeps for the form. `sql`: looks the submission up, by default
   *   with a connection of the archive's pool
   * @throws EdgarError, HttpError 404, SubmissionError; the signal's reason
   */
  obtain(
    filing: SpineFiling,
    options?: { isRetry?: boolean; reads?: Reads; sql?: Sql | Transaction; signal?: AbortSignal | undefined },
  ): Promise<StoredSubmission>
  /**
   * Reads a submission of a daily archive of EDGAR. Like `obtain`, this does not write to the database.
   *
   * @throws SubmissionError if the submission is damaged; then nothing of it is kept
   */
  take(filing: SpineFiling, given: Given, reads: Reads): Promise<StoredSubmission>
  /**
   * Writes what `obtain` returned to edgar.submission, and the facts of its header to the spine.
   *
   * @returns whether this changed facts of the spine
   */
  record(tx: Transaction, obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[]): Promise<boolean>
  /**
   * Returns a document's text in its stored form. @param make makes the text from the bytes; by default in a process of
   * its own
   */
  packed(submission: StoredSubmission, entry: DocumentEntry, make?: Make): Promise<Packed>
}

interface Parts extends Omit<FetchParts, 'keeping'> {
  /** Which documents the archive keeps; null or absent for all. */
  keeping?: Keeping | null
  /** Limits for making one text, if they differ from the usual limits. */
  limits?: Partial<Limits>
}

export function submissions({ sql, store, client, keeping = null, limits = {} }: Parts): Submissions {
  const fetches = new Fetches({ sql, store, client, keeping })
  const own = documents({
    store,
    cache: keeping?.cache ?? null,
    find: (accession) => findStored(sql, store, accession),
    fetchAgain: (submission) => fetches.again(submission),
  })
  const texts = textsOf({ store, document: own.document, limits })
  return new SubmissionArchive({ sql, store, keeping, fetches, documents: own, texts }, null)
}

interface Shared extends Pick<FetchParts, 'sql' | 'store' | 'keeping'> {
  fetches: Fetches
  documents: Documents
  texts: Texts
}

/**
 * The archive with the methods that routes and ingest use. It has no state of its own: the fetches in flight belong to
 * `Fetches`, and all instances for one archive share one `Fetches`.
 */
class SubmissionArchive implements Submissions {
  readonly #shared: Shared
  /** Waits until a fetch is admitted; null for ingest, which does not wait. */
  readonly #admit: Admit | null

  constructor(shared: Shared, admit: Admit | null) {
    this.#shared = shared
    this.#admit = admit
  }

  admittedBy(admit: Admit): ReadSubmissions {
    return new SubmissionArchive(this.#shared, admit)
  }

  async get(accession: string): Promise<StoredSubmission | null> {
    const { fetches } = this.#shared
    try {
      return (await this.#find(accession)) ?? (await this.#admitted(() => fetches.once(accession)))
    } catch (error) {
      throw asAnswer(error, 'this filing is not in the archive')
    }
  }

  async obtain(
    filing: SpineFiling,
    { isRetry = false, reads, sql, signal }: Parameters<Submissions['obtain']>[1] = {},
  ): Promise<StoredSubmission> {
    const { keeping, fetches } = this.#shared
    const stored = await this.#find(filing.accession, sql)
    const wants = wantedOf(keeping, filing, { reads, before: stored })
    if (stored && !(isRetry && stored.header.cutOff) && !lacks(stored, wants === null ? EVERYTHING : reads))
      return stored
    if (stored && wants && !isRetry) {
      const kept = await this.#keptOfCache(stored, wants)
      if (kept) return { ...stored, ...kept }
    }
    return fetches.obtain(filing, { wants, signal })
  }

  /** Keeps documents of a submission that the cache has. Null if the cache lacks it, or has a damaged copy. */
  async #keptOfCache({ sha256 }: StoredSubmission, wants: Reads) {
    const { store, keeping } = this.#shared
    const { cache } = keeping!
    if (!(await cache.has(sha256))) return null
    try {
      return await keepPart(store, cache.read(sha256), wants)
    } catch (error) {
      if (!(error instanceof CorruptEntry)) throw error
      await cache.quarantine(sha256)
      return null
    }
  }

  take(filing: SpineFiling, given: Given, reads: Reads): Promise<StoredSubmission> {
    return take(this.#shared, filing, given, reads)
  }

  record(tx: Transaction, obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[]) {
    return record(tx, this.#shared.store, obtained)
  }

  async bring(submission: StoredSubmission, entry: DocumentEntry): Promise<void> {
    const { keeping, documents } = this.#shared
    if (!submission.dropped.includes(entry.seq) || (await keeping!.cache.has(submission.sha256))) return
    try {
      await this.#admitted(() => documents.bring(submission, entry))
    } catch (error) {
      throw asAnswer(error, `document ${entry.seq} of this filing is not kept in the archive`)
    }
  }

  async text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText | LargeText> {
    const { documents, texts } = this.#shared
    const bring = () => (this.#admit ? this.bring(submission, entry) : documents.bring(submission, entry))
    return givenOf(await texts.packed(submission, entry, { bring }))
  }

  packed(submission: StoredSubmission, entry: DocumentEntry, make?: Make): Promise<Packed> {
    const { documents, texts } = this.#shared
    return texts.packed(submission, entry, { bring: () => documents.bring(submission, entry), make })
  }

  kept(submission: StoredSubmission, entry: DocumentEntry): Promise<Buffer | null> {
    return this.#shared.texts.kept(submission, entry)
  }

  sections(
    submission: StoredSubmission,
    entry: DocumentEntry,
    read: Parameters<Texts['sections']>[2],
    kind: SectionKind,
  ): Promise<Section[]> {
    return this.#shared.texts.sections(submission, entry, read, kind)
  }

  call<R>(what: Parameters<Texts['call']>[0]): Promise<R> {
    return this.#shared.texts.call<R>(what)
  }

  async pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>> {
    const text = await pdfText(this.#shared.store, sha256).catch((error) => {
      if (error instanceof CorruptEntry) throw apiError('archive_damaged', { reason: error.message })
      throw error
    })
    if (text.kind !== 'text') throw apiError('document_unreadable', { what: 'PDF', reason: text.reason })
    return text
  }

  document(...request: Parameters<Documents['document']>): AsyncGenerator<Buffer> {
    return this.#shared.documents.document(...request)
  }

  #find(accession: string, sql: Sql | Transaction = this.#shared.sql): Promise<StoredSubmission | null> {
    return findStored(sql, this.#shared.store, accession)
  }

  #admitted<T>(look: () => Promise<T>): Promise<T> {
    return this.#admit ? this.#admit(look) : look()
  }
}

/** The error for a client when EDGAR or the archive could not deliver a filing. */
function asAnswer(error: unknown, what: string): unknown {
  if (error instanceof HttpError) return error
  if (error instanceof EdgarError) return apiError('edgar_unavailable', { what, reason: messageOf(error) })
  if (error instanceof BucketError) return apiError('archive_unavailable')
  if (error instanceof SubmissionError) return apiError('submission_unreadable', { reason: messageOf(error) })
  return error
}
