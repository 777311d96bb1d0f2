/** A ticker or an ISIN works wherever an address has the number of a company, a security or a fund; tested on the sample. */
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { addressOf, exampleRequests } from '../../src/declare/examples.ts'
import type { Example } from '../../src/declare/route.ts'
import registry from '../../src/registry.ts'
import { tickersIn } from '../../src/serve/http/tickers.ts'
import { connectAgent } from '../support/mcp/client.ts'
import { serveSample, serveWorld } from '../support/served.ts'

const served = await serveSample({ after })
const { sql } = served

const APPLE = { cik: '0000320193', cusip: '037833100' }
const BERKSHIRE = '0001067983'

/** Returns an answer without the members that change with each request. */
const plain = (text: string) => text.replace(/"(?:as_of|checked_at|now)":"[^"]*"/g, '')
const answer = async (address: string, headers?: Record<string, string>) => {
  const response = await served.get(address, headers)
  const { status } = response
  return { status, text: plain(await response.text()), etag: response.headers.get('etag') }
}
const errorOf = async (address: string) => {
  const { status, text } = await answer(address)
  const { error, code } = JSON.parse(text) as { error: string; code: string }
  return { status, error, code }
}

/** The parameters of each route that take a ticker. */
const taking = registry.routes.flatMap((route) => {
  const find = tickersIn(route)
  const kindOf = (name: string) =>
    (route.path.includes(`{${name}}`)
      ? find({ url: route.path, path: { [name]: 'AAPL' } })
      : find({ url: `${route.path}?${name}=AAPL`, path: {} }))[0]?.kind
  return Object.keys(route.input.shape).flatMap((name) => {
    const kind = kindOf(name)
    return kind === 'cik' || kind === 'cusip' ? [{ route, name, kind }] : []
  })
})

test('every parameter of every endpoint that takes a CIK or a CUSIP answers for a ticker as for its number', async (t) => {
  assert.ok(taking.filter(({ kind }) => kind === 'cik').length >= 30, `${taking.length}`)
  assert.ok(taking.filter(({ kind }) => kind === 'cusip').length >= 5, `${taking.length}`)
  for (const { route, name, kind } of taking) {
    await t.test(`${route.name}: ${name}`, async () => {
      const { values } = exampleRequests(route)[0]!
      const at = (value: string) => addressOf(route, { ...values, [name]: value } as Example)
      const [byNumber, byTicker] = [await answer(at(APPLE[kind])), await answer(at('AAPL'))]
      assert.ok([200, 400, 404].includes(byNumber.status), byNumber.text)
      assert.deepEqual(byTicker, byNumber)
    })
  }
})

test('each spelling of a ticker is read, and a request for one class is never answered with another class', async () => {
  const byNumber = await answer(`/companies/${BERKSHIRE}`)
  for (const spelling of ['BRK.B', 'BRK-B', 'brk-b', 'BRKB', '%24BRK.B', 'NYSE:BRK.B', 'BRK%20B', 'BRK-A']) {
    assert.deepEqual(await answer(`/companies/${spelling}`), byNumber, spelling)
    const list = `/filings?limit=2&cik=${spelling}`
    assert.deepEqual(await answer(list), await answer(`/filings?limit=2&cik=${BERKSHIRE}`), list)
  }
  const [b] = await sql<{ sec_id: string }[]>`
    select sec_id from securities.security where cik = ${BERKSHIRE} and title_of_class like 'CL B%'`
  const { sec_id } = await served.json<{ sec_id: string }>('/adv/securities/BRK.B')
  assert.equal(sec_id, b!.sec_id)
  const { status, error } = await errorOf('/adv/securities/BRK.C')
  assert.deepEqual(
    [status, error.startsWith('cusip: no loaded security is known to have the ticker BRK.C')],
    [400, true],
  )
})

test('in every parameter that takes a CUSIP, an ISIN in upper or lower case means the CUSIP within it', async (t) => {
  for (const { route, name } of taking.filter(({ kind }) => kind === 'cusip')) {
    await t.test(`${route.name}: ${name}`, async () => {
      const { values } = exampleRequests(route)[0]!
      const at = (value: string) => addressOf(route, { ...values, [name]: value } as Example)
      const byNumber = await answer(at(APPLE.cusip))
      for (const isin of ['US0378331005', 'us0378331005']) assert.deepEqual(await answer(at(isin)), byNumber, isin)
    })
  }
})

