/**
 * Keeps searchable names of filers next to the spine, and makes them again when the rules for names change.
 */

import { setImmediate } from 'node:timers/promises'
import { SPINE } from '../declare/catalog.ts'
import {
  addWords,
  bandOf,
  bandSql,
  dictionaryIndexes,
  type Named,
  type NameKind,
  nameIndexes,
  namesVersion,
  storedName,
} from '../names.ts'
import { fold } from '../read/fold.ts'
import { copy } from '../store/copy.ts'
import type { Fragment, Sql, Transaction } from '../store/db.ts'
import { dataChanged } from '../store/meta.ts'

/** Declares the search for filers by name. Filers with the most filings come first. */
export const FILERS: Named = {
  table: 'edgar.filer_search',
  dictionary: 'edgar.filer_word',
  key: 'cik',
  importance: 'filings',
  decades: [0, 5],
  bands: [3, 10, 40, 200, 1000],
  hasPlaces: false,
}

/** Lock of the process that makes the names again; other processes wait for this lock. */
export const FILL_LOCK = 4_713_005

/**
 * Number of names that one transaction makes. Such a transaction takes a second, so a killed process loses only a
 * second of work.
 */
const BATCH_SIZE = 20_000

/** A name of edgar.filer_name, and the number of filings under it. */
interface FilerName {
  name_id: number
  cik: string
  name: string
  name_key: string
  filings: number
  last_filed: string
  /** `now` for the name on a filer's newest filing, `former` for its other names. */
  kind?: NameKind
}

/** Number of names that are split at a time, which takes 20 ms. */
const PIECE_SIZE = 1_000

const COLUMNS = ['name_id', 'cik', 'name_key', 'key', 'words', 'kind', 'filings', 'last_filed', 'band']

/** Names under which filings arrived. */
export interface FiledNames {
  /** Names that are not searchable yet. */
  fresh: readonly FilerName[]
  /** Filers whose current and former names may have changed. */
  ciks: readonly string[]
}

/** The names of `FiledNames`, split into words and ready to be stored. */
interface TakenApart {
  records: readonly (readonly unknown[])[]
  /** How many of the names contain each word. */
  counts: ReadonlyMap<string, number>
  ciks: readonly string[]
}

/**
 * Adds new filings to the counts of their names. After this, call `takenApart`, which needs no database, and then
 * `addFilerNames`.
 *
 * @param filed a query that yields one row per name, with the columns of `FilerName`
 */
export async function countFiled(tx: Transaction, filed: Fragment): Promise<FiledNames> {
  const again = await tx<{ cik: string }[]>`
    with counted as (
      update edgar.filer_search s set filings = s.filings + f.filings, last_filed = greatest(s.last_filed, f.last_filed),
        band = ${bandOfFilings(tx, 's.filings + f.filings')}
      from (${filed}) f where f.name_id = s.name_id returning s.cik, s.kind
    )
    select cik from counted where kind = 'former'`
  const fresh = await tx<FilerName[]>`
    select f.* from (${filed}) f where not exists (select from edgar.filer_search s where s.name_id = f.name_id)`
  return { fresh, ciks: [...again, ...fresh].map(({ cik }) => cik) }
}

/** Splits the names into words. Yields to other work between pieces, since 60,000 names take a second. */
export async function takenApart({ fresh, ciks }: FiledNames): Promise<TakenApart> {
  const counts = new Map<string, number>()
  const records: unknown[][] = []
  for (const [at, name] of fresh.entries()) {
    if (at % PIECE_SIZE === 0) await setImmediate()
    records.push(recordOf(name, counts))
  }
  return { records, counts, ciks }
}

/** Stores the result of `takenApart`. */
export async function addFilerNames(tx: Transaction, { records, counts, ciks }: TakenApart): Promise<void> {
  if (records.length > 0) await store(tx, records, counts)
  await index(tx)
  await markFormer(tx, ciks)
}

/**
 * Subtracts removed filings from the counts.
 *
 * @param gone `select name_id, filings from …`, one row per name
 */
export async function filerNamesRemoved(tx: Transaction, gone: Fragment): Promise<void> {
  await tx`
    update edgar.filer_search s set filings = s.filings - g.filings, band = ${bandOfFilings(tx, 's.filings - g.filings')}
    from (${gone}) g where g.name_id = s.name_id`
}

