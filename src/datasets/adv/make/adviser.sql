-- adviser: one row for each touched firm that occurs in any source.
--
-- reads touched, merged, newest, standing, mix, folded, place, filing, filing_type, withdrawal, bulk.edition

delete from adviser where crd in (select crd from touched);

insert into adviser (
  crd, firm_name, name_key, adviser_type,
  feed, registration_status, registration_date, is_terminated, terminated_on,
  street, city_key, lat, lng,
  has_website, execution_type,
  latest_id, latest_filing_id, latest_filing_date, latest_filing_type, first_filing_date, schedule_filing_id,
  client_shares, total_clients,
  clients_individuals, clients_hnw, clients_banks, clients_investment_cos, clients_pooled, clients_other,
  serves_individuals, serves_hnw, serves_investment_cos, serves_pooled, serves_pensions, serves_charities,
  serves_state_municipal, serves_corps, serves_other,
  fund_count, funds_without_type, funds_of_others,
  fund_types, fund_values, fund_type_list, dominant_fund_type,
  legal_name, business_name, sec_file_number, number_key, lei, form_version,
  street1, street2, city, state, country, postal_code, phone, fax, mailing_address,
  web_addresses, social_addresses, primary_website, has_web_addresses,
  employees, advisory_employees, gives_continuous_supervision,
  discretionary_aum, non_discretionary_aum, latest_raum,
  accounts_discretionary, accounts_non_discretionary, total_accounts,
  clients,
  comp_pct_aum, comp_hourly, comp_subscription, comp_fixed, comp_commissions, comp_performance, comp_other,
  advises_private_funds, private_fund_assets, total_assets, has_disciplinary,
  sources
)
select
  m.crd,
  coalesce(m.business_name, m.legal_name, 'CRD ' || m.crd) as firm_name,
  coalesce(own.name_key, 'crd ' || m.crd) as name_key,
  coalesce(m.shown_as, m.form, case when m.sec_file_number like '802-%' then 'ERA' end, 'IA') as adviser_type,
  g.feed,
  z.status as registration_status,
  z.day as registration_date,
  ended.is_terminated,
  case when ended.is_terminated then z.day end as terminated_on,
  nullif(concat_ws(', ', m.street1, m.street2), '') as street,
  town.name_key as city_key,
  -- Postal codes of other countries may look like a code of the United States.
  case when not coalesce(lower(m.country) <> 'united states', m.state is null) then p.lat end as lat,
  case when not coalesce(lower(m.country) <> 'united states', m.state is null) then p.lng end as lng,
  case
    when m.primary_website is not null then true
    when m.has_web_addresses is false or coalesce(m.web_addresses, m.social_addresses) is not null then false
  end as has_website,
  n.execution_type,
  coalesce(m.filing_id, concat_ws('-', m.shown_by, m.crd, m.day)) as latest_id,
  m.filing_id as latest_filing_id,
  m.day as latest_filing_date,
  k.types as latest_filing_type,
  -- A feed names only a firm's newest filing. If the earliest filing in the files is an amendment, the firm's first
  -- filing is older than the data.
  case
    when g.first_day is not null then least(g.first_day, g.filing_date, e.day)
    when not e.is_amendment and e.day <= coalesce(g.filing_date, e.day) then e.day
  end as first_filing_date,
  n.filing_id as schedule_filing_id,
  c.shares as client_shares,
  case when c.total < 2147483648 then c.total::int end as total_clients,
  (c.counts ->> 'individuals')::int as clients_individuals,
  (c.counts ->> 'hnw')::int as clients_hnw,
  (c.counts ->> 'banks')::int as clients_banks,
  (c.counts ->> 'investment_cos')::int as clients_investment_cos,
  (c.counts ->> 'pooled')::int as clients_pooled,
  (c.counts ->> 'other')::int as clients_other,
  case when m.clients is not null then 'individuals' = any (c.served) end as serves_individuals,
  case when m.clients is not null then 'hnw' = any (c.served) end as serves_hnw,
  case when m.clients is not null then 'investment_cos' = any (c.served) end as serves_investment_cos,
  case when m.clients is not null then 'pooled' = any (c.served) end as serves_pooled,
  case when m.clients is not null then 'pensions' = any (c.served) end as serves_pensions,
  case when m.clients is not null then 'charities' = any (c.served) end as serves_charities,
  case when m.clients is not null then 'state_municipal' = any (c.served) end as serves_state_municipal,
  case when m.clients is not null then 'corporations' = any (c.served) end as serves_corps,
  case when m.clients is not null then 'other' = any (c.served) end as serves_other,
  fund.fund_count, fund.funds_without_type, fund.funds_of_others,
  fund.fund_types, fund.fund_values, fund.fund_type_list, fund.dominant_fund_type,
  -- Values that `merged` took from one source, unchanged.
  m.legal_name, m.business_name, m.sec_file_number,
  -- A longer text is not a number, and fits no index.
  case when octet_length(m.sec_file_number) <= 100 then
    regexp_replace(m.sec_file_number, '^\s*0*(80[12])\s*-\s*0*(\d+)\s*$', '\1-\2')
  end, m.lei, m.form_version,
  m.street1, m.street2, m.city, m.state, m.country, m.postal_code, m.phone, m.fax, m.mailing_address,
  m.web_addresses, m.social_addresses, m.primary_website, m.has_web_addresses,
  m.employees, m.advisory_employees, m.gives_continuous_supervision,
  m.discretionary_aum, m.non_discretionary_aum, m.latest_raum,
  m.accounts_discretionary, m.accounts_non_discretionary, m.total_accounts,
  m.clients,
  m.comp_pct_aum, m.comp_hourly, m.comp_subscription, m.comp_fixed, m.comp_commissions, m.comp_performance, m.comp_other,
  m.advises_private_funds, m.private_fund_assets, m.total_assets, m.has_disciplinary,
  jsonb_strip_nulls(m.sources || jsonb_build_object(
    'registration_status', case when z.status is not null then z.label end,
    'registration_date', case when z.day is not null then z.label end,
    'execution_type', case when n.execution_type is not null then 'filing ' || n.filing_id end,
    'fund_count', fund.label
  )) as sources