test('an ISIN with a wrong check digit is refused with 400, and the error says what to do', async () => {
  for (const address of ['/adv/securities/US0378331006', '/npx/votes?cusip=US0378331006'])
    assert.deepEqual(await errorOf(address), {
      status: 400,
      error:
        'cusip: the check digit of the ISIN US0378331006 is wrong; compare it with its source, or find the security by name with /v1/search',
      code: 'invalid_parameter',
    })
})

test('an ISIN without a CUSIP in it means the security that is known to have this ISIN, else the id that is made of the ISIN', async (t) => {
  const ACCENTURE = 'IE00B4BNMY34'
  // The answer names the id that was looked up.
  assert.match((await errorOf(`/adv/securities/${ACCENTURE}`)).error, /^not found: cusip isin~IE00B4BNMY34/)
  const stored = { cusip: APPLE.cusip, kind: 'isin', value: ACCENTURE, source: 'nport', confidence: 0.9 }
  await sql`
    insert into identifiers.identifier select (jsonb_populate_record(i, ${sql.json(stored)})).* from identifiers.identifier i
    where i.cusip = ${APPLE.cusip} and i.kind = 'isin' limit 1`
  t.after(() => sql`delete from identifiers.identifier where value = ${ACCENTURE}`)
  const { rows } = await served.json<{ rows: { id: string }[] }>(`/search?q=${ACCENTURE}`)
  const { sec_id } = await served.json<{ sec_id: string }>(`/adv/securities/${ACCENTURE}`)
  assert.deepEqual([rows[0]!.id, sec_id], [APPLE.cusip, APPLE.cusip])
})

test('a class or a ticker means its fund, and is refused with 400 if several funds or no fund has it', async (t) => {
  const byNumber = await answer('/funds/S000002848/holdings')
  for (const text of ['C000007808', 'c000007808', 'VTSAX', 'vtsax'])
    assert.deepEqual(await answer(`/funds/${text}/holdings`), byNumber, text)
  const votes = await answer('/npx/votes?series=S000002848')
  assert.deepEqual(await answer('/npx/votes?series=C000007808'), votes)
  assert.match(
    (await errorOf('/funds/C999999999/holdings')).error,
    /^series: no fund with the class C999999999 is loaded/,
  )
  assert.match(
    (await errorOf('/funds/ZZZZQ/holdings')).error,
    /^series: no fund with the ticker ZZZZQ is loaded; \/v1\/search/,
  )
  const [other] = await sql<{ id: string; ticker: string; series_id: string }[]>`
    select id, ticker, series_id from companies.listed_ticker
    where source = 'company_tickers_mf' and series_id <> 'S000002848' limit 1`
  const lent = (ticker: string) => sql`update companies.listed_ticker set ticker = ${ticker} where id = ${other!.id}`
  await lent('VTSAX')
  t.after(() => lent(other!.ticker))
  const { status, error } = await errorOf('/funds/VTSAX/holdings')
  assert.equal(status, 400)
  const several = 'series: the ticker VTSAX belongs to several funds; use one of the series '
  assert.equal(error.slice(0, several.length), several)
  assert.deepEqual(error.slice(several.length).split(', ').sort(), ['S000002848', other!.series_id].sort())
})

test('the id of a private company is read in upper and lower case, as the search reads it', async () => {
  const byId = await answer('/adv/securities/company~anthropic')
  assert.equal(byId.status, 200)
  assert.deepEqual(await answer('/adv/securities/COMPANY~Anthropic'), byId)
})

test('a ticker that no loaded row has is refused with 400 and a hint, and a mistyped number keeps its own error', async () => {
  assert.deepEqual(await errorOf('/filings?cik=zzzzq'), {
    status: 400,
    error: 'cik: no company with the ticker zzzzq is loaded; /v1/search finds the CIK of a name',
    code: 'invalid_parameter',
  })
  assert.deepEqual(await errorOf('/adv/securities/ZZZZQ/holders'), {
    status: 400,
    error: 'cusip: no loaded security is known to have the ticker ZZZZQ; /v1/adv/securities finds securities by name',
    code: 'invalid_parameter',
  })
  for (const wrong of ['32019x', '123456789012', '', 'a%00b', '%F0%9F%8D%8E', 'x'.repeat(70)]) {
    const { status, error } = await errorOf(`/filings?cik=${wrong}`)
    assert.equal(status, 400, wrong)
    assert.match(error, /^cik: must (?:be a CIK of at most ten digits|not contain NUL)/, wrong)
  }
})

