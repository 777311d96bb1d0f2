/**
 * Every list of the registry uses an index. The test checks the cost that the planner states for pages of the list, if
 * the tables have twenty million rows.
 *
 * @server it reads plans
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { HttpError } from '../../src/declare/api-errors.ts'
import { exampleRequests } from '../../src/declare/examples.ts'
import type { Example, Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { testContext } from '../support/context.ts'
import { openSampledWorld } from '../support/sampled.ts'

const ROWS = 20_000_000
/**
 * Maximum cost in the planner's unit. The statistics state that the tables have few pages, so the cost is only
 * processor time. Fifty rows by an index cost up to 6,100 with all their look-ups; a filter or an order without an
 * index costs 30,000 and more.
 */
const COST_MAX = 10_000

/** A list that costs more, for all requests or with one of its parameters, and the reason. */
interface Exception {
  path: string
  /** The parameter that causes the cost; if absent, any request of the list may cost more. */
  by?: string
  because: string
}

const OFTEN = 'it has a few values, each of which many rows have, and no index'
const EXCEPTIONS: readonly Exception[] = [
  { path: '/brokers', by: 'state', because: OFTEN },
  { path: '/brokers', by: 'weakness', because: OFTEN },
  { path: '/cfportal', because: 'portals are a few hundred, and grouped for each page' },
  {
    path: '/filings',
    by: 'q',
    because: 'the planner assumes that a share of the table has as many different names as the whole table',
  },
  { path: '/form144/filings', by: 'form', because: OFTEN },
  { path: '/form25/filings', by: 'form', because: OFTEN },
  { path: '/formd/filings', by: 'form', because: OFTEN },
  { path: '/fund-launches', by: 'q', because: 'launches of the registrants whose name matches are sorted' },
  {
    path: '/funds/{series}/holdings',
    by: 'period',
    because: 'where a report is missing, unread reports of the registrant are counted',
  },
  { path: '/new-advisers', by: 'q', because: 'advisers whose name matches are sorted' },
  { path: '/new-advisers', by: 'feed', because: OFTEN },
  { path: '/ownership/filings', by: 'form', because: OFTEN },
  { path: '/ownership/transactions', by: 'acquired_disposed', because: OFTEN },
  {
    path: '/proxies',
    by: 'sort',
    because: 'in descending order, the index by name has missing names first, but the list has them last',
  },
  { path: '/schedule13/filings', by: 'form', because: OFTEN },
  { path: '/schedule13/filings', by: 'schedule', because: OFTEN },
  { path: '/text-search', because: 'documents that contain the words are counted by form and year' },
]

const world = await openSampledWorld({ after }, { archived: false })
// States that each value of a column has 400 rows, and that each filing has a few rows of a table.
await world.sql`
  update pg_statistic s set stakind1 = 0, stakind2 = 0, stakind3 = 0, stakind4 = 0, stakind5 = 0,
    stadistinct = case when attname ~ 'accession$' then -0.3 else ${ROWS / 400} end
  from pg_attribute where attrelid = starelid and attnum = staattnum`
// The planner takes the rows per page from the statistics, and multiplies them by the number of pages that the table
// really has.
await world.sql`
  update pg_class set reltuples = ${ROWS}, relpages = greatest(1, pg_relation_size(oid) / 8192)
  where relkind in ('r', 'm') and relnamespace::regnamespace::text not in ('pg_catalog', 'information_schema')
    and oid <> all('{edgar.coverage, adv.adviser_tally, bulk.edition, core.meta}'::regclass[])`

interface Statement {
  text: string
  parameters: unknown[]
}

const sent: Statement[] = []
const one = connect({ target: world.target, max: 1 })
after(() => one.end())
const debug = (_: number, text: string, parameters: unknown[]) => sent.push({ text, parameters })
Object.assign(one.options, { debug })
const context = testContext(one, { catalog: registry })

/**
 * Statements that are not checked here: counts, because a walk through pages counts its matches only once; and a view
 * with a recursion, whose cost the planner cannot estimate and which amended.test.ts measures.
 */
const isOther = (text: string) => /^\s*select count\(\*\)|from "pub"\."\w+_amended" where accession = any/.test(text)

