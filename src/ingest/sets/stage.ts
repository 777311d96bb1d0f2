/**
 * Reads a set twice. The first pass puts the lines of the small members into a database table, by accession, and finds
 * where the lines of each filing are in the member of records. The second pass reads the records in their order in the
 * file: in the real set of Form 13F (2013 Q2) the records of each filing are adjacent. If a filing's records are
 * scattered or too many to hold in memory, they go into the table too. If lines of other members belong to records, all
 * records of the set go into the table: in such a set the filings are mixed, and the table sorts more lines than fit
 * into memory.
 */
import type { SetsSource } from '../../declare/sets.ts'
import { CsvRow } from '../../read/csv.ts'
import { tsvValue, tsvValues } from '../../read/tsv-lines.ts'
import { integer } from '../../read/values.ts'
import type { Zip } from '../../read/zip.ts'
import { copyField, copyLines } from '../../store/copy.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { stoppable } from '../../store/stoppable.ts'
import { type Notes, refuse } from '../notes.ts'
import { type Key, keyIn, type Line, type LinesOverview, linesIn } from './lines.ts'
import { filtered, membersIn, untilStopped } from './members.ts'
import { assertFewFilings, Owners } from './owners.ts'
import { type Run, runsOf } from './runs.ts'
import { drop, NOWHERE, type SetFiling, type StagedParts, StagedSet, TABLE } from './staged.ts'

const COLUMNS = ['accession', 'position', 'member', 'line', 'content']

/** The facts about a filing that its lines have shown so far. */
interface Seen {
  lines: number
  records: number
  /** Number of characters in the table. */
  size: number
  place: string
  hasHead: boolean
  members: Set<string>
}

/**
 * Runs the first pass over the whole set.
 *
 * @throws Error that names the missing member or column, or a truncated member; the signal's reason
 */
export async function stage(
  sql: Sql,
  source: SetsSource,
  zip: Zip,
  found: Notes,
  signal?: AbortSignal,
): Promise<StagedSet> {
  const staging = new Staging(source, membersIn(source, zip, found), found, signal)
  await staging.findRuns()
  await stoppable(sql, signal, (tx) => staging.store(tx))
  return staging.staged(sql)
}

/**
 * The first pass over one set. Its state is gathered from the lines: headers and damaged lines (`#overview`), the
 * filings (`#seen`), filings of other forms (`#others`), the places of records (`#runs`) and the filing of each record
 * (`#owners`). Only the methods `findRuns`, `store` and `staged` change this state. Each is called once, in this order.
 */
class Staging {
  readonly #source: SetsSource
  readonly #bytesOf: ReturnType<typeof membersIn>
  readonly #signal: AbortSignal | undefined
  /** Members whose lines do not belong to records. */
  readonly #small: readonly string[]
  /** Members whose lines belong to records. */
  readonly #parts: readonly string[]
  /**
   * Members, indexed by their number in the table: the member of records comes before the members whose lines belong to
   * records.
   */
  readonly #names: readonly string[]
  readonly #overview: LinesOverview
  readonly #seen = new Map<string, Seen>()
  readonly #others = new Set<string>()
  /** The filing of each record; null for a set in which no lines belong to records. */
  readonly #owners: Owners | null
  #runs: ReadonlyMap<string, Run> = new Map()
  /** Position of the column that has the number of a record, in the member of records. */
  #orderAt: number | undefined

  constructor(
    source: SetsSource,
    bytesOf: ReturnType<typeof membersIn>,
    found: Notes,
    signal: AbortSignal | undefined,
  ) {
    const { members, records, ofRecords = [] } = source
    this.#source = source
    this.#bytesOf = bytesOf
    this.#signal = signal
    this.#overview = { headers: new Map(), damaged: new Map(), strays: 0, found }
    this.#owners = ofRecords.length > 0 ? new Owners() : null
    const there = Object.keys(members).filter((name) => bytesOf(name))
    this.#small = there.filter((name) => name !== records && !ofRecords.includes(name))
    this.#parts = there.filter((name) => ofRecords.includes(name))
    this.#names = [...this.#small, records, ...this.#parts]
  }

