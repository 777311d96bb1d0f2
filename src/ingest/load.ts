/** Rows into Postgres by COPY, idempotent by accession: loading a filing twice is the same as once. */
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { FilingsDataset } from '../declare/dataset.ts'
import { columnType, storedColumns } from '../declare/table.ts'
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

/** Characters of COPY text per write: fewer, larger writes. */
const CHUNK_SIZE = 1 << 16

/**
 * `copy … from stdin` of records given as arrays in the order of `columns`, in batches. Names must be trusted: they stand
 * in the SQL text.
 *
 * @returns how many records were sent
 * @throws the database's error, whose `where` names line and column; the transaction then goes on from its savepoint
 */
export async function copy(
  tx: Transaction,
  target: string,
  columns: readonly string[],
  batches: Iterable<readonly (readonly unknown[])[]> | AsyncIterable<readonly (readonly unknown[])[]>,
): Promise<number> {
  let count = 0
  async function* chunks() {
    let text = ''
    for await (const batch of batches) {
      for (const record of batch) {
        text += copyLine(record)
        count++
        if (text.length < CHUNK_SIZE) continue
        yield text
        text = ''
      }
    }
    if (text !== '') yield text
  }
  const source = chunks()
  // Opening COPY for nothing costs a round trip per table; most filings fill few of their dataset's tables.
  const first = await source.next()
  if (first.done) return 0
  async function* all() {
    yield first.value as string
    yield* source
  }
  const sink = await tx.unsafe(`copy ${target} (${columns.join(', ')}) from stdin`).writable()
  await pipeline(Readable.from(all()), sink)
  return count
}

const escapes: Record<string, string> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' }
const escaped = (text: string) => text.replace(/[\\\n\r\t]/g, (c) => escapes[c]!)

/** One record in COPY's text format. */
export function copyLine(record: readonly unknown[]): string {
  return `${record.map(copyField).join('\t')}\n`
}

function copyField(value: unknown): string {
  if (value === null || value === undefined) return '\\N'
  if (typeof value === 'string') return escaped(value)
  if (typeof value === 'boolean') return value ? 't' : 'f'
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return escaped(arrayLiteral(value))
  throw new TypeError(`COPY cannot hold a ${typeof value}: pass JSON as text`)
}

const jsonText = (value: unknown) => (value === null || value === undefined ? null : JSON.stringify(value))

const arrayLiteral = (values: readonly string[]) =>
  `{${values.map((value) => `"${value.replace(/[\\"]/g, '\\$&')}"`).join(',')}}`
