/** Stores facts about the submissions that were obtained, in the database. */

import type { StoredSubmission } from '../declare/ports.ts'
import { itemCodes } from '../read/sgml/items.ts'
import type { Sql, Transaction } from '../store/db.ts'
import type { Store } from './store.ts'
import type { SpineFiling } from './wanted.ts'

const COLUMNS = ['accession', 'sha256', 'bytes', 'source_url', 'header', 'documents', 'kept_sha256', 'dropped', 'originals'] as const // biome-ignore format: a table

const rowOf = (sql: Sql | Transaction, submission: StoredSubmission) => ({
  accession: submission.accession,
  sha256: submission.sha256,
  bytes: String(submission.bytes),
  source_url: submission.sourceUrl,
  header: sql.json(submission.header as never),
  documents: sql.json(submission.documents as never),
  kept_sha256: submission.kept,
  dropped: sql.json(submission.dropped),
  originals: submission.originals,
})

/** The error for a submission of which another worker has archived documents that this worker left out. */
export class ArchivedMeanwhile extends Error {}

/**
 * Compares submissions with their rows in `edgar.submission`, and locks these rows. Another worker may have archived
 * more documents of the same submission since the caller looked it up. The row must then stay, because nothing else
 * names these documents.
 *
 * @returns for each accession that has such a row, whether the row has all documents that the submission has
 */
async function widerRows(
  tx: Transaction,
  store: Store,
  submissions: readonly StoredSubmission[],
): Promise<Map<string, boolean>> {
  const rows = await tx<Pick<StoredSubmission, 'accession' | 'sha256' | 'kept' | 'dropped'>[]>`
    select accession, sha256, kept_sha256 as kept, dropped from edgar.submission
    where accession = any(${submissions.map(({ accession }) => accession)}) order by accession for update`
  const wider = new Map<string, boolean>()
  for (const { accession, sha256, kept, dropped } of rows) {
    const own = submissions.find((submission) => submission.accession === accession)!
    const hasMore = own.sha256 === sha256 && own.dropped.some((seq) => !dropped.includes(seq))
    // If the archive has lost the bytes, the row names nothing that could be read.
    if (!hasMore || !(await store.has(kept ?? sha256))) continue
    wider.set(
      accession,
      dropped.every((seq) => own.dropped.includes(seq)),
    )
  }
  return wider
}

/**
 * Stores the facts about a submission that was fetched for a request. The spine is not changed: a list must not depend
 * on which of its filings were looked up. If an ingest has read the submission before, its row in `edgar.submission` is
 * updated, since the archive had lost the bytes, or EDGAR has changed them.
 */
export async function remember(sql: Sql, store: Store, submission: StoredSubmission): Promise<void> {
  await sql.begin(async (tx) => {
    const row = rowOf(tx, submission)
    const { accession, ...values } = row
    if ((await widerRows(tx, store, [submission])).size > 0) return
    const { count } =
      await tx`update edgar.submission set ${tx(values)}, fetched_at = now() where accession = ${accession}`
    if (count > 0) return
    await tx`
      insert into edgar.look_up ${tx(row, ...COLUMNS)}
      on conflict (accession) do update set ${tx(values)}, fetched_at = now()`
  })
}

/** Writes submissions to edgar.submission, in the given order. */
async function write(tx: Transaction, store: Store, submissions: readonly StoredSubmission[]): Promise<void> {
  const rowsOf = (some: readonly StoredSubmission[]) =>
    tx(
      some.map((submission) => rowOf(tx, submission)),
      ...COLUMNS,
    )
  // Adds the new rows and locks the existing ones in one pass, because two batches with new and existing rows must lock
  // them in one order. The update changes nothing, but PostgreSQL locks a row before it tests `where`.
  const added = await tx`
    insert into edgar.submission ${rowsOf(submissions)}
    on conflict (accession) do update set accession = excluded.accession where false returning accession`
  const addedNow = new Set(added.map(({ accession }) => accession))
  const others = submissions.filter(({ accession }) => !addedNow.has(accession))
  if (others.length === 0) return
  const wider = await widerRows(tx, store, others)
  for (const [accession, hasAll] of wider) {
    if (!hasAll)
      throw new ArchivedMeanwhile(`another worker archived other documents of ${accession} meanwhile: read it again`)
  }
  const changed = others.filter(({ accession }) => !wider.has(accession))
  if (changed.length === 0) return
  await tx`
    insert into edgar.submission ${rowsOf(changed)}
    on conflict (accession) do update set sha256 = excluded.sha256, bytes = excluded.bytes,
      fetched_at = now(), source_url = excluded.source_url, header = excluded.header, documents = excluded.documents,
      kept_sha256 = excluded.kept_sha256, dropped = excluded.dropped, originals = excluded.originals`
}

/**
 * Writes submissions to edgar.submission, and the facts of their headers to the spine.
 *
 * @returns whether this changed facts of the spine
 * @throws ArchivedMeanwhile if the archive has only parts of a submission, and none of them has all wanted documents
 */
export async function record(
  tx: Transaction,
  store: Store,
  obtained: readonly { filing: SpineFiling; submission: StoredSubmission }[],
): Promise<boolean> {
  if (obtained.length === 0) return false
  // One batch may want a filing for two families, if the form of the filing moved from one family to the other.
  const unique = new Map(obtained.map((one) => [one.submission.accession, one]))
  // All transactions lock submissions in this order. Otherwise two batches with the same filings, for two datasets,
  // could wait for each other.
  const ordered = [...unique.values()].sort((a, b) => (a.submission.accession < b.submission.accession ? -1 : 1))
  const rows = ordered.map(({ filing, submission }) => ({
    accession: submission.accession,
    period: submission.header.periodOfReport,
    accepted: submission.header.acceptedAt,
    filedDate: filing.filed_date,
    items: itemCodes(submission.header.items, filing),
  }))
  await write(
    tx,
    store,
    ordered.map(({ submission }) => submission),
  )
  await tx`delete from edgar.look_up where accession = any(${rows.map((r) => r.accession)})`
  const facts = await tx`
    -- The archive of a day does not state the acceptance; the value from the feed or from a file of the company then
    -- stays.
    update edgar.filing f set period_of_report = h.period, accepted_at = coalesce(h.accepted, f.accepted_at)
    from unnest(
      ${rows.map((r) => r.accession)}::text[], ${rows.map((r) => r.period)}::date[],
      ${rows.map((r) => r.accepted)}::timestamptz[]
    ) h (accession, period, accepted)
    where f.accession = h.accession
      and (f.period_of_report, f.accepted_at) is distinct from (h.period, coalesce(h.accepted, f.accepted_at))`
  const items = rows.flatMap(({ accession, filedDate, items }) => items.map((item) => ({ accession, item, filedDate })))
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
