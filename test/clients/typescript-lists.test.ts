/** Every operation through the TypeScript client, on the sample. */
import assert from 'node:assert/strict'
import { after, describe, it, test } from 'node:test'
import { AnswerCache, Download, List } from '../../clients/typescript/src/index.ts'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Example, Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { type Answering, answering, json } from '../support/clients/answering.ts'
import { clientOf, methodOf } from '../support/clients/typescript.ts'
import { parquetRowsOf } from '../support/export-rows.ts'
import { firstOf, memberOf, paged, sizeOf, wholeOf } from '../support/paged-lists.ts'
import { serveSample } from '../support/served.ts'

const served = await serveSample({ after })
const client = clientOf(served.origin, { apiKey: served.keys.full })

/** Arguments of a method: the path's values in their order, then the other parameters as one query object. */
function argumentsOf({ path }: Route, values: Example): unknown[] {
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)
  const query = Object.fromEntries(Object.entries(values).filter(([name]) => !inPath.includes(name)))
  const hasQuery = Object.keys(query).length > 0
  return [...inPath.map((name) => values[name]), ...(hasQuery ? [query] : [])]
}

/** Calls the method of a route. */
function call(of: typeof client, route: Route, values: Example): unknown {
  const method = methodOf(of, route.name)
  assert.ok(method, `${route.name} has no method`)
  return method(...argumentsOf(route, values))
}

test('every operation has a client method that returns the service’s answer unchanged', async (t) => {
  for (const route of registry.routes) {
    await t.test(route.name, async () => {
      const { values } = exampleRequests(route)[0]!
      const found = call(client, route, values)
      const address = addressOf(route, values)
      const response = await served.get(address)
      assert.equal(response.status, 200, address)
      if (route.name === 'edgar_doc') {
        const file = (await found) as Download
        assert.ok(file instanceof Download)
        assert.equal(file.type, response.headers.get('content-type'))
        assert.deepEqual(Buffer.from(await file.bytes()), Buffer.from(await response.arrayBuffer()))
        return
      }
      assert.equal(
        found instanceof List,
        route.list !== null || route.name === 'events',
        'the method of a list returns a List',
      )
      const changing = (answer: unknown) => JSON.stringify(answer).replace(/"(?:as_of|checked_at|now)":"[^"]*"/g, '')
      assert.equal(changing(await found), changing(await response.json()))
    })
  }
})

test('every list can be paged to its last row, in pages of one size or of several, and the pages together have the rows of the whole list', async (t) => {
  const requests: number[] = []
  const counted = clientOf(served.origin, { apiKey: served.keys.full, onAnswer: () => void requests.push(1) })
  for (const route of paged) {
    await t.test(route.name, async () => {
      const values = firstOf(route)
      const whole = await wholeOf(route, values, served)
      const size = Math.ceil(whole.length / 3)
      requests.length = 0
      const list = call(counted, route, { ...values, [sizeOf(route)!]: String(size) }) as List<unknown, unknown>
      const rows: unknown[] = []
      for await (const row of list) rows.push(row)
      assert.deepEqual(rows, whole)
      // In a log, each full page has a next page, which may be empty.
      const least = Math.ceil(whole.length / size)
      assert.ok([least, least + 1].includes(requests.length), `${requests.length} requests`)
      if (sizeOf(route) !== 'limit') return
      const max = ['1000', '200', '100', '50'].find((text) => route.input.shape.limit!.safeParse(text).success)!
      const first = await served.get(addressOf(route, { ...values, limit: '1' }))
      const pages = [(await first.json()) as Record<string, unknown[]>]
      const link = /<([^>]*)>/.exec(first.headers.get('link') ?? '')?.[1]
      // If the list has only one row, there is no second page.
      const second = link?.slice('/v1'.length).replace('limit=1', `limit=${max}`)
      if (second) pages.push((await (await served.get(second)).json()) as Record<string, unknown[]>)
      const mixed = pages.flatMap((page) => page[memberOf(route)])
      assert.deepEqual(mixed, whole.slice(0, 1 + Number(max)))
    })
  }
})

