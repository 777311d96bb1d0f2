/**
 * SQL of a firm's profile: one statement for the core and one for each section, for any number of funds. The database
 * makes the JSON, and the server passes it through.
 */

import { JsonText } from '../../../declare/route.ts'
import { type Columns, columnType } from '../../../declare/table.ts'
import type { Sources } from '../../../declare/view.ts'
import { missingOf } from '../../../serve/loaded.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import {
  accounts,
  branches,
  disclosures,
  filed,
  funds,
  links,
  people,
  providers,
  reported,
  SECTIONS,
  type Section,
  withdrawals,
} from '../sections.ts'
import { fundsByType, fundsRest } from './funds.ts'

/** Returns the profile with the requested sections; null for an unknown firm. */
export async function profile(
  sql: Sql,
  crd: string,
  include: readonly Section[],
  sources: Sources,
): Promise<JsonText | null> {
  const [head, missing, ...parts] = await Promise.all([
    core(sql, crd),
    missingOf(sql, sources),
    ...include.map((section) => READERS[section](sql, crd)),
  ])
  if (!head) return null
  const members = [
    `"adviser":${head.adviser}`,
    `"latest_filing":${head.latest_filing}`,
    `"funds_total":${head.funds_total}`,
    `"funds_by_type":${head.funds_by_type}`,
    `"funds_rest":${head.funds_rest}`,
    `"fund_values_by_type":${head.fund_values}`,
    `"dominant_fund_type":${head.dominant_fund_type}`,
    `"registrations":${head.registrations}`,
    `"sections":{"available":${JSON.stringify(SECTIONS)},"included":${JSON.stringify(include)},"read_from":[${parts.map(({ filing }) => filing)}]}`,
    ...include.flatMap((section, at) => [`"${section}":${parts[at]!.rows}`, ...parts[at]!.more]),
    ...(missing.length > 0 ? [`"not_loaded":${JSON.stringify(missing)}`] : []),
  ]
  return new JsonText(`{${members.join(',')}}`)
}

interface Core {
  /** The core of a profile; each member is JSON. */
  adviser: string
  latest_filing: string
  funds_total: string
  funds_by_type: string
  funds_rest: string
  fund_values: string
  dominant_fund_type: string
  registrations: string
}

/** Maximum lengths of the lists in the core, to keep the core within a few KB. The section `linked` has all entries. */
export const ADDRESSES_MAX = 20
export const NAMES_MAX = 10

async function core(sql: Sql, crd: string): Promise<Core | undefined> {
  const [row] = await sql<[Core?]>`
    select
      (select row_to_json(x)::text from (select
        a.crd as id, a.crd, a.sec_file_number, a.adviser_type, a.firm_name, a.legal_name, a.business_name,
        a.registration_status, a.registration_date, a.is_terminated, a.terminated_on, a.feed,
        a.street, a.city, a.state, a.country, a.postal_code as zip, a.phone, a.fax, a.mailing_address,
        a.lat, a.lng, a.has_website, a.primary_website, a.has_web_addresses,
        ${ofWeb(sql, sql`a.web_addresses[1:${ADDRESSES_MAX}]`, sql`'{}'`)} as web_addresses,
        ${ofWeb(sql, sql`cardinality(a.web_addresses)`, sql`0`)} as web_address_count,
        ${ofWeb(sql, sql`a.social_addresses[1:${ADDRESSES_MAX}]`, sql`'{}'`)} as social_addresses,
        ${ofWeb(sql, sql`cardinality(a.social_addresses)`, sql`0`)} as social_address_count, a.lei, a.execution_type, a.employees,
        a.latest_raum::text as latest_raum, a.private_fund_assets::text as private_fund_assets,
        a.first_filing_date, a.latest_filing_date,
        ${formerNames(sql, NAMES_MAX)} as former_names,
        (select count(*)::int from adv.former_name where crd = a.crd) as former_name_count, ${valueSources(sql)} as sources
      ) x) as adviser,
      (select row_to_json(x)::text from (select
        a.latest_id as id, a.latest_filing_id as filing_id, a.latest_filing_date as filing_date,
        a.latest_filing_type as filing_type, a.form_version, a.total_clients,
        a.discretionary_aum::text as discretionary_aum, a.non_discretionary_aum::text as non_discretionary_aum,
        a.latest_raum::text as total_raum, a.total_accounts,
        a.accounts_discretionary, a.accounts_non_discretionary, a.gives_continuous_supervision, a.total_assets,
        a.clients_individuals, a.clients_hnw, a.clients_banks, a.clients_investment_cos, a.clients_pooled,
        a.clients_other, a.clients, a.client_shares,
        a.comp_pct_aum, a.comp_hourly, a.comp_subscription, a.comp_fixed, a.comp_commissions, a.comp_performance,
        a.comp_other,
        a.serves_individuals, a.serves_hnw, a.serves_investment_cos, a.serves_pooled, a.serves_pensions,
        a.serves_charities, a.serves_corps, a.serves_state_municipal, a.serves_other,
        a.employees, a.advisory_employees, a.advises_private_funds, a.has_disciplinary
      ) x) as latest_filing,
      coalesce(a.fund_count::text, 'null') as funds_total,
      (${fundsByType(sql)})::text as funds_by_type, (${fundsRest(sql)})::text as funds_rest,
      a.fund_values::text as fund_values, coalesce(to_json(a.dominant_fund_type)::text, 'null') as dominant_fund_type,
      ${registrations(sql)}::text as registrations
    from adv.adviser a where a.crd = ${crd}`
  return row
}

