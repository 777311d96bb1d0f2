/**
 * The first pass over a set: reads every line once, and keeps the lines in a temporary file by filing. A filing with too
 * many lines to hold in memory is put into a database table, which sorts its lines.
 */
import type { SetsSource } from '../../declare/sets.ts'
import { CsvRow } from '../../read/csv.ts'
import { tsvValue, tsvValues } from '../../read/tsv-lines.ts'
import { integer } from '../../read/values.ts'
import type { Zip } from '../../read/zip.ts'
import { copyLine, copyLines } from '../../store/copy.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { stoppable } from '../../store/stoppable.ts'
import { type Notes, refuse } from '../notes.ts'
import { type KeptLine, KeptLines } from './kept.ts'
import { type Key, keyIn, type Line, type LinesOverview, linesIn } from './lines.ts'
import { membersIn, untilStopped } from './members.ts'
import { assertFewFilings, Owners } from './owners.ts'
import { drop, HELD_MAX, NOWHERE, type SetFiling, type StagedParts, StagedSet, TABLE } from './staged.ts'

const COLUMNS = ['accession', 'position', 'member', 'line', 'content']

/** The facts about a filing that its lines have shown so far. */
interface Seen {
  accession: string
  /** Filings are numbered in the order of their first lines. */
  number: number
  lines: number
  records: number
  /** Number of characters of the filing's lines. */
  size: number
  place: string
  hasHead: boolean
  members: Set<string>
}

/**
 * Runs the first pass over the whole set. The result must be closed.
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
  const bytesOf = membersIn(source, zip, found)
  const kept = await KeptLines.open()
  try {
    const staging = new Staging(source, bytesOf, found, kept, signal)
    await staging.read()
    await stoppable(sql, signal, (tx) => staging.storeLarge(tx))
    return staging.staged(sql)
  } catch (error) {
    await kept.close()
    throw error
  }
}

/**
 * The first pass over one set. Its state is gathered from the lines: headers and damaged lines (`#overview`), the
 * filings (`#seen`), filings of other forms (`#others`), and the filing of each record (`#owners`). Only `read` changes
 * this state. The methods `read`, `storeLarge` and `staged` are each called once, in this order.
 */
class Staging {
  readonly #source: SetsSource
  readonly #bytesOf: ReturnType<typeof membersIn>
  readonly #kept: KeptLines
  readonly #signal: AbortSignal | undefined
  /** Members whose lines do not belong to records. */
  readonly #small: readonly string[]
  /** Members whose lines belong to records. */
  readonly #parts: readonly string[]
  /**
   * Names of all members; each kept line has the index of its member in this list. The members of `#small` come first,
   * then the member of records, then the members of `#parts`.
   */
  readonly #names: readonly string[]
  readonly #overview: LinesOverview
  readonly #seen = new Map<string, Seen>()
  readonly #others = new Set<string>()
  /** The filing of each record; null for a set in which no lines belong to records. */
  readonly #owners: Owners | null
  /** For each member, by its number in `#names`: the position of the column with the record number. */
  readonly #orderAt: (number | undefined)[] = []

  constructor(
    source: SetsSource,
    bytesOf: ReturnType<typeof membersIn>,
    found: Notes,
    kept: KeptLines,
    signal: AbortSignal | undefined,
  ) {
    const { members, records, ofRecords = [] } = source
    this.#source = source
    this.#bytesOf = bytesOf
    this.#kept = kept
    this.#signal = signal
    this.#overview = { headers: new Map(), damaged: new Map(), strays: 0, found }
    this.#owners = ofRecords.length > 0 ? new Owners() : null
    const there = Object.keys(members).filter((name) => bytesOf(name))
    this.#small = there.filter((name) => name !== records && !ofRecords.includes(name))
    this.#parts = there.filter((name) => ofRecords.includes(name))
    this.#names = [...this.#small, records, ...this.#parts]
  }