test('a loop that ends in its first page requests no further page, and toArray requests no page beyond the requested number of rows', async () => {
  const addresses: string[] = []
  const counted = clientOf(served.origin, { apiKey: served.keys.full, onAnswer: ({ url }) => void addresses.push(url) })
  const list = counted.filings.list({ limit: 2 })
  assert.equal(addresses.length, 0, 'nothing is requested before it is used')
  let seen = 0
  for await (const filing of list) {
    assert.match(filing.accession, /^\d{10}-\d{2}-\d{6}$/)
    if (++seen === 2) break
  }
  assert.equal(addresses.length, 1)
  assert.equal((await list.toArray(3)).length, 3)
  assert.equal(addresses.length, 3)
  assert.deepEqual(await list.toArray(0), [])
  assert.equal(addresses.length, 3)
  const page = await list
  assert.deepEqual(page, await list.page())
  assert.equal(page.rows.length, 2)
})

test('a walk gets all rows of a list that is longer than the largest page of the service, in few requests', async () => {
  const addresses: string[] = []
  const counted = clientOf(served.origin, { apiKey: served.keys.full, onAnswer: ({ url }) => void addresses.push(url) })
  const whole = await wholeOf(routeOf('thirteenf_movers'), {}, served)
  assert.ok(whole.length > 150, `${whole.length} rows`)
  assert.deepEqual(await Array.fromAsync(counted.thirteenf.movers()), whole)
  assert.equal(addresses.length, 3, 'pages of 50, 100 and the rest')
  assert.deepEqual(await counted.thirteenf.movers().toArray(), whole)
  assert.equal(addresses.length, 5)
})

describe('sizes of pages', () => {
  const link = (query: string) => ({ link: `</v1/formd/filings?${query}>; rel="next"` })
  const page = (query?: string) => json({ rows: [{ accession: query ?? 'last' }] }, 200, query ? link(query) : {})
  const refused = (error: string, code: string, status = 400) => json({ error, code }, status)
  const asked = ({ requests }: Answering) => requests.map(({ url }) => url.slice('/v1/formd/filings'.length))

  it('a walk begins with the default page size and continues with the largest; a limit of the caller is the size of every page', async (t) => {
    const service = await answering(t, page('cursor=a'), page('limit=200&cursor=b'), page())
    assert.equal((await Array.fromAsync(clientOf(service.origin).formd.list())).length, 3)
    assert.deepEqual(asked(service), ['', '?cursor=a&limit=200', '?limit=200&cursor=b'])

    const sized = await answering(t, page('cursor=a'), page('cursor=b'), page())
    assert.equal((await clientOf(sized.origin).formd.list({ limit: 7 }).toArray()).length, 3)
    assert.deepEqual(asked(sized), ['?limit=7', '?cursor=a', '?cursor=b'])

    const fixed = await answering(t, page('cursor=a'), page())
    await clientOf(fixed.origin).offerings.list().toArray()
    assert.ok(!fixed.requests.some(({ url }) => url.includes('limit')), 'the default size of this list is the largest')
  })

  it('toArray requests the rows that it needs, and a single page has the default size', async (t) => {
    const service = await answering(t, page())
    const list = clientOf(service.origin).formd.list({ state: ['NY'] })
    await list.toArray(60)
    await list.toArray(1000)
    await list.toArray()
    await list
    await list.toArray(2.5)
    assert.deepEqual(asked(service).splice(-1), ['?state=NY&limit=3'])
    assert.deepEqual(asked(service).slice(0, -1), [
      '?state=NY&limit=60',
      '?state=NY&limit=200',
      '?state=NY&limit=200',
      '?state=NY',
    ])
  })

  for (const [code, message, status] of [
    ['invalid_parameter', 'limit: must be at most 100', 400],
    ['query_too_expensive', 'the query was too expensive', 503],
  ] as const) {
    it(`a page whose size is refused with ${code} is requested again with the default size, as are all later pages`, async (t) => {
      const service = await answering(
        t,
        page('cursor=a'),
        refused(message, code, status),
        page('cursor=b'),
        page('cursor=c'),
        page(),
      )
      assert.equal((await Array.fromAsync(clientOf(service.origin).formd.list())).length, 4)
      assert.deepEqual(asked(service), ['', '?cursor=a&limit=200', '?cursor=a', '?cursor=b', '?cursor=c'])
      // If a page of the default size is refused too, the size is not the reason.
      const always = await answering(t, page('cursor=a'), refused(message, code, status))
      await assert.rejects(Array.fromAsync(clientOf(always.origin).formd.list()), { code })
      assert.deepEqual(asked(always), ['', '?cursor=a&limit=200', '?cursor=a'])
    })
  }

  it('any other error of a larger page is thrown at once', async (t) => {
    const service = await answering(t, page('cursor=a'), refused('cursor: unknown', 'invalid_cursor'))
    await assert.rejects(Array.fromAsync(clientOf(service.origin).formd.list()), { code: 'invalid_cursor' })
    const broken = await answering(t, page('cursor=a'), (response) => response.destroy())
    await assert.rejects(Array.fromAsync(clientOf(broken.origin, { retries: 0 }).formd.list()), { code: 'network' })
    assert.deepEqual([service.requests.length, broken.requests.length], [2, 2])
  })

  it('a page whose next link is the same page in another size is refused', async (t) => {
    const service = await answering(t, page('cursor=a'))
    await assert.rejects(Array.fromAsync(clientOf(service.origin).formd.list()), { code: 'invalid_answer' })
    assert.deepEqual(asked(service), ['', '?cursor=a&limit=200'])
  })
})

