/**
 * Details that are declared: the shape of an answer about one filing, its statement and its route follow from its parts
 * (`details/parts.ts`). All parts come with one statement, each as JSON.
 */
import { z } from 'zod'
import {
  type AnswerOf,
  type DetailParams,
  type FoundOf,
  isPart,
  type MadeOf,
  type Members,
  type ShapeOf,
  typesOf,
} from '../declare/details.ts'
import { accession as accessionType, type Example, get, type Route } from '../declare/route.ts'
import type { Table } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources } from '../declare/view.ts'
import type { Sql } from '../store/db.ts'
import { pageOf } from './details/page.ts'
import { selected } from './details/parts.ts'
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
  /** Returns one filing; null if unknown. */
  (sql: Sql, params: A): Promise<AnswerOf<M> | null>
  readonly answer: z.ZodObject<ShapeOf<M>>
}

/**
 * Declares an answer about one filing.
 *
 * @param of the table that has a row for each filing
 * @param and finds what the parts do not have: members that are only a type, or others in place of those found
 */
export function detailOf<const M extends Members, A extends DetailParams = DetailParams>(
  of: Table,
  id: string,
  members: M,
  and?: (sql: Sql, found: FoundOf<M>, params: A) => Promise<MadeOf<M> & Partial<FoundOf<M>>>,
): Detail<M, A> {
  const answer = z.object(typesOf(members)).meta({ id }) as never as z.ZodObject<ShapeOf<M>>
  const parts = Object.entries(members).flatMap(([name, one]) => (isPart(one) ? [[name, one] as const] : []))
  const query = async (sql: Sql, params: A) => {
    const [found] = await sql<[FoundOf<M>?]>`
      select ${selected(
        sql,
        parts.map(([name, part]) => [name, part.sql(sql, params)]),
      )} from ${sql(of.id)} filing where filing.accession = ${params.accession}`
    if (!found) return null
    for (const [name, { line }] of parts) if (line) Object.assign(found, cut(params, found, name, line))
    const all = { ...found, ...(await and?.(sql, found, params)) } as Record<string, unknown>
    return Object.fromEntries(
      Object.keys(members).flatMap((name) => (name in all ? [[name, all[name]]] : [])),
    ) as AnswerOf<M>
  }
  return Object.assign(query, { answer })
}

/** The page of the part that comes in pages, and its cursor. */
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
  /** Parameters in addition to the accession, if the detail has one of its parts in pages. */
  input?: z.ZodRawShape
  /** The member with the part that comes in pages. */
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
    run: async (params, { sql }) =>
      ((await detail(sql, params as never)) ?? nothing(sql, sources, params.accession as string)) as never,
  })
}
