import type postgres from '#postgres'
import type { Transaction } from '../../store/db.ts'

type Where = postgres.PendingQuery<postgres.Row[]>

/**
 * Inserts stints of the people whose registrations `only` selects (`r` is an alias of registration).
 *
 * - Registrations with one firm that overlap, touch, or lie a day apart are one stint. A renewal, another state or a
 *   new form of registration does not end a stint. A new name of the firm does not end it either, since the firm keeps
 *   its number.
 * - A person who is gone from the feed left the firm on the day of the first edition without that person.
 * - A day is treated as unknown if it is after the day of the edition that contains it.
 * - A former registration that lacks a day is used only if the person has no complete registration with that firm. A
 *   current registration without its first day is used only if the person has no complete current registration with
 *   that firm. The stint then has only the known days.
 */
export async function insertStints(tx: Transaction, only: Where): Promise<void> {
  await tx`
    insert into stint (indvl_pk, n, org_pk, org_nm, start_date, end_date, is_current)
    with said as (
      select r.indvl_pk, r.n, r.org_pk, r.org_nm,
        case when r.begin_date <= coalesce(f.changed_day, r.begin_date) then r.begin_date end as begins,
        case when not r.is_current then case when r.end_date <= coalesce(f.changed_day, r.end_date) then r.end_date end
          else f.gone_day end as ends,
        r.is_current and f.gone_day is null as is_current
      from registration r
      left join bulk.record f on f.series = 'IA_INDVL' and f.key = r.indvl_pk
      where r.org_pk is not null and ${only}
    ),
    weighed as (
      select *, begins is not null and (is_current or ends is not null) as is_whole,
        bool_or(begins is not null and (is_current or ends is not null)) over firm as has_whole,
        bool_or(begins is not null and is_current) over firm as has_whole_current
      from said
      window firm as (
        partition by indvl_pk, org_pk order by begins nulls last rows between unbounded preceding and unbounded following)
    ),
    opened as (
      select *, begins > 1 + max(case when is_current then 'infinity' else ends end) over (
        partition by indvl_pk, org_pk order by begins nulls last rows between unbounded preceding and 1 preceding) as opens
      from weighed where is_whole
    ),
    parts as (
      select indvl_pk, org_pk, org_nm, n, begins, ends, is_current,
        count(*) filter (where opens) over (
          partition by indvl_pk, org_pk order by begins nulls last rows unbounded preceding) as part
      from opened
      union all
      select indvl_pk, org_pk, org_nm, n, begins, ends, is_current, case when is_current then -1 else -2 end
      from weighed where not is_whole and case when is_current then not has_whole_current else not has_whole end
    ),
    stints as (
      select indvl_pk, org_pk, min(begins) as start_date, bool_or(is_current) as is_current,
        case when not bool_or(is_current) then max(ends) end as end_date,
        (array_agg(org_nm order by is_current desc, begins desc nulls last, n) filter (where org_nm is not null))[1] as org_nm
      from parts group by indvl_pk, org_pk, part
    )
    select indvl_pk,
      row_number() over (partition by indvl_pk order by start_date nulls first, end_date, org_pk, is_current),
      org_pk, org_nm, start_date,
      -- A stint joined from incomplete parts may begin again after its last known end. Then its end is unknown.
      case when end_date >= coalesce(start_date, end_date) then end_date end, is_current
    from stints`
}
