/**
 * Every list of the registry is read page by page with the header Link alone, as by a client that knows nothing else.
 * Every list is also reduced to chosen fields.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { addressOf } from '../../src/declare/examples.ts'
import type { Example, Route } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { linkOf } from '../../src/serve/http/next.ts'
import { firstOf, memberOf, paged, type Rows, sizeOf, takes, wholeOf } from '../support/paged-lists.ts'
import { type Served, serveSample } from '../support/served.ts'

interface Page {
  address: string
  body: Record<string, unknown>
  rows: Rows
  /** The address of the next page; null on the last page. */
  next: string | null
}

async function pageAt(route: Route, address: string, { get }: Pick<Served, 'get'>): Promise<Page> {
  const response = await get(address)
  const body = (await response.json()) as Page['body']
  assert.equal(response.status, 200, `${address}: ${JSON.stringify(body)}`)
  const link = response.headers.get('link')
  const [, target] = /^<\/v1(\/[^<>]*)>; rel="next"$/.exec(link ?? '') ?? []
  assert.equal(link === null, target === undefined, `${address}: ${link}`)
  return { address, body, rows: body[memberOf(route)] as Rows, next: target ?? null }
}

/** Returns path and parameters of an address, without paging parameters. */
function withoutPages(address: string): [string, Record<string, string>] {
  const { pathname, searchParams } = new URL(address, 'http://of.example')
  for (const name of ['cursor', 'paginate', 'page', 'after', 'offset']) searchParams.delete(name)
  return [pathname, Object.fromEntries(searchParams)]
}

async function walk(route: Route, values: Example, size: number, served: Pick<Served, 'get'>): Promise<Page[]> {
  const pages = [await pageAt(route, addressOf(route, { ...values, [sizeOf(route)!]: String(size) }), served)]
  for (let next = pages[0]!.next; next !== null; next = pages.at(-1)!.next) {
    assert.ok(pages.length < 100, `${next} does not end`)
    assert.deepEqual(withoutPages(next), withoutPages(pages[0]!.address), 'the link keeps what was requested')
    pages.push(await pageAt(route, next, served))
  }
  return pages
}

const served = await serveSample({ after })

test('paging a list by Link alone, in both directions, returns each row once and in order, and ends after the last row', async (t) => {
  let walked = 0
  for (const route of paged) {
    await t.test(`${route.path}: paging by Link returns the whole list`, async () => {
      const first = firstOf(route)
      const turns = ['dir', 'order'].filter((name) => takes(route, name))
      const queries = turns.length === 0 ? [first] : ['asc', 'desc'].map((to) => ({ ...first, [turns[0]!]: to }))
      for (const values of queries) {
        const whole = await wholeOf(route, values, served)
        assert.ok(whole.length > 0)
        const size = Math.ceil(whole.length / 5)
        const counts = takes(route, 'count')
        const pages = await walk(route, counts ? { ...values, count: 'exact' } : values, size, served)
        for (const { body } of counts ? pages : []) {
          assert.deepEqual([body.total, body.total_is], [whole.length, 'exact'])
        }
        const rows = pages.flatMap((page) => page.rows)
        assert.deepEqual(rows, whole)
        for (const page of pages) if (page.next !== null) assert.equal(page.rows.length, size)
        walked += pages.length - 1
      }
    })
  }
  assert.ok(walked > 100, `${walked} links were followed`)
})

test('a list outside the contract always has `next_cursor`; a list of the contract has `next_cursor` on request, and otherwise omits it or returns null', async () => {
  for (const route of paged.filter((one) => takes(one, 'cursor') && !one.next)) {
    const values = { ...firstOf(route), [sizeOf(route)!]: '1' }
    const { body, next } = await pageAt(route, addressOf(route, values), served)
    const cursor = next && new URL(next, 'http://of.example').searchParams.get('cursor')
    const held = typeof route.unrequested === 'function' ? undefined : route.unrequested
    assert.deepEqual(body.next_cursor, { none: undefined, null: null, own: cursor }[held ?? 'own'], route.path)
    assert.equal('next_cursor' in body, held !== 'none', route.path)
    if (!takes(route, 'paginate')) continue
    const page = await pageAt(route, addressOf(route, { ...values, paginate: 'cursor' }), served)
    assert.equal(page.body.next_cursor, cursor, route.path)
  }
})

