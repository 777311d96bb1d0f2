/** The data versions: what changed of the data that is served, by slice. */
import type { Fragment, Sql, Transaction } from './db.ts'

/** Channel on which every change of served data is announced. */
export const DATA_CHANNEL = 'openfilings_data'

/**
 * Says that served data of these slices changed: answers made of it are then stale. Writers of one slice wait here for
 * each other's commit: call it as the last thing before that, so that it is held for microseconds.
 */
export async function dataChanged(tx: Transaction, slugs: readonly string[]): Promise<void> {
  await move(tx, tx`select distinct slug from unnest(${slugs as string[]}::text[]) slug`)
}

/** The same for these and for every slice that ever had data. */
export async function everythingChanged(tx: Transaction, slugs: readonly string[] = []): Promise<void> {
  await move(tx, tx`select slug from core.data_version union select unnest(${slugs as string[]}::text[])`)
}

/** In the order of slugs, so that two writers of several slices never wait for each other in turn. */
async function move(tx: Transaction, slugs: Fragment): Promise<void> {
  await tx`
    insert into core.data_version as v (slug, source, version)
    select slug, 'load', 1 from (${slugs}) changed order by slug collate "C"
    on conflict (slug, source) do update set version = v.version + 1`
  await tx`select pg_notify(${DATA_CHANNEL}, '')`
}

/** The data version of each slice that ever had data. */
export type Versions = ReadonlyMap<string, string>

/** Reads them. `versionsOf` makes a map of the rows. */
export const dataVersions = (sql: Sql) => sql<VersionRow[]>`
  select slug, sum(version)::text as version from core.data_version group by slug`

interface VersionRow {
  slug: string
  version: string
}

export const versionsOf = (rows: readonly VersionRow[]): Versions =>
  new Map(rows.map(({ slug, version }) => [slug, version]))

/** The version of what is made of these slices: another one whenever one of them changed. */
export const versionOf = (versions: Versions, slugs: readonly string[]): string =>
  slugs.map((slug) => versions.get(slug) ?? '0').join()
