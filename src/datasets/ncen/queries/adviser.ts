/** Registered funds of an adviser, by the reports that name it. */
import type { Fragment, Sql } from '../../../store/db.ts'
import type { RegisteredFunds } from '../answers-adviser.ts'

/** Tests whether an adviser with this CRD number exists. */
export async function isKnown(sql: Sql, crd: string): Promise<boolean> {
  const [row] = await sql<{ found: boolean }[]>`
    select exists (select from pub.adv_adviser where crd = ${crd}) as found`
  return row!.found
}

/**
 * Maximum number of funds. The largest families have several hundred series. More funds than this maximum are a
 * mistake, which the counts show.
 */
const FUNDS_MAX = 2_000

type FundRow = Omit<RegisteredFunds, 'crd' | 'funds'> & RegisteredFunds['funds'][number]

/** Returns every fund once, for any role of the adviser and any number of reports. */
export async function registeredFunds(sql: Sql, crd: string): Promise<RegisteredFunds> {
  const rows = await sql<FundRow[]>`
    with recursive ${namesOf(sql, crd)}, ${rolesOf(sql)}, ${figuresOf(sql)}, ${summedOf(sql)}
    select ${SHOWN(sql)},
      count(*) over ()::int as fund_count,
      count(*) filter (where 'adviser' = any(roles)) over ()::int as advised_count,
      count(*) filter (where 'subadviser' = any(roles)) over ()::int as subadvised_count,
      count(*) filter (where is_current) over ()::int as current_count,
      sum(net_assets) filter (where is_summed) over ()::float8 as total_net_assets
    from summed
    order by is_current desc, summed.net_assets desc nulls last, fund limit ${FUNDS_MAX}`
  const [first] = rows
  const counts = first ?? NONE
  return {
    crd,
    fund_count: counts.fund_count,
    advised_count: counts.advised_count,
    subadvised_count: counts.subadvised_count,
    current_count: counts.current_count,
    total_net_assets: counts.total_net_assets,
    funds: rows.map(
      ({
        fund_count: _,
        advised_count: __,
        subadvised_count: ___,
        current_count: ____,
        total_net_assets: _____,
        ...fund
      }) => fund,
    ),
  }
}

const NONE = { fund_count: 0, advised_count: 0, subadvised_count: 0, current_count: 0, total_net_assets: null }

/**
 * SQL of `named`: rows that mean this adviser, each with its most certain evidence. If the row has an identifier of
 * another adviser that is more certain than the evidence for this adviser, it belongs to the other adviser. An unknown
 * identifier is a slip and proves nothing.
 */
const namesOf = (sql: Sql, crd: string): Fragment => sql`
  own as (
    select crd, state, lei, number_key from pub.adv_adviser where crd = ${crd}
  ), candidate as (
    select p.accession, p.n, 'crd' as method, 1.0::float8 as confidence, p.crd as basis, 1 as tells
    from own join ncen.adviser p on p.crd = own.crd
    union all
    select p.accession, p.n, '801_number', 0.95, p.number_key, 2
    from own join ncen.adviser p on p.number_key = own.number_key where own.number_key ~ '^80[12]-'
    union all
    select p.accession, p.n, 'lei', 0.9, p.lei, 3 from own join ncen.adviser p on p.lei = own.lei
    union all
    select p.accession, p.n, 'name', 0.6, p.name_key || ', ' || p.state, 4
    from own join pub.adv_legal_name l using (crd) join ncen.adviser p on p.name_key = l.name_key and p.state = own.state
    where l.name_key <> ''
      and not exists (select from pub.adv_legal_name other where other.name_key = l.name_key and other.crd <> own.crd)
  ), named as (
    select distinct on (c.accession, c.n) c.method, c.confidence, c.basis, p.accession, p.fund, p.role, p.is_current
    from candidate c join ncen.adviser p using (accession, n)
    where (c.tells <= 1 or p.crd is null or p.crd = ${crd}
        or not exists (select from pub.adv_adviser a where a.crd = p.crd))
      and (c.tells <= 2 or p.number_key is null
        or not exists (select from pub.adv_adviser a where a.number_key = p.number_key and a.crd <> ${crd}))
      and (c.tells <= 3 or p.lei is null
        or not exists (select from pub.adv_adviser a where a.lei = p.lei and a.crd <> ${crd}))
    order by c.accession, c.n, c.tells
  )`

/**
 * SQL of `advised`: one row for each fund, with the adviser's present roles. If the adviser has no present role, the
 * row has the roles in the last report that names it as present. If no report names it as present, the row has the
 * roles in the last report that names it at all. Reads only the reports that `ncen.standing` selects. An adviser named
 * both as dismissed and as present (a renewed contract, or an adviser that became subadviser) is present.
 */
const rolesOf = (sql: Sql): Fragment => sql`
  stated as (
    select n.*, s.period, s.is_newest and n.is_current and s.ended_by is null as is_now
    from named n join pub.ncen_standing s on s.accession = n.accession and s.fund = n.fund
  ), placed as (
    select *, rank() over (partition by fund order by is_now desc, is_current desc, period desc) as place from stated
  ), advised as (
    select fund, bool_or(is_now) as is_current, array_agg(distinct role order by role) as roles,
      (array_agg(method order by confidence desc))[1] as method, max(confidence) as confidence,
      (array_agg(basis order by confidence desc))[1] as basis,
      max(period) filter (where p.is_current) as last_advised_period
    from placed p where place = 1 group by fund
  )`

