import type postgres from '#postgres'
import type { Transaction } from '../../store/db.ts'

type Where = postgres.PendingQuery<postgres.Row[]>

/**
 * Inserts sums of the firms that `only` selects, by the column org_pk. The sum of a month counts persons registered on
 * its first day; the last day of a stint belongs to the stint. A stint with an unknown day is not counted in any month.
 */
export async function insertFirms(tx: Transaction, only: Where): Promise<void> {
  await tx`
    insert into firm (
      org_pk, gained, from_firms, new_to_industry, lost, to_firms, left_industry,
      bulk_gained, bulk_from_firms, bulk_lost, bulk_to_firms, by_year, current, first_month, steps)
    with people as (
      select org_pk, count(*) filter (where is_current) as current,
        date_trunc('month', min(start_date) filter (where is_current or end_date is not null))::date as first_month
      from stint where ${only} group by org_pk
    ),
    steps as (
      select org_pk, jsonb_object_agg(month, step) as steps
      from (
        select org_pk, month, sum(step) as step
        from (
          select org_pk, 1 as step, date_trunc('month', start_date + interval '1 month -1 day')::date as month
          from stint where ${only} and (is_current or end_date is not null) and start_date is not null
          union all
          select org_pk, -1, date_trunc('month', end_date + interval '1 month')::date
          from stint where ${only} and end_date is not null and start_date is not null
        ) stint
        group by org_pk, month having sum(step) <> 0
      ) month
      group by org_pk
    ),
    years as (
      select org_pk, extract(year from move_date)::int as year,
        count(*) filter (where direction = 'in' and not is_bulk) as gained,
        count(*) filter (where direction = 'in' and not is_bulk and kind = 'firm') as from_firms,
        count(*) filter (where direction = 'in' and kind = 'industry') as new_to_industry,
        count(*) filter (where direction = 'out' and not is_bulk) as lost,
        count(*) filter (where direction = 'out' and not is_bulk and kind = 'firm') as to_firms,
        count(*) filter (where direction = 'out' and kind = 'industry') as left_industry,
        count(*) filter (where direction = 'in' and is_bulk) as bulk_gained,
        count(*) filter (where direction = 'in' and is_bulk and kind = 'firm') as bulk_from_firms,
        count(*) filter (where direction = 'out' and is_bulk) as bulk_lost,
        count(*) filter (where direction = 'out' and is_bulk and kind = 'firm') as bulk_to_firms
      from move where ${only} group by org_pk, year
    ),
    moves as (
      select org_pk, sum(gained) as gained, sum(from_firms) as from_firms, sum(new_to_industry) as new_to_industry,
        sum(lost) as lost, sum(to_firms) as to_firms, sum(left_industry) as left_industry,
        sum(bulk_gained) as bulk_gained, sum(bulk_from_firms) as bulk_from_firms,
        sum(bulk_lost) as bulk_lost, sum(bulk_to_firms) as bulk_to_firms,
        jsonb_agg(jsonb_build_array(year, gained, lost, bulk_gained, bulk_lost) order by year desc) as by_year
      from years group by org_pk
    )
    select org_pk, coalesce(gained, 0), coalesce(from_firms, 0), coalesce(new_to_industry, 0),
      coalesce(lost, 0), coalesce(to_firms, 0), coalesce(left_industry, 0),
      coalesce(bulk_gained, 0), coalesce(bulk_from_firms, 0), coalesce(bulk_lost, 0), coalesce(bulk_to_firms, 0),
      coalesce(by_year, '[]'), current, first_month, coalesce(steps, '{}')
    from people left join moves using (org_pk) left join steps using (org_pk)`
}
