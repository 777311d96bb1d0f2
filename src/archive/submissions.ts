/**
 * Submissions by accession: from the archive, else from EDGAR, once. The store keeps the bytes by their digest; a row of
 * edgar.submission has header, manifest and digest.
 */

import { HttpError, messageOf, notFound, unavailable } from '../declare/errors.ts'
import type { Reads } from '../declare/kept.ts'
import type { Admit, ReadSubmissions, StoredSubmission } from '../declare/ports.ts'
import { type EdgarClient, EdgarError } from '../fetch/client.ts'
import type { Limits } from '../read/apart/call.ts'
import type { Make } from '../read/document-text.ts'
import type { PdfText } from '../read/pdf.ts'
import { type DocumentEntry, readSubmission, SubmissionError } from '../read/sgml/submission.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { isOfData } from '../store/refused.ts'
import type { Packed } from './derived.ts'
import { documents, Replaced } from './documents.ts'
import { keepPart } from './keep.ts'
import { pdfText } from './pdfs.ts'
import { recompose } from './recompose.ts'
import { record, remember } from './record.ts'
import { CorruptEntry, type Store } from './store.ts'
import { type Given, take } from './take.ts'
import { givenOf, type Texts, textsOf } from './texts.ts'
import { EVERYTHING, type Keeping, lacks, type SpineFiling, wantedOf } from './wanted.ts'

export type { Keeping, SpineFiling } from './wanted.ts'

/** Archived submissions, for routes and for ingest. */
export interface Submissions extends ReadSubmissions, Pick<Texts, 'kept'> {
  /**
   * Like `get`, but for ingest: it does not write to the database, and throws whatever went wrong.
   *
   * @param options `isRetry`: a submission that is cut off in the archive is fetched again; `reads`: documents that the
   *   archive is to have, beside those that it keeps of such a form
   * @throws EdgarError, HttpError 404, SubmissionError; the signal's reason
   */
  obtain(
    filing: SpineFiling,
    options?: { isRetry?: boolean; reads?: Reads; signal?: AbortSignal | undefined },
  ): Promise<StoredSubmission>
  /**
   * Reads a submission that came in the archive of a day. Like `obtain` it does not write to the database.
   *
   * @throws SubmissionError where it is damaged: then nothing of it is kept
   */
  take(filing: SpineFiling, given: Given, reads: Reads): Promise<StoredSubmission>
  /**
   * Writes what `obtain` returned to edgar.submission, and the facts of its header to the spine.
   *
   * @returns whether it changed facts of the spine
   */
  record(tx: Transaction, obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[]): Promise<boolean>
  /** A document's text as it is kept. @param make makes it of its bytes; by default in a process of its own */
  packed(submission: StoredSubmission, entry: DocumentEntry, make?: Make): Promise<Packed>
}

interface Parts {
  sql: Sql
  store: Store
  client: EdgarClient
  keeping?: Keeping | null
  /** Limits of making one text, where they differ from the usual ones. */
  limits?: Partial<Limits>
}

