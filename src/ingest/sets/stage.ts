/**
 * A set is read twice. First it is looked through: lines of the small members go into a table of the database, by
 * accession, and of the member of records it becomes known where the lines of each filing are. Then the records are read
 * as they come: those of one filing stand together in every real set of Form 13F. A filing whose records are scattered, or
 * too many to be held, has them in the table too; and so has every filing of a set with lines of other members that
 * belong to records, in which the filings stand mixed: there the table puts in order what no memory holds.
 */
import type { SetRecord, SetsSource } from '../../declare/sets.ts'
import { type CsvHeader, CsvRow } from '../../read/csv.ts'
import { tsvValue } from '../../read/tsv-lines.ts'
import { integer } from '../../read/values.ts'
import type { Zip } from '../../read/zip.ts'
import { copyField, copyLines } from '../../store/copy.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { stoppable } from '../../store/stoppable.ts'
import { type Notes, refuse } from '../notes.ts'
import { type Key, keyIn, type Line, type LinesOverview, linesIn } from './lines.ts'
import { filtered, membersIn, untilStopped } from './members.ts'
import { assertFewFilings, Owners } from './owners.ts'
import { alone, type Part, pagedRecords, recordsIn } from './records.ts'
import { HELD_MAX, heldRuns, inOrder, runsOf } from './runs.ts'

/** Not logged: what is left of it after a crash is of no use. */
const TABLE = 'bulk.set_line'
const COLUMNS = ['accession', 'position', 'member', 'line', 'content']
/** The record number of lines that belong to no record; before all that do. */
const NOWHERE = -1

/** A filing of the set, as far as its lines tell before they are parsed. */
export interface SetFiling {
  accession: string
  lines: number
  /** Lines of the member of records. */
  records: number
  /** Characters of those that are held while it is loaded. */
  size: number
  /** Its first line: member and number. */
  place: string
  /** Members that it has lines of. */
  members: ReadonlySet<string>
  /** Its records, in order, where they were read as they came. */
  held: readonly Line[] | null
}

/** The lines of one filing; made anew each time, since they remember their problems. */
export interface FilingLines {
  /** By member, without what belongs to records. */
  lines: () => Map<string, CsvRow[]>
  /** In their order. */
  records: () => Iterable<SetRecord> | AsyncIterable<SetRecord>
}

export interface Staged {
  /** Filings that can be loaded; the others are refused, or are of forms that are not read. */
  count: number
  /** Each once. To be read to its end, or returned from. */
  filings: () => AsyncGenerator<SetFiling>
  /** By member. */
  headers: ReadonlyMap<string, CsvHeader>
  linesOf: (filings: readonly SetFiling[]) => Promise<Map<string, FilingLines>>
}

/** Lines in the table that a filing is given at a time. */
const PAGE = 2_000

/** What is known of a filing when all its lines were seen. */
interface Seen {
  lines: number
  records: number
  /** Size of the table. */
  size: number
  place: string
  hasHead: boolean
  members: Set<string>
}

interface Stored {
  accession: string
  position: string
  member: number
  line: number
  content: string
}

/**
 * Looks through the whole set.
 *
 * @throws Error naming the member, or the column of it, that is lacking, and for one that is cut short; the signal's reason
 */
