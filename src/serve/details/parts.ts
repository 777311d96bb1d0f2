/**
 * The parts of a detail. A part has the shape of one member of the answer, and the SQL that makes the member's JSON.
 */
import { z } from 'zod'
import { amendedBy, amendedSql } from '../../declare/amended.ts'
import { type Each, isEach, isPart, type Members, type Part, type ShapeOf, typesOf } from '../../declare/details.ts'
import type { AnyRows, ColumnOf, Expression, Rows } from '../../declare/lists.ts'
import { columnType, isInner, type Relation, type Table } from '../../declare/table.ts'
import type { View } from '../../declare/view.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { amendedIn } from '../amended.ts'
import { type evidence as Evidence, evidence, evidenceOf, PLACE } from '../evidence.ts'
import { filingsOf, filingWith, OTHERS_MAX } from '../filings-of.ts'
import { lineAfter } from './page.ts'

/** Names of the columns that only queries use and answers do not show (`isInner` of declare/column.ts). */
type Inner = `${string}_key` | `${string}_words`
type Place = keyof typeof PLACE
type Shown<S, O extends PropertyKey> = Omit<S, Inner | O>
type Stated<S, O extends PropertyKey> = Place extends keyof S
  ? Shown<S, Place | O> & { evidence: typeof Evidence }
  : Shown<S, O>
type AmendedBy = { amended_by: typeof amendedBy }
type None = Record<never, never>

type Inside = Readonly<Record<string, Part | Each>>

interface RowsShown<O extends string> {
  /** Name of the shape of a row. */
  id: string
  says?: string
  omit?: readonly O[]
}

/** SQL of a column for JSON: types that the driver returns as text are cast to text. */
const columnOf = (of: string, name: string, type: z.ZodType): string => {
  const isLong = ['numeric', 'bigint'].includes(columnType(type)?.postgres ?? '')
  return `${of}."${name}"${isLong ? `::text as "${name}"` : ''}`
}

/** A column of a select list: plain SQL text, or a name with a fragment. */
type Selected = string | readonly [string, Fragment]

/**
 * A select list. All text between two expressions is one fragment, since a hundred fragments would take a millisecond
 * of an answer.
 */
export function selected(sql: Sql, columns: readonly Selected[]): Fragment {
  const parts: Fragment[] = []
  let text = ''
  for (const [n, column] of columns.entries()) {
    if (n > 0) text += ', '
    if (typeof column === 'string') text += column
    else {
      parts.push(sql.unsafe(text), column[1])
      text = ` as "${column[0]}"`
    }
  }
  return sql`${[...parts, sql.unsafe(text)]}`
}

