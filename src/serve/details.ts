/**
 * Details that are declared: the shape of an answer about one filing, its statement and its route follow from the parts
 * that it has. All parts come with one statement, each as JSON.
 */
import { z } from 'zod'
import { amendedBy } from '../declare/amended.ts'
import type { AnswerOf, Drawn, FoundOf, MadeOf, Members, Part, ShapeOf } from '../declare/details.ts'
import type { AnyRows, ColumnOf, Expression, Rows } from '../declare/lists.ts'
import { accession as accessionType, type Example, get, type Reads, type Route } from '../declare/route.ts'
import { columnType, isInner, type Relation, type Table } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources, View } from '../declare/view.ts'
import type { Fragment, Sql } from '../store/db.ts'
import { amendedColumn, amendedIn } from './amended.ts'
import { type evidence as Evidence, evidence, evidenceOf, PLACE } from './evidence.ts'
import { filingsOf, filingWith } from './filings-of.ts'
import { nothing } from './loaded.ts'

/** Maximum number of filings in a list of a detail. */
const LISTED_MAX = 200

/** Columns for queries only: `isInner` of declare/column.ts. */
type Inner = `${string}_key` | `${string}_words`
type Place = keyof typeof PLACE
type Shown<S, O extends PropertyKey> = Omit<S, Inner | O>
type Stated<S, O extends PropertyKey> = Place extends keyof S
  ? Shown<S, Place | O> & { evidence: typeof Evidence }
  : Shown<S, O>
type AmendedBy = { amended_by: typeof amendedBy }
type None = Record<never, never>

interface Told<T extends Relation, O extends string> {
  /** Name of the shape of a row. */
  id: string
  says?: string
  omit?: readonly O[]
  prose?: readonly ColumnOf<T>[]
}

const described = <Z extends z.ZodType>(type: Z, says: string | undefined): Z =>
  says === undefined ? type : type.describe(says)

/** A column as JSON: what the driver gives as text is text there too. */
function jsonColumn(sql: Sql, of: string, name: string, type: z.ZodType): Fragment {
  const isLong = ['numeric', 'bigint'].includes(columnType(type)?.postgres ?? '')
  return sql.unsafe(`${of}."${name}"${isLong ? `::text as "${name}"` : ''}`)
}

const listed = (sql: Sql, parts: readonly Fragment[]): Fragment =>
  sql`${parts.map((part, n) => (n === 0 ? part : sql`, ${part}`))}`

const arrayOf = (sql: Sql, rows: Fragment): Fragment => sql`(select coalesce(json_agg(r), '[]') from (${rows}) r)`

const shownOf = (shape: z.ZodRawShape, omit: readonly string[]): [string, z.ZodType][] =>
  Object.entries(shape as Record<string, z.ZodType>).filter(
    ([name, type]) => !isInner(name, type) && !omit.includes(name),
  )

/** The row of the filing itself as an object, and parts that belong into it. */
export function facts<T extends Table, P extends Readonly<Record<string, Part>> = None, O extends ColumnOf<T> = never>(
  of: T,
  { id, says, omit = [], amended, parts, prose = [] }: Told<T, O> & { amended: View; parts?: P },
): Part<z.ZodObject<Shown<T['row']['shape'], O> & AmendedBy & ShapeOf<P>>> {
  const columns = shownOf(of.row.shape, omit)
  const inside = Object.entries(parts ?? {})
  const shape = { ...Object.fromEntries(columns), amended_by: amendedBy, ...typesOf(parts ?? {}) }
  return {
    kind: 'facts',
    type: described(z.object(shape).meta({ id }), says) as never,
    prose,
    sql: (sql) => sql`
      (select row_to_json(r) from (select ${listed(sql, [
        ...columns.map(([name, type]) => jsonColumn(sql, 'filing', name, type)),
        amendedColumn(sql, amended, 'filing'),
        ...inside.map(([name, part]) => sql`${part.sql(sql)} as ${sql(name)}`),
      ])}) r)`,
  }
}

/**
 * The rows that a table has of the filing, in the order of its key. Where a sentence states a row, its place is
 * `evidence`.
 */
export function rowsIn<T extends Table, O extends ColumnOf<T> = never>(
  of: T,
  { id, says, omit = [], prose = [] }: Told<T, O>,
): Part<z.ZodArray<z.ZodObject<Stated<T['parsed']['shape'], O>>>> {
  const isStated = Object.keys(PLACE).every((name) => name in of.columns)
  const columns = shownOf(of.parsed.shape, isStated ? [...Object.keys(PLACE), ...omit] : omit)
  const shape = { ...Object.fromEntries(columns), ...(isStated && { evidence }) }
  return {
    kind: 'rows',
    type: described(z.array(z.object(shape).meta({ id })), says) as never,
    prose,
    sql: (sql) =>
      arrayOf(
        sql,
        sql`
        select ${listed(sql, [
          ...columns.map(([name, type]) => jsonColumn(sql, 'w', name, type)),
          ...(isStated ? [sql`${evidenceOf(sql, 'w')} as evidence`] : []),
        ])} from ${sql(of.id)} w where w.accession = filing.accession
        order by ${sql.unsafe(
          of.primaryKey
            .slice(1)
            .map((name) => `w."${name}"`)
            .join(', '),
        )}`,
      ),
  }
}

/** Which filings of a list: those with the same value in a column, without the filing itself, or those that amend it. */
type Which<T extends Relation> = { same: ColumnOf<T> } | { amending: true }

