/**
 * The table bulk.set_filing: the filings whose rows come from a set, each with its set. If no line of a filing was
 * refused, its task is in the state `set`, and the filing is not fetched unless an operator requests this.
 */
import { type Dataset, type FilingsDataset, filingTable } from '../../declare/dataset.ts'
import type { Transaction } from '../../store/db.ts'

/**
 * Records that the rows of these filings are from a set. Their tasks must be locked.
 *
 * @param suffices true if the set has all lines of these filings, so that their submissions need not be fetched
 */
export async function ofSet(
  tx: Transaction,
  { slug }: Dataset,
  { name, sha256, to, suffices }: { name: string; sha256: string; to: string; suffices: boolean },
  accessions: readonly string[],
): Promise<void> {
  await tx`
    insert into bulk.set_filing (dataset, accession, name, to_day, sha256, suffices)
    select ${slug}, accession, ${name}, ${to}, ${sha256}, ${suffices}
    from unnest(${accessions as string[]}::text[]) accession
    on conflict (dataset, accession) do update
    set name = excluded.name, to_day = excluded.to_day, sha256 = excluded.sha256, suffices = excluded.suffices`
  if (!suffices) return await untilRead(tx, slug, accessions)
  // The tasks get no `finished_at`: a rebuild reads the submissions of all tasks that have one, but these rows do not
  // come from a submission.
  await tx`
    update edgar.task
    set state = 'set', error = null, passing = false, unread = 0, unread_paths = '{}', problems = '[]', finished_at = null
    where dataset = ${slug} and accession = any(${accessions as string[]})
      and (state = 'pending' or state = 'failed' and passing)`
}

/** Sends filings back to the queue if a set does not have all of their lines. */
async function untilRead(tx: Transaction, slug: string, accessions?: readonly string[]): Promise<void> {
  await tx`
    update edgar.task t set state = 'pending' from bulk.set_filing s
    where t.dataset = ${slug} and t.state = 'set' and s.dataset = t.dataset and s.accession = t.accession
      and not s.suffices ${accessions ? tx`and t.accession = any(${accessions as string[]})` : tx``}`
}

/**
 * Records that a set whose last day is `to` contains these filings, and that they were refused. If a filing has rows
 * from an older set, these rows stay until the submission of the filing is read. The tasks of the filings must be
 * locked.
 */
export async function refusedBySet(
  tx: Transaction,
  { slug }: Dataset,
  { to }: { to: string },
  accessions: readonly string[],
): Promise<void> {
  if (accessions.length === 0) return
  await tx`
    update bulk.set_filing set suffices = false
    where dataset = ${slug} and accession = any(${accessions as string[]}) and to_day <= ${to}`
  await untilRead(tx, slug, accessions)
}

/** Puts back into the queue the filings that a rebuild could not read again from their sets. */
export async function lostInRebuild(tx: Transaction, dataset: FilingsDataset, schema: string): Promise<void> {
  const { slug } = dataset
  const { count } = await tx`
    update bulk.set_filing s set suffices = false
    where dataset = ${slug} and suffices
      and not exists (select from ${tx(schema)}.${tx(filingTable(dataset).name)} r where r.accession = s.accession)`
  if (count > 0) await untilRead(tx, slug)
}

/**
 * Sends filings of the temporary table `added` back to the queue if their rows have another filing date than the index.
 */
export async function ofOtherDays(tx: Transaction, dataset: FilingsDataset): Promise<void> {
  await tx`
    update edgar.task t set state = 'pending' from ${tx(filingTable(dataset).id)} r
    where t.dataset = ${dataset.slug} and t.state = 'set' and t.accession in (select accession from added)
      and r.accession = t.accession and r.filed_date <> t.filed_date`
}

/** Records that the rows of these filings are from their submissions, or were removed. */
export async function ofSubmission(tx: Transaction, { slug }: Dataset, accessions: readonly string[]): Promise<void> {
  await tx`delete from bulk.set_filing where dataset = ${slug} and accession = any(${accessions as string[]})`
}

/** Does the same as `ofSubmission` for all filings whose submission was ever read. */
export async function ofSubmissions(tx: Transaction, { slug }: Dataset): Promise<void> {
  await tx`
    delete from bulk.set_filing s using edgar.task t
    where s.dataset = ${slug} and t.dataset = s.dataset and t.accession = s.accession and t.state = 'done'`
}
