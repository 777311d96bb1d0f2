/**
 * Lines of a set into a table of the database, by accession: the members need not be grouped by it, and the largest of
 * them has millions of lines.
 */
import type { SetsSource } from '../../declare/sets.ts'
import { CsvHeader, CsvRow } from '../../read/csv.ts'
import { tsvLines } from '../../read/tsv-lines.ts'
import { membersOf } from '../../read/zip.ts'
import { copy } from '../../store/copy.ts'
import type { Transaction } from '../../store/db.ts'
import { refuse, type SetNotes, unread } from './notes.ts'

/** Not logged: what is left of it after a crash is of no use. */
const TABLE = 'bulk.set_line'

/** A filing of the set, as far as its lines tell before they are parsed. */
export interface SetFiling {
  accession: string
  lines: number
  /** Lines of the member of records. */
  records: number
  /** Its first line: member and number. */
  place: string
  hasHead: boolean
}

export interface Staged {
  /** In the order of their numbers. */
  filings: SetFiling[]
  /** By member. */
  headers: ReadonlyMap<string, CsvHeader>
  /** Why filings cannot be loaded: lines of them that are damaged, by accession. */
  damaged: ReadonlyMap<string, string>
  /** Lines of one filing, of all members but that of records. */
  linesOf(tx: Transaction, accession: string): Promise<Map<string, CsvRow[]>>
  /** Its records, in pages. */
  recordsOf(tx: Transaction, accession: string): AsyncGenerator<CsvRow>
}

/** Lines that are copied at a time. */
const BATCH = 1_000
/** Records that a filing is given at a time. */
const PAGE = 2_000

/**
 * Reads the whole zip. To be called in a transaction that is committed before the lines are read.
 *
 * @throws Error naming the member, or the column of it, that is lacking, and for what is no zip or is cut short
 */
export async function stage(
  tx: Transaction,
  source: SetsSource,
  bytes: AsyncIterable<Uint8Array>,
  found: SetNotes,
): Promise<Staged> {
  const names = Object.keys(source.members)
  const memberOf = (file: string) => names.find((name) => baseName(file).toLowerCase() === `${name.toLowerCase()}.tsv`)
  const headers = new Map<string, CsvHeader>()
  const damaged = new Map<string, string>()
  await drop(tx)
  await tx.unsafe(`
    create unlogged table ${TABLE} (
      accession text collate "C", member smallint, position bigint, line integer, content text)`)
  const check = (files: readonly string[]) => {
    const lacking = names.filter((name) => !files.some((file) => memberOf(file) === name))
    if (lacking.length > 0) throw new Error(`lacks ${lacking.map((name) => `${name}.tsv`).join(', ')}`)
  }
  for await (const member of membersOf(bytes, check)) {
    const name = memberOf(member.name)
    if (name) {
      const lines = linesIn(source, name, member.bytes, { headers, damaged, found })
      await copy(tx, TABLE, ['accession', 'member', 'position', 'line', 'content'], batches(lines, names.indexOf(name)))
      continue
    }
    if (/\.tsv$/i.test(member.name)) unread(found, member.name)
    for await (const _ of member.bytes);
  }
  await tx.unsafe(`create unique index on ${TABLE} (accession, member, position, line)`)
  await tx.unsafe(`analyze ${TABLE}`)
  const at = (name: string) => names.indexOf(name)
  const rows = await tx.unsafe<(Omit<SetFiling, 'place'> & { first: number; line: number })[]>(`
    select accession, count(*)::int as lines, count(*) filter (where member = ${at(source.records)})::int as records,
      bool_or(member = ${at(source.head)}) as "hasHead", (array_agg(member order by member, line))[1] as first,
      (array_agg(line order by member, line))[1] as line
    from ${TABLE} group by accession order by accession`)
  const rowOf = (member: number, line: number, content: string) =>
    new CsvRow(headers.get(names[member]!)!, content.split('\t'), line)
  return {
    filings: rows.map(({ first, line, ...filing }) => ({ ...filing, place: `${names[first]}.tsv:${line}` })),
    headers,
    damaged,
    async linesOf(own, accession) {
      const lines = await own<{ member: number; line: number; content: string }[]>`
        select member, line, content from ${own(TABLE)}
        where accession = ${accession} and member <> ${at(source.records)} order by member, line`
      const byMember = Map.groupBy(lines, ({ member }) => names[member]!)
      return new Map(
        [...byMember].map(([name, all]) => [name, all.map((row) => rowOf(row.member, row.line, row.content))]),
      )
    },
    async *recordsOf(own, accession) {
      let [position, line] = ['-1', 0]
      for (;;) {
        const page = await own<{ position: string; line: number; content: string }[]>`
          select position, line, content from ${own(TABLE)}
          where accession = ${accession} and member = ${at(source.records)} and (position, line) > (${position}, ${line})
          order by position, line limit ${PAGE}`
        for (const row of page) yield rowOf(at(source.records), row.line, row.content)
        if (page.length < PAGE) return
        ;({ position, line } = page.at(-1)!)
      }
    },
  }
}

/** Removes the lines of the last set. */
export const drop = (tx: Transaction) => tx.unsafe(`drop table if exists ${TABLE}`)

const baseName = (file: string) => file.replace(/^.*[\\/]/, '')

interface Line {
  accession: string
  position: number
  number: number
  content: string
}

async function* batches(lines: AsyncIterable<Line>, member: number) {
  let batch: unknown[][] = []
  for await (const { accession, position, number, content } of lines) {
    batch.push([accession, member, position, number, content])
    if (batch.length < BATCH) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

async function* linesIn(
  { members, key, records, order }: SetsSource,
  member: string,
  bytes: AsyncIterable<Uint8Array>,
  { headers, damaged, found }: { headers: Map<string, CsvHeader>; damaged: Map<string, string>; found: SetNotes },
): AsyncGenerator<Line> {
  const file = `${member}.tsv`
  let header: CsvHeader | undefined
  let number = 0
  for await (const values of tsvLines(file, bytes)) {
    if (!header) {
      header = new CsvHeader(file, values)
      const lacking = members[member]!.filter((column) => header!.at(column) === undefined)
      if (lacking.length > 0) throw new Error(`${file} lacks the column ${lacking.join(', ')}`)
      headers.set(member, header)
      continue
    }
    number++
    if (values.length === 1 && values[0] === '') continue
    const row = new CsvRow(header, values, number)
    const accession = row.text(key)
    const place = `${file}:${number}`
    if (accession === null || !/^\d{10}-\d\d-\d{6}$/.test(accession)) {
      refuse(found, { place, key: accession, reason: 'has no accession number' })
      continue
    }
    if (values.length !== header.columns.length) {
      damaged.set(accession, `${place} has ${values.length} values for ${header.columns.length} columns`)
    }
    const position = member === records ? Math.max(0, row.integer(order) ?? 0) : 0
    yield { accession, position, number, content: values.join('\t') }
  }
  if (!header) throw new Error(`${file} is empty`)
}
