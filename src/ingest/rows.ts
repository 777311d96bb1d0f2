/**
 * Rows on their way into tables. They go to COPY while they are read, whether a filing, a set or a bulk file has them: their
 * text is gathered by table, and little of it waits.
 */
import type { ParsedRow } from '../declare/dataset.ts'
import { type Columns, columnType } from '../declare/table.ts'
import { copyLine, copyLines } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'

type Row = Readonly<Record<string, unknown>>

/** Where rows go: a table, a partition of one, or a temporary table in which they wait. */
export interface Target {
  /** As it stands in SQL. */
  name: string
  columns: readonly string[]
  /** @param added values of the columns that rows do not have themselves */
  line: (row: Row, added: Row) => string
}

/** A target with the declared columns, and others whose values are always added. */
export function target(name: string, declared: Columns, others: readonly string[] = []): Target {
  const columns = [...Object.keys(declared), ...others]
  const isJson = columns.map((column) => declared[column] && columnType(declared[column])!.kind === 'json')
  const line: Target['line'] = (row, added) =>
    copyLine(
      columns.map((column, at) => {
        const value = added[column] ?? row[column]
        return isJson[at] && value !== null && value !== undefined ? JSON.stringify(value) : value
      }),
    )
  return { name, columns, line }
}

/**
 * Characters of COPY text that wait at most, of all tables together. A process that ingests an information table of 150 MB has
 * 275 MB at most, with 4 MB of text 295.
 */
const WAITING_MAX = 1 << 20
/** Characters of a piece that goes to COPY. */
const PIECE = 1 << 16

/** Rows of many records, sent table by table. */
export class Outgoing {
  readonly #tx: Transaction
  readonly #waiting = new Map<string, { columns: readonly string[]; pieces: string[]; size: number }>()
  #size = 0

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /**
   * Takes the rows of one record.
   *
   * @param targetOf is asked for each row
   */
  async add(
    rows: Iterable<ParsedRow> | AsyncIterable<ParsedRow>,
    targetOf: (key: string, row: Row) => Target | Promise<Target>,
    added: Row,
  ): Promise<void> {
    for await (const [key, row] of rows) {
      const { name, columns, line } = await targetOf(key, row)
      this.#put(name, columns, line(row, added))
      // One COPY at a time is all that a connection can do.
      if (this.#size > WAITING_MAX)
        await this.#send([...this.#waiting].reduce((a, b) => (b[1].size > a[1].size ? b : a))[0])
    }
  }

  /** Sends what waits. */
  async end(): Promise<void> {
    for (const [name, { size }] of this.#waiting) if (size > 0) await this.#send(name)
  }

  #put(name: string, columns: readonly string[], line: string): void {
    let sink = this.#waiting.get(name)
    if (!sink) {
      sink = { columns, pieces: [''], size: 0 }
      this.#waiting.set(name, sink)
    }
    const last = sink.pieces.length - 1
    if (sink.pieces[last]!.length + line.length > PIECE) sink.pieces.push(line)
    else sink.pieces[last] += line
    sink.size += line.length
    this.#size += line.length
  }

  async #send(name: string): Promise<void> {
    const { columns, pieces, size } = this.#waiting.get(name)!
    this.#size -= size
    this.#waiting.set(name, { columns, pieces: [''], size: 0 })
    await copyLines(this.#tx, name, columns, pieces)
  }
}