const arrayOf = (sql: Sql, rows: Fragment): Fragment => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`

const shownOf = (shape: z.ZodRawShape, omit: readonly string[]): [string, z.ZodType][] =>
  Object.entries(shape as Record<string, z.ZodType>).filter(
    ([name, type]) => !isInner(name, type) && !omit.includes(name),
  )

/**
 * An object that is made of columns of the filing's row and of parts. A member for which only a type is given takes its
 * value from the column of the same name.
 *
 * @param id name of its shape
 */
export function object<const M extends Members>(id: string, members: M, says?: string): Part<z.ZodObject<ShapeOf<M>>> {
  const columns = Object.entries(members).map(([name, one]) =>
    isPart(one) ? ([name, one] as const) : columnOf('filing', name, one),
  )
  return {
    type: described(z.object(typesOf(members)).meta({ id }), says) as never,
    sql: (sql, params) => {
      const found = columns.map((one) => (typeof one === 'string' ? one : ([one[0], one[1].sql(sql, params)] as const)))
      return sql`(select row_to_json(r) from (select ${selected(sql, found)}) r)`
    },
  }
}

/** The accessions of the filings that amend the filing. */
export const amends = (view: View): Part<typeof amendedBy> => value(amendedBy, (sql) => amendedIn(sql, view, 'filing'))

/**
 * The row of the filing itself as an object, with parts as additional members.
 *
 * @param amended the view of amended filings; without it, the function `and` of `detailOf` fills in `amended_by`
 */
export function facts<T extends Table, P extends Readonly<Record<string, Part>> = None>(
  of: T,
  { id, amended, parts }: { id: string; amended?: View; parts?: P },
): Part<z.ZodObject<Omit<T['row']['shape'], Inner> & AmendedBy & ShapeOf<P>>> {
  const columns = Object.fromEntries(shownOf(of.row.shape, []))
  const by = amended ? amends(amended) : value(amendedBy, (sql) => sql`array[]::text[]`)
  return object(id, { ...columns, amended_by: by, ...parts }) as never
}

/**
 * The rows that a table has for the filing, in the order of the table's key. If the facts of a row come from a sentence
 * of a document, `evidence` has the position of the sentence.
 *
 * @param max shows only this many first rows
 * @param paged shows the rows in pages, by `limit` and `cursor`; the last column of the key is the row's number
 * @param parts members of each row in addition to its columns; the alias of the row is `w`
 */
export function rowsIn<T extends Table, O extends ColumnOf<T> = never, P extends Inside = None>(
  of: T,
  { id, says, omit = [], max, paged, parts }: RowsShown<O> & { max?: number; paged?: true; parts?: P },
): Part<z.ZodArray<z.ZodObject<Stated<T['parsed']['shape'], O> & ShapeOf<P>>>> {
  const isStated = Object.keys(PLACE).every((name) => name in of.columns)
  const columns = shownOf(of.parsed.shape, isStated ? [...Object.keys(PLACE), ...omit] : omit)
  const shape = { ...Object.fromEntries(columns), ...(isStated && { evidence }), ...typesOf(parts ?? {}) }
  const own = columns.map(([name, type]) => columnOf('w', name, type)).join(', ')
  const order = of.primaryKey.slice(1).map((name) => `w."${name}"`)
  const line = paged ? of.primaryKey.at(-1)! : undefined
  const inside = Object.entries(parts ?? {})
  const joined = inside.flatMap(([name, part]) => (isEach(part) ? [[name, part] as const] : []))
  return {
    type: described(z.array(z.object(shape).meta({ id })), says) as never,
    ...(line && { line }),
    sql: (sql, params) => {
      const ordered = sql.unsafe(`order by ${order.join(', ')}`)
      const page = line ? sql`and ${sql.unsafe(order.at(-1)!)} > ${lineAfter(params)}` : sql``
      const end = line ? sql`limit ${params.limit! + 1}` : max ? sql`limit ${max}` : sql``
      const found = sql`from ${sql(of.id)} w where w.accession = filing.accession ${page} ${ordered} ${end}`
      const columns = selected(sql, [
        own,
        ...(isStated ? [['evidence', evidenceOf(sql, 'w')] as const] : []),
        ...inside.map(([name, part]) =>
          isPart(part)
            ? ([name, part.sql(sql, params)] as const)
            : `coalesce("${name}".found, '${part.none}') as "${name}"`,
        ),
      ])
      if (joined.length === 0) return arrayOf(sql, sql`select ${columns} ${found}`)
      const joins = joined.map(([name, { by, each }]) => {
        const value = sql.unsafe(`w."${by}"`)
        return sql` left join (${each(sql, sql`select ${value} from w`)}) ${sql(name)} on ${sql(name)}.value = ${value}`
      })
      return sql`(with w as (select w.* ${found})
        select coalesce(json_agg(r), '[]') from (select ${columns} from w ${joins} ${ordered}) r)`
    },
  }
}

const described = <Z extends z.ZodType>(type: Z, says?: string): Z => (says === undefined ? type : type.describe(says))

/**
 * The cursor of the next page of the paged part. The statement returns null for this member, and `pageOf` fills it in.
 */
export const nextLines = (says: string) => value(z.string().nullable().describe(says), (sql) => sql`null::text`)

/** The row of the filing in a table with a row for every filing, as an object. */
export function rowIn<T extends Table>(
  of: T,
  { id, says }: { id: string; says?: string },
): Part<z.ZodObject<Shown<T['parsed']['shape'], never>>> {
  const columns = shownOf(of.parsed.shape, [])
  const own = columns.map(([name, type]) => columnOf('w', name, type)).join(', ')
  return {
    type: described(z.object(Object.fromEntries(columns)), says).meta({ id }) as never,
    sql: (sql) => sql`(select row_to_json(r) from (
      select ${sql.unsafe(own)} from ${sql(of.id)} w where w.accession = filing.accession) r)`,
  }
}

/**
 * The row of the filing in a table that has rows for only some filings; null if the table has no row for the filing.
 */
export function oneIn<T extends Table>(of: T, { id, says }: { id: string; says: string }) {
  const { type, sql } = rowIn(of, { id })
  return { type: type.nullable().describe(says), sql }
}

interface EachShown<O extends string, B extends string> extends RowsShown<O> {
  by: B
  /** Shows only this many rows. They are the first rows by the last column of the key, which is a number. */
  max?: number
}

/**
 * For each row of a part, the rows of another table that have the same value in the column `by`. The rows of the other
 * table are read at once for all rows of the part and then grouped, since the table may have no index by this column.
 */
export function each<T extends Table, B extends ColumnOf<T>, O extends ColumnOf<T> = never>(
  of: T,
  { id, says, by, omit = [], max }: EachShown<O, B>,
): Each<z.ZodArray<z.ZodObject<Shown<T['parsed']['shape'], O | B>>>> {
  const columns = shownOf(of.parsed.shape, [by, ...omit])
  const own = columns.map(([name, type]) => columnOf('v', name, type)).join(', ')
  const numbers = of.primaryKey.slice(1).filter((name) => name !== by)
  const order = numbers.map((name) => `v."${name}"`)
  return {
    type: described(z.array(z.object(Object.fromEntries(columns)).meta({ id })), says) as never,
    by,
    none: '[]',
    each: (sql, values) => sql`
      select ${sql.unsafe(`v."${by}" as value, json_agg(r order by ${order.join(', ')}) as found`)}
      from ${sql(of.id)} v cross join lateral (select ${sql.unsafe(own)}) r
      where v.accession = filing.accession and ${sql.unsafe(`v."${by}"`)} in (${values})
        ${max ? sql`and ${sql.unsafe(order.at(-1)!)} <= ${max}` : sql``}
      group by 1`,
  }
}

/**
 * The rows of an `each` member that belong to the filing itself. In the column `by` they have `value`, which no row of
 * the part has.
 */
export const those = <Z extends z.ZodType>(
  { type, each }: Each<z.ZodArray<Z>>,
  value: number,
  says: string,
): Part<z.ZodArray<Z>> => ({
  type: z.array(type.element).describe(says),
  sql: (sql) => sql`coalesce((select found from (${each(sql, sql`${value}`)}) e), '[]')`,
})

/**
 * Chooses filings of a list: either all other filings with the same value in a column, or the filings that amend this
 * filing.
 */
type Which<T extends Relation> = { same: ColumnOf<T> } | { amending: true }

/** SQL of filings in the shape of a list's rows, newest first, at most 200. The alias in the condition is `t`. */
export function filingsWhere(sql: Sql, { of, row, shown, amended }: AnyRows, condition: Fragment): Fragment {
  const memberOf = ([name, type]: [string, z.ZodType]): Selected => {
    if (amended && name === 'amended_by') return `${amendedSql(amended, 't')} as amended_by`
    const made = shown?.[name]
    return made ? [name, made(sql)] : columnOf('t', name, type)
  }
  return sql`
    select ${selected(sql, Object.entries(row.shape as Record<string, z.ZodType>).map(memberOf))}
    from ${sql(of.id)} t where ${condition} order by t.filed_date desc, t.accession desc limit ${OTHERS_MAX}`
}

/** Other filings in the shape of a list's rows, newest first, at most 200. */
export function filings<T extends Relation, R extends z.ZodObject>(
  of: Rows<T, R>,
  { says, ...which }: { says: string } & Which<T>,
): Part<z.ZodArray<R>> {
  const any: AnyRows = of
  const condition = (sql: Sql) =>
    'same' in which
      ? sql`${sql.unsafe(`t.${which.same} = filing.${which.same}`)} and t.accession <> filing.accession`
      : sql`t.accession = any(${amendedIn(sql, any.amended!, 'filing')})`
  return {
    type: z.array(of.row).describe(says),
    sql: (sql) => arrayOf(sql, filingsWhere(sql, any, condition(sql))),
  }
}

/**
 * The other filings of the same filer in the family, from EDGAR's index, including filings that were not read.
 *
 * @param own whether the filing itself is included
 * @param amended the view of amended filings; without it, `and` of the detail adds `amended_by`
 */
export function otherFilings<T extends Table, C extends keyof T['columns'] & string>(
  of: T,
  {
    id,
    says,
    facts,
    amended,
    own = false,
  }: { id: string; says: string; facts: readonly C[]; amended?: View; own?: boolean },
): Part<z.ZodArray<ReturnType<typeof filingWith<Pick<T['columns'], C>>>>> {
  const shown = facts.map((name) => [name, of.columns[name]!] as const)
  const columns = shown.map(([name, column]) => columnOf('t', name, column)).join(', ')
  const type = filingWith(Object.fromEntries(shown) as Pick<T['columns'], C>)
  return {
    type: z.array(type.meta({ id })).describe(says) as never,
    sql: (sql) =>
      filingsOf(sql, {
        cik: sql`filing.cik`,
        max: OTHERS_MAX,
        ...(own ? {} : { except: sql`filing.accession` }),
        family: {
          slug: of.schema,
          table: of.id,
          ...(amended && { amended }),
          facts: sql.unsafe(columns),
        },
      }),
  }
}

/** A member with its own SQL expression, within the same statement. */
export const value = <Z extends z.ZodType>(type: Z, expression: Expression): Part<Z> => ({
  type,
  sql: expression,
})
