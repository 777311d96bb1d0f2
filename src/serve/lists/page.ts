/**
 * Reads a page of a declared list. Each range of the list's order is read from an index, and only the rows of the page
 * are joined with further columns.
 */
import type { AnyRows, ListPlan } from '../../declare/lists.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { withAmended } from '../amended.ts'
import { alwaysCounted, type CountField, countOf } from '../count.ts'
import { type Counted, cut, firstRows, orderBy, type Paged, rangesOf, type Start, startOf, totalOf } from '../keyset.ts'
import { unnamed } from '../page.ts'
import { joined, sourceOf, type Wanted } from './conditions.ts'
import { orderOf } from './keys.ts'

type Row = Record<string, unknown> & { accession: string }

interface PageParams extends Paged {
  sort: string
  dir?: 'asc' | 'desc' | undefined
}

export interface Page extends Counted {
  rows: Record<string, unknown>[]
  next_cursor: string | null
}

export const ofFiling = (sql: Sql, { filing }: AnyRows) =>
  filing ? sql`join ${sql(filing.id)} f using (accession)` : sql``

const isStored = (name: string) => name !== 'amended_by'

/** The select list for rows with the alias `t`. */
export function selected(sql: Sql, { of, row, shown }: AnyRows, more: readonly string[] = []): Fragment {
  const members = Object.keys(row.shape).filter(isStored)
  const own = members.map((name) => {
    const made = shown?.[name]
    return made ? sql`${made(sql)} as ${sql(name)}` : sql.unsafe(`${name in of.row.shape ? 't' : 'f'}.${name}`)
  })
  const all = [...own, ...more.map((name) => sql.unsafe(`t.${name}`))]
  return joined(sql, all, sql`,`)
}

/** Answers a request. A cursor is valid only with the same parameters, except those that choose the page. */
export async function pageOf(sql: Sql, plan: ListPlan, input: PageParams & Wanted): Promise<Page> {
  const { limit, offset, paginate: _, cursor, count, sort, dir: turned, ...filters } = input
  const { rows } = plan
  const { keys, dir } = orderOf(plan, sort, turned)
  const start = startOf({ list: plan.name, sort, dir, keys, filters }, { limit, offset, cursor, count })
  for (const [name, value] of Object.entries(filters))
    if (value !== undefined) await plan.filters[name]?.refuse?.(sql, value as never)
  const { from, prefix, conditions, kept } = await sourceOf(sql, plan, filters)
  const order = sql.unsafe(orderBy(keys, prefix))
  const ranges = rangesOf(sql, start, prefix).map((range) => {
    const select = sql`select t.* from ${from} where ${joined(sql, [range, ...conditions], sql` and`)}`
    return firstRows(sql, select, order, offset + start.rowsMax, kept)
  })
  const inner = keys.map(({ column }) => column).filter((column) => !(column in rows.row.shape))
  const own = sql.unsafe(orderBy(keys, 't.'))
  const all = [sql`true`, ...conditions, ...(kept ? [kept] : [])]
  const matching = sql`from ${from} where ${joined(sql, all, sql` and`)}`
  const [counted, found] = await Promise.all([
    totalsOf(sql, plan, start, matching),
    unnamed(sql<Row[]>`
      select ${selected(sql, rows, inner)}
      from (
        select t.* from (${joined(sql, ranges, sql` union all`)}) t order by ${own} limit ${start.rowsMax} offset ${offset}
      ) t ${ofFiling(sql, rows)}
      order by ${own}`),
  ])
  const page = cut(start, found, counted)
  for (const row of page.rows) for (const column of inner) Reflect.deleteProperty(row, column)
  return rows.amended ? withAmended(sql, rows.amended, page) : page
}

/** The fields by which rows can be counted. */
function fieldsOf(sql: Sql, { filters, counts = [], day }: ListPlan): Record<string, CountField> {
  const own = counts.map((name): [string, CountField] => {
    const filter = filters[name]!
    if (!('column' in filter))
      throw new Error(`rows cannot be counted by ${name}: its filter does not compare a column`)
    return [name, { value: sql.unsafe(`t.${filter.column}`), ...(filter.op === 'has' && { kind: 'list' }) }]
  })
  return { ...Object.fromEntries(own), month: { value: sql.unsafe(`t.${day}`), kind: 'day' } }
}

async function totalsOf(sql: Sql, plan: ListPlan, start: Start, matching: Fragment): Promise<Counted> {
  const isPlain = start.count === undefined || start.count === 'estimate'
  if (plan.isCounted && isPlain) return alwaysCounted(start, await totalOf(sql, start, matching))
  return countOf(sql, start, matching, fieldsOf(sql, plan))
}
