/** What is known of the touched firms, source by source, in temporary tables of the transaction. */
import type { Transaction } from '../../store/db.ts'
import { figures, office } from './tables-figures.ts'

/** Of a column of adv.adviser: where a filing (f) and a feed (m) have it; null where that source cannot. */
interface Source {
  filing: string
  feed: string
}

const RENAMED: Readonly<Record<string, string>> = {
  raum_discretionary: 'discretionary_aum',
  raum_non_discretionary: 'non_discretionary_aum',
  raum_total: 'latest_raum',
  accounts_total: 'total_accounts',
}

const same = (column: string): Source => ({ filing: `f.${column}`, feed: `m.${column}` })

/** Columns that are merged one by one. */
export const MERGED: Readonly<Record<string, Source>> = {
  legal_name: same('legal_name'),
  business_name: same('business_name'),
  sec_file_number: same('sec_number'),
  ...Object.fromEntries(Object.keys(office).map((column) => [column, same(column)])),
  ...Object.fromEntries(Object.keys(figures).map((column) => [RENAMED[column] ?? column, same(column)])),
  clients: { filing: "nullif(f.clients, '{}')", feed: "nullif(m.clients, '{}')" },
  lei: { filing: 'f.lei', feed: "m.items -> '1' ->> 'Q1P'" },
  form_version: same('form_version'),
  mailing_address: { filing: addressOf('1G'), feed: 'm.mailing' },
  total_assets: { filing: "f.base_a ->> '1OAmount'", feed: "m.items -> '1' ->> 'Q1ODesc'" },
  private_fund_assets: { filing: 'f.private_fund_assets', feed: 'null::numeric' },
  web_addresses: {
    filing: webOf('is_social_media is not true'),
    feed: `nullif(array(
      select w from unnest(m.web_addresses) with ordinality a(w, place) where w <> all(m.social_addresses) order by place
    ), '{}')`,
  },
  social_addresses: { filing: webOf('is_social_media'), feed: "nullif(m.social_addresses, '{}')" },
  has_web_addresses: { filing: yesOrNo("f.base_a ->> '1I'"), feed: yesOrNo("m.items -> '1' ->> 'Q1I'") },
  primary_website: { filing: `(${webOf('is_social_media is false')})[1]`, feed: 'm.primary_website' },
}

/** Lines of Section 1.I in their order; null without any. */
function webOf(condition: string): string {
  return `nullif(array(
    select r.name from adv.related r
    where r.filing_id = f.filing_id and r.kind = 'web' and r.name is not null and r.${condition} order by r.n), '{}')`
}

function yesOrNo(answer: string): string {
  return `case upper(${answer}) when 'Y' then true when 'N' then false end`
}

/** An address of the base file, by the number of its item; null where all of it is blank. */
function addressOf(item: string): string {
  const parts = { street1: 'Street 1', street2: 'Street 2', city: 'City', state: 'State', country: 'Country', postal_code: 'Postal' } // biome-ignore format: one line
  const values = Object.entries(parts).map(([name, column]) => [name, `f.base_a ->> '${item}-${column}'`] as const)
  return `case when coalesce(${values.map(([, value]) => value).join(', ')}) is not null
    then jsonb_build_object(${values.map(([name, value]) => `'${name}', ${value}`).join(', ')}) end`
}

/**
 * Fills
 * - `adv_newest`: the newest filing of each firm in the data files,
 * - `adv_candidate`: the sources of each firm that are of its newest filing day, in the order in which they count,
 * - `adv_registration`: what the feeds say of its registration, and whether they still show it,
 * - `adv_mix`: the private funds of that newest filing.
 */
export async function collectSources(tx: Transaction): Promise<void> {
  await tx`
    drop table if exists pg_temp.adv_newest, pg_temp.adv_candidate, pg_temp.adv_registration, pg_temp.adv_mix`
  // Filing numbers grow: of one day the last filing counts, and it is a whole one.
  await tx`
    create temporary table adv_newest on commit drop as
    select t.crd, n.filing_id, n.submitted_date as day, (
        select max(execution_type) from adv.filing f where f.filing_id = n.filing_id and f.crd = t.crd) as execution_type
    from adv_touched t cross join lateral (
      select filing_id, submitted_date from adv.filing f where f.crd = t.crd
      order by submitted_date desc nulls last, length(filing_id) desc, filing_id desc limit 1
    ) n`
  await tx`analyze adv_newest`
  await candidates(tx)
  await registrations(tx)
  await mixes(tx)
}