/**
 * Stores that a company has a ticker (in its own file), or that the company had the ticker (on a Form 4). The stored
 * row is removed at the end of the test.
 */
async function lend(t: TestContext, cik: string, ticker: string, state: 'listed' | 'former') {
  if (state === 'listed') {
    await sql`insert into companies.ticker (cik, n, ticker) values (${cik}, 99, ${ticker})`
    t.after(() => sql`delete from companies.ticker where ticker = ${ticker}`)
    return
  }
  await sql`
    insert into identifiers.symbol (ticker_key, cik, ticker, first_seen, last_seen, reports, is_newest)
    values (${ticker}, ${cik}, ${ticker}, '2019-01-01', '2020-01-01', 1, false)`
  t.after(() => sql`delete from identifiers.symbol where ticker = ${ticker}`)
}

test('a ticker that may be of several securities of its company is refused with 400, and the error names them, the most valuable first', async (t) => {
  // Options have their own CUSIP, and never the ticker.
  const titles = { '999999ZZ7': 'PUT', '999999ZZ8': 'KIND 0', '999999ZZ9': 'KIND 1' }
  const ids = Object.keys(titles)
  for (const [at, [id, title]] of Object.entries(titles).entries()) {
    const row = { sec_id: id, ticker: null, ticker_key: null, combined_value: 10 - at, title_of_class: title }
    await sql`
      insert into securities.security select (jsonb_populate_record(s, ${sql.json(row)})).* from securities.security s
      where s.cik = ${BERKSHIRE} limit 1`
  }
  t.after(() => sql`delete from securities.security where sec_id = any(${ids})`)
  await lend(t, BERKSHIRE, 'ZZANY', 'listed')
  const { status, error } = await errorOf('/adv/securities/ZZANY/holders')
  assert.equal(status, 400)
  assert.match(error, /^cusip: nothing loaded states which security has the ticker ZZANY; it may be /)
  assert.doesNotMatch(error, /ZZ7/)
  assert.match(error, /999999ZZ8 \(KIND 0\), 999999ZZ9 \(KIND 1\), or another one of the same company$/)
})

test('a ticker that a company no longer has, or that several companies have, is refused with 400, and the error names their CIKs', async (t) => {
  await lend(t, APPLE.cik, 'ZZOLD', 'former')
  assert.deepEqual(await errorOf('/companies/ZZOLD'), {
    status: 400,
    error: `cik: no company has the ticker ZZOLD now; it was a ticker of ${APPLE.cik}`,
    code: 'invalid_parameter',
  })
  await lend(t, APPLE.cik, 'ZZTWO', 'listed')
  await lend(t, BERKSHIRE, 'ZZTWO', 'listed')
  assert.deepEqual(await errorOf('/companies/ZZTWO'), {
    status: 400,
    error: `cik: the ticker ZZTWO belongs to several companies; use one of the CIKs ${APPLE.cik}, ${BERKSHIRE}`,
    code: 'invalid_parameter',
  })
})

test('an agent that names a ticker never gets a security whose name only begins like the ticker', async (t) => {
  await lend(t, BERKSHIRE, 'APPL', 'listed')
  const hits = await served.json<{ rows: { kind: string; name: string; matched: string }[] }>('/search?q=APPL')
  assert.ok(hits.rows.some(({ kind, matched }) => kind === 'security' && matched === 'name'))
  const agent = await connectAgent(t, served.origin, served.keys.mcp)
  const { text, isError } = await agent.call('holders', { id: 'APPL' })
  assert.ok(isError, text)
  assert.match(text, /^invalid_parameter \(400\): cusip: .* ticker APPL/)
})

