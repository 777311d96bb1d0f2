import { countOf } from '../../serve/count.ts'
import { evidenceOf } from '../../serve/evidence.ts'
import { type Filed, filedAs } from '../../serve/filed.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail, KINDS, Page } from './answers.ts'
import { EVENTS, type EventKind, factsOfKind } from './kinds.ts'

type Kind = (typeof KINDS)[number]

interface EventsParams extends Paged, Filed {
  kind: Kind
  /** Number of the item; only for kind `item`. */
  item?: string | undefined
  /** Kind of event; only for kind `officer`. */
  event?: string | undefined
}

const KEYS: Key[] = [
  { column: 'filed_date', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
]

/**
 * Items of the kinds whose list has every filing with the item. `officer` and `earnings` have two items each: the item
 * of today's Form 8-K, and the item of the form before August 2004.
 */
const ITEMS = { officer: ['5.02', '6'], earnings: ['2.02', '12'], delisting: ['3.01'] } as const

const isEvent = (kind: Kind): kind is EventKind => kind in EVENTS

/**
 * Returns the conditions for the rows of a kind: one condition for each item of the kind. A kind of `EVENTS` has only
 * one condition, since its table has the kind of each row.
 */
const wheresOf = (sql: Sql, kind: Kind, item: string | undefined): Fragment[] => {
  if (isEvent(kind)) return [sql`d.kind = ${kind}`]
  const items = kind === 'item' ? [item!] : ITEMS[kind]
  return items.map((each) => sql`d.item = ${each}`)
}

/**
 * Returns a page of filings with an item of the kind, newest first, in the order of the index of items. Includes
 * filings without any certain fact: a request for all officers should also list filings whose text was uncertain. A
 * kind of `EVENTS` lists only filings whose text names the event, since most items of such a kind report no such event.
 * The query is written by hand, because each kind reads its own items and fills its own member of the rows.
 */
export async function events(sql: Sql, { kind, item, event, from, to, cik, ...paged }: EventsParams): Promise<Page> {
  const filters = { kind, item, event, from, to, cik }
  const start = startOf({ list: 'eightk', sort: 'date', dir: 'desc', keys: KEYS, filters }, paged)
  // For one filer, the index of its reports gives the order, and each report is joined with its items. The requested
  // filer may be any filer of a joint report, for example of a parent and its subsidiaries (0000092122-05-000042).
  const of = cik ? 'r.' : 'd.'
  const [range] = rangesOf(sql, start, of)
  const order = sql.unsafe(orderBy(KEYS, 'd.'))
  const table = isEvent(kind) ? sql`eightk.event` : sql`eightk.item`
  const ofItems = (which: Fragment) => sql`
    from ${cik ? sql`eightk.filer r join ${table} d using (accession)` : sql`${table} d`}
    where ${which} ${filedAs(sql, filters, of)}
      ${event ? sql`and (select bool_or(o.event = ${event}) from eightk.officer o where o.accession = d.accession)` : sql``}`
  const wheres = wheresOf(sql, kind, item)
  const pages = wheres.map(
    (where) => sql`
      (select d.accession, d.filed_date, d.item ${ofItems(where)}
      and ${range!} order by ${sql.unsafe(orderBy(KEYS, of))} limit ${start.rowsMax + start.offset})`,
  )
  const found = await unnamed(sql<(Page['rows'][number] & Record<string, unknown>)[]>`
    select d.accession, ${namedFiler(sql, cik)}, ${countOfFilers(sql)}, f.form_type, d.filed_date, f.period_of_report, d.item,
      i.title, i.source, i.excerpt, ${partOf(sql, kind)}
    from (
      select * from (${pages.map((page, i) => (i > 0 ? sql` union all ${page}` : page))}) d
      order by ${order} limit ${start.rowsMax} offset ${start.offset}
    ) d
    join edgar.filing f on f.accession = d.accession
    join eightk.item i on i.accession = d.accession and i.item = d.item
    order by ${order}`)
  const either = wheres.map((where, i) => (i > 0 ? sql` or ${where}` : where))
  const counted = await countOf(sql, start, ofItems(sql`(${either})`), {
    event: {
      value: sql`(select array_agg(distinct o.event) from eightk.officer o where o.accession = d.accession)`,
      kind: 'list',
    },
    month: { value: sql`d.filed_date`, kind: 'day' },
  })
  return { kind, ...cut(start, found, counted) }
}

/** CIK and name of the requested filer, or of the first filer if no filer is requested. */
const namedFiler = (sql: Sql, cik: string | undefined): Fragment =>
  cik === undefined
    ? sql`f.cik, f.company_name`
    : sql`${cik}::text as cik, coalesce((
        select r.company_name from eightk.filer r
        where r.accession = f.accession and r.cik = ${cik}), f.company_name) as company_name`

const countOfFilers = (sql: Sql): Fragment => sql`
  (select count(*)::int from eightk.filer r where r.accession = f.accession) as filer_count`

function partOf(sql: Sql, kind: Kind): Fragment {
  const none = (name: string) => sql`null::json as ${sql(name)}`
  const own = sql`d.accession`
  return sql`
    ${kind === 'officer' ? sql`case when i.source <> 'header' then ${officersOf(sql, own)} end as officers` : none('officers')},
    ${kind === 'earnings' ? sql`${earningsOf(sql, own)} as earnings` : none('earnings')},
    ${kind === 'delisting' ? sql`${delistingOf(sql, own)} as delisting` : none('delisting')},
    ${isEvent(kind) && kind !== 'vote' ? sql`${factsOf(sql, own, kind)} as facts` : none('facts')},
    ${kind === 'vote' ? sql`${votesOf(sql, own)} as votes` : none('votes')}`
}

const factsOf = (sql: Sql, accession: Fragment, kind?: EventKind) => sql`(
  select coalesce(json_agg(x), '[]') from (
    select a.n, a.item, a.name, a.value, a.period, ${evidenceOf(sql, 'a')} as evidence
    from eightk.fact a where a.accession = ${accession} ${
      kind
        ? sql`and a.item = any(${EVENTS[kind].items as string[]}) and a.name = any(${factsOfKind(kind) as string[]})`
        : sql``
    } order by a.n) x)`

const votesOf = (sql: Sql, accession: Fragment) => sql`(
  select coalesce(json_agg(x), '[]') from (
    select v.n, v.proposal, v.title, v.nominee, trim_scale(v.votes_for)::text as votes_for,
      trim_scale(v.votes_against)::text as votes_against, trim_scale(v.votes_withheld)::text as votes_withheld,
      trim_scale(v.abstained)::text as abstained, trim_scale(v.broker_non_votes)::text as broker_non_votes,
      trim_scale(v.one_year)::text as one_year, trim_scale(v.two_years)::text as two_years,
      trim_scale(v.three_years)::text as three_years, ${evidenceOf(sql, 'v')} as evidence
    from eightk.vote v where v.accession = ${accession} order by v.n) x)`

const officersOf = (sql: Sql, accession: Fragment) => sql`(
  select coalesce(json_agg(x), '[]') from (
    select o.n, o.name, o.title, o.event, o.event_date, o.effective_date, ${evidenceOf(sql, 'o')} as evidence
    from eightk.officer o where o.accession = ${accession} order by o.n) x)`

/** Returns decimals as text, since a JSON number would lose digits. */
const earningsOf = (sql: Sql, accession: Fragment) => {
  // Without trailing zeros, like the same figure of the headline ("$0.10" in 0001144204-07-020827).
  const figureOf = (name: string) => sql`trim_scale((max(a.value) filter (where a.name = ${name}))::numeric)::text`
  return sql`(
  select row_to_json(x) from (
    select e.item, e.period, e.period_end, e.release_sequence, e.release_exhibit, trim_scale(e.revenue)::text as revenue,
      trim_scale(e.net_income)::text as net_income, trim_scale(e.eps_diluted)::text as eps_diluted, (
        select coalesce(json_agg(p.part order by p.period is distinct from e.period, p.first), '[]') from (
          select a.period, min(a.n) as first, json_build_object('period', a.period, 'period_end', e.period_end,
            'revenue', ${figureOf('revenue')},
            'net_income', ${figureOf('net_income')},
            'eps_diluted', ${figureOf('eps_diluted')}) as part
          from eightk.fact a where a.accession = e.accession and a.period is not null group by a.period) p) as periods
    from eightk.earnings e where e.accession = ${accession}) x)`
}

const delistingOf = (sql: Sql, accession: Fragment) => sql`(
  select row_to_json(x) from (
    select l.exchange, l.rules, l.reason, l.notice_date, l.deadline
    from eightk.delisting l where l.accession = ${accession}) x)`

/**
 * Returns one current report with all its parts; null if it was not read. The query is written by hand, because half of
 * the parts are shared with the list or come from tables of the schema `edgar`. A declaration would be longer.
 */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const own = sql`f.accession`
  const [row] = await sql<[Detail?]>`
    select (select row_to_json(x) from (
        select g.accession, g.cik, g.company_name, ${countOfFilers(sql)}, g.form_type, g.filed_date, g.period_of_report, f.items, f.items_differ,
          f.left_out_count, f.left_out) x) as filing,
      (select coalesce(json_agg(x), '[]') from (
        select i.item, i.title, i.source, i.description, i.sequence, i.excerpt
        from eightk.item i where i.accession = ${own} order by i.item::numeric) x) as items,
      (select coalesce(json_agg(x), '[]') from (
        select s.n, s.item, s.heading, s.sequence, s.start, s.text_start, s.stop, s.text, s.excerpt, s.exhibits
        from eightk.section s where s.accession = ${own} order by s.n) x) as sections,
      ${officersOf(sql, own)} as officers, ${earningsOf(sql, own)} as earnings, ${delistingOf(sql, own)} as delisting,
      ${votesOf(sql, own)} as votes, ${factsOf(sql, own)} as facts,
      (select coalesce(json_agg(json_build_object('sequence', d -> 'seq', 'type', d -> 'type',
          'description', d -> 'description', 'filename', d -> 'filename') order by (d ->> 'seq')::int), '[]')
        from edgar.submission s, jsonb_array_elements(s.documents) d
        where s.accession = ${own} and d ->> 'type' ilike 'EX-%') as exhibits
    from eightk.filing f join edgar.filing g on g.accession = f.accession
    where f.accession = ${accession}`
  return row ?? null
}
