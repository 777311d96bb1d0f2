/** bulk.history: what the records of a snapshot said over time, of the columns that its series remembers. */
import type { Transaction } from '../db.ts'
import { copy } from '../load.ts'
import type { Fragment } from './read.ts'
import type { Series } from './series.ts'

/** Values of a record in the order of the remembered columns. */
export type Values = readonly (string | null)[]

/** Columns whose values are kept; none of a series that remembers nothing. */
const columnsOf = (series: Series): readonly string[] =>
  series.format === 'xml' ? (series.remembers?.columns ?? []) : []

/**
 * Collects what is remembered of the records of an edition while they are staged.
 *
 * @returns `add` for the rows of a record by its number, and their values by that number
 */
export function collecting(series: Series, add: (record: number, rows: Fragment['rows']) => Promise<void>) {
  const values = new Map<number, Values>()
  const columns = columnsOf(series)
  const table = series.format === 'xml' ? series.remembers?.table : undefined
  return {
    values,
    add: (record: number, rows: Fragment['rows']) => {
      const row = columns.length > 0 && rows.find(([name]) => name === table)?.[1]
      if (row) values.set(record, columns.map((column) => (row[column] as string | null | undefined) ?? null)) // biome-ignore format: one line
      return add(record, rows)
    },
  }
}

/** The pair of a record of which something is remembered; none of another. */
export const pairOf = (key: string, values: Values | undefined): (readonly [string, Values])[] =>
  values ? [[key, values]] : []

/** Whether a series remembers something and nothing is kept yet, as in a database that is older than bulk.history. */
export async function lacksHistory(tx: Transaction, name: string, series: Series): Promise<boolean> {
  if (columnsOf(series).length === 0) return false
  const [row] = await tx<{ lacks: boolean }[]>`
    select exists (select from bulk.record where series = ${name})
      and not exists (select from bulk.history where series = ${name}) as lacks`
  return row!.lacks
}

/**
 * Enters what an edition says: a value that differs from the one before it ends that one on the edition's day. Editions
 * come in the order of their days; one that comes again corrects what it said.
 *
 * @param records values by key, of those records at least that differ from the edition before
 */
export async function remember(
  tx: Transaction,
  { name, series, day }: { name: string; series: Series; day: string },
  records: Iterable<readonly [key: string, values: Values]>,
): Promise<void> {
  if (!(await enter(tx, series, records))) return
  await tx`
    update bulk.history h set to_day = ${day} from remembering r
    where h.series = ${name} and h.key = r.key and h.field = r.field and h.to_day is null and h.from_day < ${day}
      and h.value is distinct from r.value`
  await standing(tx, name, day)
}

/**
 * Enters what the edition in which records stand is read to say today: with another parser that is a correction, and no
 * new value.
 */
export async function correct(
  tx: Transaction,
  { name, series, day }: { name: string; series: Series; day: string },
  records: Iterable<readonly [key: string, values: Values]>,
): Promise<void> {
  if (await enter(tx, series, records)) await standing(tx, name, day)
}

/** Fills the temporary table `remembering`; false where there is nothing to remember. */
async function enter(
  tx: Transaction,
  series: Series,
  records: Iterable<readonly [key: string, values: Values]>,
): Promise<boolean> {
  const columns = columnsOf(series)
  if (columns.length === 0) return false
  await tx`drop table if exists pg_temp.remembering`
  await tx`
    create temporary table remembering (key text collate "C", field text collate "C", value text collate "C")
    on commit drop`
  const rows = [...records].flatMap(([key, values]) => columns.map((field, at) => [key, field, values[at] ?? null]))
  if (rows.length === 0) return false
  await copy(tx, 'remembering', ['key', 'field', 'value'], [rows])
  await tx`analyze remembering`
  return true
}

/** Makes what is entered the value that stands, from this day on where none does; then joins equal neighbours. */
async function standing(tx: Transaction, name: string, day: string): Promise<void> {
  await tx`
    update bulk.history h set value = r.value from remembering r
    where h.series = ${name} and h.key = r.key and h.field = r.field and h.to_day is null
      and h.value is distinct from r.value`
  await tx`
    insert into bulk.history (series, key, field, value, from_day)
    select ${name}, key, field, value, ${day} from remembering r
    where not exists (
      select from bulk.history h
      where h.series = ${name} and h.key = r.key and h.field = r.field and h.to_day is null)`
  await tx`
    with twice as (
      delete from bulk.history h using remembering r, bulk.history before
      where h.series = ${name} and h.key = r.key and h.field = r.field and h.to_day is null
        and before.series = h.series and before.key = h.key and before.field = h.field
        and before.to_day = h.from_day and before.value is not distinct from h.value
      returning before.series, before.key, before.field, before.from_day
    )
    update bulk.history h set to_day = null from twice
    where h.series = twice.series and h.key = twice.key and h.field = twice.field and h.from_day = twice.from_day`
}
