/** Column heads that sort a list. Each order that the route declares is offered at the column that it compares. */
import type { Route } from '../../declare/route.ts'
import { changed, PLACE, queryIn } from './addresses.ts'
import { parametersOf } from './parameters.ts'

export interface Head {
  /** Address of the list in this order, or in the opposite direction if the list already has this order. */
  href: string
  /** Null if the list is in another order. */
  sorted: 'ascending' | 'descending' | null
}

/**
 * The columns that an order may compare, by the value of `sort`; the first of these columns that the rows have is used.
 * Every other order has the name of its column.
 */
const COMPARED: Readonly<Record<string, readonly string[]>> = {
  date: ['filed_date', 'filing_date', 'latest_filing_date', 'latest_filing'],
  name: [
    'series_name',
    'firm_name',
    'entity_name',
    'company_name',
    'manager_name',
    'fund_name',
    'issuer_name',
    'registrant_name',
    'name',
  ],
  amount: ['total_offered', 'amount'],
  raum: ['latest_raum'],
  value: ['combined_value', 'total_value', 'value'],
  yield: ['seven_day_gross_yield'],
  first: ['first_filing'],
  filings: ['filing_count'],
  bought: ['bought_value'],
  sold: ['sold_value'],
  net_bought: ['net_value'],
}

/** @returns a function that returns the head of a column by its name; null if no order compares the column */
export function sortingOf(route: Route, url: string): (column: string) => Head | null {
  const parameters = parametersOf(route)
  const sort = parameters.find(({ name }) => name === 'sort')
  const turn = parameters.find(({ name }) => name === 'dir' || name === 'order')
  const columns = Object.keys(route.list?.row.shape ?? {})
  const words = new Map(
    (sort?.choices ?? []).flatMap((word) => {
      const column = (COMPARED[word] ?? [word]).find((each) => columns.includes(each))
      return column === undefined ? [] : [[column, word] as const]
    }),
  )
  const query = queryIn(url)
  const current = query.get('sort') ?? sort?.default
  return (column) => {
    const word = words.get(column)
    if (word === undefined) return null
    const usual = turn?.default ?? (word === 'name' ? 'asc' : 'desc')
    const is = word === current ? ((turn && query.get(turn.name)) ?? usual) : null
    const other = is === 'asc' ? 'desc' : 'asc'
    const set = { sort: word, ...(turn && is !== null && other !== usual && { [turn.name]: other }) }
    return {
      href: changed(url, set, [...PLACE, 'dir', 'order']),
      sorted: is === null ? null : is === 'asc' ? 'ascending' : 'descending',
    }
  }
}
