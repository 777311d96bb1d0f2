/**
 * A set is read twice. First it is looked through: lines of the small members go into a table of the database, by
 * accession, and of the member of records it becomes known where the lines of each filing are. Then the records are read
 * as they come: those of one filing stand together in every real set. A filing whose records are scattered, or too many
 * to be held, has them in the table too.
 */
import type { SetsSource } from '../../declare/sets.ts'
import { type CsvHeader, CsvRow } from '../../read/csv.ts'
import { tsvValue } from '../../read/tsv-lines.ts'
import { integer } from '../../read/values.ts'
import type { Zip } from '../../read/zip.ts'
import { copy } from '../../store/copy.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { type Notes, refuse, unread } from '../notes.ts'
import { type Line, linesIn, type Told } from './lines.ts'
import { heldRuns, inOrder, runsOf } from './runs.ts'

/** Not logged: what is left of it after a crash is of no use. */
const TABLE = 'bulk.set_line'

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
  /** Its records, in order; null for one that has none, or has them in the table. */
  held: readonly Line[] | null
}

export interface Staged {
  /** Filings that can be loaded; the others are refused. */
  count: number
  /** Each once. To be read to its end, or returned from. */
  filings: () => AsyncGenerator<SetFiling>
  /** By member. */
  headers: ReadonlyMap<string, CsvHeader>
  /** Lines of all members but that of records, by accession; made anew each time, since they remember their problems. */
  linesOf: (accessions: readonly string[]) => Promise<Map<string, () => Map<string, CsvRow[]>>>
  /** Its records in their order; may be called again. */
  recordsOf: (filing: SetFiling) => Iterable<CsvRow> | AsyncIterable<CsvRow>
}

