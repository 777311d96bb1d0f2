/** SQL of the registry, of coverage and of the lookup of one filing. */
import type { z } from 'zod'
import type { Catalog, Family } from '../../declare/catalog.ts'
import { type FilingsDataset, filingTable } from '../../declare/dataset.ts'
import { columnType, isInner, storedColumns, type Table } from '../../declare/table.ts'
import { type filingRow, filingsOf } from '../../serve/filings-of.ts'
import type { Sql } from '../../store/db.ts'
import type { FilingRow } from './queries-search.ts'

interface FormCount {
  form_type: string
  filings: number
  extracted: number
}

/** Selects counts by form, which the loader maintains. */
export const coverage = (sql: Sql) => sql<FormCount[]>`
  select form_type, filings::float8 as filings, extracted::float8 as extracted from edgar.coverage where filings > 0`

/** Selects, for each dataset, the number of filings in its loaded quarterly data sets. */
export const setCounts = (sql: Sql) => sql<{ dataset: string; filings: number }[]>`
  select dataset, sum(filings)::float8 as filings from bulk.filing_set where state = 'done' group by dataset`

/**
 * Sums counts by family, and under `ledger` the counts of forms that belong to no family; families without filings are
 * absent.
 */
export function totals(counts: readonly FormCount[], catalog: Catalog): Map<string, Omit<FormCount, 'form_type'>> {
  const found = new Map<string, Omit<FormCount, 'form_type'>>()
  for (const { form_type, filings, extracted } of counts) {
    const slug = catalog.familyOfForm(form_type)?.slug ?? 'ledger'
    const sum = found.get(slug) ?? { filings: 0, extracted: 0 }
    found.set(slug, { filings: sum.filings + filings, extracted: sum.extracted + extracted })
  }
  return found
}

/**
 * Returns the feed columns of these filings by accession, as one object for each filing. A filing that was not
 * extracted is absent.
 */
export async function feedRows(
  sql: Sql,
  { table, columns }: NonNullable<Family['feed']>,
  accessions: readonly string[],
): Promise<Map<string, Record<string, unknown>[]>> {
  const rows = await sql<Record<string, unknown>[]>`
    select accession as "for", ${sql(columns as string[])} from ${sql(table.schema)}.${sql(table.name)}
    where accession = any(${accessions as string[]})`
  return new Map(rows.map(({ for: accession, ...row }) => [accession as string, [row]]))
}

export interface Filing extends FilingRow {
  filer_count: number
  path: string
  first_seen_at: string
  /**
   * When the index was read that no longer lists the filing; null unless it is unknown whether EDGAR removed the
   * filing.
   */
  unlisted_since: string | null
  items: string[]
  filers: { cik: string; name: string }[]
}

/** Returns a filing of the spine with its filers, the first one first. */
export async function filing(sql: Sql, accession: string): Promise<Filing | undefined> {
  const [found] = await sql<Filing[]>`
    select f.accession, f.cik, f.company_name, f.form_type, f.filed_date, f.period_of_report, f.accepted_at, f.has_text,
      f.family, f.filer_count, f.path, f.first_seen_at,
      (select read_at from edgar.unlisted u where u.accession = f.accession) as unlisted_since,
      array(select item from edgar.filing_item i where i.accession = f.accession order by item) as items,
      (
        select coalesce(jsonb_agg(jsonb_build_object('cik', r.cik, 'name', n.name) order by r.cik <> f.cik, r.cik), '[]')
        from edgar.filer r join edgar.filer_name n using (name_id) where r.accession = f.accession
      ) as filers
    from edgar.filing f where f.accession = ${accession}`
  return found
}

/**
 * Returns a filing that no loaded index lists, but that a company's JSON file of figures (series `COMPANY_FACTS`)
 * names. Its `path` is made from the CIK and the accession, since EDGAR serves every filing of the company at such a
 * path.
 */
