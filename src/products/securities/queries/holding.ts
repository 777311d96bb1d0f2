/**
 * Maintains and queries `holding` and `change_count`: what each holder held at the end of its newest quarter, with the
 * change since the quarter before. A row depends on the reports of its holder alone. So the refresh after a report
 * reads the lines of this holder in two quarters. The number of other holders and of loaded quarters does not matter.
 */
import { quarterBefore } from '../../../declare/quarter.ts'
import type { Fragment, Sql, Transaction } from '../../../store/db.ts'
import { dropIndexes, makeIndexes } from '../../../store/indexes.ts'
import { CHANGES, type Report, SOURCES, type Source } from '../sources.ts'
import { compared } from './compared.ts'
import { HELD } from './held.ts'

/**
 * A move of the window in which a holder's newest report is used (`WINDOW_MONTHS`). `before` and `now` are the last
 * days of the oldest quarter of the window, before and after the move.
 */
export interface SpanMove {
  source: Source
  before: string
  now: string
}

export interface ChangedHoldings {
  reportsOf: (source: Source) => readonly Report[]
  moves: readonly SpanMove[]
}

/** Makes the rows of the holders with these reports, or all rows. */
export async function makeHoldings(tx: Transaction, changed: ChangedHoldings | null): Promise<void> {
  // `asked_holder` has the holders of a statement, `made_holding` the rows of the holders in `touched_holder`, and
  // `moved_holding` how many rows were deleted and inserted, for the counts.
  await tx`
    create temporary table if not exists touched_holder (holder_id text collate "C" primary key, quarter date) on commit drop`
  await tx`
    create temporary table if not exists asked_holder (holder_id text collate "C" primary key) on commit drop`
  await tx`create temporary table if not exists made_holding (like holding) on commit drop`
  await tx`
    create temporary table if not exists moved_holding (sec_id text collate "C", source text collate "C", quarter date,
      change text collate "C", is_held boolean, moved integer) on commit drop`
  await tx`truncate moved_holding`
  if (changed === null) return makeAll(tx)
  for (const source of SOURCES) {
    if (affects(changed, source) && (await touch(tx, touched(tx, source, changed)))) await replace(tx, source)
  }
  await count(tx)
}

/**
 * Makes all rows. Rows that stay the same are not written: this may run because another slice was made again, with the
 * same rows. If the table is empty, all rows are inserted. If also no other session can read the table, because it is in
 * the shadow of a rebuild, its index is built after the rows, in half the time.
 */
async function makeAll(tx: Transaction): Promise<void> {
  const [{ isEmpty, isShadow }] = await tx<[{ isEmpty: boolean; isShadow: boolean }]>`
    select not exists (select from holding) as "isEmpty", current_schema() <> 'securities' as "isShadow"`
  const indexes = isEmpty && isShadow ? await dropIndexes(tx, ['holding']) : []
  const target = isEmpty ? tx`holding` : tx`made_holding`
  await tx`truncate made_holding`
  for (const source of SOURCES) {
    if (!(await touch(tx, current(tx, source)))) continue
    await insert(tx, source, (rows) => tx`insert into ${target} ${rows}`)
  }
  if (!isEmpty) {
    await tx`analyze made_holding`
    await tx`delete from holding h where not exists (select from made_holding m where ${isSame(tx)} and m *= h)`
    await tx`insert into holding ${added(tx)}`
  }
  await makeIndexes(tx, indexes)
  await countAll(tx)
}

/** Fills `touched_holder`. @returns whether there are any holders */
async function touch(tx: Transaction, holders: Fragment): Promise<boolean> {
  await tx`truncate touched_holder`
  const { count: touched } = await tx`insert into touched_holder ${holders}`
  if (touched > 0) await tx`analyze touched_holder`
  return touched > 0
}

const affects = ({ reportsOf, moves }: ChangedHoldings, source: Source): boolean =>
  reportsOf(source).length > 0 || moves.some((each) => each.source === source)

