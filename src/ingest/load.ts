/**
 * Loads rows into Postgres by COPY. Idempotent by accession: loading a filing twice has the same result as loading it
 * once.
 */
import { type FilingsDataset, filingTable, type ParsedRow } from '../declare/dataset.ts'
import { storedQuarter } from '../declare/quarter.ts'
import { type Relation, storedColumns, type Table } from '../declare/table.ts'
import type { Transaction } from '../store/db.ts'
import { madeWithin, type Partitions } from '../store/partitions.ts'
import { outgoing, type Target, targetOf } from './rows.ts'

/** The rows that were read from one filing. */
export interface FilingRows {
  accession: string
  /** The filing date in the spine, `YYYY-MM-DD`. */
  filedDate: string
  /**
   * `[table key, row]` in the parser's order. If there are too many rows to hold, this is a function that reads them
   * again at each call.
   */
  rows: readonly ParsedRow[] | (() => Iterable<ParsedRow> | AsyncIterable<ParsedRow>)
}

export type Parsed = FilingRows & { rows: readonly ParsedRow[] }

/** Where rows go. */
export interface Into {
  /** The dataset's own schema, or its shadow during a rebuild. */
  schema: string
  partitions: Partitions
  /** The dictionary entries of this transaction, if it loads several batches. */
  entries?: Entries
}

/**
 * Replaces the rows of these filings in the dataset's tables, within the caller's transaction.
 *
 * @throws the database's error, for example for a row that repeats a key; nothing of the batch is then stored
 */
export async function load(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly FilingRows[],
  into: Into = { schema: dataset.slug, partitions: madeWithin },
): Promise<void> {
  await openDictionaries(tx, dataset, into.schema)
  await loadRows(tx, dataset, filings, into)
  await closeDictionaries(tx, dataset, into.schema)
}

/** Does the work of `load`. Must be called between `openDictionaries` and `closeDictionaries`. */
export async function loadRows(
  tx: Transaction,
  dataset: FilingsDataset,
  filings: readonly FilingRows[],
  { schema, partitions, entries: ofAll }: Into,
): Promise<void> {
  const accessions = filings.map(({ accession }) => accession)
  await removeRows(tx, dataset, accessions, schema)
  await outgoing(tx, async (out) => {
    const targets = targetsOf(dataset, schema, async (t, quarter) => {
      await out.settled()
      return partitions(tx, t, quarter, schema)
    })
    const entries = ofAll ?? (filings.length > 1 ? new Entries(dataset) : null)
    entries?.begin()
    for (const { accession, filedDate, rows } of filings) {
      const quarters = new Quarters(dataset)
      const added = { accession, filed_date: filedDate }
      const put = (target: Target, row: ParsedRow[1]) => {
        out.add(target, row, added)
        return out.isFull ? out.send() : undefined
      }
      const take = ([key, row]: ParsedRow): Promise<void> | undefined => {
        const choose = targets.get(key)
        if (!choose) throw new Error(`${dataset.slug} has no table ${key}`)
        if (entries?.isKnown(key, row)) return undefined
        quarters.add(key, row)
        const target = choose(row)
        return target instanceof Promise ? target.then((made) => put(made, row)) : put(target, row)
      }
      // Only a row after which text is sent is awaited: with an await for each row, a set took a fifth longer.
      const all = typeof rows === 'function' ? rows() : rows
      if (Symbol.iterator in all) {
        for (const row of all) {
          const pause = take(row)
          if (pause) await pause
        }
      } else {
        for await (const row of all) {
          const pause = take(row)
          if (pause) await pause
        }
      }
      quarters.check()
    }
  })
}

/**
 * Deletes the rows of these filings. In a partitioned table, this function searches only the partitions that have such
 * rows.
 */
export async function removeRows(
  tx: Transaction,
  dataset: FilingsDataset,
  accessions: readonly string[],
  schema: string = dataset.slug,
): Promise<void> {
  const some = accessions as string[]
  const all = Object.values(dataset.tables)
  const stated = all.some(({ partition }) => partition)
    ? await tx<{ period: string | null }[]>`
        select distinct period from ${tx(schema)}.${tx(filingTable(dataset).name)} where accession = any(${some})`
    : []
  const quarters = [...new Set(stated.map(({ period }) => storedQuarter(period)))]
  for (const t of all) {
    if (t.partition && quarters.length === 0) continue
    const within = t.partition ? tx`and quarter = any(${quarters}::date[])` : tx``
    await tx`delete from ${tx(schema)}.${tx(t.name)} where accession = any(${some}) ${within}`
  }
}

