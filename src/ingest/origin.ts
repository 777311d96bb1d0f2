/** Records where the data came from, and replaces the bundled sample by real filings. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Slice } from '../declare/dataset.ts'
import type { Sql, Transaction } from '../store/db.ts'
import { allRemoved, append } from '../store/events.ts'
import { everythingChanged } from '../store/meta.ts'

/** The origin of the loaded data: the bundled sample, filings from an EDGAR host, or nothing yet. */
export type Origin = 'sample' | 'edgar' | null

/**
 * The data that the database holds. `part`: a load of the sample is running or was cut off. `old sample`: the sample of
 * another version. `empty`: there is no data now. If `holds` is `empty` and `origin` is not null, there was data
 * before.
 */
export interface Standing {
  holds: 'empty' | 'part' | 'old sample' | 'sample' | 'real'
  origin: Origin
}

/** Lock that is held while the sample is loaded, and by a first ingest until it has replaced the sample. */
const SAMPLE_LOCK = 4_713_021
const POLL_MS = 250

export async function originOf(sql: Sql): Promise<Origin> {
  const [row] = await sql<{ value: Origin }[]>`select value from core.meta where name = 'origin'`
  return row?.value ?? null
}

/**
 * Determines what data the database holds.
 *
 * @param sample digest of the bundled sample
 */
export async function standingOf(sql: Sql, sample: string): Promise<Standing> {
  const [row] = await sql<{ origin: Origin; sample: string | null; filled: boolean }[]>`
    select (select value from core.meta where name = 'origin') as origin,
      (select value from core.meta where name = 'sample') as sample,
      exists (select from edgar.filing) or exists (select from bulk.record)
        or exists (select from bulk.set_filing) as filled`
  const { origin, sample: whole, filled } = row!
  if (origin === 'sample') return { origin, holds: whole === sample ? 'sample' : whole ? 'old sample' : 'part' }
  return { origin, holds: filled ? 'real' : 'empty' }
}

/**
 * Records where the data of this transaction is from. Called in the transaction that loads the first data. Real data
 * removes the sample in the same transaction, so the sample stays until real filings are stored, however the process
 * ends.
 *
 * @returns whether the origin is new; the data of every slice is then new too
 */
export async function claimOrigin(
  tx: Transaction,
  datasets: readonly Slice[],
  origin: 'sample' | 'edgar',
): Promise<boolean> {
  const [held] = await tx<{ value: string }[]>`select value from core.meta where name = 'origin'`
  if (held?.value === origin) return false
  if (held?.value === 'sample') await removeAll(tx, datasets)
  await setOrigin(tx, origin)
  return true
}

/** Empties the database before the sample is loaded. The database may have an older sample, or a part of one. */
export async function beginSample(sql: Sql, datasets: readonly Slice[]): Promise<void> {
  await sql.begin(async (tx) => {
    await removeAll(tx, datasets)
    await setOrigin(tx, 'sample')
    await append(tx, await allRemoved(tx))
    await everythingChanged(tx)
  })
}

/** Marks the sample as fully loaded. */
export async function sampleIsWhole(sql: Sql, sample: string): Promise<void> {
  await sql`insert into core.meta values ('sample', ${sample}) on conflict (name) do update set value = excluded.value`
}

async function setOrigin(tx: Transaction, origin: 'sample' | 'edgar'): Promise<void> {
  await tx`insert into core.meta values ('origin', ${origin}) on conflict (name) do update set value = excluded.value`
}

/**
 * Removes every filing and record, and all rows that were read from them; API keys and the records of runs stay. Rows
 * are deleted and not truncated: the sample is small, and requests continue to read it until the transaction ends.
 */
async function removeAll(tx: Transaction, datasets: readonly Slice[]): Promise<void> {
  const schemas = ['edgar', 'bulk', ...datasets.map(({ slug }) => slug)]
  // Filings go first. A worker that reads a filing holds the filing's task, so the worker's rows are committed by the
  // time the datasets' rows are deleted.
  const tables = await tx<{ schema: string; name: string }[]>`
    select nspname as schema, relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where nspname = any(${schemas}) and relkind in ('r', 'p') and not relispartition
    order by nspname <> 'edgar', relname <> 'filing', nspname, relname`
  for (const { schema, name } of tables) await tx`delete from ${tx(schema)}.${tx(name)}`
  // A rebuild starts again if its shadow has no row in these tables.
  for (const name of ['mark', 'shadow', 'shadow_key', 'shadow_task']) await tx`delete from ${tx(`core.${name}`)}`
  await tx`delete from core.meta where name = 'sample'`
}

/**
 * Waits until no other process loads or replaces the sample, and then locks other processes out until `release` is
 * called.
 *
 * @param onWait called once if another process loads or replaces the sample
 * @throws the signal's reason
 */
export async function holdSample(
  sql: Sql,
  { onWait, signal }: { onWait: () => void; signal?: AbortSignal | undefined },
): Promise<{ release(): Promise<void> }> {
  const session = await sql.reserve()
  try {
    for (let tries = 0; ; tries++) {
      signal?.throwIfAborted()
      const [row] = await session<{ held: boolean }[]>`select pg_try_advisory_lock(${SAMPLE_LOCK}) as held`
      if (row!.held) break
      if (tries === 0) onWait()
      await sleep(POLL_MS, undefined, { signal }).catch(() => signal?.throwIfAborted())
    }
  } catch (error) {
    session.release()
    throw error
  }
  let released = false
  return {
    async release() {
      if (released) return
      released = true
      // A broken connection has released the lock already.
      await session`select pg_advisory_unlock(${SAMPLE_LOCK})`.catch(() => {})
      session.release()
    },
  }
}