/** Selects the holders whose newest quarter is in the window (`WINDOW_MONTHS`). */
const current = (tx: Transaction, source: Source) => tx`
  select h.holder, h.quarter from holder h join span s using (source) where h.source = ${source} and h.quarter >= s.since`

/**
 * Selects holders with a changed report of one of the quarters that are compared: the newest and the one before. The
 * quarter is null for a holder whose newest report is too old. A report of an older quarter changes no row.
 */
function touched(tx: Transaction, source: Source, { reportsOf, moves }: ChangedHoldings): Fragment {
  const reports = reportsOf(source)
  const moved = moves.find((each) => each.source === source)
  // Each holder is looked up by a subquery, because a join would read all holders of the source.
  return tx`
    select t.holder_id, (select h.quarter from (${current(tx, source)}) h where h.holder = t.holder_id)
    from (
      select r.holder_id
      from (
        select holder_id, max(quarter) as quarter
        from unnest(${reports.map(({ id }) => id)}::text[], ${reports.map(({ quarter }) => quarter)}::date[]) r (holder_id, quarter)
        group by holder_id
      ) r
      where not coalesce(r.quarter < (
        select (date_trunc('quarter', quarter) - interval '1 day')::date from holder
        where source = ${source} and holder = r.holder_id
      ), false)
      ${moved ? enteredOrLeft(tx, moved) : tx``}
    ) t`
}

/** Adds the holders whose newest quarter entered or left the window, because the window has moved. */
const enteredOrLeft = (tx: Transaction, { source, before, now }: SpanMove) => tx`
  union
  select holder from holder
  where source = ${source} and quarter >= least(${before}::date, ${now}::date) and quarter < greatest(${before}::date, ${now}::date)`

/**
 * Replaces the rows of the holders in `touched_holder`. Rows that stay the same are not written: most amendments change
 * few rows, and each written row costs an entry in two indexes. If none of the holders has rows yet, the new rows are
 * inserted without a comparison.
 */
async function replace(tx: Transaction, source: Source): Promise<void> {
  const [known] = await tx`
    select from touched_holder t
    where exists (select from holding h where h.source = ${source} and h.holder_id = t.holder_id) limit 1`
  if (!known) return insert(tx, source, (rows) => come(tx, source, rows))
  await tx`truncate made_holding`
  await insert(tx, source, (rows) => tx`insert into made_holding ${rows}`)
  await tx`analyze made_holding`
  // Rows are compared by their bytes, since 1.0 equals 1.00 but is shown differently.
  await tx`
    with gone as (
      delete from holding h using touched_holder t
      where h.source = ${source} and h.holder_id = t.holder_id and not exists (
        select from made_holding m where ${isSame(tx)} and m *= h)
      returning h.sec_id, h.quarter, h.change, h.accession is not null as is_held
    )
    insert into moved_holding select sec_id, ${source}, quarter, change, is_held, -1 from gone`
  await tx`${come(tx, source, added(tx))}`
}

/** Selects the rows of `made_holding` that `holding` lacks. */
const added = (tx: Transaction) => tx`
  select m.* from made_holding m where not exists (select from holding h where ${isSame(tx)})`

/**
 * Inserts rows, and records in `moved_holding` what `count` needs to know about them. @param rows in the order of the
 * columns of `holding`
 */
const come = (tx: Transaction, source: Source, rows: Fragment): Fragment => tx`
  with come as (
    insert into holding ${rows} returning sec_id, quarter, change, accession is not null as is_held
  )
  insert into moved_holding
  select sec_id, ${source}, quarter, change, is_held, count(*)::int from come group by sec_id, quarter, change, is_held`

const isSame = (tx: Transaction) => tx`(m.source, m.holder_id, m.sec_id) = (h.source, h.holder_id, h.sec_id)`

