/** A list without rows suggests the request that the client may have meant. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { apiError } from '../../src/declare/api-errors.ts'
import type { Context } from '../../src/declare/route.ts'
import { type Suggestion, withSuggestions } from '../../src/declare/suggestions.ts'
import registry from '../../src/registry.ts'
import { Run } from '../../src/serve/http/run.ts'
import { openReaders } from '../../src/serve/readers.ts'
import { tried } from '../../src/webhooks/search-finding.ts'
import { connectAgent } from '../support/mcp/client.ts'
import { openPages, shown } from '../support/pages/sample-pages.ts'
import { scratchServer } from '../support/scratch-server.ts'

const { served, read } = await openPages({ after })

type Answer = Readonly<Record<string, unknown>> & { did_you_mean?: Suggestion[] }

const answerTo = (address: string) => served.json<Answer>(address)

/** The number of rows of an answer, and the addresses that it suggests, without the version. */
async function found(address: string): Promise<{ rows: number; suggested: string[] }> {
  const { did_you_mean: suggestions = [], ...answer } = await answerTo(address)
  const rows = Object.values(answer).find(Array.isArray)!
  return { rows: rows.length, suggested: suggestions.map(({ url }) => url.replace(/^\/v1/, '')) }
}

const CONFUSED: [request: string, meant: string][] = [
  ['/ownership/filings?cik=1494730', '/ownership/filings?person=0001494730'],
  ['/ownership/filings?person=320193', '/ownership/filings?cik=0000320193'],
  ['/ownership/transactions?cik=1494730', '/ownership/transactions?person=0001494730'],
  ['/form144/filings?cik=1823951', '/form144/filings?person=0001823951'],
  ['/form25/filings?cik=876661', '/form25/filings?exchange=0000876661'],
  ['/schedule13/filings?cik=1318605', '/schedule13/filings?issuer_cik=0001318605'],
  ['/schedule13/filings?issuer_cik=1364742', '/schedule13/filings?cik=0001364742'],
  // A number in place of a name.
  ['/proxies?q=320193', '/proxies?cik=0000320193'],
  ['/formd/filings?q=1296490', '/formd/filings?cik=0001296490'],
  // The form was renamed between two years.
  ['/schedule13/filings?form=SC 13G&from=2025-01-01', '/schedule13/filings?from=2025-01-01&form=SCHEDULE+13G'],
  ['/filings?form=SC 13G&from=2025-01-01', '/filings?from=2025-01-01&form=SCHEDULE+13G'],
  ['/filings?form=SCHEDULE 13G&to=2024-01-01', '/filings?to=2024-01-01&form=SC+13G'],
]

for (const [request, meant] of CONFUSED) {
  test(`${request} is empty, and suggests ${meant}, which has rows`, async () => {
    assert.deepEqual(await found(request), { rows: 0, suggested: [meant] })
    const { rows, suggested } = await found(meant)
    assert.deepEqual([rows > 0, suggested], [true, []])
  })
}

test('a suggestion keeps the other parameters of the request if rows match them too, and otherwise says that it omits them', async () => {
  const kept = await answerTo('/ownership/filings?cik=1494730&form=4&limit=5&sort=date')
  assert.deepEqual(kept.did_you_mean, [
    {
      parameter: 'person',
      value: '0001494730',
      note: 'there are rows with person=0001494730 (CIK of a reporting owner)',
      url: '/v1/ownership/filings?form=4&person=0001494730',
    },
  ])
  const left = await answerTo('/ownership/filings?cik=1494730&to=1999-12-31')
  assert.deepEqual(left.did_you_mean, [
    {
      parameter: 'person',
      value: '0001494730',
      note: 'there are rows with person=0001494730 (CIK of a reporting owner), without the other parameters of this request',
      url: '/v1/ownership/filings?person=0001494730',
    },
  ])
})

test('an empty answer suggests nothing if no similar request has rows, or if the answer is a later page', async () => {
  const nothing = { rows: 0, suggested: [] }
  assert.deepEqual(await found('/ownership/filings?cik=9'), nothing)
  assert.deepEqual(await found('/proxies?q=no such company'), nothing)
  assert.deepEqual(await found('/schedule13/filings?form=SC 13D&cik=9'), nothing)
  assert.deepEqual(await found('/ownership/filings?cik=1494730&offset=50'), nothing)
})

/** Replaces the run of a list that takes a company and a person. */
function replaced(run: (input: Record<string, unknown>, context: Context) => Promise<unknown>) {
  const inputs: Record<string, unknown>[] = []
  const counting: typeof run = (input, context) => {
    inputs.push(input)
    return run(input, context)
  }
  const routes = registry.routes.map((route) => (route.path === LIST ? { ...route, run: counting } : route))
  const catalog = withSuggestions({ ...registry, routes })
  return { inputs, catalog, route: catalog.routes.find(({ path }) => path === LIST)! }
}
const LIST = '/ownership/filings'
const NO_ROWS = { rows: [], next_cursor: null }

