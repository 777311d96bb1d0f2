/** The data versions: one for each slice, which changes whenever its served data changes. */
import type { Fragment, Sql, Transaction } from './db.ts'

/** Channel on which every change of served data is announced. */
export const DATA_CHANNEL = 'openfilings_data'

/**
 * Records that served data of these slices changed, so that cached answers from this data become stale. Writers of one
 * slice wait here for each other's commit. So this must be the last call before the commit: the lock is then held for
 * microseconds.
 */
export async function dataChanged(tx: Transaction, slugs: readonly string[]): Promise<void> {
  await move(tx, tx`select distinct slug from unnest(${slugs as string[]}::text[]) slug`)
}

/** Does the same as `dataChanged` for these slices and for every slice that ever had data. */
export async function everythingChanged(tx: Transaction, slugs: readonly string[] = []): Promise<void> {
  await move(tx, tx`select slug from core.data_version union select unnest(${slugs as string[]}::text[])`)
}

/** Increments the versions in the order of slugs, so that two writers of several slices cannot deadlock. */
async function move(tx: Transaction, slugs: Fragment): Promise<void> {
  await tx`
    insert into core.data_version as v (slug, source, version)
    select slug, 'load', 1 from (${slugs}) changed order by slug collate "C"
    on conflict (slug, source) do update set version = v.version + 1`
  await tx`select pg_notify(${DATA_CHANNEL}, '')`
}

/** The data version of each slice that ever had data. */
export type Versions = ReadonlyMap<string, string>

/** Reads the data versions. `versionsOf` makes a map from the rows. */
export const dataVersions = (sql: Sql) => sql<VersionRow[]>`
  select slug, sum(version)::text as version from core.data_version group by slug`

interface VersionRow {
  slug: string
  version: string
}

export const versionsOf = (rows: readonly VersionRow[]): Versions =>
  new Map(rows.map(({ slug, version }) => [slug, version]))

/** The version of an answer that is made from these slices: it differs whenever one of them has changed. */
export const versionOf = (versions: Versions, slugs: readonly string[]): string =>
  slugs.map((slug) => versions.get(slug) ?? '0').join()
