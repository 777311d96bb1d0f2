/** SQL of the list of advisers. */

import { filterOf, type NameFilter } from '../../names.ts'
import { fold } from '../../read/fold.ts'
import { unnamed } from '../../serve/page.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import type { AdviserPage } from './answers.ts'
import { ADVISERS } from './named.ts'
import { fundsByType, fundsRest } from './queries-funds.ts'

export const SORTS = ['raum', 'date', 'name'] as const

interface Asked {
  /** A name of the firm, or part of the one shown. */
  q?: string | undefined
  /** Upper-case codes. */
  state?: readonly string[] | undefined
  adviserType?: string | undefined
  /** As stored: Hedge Fund. */
  fundType?: string | undefined
  excludeTerminated: boolean
  hasDisciplinary?: boolean | undefined
  sort: (typeof SORTS)[number]
  order: 'asc' | 'desc'
  limit: number
  offset: number
}

/** The CRD number makes every order total. Each is an index read; unknown assets and dates come last either way. */
const ORDERS = {
  raum: { asc: 'a.latest_raum asc nulls last, a.crd', desc: 'a.latest_raum desc nulls last, a.crd' },
  date: { asc: 'a.latest_filing_date asc nulls last, a.crd', desc: 'a.latest_filing_date desc nulls last, a.crd' },
  name: { asc: 'a.name_key, a.crd', desc: 'a.name_key desc, a.crd desc' },
} as const

/** A page of advisers, and how many match in all. */
export async function list(sql: Sql, asked: Asked): Promise<AdviserPage> {
  const { q, limit, offset } = asked
  if (q !== undefined) return listNamed(sql, asked, await filterOf(sql, ADVISERS, fold(q)))
  const [total, rows] = await Promise.all([
    count(sql, asked),
    unnamed(sql<AdviserPage['rows']>`${page(sql, asked, sql`select a.crd ${matching(sql, asked, null)}`, sql``)}`),
  ])
  return { rows: [...rows], total, limit, offset }
}

/** The names are looked up once, for the page and for the total. */
async function listNamed(sql: Sql, asked: Asked, name: NameFilter): Promise<AdviserPage> {
  const { limit, offset } = asked
  const crds = sql`select a.crd, count(*) over ()::int as total ${matching(sql, asked, name)}`
  const rows = await unnamed(
    sql<(AdviserPage['rows'][number] & { total: number })[]>`${page(sql, asked, crds, sql`, p.total`)}`,
  )
  const beyond = rows.length === 0 && offset > 0
  const total = beyond ? await countNamed(sql, asked, name) : (rows[0]?.total ?? 0)
  return { rows: rows.map(({ total: _, ...row }) => row), total, limit, offset }
}

/** Answer rows of a page of the advisers whose CRD numbers are selected. */
function page(sql: Sql, { sort, order, limit, offset }: Asked, crds: Fragment, more: Fragment): Fragment {
  const by = sql.unsafe(ORDERS[sort][order])
  return sql`
    select a.crd as id, a.crd, a.adviser_type, a.firm_name, a.city, a.state, a.country, a.latest_raum,
      a.latest_filing_date, a.has_disciplinary, a.fund_count, ${fundsByType(sql)} as funds_by_type,
      ${fundsRest(sql)} as funds_rest, a.sec_file_number, a.registration_status, a.is_terminated ${more}
    from (${crds} order by ${by} limit ${limit} offset ${offset}) p
    join adv.adviser a using (crd)
    order by ${by}`
}

async function countNamed(sql: Sql, asked: Asked, name: NameFilter): Promise<number> {
  const [row] = await unnamed(sql<{ total: number }[]>`select count(*)::int as total ${matching(sql, asked, name)}`)
  return row!.total
}

/** Firms whose shown name holds the text, or of whose names one has the words; each is found in an index of its own. */
function matching(sql: Sql, asked: Asked, name: NameFilter | null) {
  if (!name) return sql`from adv.adviser a where ${filters(sql, asked)}`
  const words = name.words ? sql`union select n.crd from adv.search_name n where ${name.words(sql)}` : sql``
  return sql`
    from (select a.crd from adv.adviser a where ${name.holds(sql, sql`a.name_key`)} ${words}) named
    join adv.adviser a using (crd) where ${filters(sql, asked)}`
}

/** Without a name a sum of tallies, a few hundred rows however many advisers there are. */
async function count(sql: Sql, asked: Asked): Promise<number> {
  const { state, adviserType, fundType, excludeTerminated, hasDisciplinary } = asked
  const [row] = await unnamed(sql<{ total: number }[]>`
    select coalesce(sum(advisers), 0)::int as total from adv.adviser_tally
    where fund_type = ${fundType ?? ''}
      ${state ? sql`and state = any(${state as string[]})` : sql``}
      ${adviserType ? sql`and adviser_type = ${adviserType}` : sql``}
      ${excludeTerminated ? sql`and not is_terminated` : sql``}
      ${hasDisciplinary === undefined ? sql`` : sql`and disciplinary = ${hasDisciplinary ? 'yes' : 'no'}`}`)
  return row!.total
}

function filters(sql: Sql, { state, adviserType, fundType, excludeTerminated, hasDisciplinary }: Asked) {
  return sql`true
    ${state ? sql`and ${state.length === 1 ? sql`a.state = ${state[0]!}` : sql`a.state = any(${state as string[]})`}` : sql``}
    ${adviserType ? sql`and a.adviser_type = ${adviserType}` : sql``}
    ${fundType ? sql`and a.fund_type_list @> array[${fundType}]::text[]` : sql``}
    ${excludeTerminated ? sql`and not a.is_terminated` : sql``}
    ${hasDisciplinary === undefined ? sql`` : sql`and a.has_disciplinary = ${hasDisciplinary}`}`
}