test('if fields are chosen, rows have only these members, in the type and in the answer', async () => {
  const list = client.filings.list({ family: 'formd', fields: ['accession', 'company_name'], limit: 3 })
  for await (const row of list) {
    assert.deepEqual(Object.keys(row), ['accession', 'company_name'])
    // @ts-expect-error the row has no such member
    assert.equal(row.filed_date, undefined)
  }
  const { rows } = await client.filings.list({ omit: ['fam_rows'], limit: 1 })
  assert.ok(!('fam_rows' in rows[0]!))
  assert.ok(rows[0]!.accession)
})

test('parameter values arrive unchanged: with commas, quotes and other signs, as lists, and as a filter tree', async () => {
  const industry = 'Commercial'
  const tree = {
    and: [
      { field: 'form_type', op: 'in', value: ['D', 'D/A'] },
      { not: { field: 'filed_date', op: 'lt', value: '2024-01-01' } },
    ],
  }
  const found = await client.filings.list({ family: 'formd', filters: tree }).toArray()
  assert.deepEqual(found, await wholeOf(routeOf('filings'), { family: 'formd', filters: JSON.stringify(tree) }, served))
  assert.ok(found.length > 0)
  const several = await client.offerings
    .list({ type: ['formd', 'rega'], industry: [industry, 'Stone, clay, "glass"'] })
    .page()
  assert.ok(Array.isArray(several.rows))
  await assert.rejects(client.filings.list({ family: 'a&b=c ü/?#' }).page(), {
    code: 'invalid_parameter',
    place: 'family',
  })
})

const routeOf = (name: string) => registry.routes.find((route) => route.name === name)!

test('a wrong parameter does not compile, and at run time the error names the parameter', async () => {
  await assert.rejects(
    // @ts-expect-error the parameter has another name
    async () => client.filings.list({ famly: 'formd' }).page(),
    { name: 'OpenFilingsError', code: 'unknown_parameter', status: 400, place: 'famly' },
  )
  // @ts-expect-error the document does not list this value
  await assert.rejects(async () => client.filings.list({ sort: 'size' }).page(), { place: 'sort' })
  const wrong = { and: [{ field: 'nothing', op: 'eq', value: 1 }] }
  await assert.rejects(client.filings.list({ filters: wrong }).page(), (error: { code: string; place: string }) => {
    assert.equal(error.code, 'invalid_filters')
    assert.match(error.place, /^filters/)
    return true
  })
})

