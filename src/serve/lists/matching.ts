/**
 * Takes some filings and several requests of a declared list, and finds out which rows of the filings match which
 * requests. One statement reads the rows of the filings once and tests all requests on these rows.
 */
import type { ListPlan } from '../../declare/lists.ts'
import type { Fragment, Sql } from '../../store/db.ts'
import { withAmended } from '../amended.ts'
import { joined, sourceOf, type Wanted } from './conditions.ts'
import { ofFiling, selected } from './page.ts'

type Row = Record<string, unknown> & { accession: string }

/** Parameters that choose the page or the order. */
const OF_PAGE = ['limit', 'offset', 'paginate', 'cursor', 'count', 'sort', 'dir']

/** Maximum number of requests in one statement. Each request adds a condition that the planner must process. */
const REQUESTS_MAX = 250

export interface Matched {
  /** Position of the request. */
  request: number
  row: Readonly<Record<string, unknown>>
}

/**
 * @param requests parsed input of each request
 * @param ids members that identify a row; all are columns
 */
export async function rowsAmong(
  sql: Sql,
  plan: ListPlan,
  { requests, accessions, ids }: { requests: readonly Wanted[]; accessions: readonly string[]; ids: readonly string[] },
): Promise<Matched[]> {
  const { rows } = plan
  const found: Row[] = await sql<Row[]>`
    select ${selected(sql, rows)} from ${sql(rows.of.id)} t ${ofFiling(sql, rows)}
    where t.accession = any(${accessions as string[]})`
  if (found.length === 0) return []
  const { rows: shown } = rows.amended ? await withAmended(sql, rows.amended, { rows: found }) : { rows: found }
  const byKey = new Map(shown.map((row) => [keyOf(row, ids), row]))
  const matched: Matched[] = []
  for (let at = 0; at < requests.length; at += REQUESTS_MAX) {
    const some = requests.slice(at, at + REQUESTS_MAX)
    for (const { request, ...key } of await keysAmong(sql, plan, { requests: some, accessions, ids })) {
      const row = byKey.get(keyOf(key, ids))
      // If a row changed between the two statements, it is missing here. The event of that change will bring the row.
      if (row) matched.push({ request: at + request, row })
    }
  }
  return matched
}

const keyOf = (row: Readonly<Record<string, unknown>>, ids: readonly string[]) =>
  JSON.stringify(ids.map((name) => row[name] ?? null))

async function keysAmong(
  sql: Sql,
  plan: ListPlan,
  { requests, accessions, ids }: { requests: readonly Wanted[]; accessions: readonly string[]; ids: readonly string[] },
): Promise<(Record<string, unknown> & { request: number })[]> {
  const columns = joined(
    sql,
    ids.map((name) => sql.unsafe(`t.${name}`)),
    sql`,`,
  )
  const tests: Fragment[] = []
  for (const [request, input] of requests.entries()) {
    const filters = Object.fromEntries(Object.entries(input).filter(([name]) => !OF_PAGE.includes(name)))
    const { from, conditions, prefix, kept } = await sourceOf(sql, plan, filters, sql`these`)
    const own = prefix === 'w.' ? [sql`w.accession = any(${accessions as string[]})`] : []
    const all = [sql`true`, ...own, ...conditions, ...(kept ? [kept] : [])]
    tests.push(sql`select ${request}::int as request, ${columns} from ${from} where ${joined(sql, all, sql` and`)}`)
  }
  return sql`
    with these as materialized (
      select * from ${sql(plan.rows.of.id)} where accession = any(${accessions as string[]})
    ) ${joined(sql, tests, sql` union all`)}`
}