/**
 * Empties the views in the conditions of `amended=latest` and `joint=once`, because the planner overestimates their
 * cost by far. One view has a recursion, and the other reads the few lines of an issuer and day.
 */
const withoutViews = (text: string) =>
  text
    .replaceAll(/\bpub\.\w+_amended m\b/g, '(select null::text as accession, null::text[] as amended_by offset 0) m')
    .replaceAll(
      /\bpub\.\w+_joint_\w+ m\b/g,
      '(select null::text as accession, 0 as line, null::text[] as joint offset 0) m',
    )

interface Plan {
  'Node Type': string
  'Parent Relationship'?: string
  Filter?: string
  'Startup Cost': number
  'Total Cost': number
  'Plan Rows': number
  Plans?: Plan[]
}

async function planOf({ text, parameters }: Statement): Promise<Plan> {
  const [row] = await world.sql.unsafe<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>(
    `explain (format json) ${text}`,
    parameters as never[], // as the driver got them
  )
  return row['QUERY PLAN'][0].Plan
}

/**
 * Factor by which the cost of a page with `amended=latest` or `joint=once` may be higher. PostgreSQL 15 expects that
 * the condition leaves fewer rows, so it states a higher cost (22,314 for two states of Form D). A version that sorted
 * all rows cost 1.8 million.
 */
const LATEST = 5

let conditions = 0

/** The cost of finding the rows for which `amended=latest` or `joint=once` is tested, without the cost of the test. */
function costOfTested(plan: Plan, rows = 0): number {
  if (plan.Filter?.includes('IS DISTINCT FROM')) {
    const tested = plan.Plans!.find((each) => each['Parent Relationship'] === 'Subquery')!
    conditions++
    const share = Math.min(1, rows / tested['Plan Rows'])
    return tested['Startup Cost'] + share * (tested['Total Cost'] - tested['Startup Cost'])
  }
  const wanted = plan['Node Type'] === 'Limit' ? plan['Plan Rows'] : rows
  return (plan.Plans ?? []).reduce((sum, each) => sum + costOfTested(each, wanted), 0)
}

async function planned({ text, parameters }: Statement): Promise<number> {
  if (!/^\s*(select|with)\b/.test(text) || isOther(text)) return 0
  const plain = withoutViews(text)
  const cost = (await planOf({ text: plain, parameters }))['Total Cost']
  return plain === text ? cost : Math.max(cost, costOfTested(await planOf({ text, parameters })))
}

/** The cost of the most expensive statement of a page, and the cursor of the next page. */
async function pageCostOf(route: Route, values: Example): Promise<{ cost: number; cursor: string | null }> {
  sent.length = 0
  const answer = (await route.run(route.input.parse(values), context)) as { next_cursor?: string | null } | null
  const costs: number[] = []
  for (const statement of sent.splice(0)) costs.push(await planned(statement))
  return { cost: Math.max(...costs), cursor: answer?.next_cursor ?? null }
}

/** The costs of the first page of a request, and of the page after its first row. */
async function costOf(route: Route, values: Example): Promise<number> {
  const paged = 'paginate' in route.input.shape ? { ...values, paginate: 'cursor' } : values
  const first = await pageCostOf(route, paged)
  const { cursor } = await pageCostOf(route, { ...paged, limit: '1' })
  return cursor === null ? first.cost : Math.max(first.cost, (await pageCostOf(route, { ...paged, cursor })).cost)
}

/** Parameters that select the page, the members or the format. */
const PAGE = ['limit', 'offset', 'paginate', 'cursor', 'format', 'fields', 'omit', 'count']

/** The words that a parameter accepts; none if the list does not have the parameter. */
function wordsOf({ input }: Route, name: string): string[] {
  let type = input.shape[name] as z.ZodType | undefined
  while (type instanceof z.ZodDefault || type instanceof z.ZodOptional) type = type.unwrap() as z.ZodType
  return type instanceof z.ZodEnum ? (type.options as string[]) : []
}

const isRefused = (error: unknown) => error instanceof HttpError && error.status === 400

