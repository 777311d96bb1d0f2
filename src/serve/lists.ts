/** Lists that are declared: parameters, pages, counts and the shape of the answer follow from the declaration. */
import { z } from 'zod'
import type { Found, Leads } from '../declare/found.ts'
import type {
  AnyRows,
  ColumnOf,
  CountableOf,
  Expression,
  Filters,
  ListPlan,
  NameOf,
  Rows,
  Sort,
  Through,
} from '../declare/lists.ts'
import { NEWEST } from '../declare/lists.ts'
import { byCursor, countedBy, countedValues, nextCursor } from '../declare/paging.ts'
import { choice, day, type Example, get, limit, offset, query, type Reads, type Route } from '../declare/route.ts'
import type { Relation } from '../declare/table.ts'
import type { Tag } from '../declare/tags.ts'
import type { Sources } from '../declare/view.ts'
import { NAME_MEANING } from '../names.ts'
import { pageOf } from './lists/page.ts'
import { notLoaded, withMissing } from './loaded.ts'

export { filingsWhere } from './lists/page.ts'

interface Declared<T extends Relation, R extends z.ZodObject, F extends Filters<T>> {
  name: string
  summary: string
  description?: string
  tag: Tag
  rows: Rows<T, R>
  filters: F
  /** Names that the parameter `q` means, and how it is described. */
  names?: { says: string; of: readonly NameOf<T>[] }
  /** The first one is the default. Without any, the last filed is first. */
  sorts?: Readonly<Record<string, Sort<T>>>
  /** The column that `from` and `to` compare, and what it is. Default: the day of filing. */
  day?: { column: ColumnOf<T>; says: string }
  /** Filters by which `count` also counts, besides the month: those with few values. */
  counts?: readonly CountableOf<F>[]
  sources: Sources
  reads?: Reads
  /** Where rows are by filters that are SQL; by the others it is known. */
  leads?: Leads
  examples: readonly Example[]
}

/** Declares what a list shows. Its route and its details read it. */
export const rowsOf = <T extends Relation, R extends z.ZodObject>(rows: Rows<T, R>): Rows<T, R> => rows

/** A filter that follows the index of another table of the filing. */
export const through = <T extends Relation>(
  table: T,
  column: ColumnOf<T>,
  once?: Expression,
): { through: Through } => ({
  through: { table, column, ...(once && { once }) },
})

/** Declares the route of a list. */
export function list<T extends Relation, R extends z.ZodObject, const F extends Filters<T>>(
  path: `/${string}`,
  { rows, filters, names, sorts, day: compared, counts = [], sources, examples, leads, ...route }: Declared<T, R, F>,
): Route {
  const plan: ListPlan = {
    name: route.name,
    rows: rows as AnyRows,
    filters,
    sorts: sorts ?? { date: NEWEST },
    names: names?.of ?? [],
    day: compared?.column ?? 'filed_date',
    counts,
  }
  const words = Object.keys(plan.sorts) as [string, ...string[]]
  const says = compared?.says ?? 'day of filing'
  const input = {
    ...(names && { q: query(`${names.says}. ${NAME_MEANING}`).optional() }),
    ...Object.fromEntries(Object.entries(filters).map(([name, { type }]) => [name, type.optional()])),
    from: day(`First ${says}`).optional(),
    to: day(`Last ${says}`).optional(),
    sort: choice(words, 'Order of the list; missing values come last').default(words[0]),
    dir: choice(['asc', 'desc'], 'Direction; when absent names ascend and all else descends').optional(),
    limit: limit({ max: 200, default: 50 }),
    offset: offset({ max: 10_000 }),
    ...byCursor,
    ...countedBy([...counts, 'month']),
  }
  const { id } = z.globalRegistry.get(rows.row)!
  const output = z
    .object({ rows: z.array(rows.row), ...countedValues, next_cursor: nextCursor, ...notLoaded })
    .meta({ id: id!.replace(/Row$/, 'Page') })
  return get(path, {
    ...route,
    leads: { ...leads, found: { ...foundBy(rows.of, filters), ...leads?.found } },
    input,
    // The order of the list is the same everywhere, so no list needs an example of its own for it.
    examples: [...examples, { sort: words.at(-1)!, dir: 'asc' }] as never,
    output,
    rows: 'rows',
    run: async (asked, { sql }) => {
      const found = await pageOf(sql, plan, asked as never)
      return (found.rows.length > 0 ? found : await withMissing(sql, sources, found)) as never
    },
  })
}

/** Where the rows of each filter are that compares a column, for links to the list. */
function foundBy<T extends Relation>(of: T, filters: Filters<T>): Record<string, Found> {
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
