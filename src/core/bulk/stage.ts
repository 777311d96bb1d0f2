/** Rows of an edition on their way into a dataset's tables: copied to temporary tables first, then moved set by set. */
import type { BulkDataset } from '../dataset.ts'
import type { Transaction } from '../db.ts'
import { copy } from '../load.ts'
import { columnType, type RecordTable } from '../table.ts'
import type { Series } from './series.ts'

/**
 * From so many records on, statistics of what was written are made anew within the load: rollups that are made of it next
 * are planned by them, and half a million new rows taken for one cost minutes.
 */
export const ANALYZE_MIN = 10_000

/** Rows held per table before they are copied. */
const ROWS_MAX = 2_000

export interface Stage {
  /** @param record number of the record within the edition, so that of two with one key the right one is moved */
  add(record: number, rows: readonly (readonly [table: string, row: Record<string, unknown>])[]): Promise<void>
  /**
   * Replaces the rows of these records, and removes those of `gone`.
   *
   * @param records by key: which record of the edition stands
   */
  move(records: ReadonlyMap<string, number>, gone: readonly string[]): Promise<void>
}

/**
 * Opens temporary tables beside the dataset's, until the transaction ends.
 *
 * @param schema where the rows go: the dataset's own, or its shadow during a rebuild
 * @param series whose tables these are, and their constant columns
 */
export async function stage(
  tx: Transaction,
  dataset: BulkDataset,
  schema: string,
  { tables: own, scope = {} }: Pick<Series, 'tables' | 'scope'>,
): Promise<Stage> {
  const tables = own.map((key) => ({ key, ...waiting(dataset.tables[key]!) }))
  const byKey = new Map(tables.map((t) => [t.key, t]))
  let line = 0
  for (const { table: t, temporary } of tables) {
    await tx`drop table if exists pg_temp.${tx(temporary)}`
    await tx`
      create temporary table ${tx(temporary)} on commit drop as
      select ${tx(Object.keys(t.columns))}, 0 as staged_record, 0 as staged_line from ${tx(schema)}.${tx(t.name)} with no data`
  }

  async function flush(t: Waiting) {
    if (t.rows.length === 0) return
    await copy(tx, t.temporary, [...t.columns.map(({ name }) => name), 'staged_record', 'staged_line'], [t.rows])
    t.rows = []
  }

  return {
    async add(record, rows) {
      for (const [key, row] of rows) {
        const t = byKey.get(key)
        if (!t) throw new Error(`${key} is no table of the series`)
        const values = t.columns.map(({ name, isJson }) => {
          const value = name in scope ? scope[name] : row[name]
          return isJson && value !== null && value !== undefined ? JSON.stringify(value) : value
        })
        t.rows.push([...values, record, ++line])
        if (t.rows.length >= ROWS_MAX) await flush(t)
      }
    },
    async move(records, gone) {
      await tx`drop table if exists pg_temp.moving`
      await tx`create temporary table moving (key text collate "C" primary key, record integer) on commit drop`
      function* moving() {
        yield [...records]
        yield gone.map((key) => [key, null])
      }
      await copy(tx, 'moving', ['key', 'record'], moving())
      await tx`analyze moving`
      for (const t of tables) {
        await flush(t)
        await tx`analyze ${tx(t.temporary)}`
        await replace(tx, schema, t, scope)
        if (records.size >= ANALYZE_MIN) await tx`analyze ${tx(schema)}.${tx(t.table.name)}`
      }
    },
  }
}

interface Waiting {
  table: RecordTable
  temporary: string
  columns: readonly { name: string; isJson: boolean }[]
  rows: unknown[][]
}

function waiting(table: RecordTable): Waiting {
  const columns = Object.entries(table.columns).map(([name, type]) => ({
    name,
    isJson: columnType(type)!.kind === 'json',
  }))
  return { table, temporary: `staged_${table.name}`, columns, rows: [] }
}

/** A line that repeats a key (a FilingID twice in one file) replaces the one before it. */
async function replace(
  tx: Transaction,
  schema: string,
  { table: t, temporary }: Waiting,
  scope: Readonly<Record<string, string>>,
): Promise<void> {
  const target = tx`${tx(schema)}.${tx(t.name)}`
  const scoped = Object.entries(scope).reduce((all, [name, value]) => tx`${all} and t.${tx(name)} = ${value}`, tx``)
  await tx`delete from ${target} t using moving m where t.${tx(t.recordKey)} = m.key ${scoped}`
  const names = Object.keys(t.columns)
  const kept = t.primaryKey.filter((name) => name !== 'n')
  const order = tx`order by ${tx(kept)}, staged_line desc`
  const staged = tx`from ${tx(temporary)} s join moving m on m.key = s.${tx(t.recordKey)} and m.record = s.staged_record`
  if (t.numbered) {
    await tx`
      insert into ${target} (${tx(names)}, n)
      select ${tx(names)}, row_number() over (partition by ${tx(kept)} order by staged_line)::int ${staged}`
  } else {
    await tx`insert into ${target} (${tx(names)}) select distinct on (${tx(kept)}) ${tx(names)} ${staged} ${order}`
  }
}
