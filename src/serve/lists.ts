/**
 * Makes the routes of declared lists. Parameters, pages, counts and the shape of the answer follow from the
 * declaration.
 */
import { z } from 'zod'
import { feedOf } from '../declare/feeds.ts'
import {
  type AnyRows,
  type ColumnOf,
  type CountableOf,
  type Expression,
  type Filter,
  type Filters,
  isReplaceable,
  type ListPlan,
  type Meaning,
  type NameOf,
  NEWEST,
  type Of,
  type Rows,
  type Sort,
  type Through,
} from '../declare/lists.ts'
import { type Mistaken, RENAMED_FORMS } from '../declare/mistaken.ts'
import { type Bucket, type Cost, type Example, get, type Reads, type Route } from '../declare/route.ts'
import type { Leads, RowSource } from '../declare/route-leads.ts'
import type { Relation } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources } from '../declare/view.ts'
import { rowsAmong } from './lists/matching.ts'
import { pageOf } from './lists/page.ts'
import { answerOf, inputOf, memberOf, outputOf, sortsOf, type Things } from './lists/shape.ts'
import { withMissing } from './loaded.ts'

interface Declared<T extends Of, R extends z.ZodObject, W extends Of | undefined, F extends Filters<T>> {
  name: string
  summary: string
  description?: string
  tag: Tag
  rows: Rows<T, R, W>
  filters: F
  /** Names that the parameter `q` searches, the description of `q`, and its other meanings. */
  names?: { says: string; of: readonly NameOf<T>[]; or?: Meaning }
  /** The orders; the first order is the default. If no order is declared, the newest filing comes first. */
  sorts?: Readonly<Record<string, Sort<T>>>
  /** Description of the parameter `sort`. */
  sortedBy?: string
  /**
   * The column that `from` and `to` compare. `says` names the report that was filed on the day in this column, such as
   * `newest report`. Default: the filing date of the row.
   */
  day?: { column: ColumnOf<T>; says: string }
  /**
   * Filters that have few values. The parameter `count` can count rows by the columns of these filters, in addition to
   * the month.
   */
  counts?: readonly CountableOf<F>[]
  /** Set if the rows of the list are not filings. If set, answers always have the total, and at most 100 rows. */
  things?: Things
  sources: Sources
  reads?: Reads
  bucket?: Bucket
  cost?: Cost
  /**
   * Set only for a list whose answer, by the contract (the specification of the first endpoints), has no `next_cursor`.
   */
  unrequested?: 'none'
  /**
   * For each filter, the relation and column in which a link to this list looks for rows (`declare/route-leads.ts`).
   * Needed only for filters that are written in SQL: for a filter that compares a column, relation and column are
   * derived from the filter.
   */
  leads?: Leads
  examples: readonly Example[]
}

/** Declares the rows of a list. The list's route, and details that show the same rows, use the declaration. */
export const rowsOf = <T extends Of, R extends z.ZodObject, F extends Of | undefined = undefined>(
  rows: Rows<T, R, F>,
): Rows<T, R, F> => rows

/** A filter that finds filings by the index of another table. */
export const through = <T extends Relation>(
  table: T,
  column: ColumnOf<T>,
  once?: Expression,
): { through: Through } => ({
  through: { table, column, ...(once && { once }) },
})

/** Declares the route of a list. */
export function list<T extends Of, R extends z.ZodObject, W extends Of | undefined, const F extends Filters<T>>(
  path: `/${string}`,
  {
    rows,
    filters,
    names,
    sorts,
    sortedBy,
    day,
    counts = [],
    things,
    sources,
    examples,
    leads,
    ...route
  }: Declared<T, R, W, F>,
): Route {
  const plan: ListPlan = {
    name: route.name,
    rows: rows as AnyRows,
    filters,
    sorts: sorts ?? { date: NEWEST },
    names: names?.of ?? [],
    meaning: names?.or,
    day: day?.column ?? 'filed_date',
    counts,
    isCounted: things !== undefined,
  }
  const words = { names, sortedBy, day, things, unrequested: route.unrequested }
  return get(path, {
    ...route,
    leads: { ...leads, found: { ...foundBy(rows.of, filters), ...leads?.found } },
    mistaken: mistakenIn(filters, names !== undefined),
    input: inputOf(plan, words),
    // All lists have the same parameters for order, so no list needs to declare an example for them.
    examples: [
      ...examples,
      { sort: sortsOf(plan).at(-1)!, dir: 'asc', ...(isReplaceable(plan.rows) && { amended: 'latest' }) },
    ] as never,
    output: outputOf(plan, words),
    rows: memberOf(things) as never,
    ...(hasFilings(rows as AnyRows) && { among: (sql, wanted) => rowsAmong(sql, plan, wanted) }),
    run: async (params, { sql }) => {
      const found = await pageOf(sql, plan, params as never)
      const hasAny = found.rows.length > 0 || (things && found.total! > 0)
      const answer = answerOf(found, things)
      return (hasAny ? answer : await withMissing(sql, sources, answer)) as never
    },
  })
}

/**
 * Whether the relation itself has all members that identify its rows in a feed. Only then can the rows of given filings
 * be found (`among`).
 */
function hasFilings({ of, row }: AnyRows): boolean {
  const feed = feedOf(row, { from: row, to: row, limit: row })
  return feed?.ids.every((name) => name in of.row.shape) ?? false
}

/** Returns the parameters of the list that clients confuse: those that take a CIK, and the name. */
function mistakenIn(filters: Readonly<Record<string, Filter>>, hasNames: boolean): Mistaken {
  const isCik = ({ type }: Filter) => z.globalRegistry.get(type)?.['x-entity'] === 'cik'
  const ids = Object.keys(filters).filter((name) => isCik(filters[name]!))
  return { ids: [...(hasNames ? ['q'] : []), ...ids], ...('form' in filters && { codes: { form: RENAMED_FORMS } }) }
}

/**
 * Returns, for each filter that compares a column for equality or goes through another table, the relation and column
 * in which a link to the list looks for rows.
 */
function foundBy<T extends Of>(of: T, filters: Filters<T>): Record<string, RowSource> {
  const entries = Object.entries(filters).flatMap(([name, filter]): [string, RowSource][] => {
    if ('through' in filter) {
      const { table, column, once } = filter.through
      return [[name, { in: table.id as RowSource['in'], by: column, ...(once && { isCounted: false }) }]]
    }
    const isEqual = 'column' in filter && (filter.op ?? '=') === '='
    return isEqual ? [[name, { in: of.id as RowSource['in'], by: filter.column }]] : []
  })
  return Object.fromEntries(entries)
}
