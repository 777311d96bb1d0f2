/**
 * What files of companies tell of filings that the index does not: period and moment of acceptance. They fill the spine for
 * every filing that it has, so that an answer does not depend on whose header somebody asked for before. A header that was
 * read wins. Filings that such a file lists and no index are not added: the indexes say what there is, and they are counted.
 */
import { SPINE } from '../declare/catalog.ts'
import { type BulkDataset, isBulk, type Slice } from '../declare/dataset.ts'
import type { Fragment, Transaction } from '../store/db.ts'
import type { LoggedChange } from '../store/events.ts'
import { INDEX_LOCK } from './order.ts'

/** Held until commit by whoever stores such lists: filings that an index adds meanwhile would miss them. */
export const holdIndex = (tx: Transaction) => tx`select pg_advisory_xact_lock(${INDEX_LOCK})`

/** The table in which a dataset keeps what its files tell of filings, `schema.name`; null where they tell nothing. */
export function hintTable({ source, tables }: BulkDataset): string | null {
  for (const series of Object.values(source.series)) {
    if (series.format === 'json' && series.kind === 'update' && series.tells) return tables[series.tells]!.id
  }
  return null
}

const distinct = (tx: Transaction) => tx`
  (t.period_of_report is not null and f.period_of_report is distinct from t.period_of_report
    or t.accepted_at is not null and f.accepted_at is distinct from t.accepted_at)
  and not exists (select from edgar.submission s where s.accession = f.accession)`

/** Several files may list one filing, those of issuer and owner: what comes of them must not depend on their order. */
const toldOf = (tx: Transaction, table: string, accessions: Fragment) => tx`
  select l.accession, min(l.period_of_report) as period_of_report, min(l.accepted_at)::timestamptz as accepted_at
  from ${tx(table)} l where l.accession in (${accessions}) group by l.accession`

const set = (tx: Transaction, told: Fragment) => tx`
  update edgar.filing f set period_of_report = coalesce(t.period_of_report, f.period_of_report),
    accepted_at = coalesce(t.accepted_at, f.accepted_at)
  from ${told} t where f.accession = t.accession and ${distinct(tx)}`

export interface SpineFill {
  /** Filings of the spine that were filled or corrected. */
  filled: number
  /** Filings that the files list and the spine has not. */
  unlisted: number
  happened: LoggedChange[]
}

/**
 * Fills the spine from lists that were just stored, whose new rows stand in a temporary table with `accession`. Whoever
 * reads one of the filings finishes first, by the order of locks; a look-up, which holds no task, by the filing's row.
 *
 * @param isFirst nothing of the series was loaded before: then the filings are too many to be named
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
    from (${toldOf(tx, table, tx`select accession from ${tx(staged)}`)}) t left join edgar.filing f using (accession)`
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
  const happened: LoggedChange[] =
    filled === 0 ? [] : [{ slug: SPINE, what: 'corrected', keys: keys?.map(({ accession }) => accession) ?? null }]
  return { filled, unlisted: counted!.unlisted, happened }
}

/** Fills filings that an index has just added, which stand in the temporary table `added`, from lists loaded before. */
export async function fillAdded(tx: Transaction, slices: readonly Slice[]): Promise<void> {
  for (const table of slices.filter(isBulk).flatMap((dataset) => hintTable(dataset) ?? [])) {
    await set(tx, tx`(${toldOf(tx, table, tx`select accession from added`)})`)
  }
}