test('/feed has `next_cursor` only in its default order, and a Link to the next page in every order', async () => {
  const route = paged.find(({ name }) => name === 'feed')!
  for (const [sort, dir] of [
    ['date', 'desc'],
    ['date', 'asc'],
    ['amount', 'desc'],
  ] as const) {
    const { body, next } = await pageAt(route, `/feed?sort=${sort}&dir=${dir}&limit=1`, served)
    assert.equal(body.next_cursor !== null, sort === 'date' && dir === 'desc')
    assert.equal((await pageAt(route, next!, served)).rows.length, 1)
  }
})

test('a Link is one line of ASCII for any request, and continues by cursor after an offset', () => {
  const route = paged.find(({ name }) => name === 'security_holders')!
  const request = { url: '/v1/x?offset=3&q=%3C%22%0D%0A%C3%BC+%26%3E', params: { cusip: '<ü">\r\n' } }
  assert.equal(
    linkOf(route, request, { cursor: 'abc' }),
    '</v1/adv/securities/%3C%C3%BC%22%3E%0D%0A/holders?q=%3C%22%0D%0A%C3%BC+%26%3E&cursor=abc>; rel="next"',
  )
})

test('a cached answer and a 304 have the same Link as the first answer to the request', async () => {
  const ask = (headers: Record<string, string> = {}) =>
    served.get('/funds?limit=1&sort=name', { 'x-api-key': served.keys.full, ...headers })
  const first = await ask()
  const link = first.headers.get('link')
  assert.match(link!, /^<\/v1\/funds\?limit=1&sort=name&cursor=[\w-]+>; rel="next"$/)
  assert.equal((await ask()).headers.get('link'), link)
  const held = await ask({ 'if-none-match': first.headers.get('etag')! })
  assert.deepEqual([held.status, held.headers.get('link')], [304, link])
})

const lists = registry.routes.filter((route) => route.list)
const rowsIn = (route: Route, body: unknown) =>
  (route.list!.member === null ? body : (body as Page['body'])[route.list!.member]) as Rows

/** Returns a row as text, with only the given members. */
const cutRow = (row: Rows[number], names: readonly string[]) =>
  JSON.stringify(Object.fromEntries(names.filter((name) => name in row).map((name) => [name, row[name]])))

test('every list can be reduced to chosen fields of its rows, in the order of the row, as JSON and as files', async (t) => {
  for (const route of lists) {
    await t.test(`${route.path}: \`fields\` and \`omit\` choose the fields, and nothing else changes`, async () => {
      const values = { ...firstOf(route), ...(takes(route, 'limit') && { limit: '2' }) }
      const ask = async (more: Example) => {
        const response = await served.get(addressOf(route, { ...values, ...more }))
        const text = await response.text()
        assert.equal(response.status, 200, text)
        return text
      }
      const whole = JSON.parse(await ask({})) as Page['body']
      const rows = rowsIn(route, whole)
      const names = Object.keys(route.list!.row.shape)
      const [first, last] = [names[0]!, names.at(-1)!]
      const expected = rows.map((row) => cutRow(row, [first, last]))
      const cut = JSON.parse(await ask({ fields: ` ${last},${first},${last}` })) as Page['body']
      const shown = rowsIn(route, cut).map((row) => JSON.stringify(row))
      assert.deepEqual(shown, expected)
      const { member } = route.list!
      if (member !== null) assert.deepEqual({ ...cut, [member]: null }, { ...whole, [member]: null })
      const left = rowsIn(route, JSON.parse(await ask({ omit: first })))
      const others = rows.map(({ [first]: _, ...row }) => row)
      assert.deepEqual(left, others)
      const csv = await ask({ fields: `${first},${last}`, omit: last, format: 'csv' })
      assert.equal(csv.split('\r\n')[0], first)
      const lines = (await ask({ fields: `${last},${first}`, format: 'ndjson' })).split('\n')
      assert.deepEqual(lines.slice(0, rows.length), expected)
      for (const name of ['fields', 'omit']) {
        const response = await served.get(addressOf(route, { ...values, [name]: `${first},no_such_field` }))
        assert.equal(response.status, 400)
        const { error } = (await response.json()) as { error: string }
        assert.match(error, new RegExp(`^${name}: .*"no_such_field" is not a known field; .*\\b${last}\\b`))
      }
    })
  }
})