/** Records in the table that a filing is given at a time. */
const PAGE = 2_000

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
  const names = Object.keys(source.members)
  const records = names.indexOf(source.records)
  const bytesOf = membersIn(source, zip, found)
  const told: Told = { headers: new Map(), damaged: new Map(), found }
  const linesOf = (name: string, toTell: Told | null) => linesIn(source, name, bytesOf(name), toTell)
  const lookedAt = (name: string, toTell: Told | null) => untilStopped(linesOf(name, toTell), signal)
  const runs = await runsOf(lookedAt(source.records, told))
  const orderAt = told.headers.get(source.records)!.at(source.order)!
  const positionOf = ({ content }: Line) => Math.max(0, integer(tsvValue(content, orderAt).trim()) ?? 0)
  const listed = await sql.begin(async (tx) => {
    await drop(tx)
    await tx.unsafe(`
      create unlogged table ${TABLE} (
        accession text collate "C", member smallint, position bigint, line integer, content text)`)
    async function put(name: string, lines: AsyncIterable<Line[]>) {
      const member = names.indexOf(name)
      async function* rows() {
        for await (const some of lines) {
          yield some.map((line) => [line.accession, member, member === records ? positionOf(line) : 0, line.number, line.content]) // biome-ignore format: one line
        }
      }
      await copy(tx, TABLE, ['accession', 'member', 'position', 'line', 'content'], rows())
    }
    for (const name of names) if (name !== source.records) await put(name, lookedAt(name, told))
    const isScattered = ({ accession }: Line) => !runs.get(accession)!.isHeld
    if ([...runs.values()].some(({ isHeld }) => !isHeld)) {
      await put(source.records, filtered(lookedAt(source.records, null), isScattered))
    }
    await tx.unsafe(`create unique index on ${TABLE} (accession, member, position, line)`)
    await tx.unsafe(`analyze ${TABLE}`)
    const rows = await tx.unsafe<
      { accession: string; lines: number; size: number; hasHead: boolean; member: number; line: number }[]
    >(`
      select accession, count(*)::int as lines, sum(length(content))::float8 as size, bool_or(member = ${names.indexOf(source.head)}) as "hasHead",
        (array_agg(member order by member, line))[1] as member, (array_agg(line order by member, line))[1] as line
      from ${TABLE} where member <> ${records} group by accession`)
    return new Map(rows.map((row) => [row.accession, row]))
  })
  const filings = new Map<string, SetFiling>()
  for (const accession of [...new Set([...listed.keys(), ...runs.keys()])].sort()) {
    const [row, run] = [listed.get(accession), runs.get(accession)]
    const lines = (row?.lines ?? 0) + (run?.lines ?? 0)
    const place = row ? `${names[row.member]}.tsv:${row.line}` : `${source.records}.tsv:${run!.first}`
    const reason = row?.hasHead ? told.damaged.get(accession) : `${lines} lines of a filing that the set does not list`
    if (reason !== undefined) refuse(found, { place, key: accession, reason })
    else {
      const size = (row?.size ?? 0) + (run?.isHeld ? run.size : 0)
      filings.set(accession, { accession, lines, records: run?.lines ?? 0, size, place, held: null })
    }
  }
  const rowOf = (member: number, number: number, content: string) =>
    new CsvRow(told.headers.get(names[member]!)!, content.split('\t'), number)

  return {
    count: filings.size,
    headers: told.headers,
    async *filings() {
      for (const filing of filings.values()) if (!runs.get(filing.accession)?.isHeld) yield filing
      for await (const held of heldRuns(linesOf(source.records, null), runs)) {
        const filing = filings.get(held[0]!.accession)
        if (filing) yield { ...filing, held: inOrder(held, positionOf) }
      }
    },
    async linesOf(accessions) {
      const lines = await sql<{ accession: string; member: number; line: number; content: string }[]>`
        select accession, member, line, content from ${sql(TABLE)}
        where accession = any(${accessions as string[]}) and member <> ${records} order by member, line`
      return new Map(
        [...Map.groupBy(lines, ({ accession }) => accession)].map(([accession, own]) => [
          accession,
          () => {
            const rows = new Map<string, CsvRow[]>(own.map(({ member }) => [names[member]!, []]))
            for (const { member, line, content } of own) rows.get(names[member]!)!.push(rowOf(member, line, content))
            return rows
          },
        ]),
      )
    },
    recordsOf({ accession, held }) {
      return held ? heldRows(held) : pages(accession)
    },
  }

  function* heldRows(held: readonly Line[]) {
    for (const { number, content } of held) yield rowOf(records, number, content)
  }

  async function* pages(accession: string) {
    let [position, line] = ['-1', 0]
    for (;;) {
      const page = await sql<{ position: string; line: number; content: string }[]>`
        select position, line, content from ${sql(TABLE)}
        where accession = ${accession} and member = ${records} and (position, line) > (${position}, ${line})
        order by position, line limit ${PAGE}`
      for (const row of page) yield rowOf(records, row.line, row.content)
      if (page.length < PAGE) return
      ;({ position, line } = page.at(-1)!)
    }
  }
}

/** Removes the lines of the last set. */
export const drop = (tx: Transaction) => tx.unsafe(`drop table if exists ${TABLE}`)

/** How the bytes of each member are asked for. Members that are none of the source's are told. */
function membersIn({ members }: SetsSource, zip: Zip, found: Notes): (name: string) => AsyncIterable<Uint8Array> {
  const baseName = (file: string) => file.replace(/^.*[\\/]/, '')
  const of = (name: string) => (member: { name: string }) =>
    baseName(member.name).toLowerCase() === `${name.toLowerCase()}.tsv`
  const known = new Map(Object.keys(members).map((name) => [name, zip.members.find(of(name))]))
  const lacking = [...known].filter(([, member]) => !member).map(([name]) => `${name}.tsv`)
  if (lacking.length > 0) throw new Error(`lacks ${lacking.join(', ')}`)
  for (const member of zip.members) {
    if (/\.tsv$/i.test(member.name) && ![...known.values()].includes(member)) unread(found, member.name)
  }
  return (name) => known.get(name)!.bytes()
}

/** What comes, until the signal aborts: with its reason. */
export async function* untilStopped<T>(some: AsyncIterable<T>, signal: AbortSignal | undefined): AsyncGenerator<T> {
  for await (const one of some) {
    signal?.throwIfAborted()
    yield one
  }
}

async function* filtered(lines: AsyncIterable<Line[]>, isWanted: (line: Line) => boolean): AsyncGenerator<Line[]> {
  for await (const some of lines) yield some.filter(isWanted)
}
