/**
 * Details: the parts of an answer about one filing. `detailOf` of serve/details.ts makes the answer's shape and its
 * statement from them.
 */
import type { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'

/** A member of the answer, and where it comes from. */
export interface Part<Z extends z.ZodType = z.ZodType> {
  readonly type: Z
  /** SQL that makes the JSON of the member. The alias of the filing's row is `filing`. */
  readonly sql: (sql: Sql) => Fragment
}

/** The members of an answer, in its order. `and` of the declaration finds the members that are only a type. */
export type Members = Readonly<Record<string, Part | z.ZodType>>

type TypeOf<M> = M extends Part<infer Z> ? Z : M extends z.ZodType ? M : never
export type ShapeOf<M extends Members> = { [K in keyof M]: TypeOf<M[K]> }
export type AnswerOf<M extends Members> = z.infer<z.ZodObject<ShapeOf<M>>>

/** Members that the statement finds, and members that `and` finds. */
export type FoundOf<M extends Members> = {
  [K in keyof M as M[K] extends Part ? K : never]: z.infer<TypeOf<M[K]>>
}
export type MadeOf<M extends Members> = {
  [K in keyof M as M[K] extends Part ? never : K]: z.infer<TypeOf<M[K]>>
}

export const isPart = (member: Part | z.ZodType): member is Part => 'sql' in member

export const typesOf = (members: Members): Record<string, z.ZodType> =>
  Object.fromEntries(Object.entries(members).map(([name, one]) => [name, isPart(one) ? one.type : one]))
