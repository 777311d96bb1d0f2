/** The table core.mark: the dirty keys of rollups, whose rows a load has made outdated. */
import type { Slice } from '../declare/dataset.ts'
import type { DatasetRefresh, Records, When } from '../declare/refresh.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { within } from '../store/path.ts'

/** Keys of rollups, by the slug of the slice that has these rollups. */
export type Touched = Map<string, Set<string>>

/** Slices whose rollups are made from the views that this slice publishes. */
export const followersOf = (slices: readonly Slice[], { slug }: Slice): Slice[] =>
  slices.filter(({ refresh }) => refresh?.follows?.[slug])

/**
 * Adds the keys that depend on the records as they are stored now. Must be called before a load changes the records,
 * and again afterwards.
 *
 * @param slices all slices that may follow the dataset
 */
export async function touch(
  tx: Transaction,
  touched: Touched,
  slices: readonly Slice[],
  dataset: Slice,
  records: Records,
  when: When,
): Promise<void> {
  if (records.keys.length === 0 && records.day === null) return
  const { slug, refresh } = dataset
  const keys = refresh ? await within(tx, slug, () => (refresh as DatasetRefresh).touched(tx, records)) : records.keys
  if (refresh) add(touched, slug, keys)
  // Marks followers whose keys depend on tables that change here. Followers that depend on rollups are marked again
  // when the rollups are made.
  for (const follower of followersOf(slices, dataset)) {
    add(touched, follower.slug, await followed(tx, follower, slug, keys, when, records.keys))
  }
}

/** The follower's keys that depend on the given keys of another slice, as both slices are now. */
export const followed = (
  tx: Transaction,
  { slug, refresh }: Slice,
  other: string,
  keys: readonly string[],
  when: When,
  records: readonly string[] = [],
) => within(tx, slug, () => refresh!.follows![other]!(tx, keys, when, records))

export function add(touched: Touched, slug: string, keys: Iterable<string>): void {
  const own = touched.get(slug) ?? new Set()
  for (const key of keys) own.add(key)
  touched.set(slug, own)
}

/**
 * Appends the marks. Never waits for a lock: a key that two transactions mark at the same time gets two rows.
 *
 * The server counts changed rows for each session, and publishes the counts once a second at most. The refresh may
 * begin earlier, and decides by these counts which tables it analyzes. So they are published with this transaction.
 */
export async function mark(tx: Transaction, touched: Touched): Promise<void> {
  for (const [slug, keys] of touched) {
    if (keys.size > 0) await tx`insert into core.mark (slug, key) select ${slug}, unnest(${[...keys]}::text[])`
  }
  await tx`select pg_stat_force_next_flush()`
}

/** Marks all keys of these slices. */
export async function markAll(tx: Transaction, slices: readonly Slice[]): Promise<void> {
  for (const { slug } of slices) await tx`insert into core.mark (slug) values (${slug})`
}

interface Marked {
  slug: string
  /** Number of keys whose rows wait to be made. `refused` counts the keys whose rows the database refused. */
  waiting: number
  refused: number
  /** Whether the rows of all keys of the slice wait to be made. */
  all: boolean
  /** Moment of the oldest mark. */
  since: string
  /** Key and reason of a refused key. */
  example: { key: string | null; reason: string } | null
}

/** The rollups that are not up to date, by slice; empty if all are. */
export async function marked(sql: Sql): Promise<Marked[]> {
  return sql<Marked[]>`
    select slug, count(distinct coalesce(key, '')) filter (where reason is null)::int as waiting,
      count(distinct coalesce(key, '')) filter (where reason is not null)::int as refused, min(made_at) as since,
      bool_or(key is null and reason is null) as "all",
      (array_agg(jsonb_build_object('key', key, 'reason', reason) order by key) filter (where reason is not null))[1]
        as example
    from core.mark group by slug order by slug`
}
