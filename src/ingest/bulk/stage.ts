/**
 * Moves the records of an edition into a dataset's tables. The records are copied to temporary tables as they are read,
 * compared there with the known records, and then moved by statements over many records. Only a limited number of
 * records is held in memory at a time, so an edition may have any number of records.
 */

import type { BulkDataset } from '../../declare/dataset.ts'
import { messageOf } from '../../declare/errors.ts'
import type { Series } from '../../declare/series.ts'
import type { Table } from '../../declare/table.ts'
import { excerpt } from '../../read/text.ts'
import { copy } from '../../store/copy.ts'
import type { Transaction } from '../../store/db.ts'
import { bisect } from '../bisect.ts'
import { deny, type Notes, noteProblems } from '../notes.ts'
import { outgoing, targetOf } from '../rows.ts'

/**
 * A load of at least this many records runs ANALYZE on the tables that it wrote. Without statistics, making the rollups
 * afterwards took minutes, because the planner expected one row instead of half a million.
 */
export const ANALYZE_MIN = 10_000

/**
 * Maximum size of the pieces that wait to be copied (as `size` of `Piece` states it), and maximum number of these
 * pieces.
 */
const PENDING_MAX = 2 * 1024 * 1024
const PENDING_RECORDS_MAX = 2_000

/** A record, or a line that is part of a record. */
export interface Piece {
  key: string
  version: string
  /** Digest of the whole record. Null for a line, since the record of a line is complete only after the last line. */
  digest: string | null
  /**
   * Number of the record within the edition; 0 for lines. If two records have the same key and version, the lower
   * number counts.
   */
  record: number
  /** The rows of the piece; empty if the record is already stored with the same content. */
  rows: readonly (readonly [table: string, row: Record<string, unknown>])[]
  /** Where the piece is: the file, and the record or line in this file. */
  place: string
  /** Length of the record's own bytes; without such bytes, the number of characters of its rows as JSON. */
  size: number
}

interface Into {
  /** The schema for the rows: the dataset's own, or its shadow during a rebuild. */
  schema: string
  /** The tables that belong to the series, and their constant columns. */
  series: Pick<Series, 'tables' | 'scope'>
  /** Collects the records that the database refuses. */
  found: Notes
}

/** Makes temporary tables with the columns of the dataset's tables. They exist until the transaction ends. */
export async function stage(tx: Transaction, dataset: BulkDataset, into: Into): Promise<Stage> {
  const staged = new Stage(tx, dataset, into)
  await staged.open()
  return staged
}

/**
 * Moves the records of one edition into the tables, within one transaction. Its state in memory is the pieces that wait
 * to be copied (`#pending`, `#size`), which `add` fills and empties. Everything else is in temporary tables.
 */
export class Stage {
  readonly #tx: Transaction
  readonly #schema: string
  readonly #found: Notes
  readonly #tables: readonly Table[]
  readonly #scope: Readonly<Record<string, string>>
  readonly #targets: ReadonlyMap<string, ReturnType<typeof targetOf>>
  #pending: Piece[] = []
  /** Sum of the sizes of the pieces that wait. */
  #size = 0

  constructor(tx: Transaction, dataset: BulkDataset, { schema, series: { tables, scope = {} }, found }: Into) {
    this.#tx = tx
    this.#schema = schema
    this.#found = found
    this.#scope = scope
    this.#tables = tables.map((key) => dataset.tables[key]!)
    const others = [...Object.keys(scope), 'staged_record']
    const targetFor = (t: Table) => targetOf(t, stagedName(t), others)
    this.#targets = new Map(tables.map((key, at) => [key, targetFor(this.#tables[at]!)]))
  }

  /** Makes the temporary tables. Must be called first, and once. */
  async open(): Promise<void> {
    const tx = this.#tx
    await tx`drop table if exists pg_temp.bulk_seen, pg_temp.bulk_standing`
    await tx`
      create temporary table bulk_seen (
        key text collate "C", version text collate "C", digest text collate "C", record integer) on commit drop`
    for (const t of this.#tables) {
      const staged = tx(stagedName(t))
      await tx`drop table if exists pg_temp.${staged}`
      await tx`
        create temporary table ${staged} on commit drop as
        select ${tx(Object.keys(t.columns))}, 0 as staged_record from ${tx(this.#schema)}.${tx(t.name)} with no data`
      await tx`alter table ${staged} add staged_line bigint generated always as identity`
    }
  }

