/** Rows into Postgres by COPY, idempotent by accession: loading a filing twice is the same as once. */
import type { FilingsDataset } from '../declare/dataset.ts'
import { columnType, storedColumns } from '../declare/table.ts'
import { copy } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'

/** One filing as its parser read it. */
export interface Parsed {
  accession: string
  /** From the spine, `YYYY-MM-DD`. */
  filedDate: string
  /** `[table key, row]` in the parser's order. */
  rows: readonly (readonly [string, Record<string, unknown>])[]
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
  const accessions = filings.map((filing) => filing.accession)
  const byTable = filings.map(({ rows, ...filing }) => ({ ...filing, rows: Map.groupBy(rows, ([name]) => name) }))
  for (const [key, t] of Object.entries(dataset.tables)) {
    await tx`delete from ${tx(schema)}.${tx(t.name)} where accession = any(${accessions})`
    const columns = Object.entries(storedColumns(t)).map(([name, type]) => ({ name, kind: columnType(type)!.kind }))
    function* records() {
      for (const { accession, filedDate, rows } of byTable) {
        for (const [, row] of rows.get(key) ?? []) {
          const stored = { ...row, accession, filed_date: filedDate } as Record<string, unknown>
          yield [columns.map(({ name, kind }) => (kind === 'json' ? jsonText(stored[name]) : stored[name]))]
        }
      }
    }
    await copy(
      tx,
      `${schema}.${t.name}`,
      columns.map((column) => column.name),
      records(),
    )
  }
}

const jsonText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))
