/**
 * Partitions by quarter, made when rows of the quarter first come. One is filled as a bare table, then gets its indexes and
 * is attached, in the transaction of its first rows: reads and loads of the other partitions go on beside it.
 */
import type { Slice } from '../declare/dataset.ts'
import { partNamed, partOf } from '../declare/quarter.ts'
import type { Relation } from '../declare/table.ts'
import type { Sql, Transaction } from './db.ts'
import { hasCitus } from './spread.ts'

/**
 * Held until commit by who makes a partition. One for all tables: a batch of several datasets would else take two of them
 * in any order. Others who want a new one wait, once a quarter; who needs none does not.
 */
const PARTITIONS_LOCK = 4_713_023

/** Where the rows of a quarter go: the partition, or the bare table that becomes it. */
export const partitionName = (t: Relation, quarter: string, schema: string): string =>
  `${schema}.${t.name}_${partOf(quarter).name}`

/**
 * Makes bare tables for the quarters that have no partition yet. `attachPartitions` is to follow in this transaction. Where
 * Citus spreads the table they are attached at once.
 *
 * @param quarters by `storedQuarter`
 */
export async function makePartitions(
  tx: Transaction,
  t: Relation,
  quarters: Iterable<string>,
  schema: string,
): Promise<void> {
  const names = [...quarters].map((quarter) => partitionName(t, quarter, schema))
  if ((await lacking(tx, names)).length === 0) return
  await tx`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
  // Another may have made it while this one waited.
  for (const name of await lacking(tx, names)) {
    await tx.unsafe(`create table ${name} (like ${schema}.${t.name} including comments)`)
  }
  // Citus would copy the rows of a bare table, and leave them on the coordinator too.
  if (t.spread && (await hasCitus(tx))) await attachPartitions(tx, t, schema)
}

/** Looks in the catalog: `to_regclass` remembers what was not there, also when another has committed it since. */
const lacking = async (tx: Transaction, names: readonly string[]): Promise<string[]> => {
  const rows = await tx<{ name: string }[]>`
    select name from unnest(${names as string[]}::text[]) name where not exists (
      select from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where nspname = split_part(name, '.', 1) and relname = split_part(name, '.', 2))`
  return rows.map(({ name }) => name)
}

/**
 * Attaches what this transaction made. That builds the key and the indexes, and locks neither who reads the table nor who
 * loads other quarters: `create table … partition of` would lock out both.
 */
export async function attachPartitions(tx: Transaction, t: Relation, schema: string): Promise<void> {
  for (const { name, bounds } of await bareTables(tx, t, schema)) {
    await tx.unsafe(`alter table ${schema}.${t.name} attach partition ${schema}.${name} for values ${bounds}`)
    if (schema === t.schema) await tx`insert into core.partition ${tx({ slug: t.schema, name })} on conflict do nothing`
  }
}

/** Tables that this transaction made and did not attach yet. */
export async function bareTables(
  sql: Sql | Transaction,
  t: Relation,
  schema: string,
): Promise<{ name: string; bounds: string }[]> {
  if (!t.partition) return []
  const rows = await sql<{ name: string }[]>`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = ${schema} and relkind = 'r' and not relispartition and starts_with(relname, ${`${t.name}_`})`
  return rows.flatMap(({ name }) => {
    const part = partNamed(name.slice(t.name.length + 1))
    return part ? [{ name, bounds: part.bounds }] : []
  })
}

/** Says which partitions the dataset's tables have: those of a shadow count when they take the place of the old. */
export async function recordPartitions(tx: Transaction, { slug }: Slice): Promise<void> {
  await tx`delete from core.partition where slug = ${slug}`
  await tx`
    insert into core.partition
    select nspname, relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = ${slug} and relkind = 'r' and relispartition`
}

/** Partitions that were made, by dataset, whose table is gone or attached to nothing. */
export async function lostPartitions(sql: Sql | Transaction): Promise<{ slug: string; name: string }[]> {
  // A database of an older version has none.
  const [made] = await sql<{ made: boolean }[]>`select to_regclass('core.partition') is not null as made`
  if (!made!.made) return []
  return sql<{ slug: string; name: string }[]>`
    select p.slug, p.slug || '.' || p.name as name from core.partition p
    left join pg_class c on c.oid = to_regclass(p.slug || '.' || p.name) where c.relispartition is not true order by 1, 2`
}
