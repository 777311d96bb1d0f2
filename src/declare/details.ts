/**
 * Details: the parts of an answer about one filing. From them, `detailOf` of serve/details.ts makes the shape of the
 * answer and the SQL statement that finds it.
 */
import type { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'

/** The parameters of a request for an answer about one filing. */
export interface DetailParams {
  accession: string
  /** Parameters of a part that is served in pages; the `input` of the route declares them. */
  limit?: number
  cursor?: string | undefined
}

/** A member of the answer, and its source. */
export interface Part<Z extends z.ZodType = z.ZodType> {
  readonly type: Z
  /** SQL that makes the JSON of the member. The alias of the filing's row is `filing`. */
  readonly sql: (sql: Sql, params: DetailParams) => Fragment
  /**
   * The column that numbers the rows, if they come in pages. The SQL then finds one row more than a page has, which
   * shows whether another page follows.
   */
  readonly line?: string
}

/** A member that each row of a part gets from another table. It is looked up by the value of a column of the row. */
export interface Each<Z extends z.ZodType = z.ZodType> {
  readonly type: Z
  /** The column of the row whose value is looked up. */
  readonly by: string
  /** The JSON of the member if nothing is found. */
  readonly none: string
  /**
   * A select with one row for each value. Its columns are `value`, and `found`: the JSON for rows with this value.
   * `values` is a list or a select.
   */
  readonly each: (sql: Sql, values: Fragment) => Fragment
}

/**
 * The members of an answer, in order. If a member is only a type, the function `and` of the declaration finds its
 * value.
 */
export type Members = Readonly<Record<string, Part | z.ZodType>>

type TypeOf<M> = M extends Part<infer Z> ? Z : M extends Each<infer Z> ? Z : M extends z.ZodType ? M : never
export type ShapeOf<M extends Readonly<Record<string, Part | Each | z.ZodType>>> = { [K in keyof M]: TypeOf<M[K]> }
export type AnswerOf<M extends Members> = z.infer<z.ZodObject<ShapeOf<M>>>

/** The two kinds of members: those that the SQL statement finds, and those that `and` finds. */
export type SelectedOf<M extends Members> = {
  [K in keyof M as M[K] extends Part ? K : never]: z.infer<TypeOf<M[K]>>
}
export type MadeOf<M extends Members> = z.infer<
  z.ZodObject<{ [K in keyof M as M[K] extends Part ? never : K]: TypeOf<M[K]> }>
>

export const isPart = (member: Part | Each | z.ZodType): member is Part => 'sql' in member
export const isEach = (member: Part | Each | z.ZodType): member is Each => 'each' in member

export const typesOf = (members: Readonly<Record<string, Part | Each | z.ZodType>>): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, isPart(one) || isEach(one) ? one.type : one]))
