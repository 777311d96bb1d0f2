import type { Sql } from '../../store/db.ts'
import type { Headcount, Movements, RepFlows } from './answers.ts'

/** Maximum number of moves of one direction in an answer. */
const RECENT_MAX = 100

/** Selects a firm of the adviser register or of the individual feed; selects no row for any other number. */
const known = (sql: Sql, crd: string) => sql`
  select ${crd}::text as crd
  where exists (select from reps.firm where org_pk = ${crd}) or exists (select from pub.adv_adviser where crd = ${crd})`

/** Returns arrivals at a firm and departures from it; null for an unknown firm. */
export async function repFlows(sql: Sql, crd: string, includeBulk: boolean): Promise<RepFlows | null> {
  const recent = (direction: 'in' | 'out') => sql`
    (select coalesce(json_agg(json_build_object(
        'indvl_pk', m.indvl_pk, 'first_nm', p.first_nm, 'last_nm', p.last_nm,
        'other_org_pk', m.other_org_pk, 'other_org_nm', m.other_org_nm, 'move_date', m.move_date,
        'is_bulk', m.is_bulk, 'bulk_reason', m.bulk_reason) order by m.move_date desc, m.indvl_pk), '[]')
      from (
        select m.* from (values (false), (true)) wanted(is_bulk)
        cross join lateral (
          select * from reps.move m
          where m.org_pk = ${crd} and m.direction = ${direction} and m.is_bulk = wanted.is_bulk
          order by m.move_date desc, m.indvl_pk limit ${RECENT_MAX}
        ) m
        where not wanted.is_bulk or ${includeBulk}
        order by m.move_date desc, m.indvl_pk limit ${RECENT_MAX}
      ) m join reps.person p using (indvl_pk))`
  const [row] = await sql<[RepFlows?]>`
    with f as (
      select crd, coalesce(bulk_gained, 0) as bulk_gained, coalesce(bulk_lost, 0) as bulk_lost,
        coalesce(gained + wanted * bulk_gained, 0) as gained,
        coalesce(from_firms + wanted * bulk_from_firms, 0) as from_firms,
        coalesce(new_to_industry, 0) as new_to_industry,
        coalesce(lost + wanted * bulk_lost, 0) as lost,
        coalesce(to_firms + wanted * bulk_to_firms, 0) as to_firms,
        coalesce(left_industry, 0) as left_industry,
        by_year, wanted
      from (${known(sql, crd)}) known
      cross join (select ${includeBulk ? 1 : 0}::int as wanted) flag
      left join reps.firm on org_pk = crd
    )
    select crd,
      json_build_object(
        'gained', gained, 'lost', lost, 'net', gained - lost,
        'from_firms', from_firms, 'new_to_industry', new_to_industry,
        'gained_otherwise', gained - from_firms - new_to_industry,
        'to_firms', to_firms, 'left_industry', left_industry,
        'lost_otherwise', lost - to_firms - left_industry) as summary,
      json_build_object('gained', bulk_gained, 'lost', bulk_lost) as bulk,
      (select coalesce(json_agg(json_build_object('year', year, 'gained', gained, 'lost', lost) order by year desc), '[]')
        from (
          select (y ->> 0)::int as year,
            (y ->> 1)::int + wanted * (y ->> 3)::int as gained, (y ->> 2)::int + wanted * (y ->> 4)::int as lost
          from jsonb_array_elements(by_year) y
        ) y
        where gained + lost > 0) as "byYear",
      ${recent('in')} as "recentIn",
      ${recent('out')} as "recentOut"
    from f`
  return row ?? null
}

/**
 * Returns the registered people of a firm by month, from the month of its first stint to the month of the newest loaded
 * edition. Returns null for an unknown firm.
 */
export async function headcount(sql: Sql, crd: string): Promise<Headcount | null> {
  const [row] = await sql<[Headcount?]>`
    select crd, coalesce(current, 0) as current, coalesce(peak, 0) as peak, coalesce(series, '[]') as series
    from (${known(sql, crd)}) known
    left join reps.firm on org_pk = crd
    left join lateral (
      select max(headcount) as peak,
        json_agg(json_build_object('month', month, 'headcount', headcount) order by month) as series
      from (
        select month, (sum(coalesce(step::int, 0)) over (order by month))::int as headcount
        from (
          select month::date from generate_series(
            first_month::timestamp,
            (select max(to_day) from bulk.edition where series = 'IA_INDVL' and state = 'done')::timestamp,
            interval '1 month') month
        ) months
        left join jsonb_each_text(steps) step(first, step) on first = month::text
      ) counted
    ) months on true`
  return row ?? null
}

/**
 * Returns a person with present and former firms, the present firms first; null if no edition of the feed had the
 * person's number.
 */
export async function movements(sql: Sql, indvlPk: string): Promise<Movements | null> {
  const [row] = await sql<[Movements?]>`
    select
      json_build_object('indvl_pk', indvl_pk, 'first_nm', first_nm, 'last_nm', last_nm, 'mid_nm', mid_nm,
        'suf_nm', suf_nm, 'link', link) as person,
      (select coalesce(json_agg(
          json_build_object('org_pk', s.org_pk, 'org_nm', s.org_nm, 'firm_legal_name', coalesce(a.legal_name, s.org_nm),
            'start_date', s.start_date, 'end_date', s.end_date, 'is_current', s.is_current)
          order by s.is_current desc, s.end_date desc nulls last, s.n desc), '[]')
        from reps.stint s left join pub.adv_adviser a on a.crd = s.org_pk
        where s.indvl_pk = p.indvl_pk) as stints,
      (select coalesce(json_agg(
          json_build_object('org_pk', r.org_pk, 'regulator', r.regulator, 'category', r.category, 'status', r.status,
            'date', coalesce(r.end_date, r.begin_date)) order by r.n), '[]')
        from reps.registration r where r.indvl_pk = p.indvl_pk and r.regulator is not null) as registrations
    from reps.person p where indvl_pk = ${indvlPk}`
  return row ?? null
}