/** Inserts the rows of the holders in `touched_holder`. A statement names its two quarters, see quarters.ts. */
async function insert(tx: Transaction, source: Source, into: (rows: Fragment) => Fragment): Promise<void> {
  const newest = await tx<{ quarter: string }[]>`
    select distinct quarter from touched_holder where quarter is not null`
  const from = HELD[source]
  for (const { quarter } of newest) {
    const before = quarterBefore(quarter)
    await tx`truncate asked_holder`
    await tx`insert into asked_holder select holder_id from touched_holder where quarter = ${quarter}`
    await tx`analyze asked_holder`
    const reporters = (of: string) => tx`h.holder_id in (select holder_id from ${from.reportersOf(tx, of)} r)`
    await into(tx`
      (source, holder_id, quarter, sec_id, value, shares, principal, option_value, percent, period,
        accession, change, amount_change, amount_before, value_before, accession_before)
      select ${source}, holder_id, ${quarter}, c.sec_id, c.value, c.shares, c.principal, c.option_value,
        c.percent, c.period, c.accession, c.change, c.amount_change, c.amount_before, c.value_before, c.accession_before
      from ${compared(tx, {
        now: from.linesOf(tx, quarter),
        before: from.linesOf(tx, before),
        isReported: { now: reporters(quarter), before: reporters(before) },
      })} c
      join asked_holder o using (holder_id)`)
  }
}

/** Columns of `change_count`, each with the condition of the rows that it counts. */
const COUNTED = [
  ['holder_count', 'is_held'],
  ...CHANGES.map((change) => [`${change}_count`, `change = '${change}'`] as const),
  ['not_compared_count', 'change is null'],
] as const
const COLUMNS = COUNTED.map(([column]) => column).join(', ')
const SUMS = COUNTED.map(([column, of]) => `coalesce(sum(moved) filter (where ${of}), 0)::int as ${column}`).join(', ')

async function countAll(tx: Transaction): Promise<void> {
  await tx`delete from change_count`
  await tx`
    insert into change_count (sec_id, source, quarter, ${tx.unsafe(COLUMNS)})
    select sec_id, source, quarter, ${tx.unsafe(SUMS)}
    from (select sec_id, source, quarter, change, accession is not null as is_held, 1 as moved from holding) h
    group by sec_id, source, quarter`
}

/**
 * Adds the inserted rows to the counts, and subtracts the deleted rows. A deleted row was counted when it was inserted,
 * so the counts stay exact although the other holders of the securities are not read.
 */
async function count(tx: Transaction): Promise<void> {
  await tx`
    insert into change_count as c (sec_id, source, quarter, ${tx.unsafe(COLUMNS)})
    select * from (
      select sec_id, source, quarter, ${tx.unsafe(SUMS)} from moved_holding group by sec_id, source, quarter
    ) m
    where (${tx.unsafe(COLUMNS)}) <> (${tx.unsafe(COUNTED.map(() => '0').join(', '))})
    on conflict (sec_id, source, quarter) do update
    set ${tx.unsafe(COUNTED.map(([column]) => `${column} = c.${column} + excluded.${column}`).join(', '))}`
  await tx`
    delete from change_count c using (select distinct sec_id, source, quarter from moved_holding) m
    where c.sec_id = m.sec_id and c.source = m.source and c.quarter = m.quarter and holder_count + closed_count = 0`
}

/**
 * Relation of the largest present holders of a security. Holders differ in their newest quarter. So for each quarter
 * that is the newest of some holder, reads the rows with the largest values, at most as many as the limit.
 */
export const newestHoldings = (sql: Sql, id: string, source: Source, limit: number): Fragment => sql`(
  select h.* from securities.change_count c
  cross join lateral (
    select holder_id, value, shares, principal, option_value, percent, period, accession from securities.holding
    where sec_id = c.sec_id and source = c.source and quarter = c.quarter and accession is not null
    order by value desc nulls last, holder_id limit least(${limit}, c.holder_count)
  ) h
  where c.sec_id = ${id} and c.source = ${source} and c.holder_count > 0
  order by h.value desc nulls last, h.holder_id limit ${limit})`
