/** Parameters that every list has: the count, and for lists of filings also the dates and the filer. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Example, Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { serveSample } from '../support/served.ts'

type Rows = Record<string, unknown>[]

const served = await serveSample({ after })
const takes = (route: Route, name: string) => name in route.input.shape
const lists = registry.routes.filter((route) => route.list?.paged && !route.path.includes('by-accession'))

/** Lists that report the number of matching rows in another way. */
const COUNTED_OTHERWISE = ['/text-search', '/adv/securities/{cusip}/price-history']
const counted = lists.filter(({ path }) => !COUNTED_OTHERWISE.includes(path))

async function answerOf(route: Route, values: Example) {
  const address = addressOf(route, values)
  const response = await served.get(address)
  const body = (await response.json()) as Record<string, unknown>
  assert.equal(response.status, 200, `${address}: ${JSON.stringify(body)}`)
  return { body, rows: body[route.list!.member!] as Rows, link: response.headers.get('link') }
}

/** Returns a list's first example, without paging parameters and without the parameters that this file tests. */
function firstOf(route: Route): Example {
  const { limit: _, from: __, to: ___, ...values } = exampleRequests(route)[0]!.values
  return values
}

const linesOf = async (route: Route, values: Example): Promise<Rows> => {
  const response = await served.get(addressOf(route, { ...values, format: 'ndjson' }))
  const lines = (await response.text()).trimEnd().split('\n')
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}

test('every list reports the number of matching rows on request, exactly or as an estimate, and files have no count', async () => {
  for (const route of counted) {
    assert.ok(takes(route, 'count'), route.path)
    const values = { ...firstOf(route), limit: '1' }
    const plain = await answerOf(route, values)
    assert.equal('total_is' in plain.body, false, route.path)
    const { body, rows } = await answerOf(route, { ...values, count: 'estimate' })
    assert.ok(Number.isInteger(body.total) && ['exact', 'estimate'].includes(String(body.total_is)), route.path)
    assert.deepEqual(rows, plain.rows, route.path)
    assert.deepEqual(await linesOf(route, { ...values, count: 'exact' }), await linesOf(route, values), route.path)
  }
})

test('a cursor works with and without a count, and an estimate is never returned as an exact count', async () => {
  const route = lists.find(({ name }) => name === 'proxies')!
  const all = (await linesOf(route, {})).length
  for (const first of [undefined, 'exact', 'estimate']) {
    const { link } = await answerOf(route, { limit: '1', ...(first && { count: first }) })
    const cursor = /cursor=([\w-]{20,})/.exec(link!)![1]!
    for (const count of [undefined, 'exact', 'estimate']) {
      const { body } = await answerOf(route, { limit: '1', cursor, ...(count && { count }) })
      assert.equal(body.total_is, count)
      if (count === 'exact') assert.equal(body.total, all)
    }
  }
})

test('members of a JSON row are in the order in which a file of the list has its columns', async () => {
  const wrong: string[] = []
  for (const route of registry.routes.filter(({ list }) => list?.member)) {
    const declared = Object.keys(route.list!.row.shape)
    for (const { values } of exampleRequests(route)) {
      const { rows } = await answerOf(route, { ...values, format: 'json' })
      const named = Object.keys(rows?.[0] ?? {})
      const order = declared.filter((name) => named.includes(name))
      if (named.join() !== order.join()) wrong.push(`${route.path}: ${named.join()} ${order.join()}`)
    }
  }
  assert.deepEqual([...new Set(wrong)], [])
})

/** Returns the fields by which a list can count its rows. */
const fieldsOf = ({ input }: Route): string[] => {
  const words = (input.shape.count as z.ZodOptional<z.ZodEnum>).unwrap().options.map(String)
  return words.filter((word) => word !== 'exact' && word !== 'estimate')
}
const byField = counted.filter((route) => fieldsOf(route).length > 0)

/** Returns the parameters that request the rows with a value: the filter of the field, or the days of the month. */
const asking = (field: string, value: string): Example =>
  field === 'month'
    ? { from: `${value}-01`, to: new Date(Date.UTC(+value.slice(0, 4), +value.slice(5), 0)).toISOString().slice(0, 10) }
    : { [field]: value }