/** SQL of `figured`: the funds with data from other forms, and their masters. */
const figuresOf = (sql: Sql): Fragment => sql`
  shown as (
    select a.*, s.accession as ncen_accession, s.period as ncen_period, s.ended_by, s.series_id, s.cik as registrant_cik,
      s.filed_date as ncen_filing_date, f.fund_name, f.lei, f.is_etf, f.is_money_market, f.monthly_avg_net_assets,
      coalesce(f.monthly_avg_net_assets, f.daily_avg_net_assets) as ncen_net_assets,
      r.registrant_name, r.file_number, r.classification = 'N-2' as is_closed_end
    from advised a
    join pub.ncen_standing s on s.fund = a.fund and s.is_newest
    join ncen.fund f on f.accession = s.accession and f.n = s.n
    join ncen.report r on r.accession = s.accession
  ), feeding as (
    -- A master names its feeders by series, a feeder its master by LEI: either is enough.
    select feeder.fund, master.fund as master
    from shown master join ncen.related_fund r on r.accession = master.ncen_accession and r.fund = master.fund
    join shown feeder on feeder.series_id = r.series_id and feeder.fund <> master.fund
    where r.relation = 'feeder' and master.is_current
    union
    select feeder.fund, master.fund
    from shown feeder join ncen.related_fund r on r.accession = feeder.ncen_accession and r.fund = feeder.fund
    join shown master on master.lei = r.lei and master.fund <> feeder.fund
    where r.relation = 'master' and master.is_current
  ), figured as (
    select s.*, case when is_closed_end then s.file_number end as cef_file_number,
      mmf.net_assets as mmf_net_assets, mmf.seven_day_gross_yield as mmf_seven_day_yield, mmf.period as mmf_report_date,
      np.net_assets as nport_net_assets, np.period as nport_report_date,
      seen.first as cef_first_seen, seen.last as cef_last_seen,
      case when is_closed_end then s.ended_by is null and not coalesce(seen.is_deregistered, false)
        and seen.last >= (select max(filed_date) from edgar.filing) - interval '18 months' end as cef_active,
      newest.net_assets, newest.day as net_assets_date,
      (select min(f.master) from feeding f where f.fund = s.fund) as master
    from shown s
    left join lateral (
      select net_assets, seven_day_gross_yield, period from pub.nmfp_standing m where m.fund = s.fund and m.is_newest limit 1
    ) mmf on true
    left join lateral (
      select net_assets, period from pub.nport_standing p where p.fund = s.fund and p.is_newest limit 1
    ) np on true
    left join lateral (
      select min(e.filed_date) as first, max(e.filed_date) as last, bool_or(f.form_type = 'N-8F ORDR') as is_deregistered
      from edgar.filer e join edgar.filing f using (accession) where is_closed_end and e.cik = s.registrant_cik
    ) seen on true
    left join lateral (
      -- For equal days, assets of the day precede averages of the year.
      select net_assets, day
      from (values (1, mmf.net_assets, mmf.period), (2, np.net_assets, np.period), (3, s.ncen_net_assets, s.ncen_period))
        told(place, net_assets, day)
      where net_assets is not null order by day desc, place limit 1
    ) newest on true
  )`

/**
 * SQL of `summed`: the funds whose figure is in the total. Skips a feeder if a master that it feeds, directly or
 * through others, has a figure in the total. If funds name each other as master, uses the fund with the largest figure.
 */
const summedOf = (sql: Sql): Fragment => sql`
  fed as (
    select fund, master from feeding
    union
    select fed.fund, feeding.master from fed join feeding on feeding.fund = fed.master
  ), summed as (
    select f.*, f.is_current and f.net_assets is not null and not exists (
        select from fed join figured m on m.fund = fed.master
        where fed.fund = f.fund and m.net_assets is not null and (
          not exists (select from fed back where back.fund = m.fund and back.master = f.fund)
          or (m.net_assets, m.fund) > (f.net_assets, f.fund))
      ) as is_summed
    from figured f
  )`

const SHOWN = (sql: Sql): Fragment => sql`
  series_id, fund_name, roles[1] as role, is_etf, is_money_market, monthly_avg_net_assets::text as monthly_avg_net_assets,
  ncen_filing_date, nport_net_assets::text as nport_net_assets, nport_report_date, registrant_cik, registrant_name,
  mmf_seven_day_yield::text as mmf_seven_day_yield, mmf_net_assets::text as mmf_net_assets, mmf_report_date,
  cef_file_number, extract(year from cef_first_seen)::int as cef_first_seen_year,
  extract(year from cef_last_seen)::int as cef_last_seen_year, is_current, cef_active, fund, roles, method,
  confidence, basis, last_advised_period, ended_by, net_assets::text as net_assets, net_assets_date, master,
  is_summed, ncen_accession`
