/** Rows into Postgres by COPY, idempotent by accession: loading a filing twice is the same as once. */
import type { FilingsDataset, ParsedRow } from '../declare/dataset.ts'
import { storedQuarter } from '../declare/quarter.ts'
import { columnType, type Relation, storedColumns } from '../declare/table.ts'
import { copy, copyLine, copyLines } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'
import { madeWithin, type Partitions } from '../store/partitions.ts'

interface Loaded {
  accession: string
  /** From the spine, `YYYY-MM-DD`. */
  filedDate: string
}

/** One filing as its parser read it. */
export interface Parsed extends Loaded {
  /** `[table key, row]` in the parser's order. */
  rows: readonly ParsedRow[]
}

/** One filing whose rows are too many to be held. */
export interface Streamed extends Loaded {
  /** Reads them anew each time. */
  rows: () => AsyncIterable<ParsedRow>
}

/** Where rows go. */
export interface Into {
  /** The dataset's own, or its shadow during a rebuild. */
  schema: string
  partitions: Partitions
}

/**
 * Replaces the rows of these filings in the dataset's tables. Part of the caller's transaction.
 *
 * @throws the database's error, for example on a row that repeats a key; nothing of the batch is then stored
 */
export async function load(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly Parsed[],
  into: Into = { schema: dataset.slug, partitions: madeWithin },
): Promise<void> {
  await openDictionaries(tx, dataset, into.schema)
  await loadRows(tx, dataset, filings, into)
  await closeDictionaries(tx, dataset, into.schema)
}

/** As `load`, between `openDictionaries` and `closeDictionaries`. */
export async function loadRows(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly Parsed[],
  { schema, partitions }: Into,
): Promise<void> {
  const byTable = filings.map(({ rows, ...filing }) => ({ filing, rows: Map.groupBy(rows, ([name]) => name) }))
  const accessions = filings.map(({ accession }) => accession)
  await removeRows(tx, dataset, accessions, schema)
  for (const { rows } of filings) {
    const quarters = new Quarters(dataset)
    for (const [key, row] of rows) quarters.add(key, row)
    quarters.check()
  }
  for (const { key, t, target: whole, columns, record } of targetsOf(dataset, schema)) {
    const own = byTable.flatMap(({ filing, rows }) => (rows.get(key) ?? []).map(([, row]) => ({ filing, row })))
    const byQuarter = Map.groupBy(own, ({ row }) => (t.partition ? (row.quarter as string) : ''))
    const parts = t.partition && (await partitions(tx, t, [...byQuarter.keys()], schema))
    for (const [quarter, some] of byQuarter) {
      function* records() {
        for (const { filing, row } of some) yield [record(row, filing)]
      }
      await copy(tx, parts ? parts.get(quarter)! : whole, columns, records())
    }
  }
}

/**
 * Characters of COPY text that wait at most, of all tables together. A process that ingests an information table of 150 MB has
 * 275 MB at most, with 4 MB of text 295.
 */
const WAITING_MAX = 1 << 20
/** Characters of a piece that goes to COPY. */
const PIECE = 1 << 16

/** As `loadRows`, for a filing of any size: its rows go on while they are read, and no more than 1 MB of them wait. */
export async function loadStream(
  tx: Transaction,
  dataset: FilingsDataset,
  filing: Streamed,
  { schema, partitions }: Into,
): Promise<void> {
  await removeRows(tx, dataset, [filing.accession], schema)
  const tables = new Map(targetsOf(dataset, schema).map((table) => [table.key, table]))
  const sinks = new Map<string, { columns: readonly string[]; pieces: string[]; size: number }>()
  const places = new Map<unknown, string>()
  const quarters = new Quarters(dataset)
  let waiting = 0
  async function send(target: string) {
    const { columns, pieces, size } = sinks.get(target)!
    waiting -= size
    sinks.set(target, { columns, pieces: [''], size: 0 })
    await copyLines(tx, target, columns, pieces)
  }
  for await (const [key, row] of filing.rows()) {
    const table = tables.get(key)
    if (!table) throw new Error(`${dataset.slug} has no table ${key}`)
    quarters.add(key, row)
    const place = table.t.partition ? row.quarter : key
    let target = places.get(place)
    if (target === undefined) {
      target = table.t.partition
        ? (await partitions(tx, table.t, [row.quarter as string], schema)).get(row.quarter as string)!
        : table.target
      places.set(place, target)
      sinks.set(target, { columns: table.columns, pieces: [''], size: 0 })
    }
    const sink = sinks.get(target)!
    const line = copyLine(table.record(row, filing))
    const last = sink.pieces.length - 1
    if (sink.pieces[last]!.length + line.length > PIECE) sink.pieces.push(line)
    else sink.pieces[last] += line
    sink.size += line.length
    waiting += line.length
    // One COPY at a time is all that a connection can do.
    if (waiting > WAITING_MAX) await send([...sinks].reduce((a, b) => (b[1].size > a[1].size ? b : a))[0])
  }
  for (const [target, { size }] of sinks) if (size > 0) await send(target)
  quarters.check()
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

/** Where the rows of each key go: tables, their partitions, and what waits for a dictionary. */
function targetsOf({ tables, dictionaries, slug }: FilingsDataset, schema: string) {
  const tableOf = (key: string, t: Relation, target: string) => {
    const stored = Object.entries(storedColumns(t)).map(([name, type]) => ({ name, kind: columnType(type)!.kind }))
    return {
      key,
      t,
      target,
      columns: stored.map(({ name }) => name),
      record: (row: Record<string, unknown>, { accession, filedDate }: Loaded) => {
        const all: Record<string, unknown> = { ...row, accession, filed_date: filedDate }
        return stored.map(({ name, kind }) => (kind === 'json' ? jsonText(all[name]) : all[name]))
      },
    }
  }
  return [
    ...Object.entries(tables).map(([key, t]) => tableOf(key, t, `${schema}.${t.name}`)),
    ...Object.entries(dictionaries).map(([key, t]) => tableOf(key, t, waitingName(slug, t))),
  ]
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

const jsonText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))
