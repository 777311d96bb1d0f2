/** Rows into Postgres by COPY, idempotent by accession: loading a filing twice is the same as once. */
import type { FilingsDataset, ParsedRow } from '../declare/dataset.ts'
import { columnType, type Relation, storedColumns } from '../declare/table.ts'
import { copy, copyLine, copyLines } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'

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

/**
 * Replaces the rows of these filings in the dataset's tables. Part of the caller's transaction.
 *
 * @param schema where the tables are: the dataset's own, or its shadow during a rebuild
 * @throws the database's error, for example on a row that repeats a key; nothing of the batch is then stored
 */
export async function load(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly Parsed[],
  schema = dataset.slug,
): Promise<void> {
  await openDictionaries(tx, dataset, schema)
  await loadRows(tx, dataset, filings, schema)
  await closeDictionaries(tx, dataset, schema)
}

/** As `load`, between `openDictionaries` and `closeDictionaries`. */
export async function loadRows(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly Parsed[],
  schema: string,
): Promise<void> {
  const byTable = filings.map(({ rows, ...filing }) => ({ filing, rows: Map.groupBy(rows, ([name]) => name) }))
  await remove(tx, dataset, filings, schema)
  for (const { key, target, columns, record } of targetsOf(dataset, schema)) {
    function* records() {
      for (const { filing, rows } of byTable) for (const [, row] of rows.get(key) ?? []) yield [record(row, filing)]
    }
    await copy(tx, target, columns, records())
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
  schema: string,
): Promise<void> {
  await remove(tx, dataset, [filing], schema)
  const tables = new Map(targetsOf(dataset, schema).map((t) => [t.key, { ...t, pieces: [''], size: 0 }]))
  let waiting = 0
  async function send(table: { target: string; columns: readonly string[]; pieces: string[]; size: number }) {
    const { pieces } = table
    waiting -= table.size
    table.pieces = ['']
    table.size = 0
    await copyLines(tx, table.target, table.columns, pieces)
  }
  for await (const [key, row] of filing.rows()) {
    const table = tables.get(key)
    if (!table) throw new Error(`${dataset.slug} has no table ${key}`)
    const line = copyLine(table.record(row, filing))
    const last = table.pieces.length - 1
    if (table.pieces[last]!.length + line.length > PIECE) table.pieces.push(line)
    else table.pieces[last] += line
    table.size += line.length
    waiting += line.length
    // One COPY at a time is all that a connection can do.
    if (waiting > WAITING_MAX) await send([...tables.values()].reduce((a, b) => (b.size > a.size ? b : a)))
  }
  for (const table of tables.values()) if (table.size > 0) await send(table)
}

async function remove(tx: Transaction, { tables }: FilingsDataset, filings: readonly Loaded[], schema: string) {
  const accessions = filings.map(({ accession }) => accession)
  for (const t of Object.values(tables)) {
    await tx`delete from ${tx(schema)}.${tx(t.name)} where accession = any(${accessions})`
  }
}

/** Where the rows of each key go: tables, and what waits for a dictionary. */
function targetsOf({ tables, dictionaries, slug }: FilingsDataset, schema: string) {
  const targetOf = (key: string, t: Relation, target: string) => {
    const stored = Object.entries(storedColumns(t)).map(([name, type]) => ({ name, kind: columnType(type)!.kind }))
    return {
      key,
      target,
      columns: stored.map(({ name }) => name),
      record: (row: Record<string, unknown>, { accession, filedDate }: Loaded) => {
        const all: Record<string, unknown> = { ...row, accession, filed_date: filedDate }
        return stored.map(({ name, kind }) => (kind === 'json' ? jsonText(all[name]) : all[name]))
      },
    }
  }
  return [
    ...Object.entries(tables).map(([key, t]) => targetOf(key, t, `${schema}.${t.name}`)),
    ...Object.entries(dictionaries).map(([key, t]) => targetOf(key, t, waitingName(slug, t))),
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
