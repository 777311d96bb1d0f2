/** SQL of the list of advisers. */

import { filterOf, type NameFilter } from '../../../names.ts'
import { fold } from '../../../read/fold.ts'
import { alwaysCounted, type CountField, countsBy } from '../../../serve/count.ts'
import {
  conditionOf,
  cut,
  type Key,
  merged,
  orderBy,
  type Paged,
  type Start,
  startOf,
  type ValueCount,
} from '../../../serve/keyset.ts'
import { unnamed } from '../../../serve/page.ts'
import { assertStates } from '../../../serve/states.ts'
import type { Fragment, Sql } from '../../../store/db.ts'
import type { AdviserPage } from '../answers.ts'
import { ADVISERS } from '../named.ts'
import { fundsByType, fundsRest } from './funds.ts'

export const SORTS = ['raum', 'date', 'name'] as const

/** Fields by which advisers are counted. */
export const COUNTS = ['state', 'adviser_type', 'fund_type'] as const
type By = (typeof COUNTS)[number]

interface ListParams extends Paged {
  /** Words of any of the firm's names, or part of the shown name. */
  q?: string | undefined
  /** Codes of states, in capitals. */
  state?: readonly string[] | undefined
  adviserType?: string | undefined
  /** Type of private fund as stored: Hedge Fund. */
  fundType?: string | undefined
  excludeTerminated: boolean
  hasDisciplinary?: boolean | undefined
  /** Minimum regulatory assets, US dollars. */
  minRaum?: number | undefined
  sort: (typeof SORTS)[number]
  order: 'asc' | 'desc'
}

/**
 * Returns the keys of an order. The last key is the CRD number, so that no two firms are equal. An index serves each
 * order; unknown assets and dates come last in either direction.
 */
function keysOf({ sort, order: dir }: Pick<ListParams, 'sort' | 'order'>): Key[] {
  if (sort === 'name') {
    return [
      { column: 'name_key', dir, type: 'text' },
      { column: 'crd', dir, type: 'text' },
    ]
  }
  const first: Key =
    sort === 'raum'
      ? { column: 'latest_raum', dir, type: 'amount', nullable: true }
      : { column: 'latest_filing_date', dir, type: 'date', nullable: true }
  return [first, { column: 'crd', dir: 'asc', type: 'text' }]
}

type ListRow = AdviserPage['rows'][number] & { name_key: string }

/** Returns a page of advisers, and the number of matches. */
export async function list(sql: Sql, params: ListParams): Promise<AdviserPage> {
  const { sort, order, limit, offset, paginate: _, cursor, count, ...filters } = params
  await assertStates(sql, filters.state, ['adv.adviser'])
  const walk = { list: 'adv_list', sort, dir: order, keys: keysOf(params), filters }
  const start = startOf(walk, { limit, offset, cursor, count })
  const named = filters.q === undefined ? null : await filterOf(sql, ADVISERS, fold(filters.q))
  const [found, total] = named ? await ofNamed(sql, params, start, named) : await ofAll(sql, params, start)
  const by = start.after === null ? COUNTS.find((name) => name === count) : undefined
  const counts = by && { value_counts: await countBy(sql, params, named, by) }
  const { rows, next_cursor, ...totals } = cut(start, found, { ...alwaysCounted(start, total), ...counts })
  return { rows: rows.map(({ name_key: _, ...row }) => row), ...totals, limit, offset, next_cursor }
}

async function ofAll(sql: Sql, params: ListParams, start: Start): Promise<[ListRow[], number]> {
  const columns = sql.unsafe(start.walk.keys.map(({ column }) => `a.${column}`).join(', '))
  const select = sql`select ${columns} ${matching(sql, params, null)}`
  const [total, rows] = await Promise.all([
    start.total ?? (params.minRaum === undefined ? count(sql, params) : countEach(sql, params, null)),
    unnamed(sql<ListRow[]>`${page(sql, start, sql`select a.crd from ${merged(sql, start, select, 'a.')} a`, sql``)}`),
  ])
  return [[...rows], total]
}

/** Returns the page and the total of a search by name, with only one look-up of the names. */
async function ofNamed(sql: Sql, params: ListParams, start: Start, name: NameFilter): Promise<[ListRow[], number]> {
  const counted = start.total === null ? sql`count(*) over ()::int` : sql`${start.total}::int`
  const crds = sql`select a.crd, ${counted} as total ${matching(sql, params, name)} and ${conditionOf(sql, start, 'a.')}`
  const rows = await unnamed(sql<(ListRow & { total: number })[]>`${page(sql, start, crds, sql`, p.total`)}`)
  const beyond = rows.length === 0 && start.offset > 0
  const total = beyond ? await countEach(sql, params, name) : (start.total ?? rows[0]?.total ?? 0)
  return [rows.map(({ total: _, ...row }) => row), total]
}

