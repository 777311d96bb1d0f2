/**
 * The filings of a set after the first pass. Their lines are in a temporary file; a filing with too many lines to hold in
 * memory has its lines in a database table too.
 */
import type { SetRecord } from '../../declare/sets.ts'
import { type CsvHeader, CsvRow } from '../../read/csv.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { type KeptLine, KeptLines } from './kept.ts'
import { joined, type Part, pagedRecords } from './records.ts'

/** An unlogged table: its content is useless after a crash. */
export const TABLE = 'bulk.set_line'

/** The record number of lines that belong to no record. This number sorts before all real numbers. */
export const NOWHERE = -1

/**
 * Maximum number of characters of one filing's lines that are held in memory, which is about 60,000 lines of Form 13F.
 * The largest filing of 2013 Q2 has 10,268 lines.
 */
export const HELD_MAX = 8 * 1024 ** 2

/** Number of lines that are read from the table at a time. */
const PAGE = 2_000

/** The facts about a filing of the set that are known before the lines of the filing are parsed. */
export interface SetFiling {
  accession: string
  /** Number of the filing among the kept lines. */
  number: number
  lines: number
  /** Number of lines in the member of records. */
  records: number
  /** Number of characters of all lines. */
  size: number
  /** The filing's first line: member and number. */
  place: string
  /** Members that have lines of the filing. */
  members: ReadonlySet<string>
  /** The filing's lines; null if they are in the table. */
  held: HeldLines | null
}

/** Lines in the order in which the first pass met them: by member, and within a member by number. */
interface HeldLines {
  /** Lines that do not belong to records. */
  own: KeptLine[]
  records: KeptLine[]
  /** Lines that belong to records. */
  parts: KeptLine[]
}

/** The lines of one filing. The lines are made again for each reading, since they remember their problems. */
export interface FilingLines {
  /** Lines by member, without the lines that belong to records. */
  lines: () => Map<string, CsvRow[]>
  /** Records in their order. */
  records: () => Iterable<SetRecord> | AsyncIterable<SetRecord>
}

/** The results of the first pass, and the kept lines for the second pass. */
export interface StagedParts {
  /** Filings that can be loaded; all other filings are refused, or are of forms that are not read. */
  filings: readonly SetFiling[]
  /** Accessions of the refused filings. */
  refused: readonly string[]
  /** Whether the filing of every line is known. A line of an unknown filing could be part of any filing. */
  isWhole: boolean
  kept: KeptLines
  headers: ReadonlyMap<string, CsvHeader>
  /**
   * Names of all members; each kept line has the index of its member in this list. Lines of members before `recordsAt`
   * do not belong to records; lines of members after it belong to records.
   */
  names: readonly string[]
  recordsAt: number
  /** Splits a line into its values. */
  valuesOf: (content: string) => string[]
  /** Returns the number of the record that a line is or belongs to. */
  positionOf: (line: KeptLine) => number
}

type Stored = Pick<KeptLine, 'member' | 'line' | 'content'>

/**
 * A set after its first pass. Its state is the results of that pass and never changes.
 * The lines in the table stay until `drop`, and the lines in the temporary file until `close`.
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
    return this.#parts.filings.length
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

  async close(): Promise<void> {
    await this.#parts.kept.close()
  }

  /** Yields each filing once. */
  async *filings(): AsyncGenerator<SetFiling> {
    const large = this.#parts.filings.filter(({ size }) => size > HELD_MAX)
    yield* large
    const others = this.#parts.filings.filter(({ size }) => size <= HELD_MAX)
    for (const [group, filings] of Map.groupBy(others, ({ number }) => KeptLines.groupOf(number))) {
      for (const some of heldTogether(filings)) {
        const lines = await this.#heldLines(group, some)
        for (const filing of some) yield { ...filing, held: lines.get(filing.number)! }
      }
    }
  }

  /** Reads the lines of some filings of a group. */
  async #heldLines(group: number, some: readonly SetFiling[]): Promise<Map<number, HeldLines>> {
    const { kept, recordsAt } = this.#parts
    const held = new Map(some.map(({ number }): [number, HeldLines] => [number, { own: [], records: [], parts: [] }]))
    for await (const lines of kept.linesOf(group)) {
      for (const line of lines) {
        const lists = held.get(line.filing)
        if (!lists) continue
        if (line.member < recordsAt) lists.own.push(line)
        else if (line.member === recordsAt) lists.records.push(line)
        else lists.parts.push(line)
      }
    }
    return held
  }

  async linesOf(some: readonly SetFiling[]): Promise<Map<string, FilingLines>> {
    const large = await this.#largeLines(some.filter(({ held }) => held === null))
    return new Map(
      some.map(({ accession, held }) => {
        const own = held?.own ?? large.get(accession)!
        return [accession, { lines: () => this.#rowsBy(own), records: () => this.#recordsOf(accession, held) }]
      }),
    )
  }

  /** Reads from the table those lines of the filings that do not belong to records. Returns them by accession. */
  async #largeLines(some: readonly SetFiling[]): Promise<Map<string, Stored[]>> {
    if (some.length === 0) return new Map()
    const accessions = some.map(({ accession }) => accession)
    const stored = await this.#sql<(Stored & { accession: string })[]>`
      select accession, member, line, content from ${this.#sql(TABLE)}
      where accession = any(${accessions}) and position = ${NOWHERE} order by accession, member, line`
    return Map.groupBy(stored, ({ accession }) => accession)
  }

  #rowsBy(own: readonly Stored[]): Map<string, CsvRow[]> {
    const { names } = this.#parts
    const rows = new Map<string, CsvRow[]>(own.map(({ member }) => [names[member]!, []]))
    for (const line of own) rows.get(names[line.member]!)!.push(this.#rowOf(line))
    return rows
  }

  #recordsOf(accession: string, held: HeldLines | null): Iterable<SetRecord> | AsyncIterable<SetRecord> {
    if (held === null) return pagedRecords(this.#pages(accession))
    return joined(held.records, held.parts, {
      positionOf: this.#parts.positionOf,
      partOf: (line) => this.#partOf(line),
    })
  }

  async *#pages(accession: string): AsyncGenerator<Part[]> {
    let last = { position: '0', member: -1, line: 0 }
    for (;;) {
      const page = await this.#sql<(Stored & { position: string })[]>`
        select position, member, line, content from ${this.#sql(TABLE)}
        where accession = ${accession} and (position, member, line) > (${last.position}, ${last.member}, ${last.line})
        order by position, member, line limit ${PAGE}`
      yield page.map((stored) => this.#partOf(stored))
      if (page.length < PAGE) return
      last = page.at(-1)!
    }
  }

  #partOf(line: Stored): Part {
    const { names, recordsAt } = this.#parts
    return { member: line.member === recordsAt ? null : names[line.member]!, row: this.#rowOf(line) }
  }

  #rowOf({ member, line, content }: Stored): CsvRow {
    const { headers, names, valuesOf } = this.#parts
    return new CsvRow(headers.get(names[member]!)!, valuesOf(content), line)
  }
}

/** Divides filings so that the lines of each part fit into memory together. */
function* heldTogether(filings: readonly SetFiling[]): Generator<SetFiling[]> {
  let [some, size] = [[] as SetFiling[], 0]
  for (const filing of filings) {
    if (some.length > 0 && size + filing.size > HELD_MAX) {
      yield some
      ;[some, size] = [[], 0]
    }
    some.push(filing)
    size += filing.size
  }
  if (some.length > 0) yield some
}

/** Removes the table with the lines of the last set. */
export const drop = (tx: Transaction) => tx.unsafe(`drop table if exists ${TABLE}`)
