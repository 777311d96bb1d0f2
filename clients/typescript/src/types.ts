/** Types of parameters, answers and rows, derived from those of the OpenAPI document. */
import type { components, operations } from './generated/schema.ts'
import type { List } from './list.ts'

/** Shapes of the document by their names: `Schemas['FilingRow']`. */
export type Schemas = components['schemas']

/** Name of an operation: `thirteenf_holdings`. */
export type Operation = keyof operations

/** The JSON that an operation answers. */
export type Body<O extends Operation> = operations[O] extends {
  responses: { 200: { content: { 'application/json': infer B } } }
}
  ? B
  : never

/** A row of a list. `M` is the member of the answer that holds the rows, or `.` if the answer is the rows. */
export type Row<O extends Operation, M extends string> = RowIn<Body<O>, M>

type RowIn<B, M extends string> = (M extends keyof B ? NonNullable<B[M]> : B) extends readonly (infer R)[] ? R : never

/** Members of a row, which `fields` and `omit` name. */
export type Field<O extends Operation, M extends string> = keyof Row<O, M>

/** A row with the members that `fields` (F) chooses and `omit` (X) does not leave out. */
export type Chosen<R, F extends keyof R, X extends keyof R> = [keyof R] extends [F]
  ? [X] extends [never]
    ? R
    : Omit<R, X>
  : Pick<R, Exclude<F, X>>

/** An answer with such rows. */
export type Page<O extends Operation, M extends string, F extends Field<O, M>, X extends Field<O, M>> =
  Chosen<Row<O, M>, F, X> extends Row<O, M>
    ? Body<O>
    : M extends keyof Body<O>
      ? Omit<Body<O>, M> & { [K in M]: Chosen<Row<O, M>, F, X>[] | Extract<Body<O>[M], null> }
      : Chosen<Row<O, M>, F, X>[]

/** A list with the chosen fields of its rows. */
export type Rows<O extends Operation, M extends string, F extends Field<O, M>, X extends Field<O, M>> = List<
  Page<O, M, F, X>,
  Chosen<Row<O, M>, F, X>
>

/** Parameters that the client itself sets. */
type Own = 'format' | 'fields' | 'omit'

type Parameters<O extends Operation> = operations[O] extends { parameters: { query?: infer Q } }
  ? NonNullable<Q>
  : never

/** Arrays may be read-only, optional parameters may be undefined, and the filter tree may be an object. */
type Loose<Q> = {
  [K in keyof Q]: K extends 'filters'
    ? Q[K] | FilterTree | undefined
    : Q[K] extends readonly (infer I)[] | undefined
      ? readonly I[] | Extract<Q[K] | Absent<Q, K>, undefined>
      : Q[K] | Absent<Q, K>
}

/** `undefined` for a parameter that may be left out. */
type Absent<Q, K extends keyof Q> = Record<never, never> extends Pick<Q, K> ? undefined : never

/** The query of an operation. */
export type Query<O extends Operation> = Loose<Omit<Parameters<O>, Own>>

/** The query of a list, with the fields of its rows. */
export type ListQuery<
  O extends Operation,
  M extends string,
  F extends Field<O, M>,
  X extends Field<O, M>,
> = Query<O> & {
  /** Members that rows have; all if it is left out. */
  fields?: readonly F[] | undefined
  /** Members that rows do not have. */
  omit?: readonly X[] | undefined
}

/** A condition of the filter tree, over a field of `/filings/families`. */
export interface FilterCondition {
  field: string
  op: string
  value?: unknown
}

/** The tree of the parameter `filters`. */
export type FilterTree =
  | FilterCondition
  | { and: readonly FilterTree[] }
  | { or: readonly FilterTree[] }
  | { not: FilterTree }

/** Formats of a page as a feed. */
export type FeedFormat = Extract<NonNullable<Parameters<'filings'>['format']>, 'atom' | 'jsonfeed'>

/** The formats that the service has for a list as a file. Feeds are a page and not a file. */
export type FileFormat = Extract<NonNullable<Parameters<'filings'>['format']>, 'csv' | 'ndjson' | 'parquet'>