  /** Reads and keeps all lines. */
  async read(): Promise<void> {
    const { records, order } = this.#source
    for (const name of this.#small) await this.#keep(name)
    const owners = this.#owners
    await this.#keep(records, undefined, owners ? (line) => this.#addOwner(owners, line) : undefined)
    for (const [accession, reason] of owners?.close() ?? []) {
      this.#overview.damaged.set(accession, `${order}: ${reason}`)
    }
    for (const name of this.#parts) await this.#keep(name, ownerKey(this.#source, owners!))
    await this.#kept.finish()
  }

  /** Puts into the table the lines of those filings that are too large for memory. */
  async storeLarge(tx: Transaction): Promise<void> {
    await drop(tx)
    const large = new Map(
      [...this.#seen.values()].filter(({ size }) => size > HELD_MAX).map((own) => [own.number, own.accession]),
    )
    if (large.size === 0) return
    await tx.unsafe(`
      create unlogged table ${TABLE} (
        accession text collate "C", position bigint, member smallint, line integer, content text)`)
    await copyLines(tx, TABLE, COLUMNS, this.#texts(large))
    await tx.unsafe(`create unique index on ${TABLE} (accession, position, member, line)`)
    await tx.unsafe(`analyze ${TABLE} (accession)`)
  }

  /** Formats the lines of filings for COPY. @param large accessions by number */
  async *#texts(large: ReadonlyMap<number, string>) {
    const recordsAt = this.#names.indexOf(this.#source.records)
    for (const group of new Set([...large.keys()].map(KeptLines.groupOf))) {
      for await (const lines of untilStopped(this.#kept.linesOf(group), this.#signal)) {
        for (const kept of lines) {
          const accession = large.get(kept.filing)
          if (accession === undefined) continue
          const position = kept.member < recordsAt ? NOWHERE : this.#positionOf(kept)
          yield copyLine([accession, position, kept.member, kept.line, kept.content])
        }
      }
    }
  }

  /** Refuses the filings that cannot be loaded, and returns the others. */
  staged(sql: Sql): StagedSet {
    return new StagedSet(sql, {
      ...this.#filings(),
      isWhole: this.#overview.strays === 0,
      kept: this.#kept,
      headers: this.#overview.headers,
      names: this.#names,
      recordsAt: this.#names.indexOf(this.#source.records),
      valuesOf: (content) => this.#valuesOf(content),
      positionOf: (line) => this.#positionOf(line),
    })
  }

  #filings(): Pick<StagedParts, 'filings' | 'refused'> {
    const { damaged, found } = this.#overview
    const filings: SetFiling[] = []
    const refused: string[] = []
    for (const [accession, own] of [...this.#seen].sort(([a], [b]) => (a < b ? -1 : 1))) {
      if (this.#others.has(accession)) continue
      const reason = own.hasHead ? damaged.get(accession) : `${own.lines} lines of a filing that the set does not list`
      if (reason !== undefined) {
        refuse(found, { place: own.place, key: accession, reason })
        refused.push(accession)
      } else filings.push({ ...own, held: null })
    }
    return { filings, refused }
  }

  /**
   * Reads the lines of a member, records the filings of these lines, and keeps the lines.
   *
   * @param each called with every line
   */
  async #keep(name: string, key: Key = keyIn(this.#source, name), each?: (line: Line) => void): Promise<void> {
    const { records, head, isOther, order } = this.#source
    const { headers } = this.#overview
    const member = this.#names.indexOf(name)
    let [accession, own] = ['', undefined as Seen | undefined]
    const all = linesIn(this.#source, name, this.#bytesOf(name)!(), key, this.#overview)
    for await (const some of untilStopped(all, this.#signal)) {
      this.#orderAt[member] ??= headers.get(name)?.at(order)
      for (const line of some) {
        each?.(line)
        if (!own || line.accession !== accession) {
          accession = line.accession
          own = this.#seenOf(accession, name, line.number)
        }
        own.lines++
        own.size += line.content.length
        if (name === records) own.records++
        if (name === head) {
          own.hasHead = true
          if (isOther?.(this.#rowIn(name, line))) this.#others.add(accession)
        }
        this.#kept.add(own.number, member, line.number, line.content)
      }
      await this.#kept.settle()
    }
  }

  /**
   * Returns the record number that a line states; 0 if it states none. The lines of a filing are sorted by this number.
   */
  #positionOf({ member, content }: Pick<KeptLine, 'member' | 'content'>): number {
    return Math.max(0, numberAt(content, this.#orderAt[member]!) ?? 0)
  }

  #addOwner(owners: Owners, { accession, content }: Line): void {
    const { records, order } = this.#source
    const at = this.#orderAt[this.#names.indexOf(records)]!
    if (owners.add(accession, numberAt(content, at))) return
    this.#overview.damaged.set(accession, `${order} ${tsvValue(content, at)} is not a record number`)
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
      own = {
        ...{ accession, number: this.#seen.size, lines: 0, records: 0, size: 0 },
        ...{ place: `${member}.tsv:${line}`, hasHead: false, members: new Set() },
      }
      this.#seen.set(accession, own)
    }
    own.members.add(member)
    return own
  }

  #rowIn(name: string, { number, content }: Line): CsvRow {
    return new CsvRow(this.#overview.headers.get(name)!, this.#valuesOf(content), number)
  }

  #valuesOf(content: string): string[] {
    return tsvValues(content, this.#source.quotes ?? false)
  }
}

const numberAt = (content: string, at: number) => integer(tsvValue(content, at).trim())

const ownerKey = ({ order, records }: SetsSource, owners: Owners): Key => ({
  column: order,
  accessionOf: (value) => owners.of(integer(value)),
  reason: `names a ${order} that ${records} does not have`,
})