from merged m
left join standing g on g.crd = m.crd
left join newest n on n.crd = m.crd
left join mix x on x.crd = m.crd
left join folded own on own.name = coalesce(m.business_name, m.legal_name)
left join folded town on town.name = m.city
left join place p on p.postal_code = m.postal_code

-- The types of the newest filing.
cross join lateral (
  select string_agg(array_to_string(types, '; '), '; ' order by n) as types from filing_type where filing_id = m.filing_id
) k

-- The earliest filing in the data files, and whether it amends a filing that is in none of these files.
left join lateral (
  select f.submitted_date as day, exists (
      select from filing_type t where t.filing_id = f.filing_id and t.types <> '{}'
        and not exists (select from unnest(t.types) as box where box !~* 'amend|final')) as is_amendment
  from filing f where f.crd = m.crd
  order by f.submitted_date, length(f.filing_id), f.filing_id limit 1
) e on true

-- The end of a registration after the newest filing. It is a full Form ADV-W, or the final report of an exempt
-- reporting adviser that is no longer in any feed.
cross join lateral (
  select
    min(date) as notice_on, (array_agg('ADV-W ' || filing_id order by date, filing_id))[1] as notice,
    case when k.types ~* 'final [^;]*ERA report' and k.types !~* 'initial' and g.is_shown is not true then m.day
    end as final_on
  from withdrawal w where w.crd = m.crd and upper(w.status) like 'FULL%' and w.date >= m.day
) w

-- A registration takes 45 days, after which a feed shows it. With a margin for delays, half a year is long enough. So a
-- firm that no feed ever showed is not registered if its newest filing is half a year older than the newest feed of the
-- SEC.
cross join (
  select max(to_day) as day from bulk.edition where series = 'IA_FIRM_SEC' and records > 0
) newest_feed
cross join lateral (
  select case
    when coalesce(w.notice_on, w.final_on) is not null then true
    when g.crd is null then coalesce(m.day < newest_feed.day - 183, false)
    else not g.is_shown or g.has_ended
  end as is_terminated
) ended

-- Keeps both columns consistent: a terminated firm has no status of a registered firm, and a registered firm is not
-- terminated.
cross join lateral (
  select
    case
      when not ended.is_terminated or g.is_shown and w.notice_on is null then g.day
      else coalesce(w.notice_on, w.final_on, g.gone_day)
    end as day,
    case
      when not ended.is_terminated then g.status
      when coalesce(w.notice_on, w.final_on) is not null then 'WITHDRAWN'
      when g.is_shown then coalesce(g.status, 'TERMINATED')
      else 'TERMINATED'
    end as status,
    case
      when not ended.is_terminated then g.label
      when w.notice_on is not null then w.notice
      when w.final_on is not null then 'filing ' || m.filing_id
      when g.is_shown then g.label
      else g.gone_label
    end as label
) z

-- Private funds: an answer of no to Item 7.B outweighs funds that schedules list.
cross join lateral (
  select
    case when m.advises_private_funds is false then 0 else x.funds end as fund_count,
    case when m.advises_private_funds is false then 0 else x.untyped end as funds_without_type,
    case when m.advises_private_funds is false then 0 else x.reported end as funds_of_others,
    case when m.advises_private_funds is false then '{}' else coalesce(x.types, '{}') end as fund_types,
    case when m.advises_private_funds is false then '{}' else coalesce(x.values, '{}') end as fund_values,
    case when m.advises_private_funds is false then '{}' else coalesce(x.list, '{}') end as fund_type_list,
    case when m.advises_private_funds is not false then x.dominant end as dominant_fund_type,
    case
      when m.advises_private_funds is false then m.sources ->> 'advises_private_funds'
      when x.funds is not null then 'filing ' || n.filing_id
    end as label
) fund

-- Item 5.D, by type of client: number of clients, whether the firm has such clients, and their share. The share is of
-- the regulatory assets, or of the number of clients if no assets are given.
cross join lateral (
  select
    sum(clients) as total,
    jsonb_object_agg(type, clients) filter (where clients is not null) as counts,
    coalesce(array_agg(type) filter (where clients > 0 or raum > 0 or fewer_than_5), '{}') as served,
    jsonb_object_agg(type, round(part / whole, 6)) filter (where part > 0) as shares
  from (
    select *, sum(part) over () as whole
    from (
      select *, case when sum(raum) over () > 0 then raum else clients end as part
      from (
        select key as type, (value ->> 'count')::bigint as clients, (value ->> 'raum')::numeric as raum,
          (value ->> 'fewer_than_5')::boolean as fewer_than_5
        from jsonb_each(m.clients)
      ) answered
    ) parted
  ) summed
) c;
