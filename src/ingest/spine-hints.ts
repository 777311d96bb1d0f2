/**
 * Stores two facts about filings that company files state and the index lacks: the period and the time of acceptance.
 * These facts are stored for every filing of the spine, so that an answer does not depend on whether headers were
 * requested earlier. If the header of a filing was read, the facts of the header stay. Filings that only such files
 * list are counted and not added, because the indexes decide which filings exist.
 */
import { SPINE } from '../declare/catalog.ts'
import { type BulkDataset, isBulk, type Slice } from '../declare/dataset.ts'
import type { Fragment, Transaction } from '../store/db.ts'
import type { LoggedChange } from '../store/events.ts'

/** The table with a dataset's hints about filings, `schema.name`; null if its files have none. */
export function hintTable({ source, tables }: BulkDataset): string | null {
  for (const series of Object.values(source.series)) {
    if (series.format === 'json' && series.kind === 'update' && series.spineHints) return tables[series.spineHints]!.id
  }
  return null
}

const distinct = (tx: Transaction) => tx`
  (t.period_of_report is not null and f.period_of_report is distinct from t.period_of_report
    or t.accepted_at is not null and f.accepted_at is distinct from t.accepted_at)
  and not exists (select from edgar.submission s where s.accession = f.accession)`

/**
 * Several files may list the same filing: the file of its issuer and the files of its owners. The smallest of their
 * values is taken, since the result must not depend on the order of the files.
 */
const hintsOf = (tx: Transaction, table: string, accessions: Fragment) => tx`
  select l.accession, min(l.period_of_report) as period_of_report, min(l.accepted_at)::timestamptz as accepted_at
  from ${tx(table)} l where l.accession in (${accessions}) group by l.accession`

const set = (tx: Transaction, hints: Fragment) => tx`
  update edgar.filing f set period_of_report = coalesce(t.period_of_report, f.period_of_report),
    accepted_at = coalesce(t.accepted_at, f.accepted_at)
  from ${hints} t where f.accession = t.accession and ${distinct(tx)}`

export interface SpineFill {
  /** Filings of the spine that were filled or corrected. */
  filled: number
  /** Filings that are listed in the files but are not in the spine. */
  unlisted: number
  logged: LoggedChange[]
}

/**
 * Fills the spine from lists that were just stored. The new rows of these lists are in a temporary table with
 * `accession`. Because of the lock order, this first waits for a worker that reads one of the filings. It also waits
 * for a look-up of a header, which locks the filing's row in place of a task.
 *
 * @param isFirst true if nothing of the series was loaded before: the log then does not name the filings, because there
 * are too many
 */
export async function fillFrom(
  tx: Transaction,
  table: string,
  staged: string,
  { isFirst }: { isFirst: boolean },
): Promise<SpineFill> {
  await tx`analyze ${tx(staged)} (accession)`
  await tx`drop table if exists pg_temp.told`
  await tx`
    create temporary table told on commit drop as
    select t.*, f.accession is not null as is_known, f.accession is not null and ${distinct(tx)} as is_news
    from (${hintsOf(tx, table, tx`select accession from ${tx(staged)}`)}) t left join edgar.filing f using (accession)`
  await tx`analyze told`
  await tx`
    select from edgar.task where accession in (select accession from told where is_news)
    order by accession, dataset for update`
  await tx`select from edgar.filing where accession in (select accession from told where is_news) order by accession for update`
  const { count: filled } = await set(tx, tx`(select * from told where is_news)`)
  const [counted] = await tx<{ unlisted: number }[]>`
    select count(*) filter (where not is_known)::int as unlisted from told`
  const keys = isFirst
    ? null
    : await tx<{ accession: string }[]>`select accession from told where is_news order by accession`
  const logged: LoggedChange[] =
    filled === 0 ? [] : [{ slug: SPINE, what: 'corrected', keys: keys?.map(({ accession }) => accession) ?? null }]
  return { filled, unlisted: counted!.unlisted, logged }
}

/**
 * Adds facts to filings that an index has just added, from lists that were loaded before. The filings are in the
 * temporary table `added`.
 */
export async function fillAdded(tx: Transaction, slices: readonly Slice[]): Promise<void> {
  for (const table of slices.filter(isBulk).flatMap((dataset) => hintTable(dataset) ?? [])) {
    await set(tx, tx`(${hintsOf(tx, table, tx`select accession from added`)})`)
  }
}
