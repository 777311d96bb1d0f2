/** Turns the parameters of a declared list into SQL. */
import { type Filter, keptOf, type ListPlan, type Through } from '../../declare/lists.ts'
import { meets } from '../../names.ts'
import type { Fragment, Sql } from '../../store/db.ts'

/** Values of parameters as `run` gets them, without the parameters that choose the page. */
export type Wanted = Readonly<Record<string, unknown>>

/** The relation and the conditions by which a request finds its rows. */
export interface Source {
  /** SQL after `from`, in which the relation has the alias `t`. */
  from: Fragment
  /** The alias, with a dot, of the relation whose index is read: `w.` if a filter goes through another table. */
  prefix: 't.' | 'w.'
  conditions: Fragment[]
  /** A condition that leaves out rows that a later filing replaces; null if all rows are wanted. */
  kept: Fragment | null
}

/** Joins fragments with SQL between them. */
export const joined = (sql: Sql, parts: readonly Fragment[], between: Fragment): Fragment =>
  sql`${parts.map((part, n) => (n === 0 ? part : sql`${between} ${part}`))}`

/**
 * Finds the source of a request's rows. If a filter goes through another table, that table's index is read, and the row
 * of each filing is looked up. `offset 0` prevents the planner from reading all filings of a filer to sort them.
 *
 * @param of SQL of the relation; by default the relation of the list
 */
export async function sourceOf(
  sql: Sql,
  plan: ListPlan,
  wanted: Wanted,
  of: Fragment = sql`${sql(plan.rows.of.id)}`,
): Promise<Source> {
  const { filters, day } = plan
  const { q, from, to, amended, ...others } = wanted
  const stated = Object.entries(others).filter(([, value]) => value !== undefined)
  const given = stated.map(([name, value]) => [filters[name]!, value] as const)
  const led = given.flatMap(([filter, value]) => ('through' in filter ? [{ ...filter.through, value }] : []))
  const [by] = led
  if (led.length > 1) throw new Error(`${plan.name}: only one filter of a request may go through another table`)
  const prefix = by ? 'w.' : 't.'
  const compared = sql.unsafe(`${by && day in by.table.row.shape ? 'w' : 't'}.${day}`)
  const meant = typeof q === 'string' ? [(await meantBy(sql, plan, q)).wanted] : []
  return {
    from: by
      ? sql`${sql(by.table.id)} w cross join lateral (select * from ${of} own where own.accession = w.accession offset 0) t`
      : sql`${of} t`,
    prefix,
    kept: amended === 'latest' ? keptOf(sql, plan.rows, wantedAmendment(sql, plan, wanted)) : null,
    conditions: [
      ...(by ? throughOf(sql, by, by.value) : []),
      ...given.flatMap(([filter, value]) => conditionOf(sql, filter, value)),
      ...meant,
      ...(from ? [sql`${compared} >= ${from as string}`] : []),
      ...(to ? [sql`${compared} <= ${to as string}`] : []),
    ],
  }
}

/**
 * SQL that is true for an amendment if it meets the request's conditions on the form and on the last day. Suppose that
 * a request has `form=D`. Without this test, a D/A would hide the notice that it amends, and would not be in the answer
 * itself. An amendment is filed no earlier than the filing that it amends, so the first day needs no test. The other
 * filters are about facts in filings, so an amendment replaces a filing even if the amendment does not match these
 * filters.
 */
function wantedAmendment(sql: Sql, { rows, filters, day }: ListPlan, { form, to }: Wanted): Fragment {
  const conditions = [
    ...(form === undefined ? [] : conditionOf(sql, filters.form!, form, 'o')),
    ...(to ? [sql`${sql.unsafe(`o.${day}`)} <= ${to as string}`] : []),
  ]
  if (conditions.length === 0) return sql`true`
  const own = [sql`o.accession = a.accession`, ...conditions]
  return sql`(select true from ${sql(rows.of.id)} o where ${joined(sql, own, sql` and`)} limit 1)`
}

const throughOf = (sql: Sql, { column, once }: Through, value: unknown): Fragment[] => [
  sql`${sql.unsafe(`w.${column}`)} = ${value as string}`,
  ...(once ? [once(sql)] : []),
]

function conditionOf(sql: Sql, filter: Filter, value: unknown, of = 't'): Fragment[] {
  if ('through' in filter) return []
  if ('where' in filter) return [filter.where(sql, value as never)]
  const column = sql.unsafe(`${of}.${filter.column}`)
  const text = value as string
  switch (filter.op) {
    case '>=':
      return [sql`${column} >= ${text}`]
    case 'has':
      return [sql`${column} @> array[${text}]`]
    case 'any': {
      // A single value is compared with `=`, since its rows are one range of the index, in the order of the list.
      const [first, ...more] = value as string[]
      return [more.length === 0 ? sql`${column} = ${first!}` : sql`${column} = any(${value as string[]})`]
    }
    default:
      return [sql`${column} = ${text}`]
  }
}

/** The condition that a row matches `q`, wrapped in an object, since `await` would execute the bare SQL. */
async function meantBy(sql: Sql, { rows, names, meaning }: ListPlan, q: string): Promise<{ wanted: Fragment }> {
  const named = (typed: string) => sql`(${anyName(sql, names, typed)})`
  const anyNamed = (typed: string) => sql`from ${sql(rows.of.id)} t where ${named(typed)}`
  return meaning ? meaning.where(sql, q, { named, anyNamed }) : { wanted: named(q) }
}

const anyName = (sql: Sql, names: readonly string[], q: string): Fragment => {
  const columns = names.map((name) => ({ words: sql.unsafe(`t.${name}_words`), folded: sql.unsafe(`t.${name}_key`) }))
  return joined(
    sql,
    columns.map((column) => meets(sql, q, column)),
    sql` or`,
  )
}
