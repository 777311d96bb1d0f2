/**
 * Declarations of lists: the relation that has the rows, and the parameters by which requests select and sort them.
 * `list` of serve/lists.ts makes a route of a declaration. A column that the relation does not have does not compile.
 */
import type { z } from 'zod'
import type { Fragment, Sql } from '../store/db.ts'
import { anyAmendment, keptSql } from './amended.ts'
import type { Relation } from './table.ts'
import type { View } from './view.ts'

/** The relation with the rows of a list: a table, a rollup or a view. */
export type Of = Pick<Relation, 'id' | 'row'>

export type ColumnOf<T extends Of> = keyof T['row']['shape'] & string
type MemberOf<R extends z.ZodObject> = keyof R['shape'] & string

/** SQL of a member. The alias of the relation is `t`, and the alias of `filing` is `f`. */
export type Expression = (sql: Sql) => Fragment

type Stored<T extends Of, F extends Of | undefined> = T['row']['shape'] &
  (F extends Of ? Omit<F['row']['shape'], ColumnOf<T>> : unknown)

/** Members of a row that are not columns of the relations, or have another type than the column with the same name. */
type Made<S, R extends z.ZodObject> = {
  [M in MemberOf<R>]: M extends 'amended_by' ? never : M extends keyof S ? (R['shape'][M] extends S[M] ? never : M) : M
}[MemberOf<R>]

type Shown<M extends string> = [M] extends [never] ? { shown?: undefined } : { shown: Readonly<Record<M, Expression>> }

/** The rows that a list shows: one for each row of a relation. */
export type Rows<T extends Of, R extends z.ZodObject, F extends Of | undefined = undefined> = {
  of: T
  /** A member that has the name of a column takes the value of that column. */
  row: R
  /** Table of filings, joined by accession, for columns that the relation does not have. */
  filing?: F
} & Shown<Made<Stored<T, F>, R>> &
  ('amended_by' extends MemberOf<R> ? { amended: View; kept?: Kept } : { amended?: undefined; kept?: undefined })

/**
 * SQL that is true for a row that no later filing replaces. The alias of the relation is `t`. `isWanted` is true for an
 * amendment `a` that can replace a row of the request. By default, a row is replaced if there is such an amendment.
 * `all` keeps every row, for forms whose amendments replace nothing.
 */
type Kept = ((sql: Sql, isWanted: Fragment) => Fragment) | 'all'

/** `Rows` of any relation, in the type that the queries use. */
export interface AnyRows {
  of: Of
  row: z.ZodObject
  filing?: Of | undefined
  shown?: Readonly<Record<string, Expression>> | undefined
  amended?: View | undefined
  kept?: Kept | undefined
}

/** Whether later filings replace rows. If so, the list has the parameter `amended`. */
export const isReplaceable = ({ amended, kept }: AnyRows): boolean => amended !== undefined && kept !== 'all'

/** SQL that leaves out the rows that a later filing replaces. Null if no row is replaced. */
export function keptOf(sql: Sql, { amended, kept }: AnyRows, isWanted: Fragment): Fragment | null {
  if (amended === undefined || kept === 'all') return null
  return kept ? kept(sql, isWanted) : keptSql(sql, amended, anyAmendment(sql, isWanted))
}

/**
 * A table by which the rows of a filer are found: it has a row for each filing, and an index in the order of the list.
 */
export interface Through {
  table: Relation
  column: string
  /**
   * SQL that keeps one row of a filing if the filing has several rows of the same filer. The alias of the table is `w`.
   */
  once?: Expression
}

/** The meaning of a parameter. `any`: one of several values. `has`: the column is a list that has the value. */
export type Filter<T extends Of = Of> = {
  type: z.ZodType
  /** Refuses, with 400, a value that no row can have. */
  refuse?: (sql: Sql, value: never) => Promise<void>
} & (
  | { column: ColumnOf<T>; op?: '=' | '>=' | 'any' | 'has' }
  | { through: Through }
  | { where: (sql: Sql, value: never) => Fragment }
)

/** Filters that test a column for equality, so that rows can be counted by the column's values. */
export type CountableOf<F> = {
  [K in keyof F & string]: F[K] extends { column: string } ? (F[K] extends { op: '>=' } ? never : K) : never
}[keyof F & string]

/** Every list has a filter for the filer: `cik` or `crd`. */
export type Filters<T extends Of> = Readonly<Record<string, Filter<T>>> &
  ({ readonly cik: Filter<T> } | { readonly crd: Filter<T> })

/** A column to sort by. A minus before the column means descending. */
export type SortKey<T extends Of = Of> = `${'' | '-'}${ColumnOf<T>}`

/**
 * A complete sort order: one index of the relation has all columns of the order, and the last of them is unique. The
 * opposite direction inverts each column, unless `turned` gives that order.
 */
export type Sort<T extends Of = Of> =
  | readonly SortKey<T>[]
  | { readonly keys: readonly SortKey<T>[]; readonly turned: readonly SortKey<T>[] }

export const NEWEST = ['-filed_date', '-accession'] as const

/** Names that are searchable by stored words: `seller` for the columns `seller_words` and `seller_key`. */
export type NameOf<T extends Of> = {
  [C in ColumnOf<T>]: C extends `${infer N}_words` ? N : never
}[ColumnOf<T>]

/**
 * A meaning of `q` other than a name, such as a number. The condition is wrapped in an object, since `await` would
 * execute the bare SQL.
 */
export interface Meaning {
  says: string
  where: (sql: Sql, q: string, names: NamesMeant) => Promise<{ wanted: Fragment }>
}

export interface NamesMeant {
  /** The condition that a row has the name. */
  named: (q: string) => Fragment
  /** SQL, from the keyword `from` on, of the rows that have the name. */
  anyNamed: (q: string) => Fragment
}

/** The input for making a page. */
export interface ListPlan {
  /** Name of the list: a cursor of another list is refused. */
  name: string
  rows: AnyRows
  filters: Readonly<Record<string, Filter>>
  /** The orders of the list; the first order is the default. */
  sorts: Readonly<Record<string, Sort>>
  /** The names in which a search for `q` looks. */
  names: readonly string[]
  meaning?: Meaning | undefined
  /** The column that `from` and `to` compare. */
  day: string
  /** Names of the filters by whose columns the rows can be counted. */
  counts?: readonly string[]
  /** Whether every answer counts the matching rows, even if the request does not ask for it. */
  isCounted?: boolean
}