test('a count by a field is added to the usual page, and gives for each value the number of rows that a filter by the value finds', async () => {
  assert.ok(byField.length >= 20, String(byField.length))
  for (const route of byField) {
    const all = await answerOf(route, { limit: '1', count: 'exact' })
    for (const field of fieldsOf(route)) {
      const { body, rows } = await answerOf(route, { limit: '1', count: field })
      const place = `${route.path} ${field}`
      assert.deepEqual([rows, body.total, body.total_is], [all.rows, all.body.total, 'exact'], place)
      const counts = body.value_counts as { value: string | null; count: number }[]
      assert.ok(counts.length > 0, place)
      const order = counts.map(({ value, count }) => (field === 'month' ? value! : count))
      assert.deepEqual(
        order,
        order.toSorted((a, b) => (a < b ? 1 : a > b ? -1 : 0)),
        place,
      )
      for (const { value, count } of [...counts.slice(0, 2), ...counts.slice(-1)]) {
        if (value === null) continue
        const found = await answerOf(route, { ...asking(field, value), limit: '1', count: 'exact' })
        assert.equal(found.body.total, count, `${place} ${value}`)
      }
    }
  }
})

test('counts by form, for a filer and for a family, agree with the indexes of the sample', async () => {
  const route = lists.find(({ name }) => name === 'filings')!
  const countsOf = async (values: Example) => {
    const { body } = await answerOf(route, { ...values, limit: '1' })
    return (body.value_counts as { value: string; count: number }[]).map(({ value, count }) => `${value} ${count}`)
  }
  const apple = await countsOf({ cik: '320193', count: 'form' })
  assert.deepEqual(apple.slice(0, 3), ['4 3', '8-K 3', 'DEF 14A 2'])
  assert.deepEqual(await countsOf({ cik: '320193', form: '8-K', count: 'month' }), [
    '2025-01 1',
    '2024-02 1',
    '2019-03 1',
  ])
  assert.deepEqual(await countsOf({ family: 'formd', form: 'D/A', count: 'family' }), [`formd ${await amendments()}`])
})

/** Filings on Form D/A that the indexes list. */
async function amendments(): Promise<number> {
  const [row] = await served.sql<[{ n: number }]>`select count(*)::int as n from edgar.filing where form_type = 'D/A'`
  return row.n
}

test('pages by cursor have the total but not the counts by value, and an unknown field for counts is refused with the names of the known fields', async () => {
  const route = lists.find(({ name }) => name === 'formd_filings')!
  const first = await answerOf(route, { limit: '1', count: 'state' })
  const next = await served.get(/<([^>]+)>/.exec(first.link!)![1]!.replace(/^\/v1/, ''))
  const body = (await next.json()) as Record<string, unknown>
  assert.deepEqual([body.total, body.total_is, 'value_counts' in body], [first.body.total, 'exact', false])
  const refused = await served.get(addressOf(route, { count: 'city' }))
  assert.equal(refused.status, 400)
  assert.match(await refused.text(), /count: .*exact.*estimate.*state.*industry.*exemption.*form.*month/)
})

test('an estimate is the planner’s row count, and reads no row', async () => {
  const route = lists.find(({ name }) => name === 'proxies')!
  await served.sql`update pg_class set reltuples = 3e6, relpages = 1e5 where oid = 'proxies.statement'::regclass`
  const { body } = await answerOf(route, { count: 'estimate', to: '2026-12-30' })
  assert.equal(body.total_is, 'estimate')
  assert.ok(Number(body.total) > 0 && Number(body.total) !== (await linesOf(route, {})).length, String(body.total))
})

const replacing = lists.filter((route) => takes(route, 'amended'))

test('lists include replaced rows, marked as such; `amended=latest` excludes them, also from files and counts', async () => {
  const found: string[] = []
  for (const route of replacing) {
    const { amended: _, form: __, ...values } = firstOf(route)
    const all = await linesOf(route, values)
    const kept = await linesOf(route, { ...values, amended: 'latest' })
    const texts = new Set(kept.map((row) => JSON.stringify(row)))
    const left = all.filter((row) => !texts.has(JSON.stringify(row)))
    assert.equal(kept.length + left.length, all.length, route.path)
    const unmarked = left.filter(({ amended_by }) => (amended_by as string[]).length === 0)
    assert.deepEqual(unmarked, [], route.path)
    assert.equal(
      (await answerOf(route, { ...values, amended: 'latest', count: 'exact' })).body.total,
      kept.length,
      route.path,
    )
    if (left.length > 0) found.push(route.path)
    if (all.length < 2) continue
    const { link } = await answerOf(route, { ...values, limit: '1' })
    const cursor = /cursor=([\w-]{20,})/.exec(link!)![1]!
    const other = await served.get(addressOf(route, { ...values, amended: 'latest', limit: '1', cursor }))
    assert.equal(other.status, 400, route.path)
    assert.match(await other.text(), /belongs to other filters/)
  }
  // The sample has amended filings only in these lists. For the other lists, amended.test.ts makes amended filings.
  assert.deepEqual(found.sort(), ['/form25/filings', '/formd/filings'])
})