async function candidates(tx: Transaction): Promise<void> {
  const columns = (of: keyof Source) =>
    tx.unsafe(
      Object.entries(MERGED)
        .map(([column, source]) => `${source[of]} as ${column}`)
        .join(', '),
    )
  await tx`
    create temporary table adv_candidate on commit drop as
    with source as (
      select f.crd, case f.form when 'IA' then 1 else 2 end as rank, n.day, 'filing ' || f.filing_id as label,
        f.filing_id, f.form, null as feed, null as feed_type, ${columns('filing')}
      from adv_newest n join adv.filing f on f.filing_id = n.filing_id and f.crd = n.crd
      union all
      select m.crd, (case m.feed when 'IA_FIRM_SEC' then 3 else 4 end) + (case when r.gone_day is null then 0 else 2 end),
        m.filing_date, concat_ws(' ', m.feed, coalesce(r.changed_day, m.filing_date)),
        null, null, m.feed,
        case
          when m.registration_type = 'ERA' then 'ERA'
          when m.registration_type is not null or m.state_registrations <> '[]' then 'IA'
          when m.era_states <> '[]' then 'ERA'
        end, ${columns('feed')}
      from adv_touched t join adv.firm m using (crd)
      left join bulk.record r on r.series = m.feed and r.key = m.crd
    )
    select row_number() over (partition by crd order by rank)::int as slot, s.*
    from (select *, max(day) over (partition by crd) as newest from source) s
    where day is not distinct from newest`
  await tx`create index on adv_candidate (crd, slot)`
  await tx`analyze adv_candidate`
}

/** A registration that is over, as statuses say it. */
const ENDED = [
  ...['TERMINATED', 'TERMED', 'WITHDRAWN', 'CANCELLED', 'CANCELED', 'REVOKED', 'DENIED', 'ABANDONED', 'EXPELLED'],
]

/** A registration that is in force. */
const IN_FORCE = ['APPROVED', 'APPROVED-120', 'ACTIVE']

async function registrations(tx: Transaction): Promise<void> {
  const [ended, inForce] = [ENDED, IN_FORCE].map((words) =>
    tx.unsafe(`(${words.map((word) => `'${word}'`).join(', ')})`),
  )
  await tx`
    create temporary table adv_registration on commit drop as
    with shown as (
      select m.crd, m.feed, r.gone_day, concat_ws(' ', m.feed, coalesce(r.changed_day, m.filing_date)) as label,
        coalesce(m.registration_status, s.status) as status,
        coalesce(m.registration_date, s.day) as day,
        coalesce(upper(m.registration_status) in ${ended!}, s.has_ended, false) as has_ended,
        m.filing_date, least(m.registration_date, s.first_day, (
          select min(x ->> 'date')::date from jsonb_array_elements(m.notice_filings) x)) as first_day
      from adv_touched t join adv.firm m using (crd)
      left join bulk.record r on r.series = m.feed and r.key = m.crd
      cross join lateral (
        select (array_agg(status order by has_ended, upper(status) not in ${inForce!}, states desc, status))[1] as status,
          case when bool_and(has_ended) then max(last_day) else min(first_day) filter (where not has_ended) end as day,
          min(first_day) as first_day, bool_and(has_ended) as has_ended
        from (
          select x ->> 'status' as status, min(x ->> 'date')::date as first_day, max(x ->> 'date')::date as last_day, count(*) as states,
            coalesce(upper(x ->> 'status') in ${ended!}, false) as has_ended
          from jsonb_array_elements(m.state_registrations || m.era_states) x group by 1
        ) x
      ) s
    )
    select distinct on (crd) crd, feed, label, status, day, concat_ws(' ', feed, gone_day) as gone_label,
      count(*) filter (where gone_day is null) over firm > 0 as is_shown,
      bool_and(has_ended) filter (where gone_day is null) over firm as has_ended,
      max(gone_day) over firm as gone_day,
      min(first_day) over firm as first_day,
      min(filing_date) over firm as filing_date
    from shown
    window firm as (partition by crd)
    order by crd, gone_day is not null, shown.has_ended, shown.gone_day desc, feed`
  await tx`analyze adv_registration`
}

/** A fund stands twice where a filing does, in the files of registered and in those of exempt reporting advisers. */
async function mixes(tx: Transaction): Promise<void> {
  await tx`
    create temporary table adv_mix on commit drop as
    with fund as (
      select distinct on (n.crd, f.reference_id, f.fund_id, f.name) n.crd, f.fund_type, f.gross_asset_value as value
      from adv_newest n join adv.fund f using (filing_id)
      order by n.crd, f.reference_id, f.fund_id, f.name, f.n
    ), type as (
      select crd, fund_type, count(*)::int as funds, sum(value) as value from fund group by crd, fund_type
    ), reported as (
      select n.crd, count(distinct (f.name, f.fund_id, f.adviser_sec_number))::int as funds
      from adv_newest n join adv.fund_reported f using (filing_id) group by n.crd
    ), known as (
      select crd, sum(funds)::int as funds, (sum(funds) filter (where fund_type is null))::int as untyped,
        jsonb_object_agg(fund_type, funds) filter (where fund_type is not null) as types,
        jsonb_object_agg(fund_type, value::text) filter (where fund_type is not null and value is not null) as values,
        array_agg(fund_type order by fund_type) filter (where fund_type is not null) as list,
        (array_agg(fund_type order by value desc nulls last, funds desc, fund_type)
          filter (where fund_type is not null))[1] as dominant
      from type group by crd
    )
    select crd, coalesce(k.funds, 0) + coalesce(r.funds, 0) as funds, coalesce(k.untyped, 0) as untyped,
      coalesce(r.funds, 0) as reported, types, values, list, dominant
    from known k full join reported r using (crd)`
  await tx`analyze adv_mix`
}