/** Other filings as a list shows them, the last filed first, at most 200. */
export function filings<T extends Relation, R extends z.ZodObject>(
  of: Rows<T, R>,
  { says, ...which }: { says: string } & Which<T>,
): Part<z.ZodArray<R>> {
  const any: AnyRows = of
  const columnOf = (sql: Sql, name: string, type: z.ZodType): Fragment => {
    if (any.amended && name === 'amended_by') return amendedColumn(sql, any.amended, 't')
    const made = any.shown?.[name]
    return made ? sql`${made(sql)} as ${sql(name)}` : jsonColumn(sql, 't', name, type)
  }
  const condition = (sql: Sql) =>
    'same' in which
      ? sql`${sql.unsafe(`t.${which.same} = filing.${which.same}`)} and t.accession <> filing.accession`
      : sql`t.accession = any(${amendedIn(sql, any.amended!, 'filing')})`
  return {
    kind: 'filings',
    type: z.array(of.row).describe(says),
    prose: [],
    sql: (sql) =>
      arrayOf(
        sql,
        sql`
        select ${listed(
          sql,
          Object.entries(of.row.shape).map(([name, type]) => columnOf(sql, name, type as z.ZodType)),
        )} from ${sql(any.of.id)} t where ${condition(sql)}
        order by t.filed_date desc, t.accession desc limit ${LISTED_MAX}`,
      ),
  }
}

/** The other filings of its filer in the family, by the index of EDGAR: also those that were not read. */
export function otherFilings<T extends Table, C extends keyof T['columns'] & string>(
  of: T,
  {
    id,
    says,
    facts,
    amended,
    own = false,
  }: { id: string; says: string; facts: readonly C[]; amended: View; own?: boolean },
): Part<z.ZodArray<ReturnType<typeof filingWith<Pick<T['columns'], C>>>>> {
  const shown = facts.map((name) => [name, of.columns[name]!] as const)
  const type = filingWith(Object.fromEntries(shown) as Pick<T['columns'], C>)
  return {
    kind: 'filings',
    type: z.array(type.meta({ id })).describe(says) as never,
    prose: [],
    sql: (sql) =>
      filingsOf(sql, {
        cik: sql`filing.cik`,
        max: LISTED_MAX,
        ...(own ? {} : { except: sql`filing.accession` }),
        family: {
          slug: of.schema,
          table: of.id,
          amended,
          facts: listed(
            sql,
            shown.map(([name, type]) => jsonColumn(sql, 't', name, type)),
          ),
        },
      }),
  }
}

/** A member by its own SQL, in the same statement. */
export const value = <Z extends z.ZodType>(type: Z, expression: Expression): Part<Z> => ({
  kind: 'value',
  type,
  prose: [],
  sql: expression,
})

const isPart = (member: Part | z.ZodType): member is Part => 'sql' in member

const typesOf = (members: Members): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, isPart(one) ? one.type : one]))

interface Asked {
  accession: string
}

export interface Detail<M extends Members, A extends Asked> {
  /** Returns one filing; null if unknown. */
  (sql: Sql, asked: A): Promise<AnswerOf<M> | null>
  readonly answer: z.ZodObject<ShapeOf<M>>
  readonly drawn: Drawn
}

/**
 * Declares an answer about one filing.
 *
 * @param of the table that has a row for each filing
 * @param and finds what the parts do not have: members that are only a type, or others in place of those found
 */
export function detailOf<const M extends Members, A extends Asked = Asked>(
  of: Table,
  id: string,
  members: M,
  and?: (sql: Sql, found: FoundOf<M>, asked: A) => Promise<MadeOf<M> & Partial<FoundOf<M>>>,
): Detail<M, A> {
  const answer = z.object(typesOf(members)).meta({ id }) as never as z.ZodObject<ShapeOf<M>>
  const parts = Object.entries(members).flatMap(([name, one]) => (isPart(one) ? [[name, one] as const] : []))
  const query = async (sql: Sql, asked: A) => {
    const [found] = await sql<[FoundOf<M>?]>`
      select ${listed(
        sql,
        parts.map(([name, part]) => sql`${part.sql(sql)} as ${sql(name)}`),
      )} from ${sql(of.id)} filing where filing.accession = ${asked.accession}`
    if (!found) return null
    const all = { ...found, ...(await and?.(sql, found, asked)) } as Record<string, unknown>
    return Object.fromEntries(Object.keys(members).map((name) => [name, all[name]])) as AnswerOf<M>
  }
  const drawn = Object.fromEntries(parts.map(([name, { kind, prose }]) => [name, { kind, prose }]))
  return Object.assign(query, { answer, drawn })
}

interface Declared {
  name: string
  summary: string
  description?: string
  tag: Tag
  detail: ((sql: Sql, asked: never) => Promise<object | null>) & { answer: z.ZodObject; drawn: Drawn }
  sources: Sources
  reads?: Reads
  /** Parameters besides the accession, of a detail that has one of its parts by pages. */
  input?: z.ZodRawShape
  /** That part. */
  rows?: string
  examples: readonly Example[]
}

/** Declares the route of a detail. */
export function show(path: string, { detail, sources, input, examples, ...route }: Declared): Route {
  const parameters: { accession: typeof accessionType } & z.ZodRawShape = { accession: accessionType, ...input }
  return get(path as '/{accession}', {
    ...(route as Omit<typeof route, 'rows'>),
    input: parameters,
    examples: examples as never,
    output: detail.answer,
    drawn: detail.drawn,
    run: async (asked, { sql }) =>
      ((await detail(sql, asked as never)) ?? nothing(sql, sources, asked.accession as string)) as never,
  })
}