test('neither lists of the contract nor the list of schedules, whose amendments replace nothing, accept `amended=latest`', () => {
  const marking = lists.filter(
    (route) => 'amended_by' in route.list!.row.shape && !replacing.some(({ path }) => path === route.path),
  )
  assert.deepEqual(marking.map(({ path }) => path).sort(), ['/feed', '/filings', '/schedule13/filings'])
})

/** Returns the filing date of a row. For votes, returns the date of the meeting, by which they are listed. */
const dayIn = ({ name }: Route, row: Rows[number]) =>
  String((name === 'npx_votes' ? row.meeting_date : null) ?? row.filed_date ?? row.filing_date)
const ofFilings = lists.filter(
  ({ list }) => 'accession' in list!.row.shape && ['filed_date', 'filing_date'].some((name) => name in list!.row.shape),
)

test('every list of filings can be limited to a range of dates, and has no rows for dates before EDGAR existed', async (t) => {
  assert.ok(ofFilings.length > 15)
  for (const route of ofFilings) {
    await t.test(`${route.path}: from and to limit the filing date`, async () => {
      const values = firstOf(route)
      const whole = await linesOf(route, values)
      const days = whole.map((row) => dayIn(route, row)).sort()
      const middle = days[Math.floor(days.length / 2)]!
      for (const [span, has] of [
        [{ from: middle, to: middle }, (one: string) => one === middle],
        [{ from: middle }, (one: string) => one >= middle],
        [{ to: middle }, (one: string) => one <= middle],
        [{ from: '1901-01-01', to: '1901-01-02' }, () => false],
      ] as const) {
        const found = await linesOf(route, { ...values, ...span })
        const expected = whole.filter((row) => has(dayIn(route, row)))
        assert.deepEqual(found, expected, JSON.stringify(span))
      }
    })
  }
})

test('every list that takes two dates refuses a first date that is after the last one', async () => {
  const dated = lists.filter((route) => takes(route, 'from') && takes(route, 'to'))
  assert.ok(dated.length >= 22, String(dated.length))
  for (const route of dated) {
    const address = addressOf(route, { ...firstOf(route), from: '2024-02-02', to: '2024-02-01' })
    const response = await served.get(address)
    assert.equal(response.status, 400, address)
    assert.match(await response.text(), /"from: is after to"/)
  }
})

test('every list of filings of several filers can be limited to one filer', async (t) => {
  // Votes are listed only by filer, series or security.
  const ofAll = ofFilings.filter(({ path, name }) => !path.includes('{') && name !== 'npx_votes')
  for (const route of ofAll) {
    await t.test(`${route.path}: cik limits the list to one filer`, async () => {
      const { cik: _, ...values } = firstOf(route)
      const whole = await linesOf(route, values)
      const of = (row: Rows[number]) => [row.cik, row.issuer_cik, row.subject_cik].filter(Boolean)
      const cik = String(whole.flatMap(of)[0])
      const found = await linesOf(route, { ...values, cik })
      assert.ok(found.length > 0)
      assert.deepEqual(
        found,
        whole.filter((row) => of(row).includes(cik)),
      )
    })
  }
})

type Has = (row: Rows[number]) => boolean
const some = (row: Rows[number], member: string, has: Has) => (row[member] as Rows | null)?.some(has) ?? false
const worth = ({ total_value, shares, price }: Rows[number]) =>
  total_value === null && (shares === null || price === null)
    ? null
    : Number(total_value ?? Number(shares) * Number(price))

