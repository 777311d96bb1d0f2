/**
 * The filings of a set after the first pass. The lines of the small members are in a database table. The records of a
 * filing are read from their member if they are adjacent; otherwise they are in the table too.
 */
import type { SetRecord } from '../../declare/sets.ts'
import { type CsvHeader, CsvRow } from '../../read/csv.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import type { Line } from './lines.ts'
import { type Part, pagedRecords, recordsIn, withoutLines } from './records.ts'
import { HELD_MAX, heldRuns, inOrder, type Run } from './runs.ts'

/** An unlogged table: its content is useless after a crash. */
export const TABLE = 'bulk.set_line'

/** The record number of lines that belong to no record. This number sorts before all real numbers. */
export const NOWHERE = -1

/** Number of lines that are read from the table at a time. */
const PAGE = 2_000

/** The facts about a filing of the set that are known before the lines of the filing are parsed. */
export interface SetFiling {
  accession: string
  lines: number
  /** Number of lines in the member of records. */
  records: number
  /** Number of characters that are held in memory while the filing is loaded. */
  size: number
  /** The filing's first line: member and number. */
  place: string
  /** Members that have lines of the filing. */
  members: ReadonlySet<string>
  /** The filing's records in their order, if they were read from the file. */
  held: readonly Line[] | null
}

/** The lines of one filing. The lines are made again for each reading, since they remember their problems. */
export interface FilingLines {
  /** Lines by member, without the lines that belong to records. */
  lines: () => Map<string, CsvRow[]>
  /** Records in their order. */
  records: () => Iterable<SetRecord> | AsyncIterable<SetRecord>
}

/** The results of the first pass, and the readers for the second pass over the records. */
export interface StagedParts {
  /** Filings that can be loaded; all other filings are refused, or are of forms that are not read. */
  filings: ReadonlyMap<string, SetFiling>
  /** Accessions of the refused filings. */
  refused: readonly string[]
  /** Whether the filing of every line is known. A line of an unknown filing could be part of any filing. */
  isWhole: boolean
  /** Where the records of each filing are. */
  runs: ReadonlyMap<string, Run>
  headers: ReadonlyMap<string, CsvHeader>
  /**
   * Members, indexed by their number in the table. Lines of members before `recordsAt` do not belong to records; lines
   * of members after it belong to records.
   */
  names: readonly string[]
  recordsAt: number
  /** Splits a line into its values. */
  valuesOf: (content: string) => string[]
  positionOf: (line: Line) => number
  recordLines: () => AsyncIterable<Line[]>
}

interface Stored {
  accession: string
  position: string
  member: number
  line: number
  content: string
}

/**
 * A set after its first pass. Its state is the results of that pass and never changes.
 * The lines in the table stay until `drop`.
 */
export class StagedSet {
  readonly #sql: Sql
  readonly #parts: StagedParts

  constructor(sql: Sql, parts: StagedParts) {
    this.#sql = sql
    this.#parts = parts
  }

  /** Number of filings that can be loaded. */
  get count(): number {
    return this.#parts.filings.size
  }

  get refused(): readonly string[] {
    return this.#parts.refused
  }

  get isWhole(): boolean {
    return this.#parts.isWhole
  }

  /** Headers by member. */
  get headers(): ReadonlyMap<string, CsvHeader> {
    return this.#parts.headers
  }

  /** Yields each filing once. The generator must be read to its end, or closed with `return`. */
  async *filings(): AsyncGenerator<SetFiling> {
    const { filings, runs, positionOf, recordLines } = this.#parts
    for (const filing of filings.values()) if (!runs.get(filing.accession)?.isHeld) yield filing
    // If no filing has records that can be held in memory, the file need not be read again.
    if (!runs.values().some(({ isHeld }) => isHeld)) return
    for await (const held of heldRuns(recordLines(), runs)) {
      const filing = filings.get(held[0]!.accession)
      if (filing) yield { ...filing, held: inOrder(held, positionOf) }
    }
  }

  async linesOf(some: readonly SetFiling[]): Promise<Map<string, FilingLines>> {
    const { recordsAt } = this.#parts
    const accessions = some.map(({ accession }) => accession)
    const whole = some.filter(({ size }) => size <= HELD_MAX).map(({ accession }) => accession)
    const stored = await this.#sql<Stored[]>`
      select accession, position, member, line, content from ${this.#sql(TABLE)}
      where accession = any(${accessions}) and (position = ${NOWHERE} or accession = any(${whole}))
      order by accession, position, member, line`
    const byFiling = Map.groupBy(stored, ({ accession }) => accession)
    return new Map(
      some.map(({ accession, held }) => {
        const all = byFiling.get(accession) ?? []
        const own = all.filter(({ member }) => member < recordsAt)
        const parts = all.slice(own.length)
        return [accession, { lines: () => this.#rowsBy(own), records: () => this.#recordsOf(accession, held, parts) }]
      }),
    )
  }

  #rowsBy(own: readonly Stored[]): Map<string, CsvRow[]> {
    const { names } = this.#parts
    const rows = new Map<string, CsvRow[]>(own.map(({ member }) => [names[member]!, []]))
    for (const { member, line, content } of own) rows.get(names[member]!)!.push(this.#rowOf(member, line, content))
    return rows
  }

  #recordsOf(accession: string, held: readonly Line[] | null, parts: readonly Stored[]) {
    const { recordsAt } = this.#parts
    if (held)
      return Iterator.from(held).map(({ number, content }) => withoutLines(this.#rowOf(recordsAt, number, content)))
    if (parts.length > 0) return recordsIn(Iterator.from(parts).map((stored) => this.#partOf(stored)))
    return pagedRecords(this.#pages(accession))
  }

  async *#pages(accession: string): AsyncGenerator<Part[]> {
    let last = { position: '0', member: -1, line: 0 }
    for (;;) {
      const page = await this.#sql<Stored[]>`
        select accession, position, member, line, content from ${this.#sql(TABLE)}
        where accession = ${accession} and (position, member, line) > (${last.position}, ${last.member}, ${last.line})
        order by position, member, line limit ${PAGE}`
      yield page.map((stored) => this.#partOf(stored))
      if (page.length < PAGE) return
      last = page.at(-1)!
    }
  }

  #partOf({ member, line, content }: Stored): Part {
    const { names, recordsAt } = this.#parts
    return { member: member === recordsAt ? null : names[member]!, row: this.#rowOf(member, line, content) }
  }

  #rowOf(member: number, number: number, content: string): CsvRow {
    const { headers, names, valuesOf } = this.#parts
    return new CsvRow(headers.get(names[member]!)!, valuesOf(content), number)
  }
}

/** Removes the lines of the last set. */
export const drop = (tx: Transaction) => tx.unsafe(`drop table if exists ${TABLE}`)