test('a page without rows that has a cursor tries nothing, and a try that the API refuses suggests nothing', async () => {
  const refused = () => Promise.reject(apiError('invalid_parameter', { parameter: 'person', reason: 'refused' }))
  const { route, inputs } = replaced(refused)
  // The replaced run ignores its context.
  const suggest = (answer: object) => route.suggest!(route.input.parse({ cik: '1494730' }), answer, {} as Context)
  const withCursor = { rows: [], next_cursor: 'more' }
  assert.equal(await suggest(withCursor), withCursor)
  assert.equal(inputs.length, 0)
  assert.equal(await suggest(NO_ROWS), NO_ROWS)
  assert.equal(inputs.length, 1)
})

test('files, feeds and saved searches try nothing, since they do not show suggestions', async (t) => {
  const { catalog, route, inputs } = replaced(async () => NO_ROWS)
  const server = await scratchServer(t, { catalog })
  const key = await server.key()
  for (const format of ['csv', 'ndjson', 'parquet', 'atom', 'jsonfeed']) {
    assert.equal((await server.as(key, `/v1${LIST}?cik=1494730&format=${format}`)).status, 200)
    assert.equal(inputs.splice(0).length, 1, format)
  }
  const values = route.input.parse({ cik: '1494730' })
  await tried({ sql: server.sql, catalog, searched: { route, values, address: LIST }, now: new Date() })
  assert.equal(inputs.splice(0).length, 1)
  assert.equal((await server.as(key, `/v1${LIST}?cik=1494730`)).status, 200)
  assert.deepEqual(
    inputs.map(({ cik, person }) => ({ cik, person })),
    [
      { cik: '0001494730', person: undefined },
      { cik: undefined, person: '0001494730' },
    ],
  )
})

test('if the tries take too long, the answer stands without suggestions', async (t) => {
  const { catalog, inputs } = replaced(async ({ person }, { sql }) => {
    await sql`select pg_sleep(${person === undefined ? 0 : 60})`
    return NO_ROWS
  })
  const server = await scratchServer(t, { catalog, statementTimeoutMs: 1_500 })
  const { status, text } = await server.as(await server.key(), `/v1${LIST}?cik=1494730`)
  assert.deepEqual([status, JSON.parse(text)], [200, NO_ROWS])
  assert.equal(inputs.length, 2)
  assert.ok(server.lines().every(({ level }) => (level as number) <= 30))
})

test('if the client hangs up before the tries, nothing is tried', async (t) => {
  const readers = openReaders({ target: served.target, max: 1 })
  t.after(() => readers.end())
  const run = new Run(readers, () => assert.fail('no slot is needed'))
  const leave = run.join('key')
  assert.deepEqual(await run.answer(async () => NO_ROWS), NO_ROWS)
  leave()
  assert.equal(await run.addition(() => assert.fail('nothing is tried')), null)
})

test('every list that takes a CIK in several parameters, or a name and a CIK, declares these parameters for suggestions', () => {
  const kindOf = (type: unknown): unknown => {
    for (let inner = type; ; ) {
      const kind = z.globalRegistry.get(inner as z.ZodType)?.['x-entity']
      if (kind !== undefined || !(inner instanceof z.ZodOptional)) return kind
      inner = inner.unwrap()
    }
  }
  // The `q` of these lists is words of a text, or takes a CIK itself.
  const without = ['text_search', 'brochure_search', 'filings']
  const lists = registry.routes.filter(({ list, name }) => list && !without.includes(name))
  let pairs = 0
  for (const { path, input, mistaken } of lists) {
    const names = Object.keys(input.shape)
    const ciks = names.filter((name) => kindOf(input.shape[name]) === 'cik' && !path.includes(`{${name}}`))
    const ids = [...(names.includes('q') && ciks.length > 0 ? ['q'] : []), ...ciks]
    if (ids.length < 2) continue
    pairs += 1
    assert.deepEqual([path, [...(mistaken?.ids ?? [])].sort()], [path, ids.sort()])
  }
  assert.ok(pairs > 10, String(pairs))
})

test('the page of a list and the answer to an agent name the suggested request', async () => {
  const { text } = await read('/ownership/filings?cik=1494730')
  assert.match(shown(text), /No rows match\.\s+Did you mean {1,2}Person 0001494730/)
  const { answer } = await connectAgent({ after }, served.origin, served.keys.mcp)
  assert.match(
    await answer('call', { path: '/ownership/filings?cik=1494730' }),
    /^EMPTY, but there are rows with person=0001494730 .*: call\(path="\/ownership\/filings\?person=0001494730"\)$/m,
  )
  // A ticker in place of a name: the suggestion is the search, which knows tickers.
  const ofTicker = await read('/formd/filings?q=AAPL')
  assert.match(ofTicker.text, /<a href="\/search\?q=AAPL">Search everything for “AAPL”<\/a>/)
  assert.match(
    await answer('call', { path: '/formd/filings?q=AAPL' }),
    /^EMPTY: .* search_entities\(q="AAPL"\) knows tickers and numbers too\.$/m,
  )
  assert.doesNotMatch((await read('/text-search?q=zzzqqq')).text, /Search everything for/)
})
