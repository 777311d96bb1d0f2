/**
 * Details: the parts of an answer about one filing. `detailOf` of serve/details.ts makes the answer's shape and its
 * statement from them.
 */
import type { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'

/** The request of a detail. */
export interface DetailParams {
  accession: string
  /** Parameters of a part in pages: `input` of the route has them. */
  limit?: number
  cursor?: string | undefined
}

/** A member of the answer, and where it comes from. */
export interface Part<Z extends z.ZodType = z.ZodType> {
  readonly type: Z
  /** SQL that makes the JSON of the member. The alias of the filing's row is `filing`. */
  readonly sql: (sql: Sql, params: DetailParams) => Fragment
  /** The column that numbers the rows, if they come in pages. One row more is found than a page has. */
  readonly line?: string
}

/** A member of each row of a part: what another table has for the row, by the value of a column. */
export interface Each<Z extends z.ZodType = z.ZodType> {
  readonly type: Z
  /** The column of the row. */
  readonly by: string
  /** JSON if nothing is found. */
  readonly none: string
  /** A select of `value` and `found`, the JSON for the rows with this value, for all of the values: a list, or a select. */
  readonly each: (sql: Sql, values: Fragment) => Fragment
}

/** The members of an answer, in its order. `and` of the declaration finds the members that are only a type. */
export type Members = Readonly<Record<string, Part | z.ZodType>>

type TypeOf<M> = M extends Part<infer Z> ? Z : M extends Each<infer Z> ? Z : M extends z.ZodType ? M : never
export type ShapeOf<M extends Readonly<Record<string, Part | Each | z.ZodType>>> = { [K in keyof M]: TypeOf<M[K]> }
export type AnswerOf<M extends Members> = z.infer<z.ZodObject<ShapeOf<M>>>

/** Members that the statement finds, and members that `and` finds. */
export type FoundOf<M extends Members> = {
  [K in keyof M as M[K] extends Part ? K : never]: z.infer<TypeOf<M[K]>>
}
export type MadeOf<M extends Members> = z.infer<
  z.ZodObject<{ [K in keyof M as M[K] extends Part ? never : K]: TypeOf<M[K]> }>
>

export const isPart = (member: Part | Each | z.ZodType): member is Part => 'sql' in member
export const isEach = (member: Part | Each | z.ZodType): member is Each => 'each' in member

export const typesOf = (members: Readonly<Record<string, Part | Each | z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, isPart(one) || isEach(one) ? one.type : one]))
