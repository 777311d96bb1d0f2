/**
 * Writes rows into tables. Sends the rows of filings, sets and bulk files to COPY while they are read. The text of the
 * rows is gathered by table, and only a little text is held at any time.
 */
import { columnType, type Table } from '../declare/table.ts'
import { copyField, copyLines } from '../store/copy.ts'
import type { Transaction } from '../store/db.ts'

type Row = Readonly<Record<string, unknown>>

/** The target of rows: a table, a partition of a table, or a temporary table in which the rows wait. */
export interface Target {
  /** Name of the target as written in SQL. */
  name: string
  columns: readonly string[]
  /**
   * Formats a row for COPY.
   *
   * @param added values of the columns that are not in the rows themselves
   */
  line: (row: Row, added: Row) => string
}

/**
 * Makes the target for rows of a table.
 *
 * @param name the table's name, or the name of another table with the same columns
 * @param others columns whose values are added to each row
 */
export function targetOf(t: Table, name: string, others: readonly string[]): Target {
  const columns = [...new Set([...others, ...Object.keys(t.columns)])]
  const isJson = columns.map((column) => t.columns[column] && columnType(t.columns[column])!.kind === 'json')
  const line: Target['line'] = (row, added) => {
    // Only one array is made for each row. Two arrays made by `map` took a tenth longer, and concatenating the text
    // piece by piece took half as long again.
    const fields = new Array<string>(columns.length)
    for (let at = 0; at < columns.length; at++) {
      const value = at < others.length ? added[columns[at]!] : row[columns[at]!]
      fields[at] = copyField(isJson[at] && value !== null && value !== undefined ? JSON.stringify(value) : value)
    }
    return `${fields.join('\t')}\n`
  }
  return { name, columns, line }
}

/**
 * Maximum number of characters of COPY text that may wait, for all tables together. A process that ingests an
 * information table of 150 MB takes at most 275 MB with this limit, and 295 MB with a limit of 4 MB.
 */
const WAITING_MAX = 1 << 20
/** Maximum number of characters of a piece that is sent to COPY, unless a single row is longer. */
const PIECE = 1 << 16

/**
 * Sends the rows that `work` adds, table by table. More rows are gathered while some are being sent; no rows are in
 * flight when this function ends or throws. `work` must not use `tx` for anything else before `settled`.
 */
export async function outgoing(tx: Transaction, work: (out: Outgoing) => Promise<void>): Promise<void> {
  const out = new Outgoing(tx)
  try {
    await work(out)
    await out.end()
  } finally {
    await out.settled().catch(() => {})
  }
}

/** Text of rows that waits to be sent, by table. */
class Outgoing {
  readonly #tx: Transaction
  readonly #waiting = new Map<string, { columns: readonly string[]; pieces: string[]; size: number }>()
  #size = 0
  #sent: Promise<unknown> = Promise.resolve()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** Adds a row. If `isFull` is then true, call `send` next. */
  add({ name, columns, line }: Target, row: Row, added: Row): void {
    let sink = this.#waiting.get(name)
    if (!sink) {
      sink = { columns, pieces: [''], size: 0 }
      this.#waiting.set(name, sink)
    }
    const text = line(row, added)
    const last = sink.pieces.length - 1
    if (sink.pieces[last]!.length + text.length > PIECE) sink.pieces.push(text)
    else sink.pieces[last] += text
    sink.size += text.length
    this.#size += text.length
  }

  /** True if the waiting text has reached the maximum, so that `send` must be called. */
  get isFull(): boolean {
    return this.#size > WAITING_MAX
  }

  /**
   * Sends the text of the table with the most text, as soon as the previous COPY has finished: a connection can run
   * only one COPY at a time.
   */
  async send(): Promise<void> {
    await this.#sent
    const [name, { columns, pieces, size }] = [...this.#waiting].reduce((a, b) => (b[1].size > a[1].size ? b : a))
    this.#waiting.delete(name)
    this.#size -= size
    this.#sent = copyLines(this.#tx, name, columns, pieces)
    this.#sent.catch(() => {})
  }

  /** Sends all text that waits. */
  async end(): Promise<void> {
    while (this.#waiting.size > 0) await this.send()
    await this.#sent
  }

  /**
   * Waits until everything is sent.
   *
   * @throws the database's error about the rows that were sent last
   */
  async settled(): Promise<void> {
    await this.#sent
  }
}
