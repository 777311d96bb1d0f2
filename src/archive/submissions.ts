/**
 * Submissions by accession: from the archive, else from EDGAR, once. The store keeps the bytes by their digest; a row of
 * edgar.submission has header, manifest and digest.
 */

import { createHash } from 'node:crypto'
import { HttpError, messageOf, notFound, unavailable } from '../declare/errors.ts'
import { type EdgarClient, EdgarError } from '../fetch/client.ts'
import type { PdfText } from '../read/pdf.ts'
import { type DocumentText, READERS } from '../read/readable.ts'
import { itemCodes } from '../read/sgml/items.ts'
import {
  type DocumentEntry,
  decodeDocument,
  type Header,
  readSubmission,
  SubmissionError,
} from '../read/sgml/submission.ts'
import { digestOfCode } from '../store/code.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { isOfData } from '../store/refused.ts'
import { queue } from './in-turn.ts'
import { pdfText } from './pdfs.ts'
import { CorruptEntry, type Store } from './store.ts'

/** A larger document is made text while no other large one is: as text it takes some times its bytes. */
const LARGE = 4 * 1024 * 1024

/** Digest of the code that makes text of documents: what other code made is made again. */
const textVersion = () => (version ??= createHash('sha256').update(READERS.map(digestOfCode).join()).digest('hex'))
let version: string | undefined

/** What the archive knows of one submission. */
export interface StoredSubmission {
  accession: string
  sha256: string
  /** Bytes of the whole submission. */
  bytes: number
  sourceUrl: string
  header: Header
  documents: DocumentEntry[]
}

/** What must be known of a filing of the spine to fetch it. */
export interface SpineFiling {
  accession: string
  form_type: string
  filed_date: string
  path: string
}

/** Lets a fetch wait for its turn. @throws HttpError 503 when the turn does not come */
type Admit = <T>(look: () => Promise<T>) => Promise<T>

export interface Submissions {
  /**
   * The submission of a filing, fetched when it is first asked for.
   *
   * @param admit runs the fetch, once EDGAR may be asked for one more
   * @returns null when the spine has no such filing
   * @throws HttpError 503 when EDGAR cannot be asked, 404 when it has no such file
   */
  get(accession: string, admit?: Admit): Promise<StoredSubmission | null>
  /**
   * Like `get`, but for ingest: it does not write to the database, and throws whatever went wrong.
   *
   * @param options `isRetry`: a submission that is cut off in the archive is fetched again
   * @throws EdgarError, HttpError 404, SubmissionError; the signal's reason
   */
  obtain(
    filing: SpineFiling,
    options?: { isRetry?: boolean; signal?: AbortSignal | undefined },
  ): Promise<StoredSubmission>
  /**
   * Writes what `obtain` returned to edgar.submission, and the facts of its header to the spine.
   *
   * @returns whether it changed facts of the spine
   */
  record(tx: Transaction, obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[]): Promise<boolean>
  /** One document as text, made once and kept beside the archive. */
  text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText>
  /**
   * The text of a PDF that lies in the archive by itself: a brochure.
   *
   * @throws HttpError 503 when it cannot be had now: the archive lacks the PDF, or its reader did not get through
   */
  pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>>
  /** Decoded bytes of one document; `unwrapped` drops the XML or XBRL tags around it. */
  document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options?: { unwrapped?: boolean },
  ): AsyncGenerator<Buffer>
}