test('paging by Link keeps the chosen fields, even if the sort fields are not chosen', async () => {
  const route = paged.find(({ name }) => name === 'feed')!
  const pages = await walk(route, { sort: 'name', fields: 'accession,source' }, 5, served)
  const rows = pages.flatMap((page) => page.rows)
  const whole = await wholeOf(route, { sort: 'name' }, served)
  const expected = whole.map(({ accession, source }) => ({ accession, source }))
  assert.deepEqual(rows, expected)
})

test('`fields` is refused if it names a member of every JavaScript object, a column that no answer has, a field in the wrong case, or nothing', async () => {
  for (const name of ['__proto__', 'name_key', 'AMOUNT']) {
    const response = await served.get(`/feed?fields=${name}`)
    assert.equal(response.status, 400)
    assert.match(await response.text(), /is not a known field.*; use one of /)
  }
  for (const empty of ['', ',', '%20']) assert.equal((await served.get(`/feed?fields=${empty}`)).status, 400)
})

test('a file of one page has a Link to the next page in the same format, and the last file has no such Link', async () => {
  const linesAt = async (address: string, accept = '*/*') => {
    const response = await served.get(address, { accept, 'x-api-key': served.keys.full })
    assert.equal(response.status, 200, address)
    const [, next] = /^<\/v1(.*)>; rel="next"$/.exec(response.headers.get('link') ?? '') ?? []
    return { lines: (await response.text()).trimEnd().split(/\r?\n/), next }
  }
  for (const [first, whole, accept] of [
    ['/feed?limit=9&format=csv', '/feed?format=csv'],
    ['/feed?limit=9', '/feed?format=ndjson', 'application/x-ndjson'],
    ['/brochures/search?q=fees&size=1&format=ndjson', '/brochures/search?q=fees&size=50&format=ndjson'],
  ] as const) {
    const rows = new Set<string>()
    for (let next: string | undefined = first; next !== undefined; ) {
      const page = await linesAt(next, accept)
      for (const line of page.lines.slice(0, -1)) rows.add(line)
      next = page.next
      assert.ok(rows.size < 1_000, String(next))
    }
    const all = await linesAt(whole)
    assert.equal(all.next, undefined)
    assert.deepEqual([...rows], all.lines.slice(0, -1), first)
  }
})

test('a cached answer has the Link of the current request, not the Link of the request that filled the cache', async () => {
  const linkAt = async (address: string) => (await served.get(address)).headers.get('link')
  const plain = await linkAt('/funds?limit=1')
  assert.ok(plain?.includes('limit=1') && !plain.includes('format'))
  assert.ok((await linkAt('/funds?limit=1&format=json'))?.includes('format=json'))
  assert.equal(await linkAt('/funds?limit=1'), plain)
})

test('the search of brochures can be paged to the last firm, with one firm per page', () => {
  const route = registry.routes.find(({ name }) => name === 'brochure_search')!
  const leads = (page: number) => route.next!({ page } as never, { total: 20_001, size: 1 } as never) // the route was found by its name, so its types are unknown
  assert.deepEqual([leads(1_000), leads(20_000), leads(20_001)], [{ page: 1_001 }, { page: 20_001 }, null])
  assert.ok(route.input.shape.page!.safeParse('20001').success)
})

test('`fields` and `omit` are refused if together they leave no field', async () => {
  const response = await served.get('/feed?fields=cik&omit=cik')
  assert.equal(response.status, 400)
  assert.match(JSON.stringify(await response.json()), /omit: leaves no field of the rows/)
})