  async add(piece: Piece): Promise<void> {
    const stranger = piece.rows.find(([key]) => !this.#targets.has(key))
    if (stranger) throw new Error(`${stranger[0]} is not a table of the series`)
    this.#pending.push(piece)
    this.#size += piece.size
    if (this.#size >= PENDING_MAX || this.#pending.length >= PENDING_RECORDS_MAX) await this.#flush()
  }

  /**
   * Fills the temporary table bulk_standing with `key`, `digest` and `record` of each record in its final state. If
   * several records have the same key, the newest version counts, and among equal versions the first. If records of
   * equal version differ in content, the key is noted as a problem.
   *
   * @param digests the digests of records that are made of lines
   * @returns how many records there are
   */
  async stand(digests: ReadonlyMap<string, string>): Promise<number> {
    const tx = this.#tx
    await this.#flush()
    await copy(tx, 'bulk_seen', ['key', 'version', 'digest', 'record'], lines(digests))
    await tx`
      create temporary table bulk_standing on commit drop as
      select distinct on (key) key, version, digest, record from bulk_seen order by key, version desc, record`
    await tx`create unique index on bulk_standing (key)`
    await tx`analyze bulk_standing`
    const [count] = await tx<{ n: number; seen: number }[]>`
      select count(*)::int as n, (select count(*)::int from bulk_seen) as seen from bulk_standing`
    if (count!.seen > count!.n) await this.#noteRepeated()
    return count!.n
  }

  /** Records a problem for each key of which several records have the newest version but differ in content. */
  async #noteRepeated(): Promise<void> {
    const repeated = this.#tx<{ key: string; others: number }[]>`
      select key, count(*)::int as others from bulk_seen s join bulk_standing t using (key, version)
      where s.digest <> t.digest group by key order by key`
    for await (const some of repeated.cursor(1_000)) {
      noteProblems(
        this.#found,
        some.map(({ key, others }) => ({
          path: excerpt(key),
          value: `${others + 1} records`,
          reason: 'these records have the same key and differ; the first one is kept',
        })),
      )
    }
  }

  /**
   * Replaces the rows of the records in the temporary table bulk_touched. This table has the columns `n` (from 1,
   * without a gap), `key` and `record`. A record that the database refuses is noted and removed from that table; its
   * former rows stay.
   *
   * @param count number of rows of bulk_touched
   */
  async move(count: number): Promise<void> {
    const tx = this.#tx
    await tx`create unique index on bulk_touched (n)`
    await tx`analyze bulk_touched`
    for (const t of this.#tables) await tx`analyze ${tx(stagedName(t))}`
    const refused: { n: number; error: unknown }[] = []
    await bisect(
      tx,
      Array.from({ length: count }, (_, index) => index + 1),
      async (sp, some) => {
        for (const t of this.#tables) await replace(sp, this.#schema, t, this.#scope, some[0]!, some.at(-1)!)
      },
      (n, error) => void refused.push({ n, error }),
    )
    for (const { n, error } of refused) {
      const [row] = await tx<{ key: string }[]>`delete from bulk_touched where n = ${n} returning key`
      deny(this.#found, { place: `record ${row!.key}`, key: row!.key, reason: messageOf(error) })
    }
    if (count >= ANALYZE_MIN) for (const t of this.#tables) await tx`analyze ${tx(this.#schema)}.${tx(t.name)}`
  }

  /** Removes the rows of the records in the temporary table bulk_gone. */
  async remove(): Promise<void> {
    const tx = this.#tx
    for (const t of this.#tables) {
      await tx`
        delete from ${tx(this.#schema)}.${tx(t.name)} t using bulk_gone g
        where t.${tx(t.record)} = g.key ${scoped(tx, this.#scope)}`
    }
  }

  async #flush(): Promise<void> {
    const pieces = this.#pending
    this.#pending = []
    this.#size = 0
    await bisect(
      this.#tx,
      pieces,
      (sp, some) => this.#copyAll(sp, some),
      ({ place, key }, error) => deny(this.#found, { place, key, reason: messageOf(error) }),
    )
  }

  async #copyAll(sp: Transaction, pieces: readonly Piece[]): Promise<void> {
    const whole = pieces.filter(({ digest }) => digest !== null)
    const seen = whole.map(({ key, version, digest, record }) => [key, version, digest, record])
    await copy(sp, 'bulk_seen', ['key', 'version', 'digest', 'record'], [seen])
    await outgoing(sp, async (out) => {
      for (const { rows, record } of pieces) {
        const added = { ...this.#scope, staged_record: record }
        for (const [key, row] of rows) out.add(this.#targets.get(key)!, row, added)
        if (out.isFull) await out.send()
      }
    })
  }
}

function* lines(digests: ReadonlyMap<string, string>) {
  for (const [key, digest] of digests) yield [[key, '', digest, 0]]
}

/**
 * Names the temporary table with the staged rows of a table. Its columns `staged_record` and `staged_line` number the
 * records and the rows.
 */
export const stagedName = ({ name }: Table) => `staged_${name}`

/** SQL condition that begins with `and`: row `t` belongs to the series. */
export const scoped = (tx: Transaction, scope: Readonly<Record<string, string>>) =>
  Object.entries(scope).reduce((all, [name, value]) => tx`${all} and t.${tx(name)} = ${value}`, tx``)

/** Moves the rows. If a line repeats a key (a FilingID twice in one file), the last line counts. */
async function replace(
  tx: Transaction,
  schema: string,
  t: Table,
  scope: Readonly<Record<string, string>>,
  first: number,
  last: number,
): Promise<void> {
  const target = tx`${tx(schema)}.${tx(t.name)}`
  // These names differ from the names of all columns that a table may have.
  const touched = tx`
    (select key as touched_key, record as touched_record from bulk_touched where n between ${first} and ${last}) m`
  await tx`delete from ${target} t using ${touched} where t.${tx(t.record)} = touched_key ${scoped(tx, scope)}`
  const names = Object.keys(t.columns)
  const kept = t.primaryKey.filter((name) => name !== 'n')
  const order = tx`order by ${tx(kept)}, staged_line desc`
  const staged = tx`
    from ${tx(stagedName(t))} s join ${touched} on touched_key = s.${tx(t.record)} and touched_record = s.staged_record`
  if (t.numbered) {
    await tx`
      insert into ${target} (${tx(names)}, n)
      select ${tx(names)}, row_number() over (partition by ${tx(kept)} order by staged_line)::int ${staged}`
  } else {
    await tx`insert into ${target} (${tx(names)}) select distinct on (${tx(kept)}) ${tx(names)} ${staged} ${order}`
  }
}