/** Returns the answer rows of a page, for advisers whose CRD numbers are selected. */
function page(sql: Sql, { walk, offset, rowsMax }: Start, crds: Fragment, more: Fragment): Fragment {
  const by = sql.unsafe(orderBy(walk.keys, 'a.'))
  return sql`
    select a.crd as id, a.crd, a.adviser_type, a.firm_name, a.city, a.state, a.country, a.latest_raum,
      a.latest_filing_date, a.has_disciplinary, a.fund_count, ${fundsByType(sql)} as funds_by_type,
      ${fundsRest(sql)} as funds_rest, a.sec_file_number, a.registration_status, a.is_terminated, a.name_key ${more}
    from (${crds} order by ${by} limit ${rowsMax} offset ${offset}) p
    join adv.adviser a using (crd)
    order by ${by}`
}

async function countEach(sql: Sql, params: ListParams, name: NameFilter | null): Promise<number> {
  const [row] = await unnamed(sql<{ total: number }[]>`select count(*)::int as total ${matching(sql, params, name)}`)
  return row!.total
}

/**
 * Selects firms whose shown name contains the text, or that have a name with the words. Each of the two conditions uses
 * its own index.
 */
function matching(sql: Sql, params: ListParams, name: NameFilter | null) {
  if (!name) return sql`from adv.adviser a where ${filters(sql, params)}`
  const words = name.words ? sql`union select n.crd from adv.search_name n where ${name.words(sql)}` : sql``
  return sql`
    from (select a.crd from adv.adviser a where ${name.holds(sql, sql`a.name_key`)} ${words}) named
    join adv.adviser a using (crd) where ${filters(sql, params)}`
}

/**
 * Counts the matches of a request that filters neither by name nor by assets. Sums the tallies: these are a few hundred
 * rows for any number of advisers.
 */
async function count(sql: Sql, params: ListParams): Promise<number> {
  const [row] = await unnamed(sql<{ total: number }[]>`
    select coalesce(sum(advisers), 0)::int as total from adv.adviser_tally
    where fund_type = ${params.fundType ?? ''} ${tallied(sql, params)}`)
  return row!.total
}

/**
 * Counts advisers by the values of one field. A row of the tally has only one type of fund, so a count by type of fund
 * that also filters by type of fund reads the table of advisers instead. So does a request that filters by name or by
 * assets.
 */
async function countBy(sql: Sql, params: ListParams, name: NameFilter | null, by: By): Promise<ValueCount[]> {
  const { fundType, minRaum } = params
  if (name || minRaum !== undefined || (by === 'fund_type' && fundType)) {
    const column = sql.unsafe(by === 'fund_type' ? 'a.fund_type_list' : `a.${by}`)
    const field: CountField = { value: column, ...(by === 'fund_type' && { kind: 'list' }) }
    return countsBy(sql, matching(sql, params, name), field)
  }
  const ofFunds = by === 'fund_type' ? sql`fund_type <> ''` : sql`fund_type = ${fundType ?? ''}`
  const found = await unnamed(sql<ValueCount[]>`
    select nullif(${sql(by)}, ${by === 'fund_type' ? 'none' : ''}) as value, sum(advisers)::int as count from adv.adviser_tally
    where ${ofFunds} ${tallied(sql, params)} group by 1 order by 2 desc, 1`)
  return [...found]
}

function tallied(sql: Sql, { state, adviserType, excludeTerminated, hasDisciplinary }: ListParams): Fragment {
  return sql`
      ${state ? sql`and state = any(${state as string[]})` : sql``}
      ${adviserType ? sql`and adviser_type = ${adviserType}` : sql``}
      ${excludeTerminated ? sql`and not is_terminated` : sql``}
      ${hasDisciplinary === undefined ? sql`` : sql`and disciplinary = ${hasDisciplinary ? 'yes' : 'no'}`}`
}

function filters(sql: Sql, { state, adviserType, fundType, excludeTerminated, hasDisciplinary, minRaum }: ListParams) {
  return sql`true
    ${state ? sql`and ${state.length === 1 ? sql`a.state = ${state[0]!}` : sql`a.state = any(${state as string[]})`}` : sql``}
    ${adviserType ? sql`and a.adviser_type = ${adviserType}` : sql``}
    ${fundType ? sql`and a.fund_type_list @> array[${fundType}]::text[]` : sql``}
    ${excludeTerminated ? sql`and not a.is_terminated` : sql``}
    ${hasDisciplinary === undefined ? sql`` : sql`and a.has_disciplinary = ${hasDisciplinary}`}
    ${minRaum === undefined ? sql`` : sql`and a.latest_raum >= ${minRaum}`}`
}