const bandOfFilings = (tx: Transaction, filings: string) => tx.unsafe(bandSql(FILERS, filings))

/**
 * Makes the search record of a name.
 *
 * @param counts is increased for each word of the name
 */
function recordOf(
  { name_id, cik, name, name_key, kind = 'now', filings, last_filed }: FilerName,
  counts: Map<string, number>,
): unknown[] {
  const { key, words, counted } = storedName(name)
  for (const word of counted) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [name_id, cik, name_key, key, words, kind, filings, last_filed, bandOf(FILERS, filings)]
}

async function store(
  tx: Transaction,
  records: readonly (readonly unknown[])[],
  counts: ReadonlyMap<string, number>,
): Promise<void> {
  await copy(tx, FILERS.table, COLUMNS, [records])
  await addWords(tx, FILERS, counts)
}

const INDEXES = [
  ['filer_search_cik', 'filer_search (cik)'],
  // A covering index, so that names are read in order without their rows. A search for a common name, sorted by name,
  // then takes 4 ms instead of 60 ms.
  ['filer_search_order', 'filer_search (name_key) include (name_id, cik)'],
  ['filer_search_text', 'filer_search using gin (name_key public.gin_trgm_ops)'],
  ...nameIndexes(FILERS).map((index, at) => [`filer_search_${at}`, `filer_search ${index}`]),
  ...dictionaryIndexes().map((index) => ['filer_word_near', `filer_word ${index}`]),
] as const

/**
 * Makes the indexes that are missing. All indexes are missing when the first names have just been added; later, none is
 * missing. A query for the existing indexes takes a third of the time of `create index if not exists`.
 */
async function index(tx: Transaction): Promise<void> {
  const missing = await tx<{ name: string }[]>`
    select name from unnest(${INDEXES.map(([name]) => name)}::text[]) name where to_regclass('edgar.' || name) is null`
  const names = new Set(missing.map(({ name }) => name))
  const toMake = INDEXES.filter(([name]) => names.has(name))
  if (toMake.length > 0)
    await tx.unsafe(toMake.map(([name, on]) => `create index if not exists ${name} on edgar.${on};`).join('\n'))
}

/** Marks each name of these filers as current or former. Called after names or filings have arrived. */
async function markFormer(tx: Transaction, ciks: readonly string[]): Promise<void> {
  await tx`
    with several as materialized (
      select cik, max(last_filed) as last_filed from edgar.filer_search where cik = any(${ciks as string[]})
      group by cik having count(*) > 1
    )
    update edgar.filer_search s set kind = case when s.last_filed = n.last_filed then 'now' else 'former' end
    from several n where n.cik = s.cik and s.kind <> case when s.last_filed = n.last_filed then 'now' else 'former' end`
}

/**
 * Makes the stored names again if the rules for names have changed since they were made. Works in batches, so that the
 * next process can continue if this process is killed. If the names are up to date, the call costs one small query.
 *
 * @param indexLock the lock that a process must hold to add filings
 * @param onBatch receives the number of names that are done, and the number of all names
 * @param version version of the code's rules
 */
export async function bringFilerNamesOver(
  sql: Sql,
  indexLock: number,
  onBatch: (done: number, of: number) => void = () => {},
  version = namesVersion(),
): Promise<void> {
  if ((await fact(sql, DONE)) === version) return
  const lock = await sql.reserve()
  try {
    await lock`select pg_advisory_lock(${FILL_LOCK})`
    if ((await fact(sql, DONE)) === version) return
    await begin(sql, version)
    for (;;) {
      const { done, of } = await sql.begin(async (tx) => {
        await tx`select pg_advisory_xact_lock(${indexLock})`
        return fillBatch(tx, version)
      })
      onBatch(done, of)
      if (done === of) break
    }
    await sql.begin(index)
    await sql`vacuum (analyze) edgar.filer_search, edgar.filer_word`
    await sql.begin(async (tx) => {
      await setFact(tx, DONE, version)
      await tx`delete from core.meta where name = ${FILLING}`
      await dataChanged(tx, [SPINE])
    })
  } finally {
    // A broken connection has released the lock already.
    await lock`select pg_advisory_unlock(${FILL_LOCK})`.catch(() => {})
    lock.release()
  }
}

/**
 * Keys of core.meta. The value of `DONE` is the version of the rules by which the names are stored. `FILLING` exists
 * only while names are being made; its value is the version of the new rules and the id of the last name that was made
 * by these rules.
 */
