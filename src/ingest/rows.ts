/**
 * Rows on their way into tables. They go to COPY while they are read, whether a filing, a set or a bulk file has them: their
 * text is gathered by table, and little of it waits.
 */
import type { ParsedRow } from '../declare/dataset.ts'
import { type Columns, columnType } from '../declare/table.ts'
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

/** A target with the declared columns, and others whose values are always added. */
export function target(name: string, declared: Columns, others: readonly string[] = []): Target {
  const columns = [...Object.keys(declared), ...others]
  const isJson = columns.map((column) => declared[column] && columnType(declared[column])!.kind === 'json')
  const line: Target['line'] = (row, added) => {
    // One list a row: two by `map` took a tenth longer, text put together piece by piece half as long again.
    const fields = new Array<string>(columns.length)
    for (let at = 0; at < columns.length; at++) {
      const value = added[columns[at]!] ?? row[columns[at]!]
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
 * Sends the rows that `work` adds, table by table. While one piece is on its way the next is gathered; nothing is on its
 * way any more when this ends or throws. `work` must not ask anything else of `tx` before `settled`.
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

export class Outgoing {
  readonly #tx: Transaction
  readonly #waiting = new Map<string, { columns: readonly string[]; pieces: string[]; size: number }>()
  #size = 0
  #sent: Promise<unknown> = Promise.resolve()

  constructor(tx: Transaction) {
    this.#tx = tx
  }

  /**
   * Takes the rows of one record. Rows that are there go on without a pause for each: a set took a fifth longer with.
   *
   * @param targetOf is asked for each row
   */
  async add(
    rows: Iterable<ParsedRow> | AsyncIterable<ParsedRow>,
    targetOf: (key: string, row: Row) => Target | Promise<Target>,
    added: Row,
  ): Promise<void> {
    const take = ([key, row]: ParsedRow): Promise<void> | undefined => {
      const own = targetOf(key, row)
      if (own instanceof Promise) return own.then((target) => this.#put(target, row, added))
      return this.#put(own, row, added)
    }
    if (Symbol.iterator in rows) {
      for (const row of rows) {
        const pause = take(row)
        if (pause) await pause
      }
    } else for await (const row of rows) await take(row)
  }

  /** Sends what waits. */
  async end(): Promise<void> {
    for (const [name, { size }] of this.#waiting) if (size > 0) await this.#send(name)
    await this.#sent
  }

  /** @throws the database's error about what was sent last */
  async settled(): Promise<void> {
    await this.#sent
  }

  #put({ name, columns, line }: Target, row: Row, added: Row): Promise<void> | undefined {
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
    if (this.#size <= WAITING_MAX) return undefined
    return this.#send([...this.#waiting].reduce((a, b) => (b[1].size > a[1].size ? b : a))[0])
  }

  async #send(name: string): Promise<void> {
    // One COPY at a time is all that a connection can do.
    await this.#sent
    const { columns, pieces, size } = this.#waiting.get(name)!
    this.#size -= size
    this.#waiting.set(name, { columns, pieces: [''], size: 0 })
    this.#sent = copyLines(this.#tx, name, columns, pieces)
    this.#sent.catch(() => {})
  }
}