/** A list with and without a filter, and a test of a row that meets the filter. */
const FILTERS: readonly (readonly [name: string, plain: Example, filter: Example, has: Has])[] = [
  ['feed', {}, { min_amount: '5000000' }, ({ amount }) => amount !== null && Number(amount) >= 5e6],
  ['adv_list', {}, { min_raum: '1000000000' }, (row) => row.latest_raum !== null && Number(row.latest_raum) >= 1e9],
  ['new_advisers', {}, { min_raum: '1000000000' }, (row) => row.latest_raum !== null && Number(row.latest_raum) >= 1e9],
  ['eightk_events', {}, { event: 'appointed' }, (row) => some(row, 'officers', ({ event }) => event === 'appointed')],
  [
    'npx_votes',
    { series: 'S000099002' },
    { management: 'against' },
    (row) => some(row, 'votes', ({ management }) => management === 'AGAINST'),
  ],
  ['insider_transactions', {}, { ticker: '$aapl' }, ({ issuer_cik }) => issuer_cik === '0000320193'],
  ['insider_transactions', {}, { role: 'director' }, (row) => some(row, 'owners', (one) => one.is_director === true)],
  ['insider_transactions', {}, { min_value: '100000' }, (row) => (worth(row) ?? -1) >= 100_000],
  ['insider_transactions', {}, { plan_10b5_1: 'true' }, (row) => row.plan_10b5_1 === true],
  ['insider_transactions', {}, { plan_10b5_1: 'false' }, (row) => row.plan_10b5_1 === false],
]

test('a filter returns exactly the matching rows of the whole list', async (t) => {
  for (const [name, plain, filter, has] of FILTERS) {
    const route = lists.find((each) => each.name === name)!
    await t.test(addressOf(route, filter), async () => {
      const whole = await linesOf(route, plain)
      const expected = whole.filter(has)
      assert.ok(expected.length > 0 && expected.length < whole.length, `${expected.length} of ${whole.length}`)
      assert.deepEqual(await linesOf(route, { ...plain, ...filter }), expected)
      const { body } = await answerOf(route, { ...plain, ...filter, count: 'exact' })
      assert.equal(body.total, expected.length)
    })
  }
})

test('a filter by person and role finds only rows in which the person has this role, and an unknown ticker finds nothing', async () => {
  const route = lists.find(({ name }) => name === 'insider_transactions')!
  const whole = await linesOf(route, {})
  const owners = whole.flatMap((row) => row.owners as Rows)
  const { cik } = owners.find((one) => one.is_director && !one.is_ten_percent_owner)!
  const of = (role: string) => linesOf(route, { person: String(cik), role })
  assert.ok((await of('director')).length > 0)
  const others = await of('ten_percent_owner')
  assert.ok(others.every((row) => (row.owners as Rows).some((one) => one.cik === cik && one.is_ten_percent_owner)))
  assert.deepEqual(await linesOf(route, { ticker: 'zzzzq' }), [])
})

test('the filter by vote requires a security or a series, which have few votes', async () => {
  for (const way of ['how=AGAINST', 'management=against']) {
    const response = await served.get(`/npx/votes?cik=9000000151&${way}`)
    assert.equal(response.status, 400)
    assert.match(await response.text(), new RegExp(`${way.split('=')[0]}: only together with cusip or series`))
    assert.equal((await served.get(`/npx/votes?series=S000099002&${way}`)).status, 200)
  }
})

test('the filter by event requires the kind of filing that has events', async () => {
  for (const query of ['event=resigned', 'count=event']) {
    const response = await served.get(`/eightk/events?kind=earnings&${query}`)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /event: only with kind=officer/)
  }
})

test('for an adviser that is not a known manager, the answer about holdings has a row count (zero) only if a parameter is given', async () => {
  const plain = await served.json<{ match: boolean }>('/adv/advisers/by-crd/307078/holdings-13f')
  assert.deepEqual([plain.match, 'row_count' in plain], [false, false])
  const paged = await served.json<{ row_count: number }>('/adv/advisers/by-crd/307078/holdings-13f?limit=5')
  assert.equal(paged.row_count, 0)
})

/** The contract accepts only the dashed form on this path. */
const ONLY_DASHED = '/eightk/by-accession/{accession}'

test('every path with an accession takes it dashed and as 18 digits, with the same answer, except the path that the contract limits', async () => {
  const routes = registry.routes.filter(
    ({ path, output }) => path.includes('{accession}') && path !== ONLY_DASHED && output !== null,
  )
  assert.ok(routes.length >= 15)
  for (const route of routes) {
    const { values } = exampleRequests(route)[0]!
    const dashed = await served.json(addressOf(route, values))
    const digits = await served.json(addressOf(route, { ...values, accession: values.accession!.replaceAll('-', '') }))
    assert.deepEqual(digits, dashed, route.path)
  }
})