/**
 * Selects the source of each value of `a`, under the names that the answer uses. For example, two columns form the
 * answer's `street`.
 */
const valueSources = (sql: Sql) => sql`(
  select coalesce(jsonb_object_agg(
    case s.key when 'street1' then 'street' when 'street2' then 'street' when 'postal_code' then 'zip'
      when 'fund_count' then 'funds_total' else s.key end, s.value order by s.key desc), '{}')
  from jsonb_each_text(a.sources) s)`

/**
 * Selects data of Item 1.I of `a`, or the given empty value. If the item is unknown, `has_website` is null, and the
 * result is null.
 */
const ofWeb = (sql: Sql, given: Fragment, none: Fragment) =>
  sql`case when a.has_website is not null then coalesce(${given}, ${none}) end`

/** Selects the former names of `a`, newest first. */
const formerNames = (sql: Sql, max: number | null) => sql`(
  select coalesce(json_agg(f), '[]') from (
    select name, kinds, from_day as "from", to_day as "to", source from adv.former_name where crd = a.crd
    order by to_day desc nulls first, from_day desc, name_key limit ${max}
  ) f)`

/**
 * Selects the registration of `a` in each feed: the current one, or the last one if the feed no longer shows the firm.
 */
const registrations = (sql: Sql) => sql`(
  select coalesce(json_agg(m order by m.gone_on nulls first, m.feed), '[]') from (
    select m.feed, concat_ws(' ', m.feed, coalesce(r.changed_day, m.filing_date)) as source, r.first_day as shown_since,
      r.gone_day as gone_on, m.sec_number as sec_file_number, m.sec_region,
      case upper(m.umbrella) when 'Y' then true when 'N' then false end as is_umbrella,
      m.registration_type as type, m.registration_status as status, m.registration_date as status_date, m.filing_date,
      m.form_version, m.notice_filings, m.state_registrations, m.era_states
    from adv.firm m left join bulk.record r on r.series = m.feed and r.key = m.crd
    where m.crd = a.crd
  ) m)`

/** One section of the answer; each member is a text of JSON. */
interface Part {
  rows: string
  /** Filing that the section was read from, as JSON. */
  filing: string
  /** Further members of the answer that accompany the section. */
  more: string[]
}

type Reader = (sql: Sql, crd: string) => Promise<Part>

