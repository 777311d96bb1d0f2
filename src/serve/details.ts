/**
 * Declares details: answers about one filing. The shape, SQL statement and route of such an answer follow from its
 * parts (`details/parts.ts`). One statement finds all parts, each as JSON.
 */
import { z } from 'zod'
import {
  type AnswerOf,
  type DetailParams,
  isPart,
  type MadeOf,
  type Members,
  type SelectedOf,
  type ShapeOf,
  typesOf,
} from '../declare/details.ts'
import { accession as accessionType, type Example, get, type Route } from '../declare/route.ts'
import type { Leads } from '../declare/route-leads.ts'
import type { Table } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources } from '../declare/view.ts'
import type { Sql } from '../store/db.ts'
import { pageOf } from './details/page.ts'
import { selected } from './details/parts.ts'
import { type Written, written } from './details/statement.ts'
import { nothing } from './loaded.ts'

export { lineAfter, pageOf } from './details/page.ts'
export {
  amends,
  each,
  facts,
  filings,
  filingsWhere,
  nextLines,
  object,
  oneIn,
  otherFilings,
  rowIn,
  rowsIn,
  those,
  value,
} from './details/parts.ts'

export interface Detail<M extends Members, A extends DetailParams> {
  /** Returns the answer about one filing; null if the filing is unknown. */
  (sql: Sql, params: A): Promise<AnswerOf<M> | null>
  readonly answer: z.ZodObject<ShapeOf<M>>
}

/**
 * Declares an answer about one filing.
 *
 * @param of the table that has a row for each filing
 * @param and finds the members for which `members` has only a type, and may replace members that the parts found
 */
export function detailOf<const M extends Members, A extends DetailParams = DetailParams>(
  of: Table,
  id: string,
  members: M,
  and?: (sql: Sql, found: SelectedOf<M>, params: A) => Promise<MadeOf<M> & Partial<SelectedOf<M>>>,
): Detail<M, A> {
  const answer = z.object(typesOf(members)).meta({ id }) as never as z.ZodObject<ShapeOf<M>>
  const parts = Object.entries(members).flatMap(([name, one]) => (isPart(one) ? [[name, one] as const] : []))
  const statementFor = (params: DetailParams) =>
    written((sql) => {
      const columns = parts.map(([name, part]) => [name, part.sql(sql, params)] as const)
      return sql`select ${selected(sql, columns)} from ${sql(of.id)} filing where filing.accession = ${params.accession}`
    })
  // Apart from the accession, only the values of a paged part depend on the request. So without a paged part, one
  // written statement serves all requests.
  const isPaged = parts.some(([, { line }]) => line !== undefined)
  let kept: Written | undefined
  const query = async (sql: Sql, params: A) => {
    if (!isPaged) kept ??= statementFor({ accession: ANY })
    const { text, values } = kept ?? statementFor(params)
    const own = values.map((value) => (value === ANY ? params.accession : value))
    // The type cast is safe: all fragments were written with values that the driver can send.
    const [found] = await sql.unsafe<[SelectedOf<M>?]>(text, own as string[], { prepare: true })
    if (!found) return null
    for (const [name, { line }] of parts) if (line) Object.assign(found, cut(params, found, name, line))
    const all = { ...found, ...(await and?.(sql, found, params)) } as Record<string, unknown>
    return Object.fromEntries(
      Object.keys(members).flatMap((name) => (name in all ? [[name, all[name]]] : [])),
    ) as AnswerOf<M>
  }
  return Object.assign(query, { answer })
}

/** A placeholder for the accession in a cached statement. */
const ANY = 'the accession of the request'

/** Returns the page of the paged part, and the cursor of the next page. */
function cut(params: DetailParams, found: object, name: string, line: string): object {
  const { lines, next_cursor } = pageOf(params, (found as Record<string, Record<string, number>[]>)[name]!, line)
  return { [name]: lines, next_cursor }
}

interface Declared {
  name: string
  summary: string
  description?: string
  tag: Tag
  detail: ((sql: Sql, params: never) => Promise<object | null>) & { answer: z.ZodObject }
  sources: Sources
  /** Parameters in addition to the accession, if one part of the detail is paged. */
  input?: z.ZodRawShape
  /** The member with the paged part. */
  rows?: string
  leads?: Leads
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
    run: async (params, { sql }) =>
      ((await detail(sql, params as never)) ?? nothing(sql, sources, params.accession as string)) as never,
  })
}