/**
 * The quarters of a filing's rows. They must agree, because the family's table states in which partition the rows are.
 */
class Quarters {
  readonly #dataset: FilingsDataset
  readonly #isPartitioned: boolean
  readonly #found = new Set<unknown>()
  #stated: string | undefined
  constructor(dataset: FilingsDataset) {
    this.#dataset = dataset
    this.#isPartitioned = Object.values(dataset.tables).some(({ partition }) => partition)
  }

  add(key: string, row: Record<string, unknown>): void {
    if (!this.#isPartitioned) return
    const { tables } = this.#dataset
    if (tables[key]?.partition) this.#found.add(row.quarter)
    if (key === filingTable(this.#dataset).name) this.#stated = storedQuarter(row.period as string | null)
  }

  /**
   * Checks the quarters.
   *
   * @throws Error for rows that `removeRows` would not find again
   */
  check(): void {
    for (const quarter of this.#found) {
      if (quarter === this.#stated) continue
      throw new Error(
        `has rows of the quarter ${quarter}, but its row in ${filingTable(this.#dataset).name} states ${this.#stated}`,
      )
    }
  }
}

/** Maximum number of entries of a dictionary that are remembered; 100,000 keys take 10 MB. */
const ENTRIES_MAX = 100_000

/**
 * Recognizes dictionary entries that other filings of the same load have sent. Many filings name the same securities:
 * of 56,776 entries in a set of 150 filings of Form 13F, only 11,708 are distinct. A parser yields each entry of a
 * filing once.
 */
export class Entries {
  /**
   * By key of the dictionary: the column that identifies its entries, the entries of stored batches, and the entries
   * that the current batch has sent.
   */
  readonly #known: ReadonlyMap<string, { record: string; kept: Set<unknown>; sent: Set<unknown> }>
  constructor({ dictionaries }: FilingsDataset) {
    this.#known = new Map(
      Object.entries(dictionaries).map(([key, { record }]) => [key, { record, kept: new Set(), sent: new Set() }]),
    )
  }

  /** Begins a batch. If the batch before it was rolled back, its entries were too, so they are sent again. */
  begin(): void {
    for (const { sent } of this.#known.values()) sent.clear()
  }

  /** Whether the row is an entry that was sent before. If it was not, remembers the entry as sent. */
  isKnown(key: string, row: ParsedRow[1]): boolean {
    const known = this.#known.get(key)
    if (!known) return false
    const { record, kept, sent } = known
    const id = row[record]
    if (kept.has(id) || sent.has(id)) return true
    if (sent.size < ENTRIES_MAX) sent.add(id)
    return false
  }

  /** Remembers the entries of a batch that can no longer be rolled back by itself. */
  keep(): void {
    for (const { kept, sent } of this.#known.values()) {
      if (kept.size + sent.size > ENTRIES_MAX) kept.clear()
      for (const id of sent) kept.add(id)
    }
  }
}

/**
 * Returns, by the key of a table, the target for its rows: the table, a partition of it, or the temporary table of a
 * dictionary.
 */
function targetsOf(
  { tables, dictionaries, slug }: FilingsDataset,
  schema: string,
  partition: (t: Table, quarter: string) => Promise<string>,
) {
  const called = (t: Table, name: string) =>
    targetOf(
      t,
      name,
      Object.keys(storedColumns(t)).filter((column) => !(column in t.columns)),
    )
  const whole = (t: Table, name: string) => {
    const target = called(t, name)
    return () => target
  }
  const parted = (t: Table) => {
    const parts = new Map<unknown, Target>()
    const make = async (quarter: string) => {
      const part = called(t, await partition(t, quarter))
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
 * Prepares the dictionaries for the entries of this transaction. Entries wait in a temporary table of the connection.
 * Without this table, if two workers inserted the same entry, one of them would wait until the other commits. If they
 * inserted two entries in opposite orders, both would wait forever.
 */
export async function openDictionaries(tx: Transaction, dataset: FilingsDataset, schema = dataset.slug): Promise<void> {
  for (const t of Object.values(dataset.dictionaries)) {
    await tx.unsafe(`create temporary table ${waitingName(dataset.slug, t)} (like ${schema}.${t.name}) on commit drop`)
  }
}

/**
 * Inserts the waiting entries that the dictionaries lack, in the order of their keys. Must be called after all rows are
 * loaded, since other workers that insert the same entries wait until the commit.
 */
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