export async function filingOfFacts(sql: Sql, accession: string): Promise<Filing | undefined> {
  const rows = await sql<Omit<Filing, 'filers'>[]>`
    select f.accession, f.cik, coalesce(f.entity_name, '') as company_name, f.form as form_type, f.filed_date,
      null as period_of_report, null as accepted_at, false as has_text, null as family, 1 as filer_count,
      'edgar/data/' || f.cik::bigint || '/' || f.accession || '.txt' as path,
      e.finished_at as first_seen_at, null as unlisted_since,
      '{}'::text[] as items
    from pub.facts_filing f
    join bulk.record r on r.series = 'COMPANY_FACTS' and r.key = f.cik
    join bulk.edition e on e.series = r.series and e.name = r.edition
    where f.accession = ${accession} order by f.cik`
  const [first] = rows
  if (!first) return undefined
  const filers = rows.map(({ cik, company_name }) => ({ cik, name: company_name }))
  return { ...first, filer_count: filers.length, filers }
}

/**
 * Returns a filing that no loaded index lists but a data set of the SEC has, and the dataset with its rows. The rows of
 * the filing are loaded; its submission may never have been read.
 */
export async function filingOfSets(
  sql: Sql,
  { filings }: Pick<Catalog, 'filings'>,
  accession: string,
): Promise<{ dataset: FilingsDataset; filing: Filing } | undefined> {
  const [known] = await sql<{ slug: string; first_seen_at: string }[]>`
    select s.dataset as slug, l.finished_at as first_seen_at
    from bulk.set_filing s join bulk.filing_set l using (dataset, name)
    where s.dataset = any(${filings.map(({ slug }) => slug)}) and s.accession = ${accession}`
  const dataset = filings.find(({ slug }) => slug === known?.slug)
  if (!known || !dataset) return undefined
  const table = filingTable(dataset)
  const columns = companyColumns(table)
  if (!columns) return undefined
  const [row] = await sql<Pick<Filing, 'cik' | 'company_name' | 'form_type' | 'filed_date'>[]>`
    select ${sql(columns.cik)} as cik, coalesce(${sql(columns.name)}, '') as company_name,
      submission_type as form_type, filed_date
    from ${sql(table.id)} where accession = ${accession} and ${sql(columns.cik)} is not null`
  if (!row) return undefined
  const { cik, company_name } = row
  return {
    dataset,
    filing: {
      ...{ ...row, accession, period_of_report: null, accepted_at: null, has_text: false, family: dataset.slug },
      ...{ filer_count: 1, items: [], filers: [{ cik, name: company_name }] },
      path: `edgar/data/${Number(cik)}/${accession}.txt`,
      ...{ first_seen_at: known.first_seen_at, unlisted_since: null },
    },
  }
}

/**
 * Returns the columns of a table of filings that have the CIK and the name of the company: the columns of the filer, or
 * else of the issuer. For example, a table of insiders' forms has no column with the filer's name, since a quarterly
 * data set does not state the filer. So the columns of the issuer are returned.
 */
function companyColumns(table: Table): { cik: string; name: string } | undefined {
  const columns = storedColumns(table)
  for (const cik of ['cik', 'issuer_cik']) {
    const name = columns[cik] && columnType(columns[cik])?.named
    if (name) return { cik, name }
  }
  return undefined
}

/** Returns the newest filings of a filer, of any form. */
export async function newestOf(sql: Sql, cik: string, max: number): Promise<z.infer<typeof filingRow>[]> {
  const [row] = await sql<[{ filings: z.infer<typeof filingRow>[] }]>`
    select ${filingsOf(sql, { cik: sql`${cik}::text`, max })} as filings`
  return row.filings
}

/** Returns the day on which the removal of a filing was recorded. */
export async function removedOn(sql: Sql, accession: string): Promise<string | undefined> {
  const [row] = await sql<{ day: string }[]>`
    select removed_at::date as day from edgar.tombstone where accession = ${accession}`
  return row?.day
}

export interface Relative {
  accession: string
  form_type: string
  filed_date: string
  period_of_report: string | null
  accepted_at: string | null
}