const READERS: Readonly<Record<Section, Reader>> = {
  filings: (sql, crd) =>
    read(sql, crd, 'filings', 'newest', {
      rows: sql`
        select ${columns(sql, filed)}, t.filing_type, t.fiscal_year
        from adv.filing t0 cross join lateral (
          select string_agg(array_to_string(types, '; '), '; ' order by n) as filing_type, max(fiscal_year) as fiscal_year
          from adv.filing_type t where t.filing_id = t0.filing_id
        ) t
        where t0.crd = a.crd order by t0.submitted_date desc nulls last, length(t0.filing_id) desc, t0.filing_id desc, t0.form`,
      more: sql`'withdrawals', ${listed(
        sql,
        sql`
        select ${columns(sql, withdrawals)}, (
          select coalesce(json_agg(json_build_object('member', l.member, 'details', l.details) order by l.n), '[]')
          from adv.withdrawal_line l where l.filing_id = t0.filing_id
        ) as lines
        from adv.withdrawal t0 where t0.crd = a.crd order by date desc nulls last, filing_id desc`,
      )}`,
    }),
  // A fund occurs twice if its filing is both in the files of registered advisers and in those of exempt ones. Only its
  // first line is selected.
  funds: (sql, crd) =>
    read(sql, crd, 'funds', 'schedules', {
      rows: sql`
        select ${columns(sql, funds)} from (
          select distinct on (reference_id, fund_id, name) * from adv.fund
          where filing_id = s.filing_id order by reference_id, fund_id, name, n
        ) t0 order by n`,
      more: sql`'reported_funds', ${listed(sql, lines(sql, sql`adv.fund_reported`, reported))}`,
    }),
  service_providers: (sql, crd) => read(sql, crd, 'service_providers', 'schedules', { rows: ofProviders(sql) }),
  drp: (sql, crd) => read(sql, crd, 'drp', 'schedules', { rows: lines(sql, sql`adv.disclosure`, disclosures) }),
  people: (sql, crd) => read(sql, crd, 'people', 'schedules', { rows: lines(sql, sql`adv.owner`, people) }),
  branches: (sql, crd) => read(sql, crd, 'branches', 'schedules', { rows: lines(sql, sql`adv.branch`, branches) }),
  part1a: (sql, crd) =>
    read(sql, crd, 'part1a', 'newest', {
      rows: sql`(${answers(sql, sql`s`)}) union all (${shownAnswers(sql)})`,
      more: sql`'part1a_schedules', (
        select json_build_object('filing_id', o.filing_id, 'filing_date', o.filing_date, 'rows', ${listed(sql, answers(sql, sql`o`))})
        from (
          select case when s.filing_id is null then a.schedule_filing_id end as filing_id, case when s.filing_id is null
            then (select min(submitted_date) from adv.filing where filing_id = a.schedule_filing_id) end as filing_date
        ) o)`,
    }),
  sma: (sql, crd) => read(sql, crd, 'sma', 'schedules', { rows: lines(sql, sql`adv.sma`, accounts) }),
  linked: (sql, crd) =>
    read(sql, crd, 'linked', 'schedules', {
      rows: lines(sql, sql`adv.related`, links),
      more: sql`'linked_filers', ${listed(
        sql,
        sql`
        select cik, method, confidence, basis from pub.links_link t0
        where t0.crd = a.crd order by confidence desc, cik, method`,
      )}, 'web_addresses', ${ofWeb(sql, sql`a.web_addresses`, sql`'{}'`)},
        'social_addresses', ${ofWeb(sql, sql`a.social_addresses`, sql`'{}'`)}, 'former_names', ${formerNames(sql, null)}`,
    }),
}