export function submissions({ sql, store, client }: { sql: Sql; store: Store; client: EdgarClient }): Submissions {
  const underWay = new Map<string, Promise<StoredSubmission | null>>()
  const inTurn = queue()

  async function obtain(
    filing: SpineFiling,
    { isRetry = false, signal }: { isRetry?: boolean; signal?: AbortSignal | undefined } = {},
  ): Promise<StoredSubmission> {
    const stored = await find(filing.accession)
    if (stored && !(isRetry && stored.header.cutOff)) return stored
    const path = `/Archives/${filing.path}`
    const found = await client.get(
      path,
      async ({ body, url, isDelimited }) => ({ ...(await store.put(body)), sourceUrl: url, isDelimited }),
      { signal },
    )
    if (!found) throw notFound(`EDGAR has no submission at ${path}`)
    const { isDelimited, ...fetched } = found
    const { header, documents } = await readSubmission(store.read(fetched.sha256))
    if (header.cutOff && !isDelimited) throw new EdgarError('truncated', `${fetched.sourceUrl}: ${header.cutOff}`)
    if (header.accession !== null && header.accession !== filing.accession) {
      throw new Error(`${path} holds the submission ${header.accession}`)
    }
    return { accession: filing.accession, ...fetched, header, documents }
  }

  async function find(accession: string): Promise<StoredSubmission | null> {
    const rows = await sql<StoredSubmission[]>`
      select accession, sha256, bytes, "sourceUrl", header, documents
      from (
        select accession, sha256, bytes::float8 as bytes, source_url as "sourceUrl", header, documents, 1 as place
        from edgar.submission where accession = ${accession}
        union all
        select accession, sha256, bytes::float8, source_url, header, documents, 2
        from edgar.look_up where accession = ${accession}
      ) s order by place`
    // The row may outlive its bytes: an entry found corrupt was moved aside, to be fetched again.
    for (const row of rows) if (await store.has(row.sha256)) return row
    return null
  }

  async function record(
    tx: Transaction,
    obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[],
  ): Promise<boolean> {
    if (obtained.length === 0) return false
    // One batch may want a filing for two families, if its form moved from one to the other.
    const unique = new Map(obtained.map((one) => [one.submission.accession, one]))
    const rows = [...unique.values()].map(
      ({ filing, submission: { accession, sha256, bytes, sourceUrl, header, documents } }) => ({
        accession,
        sha256,
        bytes: String(bytes),
        source_url: sourceUrl,
        header: tx.json(header as never),
        documents: tx.json(documents as never),
        period: header.periodOfReport,
        accepted: header.acceptedAt,
        filedDate: filing.filed_date,
        items: itemCodes(header.items, filing),
      }),
    )
    await tx`
      insert into edgar.submission ${tx(rows, 'accession', 'sha256', 'bytes', 'source_url', 'header', 'documents')}
      on conflict (accession) do update set sha256 = excluded.sha256, bytes = excluded.bytes,
        fetched_at = now(), source_url = excluded.source_url, header = excluded.header, documents = excluded.documents`
    await tx`delete from edgar.look_up where accession = any(${rows.map((r) => r.accession)})`
    const facts = await tx`
      update edgar.filing f set period_of_report = h.period, accepted_at = h.accepted
      from unnest(
        ${rows.map((r) => r.accession)}::text[], ${rows.map((r) => r.period)}::date[],
        ${rows.map((r) => r.accepted)}::timestamptz[]
      ) h (accession, period, accepted)
      where f.accession = h.accession
        and (f.period_of_report, f.accepted_at) is distinct from (h.period, h.accepted)`
    const items = rows.flatMap(({ accession, filedDate, items }) =>
      items.map((item) => ({ accession, item, filedDate })),
    )
    const changedItems = await tx`
      with given (accession, item, filed_date) as (
        select * from unnest(
          ${items.map((i) => i.accession)}::text[], ${items.map((i) => i.item)}::text[], ${items.map((i) => i.filedDate)}::date[])
      ), gone as (
        delete from edgar.filing_item i
        where i.accession = any(${rows.map((r) => r.accession)}) and not i.in_text
          and (i.accession, i.item) not in (select accession, item from given)
        returning 1
      ), unsaid as (
        update edgar.filing_item i set in_header = false
        where i.accession = any(${rows.map((r) => r.accession)}) and i.in_text and i.in_header
          and (i.accession, i.item) not in (select accession, item from given)
      ), come as (
        insert into edgar.filing_item as i (accession, item, filed_date) select * from given
        on conflict (accession, item) do update set filed_date = excluded.filed_date, in_header = true
          where i.filed_date <> excluded.filed_date or not i.in_header
        returning 1
      )
      select from gone union all select from come`
    return facts.count + changedItems.count > 0
  }

  async function fetchOnce(accession: string): Promise<StoredSubmission | null> {
    const [filing] = await sql<SpineFiling[]>`
      select accession, form_type, filed_date, path from edgar.filing where accession = ${accession}`
    if (!filing) return null
    const submission = await obtain(filing)
    try {
      await remember(submission)
    } catch (error) {
      // It can be shown all the same. The next look-up fetches it anew.
      if (!isOfData(error)) throw error
    }
    return submission
  }

  /** Keeps where it is. The spine learns nothing of it: a list must not depend on which of its filings were looked up. */
  async function remember({ accession, sha256, bytes, sourceUrl, header, documents }: StoredSubmission): Promise<void> {
    const row = {
      accession,
      sha256,
      bytes: String(bytes),
      source_url: sourceUrl,
      header: sql.json(header as never),
      documents: sql.json(documents as never),
    }
    await sql`
      insert into edgar.look_up ${sql(row)}
      on conflict (accession) do update set sha256 = excluded.sha256, bytes = excluded.bytes,
        fetched_at = now(), source_url = excluded.source_url, header = excluded.header, documents = excluded.documents`
  }

  /** Several requests for one new filing fetch it once. */
  async function fetchShared(accession: string): Promise<StoredSubmission | null> {
    const running = underWay.get(accession) ?? fetchOnce(accession).finally(() => underWay.delete(accession))
    underWay.set(accession, running)
    return running
  }

  async function get(accession: string, admit: Admit = (look) => look()): Promise<StoredSubmission | null> {
    try {
      return (await find(accession)) ?? (await admit(() => fetchShared(accession)))
    } catch (error) {
      throw asAnswer(error)
    }
  }

  async function* document(
    submission: StoredSubmission,
    entry: DocumentEntry,
    options: { unwrapped?: boolean } = {},
  ): AsyncGenerator<Buffer> {
    try {
      yield* decodeDocument(store.read(submission.sha256, { start: entry.start, end: entry.end }), entry, options)
    } catch (error) {
      if (error instanceof CorruptEntry) await store.quarantine(submission.sha256)
      throw error
    }
  }

  async function text(submission: StoredSubmission, entry: DocumentEntry): Promise<DocumentText> {
    const key = { sha256: submission.sha256, name: `text-${entry.seq}`, version: textVersion() }
    return store.derived.get(key, () => {
      const read = async () => {
        // 19 MB of memory that an ingest of tables does not need.
        const { readText } = await import('../read/document-text.ts')
        return readText(entry, document(submission, entry, { unwrapped: true }))
      }
      return entry.size > LARGE ? inTurn(read) : read()
    })
  }

  async function pdf(sha256: string): Promise<Extract<PdfText, { kind: 'text' }>> {
    const text = await pdfText(store, sha256).catch((error) => {
      if (error instanceof CorruptEntry) throw unavailable(`the archive has lost this PDF: ${error.message}`)
      throw error
    })
    if (text.kind !== 'text') throw unavailable(`this PDF cannot be read now: ${text.reason}`)
    return text
  }

  return { get, obtain, record, text, pdf, document }
}

/** What a client is told when EDGAR could not deliver a filing. */
function asAnswer(error: unknown): unknown {
  if (error instanceof HttpError) return error
  if (error instanceof EdgarError) return unavailable(`this filing is not in the archive, and ${messageOf(error)}`)
  if (error instanceof SubmissionError)
    return unavailable(`this filing cannot be read as EDGAR serves it: ${messageOf(error)}`)
  return error
}
