/**
 * The shadow of a slice: a schema next to the slice's own schema, in which a rebuild makes all rows again. Meanwhile
 * the old tables are served, and new filings are loaded into them. `core.shadow` records how far the rebuild has come,
 * so that a rebuild that was killed can resume. `core.shadow_key` records what changed meanwhile.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { relationsOf, type Slice } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import { columnType, type Relation, storedColumns } from '../../declare/table.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { indexDdl } from '../../store/ddl.ts'
import type { Definition } from '../../store/definition.ts'
import { isLockTimeout, isOfData } from '../../store/refused.ts'
import { createTables } from '../../store/schema.ts'
import { makeRows } from '../making.ts'
import { INDEX_LOCK } from '../order.ts'

export const shadowOf = ({ slug }: Slice): string => `${slug}_next`

type Step = 'fill' | 'make' | 'made'

export interface Shadow {
  schema: string
  step: Step
  /** The last accession or edition in the shadow; empty at the start. */
  through: string
  /** State that a resumed rebuild needs. */
  state: Record<string, unknown>
}

/** Allows one rebuild of a slice at a time. */
const REBUILD_LOCK = 4_713_003
const WAIT_MS = 1_000

/**
 * Tries to take the lock of `holdRebuild` without waiting.
 *
 * @returns whether it is held
 */
export async function tryHoldRebuild(tx: Transaction, { slug }: Slice): Promise<boolean> {
  const [row] = await tx<{ held: boolean }[]>`
    select pg_try_advisory_xact_lock(${REBUILD_LOCK}, hashtext(${slug})) as held`
  return row!.held
}

/**
 * Takes the lock to rebuild the slice, or to fill it from a set, until the transaction ends.
 *
 * @param onWait called once if another process holds the lock
 * @throws the signal's reason
 */
export async function holdRebuild(
  tx: Transaction,
  slice: Slice,
  { onWait, signal }: { onWait?: (() => void) | undefined; signal?: AbortSignal | undefined } = {},
): Promise<void> {
  await takeRebuild(tx, slice, { onWait, signal })
  // The portal of the last statement keeps its snapshot until the next statement, which may come hours later. Until
  // then no session could clean up rows that were deleted meanwhile, and a new index would contain these rows. The
  // statement below has no portal.
  await tx`select`.simple()
}

async function takeRebuild(
  tx: Transaction,
  slice: Slice,
  { onWait, signal }: { onWait: (() => void) | undefined; signal: AbortSignal | undefined },
): Promise<void> {
  if (await tryHoldRebuild(tx, slice)) return
  onWait?.()
  for (;;) {
    signal?.throwIfAborted()
    try {
      await tx.savepoint(async (sp) => {
        // Each wait lasts at most `WAIT_MS`, because the server does not end a wait when this process is stopped. It is
        // long enough that loads cannot keep the lock from this process forever.
        await sp`select set_config('lock_timeout', ${`${WAIT_MS}ms`}, true)`
        await sp`select pg_advisory_xact_lock(${REBUILD_LOCK}, hashtext(${slice.slug}))`
        await sp`set local lock_timeout to default`
      })
      return
    } catch (error) {
      if (!isLockTimeout(error)) throw error
    }
  }
}

/**
 * Takes the lock of a load that must not run during a rebuild of the slice; many loads may hold this lock at the same
 * time.
 */
export async function holdNoRebuild(tx: Transaction, { slug }: Slice): Promise<void> {
  await tx`select pg_advisory_xact_lock_shared(${REBUILD_LOCK}, hashtext(${slug}))`
}

/**
 * Waits for running loads of the slice, and blocks new loads until the transaction ends. Takes two locks: every batch
 * locks the row of the definition in share mode, and the load of an index, which may remove filings, holds the lock of
 * indexes.
 */
export async function pause(tx: Transaction, { slug }: Slice): Promise<void> {
  await tx`select pg_advisory_xact_lock(${INDEX_LOCK})`
  await tx`select from core.dataset where slug = ${slug} for update`
}

/** Makes empty tables, or returns the tables that an earlier rebuild with the same definition left. */
export async function openShadow(
  sql: Sql,
  slice: Slice,
  { ddlHash, parserHash }: Definition,
  stateOf: (tx: Transaction) => Promise<Record<string, unknown>> = async () => ({}),
): Promise<Shadow> {
  const { slug } = slice
  const schema = shadowOf(slice)
  return sql.begin(async (tx) => {
    await pause(tx, slice)
    const [left] = await tx<Omit<Shadow, 'schema'>[]>`
      select step, through, state from core.shadow
      where slug = ${slug} and ddl_hash = ${ddlHash} and parser_hash = ${parserHash} and to_regnamespace(${schema}) is not null`
    if (left) return { schema, ...left }
    await forget(tx, slug)
    await tx`drop schema if exists ${tx(schema)} cascade`
    await createTables(tx, slice, schema)
    const state = await stateOf(tx)
    const row = { slug, ddl_hash: ddlHash, parser_hash: parserHash, state: tx.json(state as never) }
    await tx`insert into core.shadow ${tx(row)}`
    return { schema, step: 'fill', through: '', state }
  })
}

/** Deletes the shadow's record. A shadow without a record is started again. */
export async function forget(tx: Transaction, slug: string): Promise<void> {
  for (const table of ['shadow', 'shadow_key', 'shadow_task']) {
    await tx`delete from ${tx(`core.${table}`)} where slug = ${slug}`
  }
}

