/** The merged record of each touched firm, out of the temporary tables of queries-sources.ts. */
import type { Transaction } from '../../store/db.ts'
import { MERGED } from './queries-sources.ts'
import { adviser } from './rollups.ts'

/** A registration takes 45 days, and is then in the feed: a firm that is not half a year after its newest filing has none. */
export const UNLISTED_DAYS_MAX = 183

/** A firm has at most four sources of one day: its filing as each kind of adviser, and two feeds. */
const SLOTS = ['a', 'b', 'c', 'd'] as const

const first = (column: string) => `coalesce(${SLOTS.map((slot) => `${slot}.${column}`).join(', ')})`

const labelOf = (column: string) =>
  `case ${SLOTS.map((slot) => `when ${slot}.${column} is not null then ${slot}.label`).join(' ')} end`

/** `jsonb_build_object` takes 100 arguments. */
const PAIRS_MAX = 50

function objectOf(pairs: readonly (readonly [string, string])[]): string {
  const parts: string[] = []
  for (let at = 0; at < pairs.length; at += PAIRS_MAX) {
    const some = pairs.slice(at, at + PAIRS_MAX).map(([key, value]) => `'${key}', ${value}`)
    parts.push(`jsonb_build_object(${some.join(', ')})`)
  }
  return parts.join(' || ')
}

/** Of a column of `v`, the merged facts. */
const count = (type: string) => `(v.clients -> '${type}' ->> 'count')::int`

/** Null where Item 5.D is not answered at all. */
const serves = (type: string) => `case when v.clients is not null then
  coalesce(${count(type)} > 0, false) or coalesce((v.clients -> '${type}' ->> 'raum')::numeric > 0, false)
  or coalesce((v.clients -> '${type}' ->> 'fewer_than_5')::boolean, false) end`

const isForeign = `coalesce(lower(v.country) <> 'united states', v.state is null)`

/** Columns that are not merged as they stand: v the merged facts, g registration, n newest filing, x its funds. */
const DERIVED: Readonly<Record<string, string>> = {
  crd: 'v.crd',
  firm_name: `coalesce(v.business_name, v.legal_name, 'CRD ' || v.crd)`,
  name_key: `coalesce(own.name_key, 'crd ' || v.crd)`,
  adviser_type: `coalesce(v.feed_type, v.form, case when v.sec_file_number like '802-%' then 'ERA' end, 'IA')`,
  feed: 'g.feed',
  registration_status: 'z.status',
  registration_date: 'z.day',
  is_terminated: 'z.is_terminated',
  terminated_on: 'case when z.is_terminated then z.day end',
  street: `nullif(concat_ws(', ', v.street1, v.street2), '')`,
  city_key: 'town.name_key',
  lat: `case when not ${isForeign} then p.lat end`,
  lng: `case when not ${isForeign} then p.lng end`,
  has_website: `case when v.primary_website is not null then true
    when v.has_web_addresses is false or coalesce(v.web_addresses, v.social_addresses) is not null then false end`,
  execution_type: 'n.execution_type',
  latest_id: `coalesce(v.filing_id, concat_ws('-', v.feed, v.crd, v.day))`,
  latest_filing_id: 'v.filing_id',
  latest_filing_date: 'v.day',
  latest_filing_type: 'k.types',
  // The newest filing that a feed names, and an amendment that is the earliest one in the files, are nobody's first: that
  // one is from before the data.
  first_filing_date: `case when g.first_day is not null then least(g.first_day, g.filing_date, e.day)
    when not e.is_amendment and e.day <= coalesce(g.filing_date, e.day) then e.day end`,
  schedule_filing_id: 'n.filing_id',
  client_shares: `(
    with mix as (
      select key, (value ->> 'raum')::numeric as raum, (value ->> 'count')::numeric as clients from jsonb_each(v.clients)
    ), part as (
      select key, case when (select sum(raum) from mix) > 0 then raum else clients end as part from mix
    )
    select jsonb_object_agg(key, round(part / (select sum(part) from part), 6)) from part where part > 0)`,
  total_clients: `(select case when sum((value ->> 'count')::bigint) < 2147483648 then sum((value ->> 'count')::bigint)::int end
    from jsonb_each(v.clients))`,
  clients_individuals: count('individuals'),
  clients_hnw: count('hnw'),
  clients_banks: count('banks'),
  clients_investment_cos: count('investment_cos'),
  clients_pooled: count('pooled'),
  clients_other: count('other'),
  serves_individuals: serves('individuals'),
  serves_hnw: serves('hnw'),
  serves_investment_cos: serves('investment_cos'),
  serves_pooled: serves('pooled'),
  serves_pensions: serves('pensions'),
  serves_charities: serves('charities'),
  serves_state_municipal: serves('state_municipal'),
  serves_corps: serves('corporations'),
  serves_other: serves('other'),
  funds_without_type: 'case when v.advises_private_funds is false then 0 else x.untyped end',
  funds_of_others: 'case when v.advises_private_funds is false then 0 else x.reported end',
  fund_count: `case when v.advises_private_funds is false then 0 else x.funds end`,
  fund_types: `case when v.advises_private_funds is false then '{}' else coalesce(x.types, '{}') end`,
  fund_values: `case when v.advises_private_funds is false then '{}' else coalesce(x.values, '{}') end`,
  fund_type_list: `case when v.advises_private_funds is false then '{}' else coalesce(x.list, '{}') end`,
  dominant_fund_type: `case when v.advises_private_funds is false then null else x.dominant end`,
  sources: `jsonb_strip_nulls(v.sources || ${objectOf([
    ['registration_status', 'case when z.status is not null then z.label end'],
    ['registration_date', 'case when z.day is not null then z.label end'],
    ['execution_type', `case when n.execution_type is not null then 'filing ' || n.filing_id end`],
    [
      'fund_count',
      `case when v.advises_private_funds is false then v.sources ->> 'advises_private_funds'
        when x.funds is not null then 'filing ' || n.filing_id end`,
    ],
  ])})`,
}

