import type postgres from '#postgres'
import type { Transaction } from '../../store/db.ts'

type Where = postgres.PendingQuery<postgres.Row[]>

/**
 * Maximum overlap in days of the two registrations of a move: firms file the new registration before the old one ends.
 */
const OVERLAP_DAYS = 30

/**
 * Inserts arrivals and departures of the people whose stints `only` selects (`s` is an alias of stint): one for each
 * known boundary of a stint. For an arrival, the other firm is the firm of the stint that ended nearest to it: any time
 * before the arrival, or at most 30 days after it. This stint must have begun before the arrival. For a departure, the
 * other firm is the firm of the stint that began nearest to it: any time after the departure, or at most 30 days before
 * it. This stint must end after the departure, or not have ended. Two cases are not a move:
 *
 * - `back`: the nearest stint is with the same firm
 * - `beside`: the nearest stint is more than 30 days away, and the person was, and stayed, with another firm at the
 *   time. This case takes precedence over `back`
 *
 * Without a nearest stint the kind is `industry`. It is `beside` instead in two cases: the person is, and stays, with
 * another firm at the time; or an arrival may follow a stint with unknown days.
 */
export async function insertMoves(tx: Transaction, only: Where): Promise<void> {
  await tx`
    insert into move (
      indvl_pk, n, direction, org_pk, move_date, kind, other_org_pk, other_org_nm, from_pk, left_on, is_bulk, bulk_reason)
    with arrival as (
      select distinct on (s.indvl_pk, s.n)
        s.indvl_pk, s.n, 'in' as direction, s.org_pk, s.start_date as move_date,
        o.org_pk as nearest_pk, o.org_nm as nearest_nm, o.end_date as left_on,
        s.start_date - o.end_date > ${OVERLAP_DAYS} as is_far
      from stint s left join stint o on o.indvl_pk = s.indvl_pk and o.n <> s.n
        and o.end_date <= s.start_date + ${OVERLAP_DAYS}::int
        and (o.start_date < s.start_date or o.start_date is null)
      where s.start_date is not null and ${only}
      order by s.indvl_pk, s.n, abs(s.start_date - o.end_date), o.end_date > s.start_date, o.org_pk = s.org_pk,
        o.org_pk, o.n
    ),
    departure as (
      select distinct on (s.indvl_pk, s.n)
        s.indvl_pk, s.n, 'out' as direction, s.org_pk, s.end_date as move_date,
        o.org_pk as nearest_pk, o.org_nm as nearest_nm, s.end_date as left_on,
        o.start_date - s.end_date > ${OVERLAP_DAYS} as is_far
      from stint s left join stint o on o.indvl_pk = s.indvl_pk and o.n <> s.n
        and o.start_date >= s.end_date - ${OVERLAP_DAYS}::int
        and (o.end_date > s.end_date or o.end_date is null)
      where s.end_date is not null and ${only}
      order by s.indvl_pk, s.n, abs(o.start_date - s.end_date), o.start_date < s.end_date, o.org_pk = s.org_pk,
        o.org_pk, o.n
    ),
    boundary as (select * from arrival union all select * from departure),
    -- Materialized: otherwise the lookups of kind are repeated for each column that uses it.
    judged as materialized (
      select b.*, case
        when (b.is_far or b.nearest_pk is null) and exists (
          select from stint t
          where t.indvl_pk = b.indvl_pk and t.n <> b.n and t.org_pk <> b.org_pk and case b.direction
            when 'in' then coalesce(t.start_date < b.move_date, true)
              and (t.is_current or t.end_date > b.move_date + ${OVERLAP_DAYS}::int)
            else coalesce(t.start_date < b.move_date - ${OVERLAP_DAYS}::int, true)
              and (t.is_current or t.end_date > b.move_date) end) then 'beside'
        when b.nearest_pk = b.org_pk then 'back'
        when b.nearest_pk is not null then 'firm'
        -- With an earlier stint of unknown days, the arrival is neither the first registration nor a move from a known
        -- firm.
        when b.direction = 'in' and exists (
          select from stint t
          where t.indvl_pk = b.indvl_pk and t.n <> b.n and coalesce(t.start_date < b.move_date, true)) then 'beside'
        else 'industry' end as kind
      from boundary b
    )
    select indvl_pk, n, direction, org_pk, move_date, kind,
      case kind when 'firm' then nearest_pk end,
      case kind when 'firm' then nearest_nm end,
      case when kind = 'back' or (kind = 'firm' and direction = 'out') then org_pk when kind = 'firm' then nearest_pk end,
      case when kind in ('firm', 'back') then left_on end,
      false, null
    from judged
    -- In the order of the largest index, which then grows at its end; the latest moves of a firm are adjacent.
    order by org_pk, direction, move_date desc`
}

/** Minimum number of people whose moves between the same two firms on one day are not a coincidence. */
const MANY_PEOPLE = 10
/** A smaller number of people that is enough if they are at least half of the people of the firm that they leave. */
const FEW_PEOPLE = 3

/**
 * Marks the moves of mergers and re-registrations: many moves on one day between the same two firms (or within one firm
 * that registers again). `only` selects the moves by from_pk, the firm that people leave. Counts the people of that
 * firm on the day on which the first of them left.
 *
 * @returns firms with a move whose mark changed
 */
export async function markBulk(tx: Transaction, only: Where): Promise<string[]> {
  await tx`drop table if exists pg_temp.reps_bulk`
  await tx`
    create temporary table reps_bulk on commit drop as
    select direction, from_pk, org_pk, coalesce(other_org_pk, org_pk) as other_pk, move_date,
      case when people >= ${MANY_PEOPLE} then 'many_people' else 'half_of_firm' end as bulk_reason
    from (
      select direction, from_pk, org_pk, other_org_pk, move_date, count(*) as people, min(left_on) as left_on
      from move where ${only}
      group by direction, from_pk, org_pk, other_org_pk, move_date having count(*) >= ${FEW_PEOPLE}
    ) g
    where people >= ${MANY_PEOPLE} or people * 2 >= (
      -- Counts no further than needed, latest stints first: large firms have a hundred thousand stints.
      select count(*) from (
        select from stint s
        where s.org_pk = g.from_pk and s.start_date <= g.left_on and (s.is_current or s.end_date >= g.left_on)
        order by s.start_date desc limit ${2 * MANY_PEOPLE}
      ) counted)`
  await tx`analyze reps_bulk`
  const marked = await tx<{ org_pk: string }[]>`
    with cleared as (
      update move m set is_bulk = false, bulk_reason = null
      where ${only} and is_bulk and not exists (
        select from reps_bulk b
        where b.direction = m.direction and b.from_pk = m.from_pk and b.org_pk = m.org_pk
          and b.other_pk = coalesce(m.other_org_pk, m.org_pk) and b.move_date = m.move_date)
      returning m.org_pk
    ),
    set as (
      update move m set is_bulk = true, bulk_reason = b.bulk_reason
      from reps_bulk b
      where b.direction = m.direction and b.from_pk = m.from_pk and b.org_pk = m.org_pk
        and b.other_pk = coalesce(m.other_org_pk, m.org_pk) and b.move_date = m.move_date
        and m.bulk_reason is distinct from b.bulk_reason
      returning m.org_pk
    )
    select distinct org_pk from (select * from cleared union all select * from set) changed`
  return marked.map(({ org_pk }) => org_pk)
}