/** @param parts `keeping`: what the archive keeps; without it everything */
export function submissions({ sql, store, client, keeping = null, limits = {} }: Parts): Submissions {
  const underWay = new Map<string, Promise<unknown>>()
  const cache = keeping?.cache ?? null
  const own = documents({
    store,
    cache,
    find,
    fetchAgain: (submission) => shared(submission.sha256, () => again(submission)),
  })

  async function obtain(
    filing: SpineFiling,
    { isRetry = false, reads, signal }: { isRetry?: boolean; reads?: Reads; signal?: AbortSignal | undefined } = {},
  ): Promise<StoredSubmission> {
    const stored = await find(filing.accession)
    const wants = wantedOf(keeping, filing, { reads, before: stored })
    if (stored && !(isRetry && stored.header.cutOff) && !lacks(stored, wants === null ? EVERYTHING : reads))
      return stored
    if (stored && wants && (await cache!.has(stored.sha256)) && !isRetry) {
      return { ...stored, ...(await keepPart(store, cache!.read(stored.sha256), wants)) }
    }
    return fetched(filing, { wants, signal })
  }

  /** Fetches a submission into the archive: what is wanted of it, or everything. */
  async function fetched(
    filing: SpineFiling,
    { wants, through, signal }: { wants: Reads | null; through?: Store | null; signal?: AbortSignal | undefined },
  ): Promise<StoredSubmission> {
    const path = `/Archives/${filing.path}`
    const found = await client.get(
      path,
      async ({ body, url, isDelimited }) => ({ ...(await taken(body, wants, through)), sourceUrl: url, isDelimited }),
      { signal },
    )
    if (!found) throw notFound(`EDGAR has no submission at ${path}`)
    const { isDelimited, ...rest } = found
    const { header } = rest
    if (header.cutOff && !isDelimited) throw new EdgarError('truncated', `${rest.sourceUrl}: ${header.cutOff}`)
    if (header.accession !== null && header.accession !== filing.accession) {
      throw new Error(`${path} holds the submission ${header.accession}`)
    }
    return { accession: filing.accession, ...rest, originals: wants === null }
  }

  /** Reads a submission as it arrives. A submission that goes `through` the cache lies there whole for a while. */
  async function taken(body: AsyncIterable<Uint8Array>, wants: Reads | null, through?: Store | null) {
    if (wants && !through) return keepPart(store, body, wants)
    const place = wants === null ? store : through!
    const { sha256 } = await place.put(body)
    if (wants) return keepPart(store, place.read(sha256), wants)
    return { ...(await readSubmission(place.read(sha256))), sha256, kept: null }
  }

  async function find(accession: string): Promise<StoredSubmission | null> {
    const row = (table: 'submission' | 'look_up', place: number) => sql`
      select accession, sha256, bytes::float8 as bytes, source_url as "sourceUrl", header, documents,
        kept_sha256 as kept, dropped, originals, ${place}::int as place
      from edgar.${sql(table)} where accession = ${accession}`
    const rows = await sql<(StoredSubmission & { place?: number })[]>`
      ${row('submission', 1)} union all ${row('look_up', 2)} order by place`
    for (const { place: _, ...stored } of rows) {
      // The row may outlive its bytes: an entry found corrupt was moved aside, to be fetched again.
      if (await store.has(stored.kept ?? stored.sha256)) return stored
    }
    return null
  }

  const filingOf = async (accession: string): Promise<SpineFiling | null> => {
    const [filing] = await sql<SpineFiling[]>`
      select accession, form_type, filed_date, path from edgar.filing where accession = ${accession}`
    return filing ?? null
  }

  async function fetchOnce(accession: string): Promise<StoredSubmission | null> {
    const filing = await filingOf(accession)
    if (!filing) return null
    const stored = await find(accession)
    return stored ?? fetchAndRecord(filing)
  }

  async function fetchAndRecord(
    filing: SpineFiling,
    before: StoredSubmission | null = null,
  ): Promise<StoredSubmission> {
    const wants = wantedOf(keeping, filing, { before })
    // A request for a filing is usually followed by one for its documents, archived or not.
    const submission = await fetched(filing, { wants, through: cache })
    try {
      await remember(sql, submission)
    } catch (error) {
      // It can be shown all the same. The next look-up fetches it again.
      if (!isOfData(error)) throw error
    }
    return submission
  }

  /** Fetches a submission into the cache, as it was read. Reads all of it again if EDGAR serves other bytes by now. */
  async function again(stored: StoredSubmission): Promise<void> {
    const { accession, sha256 } = stored
    const filing = await filingOf(accession)
    if (!filing) throw notFound(`filing ${accession} is no longer listed`)
    const path = `/Archives/${filing.path}`
    const found = await client.get(path, ({ body }) => cache!.put(body))
    if (!found) throw notFound(`EDGAR has no submission at ${path} any more`)
    if (found.sha256 === sha256) return
    const isWhole = await recompose({ store, cache: cache! }, stored, found.sha256)
    if (isWhole) await cache!.remove(found.sha256)
    if (isWhole) return
    await fetchAndRecord(filing, stored)
    throw new Replaced(accession)
  }

  /** Several requests for one submission fetch it once. */
  async function shared<T>(key: string, work: () => Promise<T>): Promise<T> {
    const running = (underWay.get(key) as Promise<T> | undefined) ?? work().finally(() => underWay.delete(key))
    underWay.set(key, running)
    return running
  }

  async function get(accession: string, admit: Admit = (look) => look()): Promise<StoredSubmission | null> {
    try {
      return (await find(accession)) ?? (await admit(() => shared(accession, () => fetchOnce(accession))))
    } catch (error) {
      throw asAnswer(error, 'this filing is not in the archive')
    }
  }

  async function bring(submission: StoredSubmission, entry: DocumentEntry, admit: Admit = (look) => look()) {
    if (!submission.dropped.includes(entry.seq) || (await cache!.has(submission.sha256))) return
    try {
      await admit(() => own.bring(submission, entry))
    } catch (error) {
      throw asAnswer(error, `document ${entry.seq} of this filing is not kept in the archive`)
    }
  }

  async function pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>> {
    const text = await pdfText(store, sha256).catch((error) => {
      if (error instanceof CorruptEntry) throw unavailable(`the archive has lost this PDF: ${error.message}`)
      throw error
    })
    if (text.kind !== 'text') throw unavailable(`this PDF cannot be read now: ${text.reason}`)
    return text
  }

  const { packed, kept, sections, call } = textsOf({ store, document: own.document, limits })
  return {
    ...{ get, obtain, record, bring, pdf, document: own.document, kept, sections, call },
    take: (filing, given, reads) => take({ store, keeping }, filing, given, reads),
    async text(submission, entry, admit) {
      const brought = () => (admit ? bring(submission, entry, admit) : own.bring(submission, entry))
      return givenOf(await packed(submission, entry, { bring: brought }))
    },
    packed: (submission, entry, make) => packed(submission, entry, { bring: () => own.bring(submission, entry), make }),
  }
}

/** The error for a client when EDGAR could not deliver a filing. */
function asAnswer(error: unknown, what: string): unknown {
  if (error instanceof HttpError) return error
  if (error instanceof EdgarError) return unavailable(`${what}, and ${messageOf(error)}`)
  if (error instanceof SubmissionError)
    return unavailable(`this filing cannot be read as EDGAR serves it: ${messageOf(error)}`)
  return error
}