  /** Finds where the records of each filing are. */
  async findRuns(): Promise<void> {
    const { records, order } = this.#source
    this.#runs = await runsOf(
      this.#lookAt(records, this.#overview),
      this.#owners ? (line) => this.#addOwner(line) : undefined,
    )
    this.#orderAt ??= this.#orderIn(records)
    for (const [accession, reason] of this.#owners?.close() ?? []) {
      this.#overview.damaged.set(accession, `${order}: ${reason}`)
    }
  }

  /** Puts into the table all lines that the second pass does not read from the file. */
  async store(tx: Transaction): Promise<void> {
    const { records } = this.#source
    await drop(tx)
    await tx.unsafe(`
      create unlogged table ${TABLE} (
        accession text collate "C", position bigint, member smallint, line integer, content text)`)
    for (const name of this.#small) await this.#put(tx, name, this.#lookAt(name, this.#overview), () => NOWHERE)
    for (const [accession, { lines, first }] of this.#runs) {
      const own = this.#seenOf(accession, records, first)
      own.lines += lines
      own.records += lines
    }
    if (this.#owners) for (const run of this.#runs.values()) run.isHeld = false
    const isStored = ({ accession }: Line) => !this.#runs.get(accession)!.isHeld
    if (this.#runs.values().some(({ isHeld }) => !isHeld)) {
      const stored = filtered(this.#lookAt(records, null), isStored)
      await this.#put(tx, records, stored, (line) => this.#positionOf(line))
    }
    for (const name of this.#parts) {
      const key = ownerKey(this.#source, this.#owners!)
      let at: number | undefined
      await this.#put(tx, name, this.#lookAt(name, this.#overview, key), ({ content }) => {
        at ??= this.#orderIn(name)
        return numberAt(content, at)!
      })
    }
    await tx.unsafe(`create unique index on ${TABLE} (accession, position, member, line)`)
    // The index is looked up by accession, so a rough number of lines of a filing is enough. Statistics of all columns
    // with the usual sample took as long as the index.
    await tx`set local default_statistics_target = 10`
    await tx.unsafe(`analyze ${TABLE} (accession)`)
  }

  /** Refuses the filings that cannot be loaded, and returns the others. */
  staged(sql: Sql): StagedSet {
    const { records } = this.#source
    return new StagedSet(sql, {
      ...this.#filings(),
      isWhole: this.#overview.strays === 0,
      runs: this.#runs,
      headers: this.#overview.headers,
      names: this.#names,
      recordsAt: this.#names.indexOf(records),
      valuesOf: (content) => this.#valuesOf(content),
      positionOf: (line) => this.#positionOf(line),
      recordLines: () => this.#linesOf(records, null),
    })
  }

  #filings(): Pick<StagedParts, 'filings' | 'refused'> {
    const { damaged, found } = this.#overview
    const filings = new Map<string, SetFiling>()
    const refused: string[] = []
    for (const [accession, own] of [...this.#seen].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (this.#others.has(accession)) continue
      const { place, hasHead } = own
      const run = this.#runs.get(accession)
      const reason = hasHead ? damaged.get(accession) : `${own.lines} lines of a filing that the set does not list`
      if (reason !== undefined) {
        refuse(found, { place, key: accession, reason })
        refused.push(accession)
      } else filings.set(accession, { accession, ...own, size: own.size + (run?.isHeld ? run.size : 0), held: null })
    }
    return { filings, refused }
  }

  /**
   * Reads the lines of a member.
   *
   * @param overview collects the facts about the lines; null when the member is read again
   */
  #linesOf(name: string, overview: LinesOverview | null, key: Key = keyIn(this.#source, name)) {
    return linesIn(this.#source, name, this.#bytesOf(name)!(), key, overview)
  }

  #lookAt(name: string, overview: LinesOverview | null, key?: Key) {
    return untilStopped(this.#linesOf(name, overview, key), this.#signal)
  }

  #orderIn(name: string): number {
    return this.#overview.headers.get(name)!.at(this.#source.order)!
  }

  #positionOf({ content }: Line): number {
    return Math.max(0, numberAt(content, this.#orderAt!) ?? 0)
  }

  #addOwner({ accession, content }: Line): void {
    const { records, order } = this.#source
    this.#orderAt ??= this.#orderIn(records)
    if (this.#owners!.add(accession, numberAt(content, this.#orderAt))) return
    this.#overview.damaged.set(accession, `${order} ${tsvValue(content, this.#orderAt)} is not a record number`)
  }

  /**
   * Returns the entry of a filing, and creates the entry if it is missing.
   *
   * @throws Error for a set of too many filings
   */
  #seenOf(accession: string, member: string, line: number): Seen {
    let own = this.#seen.get(accession)
    if (!own) {
      assertFewFilings(this.#seen)
      own = { lines: 0, records: 0, size: 0, place: `${member}.tsv:${line}`, hasHead: false, members: new Set() }
      this.#seen.set(accession, own)
    }
    own.members.add(member)
    return own
  }

  async #put(tx: Transaction, name: string, lines: AsyncIterable<Line[]>, positionOf: (line: Line) => number) {
    await copyLines(tx, TABLE, COLUMNS, this.#texts(name, lines, positionOf))
  }

  /** Formats the lines of a member for COPY, and records the filings of these lines. */
  async *#texts(name: string, lines: AsyncIterable<Line[]>, positionOf: (line: Line) => number) {
    const { records, head, isOther } = this.#source
    const member = this.#names.indexOf(name)
    const isCounted = name !== records
    let [accession, own] = ['', undefined as Seen | undefined]
    for await (const some of lines) {
      let text = ''
      for (const line of some) {
        if (!own || line.accession !== accession) {
          accession = line.accession
          own = this.#seenOf(accession, name, line.number)
        }
        if (isCounted) own.lines++
        own.size += line.content.length
        if (name === head) {
          own.hasHead = true
          if (isOther?.(this.#rowIn(name, line))) this.#others.add(accession)
        }
        text += `${accession}\t${positionOf(line)}\t${member}\t${line.number}\t${stored(line.content)}\n`
      }
      if (text !== '') yield text
    }
  }

  #rowIn(name: string, { number, content }: Line): CsvRow {
    return new CsvRow(this.#overview.headers.get(name)!, this.#valuesOf(content), number)
  }

  #valuesOf(content: string): string[] {
    return tsvValues(content, this.#source.quotes ?? false)
  }
}

const numberAt = (content: string, at: number) => integer(tsvValue(content, at).trim())

/**
 * A line's content in COPY's format. A line has many tabs, and hardly any other character in it must be escaped, so
 * only a line with a CR takes the slower `copyField`.
 */
const stored = (content: string) =>
  content.includes('\r') ? copyField(content) : content.replaceAll('\\', '\\\\').replaceAll('\t', '\\t')

const ownerKey = ({ order, records }: SetsSource, owners: Owners): Key => ({
  column: order,
  accessionOf: (value) => owners.of(integer(value)),
  reason: `names a ${order} that ${records} does not have`,
})