/** Selects the rows of a query as one JSON array. */
const listed = (sql: Sql, rows: Fragment) => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`

/**
 * Reads one section.
 *
 * @param of selects the filing that is read: the newest filing, or the newest filing in the data files, since only data
 * files have the schedules
 * @param rows query for the rows of the section, which refers to the adviser as `a` and to the filing as `s`
 * @param more further members of the answer, as arguments of json_build_object
 */
async function read(
  sql: Sql,
  crd: string,
  name: Section,
  of: 'newest' | 'schedules',
  { rows, more = sql`` }: { rows: Fragment; more?: Fragment },
): Promise<Part> {
  const filing =
    of === 'newest'
      ? sql`select a.latest_filing_id as filing_id, a.latest_filing_date as filing_date,
          case when a.latest_filing_id is null then a.feed else 'ADV_FILING_DATA' end as source`
      : sql`select a.schedule_filing_id as filing_id,
          (select min(submitted_date) from adv.filing where filing_id = a.schedule_filing_id) as filing_date,
          case when a.schedule_filing_id is not null then 'ADV_FILING_DATA' end as source`
  const [row] = await sql<[{ rows: string; filing: string; more: string }?]>`
    select ${listed(sql, rows)}::text as rows, json_build_object('name', ${name}::text, 'filing_id', s.filing_id,
        'filing_date', s.filing_date, 'source', s.source)::text as filing,
      json_build_object(${more})::text as more
    from adv.adviser a cross join lateral (${filing}) s where a.crd = ${crd}`
  if (!row) return { rows: '[]', filing: '{}', more: [] }
  const members = row.more.slice(1, -1)
  return { rows: row.rows, filing: row.filing, more: members.trim() === '' ? [] : [members] }
}

/**
 * Selects lines of the filing in their order. Merges identical lines, since a filing can be both in the files of
 * registered advisers and in those of exempt ones.
 */
function lines(sql: Sql, table: Fragment, shown: Columns): Fragment {
  const names = sql.unsafe(Object.keys(shown).join(', '))
  return sql`
    select ${columns(sql, shown)} from (
      select ${names}, min(n) as n from ${table} where filing_id = s.filing_id group by ${names}
    ) t0 order by n`
}

/** Selects columns of `t0`, with exact decimals as text, so that JSON parsers do not round them. */
function columns(sql: Sql, shown: Columns) {
  return sql.unsafe(
    Object.entries(shown)
      .map(([name, type]) => `t0.${name}${columnType(type)?.postgres === 'numeric' ? `::text as ${name}` : ''}`)
      .join(', '),
  )
}

/** Keys of a provider's line that identify the fund and not the provider. */
const KEYS = ['FilingID', 'Filing ID', 'ReferenceID', 'Reference ID', 'SubreferenceID', 'Subreference ID']

function ofProviders(sql: Sql): Fragment {
  const own = sql.unsafe(
    Object.keys(providers)
      .filter((name) => name !== 'details')
      .join(', '),
  )
  return sql`
    select ${own}, details, count(distinct (reference_id, fund_id))::int as fund_count,
      coalesce(array_agg(distinct fund_id order by fund_id) filter (where fund_id is not null), '{}') as fund_ids
    from (
      select ${sql.unsafe(
        Object.keys(providers)
          .filter((name) => name !== 'details')
          .map((name) => `p.${name}`)
          .join(', '),
      )},
        p.details - ${KEYS}::text[] as details, p.reference_id, f.fund_id
      from adv.fund_provider p left join (
        select distinct on (reference_id) reference_id, fund_id from adv.fund
        where filing_id = s.filing_id order by reference_id, n
      ) f using (reference_id)
      where p.filing_id = s.filing_id
    ) t0
    group by ${own}, details order by kind, fund_count desc, name, details`
}

/**
 * Selects the answers of the filing `of` as filed, one row for each line of a file: first Part 1A, then the lines
 * without tables of their own.
 */
const answers = (sql: Sql, of: Fragment) => sql`
  select member, as_filed from (
    select 1 as place, case form when 'IA' then 'IA_ADV_Base_A' else 'ERA_ADV_Base' end as member, 1 as n, base_a as as_filed
    from adv.filing where filing_id = ${of}.filing_id
    union all
    select 2, member, n, as_filed from adv.filing_more where filing_id = ${of}.filing_id
    union all
    select 3, member, n, details from adv.schedule_line where filing_id = ${of}.filing_id
    order by place, member, n
  ) t0`

/** Selects the feed's data about a filing that is in a feed but not in the data files. */
const shownAnswers = (sql: Sql) => sql`
  select feed as member, as_filed from adv.firm t0
  where s.filing_id is null and t0.crd = a.crd and t0.filing_date is not distinct from a.latest_filing_date
  order by feed`