test('an identifier cannot change the other parts of the path, or the query', async () => {
  for (const value of ['', '.', '..', 'a\ud83d']) {
    await assert.rejects(async () => client.filings.get(value), { code: 'invalid_option' })
  }
  await assert.rejects(client.filings.get('../me'), { status: 400 })
  await assert.rejects(client.filings.get('x?limit=1#y'), { status: 400 })
})

test('a list with days is also a feed with its newest rows, and a list without a feed is refused', async () => {
  const list = client.formd.list({ limit: 3 })
  const { rows } = await list
  const json = await list.feed('jsonfeed')
  assert.match(json.type, /^application\/feed\+json/)
  const { items } = JSON.parse(await json.text()) as { items: { id: string }[] }
  assert.equal(items.length, 3)
  for (const { accession } of rows)
    assert.ok(
      items.some(({ id }) => id.includes(accession)),
      accession,
    )
  const atom = await list.feed('atom')
  assert.match(atom.type, /^application\/atom\+xml/)
  assert.equal((await atom.text()).match(/<entry>/g)?.length, 3)
  await assert.rejects(client.filings.families().feed('atom'), { status: 400 })
})

test('a downloaded file has every row in each format, and reports the number of rows', async () => {
  const list = client.offerings.list({ type: ['formd'] })
  const rows = await list.toArray()
  const csv = await list.download('csv')
  assert.equal(csv.rowCount, null)
  const text = await csv.text()
  assert.equal(text, await (await served.get('/feed?type=formd&format=csv')).text())
  assert.equal(csv.rowCount, rows.length)
  const found: unknown[] = []
  const file = await list.download('ndjson')
  for await (const row of file.rows()) found.push(row)
  assert.deepEqual(found, rows)
  assert.equal(file.rowCount, rows.length)
  const parquet = await list.download('parquet')
  const bytes = await parquet.bytes()
  assert.deepEqual(
    (await parquetRowsOf(bytes)).rows.map(({ accession }) => accession),
    rows.map(({ accession }) => accession),
  )
  assert.equal(parquet.rowCount, rows.length)
  assert.ok(rows.length > 5)
  // If a loop ends early, the request ends too.
  for await (const row of (await list.download('ndjson')).rows()) {
    assert.deepEqual(row, rows[0])
    break
  }
  await assert.rejects(async () => (await list.download('csv')).rows().next(), { code: 'invalid_option' })
  await assert.rejects(async () => (await list.download('csv')).bytes(10), { code: 'answer_too_large' })
})

test('an unchanged answer is confirmed with 304 and not sent again; a caller’s changes to an answer do not reach the cache', async () => {
  const cache = new AnswerCache()
  const statuses: number[] = []
  const of = clientOf(served.origin, {
    ...{ apiKey: served.keys.full, cache },
    onAnswer: ({ status, isFromCache }) => {
      statuses.push(status)
      assert.equal(isFromCache, status === 304)
    },
  })
  const list = of.filings.list({ family: 'formd', limit: 5 })
  const first = await list.toArray()
  const pages = statuses.length
  assert.ok(pages > 1 && statuses.every((status) => status === 200))
  assert.equal(cache.size, pages)
  const expected = structuredClone(first)
  first[0]!.company_name = 'changed'
  assert.deepEqual(await list.toArray(), expected, 'links of the next pages come from the cache too')
  assert.deepEqual(statuses.slice(pages), Array(pages).fill(304))
})

test('the client passes on facts about an answer: request id, sample, and the remaining rate limit', async () => {
  let requestId: string | null = null
  const of = clientOf(served.origin, {
    apiKey: served.keys.limited,
    onAnswer: (info) => {
      requestId = info.requestId
      assert.equal(info.isSample, true)
      assert.deepEqual(info.rateLimit, { limit: 10, remaining: 9, resetSeconds: 60 })
    },
  })
  await of.account.me()
  assert.ok(requestId)
})
