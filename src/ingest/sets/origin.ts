/** bulk.set_filing: which filings have their rows of a set, and of which one. */
import type { Dataset } from '../../declare/dataset.ts'
import type { Transaction } from '../../store/db.ts'

/** Says that the rows of these filings are those of a set. */
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

/** Says that the rows of these filings are those of their submissions, or gone. */
export async function ofSubmission(tx: Transaction, { slug }: Dataset, accessions: readonly string[]): Promise<void> {
  await tx`delete from bulk.set_filing where dataset = ${slug} and accession = any(${accessions as string[]})`
}

/** The same for all whose submission is read, whenever that was. */
export async function ofSubmissions(tx: Transaction, { slug }: Dataset): Promise<void> {
  await tx`
    delete from bulk.set_filing s using edgar.task t
    where s.dataset = ${slug} and t.dataset = s.dataset and t.accession = s.accession and t.state = 'done'`
}
