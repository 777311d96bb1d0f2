/** Rows into Postgres by COPY, idempotent by accession: loading a filing twice is the same as once. */
import type { FilingsDataset, ParsedRow } from '../declare/dataset.ts'
import { storedQuarter } from '../declare/quarter.ts'
import { type Relation, storedColumns, type Table } from '../declare/table.ts'
import type { Transaction } from '../store/db.ts'
import { attachPartitions, makePartitions, partitionName } from '../store/partitions.ts'
import { Outgoing, type Target, targetOf } from './rows.ts'

/** What was read of one filing. */
export interface FilingRows {
  accession: string
  /** From the spine, `YYYY-MM-DD`. */
  filedDate: string
  /** `[table key, row]` in the parser's order; a function reads them anew each time, where they are too many to be held. */
  rows: readonly ParsedRow[] | (() => AsyncIterable<ParsedRow>)
}

export type Parsed = FilingRows & { rows: readonly ParsedRow[] }

/**
 * Replaces the rows of these filings in the dataset's tables. Part of the caller's transaction.
 *
 * @param schema where the tables are: the dataset's own, or its shadow during a rebuild
 * @throws the database's error, for example on a row that repeats a key; nothing of the batch is then stored
 */
export async function load(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly FilingRows[],
  schema = dataset.slug,
): Promise<void> {
  await openDictionaries(tx, dataset, schema)
  await loadRows(tx, dataset, filings, schema)
  await closeDictionaries(tx, dataset, schema)
}

/**
 * As `load`, between `openDictionaries` and `closeDictionaries`.
 *
 * @param isBare leaves new partitions bare, for more filings: `attachPartitions` is to follow in this transaction
 */
export async function loadRows(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly FilingRows[],
  schema: string,
  { isBare = false }: { isBare?: boolean } = {},
): Promise<void> {
  const accessions = filings.map(({ accession }) => accession)
  await removeRows(tx, dataset, accessions, schema)
  const targets = targetsOf(tx, dataset, schema)
  const out = new Outgoing(tx)
  for (const { accession, filedDate, rows } of filings) {
    const quarters = new Quarters(dataset)
    const added = { accession, filed_date: filedDate }
    for await (const [key, row] of typeof rows === 'function' ? rows() : rows) {
      const choose = targets.get(key)
      if (!choose) throw new Error(`${dataset.slug} has no table ${key}`)
      quarters.add(key, row)
      const target = choose(row)
      out.add(target instanceof Promise ? await target : target, row, added)
      if (out.isFull) await out.send()
    }
    quarters.check()
  }
  await out.end()
  if (!isBare) for (const t of Object.values(dataset.tables)) await attachPartitions(tx, t, schema)
}

/** Deletes the rows of these filings. Of a partitioned table that touches the partitions that they are in. */
export async function removeRows(
  tx: Transaction,
  { slug, tables, family }: FilingsDataset,
  accessions: readonly string[],
  schema: string = slug,
): Promise<void> {
  const some = accessions as string[]
  const all = Object.values(tables)
  const said = all.some(({ partition }) => partition)
    ? await tx<{ period: string | null }[]>`
        select distinct period from ${tx(schema)}.${tx(family.table)} where accession = any(${some})`
    : []
  const quarters = [...new Set(said.map(({ period }) => storedQuarter(period)))]
  for (const t of all) {
    if (t.partition && quarters.length === 0) continue
    const within = t.partition ? tx`and quarter = any(${quarters}::date[])` : tx``
    await tx`delete from ${tx(schema)}.${tx(t.name)} where accession = any(${some}) ${within}`
  }
}

/** The quarter of a filing's rows: where they are is known by what the family's table says, so they must agree. */
class Quarters {
  readonly #dataset: FilingsDataset
  readonly #isAsked: boolean
  readonly #found = new Set<unknown>()
  #said: string | undefined
  constructor(dataset: FilingsDataset) {
    this.#dataset = dataset
    this.#isAsked = Object.values(dataset.tables).some(({ partition }) => partition)
  }

  add(key: string, row: Record<string, unknown>): void {
    if (!this.#isAsked) return
    const { tables, family } = this.#dataset
    if (tables[key]?.partition) this.#found.add(row.quarter)
    if (key === family.table) this.#said = storedQuarter(row.period as string | null)
  }

  /** @throws Error for rows that would not be found again */
  check(): void {
    for (const quarter of this.#found) {
      if (quarter === this.#said) continue
      throw new Error(`has rows of the quarter ${quarter}, and its ${this.#dataset.family.table} says ${this.#said}`)
    }
  }
}

/** Where a row of each key goes: to a table, to its partition, or to what waits for a dictionary. */
function targetsOf(tx: Transaction, { tables, dictionaries, slug }: FilingsDataset, schema: string) {
  const called = (t: Table, name: string) =>
    targetOf(t, name, Object.keys(storedColumns(t)).filter((column) => !(column in t.columns))) // biome-ignore format: one line
  const whole = (t: Table, name: string) => {
    const target = called(t, name)
    return () => target
  }
  const parted = (t: Table) => {
    const parts = new Map<unknown, Target>()
    const make = async (quarter: string) => {
      await makePartitions(tx, t, [quarter], schema)
      const part = called(t, partitionName(t, quarter, schema))
      parts.set(quarter, part)
      return part
    }
    return (row: ParsedRow[1]) => parts.get(row.quarter) ?? make(row.quarter as string)
  }
  return new Map<string, (row: ParsedRow[1]) => Target | Promise<Target>>([
    ...Object.entries(tables).map(
      ([key, t]) => [key, t.partition ? parted(t) : whole(t, `${schema}.${t.name}`)] as const,
    ),
    ...Object.entries(dictionaries).map(([key, t]) => [key, whole(t, waitingName(slug, t))] as const),
  ])
}

const waitingName = (slug: string, t: Relation) => `pg_temp.waiting_${slug}_${t.name}`

/**
 * Makes room for what the filings of this transaction say of a dictionary. Entries wait in a table of the connection's
 * own: an entry that two workers insert makes one wait until the other commits, and with entries in another order both
 * for ever.
 */
export async function openDictionaries(tx: Transaction, dataset: FilingsDataset, schema = dataset.slug): Promise<void> {
  for (const t of Object.values(dataset.dictionaries)) {
    await tx.unsafe(`create temporary table ${waitingName(dataset.slug, t)} (like ${schema}.${t.name}) on commit drop`)
  }
}

/** Inserts the waiting entries that are not there yet, in the order of their keys. To be called last before a commit. */
export async function closeDictionaries(
  tx: Transaction,
  dataset: FilingsDataset,
  schema = dataset.slug,
): Promise<void> {
  for (const t of Object.values(dataset.dictionaries)) {
    const [columns, key] = [Object.keys(storedColumns(t)).join(', '), t.primaryKey.join(', ')]
    const waiting = waitingName(dataset.slug, t)
    await tx.unsafe(`
      insert into ${schema}.${t.name} (${columns})
      select distinct on (${key}) ${columns} from ${waiting} order by ${key}
      on conflict do nothing`)
    await tx.unsafe(`drop table ${waiting}`)
  }
}
