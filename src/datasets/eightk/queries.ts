import { countOf } from '../../serve/count.ts'
import { cut, type Key, orderBy, type Paged, rangesOf, startOf } from '../../serve/keyset.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { Detail, KINDS, Page } from './answers.ts'

type Kind = (typeof KINDS)[number]

interface EventsParams extends Paged {
  kind: Kind
  /** Used with kind `item`. */
  item?: string | undefined
}

const KEYS: Key[] = [
  { column: 'filed_date', dir: 'desc', type: 'date' },
  { column: 'accession', dir: 'desc', type: 'text' },
]

/** Items of each kind; those of officers and of results in both numberings. */
const ITEMS = { officer: ['5.02', '6'], earnings: ['2.02', '12'], delisting: ['3.01'] } as const

/**
 * Returns a page of filings with an item of the kind, newest first, from the index of items in that order. Includes
 * filings without any certain fact: a request for all officers also wants filings of which nothing was read.
 */
export async function events(sql: Sql, { kind, item, ...paged }: EventsParams): Promise<Page> {
  const start = startOf({ list: 'eightk', sort: 'date', dir: 'desc', keys: KEYS, filters: { kind, item } }, paged)
  const [range] = rangesOf(sql, start, 'd.')
  const order = sql.unsafe(orderBy(KEYS, 'd.'))
  const items = kind === 'item' ? [item!] : ITEMS[kind]
  const pages = items.map(
    (each) => sql`
      (select d.accession, d.filed_date, d.item, d.title, d.source, d.excerpt from eightk.item d
      where d.item = ${each} and ${range!} order by ${order} limit ${start.rowsMax + start.offset})`,
  )
  const found = await unnamed(sql<(Page['rows'][number] & Record<string, unknown>)[]>`
    select d.accession, f.cik, f.company_name, f.form_type, d.filed_date, f.period_of_report, d.item, d.title, d.source,
      d.excerpt, ${partOf(sql, kind)}
    from (
      select * from (${pages.map((page, i) => (i > 0 ? sql` union all ${page}` : page))}) d
      order by ${order} limit ${start.rowsMax} offset ${start.offset}
    ) d
    join edgar.filing f on f.accession = d.accession
    order by ${order}`)
  const counted = await countOf(sql, start, sql`from eightk.item d where d.item = any(${items as string[]})`)
  return { kind, ...cut(start, found, counted) }
}

function partOf(sql: Sql, kind: Kind): Fragment {
  const none = (name: string) => sql`null::jsonb as ${sql(name)}`
  const own = sql`d.accession`
  return sql`
    ${kind === 'officer' ? sql`case when d.source <> 'header' then ${officersOf(sql, own)} end as officers` : none('officers')},
    ${kind === 'earnings' ? sql`${earningsOf(sql, own)} as earnings` : none('earnings')},
    ${kind === 'delisting' ? sql`${delistingOf(sql, own)} as delisting` : none('delisting')}`
}

const officersOf = (sql: Sql, accession: Fragment) => sql`(
  select coalesce(jsonb_agg(to_jsonb(o) - 'accession' order by o.n), '[]') from eightk.officer o
  where o.accession = ${accession})`

/** Decimals as text: a JSON number would lose digits. */
const earningsOf = (sql: Sql, accession: Fragment) => sql`(
  select to_jsonb(e) - array['accession', 'filed_date'] || jsonb_build_object(
    'revenue', trim_scale(e.revenue)::text, 'net_income', trim_scale(e.net_income)::text,
    'eps_diluted', trim_scale(e.eps_diluted)::text)
  from eightk.earnings e where e.accession = ${accession})`

const delistingOf = (sql: Sql, accession: Fragment) => sql`(
  select to_jsonb(l) - array['accession', 'filed_date'] from eightk.delisting l where l.accession = ${accession})`

/** Returns one current report with all its parts; null if it was not read. */
export async function detail(sql: Sql, accession: string): Promise<Detail | null> {
  const own = sql`f.accession`
  const [row] = await sql<[Detail?]>`
    select (select to_jsonb(x) from (
        select g.accession, g.cik, g.company_name, g.form_type, g.filed_date, g.period_of_report, f.items, f.items_differ,
          f.left_out) x) as filing,
      (select coalesce(jsonb_agg(to_jsonb(i) - array['accession', 'filed_date'] order by i.item::numeric), '[]')
        from eightk.item i where i.accession = ${own}) as items,
      (select coalesce(jsonb_agg(to_jsonb(s) - 'accession' order by s.n), '[]')
        from eightk.section s where s.accession = ${own}) as sections,
      ${officersOf(sql, own)} as officers, ${earningsOf(sql, own)} as earnings, ${delistingOf(sql, own)} as delisting,
      (select coalesce(jsonb_agg(to_jsonb(a) - 'accession' order by a.n), '[]')
        from eightk.fact a where a.accession = ${own}) as facts,
      (select coalesce(jsonb_agg(jsonb_build_object('sequence', d -> 'seq', 'type', d -> 'type',
          'description', d -> 'description', 'filename', d -> 'filename') order by (d ->> 'seq')::int), '[]')
        from edgar.submission s, jsonb_array_elements(s.documents) d
        where s.accession = ${own} and d ->> 'type' ilike 'EX-%') as exhibits
    from eightk.filing f join edgar.filing g on g.accession = f.accession
    where f.accession = ${accession}`
  return row ?? null
}