/**
 * Writes adv.adviser for the touched firms that any source has.
 *
 * @param feedDay day of the newest feed of the SEC
 */
export async function mergeTouched(tx: Transaction, feedDay: string | null): Promise<void> {
  const columns = Object.keys(adviser.columns)
  const values = columns.map((column) => DERIVED[column] ?? `v.${column}`)
  const merged = Object.keys(MERGED).map((column) => `${first(column)} as ${column}`)
  const sources = objectOf(Object.keys(MERGED).map((column) => [column, labelOf(column)] as const))
  const others = SLOTS.slice(1).map(
    (slot, at) => `left join adv_candidate ${slot} on ${slot}.crd = a.crd and ${slot}.slot = ${at + 2}`,
  )
  await tx`
    insert into adv.adviser (${tx(columns)})
    select ${tx.unsafe(values.join(',\n'))}
    from (
      select a.crd, a.day, ${tx.unsafe(['filing_id', 'form', 'feed', 'feed_type'].map((c) => `${first(c)} as ${c}`).join(', '))},
        ${tx.unsafe(merged.join(',\n'))}, ${tx.unsafe(sources)} as sources
      from adv_candidate a ${tx.unsafe(others.join(' '))}
      where a.slot = 1
    ) v
    left join adv_registration g on g.crd = v.crd
    left join adv_newest n on n.crd = v.crd
    left join adv_mix x on x.crd = v.crd
    left join adv_fold own on own.name = coalesce(v.business_name, v.legal_name)
    left join adv_fold town on town.name = v.city
    left join adv_place p on p.postal_code = v.postal_code
    left join lateral (
      select d.day, exists (
          select from adv.filing_type t where t.filing_id = d.filing_id and t.types <> '{}'
            and not exists (select from unnest(t.types) as box where box !~* 'amend|final')) as is_amendment
      from adv.filing_day d where d.crd = v.crd and d.form = 'ADV'
      order by d.day, length(d.filing_id), d.filing_id limit 1
    ) e on true
    cross join lateral (
      select string_agg(array_to_string(types, '; '), '; ' order by n) as types
      from adv.filing_type where filing_id = v.filing_id
    ) k
    cross join lateral (
      select min(date) as notice_on, (array_agg('ADV-W ' || filing_id order by date, filing_id))[1] as notice,
        case when k.types ~* 'final [^;]*ERA report' and k.types !~* 'initial' and g.is_shown is not true then v.day
        end as final_on
      from adv.withdrawal w where w.crd = v.crd and upper(w.status) like 'FULL%' and w.date >= v.day
    ) w
    cross join lateral (
      select ended.is_terminated, case when not ended.is_terminated or g.is_shown and w.notice_on is null then g.day
          else coalesce(w.notice_on, w.final_on, g.gone_day) end as day,
        -- One way to say it: whoever is terminated has no status of the registered, and the other way round.
        case when not ended.is_terminated then g.status
          when coalesce(w.notice_on, w.final_on) is not null then 'WITHDRAWN'
          when g.is_shown then coalesce(g.status, 'TERMINATED')
          else 'TERMINATED' end as status,
        case when not ended.is_terminated then g.label
          when w.notice_on is not null then w.notice
          when w.final_on is not null then 'filing ' || v.filing_id
          when g.is_shown then g.label
          else g.gone_label end as label
      from (select case
        when coalesce(w.notice_on, w.final_on) is not null then true
        when g.crd is null then coalesce(v.day < ${feedDay}::date - ${UNLISTED_DAYS_MAX}::int, false)
        else not g.is_shown or g.has_ended
      end as is_terminated) ended
    ) z`
}