/** Requests of a list: the plainest request, each order, each parameter alone, and the list's examples. */
async function requestsOf(route: Route): Promise<Example[]> {
  const examples = exampleRequests(route)
    .filter(({ isContinued }) => !isContinued)
    .map(({ values }) => Object.fromEntries(Object.entries(values).filter(([name]) => !PAGE.includes(name))))
  const bare = Object.fromEntries(Object.entries(examples[0]!).filter(([name]) => route.path.includes(`{${name}}`)))
  const isGood = async (values: Example) => {
    if (!route.input.safeParse(values).success) return false
    return pageCostOf(route, values).then(
      () => true,
      (error) => {
        if (isRefused(error)) return false
        throw error
      },
    )
  }
  const plain = (await isGood(bare)) ? bare : examples[0]!
  const sorts = wordsOf(route, 'sort').map((sort) => ({ sort }))
  const turned = ['dir', 'order'].flatMap((name) => wordsOf(route, name).map((to) => ({ [name]: to })))
  const orders = [{}, ...sorts].flatMap((sort) => [{}, ...turned].map((to) => ({ ...plain, ...sort, ...to })))
  const alone = examples.flatMap((values) =>
    Object.entries(values).map(([name, value]) => ({ ...plain, [name]: value })),
  )
  const all = [...orders, ...alone, ...examples].map((values) => [addressOf(values), values] as const)
  const latest = [...new Map(all).values()].flatMap((values) =>
    ['amended', 'joint'].flatMap((name) => wordsOf(route, name).map((word) => ({ ...values, [name]: word }))),
  )
  const found: Example[] = []
  for (const values of new Map([...all, ...latest.map((values) => [addressOf(values), values] as const)]).values())
    if (await isGood(values)) found.push(values)
  return found
}

const addressOf = (values: Example) => new URLSearchParams(Object.entries(values).sort()).toString()

const lists = registry.routes.filter((route) => route.list?.paged && !route.path.includes('{accession}'))

test('the check detects a sort of a whole table, and a filter that scans an index of dates', async () => {
  const cost = (text: string) => planned({ text, parameters: [] })
  const days = 'from form25.removal where is_amendment order by filed_date desc, accession desc limit 51'
  assert.ok((await cost(`select * ${days}`)) < COST_MAX)
  assert.ok((await cost(`select * ${days.replace('is_amendment', "signature = 'x'")}`)) > COST_MAX)
  assert.ok(
    (await cost(`select * ${days.replace('where is_amendment order by filed_date desc', 'order by signature')}`)) >
      COST_MAX,
  )
})

/** Maximum cost of a few index probes and of reading the filings of one filer. */
const LOOKUP_MAX = 100

test('the test whether an amendment restates a filing uses index probes', async () => {
  const views = registry.slices.flatMap((slice) => slice.views).filter(({ id }) => id.endsWith('_amended'))
  // The planner cannot estimate a view with a recursion.
  const plain = views.filter(({ sql }) => !sql.includes('recursive'))
  assert.ok(plain.length >= 8, String(plain.length))
  for (const { id } of plain) {
    const cost = await planned({ text: `select amended_by from ${id} where accession = $1`, parameters: ['x'] })
    assert.ok(cost > 0 && cost < LOOKUP_MAX, `${id} costs ${Math.round(cost)}`)
  }
})

test('each list uses an index in each order and with each filter, apart from the exceptions in this file', async (t) => {
  const used = new Set<Exception>()
  let count = 0
  for (const route of lists) {
    await t.test(`${route.path}: the cost of a page does not grow with the number of rows`, async () => {
      const own = EXCEPTIONS.filter(({ path }) => path === route.path)
      for (const values of await requestsOf(route)) {
        const cost = await costOf(route, values)
        count++
        if (cost <= COST_MAX * (values.amended === 'latest' || values.joint === 'once' ? LATEST : 1)) continue
        const known = own.filter(({ by }) => by === undefined || by in values)
        assert.notEqual(known.length, 0, `${addressOf(values)} costs ${Math.round(cost)}`)
        for (const each of known) used.add(each)
      }
    })
  }
  assert.ok(count > 200, String(count))
  assert.ok(conditions > 100, String(conditions))
  const unused = EXCEPTIONS.filter((each) => !used.has(each))
  assert.deepEqual(unused, [], 'these requests are no longer exceptions')
})
