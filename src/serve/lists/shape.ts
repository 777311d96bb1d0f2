/** The parameters of a declared list, and the shape of its answer. */
import { z } from 'zod'
import { amendedRows } from '../../declare/amended.ts'
import { isReplaceable, type ListPlan, type Meaning } from '../../declare/lists.ts'
import { byCursor, countedBy, countedValues, nextCursor, nextCursorOnRequest } from '../../declare/paging.ts'
import { choice, day, limit, offset, query } from '../../declare/route.ts'
import { NAME_MEANING } from '../../names.ts'
import { notLoaded } from '../loaded.ts'
import { directionOf } from './keys.ts'
import type { Page } from './page.ts'

/** The things that a list has, such as brokers, if its rows are not filings. */
export interface Things {
  called: string
  /** The member of the answer that has the rows. Default: rows. */
  in?: string
}

export interface Words {
  names?: { says: string; or?: Meaning } | undefined
  sortedBy?: string | undefined
  day?: { says: string } | undefined
  things?: Things | undefined
  unrequested?: 'none' | undefined
}

export const sortsOf = ({ sorts }: ListPlan) => Object.keys(sorts) as [string, ...string[]]

export function inputOf(plan: ListPlan, { names, sortedBy = 'Order of the list', day: compared, things }: Words) {
  const sorts = sortsOf(plan)
  const filed = compared ? `${compared.says} was filed on` : 'filing date is'
  return {
    ...(names && { q: query([`${names.says}. ${NAME_MEANING}`, names.or?.says].filter(Boolean).join(' ')).optional() }),
    ...Object.fromEntries(Object.entries(plan.filters).map(([name, { type }]) => [name, orNone(type)])),
    ...(isReplaceable(plan.rows) && { amended: amendedRows }),
    from: day(`Only rows whose ${filed} this day or later`).optional(),
    to: day(`Only rows whose ${filed} this day or earlier`).optional(),
    sort: choice(sorts, `${sortedBy}; missing values come last`).default(sorts[0]),
    dir: Object.values(plan.sorts).every((sort) => directionOf(sort) === 'desc')
      ? choice(['asc', 'desc'], 'Ascending (asc) or descending (desc) order').default('desc')
      : choice(
          ['asc', 'desc'],
          'Ascending (asc) or descending (desc) order; by default asc for names and desc for everything else',
        ).optional(),
    limit: limit({ max: things ? 100 : 200, default: 50 }),
    offset: things ? offset() : offset({ max: 10_000 }),
    ...byCursor,
    ...countedBy([...(plan.counts ?? []), 'month']),
  }
}

const orNone = (type: z.ZodType) => (type instanceof z.ZodDefault ? type : type.optional())

export function outputOf({ rows: { row } }: ListPlan, { things, unrequested }: Words) {
  const { id } = z.globalRegistry.get(row)!
  const rows = { [memberOf(things)]: z.array(row) }
  return z
    .object({
      ...(things ? { ...totalsOf(things), ...rows } : { ...rows, ...countedValues }),
      next_cursor: unrequested ? nextCursorOnRequest : nextCursor,
      ...notLoaded,
    })
    .meta({ id: id!.replace(/(Row)?$/, 'Page') })
}

const totalsOf = ({ called }: Things) => ({
  ...countedValues,
  total: z
    .int()
    .describe(
      `Number of matching ${called.toLowerCase()}. On a page that is requested by cursor, their number at the time of the first page`,
    ),
})

/** The answer of a page. In a list of things, the rows come after the total. */
export function answerOf({ rows, next_cursor, ...totals }: Page, things?: Things): object {
  return things ? { ...totals, [memberOf(things)]: rows, next_cursor } : { rows, ...totals, next_cursor }
}

export const memberOf = (things?: Things): string => things?.in ?? 'rows'
