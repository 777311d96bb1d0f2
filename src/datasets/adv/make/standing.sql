-- standing: the registration of each touched firm according to the feeds. A firm that no feed ever showed has no row.
--
-- reads touched, firm, bulk.record
--
--   crd         the firm
--   feed        the feed that counts: a feed that still shows the firm comes first, then a feed with a registration that
--               has not ended, then the SEC's feed
--   label       that feed and the day of its last change: IA_FIRM_SEC 2026-07-23
--   status, day           registration as this feed has it, and since when
--   gone_label  this feed, and the day of its first edition without the firm
--   gone_day    the last such day of all feeds
--   is_shown    whether some feed still shows the firm
--   has_ended   whether each feed that still shows the firm says that its registration is over
--   first_day   earliest day of a registration or notice in any feed
--   filing_date earliest filing that a feed names

drop table if exists pg_temp.standing;

create temporary table standing on commit drop as
with word (status, means) as (
  values
    ('TERMINATED', 'ended'), ('TERMED', 'ended'), ('WITHDRAWN', 'ended'), ('CANCELLED', 'ended'), ('CANCELED', 'ended'),
    ('REVOKED', 'ended'), ('DENIED', 'ended'), ('ABANDONED', 'ended'), ('EXPELLED', 'ended'),
    ('APPROVED', 'in force'), ('APPROVED-120', 'in force'), ('ACTIVE', 'in force')
), shown as (
  select
    m.crd, m.feed, r.gone_day, m.filing_date,
    concat_ws(' ', m.feed, coalesce(r.changed_day, m.filing_date)) as label,
    coalesce(m.registration_status, s.status) as status,
    coalesce(m.registration_date, s.day) as day,
    coalesce(upper(m.registration_status) in (select status from word where means = 'ended'), s.has_ended, false) as has_ended,
    least(m.registration_date, s.first_day, (
      select min(x ->> 'date')::date from jsonb_array_elements(m.notice_filings) x)) as first_day
  from touched t join firm m using (crd)
  left join bulk.record r on r.series = m.feed and r.key = m.crd
  -- Registrations with the states, by status. A status in force comes first, then the status with the most states.
  cross join lateral (
    select
      (array_agg(status order by has_ended, not is_in_force, states desc, status))[1] as status,
      case when bool_and(has_ended) then max(last_day) else min(first_day) filter (where not has_ended) end as day,
      min(first_day) as first_day, bool_and(has_ended) as has_ended
    from (
      select x ->> 'status' as status, min(x ->> 'date')::date as first_day, max(x ->> 'date')::date as last_day,
        count(*) as states,
        coalesce(upper(x ->> 'status') in (select status from word where means = 'ended'), false) as has_ended,
        upper(x ->> 'status') in (select status from word where means = 'in force') as is_in_force
      from jsonb_array_elements(m.state_registrations || m.era_states) x group by 1
    ) by_status
  ) s
)
select distinct on (crd)
  crd, feed, label, status, day, concat_ws(' ', feed, gone_day) as gone_label,
  count(*) filter (where gone_day is null) over firm > 0 as is_shown,
  bool_and(has_ended) filter (where gone_day is null) over firm as has_ended,
  max(gone_day) over firm as gone_day,
  min(first_day) over firm as first_day,
  min(filing_date) over firm as filing_date
from shown
window firm as (partition by crd)
order by crd, gone_day is not null, shown.has_ended, shown.gone_day desc, feed;

analyze standing;
