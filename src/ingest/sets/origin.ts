/** The table bulk.set_filing: the filings whose rows come from a set, each with its set. */
import type { Dataset } from '../../declare/dataset.ts'
import type { Transaction } from '../../store/db.ts'

/** Records that the rows of these filings are from a set. */
export async function ofSet(
  tx: Transaction,
  { slug }: Dataset,
  { name, sha256, to }: { name: string; sha256: string; to: string },
  accessions: readonly string[],
): Promise<void> {
  await tx`
    insert into bulk.set_filing (dataset, accession, name, to_day, sha256)
    select ${slug}, accession, ${name}, ${to}, ${sha256} from unnest(${accessions as string[]}::text[]) accession
    on conflict (dataset, accession) do update
    set name = excluded.name, to_day = excluded.to_day, sha256 = excluded.sha256`
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