/** Records how far the shadow is filled, in the transaction that fills it. */
export async function filledThrough(tx: Transaction, { slug }: Slice, through: string): Promise<void> {
  await tx`update core.shadow set through = ${through} where slug = ${slug}`
}

/** Records the keys that a load or a refresh changes in this transaction, if the slice has a shadow. */
export async function journal(
  tx: Transaction,
  { slug }: Slice,
  kind: 'record' | 'rollup',
  keys: readonly (string | null)[],
): Promise<void> {
  if (keys.length === 0) return
  await tx`
    insert into core.shadow_key (slug, kind, key)
    select slug, ${kind}, key from core.shadow, unnest(${keys as string[]}::text[]) key where slug = ${slug}`
}

/** Returns the recorded changes, and deletes the records of them. */
export async function noted(
  tx: Transaction,
  { slug }: Slice,
): Promise<{ records: string[]; rollups: Set<string | null> }> {
  const rows = await tx<{ kind: 'record' | 'rollup'; key: string | null }[]>`
    delete from core.shadow_key where slug = ${slug} returning kind, key`
  const of = (kind: string) => new Set(rows.filter((row) => row.kind === kind).map(({ key }) => key))
  return { records: [...of('record')] as string[], rollups: of('rollup') }
}

/**
 * A text of this length in bytes fits into any index, and a longer one might not: a btree takes 2,704 bytes for a row.
 */
const INDEXED_MAX = 2_600

/** SQL condition: the texts of a row are together so long that an index may refuse them. */
export function areTooLong(tx: Transaction, { texts }: Pick<RefusedIndex, 'texts'>) {
  const lengths = texts.map((column) => tx`+ coalesce(octet_length(${tx(column)}::text), 0)`)
  return tx`0 ${lengths} > ${INDEXED_MAX}`
}

/** An index that the database refuses because of the texts in the rows. */
export interface RefusedIndex {
  table: Relation
  /** The columns of the index that are text or lists of text. */
  texts: readonly string[]
  /** The database's reason. */
  why: string
}

/** Removes the records because of which the database refuses an index, and returns their number. */
export type Refuse = (tx: Transaction, index: RefusedIndex) => Promise<number>

interface Indexing {
  refuse: Refuse | undefined
  /** Records in the same transaction that the indexes exist. */
  done: (tx: Transaction) => Promise<unknown>
}

/** Number of tries to create the indexes of a slice, while other sessions may still see rows that were removed. */
const INDEX_TRIES = 60

/** Completes the filled tables: indexes, statistics, then all rollups. After that only later changes are missing. */
export async function complete(sql: Sql, slice: Slice, shadow: Shadow, refuse?: Refuse): Promise<void> {
  const { slug } = slice
  const next = (tx: Transaction, step: Step) => tx`update core.shadow set step = ${step} where slug = ${slug}`
  let { step } = shadow
  if (step === 'fill') {
    await addIndexes(sql, slice, shadow, { refuse, done: (tx) => next(tx, 'make') })
    step = 'make'
  }
  if (step === 'make') {
    // Without statistics, large rollups take minutes. VACUUM also makes the visibility map, which index-only scans need
    // from the first request on.
    const stored = relationsOf(slice).map(({ name }) => name)
    await vacuum(
      sql,
      stored.filter((name) => !slice.rollups[name]),
      shadow.schema,
    )
    await sql.begin(async (tx) => {
      if (slice.refresh) await makeRows(tx, slice, null, shadow.schema)
      await next(tx, 'made')
    })
    await vacuum(sql, Object.keys(slice.rollups), shadow.schema)
  }
}

/**
 * Creates the indexes in one transaction. The rows were loaded without indexes, so a text that is too long for an index
 * is found only now. The records with such texts are removed in a separate transaction: an index also has the rows that
 * its own transaction deletes, and those that another session still sees.
 */
async function addIndexes(sql: Sql, slice: Slice, { schema }: Shadow, { refuse, done }: Indexing): Promise<void> {
  for (let [tries, removed] = [0, 0]; ; tries++) {
    let statement = ''
    try {
      return await sql.begin(async (tx) => {
        for (statement of indexDdl(slice, schema)) await tx.unsafe(statement)
        await done(tx)
      })
    } catch (error) {
      if (!isOfData(error) || !refuse || tries === INDEX_TRIES) throw error
      const index = { ...indexedBy(slice, statement), why: messageOf(error) }
      const found = await sql.begin((tx) => refuse(tx, index))
      removed += found
      if (removed === 0) throw error
      if (found === 0) await sleep(WAIT_MS)
    }
  }
}

/** Returns the table of a `create index` statement, and those indexed columns that have texts. */
function indexedBy(slice: Slice, statement: string): Omit<RefusedIndex, 'why'> {
  const [, name, columns = ''] = /\.(\w+) (.*)$/s.exec(statement)!
  const table = relationsOf(slice).find((each) => each.name === name)!
  const named = new Set(columns.match(/\w+/g))
  const texts = Object.entries(storedColumns(table)).flatMap(([column, type]) =>
    named.has(column) && /^text/.test(columnType(type)!.postgres) ? [column] : [],
  )
  return { table, texts }
}

async function vacuum(sql: Sql, tables: readonly string[], schema: string): Promise<void> {
  for (const table of tables) await sql`vacuum (analyze) ${sql(`${schema}.${table}`)}`
}
