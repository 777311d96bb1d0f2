-- mix: the private funds of each touched firm, from its newest filing in the data files. A firm without funds has no row.
--
-- reads newest, fund, fund_reported
--
--   crd       the firm
--   funds     number of funds of Section 7.B.(1) and of funds that another adviser reports (7.B.(2))
--   untyped   number of funds of 7.B.(1) without a type
--   reported  number of funds of 7.B.(2)
--   types     number of funds by type: {"Hedge Fund": 3}
--   values    gross assets by type, as exact decimals: {"Hedge Fund": "700"}
--   list      the types, sorted
--   dominant  the type with the largest gross assets; among equal ones, the type with the most funds

drop table if exists pg_temp.mix;

create temporary table mix on commit drop as
with own as (
  -- A filing that is in the files of both registered and exempt reporting advisers has each fund twice.
  select distinct on (n.crd, f.reference_id, f.fund_id, f.name) n.crd, f.fund_type, f.gross_asset_value as value
  from newest n join fund f using (filing_id)
  order by n.crd, f.reference_id, f.fund_id, f.name, f.n
), type as (
  select crd, fund_type, count(*)::int as funds, sum(value) as value from own group by crd, fund_type
), known as (
  select crd,
    sum(funds)::int as funds,
    (sum(funds) filter (where fund_type is null))::int as untyped,
    jsonb_object_agg(fund_type, funds) filter (where fund_type is not null) as types,
    jsonb_object_agg(fund_type, value::text) filter (where fund_type is not null and value is not null) as values,
    array_agg(fund_type order by fund_type) filter (where fund_type is not null) as list,
    (array_agg(fund_type order by value desc nulls last, funds desc, fund_type)
      filter (where fund_type is not null))[1] as dominant
  from type group by crd
), other as (
  select n.crd, count(distinct (f.name, f.fund_id, f.adviser_sec_number))::int as funds
  from newest n join fund_reported f using (filing_id) group by n.crd
)
select crd, coalesce(k.funds, 0) + coalesce(o.funds, 0) as funds, coalesce(k.untyped, 0) as untyped,
  coalesce(o.funds, 0) as reported, types, values, list, dominant
from known k full join other o using (crd);

analyze mix;
