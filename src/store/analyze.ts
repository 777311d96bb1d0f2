/** Updates the planner's statistics of tables that a load has changed, before rollups are computed from their rows. */
import { relationsOf, type Slice } from '../declare/dataset.ts'
import type { Sql } from './db.ts'
import { isLockTimeout } from './refused.ts'

/** A table with fewer rows is not analyzed: the planner scans such a table whatever its statistics are. */
const ROWS_MIN = 2_000
/** Share of a table's rows that must have changed before it is analyzed again, as for autovacuum. */
const CHANGED_BY = 0.1
/**
 * `default_statistics_target` for a table with partitions. Scans are planned by the statistics of the partitions;
 * those of the table itself serve only joins and groups, for which a quarter of the usual sample is enough. With the
 * usual target of 100, the positions of a quarterly set took 136 ms, as much as their partition. With this target they
 * take 34 ms.
 */
const PARENT_TARGET = 25
/** Maximum wait for the lock of a table. `skip_locked` would still wait for partitions, without a limit. */
const LOCK_TIMEOUT_MS = 100

/**
 * Analyzes the tables and partitions of the slices that have changed much since they were last analyzed, and tables
 * with partitions that have grown much. Autovacuum would analyze tables and partitions only after minutes, and would
 * never analyze a table with partitions. A refresh that begins before these statistics exist would plan its joins as if
 * the tables were empty. A table that another session has locked is left to autovacuum. Tables that Citus distributes
 * are not analyzed here.
 *
 * @param lockTimeoutMs maximum time to wait for a table that another session has locked
 * @returns the names, with schema, of the tables and partitions that needed to be analyzed
 */
export async function analyzeChanged(
  sql: Sql,
  slices: readonly Slice[],
  lockTimeoutMs = LOCK_TIMEOUT_MS,
): Promise<string[]> {
  const tables = slices.flatMap((slice) => relationsOf(slice).map(({ name }) => [slice.slug, name] as const))
  const [schemas, names] = [tables.map(([schema]) => schema), tables.map(([, name]) => name)]
  // We read the server's counters and its catalog, which needs no lock on the tables. A query of a table's size would
  // wait for a session that has locked the table. We do not use the server's view of the counters, since that view
  // groups the counters of all tables of the database.
  const due = await sql<{ name: string; is_parent: boolean; parent: string; has_only: boolean }[]>`
    with recursive own as (
      select c.oid as root, c.oid
      from unnest(${schemas}::text[], ${names}::text[]) as n (schema, name)
        join pg_namespace s on s.nspname = n.schema join pg_class c on c.relnamespace = s.oid and c.relname = n.name
      union all
      select own.root, i.inhrelid from own join pg_inherits i on i.inhparent = own.oid),
    counted as (
      select root, oid, pg_stat_get_live_tuples(oid) as n_live_tup, pg_stat_get_mod_since_analyze(oid) as n_mod_since_analyze
      from own),
    due as (
      select root, c.oid, n_mod_since_analyze as changed from counted join pg_class c using (oid) where c.relkind = 'r'
      union all
      select root, root, sum(n_live_tup) filter (where counted.oid <> root) - greatest(max(c.reltuples), 0)
      from counted join pg_class c on c.oid = root where c.relkind = 'p' group by root)
    select format('%I.%I', s.nspname, c.relname) as name, c.relkind = 'p' as is_parent, root::regclass::text as parent,
      current_setting('server_version_num')::int >= 180000 as has_only
    from due join pg_class c using (oid) join pg_namespace s on s.oid = c.relnamespace
    where changed > greatest(${ROWS_MIN}::float8, c.reltuples * ${CHANGED_BY}::float8)
    order by c.relkind desc, 1`
  const parents = new Set(due.filter((one) => one.is_parent).map(({ parent }) => parent))
  for (const { name, is_parent, parent, has_only } of due) {
    // A server before version 18 analyzes all partitions together with their table, so a partition of a table in the
    // list is skipped. Since version 18, `only` analyzes the table alone.
    if (!has_only && !is_parent && parents.has(parent)) continue
    await sql
      .begin(async (tx) => {
        await tx`select set_config('lock_timeout', ${`${lockTimeoutMs}ms`}, true)`
        if (has_only && is_parent)
          await tx`select set_config('default_statistics_target', ${String(PARENT_TARGET)}, true)`
        await tx.unsafe(`analyze ${has_only && is_parent ? 'only ' : ''}${name}`)
      })
      .catch(passOver)
  }
  return due.map(({ name }) => name)
}

/** Ignores the error about a table that another session has locked, or that a rebuild replaced meanwhile. */
function passOver(error: { code?: string }): void {
  if (error.code !== '42P01' && !isLockTimeout(error)) throw error
}
