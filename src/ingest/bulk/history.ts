/**
 * The table bulk.history: the past and present values of the columns for which a series of snapshots declares a
 * history.
 */
import type { BulkDataset } from '../../declare/dataset.ts'
import type { Series } from '../../declare/series.ts'
import type { Sql, Transaction } from '../../store/db.ts'
import { stagedName } from './stage.ts'

/** A staged edition whose values are entered into the history. */
interface StagedEdition {
  series: string
  /** The edition's day. */
  day: string
  /** Temporary table with `key` and `record` of the staged records whose values are entered. */
  records: 'bulk_standing' | 'bulk_touched'
}

const remembersOf = (series: Series) => (series.format === 'xml' ? series.remembers : undefined)

/**
 * Whether a series declares columns with a history but has no history yet, as in a database that is older than
 * bulk.history.
 */
export async function lacksHistory(tx: Sql | Transaction, name: string, series: Series): Promise<boolean> {
  if (!remembersOf(series)) return false
  const [row] = await tx<{ lacks: boolean }[]>`
    select exists (select from bulk.record where series = ${name})
      and not exists (select from bulk.history where series = ${name}) as lacks`
  return row!.lacks
}

/**
 * Enters the values of an edition. If a value differs from the current value, the current value ends on the edition's
 * day. Editions must be entered in the order of their days; an edition that is entered again corrects its own values.
 *
 * @param edition its `records` must include all records that differ from the edition before it
 */
export async function remember(tx: Transaction, dataset: BulkDataset, edition: StagedEdition): Promise<void> {
  const { series, day } = edition
  if (!(await enter(tx, dataset, edition))) return
  await tx`
    update bulk.history h set to_day = ${day} from remembering r
    where h.series = ${series} and h.key = r.key and h.field = r.field and h.to_day is null and h.from_day < ${day}
      and h.value is distinct from r.value`
  await standing(tx, series, day)
}

/**
 * Enters the values that a rebuild reads. The values are from the edition that holds the records. If the parser now
 * reads a value differently, the value is corrected and no new value is added.
 */
export async function correct(tx: Transaction, dataset: BulkDataset, edition: StagedEdition): Promise<void> {
  if (await enter(tx, dataset, edition)) await standing(tx, edition.series, edition.day)
}

/** Fills the temporary table `remembering`; returns false if there is nothing to remember. */
async function enter(
  tx: Transaction,
  { source, tables }: BulkDataset,
  { series, records }: StagedEdition,
): Promise<boolean> {
  const remembers = remembersOf(source.series[series]!)
  if (!remembers) return false
  const table = tables[remembers.table]!
  await tx`drop table if exists pg_temp.remembering`
  await tx`
    create temporary table remembering (key text collate "C", field text collate "C", value text collate "C")
    on commit drop`
  let count = 0
  for (const column of remembers.columns) {
    const entered = await tx`
      insert into remembering
      select r.key, ${column}, s.${tx(column)}
      from ${tx(records)} r join ${tx(stagedName(table))} s on s.${tx(table.record)} = r.key and s.staged_record = r.record`
    count += entered.count
  }
  if (count === 0) return false
  await tx`analyze remembering`
  return true
}

/**
 * Makes each entered value the current value of its record and column. A value without a predecessor begins on this
 * day. Then joins adjacent periods with equal values.
 */
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
