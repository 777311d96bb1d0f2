/** Lists that are declared: parameters, pages, counts and the shape of the answer follow from the declaration. */
import type { z } from 'zod'
import type { Found, Leads } from '../declare/found.ts'
import {
  type AnyRows,
  type ColumnOf,
  type CountableOf,
  type Expression,
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
import { type Bucket, type Cost, type Example, get, type Reads, type Route } from '../declare/route.ts'
import type { Relation } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources } from '../declare/view.ts'
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
  /** Names that the parameter `q` means, how it is described, and what else it can mean. */
  names?: { says: string; of: readonly NameOf<T>[]; or?: Meaning }
  /** The first one is the default. Without any, the last filed is first. */
  sorts?: Readonly<Record<string, Sort<T>>>
  /** How the orders are described. */
  sortedBy?: string
  /** The column that `from` and `to` compare, and how it is described. Default: the day of filing. */
  day?: { column: ColumnOf<T>; says: string }
  /** Filters by which `count` also counts, besides the month: those with few values. */
  counts?: readonly CountableOf<F>[]
  /** Given if the rows of the list are not filings. Answers then always have the total, and at most 100 rows. */
  things?: Things
  sources: Sources
  reads?: Reads
  bucket?: Bucket
  cost?: Cost
  /** Only where the contract has no cursor. */
  unrequested?: 'none'
  /** The place of rows for filters that are SQL; for filters that compare a column it is derived. */
  leads?: Leads
  examples: readonly Example[]
}

/** Declares what a list shows. Its route and its details read it. */
export const rowsOf = <T extends Of, R extends z.ZodObject, F extends Of | undefined = undefined>(
  rows: Rows<T, R, F>,
): Rows<T, R, F> => rows

/** A filter that follows the index of another table of the filing. */
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
    input: inputOf(plan, words),
    // The order of the list is the same everywhere, so no list needs an example of its own for it.
    examples: [
      ...examples,
      { sort: sortsOf(plan).at(-1)!, dir: 'asc', ...(isReplaceable(plan.rows) && { amended: 'latest' }) },
    ] as never,
    output: outputOf(plan, words),
    rows: memberOf(things) as never,
    run: async (params, { sql }) => {
      const found = await pageOf(sql, plan, params as never)
      const hasAny = found.rows.length > 0 || (things && found.total! > 0)
      const answer = answerOf(found, things)
      return (hasAny ? answer : await withMissing(sql, sources, answer)) as never
    },
  })
}

/** The place of the rows for each filter that compares a column: for links to the list. */
function foundBy<T extends Of>(of: T, filters: Filters<T>): Record<string, Found> {
  const entries = Object.entries(filters).flatMap(([name, filter]): [string, Found][] => {
    if ('through' in filter) {
      const { table, column, once } = filter.through
      return [[name, { in: table.id as Found['in'], by: column, ...(once && { isCounted: false }) }]]
    }
    const isEqual = 'column' in filter && (filter.op ?? '=') === '='
    return isEqual ? [[name, { in: of.id as Found['in'], by: filter.column }]] : []
  })
  return Object.fromEntries(entries)
}
