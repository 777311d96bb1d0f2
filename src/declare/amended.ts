/**
 * Filings that a later filing amends. A slice whose filings can be amended publishes them as the view
 * `pub.<slug>_amended`.
 */
import type { Fragment, Sql } from '../store/db.ts'
import { accession, texts } from './column.ts'
import { choice } from './route.ts'
import type { View } from './view.ts'

const MEANING =
  'Accessions of the filings that certainly amend the filing of this row, directly or through another amendment, newest first. They restate this row, so do not add up its amounts and theirs. Empty if no such filing is known'

/** The column of every list and export with rows that an amendment can replace. */
export const amendedBy = texts(MEANING)

/** The parameter of a list whose rows a later filing can replace. */
export const amendedRows = choice(
  ['all', 'latest'],
  'all: every row; amended_by marks the rows that a later filing restates. latest: leaves out a restated row if the later filing meets the filters by form and by date. The other filters of the request are not applied to the later filing. With latest, exact counts and counts by a field test each row. This takes too long (503) for more than a few hundred thousand rows',
).default('all')

export const amendedColumns = { accession: accession('The filing that is amended'), amended_by: amendedBy }

/** Returns the view with which a slice publishes its amended filings; undefined if the slice has none. */
export const amendedOf = (slug: string, views: readonly View[]): View | undefined =>
  views.find(({ id }) => id === `pub.${slug}_amended`)

/** SQL of the column `amended_by` for a row of `filing`, the alias of a relation with an accession. */
export const amendedSql = ({ id }: View, filing: string) =>
  `coalesce((select m.amended_by from ${id} m where m.accession = ${filing}.accession), '{}')`

/**
 * SQL that is true for a row `t` that no later filing replaces. This SQL is evaluated for each row that a list reads.
 * With `not exists` instead, the planner would join the whole view. The planner expects `is distinct from` to be true
 * for nearly every row, which is correct.
 *
 * @param isReplaced condition on `m`, the row of the view
 */
export const keptSql = (sql: Sql, { id }: View, isReplaced: Fragment): Fragment =>
  sql`(select m.accession from ${sql.unsafe(id)} m where m.accession = t.accession and ${isReplaced}) is distinct from t.accession`

/**
 * SQL that is true for a row `m` of the view if the condition is true for at least one of its amendments. In the
 * condition, the alias of the amendment is `a`, and its only column is `accession`.
 */
export const anyAmendment = (sql: Sql, condition: Fragment): Fragment =>
  sql`exists (select from unnest(m.amended_by) a (accession) where ${condition})`

/**
 * SQL of an `_amended` view for forms whose amendments name no accession and repeat the whole report. Such an amendment
 * replaces the earlier filings about the same thing.
 *
 * @param is.same condition that the filings `a` and `r` are about the same thing
 * @param is.amends returns the condition that the filing with a given alias is an amendment that replaces an earlier
 *   filing
 */
export const amendsSame = (table: string, is: { same: string; amends: (filing: string) => string }) => `
select r.accession, m.amended_by
from ${table} r cross join lateral (
  select array_agg(a.accession order by a.filed_date desc, a.accession desc) as amended_by
  from ${table} a
  where ${is.same} and ${is.amends('a')} and a.accession <> r.accession
    and case when ${is.amends('r')} then (a.filed_date, a.accession) > (r.filed_date, r.accession)
      else a.filed_date >= r.filed_date end
) m
where m.amended_by is not null`

/**
 * SQL of an `_amended` view for forms whose amendments name an accession. The named accession is that of the first
 * filing, or of an earlier amendment.
 */
export const amendsNamed = (table: string) => `
select r.accession, m.amended_by
from ${table} r cross join lateral (
  -- An accession that is not held is followed too: amendments that name the same one belong together.
  with recursive linked(accession) as (
    select r.accession
    union
    select a.accession
    from linked cross join lateral (
      select previous_accession as accession from ${table}
      where accession = linked.accession and previous_accession is not null
      union all
      select accession from ${table} where previous_accession = linked.accession
    ) a
  )
  select array_agg(d.accession order by d.filed_date desc, d.accession desc) as amended_by
  -- One lookup for each linked filing. With a join, a small table would be read whole for each row.
  from linked cross join lateral (
    select accession, filed_date, is_amendment from ${table} where accession = linked.accession limit 1
  ) d
  where d.is_amendment and d.accession <> r.accession
    and (r.is_amendment is not true or (d.filed_date, d.accession) > (r.filed_date, r.accession))
) m
-- One lookup decides for first filings without amendments, which most are: they need no recursion. With EXISTS it could
-- be a hash of the whole table.
where (r.previous_accession is not null or (select true from ${table} a where a.previous_accession = r.accession limit 1))
  and m.amended_by is not null`