test('if a ticker passes to another company, the next request answers for that company', async (t) => {
  const asked = () => served.json<{ cik: string }>('/companies/ZZPASS')
  await lend(t, APPLE.cik, 'ZZPASS', 'listed')
  assert.equal((await asked()).cik, APPLE.cik)
  await sql`update companies.ticker set cik = ${BERKSHIRE} where ticker = 'ZZPASS'`
  assert.equal((await asked()).cik, BERKSHIRE)
})

test('while the tables of tickers are being rebuilt, a request with a ticker gets 503 and a request with a number is answered', async (t) => {
  const whyClosed = (slugs: readonly string[]) => (slugs.includes('identifiers') ? 'closed by the test' : null)
  const closed = await serveWorld(t, served, { whyClosed })
  const [byTicker, byNumber] = [await closed.get('/filings?cik=AAPL'), await closed.get('/filings?cik=320193')]
  assert.deepEqual([byTicker.status, byNumber.status], [503, 200])
  assert.match(await byTicker.text(), /"code":"rebuilding"/)
})

test('pages, files, feeds, next pages and tools of agents accept a ticker too', async () => {
  const { headers, ...first } = await served.get('/filings?cik=AAPL&limit=2')
  assert.ok(first)
  const [, next] = /<([^>]+)>; rel="next"/.exec(headers.get('link')!)!
  const second = await served.json<{ rows: { cik: string }[] }>(next!.replace(/^\/v1/, ''))
  assert.deepEqual(new Set(second.rows.map(({ cik }) => cik)), new Set([APPLE.cik]))
  for (const format of ['csv', 'ndjson']) {
    const [byTicker, byNumber] = [
      await answer(`/filings?cik=AAPL&format=${format}`),
      await answer(`/filings?cik=320193&format=${format}`),
    ]
    assert.deepEqual(byTicker.text, byNumber.text)
    assert.match(byTicker.text, /0000320193-24-000123/)
  }
  assert.match((await answer('/filings?cik=AAPL&format=atom')).text, /0000320193-24-000123/)
  const read = async (address: string) => {
    const response = await fetch(served.origin + address, {
      headers: { cookie: `openfilings_key=${served.keys.full}`, accept: 'text/html' },
    })
    assert.equal(response.status, 200, address)
    return response.text()
  }
  assert.match(await read('/filings?cik=AAPL'), /0000320193-24-000123/)
  assert.match(await read('/security/AAPL'), /037833100/)
  const agent = await connectAgent({ after }, served.origin, served.keys.mcp)
  assert.match(await agent.answer('call', { path: '/filings', query: { cik: 'AAPL', limit: 2 } }), /Apple Inc/)
})

test('figures of a company have its ticker, unless the company has several tickers', async () => {
  const tickerOf = async (cik: string) =>
    (await served.json<{ ticker: string | null }>(`/facts/companies/${cik}/financials`)).ticker
  assert.deepEqual([await tickerOf('AAPL'), await tickerOf('320193'), await tickerOf('GOOGL')], ['AAPL', 'AAPL', null])
})

test('each value of a parameter with several values may be a ticker', async () => {
  const byNumbers = await answer(`/events?cik=${BERKSHIRE},${APPLE.cik}&source=thirteenf`)
  assert.match(byNumbers.text, /0001067983/)
  for (const list of ['BRK.B,AAPL', 'BRK-B%2C320193', `${BERKSHIRE}&cik=aapl`, 'BRK.B,%20AAPL', 'BRK.B,,AAPL'])
    assert.deepEqual(await answer(`/events?cik=${list}&source=thirteenf`), byNumbers, list)
  // Above the maximum number of values, no ticker is looked up. So one request cannot cause thousands of look-ups.
  const events = registry.routes.find(({ path }) => path === '/events')!
  const counted = (url: string) => tickersIn(events)({ url, path: {} }).length
  const many = (count: number) => Array(count).fill('AAPL').join(',')
  assert.deepEqual(
    [100, 101].map((count) => counted(`/events?cik=${many(count)}`)),
    [100, 0],
  )
  assert.equal(counted(`/events?cik=${many(51)}&cik=${many(50)}`), 0)
  assert.equal((await errorOf(`/events?cik=${many(101)}`)).status, 400)
  assert.match((await errorOf('/events?cik=AAPL,ZZZZQ')).error, /^cik: no company with the ticker ZZZZQ is loaded/)
})
