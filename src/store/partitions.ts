/**
 * Partitions by quarter, made when rows of the quarter first arrive. No transaction waits for the rows of another
 * transaction. A partition that filings need is made empty and committed at once. A set fills a bare table (a table
 * without key and indexes) that no other session sees.
 */
import type { Slice } from '../declare/dataset.ts'
import { type Part, partNamed, partOf } from '../declare/quarter.ts'
import type { Relation } from '../declare/table.ts'
import type { Sql, Transaction } from './db.ts'
import { hasCitus } from './distributed.ts'
import { isLockTimeout } from './refused.ts'

/**
 * Lock that a transaction holds until commit if it attaches a partition to a served table. A load of a set takes this
 * lock after all other locks except the lock of the log of events. All tables share one lock, so two transactions can
 * never deadlock by locking two tables in opposite orders.
 */
const PARTITIONS_LOCK = 4_713_023

/**
 * Maximum wait for a lock. The wait must end, since the second connection of a batch may wait for a lock that the batch
 * itself holds. The server cannot detect such a deadlock.
 */
const WAIT_MS = 5 * 60_000

/**
 * Returns the table for the rows of a quarter (by `storedQuarter`), and makes it if it is missing.
 *
 * @param tx the transaction of the rows
 */
export type Partitions = (tx: Transaction, t: Relation, quarter: string, schema: string) => Promise<string>

/**
 * Makes empty partitions in a separate transaction, so that other batches that need the same partitions continue at
 * once. A batch that fails leaves an empty partition. Takes a second connection for a moment.
 *
 * @throws Error that names the partition, if another session prevents making it for longer than `waitMs`
 */
