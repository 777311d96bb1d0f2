-- source: the values of each touched firm, one row per source. Only sources of its newest filing day count, so that a blank
-- is never filled from an older filing.
--
-- reads touched, newest, filing, related, firm, bulk.record
--
--   crd, day   the firm, and the day of its newest filing
--   slot       rank of the source, 1 to 4; 1 counts first. Data files come before feeds, and files of registered
--              advisers before files of exempt ones. A feed that still shows the firm comes before a feed that no longer
--              shows it; otherwise the SEC's feed comes before the states' feed
--   label      the source as `sources` names it: filing 2107670, IA_FIRM_SEC 2026-07-23
--   filing_id, form     of a filing: its number, and IA or ERA
--   shown_by, shown_as  of a feed: its name, and IA or ERA
--   labels     the label of each following column that is not null; null if all are null
--   all other columns have the names of columns of adviser; null if the source does not state the value

drop table if exists pg_temp.source;

create temporary table source on commit drop as
with filed as (
  select
    f.crd, n.day, case f.form when 'IA' then 1 else 2 end as place,
    'filing ' || f.filing_id as label,
    f.filing_id, f.form, null as shown_by, null as shown_as,
    f.legal_name, f.business_name, f.sec_number as sec_file_number, f.lei, f.form_version,
    f.street1, f.street2, f.city, f.state, f.country, f.postal_code, f.phone, f.fax,
    case when coalesce(
      f.base_a ->> '1G-Street 1', f.base_a ->> '1G-Street 2', f.base_a ->> '1G-City',
      f.base_a ->> '1G-State', f.base_a ->> '1G-Country', f.base_a ->> '1G-Postal') is not null
    then jsonb_build_object(
      'street1', f.base_a ->> '1G-Street 1', 'street2', f.base_a ->> '1G-Street 2', 'city', f.base_a ->> '1G-City',
      'state', f.base_a ->> '1G-State', 'country', f.base_a ->> '1G-Country', 'postal_code', f.base_a ->> '1G-Postal')
    end as mailing_address,
    web.web_addresses, web.social_addresses, web.primary_website,
    case upper(f.base_a ->> '1I') when 'Y' then true when 'N' then false end as has_web_addresses,
    f.employees, f.advisory_employees, f.gives_continuous_supervision,
    f.raum_discretionary as discretionary_aum, f.raum_non_discretionary as non_discretionary_aum,
    f.raum_total as latest_raum,
    f.accounts_discretionary, f.accounts_non_discretionary, f.accounts_total as total_accounts,
    nullif(f.clients, '{}') as clients,
    f.comp_pct_aum, f.comp_hourly, f.comp_subscription, f.comp_fixed, f.comp_commissions, f.comp_performance, f.comp_other,
    f.advises_private_funds, f.private_fund_assets, f.base_a ->> '1OAmount' as total_assets, f.has_disciplinary
  from newest n join filing f on f.filing_id = n.filing_id and f.crd = n.crd
  -- Lines of Section 1.I in their order. If it is unknown whether a line is at a social-media platform, the line counts
  -- as a web address, but never as the first one.
  cross join lateral (
    select
      array_agg(r.name order by r.n) filter (where r.is_social_media is not true) as web_addresses,
      array_agg(r.name order by r.n) filter (where r.is_social_media) as social_addresses,
      (array_agg(r.name order by r.n) filter (where r.is_social_media is false))[1] as primary_website
    from related r
    where r.filing_id = f.filing_id and r.kind = 'web' and r.name is not null
  ) web
), shown as (
  select
    m.crd, m.filing_date as day,
    case m.feed when 'IA_FIRM_SEC' then 3 else 4 end + case when r.gone_day is null then 0 else 2 end as place,
    concat_ws(' ', m.feed, coalesce(r.changed_day, m.filing_date)) as label,
    null as filing_id, null as form, m.feed as shown_by,
    case
      when m.registration_type = 'ERA' then 'ERA'
      when m.registration_type is not null or m.state_registrations <> '[]' then 'IA'
      when m.era_states <> '[]' then 'ERA'
    end as shown_as,
    m.legal_name, m.business_name, m.sec_number as sec_file_number, m.as_filed -> '1' ->> 'Q1P' as lei, m.form_version,
    m.street1, m.street2, m.city, m.state, m.country, m.postal_code, m.phone, m.fax,
    m.mailing as mailing_address,
    nullif(array(
      select w from unnest(m.web_addresses) with ordinality a (w, n) where w <> all (m.social_addresses) order by n
    ), '{}') as web_addresses,
    nullif(m.social_addresses, '{}') as social_addresses, m.primary_website,
    case upper(m.as_filed -> '1' ->> 'Q1I') when 'Y' then true when 'N' then false end as has_web_addresses,
    m.employees, m.advisory_employees, m.gives_continuous_supervision,
    m.raum_discretionary as discretionary_aum, m.raum_non_discretionary as non_discretionary_aum,
    m.raum_total as latest_raum,
    m.accounts_discretionary, m.accounts_non_discretionary, m.accounts_total as total_accounts,
    nullif(m.clients, '{}') as clients,
    m.comp_pct_aum, m.comp_hourly, m.comp_subscription, m.comp_fixed, m.comp_commissions, m.comp_performance, m.comp_other,
    m.advises_private_funds, null::numeric as private_fund_assets, m.as_filed -> '1' ->> 'Q1ODesc' as total_assets,
    m.has_disciplinary
  from touched t join firm m using (crd)
  left join bulk.record r on r.series = m.feed and r.key = m.crd
), known as (
  select * from filed union all select * from shown
), last as (
  select crd, max(day) as day from known group by crd
)
select
  row_number() over (partition by k.crd order by k.place)::int as slot, k.*, (
    select jsonb_object_agg(key, k.label)
    from jsonb_each(to_jsonb(k) - '{crd,day,place,label,filing_id,form,shown_by,shown_as}'::text[])
    where value <> 'null'
  ) as labels
from known k join last l on l.crd = k.crd and l.day is not distinct from k.day;

create index on source (crd, slot);

analyze source;