/** Maximum distance in time between a filing and its amendments. */
const AMENDED_WITHIN = '3 years'

/**
 * Selects filings of the same form, amended or not, by exactly the same filers, oldest first; the filing itself is
 * among them.
 */
export const sameForm = (sql: Sql, { cik, form_type, filed_date, filers }: Filing) => sql<Relative[]>`
  select f.accession, f.form_type, f.filed_date, f.period_of_report, f.accepted_at
  from edgar.filer c join edgar.filing f using (accession)
  where c.cik = ${cik} and f.form_type = any(${[rootOf(form_type), `${rootOf(form_type)}/A`]})
    and c.filed_date between ${filed_date}::date - ${AMENDED_WITHIN}::interval and ${filed_date}::date + ${AMENDED_WITHIN}::interval
    and f.filer_count = ${filers.length}
    and not exists (
      select from edgar.filer r where r.accession = f.accession and r.cik <> all(${filers.map((filer) => filer.cik)})
    )
  order by f.filed_date, f.accession
  limit 1000`

/** Returns `10-K` for `10-K/A`. */
const rootOf = (form: string) => form.replace(/\/A$/, '')

interface Ingest {
  state: string
  unread: number
  unread_paths: string[]
  problems: unknown[]
  error: string | null
}

/** Returns the result of the task that reads the filing for a dataset; null if there is no such task. */
export async function ingest(sql: Sql, accession: string, work: string | null): Promise<Ingest | null> {
  const [task] = await sql<Ingest[]>`
    select state, unread, unread_paths, problems, error from edgar.task
    where accession = ${accession} and dataset = ${work}`
  return task ?? null
}

/** Maximum number of rows of one table in an answer: an information table has up to 600,000. */
export const TABLE_ROWS = 1_000

/**
 * Returns the dataset's rows of one filing by table. A table with one row per filing gives an object, any other table
 * an array. Returns null if there are no rows. `cut` has the full number of rows of each table that has more than
 * TABLE_ROWS. A row that refers to an entry of a dictionary includes the entry's columns: a holding without the name of
 * its security is useless.
 */
export async function datasetRows(
  sql: Sql,
  { tables, dictionaries }: FilingsDataset,
  accession: string,
): Promise<{ data: Record<string, unknown> | null; cut: Record<string, number> }> {
  const cut: Record<string, number> = {}
  const read = async (key: string, t: Table) => {
    const columns = Object.entries(storedColumns(t)).flatMap(([name, type]) =>
      name === 'accession' || isInner(name, type) ? [] : [name],
    )
    const order = sql(['accession', ...t.key])
    const from = sql`from ${sql(t.schema)}.${sql(t.name)} where accession = ${accession}`
    const joins = Object.values(dictionaries).filter(({ record }) => columns.includes(record))
    const named = joins.flatMap((d) =>
      Object.keys(storedColumns(d)).flatMap((name) => (columns.includes(name) ? [] : `${d.name}.${name}`)),
    )
    const rows = await sql<Record<string, unknown>[]>`
      select ${sql([...columns.map((name) => `own.${name}`), ...named])}
      from (select * ${from} order by ${order} limit ${TABLE_ROWS + 1}) own
      ${joins.reduce((all, d) => sql`${all} left join ${sql(d.id)} on ${sql(`${d.name}.${d.record}`)} = ${sql(`own.${d.record}`)}`, sql``)}
      order by ${sql(['accession', ...t.key].map((name) => `own.${name}`))}`
    if (t.key.length === 0) return rows[0] ?? null
    if (rows.length > TABLE_ROWS) {
      const [row] = await sql<{ count: number }[]>`select count(*)::int as count ${from}`
      cut[key] = row!.count
    }
    return rows.slice(0, TABLE_ROWS)
  }
  const entries = await Promise.all(Object.entries(tables).map(async ([key, t]) => [key, await read(key, t)] as const))
  const found = entries.some(([, rows]) => (Array.isArray(rows) ? rows.length > 0 : rows !== null))
  return { data: found ? Object.fromEntries(entries) : null, cut }
}