const DONE = 'filer_names'
const FILLING = 'filer_names_filling'

async function begin(sql: Sql, version: string): Promise<void> {
  const [rules] = ((await fact(sql, FILLING)) ?? '').split(' ')
  if (rules === version) return
  await sql.begin(async (tx) => {
    await tx`delete from core.meta where name = ${DONE}`
    await setFact(tx, FILLING, `${version} 0`)
    await tx`truncate edgar.filer_search, edgar.filer_word`
    await tx.unsafe(INDEXES.map(([name]) => `drop index if exists edgar.${name};`).join('\n'))
  })
}

async function fillBatch(tx: Transaction, version: string): Promise<{ done: number; of: number }> {
  const after = Number(((await fact(tx, FILLING)) ?? ' 0').split(' ')[1])
  const ids = await tx<KeyedName[]>`
    select name_id, cik, name, name_key from edgar.filer_name where name_id > ${after} order by name_id limit ${BATCH_SIZE}`
  await foldAgain(tx, ids)
  const to = ids.at(-1)?.name_id ?? after
  const ciks = [...new Set(ids.map(({ cik }) => cik))]
  // Names under which filings arrived meanwhile are in the table already, and are counted there without their earlier
  // filings.
  await tx`
    update edgar.filer_search s set filings = f.filings, last_filed = f.last_filed, kind = f.kind,
      band = ${bandOfFilings(tx, 'f.filings')}
    from (
      select name_id, count(*)::int as filings, max(filed_date) as last_filed,
        case when max(filed_date) = max(max(filed_date)) over (partition by cik) then 'now' else 'former' end as kind
      from edgar.filer
      where cik in (select cik from edgar.filer_search where name_id > ${after} and name_id <= ${to})
      group by cik, name_id
    ) f where f.name_id = s.name_id and s.name_id > ${after} and s.name_id <= ${to}`
  const names = await tx<FilerName[]>`
    select n.name_id, n.cik, n.name, n.name_key, f.filings, f.last_filed, f.kind
    from (
      select name_id, count(*)::int as filings, max(filed_date) as last_filed,
        case when max(filed_date) = max(max(filed_date)) over (partition by cik) then 'now' else 'former' end as kind
      from edgar.filer where cik = any(${ciks}) group by cik, name_id
    ) f join edgar.filer_name n using (name_id)
    where n.name_id > ${after} and n.name_id <= ${to}
      and not exists (select from edgar.filer_search s where s.name_id = n.name_id)`
  const { records, counts } = await takenApart({ fresh: names, ciks: [] })
  await store(tx, records, counts)
  await setFact(tx, FILLING, `${version} ${to}`)
  const [count] = await tx<{ done: number; of: number }[]>`
    select count(*) filter (where name_id <= ${to})::int as done, count(*)::int as of from edgar.filer_name`
  return count!
}

type KeyedName = Pick<FilerName, 'name_id' | 'cik' | 'name' | 'name_key'>

/**
 * Folds names again if their stored form differs from the current result of `fold`. Also updates the filings that show
 * these names.
 */
async function foldAgain(tx: Transaction, names: readonly KeyedName[]): Promise<void> {
  const changed = names.filter(({ name, name_key }) => fold(name) !== name_key)
  if (changed.length === 0) return
  await tx`
    create temporary table folded (name_id integer primary key, cik text collate "C", name_key text collate "C")
    on commit drop`
  await copy(
    tx,
    'folded',
    ['name_id', 'cik', 'name_key'],
    [changed.map(({ name_id, cik, name }) => [name_id, cik, fold(name)])],
  )
  await tx`analyze folded`
  await tx`update edgar.filer_name n set name_key = o.name_key from folded o where o.name_id = n.name_id`
  await tx`
    update edgar.filing f set name_key = o.name_key
    from folded o join edgar.filer r on r.cik = o.cik and r.name_id = o.name_id
    where f.accession = r.accession and f.cik = r.cik`
}

async function fact(sql: Sql | Transaction, name: string): Promise<string | null> {
  const [row] = await sql<{ value: string }[]>`select value from core.meta where name = ${name}`
  return row?.value ?? null
}

const setFact = (tx: Transaction, name: string, value: string) => tx`
  insert into core.meta values (${name}, ${value}) on conflict (name) do update set value = excluded.value`
