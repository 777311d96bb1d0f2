/**
 * Rows on their way into tables. They go to COPY while they are read, whether a filing, a set or a bulk file has them: their
 * text is gathered by table, and little of it waits.
 */
import { columnType, type Table } from '../declare/table.ts'
import { copyField, copyLines } from '../store/copy.ts'
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

/**
 * Where rows of a table go.
 *
 * @param name the table itself, or another with its columns
 * @param others columns whose values are added to each row
 */
export function targetOf(t: Table, name: string, others: readonly string[]): Target {
  const columns = [...new Set([...others, ...Object.keys(t.columns)])]
  const isJson = columns.map((column) => t.columns[column] && columnType(t.columns[column])!.kind === 'json')
  const line: Target['line'] = (row, added) => {
    // One list a row: two by `map` took a tenth longer, text put together piece by piece half as long again.
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
 * Characters of COPY text that wait at most, of all tables together. A process that ingests an information table of 150 MB has
 * 275 MB at most, with 4 MB of text 295.
 */
const WAITING_MAX = 1 << 20
/** Characters of a piece that goes to COPY. */
const PIECE = 1 << 16

/**
 * Sends the rows that `work` adds, table by table. While some are on their way more are gathered; none are any more when
 * this ends or throws. `work` must ask nothing else of `tx` before `settled`.
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

/** Text of rows that waits, by table. */
class Outgoing {
  readonly #tx: Transaction
  readonly #waiting = new Map<string, { columns: readonly string[]; pieces: string[]; size: number }>()
  #size = 0
  #sent: Promise<unknown> = Promise.resolve()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /** Takes a row; where `isFull` says so, `send` is to follow. */
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

  /** Whether so much waits that `send` is to be called. */
  get isFull(): boolean {
    return this.#size > WAITING_MAX
  }

  /**
   * Sends what waits for one table, that with the most, as soon as what was sent before has arrived: one COPY at a time is
   * all that a connection can do.
   */
  async send(): Promise<void> {
    await this.#sent
    const [name, { columns, pieces, size }] = [...this.#waiting].reduce((a, b) => (b[1].size > a[1].size ? b : a))
    this.#waiting.delete(name)
    this.#size -= size
    this.#sent = copyLines(this.#tx, name, columns, pieces)
    this.#sent.catch(() => {})
  }

  /** Sends all that waits. */
  async end(): Promise<void> {
    while (this.#waiting.size > 0) await this.send()
    await this.#sent
  }

  /** @throws the database's error about what was sent last */
  async settled(): Promise<void> {
    await this.#sent
  }
}
