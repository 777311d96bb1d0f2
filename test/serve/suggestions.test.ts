/** A list without rows suggests the request that the client may have meant. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import { apiError } from '../../src/declare/api-errors.ts'
import type { Context } from '../../src/declare/route.ts'
import { type Suggestion, withSuggestions } from '../../src/declare/suggestions.ts'
import registry from '../../src/registry.ts'
import { connectAgent } from '../support/mcp/client.ts'
import { openPages, shown } from '../support/pages/sample-pages.ts'

const { served, read } = await openPages({ after })

interface Answer {
  rows?: unknown[]
  did_you_mean?: Suggestion[]
}

const answerTo = (address: string) => served.json<Answer>(address)

/** The addresses that an answer suggests, without the version. */
const suggested = async (address: string) =>
  ((await answerTo(address)).did_you_mean ?? []).map(({ url }) => url.replace(/^\/v1/, ''))

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
    const { did_you_mean: found, rows, ...others } = await answerTo(request)
    const own = Object.values({ rows, ...others }).find(Array.isArray)
    assert.deepEqual(own, [])
    assert.deepEqual(
      found?.map(({ url }) => url),
      [`/v1${meant}`],
    )
    const there = await answerTo(meant)
    assert.ok(Object.values(there).some((value) => Array.isArray(value) && value.length > 0))
    assert.equal(there.did_you_mean, undefined)
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
  assert.deepEqual(await suggested('/ownership/filings?cik=9'), [])
  assert.deepEqual(await suggested('/proxies?q=no such company'), [])
  assert.deepEqual(await suggested('/schedule13/filings?form=SC 13D&cik=9'), [])
  assert.deepEqual(await suggested('/ownership/filings?cik=1494730&offset=50'), [])
})

test('a page without rows that has a cursor tries nothing, and a try that the API refuses suggests nothing', async () => {
  const [own] = registry.routes.filter(({ path }) => path === '/ownership/filings')
  let runs = 0
  const answering = async (first: object) => {
    runs = 0
    const run = async () =>
      ++runs === 1 ? first : Promise.reject(apiError('invalid_parameter', { parameter: 'person', reason: 'refused' }))
    const [route] = withSuggestions({ ...registry, routes: [{ ...own!, run }] }).routes
    // The made route ignores its context.
    return route!.run(own!.input.parse({ cik: '1494730' }), {} as Context)
  }
  assert.deepEqual(await answering({ rows: [], next_cursor: 'more' }), { rows: [], next_cursor: 'more' })
  assert.equal(runs, 1)
  assert.deepEqual(await answering({ rows: [], next_cursor: null }), { rows: [], next_cursor: null })
  assert.equal(runs, 2)
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