export const madeApart =
  (sql: Sql, waitMs = WAIT_MS): Partitions =>
  async (tx, t, quarter, schema) => {
    const name = nameOf(t, quarter, schema)
    if (await isThere(tx, name)) return name
    try {
      await sql.begin(async (own) => {
        await own`select set_config('lock_timeout', ${`${waitMs}ms`}, true)`
        await own`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
        await madeWithin(own, t, quarter, schema)
      })
    } catch (cause) {
      if (!isLockTimeout(cause)) throw cause
      throw new Error(`${name} cannot be made: another session has held the table for ${waitMs / 1000} s`, { cause })
    }
    return name
  }

/**
 * Makes empty partitions in the transaction of the rows. Used for a shadow (the new tables of a rebuild), which no
 * other process fills.
 */
export const madeWithin: Partitions = async (tx, t, quarter, schema) => {
  const name = nameOf(t, quarter, schema)
  if (!(await isThere(tx, name))) {
    await createLike(tx, name, t, schema)
    await attach(tx, name, partOf(quarter), t, schema)
  }
  return name
}

/**
 * Makes bare tables, which are filled in a third of the time that a table with indexes takes. `indexBare` and
 * `attachBare` must be called later in this transaction. Tables that Citus distributes get empty partitions instead:
 * Citus would copy the rows of bare tables, and leave them on the coordinator too.
 */
export const madeBare =
  (sql: Sql): Partitions =>
  async (tx, t, quarter, schema) => {
    if (t.distributed && (await hasCitus(tx))) return madeApart(sql)(tx, t, quarter, schema)
    const name = nameOf(t, quarter, schema)
    if (await isThere(tx, name)) return name
    if ((await isAttached(tx, bareName(name))) === undefined) await createLike(tx, bareName(name), t, schema)
    return bareName(name)
  }

/**
 * Builds the keys and indexes of the bare tables of this transaction, and makes the database check the bounds of their
 * rows. This takes place before anything is locked.
 */
export async function indexBare(tx: Transaction, t: Relation, schema: string): Promise<void> {
  const bare = await bareTables(tx, t, schema)
  if (bare.length === 0) return
  const indexes = await tx<{ ddl: string }[]>`
    select regexp_replace(pg_get_indexdef(indexrelid), '^.*? USING ', 'using ') as ddl from pg_index
    where indrelid = ${`${schema}.${t.name}`}::regclass and not indisprimary`
  for (const { name, part } of bare) {
    await tx.unsafe(`alter table ${bareName(name)} add primary key (${t.primaryKey.join(', ')})`)
    for (const { ddl } of indexes) await tx.unsafe(`create index on ${bareName(name)} ${ddl}`)
    // The constraint proves that all rows are within the bounds, so that attaching need not read the rows again while
    // other transactions wait.
    await tx.unsafe(`alter table ${bareName(name)} add constraint ${BOUNDS} check (${part.holds(t.partition!)})`)
  }
}

/**
 * Attaches the bare tables of this transaction as partitions, after `indexBare` has prepared them. Other transactions
 * that need a new partition wait from here to the commit. If another transaction made the partition meanwhile, the rows
 * go there.
 */
export async function attachBare(tx: Transaction, t: Relation, schema: string): Promise<void> {
  const bare = await bareTables(tx, t, schema)
  if (bare.length === 0) return
  await tx`select pg_advisory_xact_lock(${PARTITIONS_LOCK})`
  for (const { name, part } of bare) {
    if (await isThere(tx, name)) {
      await tx.unsafe(`insert into ${name} select * from ${bareName(name)}`)
      await tx.unsafe(`drop table ${bareName(name)}`)
    } else {
      await tx.unsafe(`alter table ${bareName(name)} rename to ${name.split('.')[1]}`)
      await attach(tx, name, part, t, schema)
      await tx.unsafe(`alter table ${name} drop constraint ${BOUNDS}`)
    }
  }
}

/** The partitions that the bare tables of this transaction will become. */
export async function bareTables(
  tx: Transaction,
  t: Relation,
  schema: string,
): Promise<{ name: string; part: Part }[]> {
  if (!t.partition) return []
  const rows = await tx<{ name: string }[]>`
    select relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = ${schema} and relkind = 'r' and starts_with(relname, ${`${t.name}_`})
      and right(relname, ${BARE.length}) = ${BARE}`
  return rows.flatMap(({ name }) => {
    const part = partNamed(name.slice(t.name.length + 1, -BARE.length))
    return part ? [{ name: `${schema}.${name.slice(0, -BARE.length)}`, part }] : []
  })
}

const BARE = '_bare'
const BOUNDS = 'within_bounds'
const bareName = (name: string) => name + BARE

const nameOf = (t: Relation, quarter: string, schema: string) => `${schema}.${t.name}_${partOf(quarter).name}`

/**
 * Whether the partition exists.
 *
 * @throws Error for a table of that name that is not attached. An operator detached it, or a restore did not attach it.
 *   Rows in it would not be found
 */
async function isThere(tx: Transaction, name: string): Promise<boolean> {
  const attached = await isAttached(tx, name)
  if (attached !== false) return attached !== undefined
  throw new Error(
    `the table ${name} is not attached as a partition: attach it, or run "openfilings rebuild ${name.split('.')[0]}"`,
  )
}

/**
 * Whether the partition is attached; undefined if it does not exist. Reads the catalog: `to_regclass` would still not
 * find a partition that another session has just committed.
 */
async function isAttached(tx: Transaction, name: string): Promise<boolean | undefined> {
  const [schema, table] = name.split('.') as [string, string]
  const [found] = await tx<{ attached: boolean }[]>`
    select relispartition as attached from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = ${schema} and relname = ${table}`
  return found?.attached
}

const createLike = (tx: Transaction, name: string, t: Relation, schema: string) =>
  tx.unsafe(`create table ${name} (like ${schema}.${t.name} including comments)`)

/**
 * Attaches a partition. Blocks neither readers of the table nor loads of other quarters; `create table … partition of`
 * would block both.
 */
async function attach(tx: Transaction, name: string, { bounds }: Part, t: Relation, schema: string): Promise<void> {
  await tx.unsafe(`alter table ${schema}.${t.name} attach partition ${name} for values ${bounds}`)
  const made = { slug: t.schema, name: name.split('.')[1]! }
  if (schema === t.schema) await tx`insert into core.partition ${tx(made)} on conflict do nothing`
}

/**
 * Records which partitions the dataset's tables have. Partitions of a shadow are recorded only when the shadow replaces
 * the dataset's tables.
 */
export async function recordPartitions(tx: Transaction, { slug }: Slice): Promise<void> {
  await tx`delete from core.partition where slug = ${slug}`
  await tx`
    insert into core.partition
    select nspname, relname from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = ${slug} and relkind = 'r' and relispartition`
}

/** Partitions that were made and whose table is now missing or not attached, by dataset. */
export async function lostPartitions(sql: Sql | Transaction): Promise<{ slug: string; name: string }[]> {
  // A database of an older version does not have the table core.partition.
  const [made] = await sql<{ made: boolean }[]>`select to_regclass('core.partition') is not null as made`
  if (!made!.made) return []
  return sql<{ slug: string; name: string }[]>`
    select p.slug, p.slug || '.' || p.name as name from core.partition p
    left join pg_class c on c.oid = to_regclass(p.slug || '.' || p.name) where c.relispartition is not true order by 1, 2`
}
