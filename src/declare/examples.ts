/**
 * The example requests of a route. A route declares the requests that only it can know. Parameters that mean the same
 * in every list have their values here. Each of them is added to the first request, without the others.
 */
import type { Example, Route } from './route.ts'

export interface ExampleRequest {
  readonly values: Example
  /** Whether the request is sent twice: first without `cursor`, then with the `next_cursor` of the first answer. */
  readonly isContinued: boolean
}

/**
 * Number of rows of an example list. Two rows show the shape of the list. A third row follows, so the answer also has a
 * cursor.
 */
const LIMIT = '2'
/** Values of the parameters that are added alone. With offset 1, a list of two rows still has a row. */
const ALONE: Example = { offset: '1', paginate: 'cursor', count: 'exact', format: 'csv' }

/** All of a route's example requests. The answer to the first request is the route's example answer. */
export function exampleRequests({
  input,
  examples,
  list,
}: Pick<Route, 'input' | 'examples' | 'list'>): ExampleRequest[] {
  const takes = (name: string) => name in input.shape
  const short = (values: Example) => (takes('limit') && !('limit' in values) ? { ...values, limit: LIMIT } : values)
  const [main = short({}), ...more] = examples.map(short)
  const declared = [main, ...more]
  const isMissing = (name: string) => takes(name) && !declared.some((values) => name in values)
  const [first, second, ...others] = Object.keys(list?.row.shape ?? {})
  const fields = list ? { fields: [first, second].filter(Boolean).join(), omit: others.at(-1) ?? first! } : {}
  const alone = Object.entries({ ...ALONE, ...fields }).filter(([name]) => isMissing(name))
  const continued = { ...main, limit: '1', ...(takes('paginate') ? { paginate: 'cursor' } : {}) }
  return [
    ...declared.map((values) => ({ values, isContinued: false })),
    ...alone.map(([name, value]) => ({ values: { ...main, [name]: value }, isContinued: false })),
    ...(isMissing('cursor') ? [{ values: continued, isContinued: true }] : []),
  ]
}

/** The address of a request, below the version: `/brokers?q=goldman`. */
export function addressOf(route: Pick<Route, 'path'>, values: Example): string {
  const inPath = new Set<string>()
  const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    inPath.add(name)
    return encodeURIComponent(values[name] ?? '')
  })
  const inQuery = Object.entries(values).filter(([name]) => !inPath.has(name))
  if (inQuery.length === 0) return path
  // A comma means the same if it is not encoded, and a list of states is then easier to read.
  return `${path}?${new URLSearchParams(inQuery).toString().replaceAll('%2C', ',')}`
}