export async function stage(
  sql: Sql,
  source: SetsSource,
  zip: Zip,
  found: Notes,
  signal?: AbortSignal,
): Promise<Staged> {
  const { head, ofRecords = [], isOther } = source
  const bytesOf = membersIn(source, zip, found)
  const there = Object.keys(source.members).filter((name) => bytesOf(name))
  const small = there.filter((name) => name !== source.records && !ofRecords.includes(name))
  const parts = there.filter((name) => ofRecords.includes(name))
  // Records come before what belongs to them.
  const names = [...small, source.records, ...parts]
  const told: LinesOverview = { headers: new Map(), damaged: new Map(), found }
  const linesOf = (name: string, toTell: LinesOverview | null, key: Key = keyIn(source, name)) =>
    linesIn(source, name, bytesOf(name)!(), key, toTell)
  const lookedAt = (...of: Parameters<typeof linesOf>) => untilStopped(linesOf(...of), signal)
  const owners = ofRecords.length > 0 ? new Owners() : null
  const orderIn = (name: string) => told.headers.get(name)!.at(source.order)!
  const numberAt = (content: string, at: number) => integer(tsvValue(content, at).trim())
  let orderAt: number | undefined
  const runs = await runsOf(lookedAt(source.records, told), owners ? owned : undefined)
  orderAt ??= orderIn(source.records)
  const positionOf = ({ content }: Line) => Math.max(0, numberAt(content, orderAt!) ?? 0)
  for (const [accession, reason] of owners?.close() ?? []) told.damaged.set(accession, `${source.order}: ${reason}`)
  const seen = new Map<string, Seen>()
  const others = new Set<string>()
  await stoppable(sql, signal, async (tx) => {
    await drop(tx)
    await tx.unsafe(`
      create unlogged table ${TABLE} (
        accession text collate "C", position bigint, member smallint, line integer, content text)`)
    for (const name of small) await put(tx, name, lookedAt(name, told), () => NOWHERE)
    for (const [accession, { lines, first }] of runs) {
      const own = seenOf(accession, source.records, first)
      own.lines += lines
      own.records += lines
    }
    if (owners) for (const run of runs.values()) run.isHeld = false
    const isStored = ({ accession }: Line) => !runs.get(accession)!.isHeld
    if ([...runs.values()].some(({ isHeld }) => !isHeld)) {
      await put(tx, source.records, filtered(lookedAt(source.records, null), isStored), positionOf)
    }
    for (const name of parts) {
      const key = ownerKey(source, owners!)
      let at: number | undefined
      await put(tx, name, lookedAt(name, told, key), ({ content }) => {
        at ??= orderIn(name)
        return numberAt(content, at)!
      })
    }
    await tx.unsafe(`create unique index on ${TABLE} (accession, position, member, line)`)
    await tx.unsafe(`analyze ${TABLE}`)
  })
  const filings = new Map<string, SetFiling>()
  for (const [accession, own] of [...seen].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (others.has(accession)) continue
    const { place, hasHead } = own
    const run = runs.get(accession)
    const reason = hasHead ? told.damaged.get(accession) : `${own.lines} lines of a filing that the set does not list`
    if (reason !== undefined) refuse(found, { place, key: accession, reason })
    else filings.set(accession, { accession, ...own, size: own.size + (run?.isHeld ? run.size : 0), held: null })
  }
  const rowOf = (member: number, number: number, content: string) =>
    new CsvRow(told.headers.get(names[member]!)!, content.split('\t'), number)
  const recordsAt = names.indexOf(source.records)
  const partOf = ({ member, line, content }: Stored): Part => ({
    member: member === recordsAt ? null : names[member]!,
    row: rowOf(member, line, content),
  })

  return {
    count: filings.size,
    headers: told.headers,
    async *filings() {
      for (const filing of filings.values()) if (!runs.get(filing.accession)?.isHeld) yield filing
      // Without a filing that is held, the records need not be read again.
      if (![...runs.values()].some(({ isHeld }) => isHeld)) return
      for await (const held of heldRuns(linesOf(source.records, null), runs)) {
        const filing = filings.get(held[0]!.accession)
        if (filing) yield { ...filing, held: inOrder(held, positionOf) }
      }
    },
    async linesOf(some) {
      const accessions = some.map(({ accession }) => accession)
      const whole = some.filter(({ size }) => size <= HELD_MAX).map(({ accession }) => accession)
      const stored = await sql<Stored[]>`
        select accession, position, member, line, content from ${sql(TABLE)}
        where accession = any(${accessions}) and (position = ${NOWHERE} or accession = any(${whole}))
        order by accession, position, member, line`
      const byFiling = Map.groupBy(stored, ({ accession }) => accession)
      return new Map(
        some.map(({ accession, held }) => {
          const all = byFiling.get(accession) ?? []
          const own = all.filter(({ member }) => member < recordsAt)
          const parts = all.slice(own.length)
          return [accession, { lines: () => rowsBy(own), records: () => recordsOf(accession, held, parts) }]
        }),
      )
    },
  }

  function owned({ accession, content }: Line): void {
    orderAt ??= orderIn(source.records)
    if (owners!.add(accession, numberAt(content, orderAt))) return
    told.damaged.set(accession, `${source.order} ${tsvValue(content, orderAt)} is not a record number`)
  }

  function seenOf(accession: string, member: string, line: number): Seen {
    let own = seen.get(accession)
    if (!own) {
      assertFewFilings(seen)
      own = { lines: 0, records: 0, size: 0, place: `${member}.tsv:${line}`, hasHead: false, members: new Set() }
      seen.set(accession, own)
    }
    own.members.add(member)
    return own
  }

  async function put(tx: Transaction, name: string, lines: AsyncIterable<Line[]>, position: (line: Line) => number) {
    const member = names.indexOf(name)
    const isCounted = name !== source.records
    async function* texts() {
      let [accession, own] = ['', undefined as Seen | undefined]
      for await (const some of lines) {
        let text = ''
        for (const line of some) {
          if (!own || line.accession !== accession) {
            accession = line.accession
            own = seenOf(accession, name, line.number)
          }
          if (isCounted) own.lines++
          own.size += line.content.length
          if (name === head) {
            own.hasHead = true
            if (isOther?.(rowIn(name, line))) others.add(accession)
          }
          text += `${accession}\t${position(line)}\t${member}\t${line.number}\t${stored(line.content)}\n`
        }
        if (text !== '') yield text
      }
    }
    await copyLines(tx, TABLE, COLUMNS, texts())
  }

  function rowIn(name: string, { number, content }: Line): CsvRow {
    return new CsvRow(told.headers.get(name)!, content.split('\t'), number)
  }

  function rowsBy(own: readonly Stored[]): Map<string, CsvRow[]> {
    const rows = new Map<string, CsvRow[]>(own.map(({ member }) => [names[member]!, []]))
    for (const { member, line, content } of own) rows.get(names[member]!)!.push(rowOf(member, line, content))
    return rows
  }

  function recordsOf(accession: string, held: readonly Line[] | null, parts: readonly Stored[]) {
    if (held) return Iterator.from(held).map(({ number, content }) => alone(rowOf(recordsAt, number, content)))
    return parts.length > 0 ? recordsIn(Iterator.from(parts).map(partOf)) : pagedRecords(pages(accession))
  }

  async function* pages(accession: string): AsyncGenerator<Part[]> {
    let last = { position: '0', member: -1, line: 0 }
    for (;;) {
      const page = await sql<Stored[]>`
        select accession, position, member, line, content from ${sql(TABLE)}
        where accession = ${accession} and (position, member, line) > (${last.position}, ${last.member}, ${last.line})
        order by position, member, line limit ${PAGE}`
      yield page.map(partOf)
      if (page.length < PAGE) return
      last = page.at(-1)!
    }
  }
}

/** Removes the lines of the last set. */
export const drop = (tx: Transaction) => tx.unsafe(`drop table if exists ${TABLE}`)

/** A line's content in COPY's format: it has many tabs, and hardly anything else that has to be escaped. */
const stored = (content: string) =>
  content.includes('\r') ? copyField(content) : content.replaceAll('\\', '\\\\').replaceAll('\t', '\\t')

const ownerKey = ({ order, records }: SetsSource, owners: Owners): Key => ({
  column: order,
  accessionOf: (value) => owners.of(integer(value)),
  reason: `names no ${order} of ${records}`,
})
