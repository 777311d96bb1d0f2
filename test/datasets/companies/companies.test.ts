/** Companies: their identity and their search, tested on the sample and on files of the tests. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveSample } from '../../support/served.ts'

const served = await serveSample({ after })

interface Row {
  cik: string
  name: string
  tickers: string[]
  exchanges: (string | null)[]
  source: string
}
interface Page {
  rows: Row[]
  next_cursor?: string | null
  not_loaded?: { source: string }[]
}

const firstOf = async (q: string) => (await served.json<Page>(`/companies?q=${encodeURIComponent(q)}`)).rows[0]

test('a company has its identity, tickers with exchanges, former names with dates, and links to its filings', async () => {
  const apple = await served.json<Record<string, unknown>>('/companies/320193')
  // Read from the real file by a person.
  assert.equal(apple.name, 'Apple Inc.')
  assert.equal(apple.source, 'submissions')
  assert.equal(apple.sic, '3571')
  assert.deepEqual([apple.tickers, apple.exchanges], [['AAPL'], ['Nasdaq']])
  assert.deepEqual(apple.former_names, [
    { name: 'APPLE INC', from: '2007-01-10', to: '2019-08-05' },
    { name: 'APPLE COMPUTER INC', from: '1994-01-26', to: '2007-01-04' },
    { name: 'APPLE COMPUTER INC/ FA', from: '1997-07-28', to: '1997-07-28' },
  ])
  assert.equal(apple.filings_url, '/v1/filings?cik=0000320193')
  assert.equal(apple.not_loaded, undefined)
})

test('answers link a security to its company, a company to its securities, and a report line to its security', async () => {
  const { rows } = await served.json<{ rows: { company_url: string }[] }>('/adv/securities?q=aapl')
  const on = (url: string) => url.replace(/^\/v1/, '')
  const company = await served.json<{ name: string; securities_url: string }>(on(rows[0]!.company_url))
  assert.equal(company.name, 'Apple Inc.')
  const { rows: securities } = await served.json<{ rows: { cusip: string }[] }>(on(company.securities_url))
  assert.ok(securities.some(({ cusip }) => cusip === '037833100'))
  assert.equal((await served.json<Record<string, unknown>>('/companies/36405')).securities_url, null)
  const document = await served.json<{
    'x-entities': Record<string, { link: string | null }>
    components: { schemas: Record<string, { properties: Record<string, Record<string, unknown>> }> }
  }>('/openapi.json')
  const { link } = document['x-entities'].cusip!
  for (const [schema, column] of [
    ['FundHolding', 'cusip'],
    ['FundHolding', 'sec_id'],
    ['Form13FLine', 'cusip'],
    ['SecurityRow', 'sec_id'],
  ] as const)
    assert.equal(document.components.schemas[schema]!.properties[column]!['x-entity'], 'cusip', `${schema} ${column}`)
  const held = await served.json<{ rows: { sec_id: string; asset_cat: string }[] }>('/funds/1843974/holdings')
  for (const { sec_id } of held.rows.slice(0, 5)) {
    const security = await served.json<{ sec_id: string }>(link!.replace('{cusip}', sec_id))
    assert.equal(security.sec_id, sec_id)
  }
})

test('a filer whose company file is not loaded is a company with data of its header, and the answer says what is not loaded', async () => {
  const metlife = await served.json<Record<string, unknown>>('/companies/1099219')
  assert.equal(metlife.source, 'header')
  assert.deepEqual([metlife.name, metlife.sic, metlife.sic_description], ['METLIFE INC', '6311', 'LIFE INSURANCE'])
  assert.deepEqual([metlife.filing_count, metlife.last_filed], [1, '2023-03-23'])
  assert.deepEqual((metlife.business_address as Record<string, unknown>).city, 'NEW YORK')
  assert.deepEqual((metlife.tickers as string[])[0], 'MET')
  assert.deepEqual(
    (metlife.not_loaded as { source: string }[]).map(({ source }) => source),
    ['SUBMISSIONS', 'edgar'],
  )
})

test('a filer that only a list of fund tickers contains is found by its tickers, and the answer says that it has no name', async () => {
  const found = await firstOf('fxaix')
  assert.deepEqual([found!.cik, found!.name, found!.source], ['0000819118', null, 'tickers'])
  const fund = await served.json<Record<string, unknown>>('/companies/819118')
  const listed = fund.listed_tickers as { ticker: string; class_id: string; first_seen: string; gone_on: null }[]
  assert.deepEqual(
    listed.map(({ ticker, class_id }) => `${ticker} ${class_id}`),
    ['FXAIX C000100045'],
  )
  assert.deepEqual([listed[0]!.first_seen, listed[0]!.gone_on], ['2026-07-23', null])
})

test('the exchange of a ticker without one is null, both in a list and in the company’s own answer', async () => {
  await served.sql`update companies.ticker set exchange = null where cik = '0000019617' and ticker in ('AMJ', 'PPLN')`
  const { rows } = await served.json<Page>('/companies?q=19617')
  const own = await served.json<Row>('/companies/19617')
  const at = ['JPM', 'AMJ', 'PPLN'].map((ticker) => rows[0]!.exchanges[rows[0]!.tickers.indexOf(ticker)])
  assert.deepEqual(at, ['NYSE', null, null])
  assert.deepEqual(own.exchanges, rows[0]!.exchanges)
})

/** Typed text, and the company that it means. */
const TYPED: readonly (readonly [q: string, name: string | undefined])[] = [
  ['apple', 'Apple Inc.'],
  ['APPLE COMPUTER', 'Apple Inc.'],
  ['aapl', 'Apple Inc.'],
  ['320193', 'Apple Inc.'],
  ['CIK 0000320193', 'Apple Inc.'],
  ['jp morgan', 'JPMORGAN CHASE & CO'],
  ['jpmorgan', 'JPMORGAN CHASE & CO'],
  ['J.P. Morgan', 'JPMORGAN CHASE & CO'],
  ['chemical banking', 'JPMORGAN CHASE & CO'],
  ['brk-b', 'BERKSHIRE HATHAWAY INC'],
  ['BRK.B', 'BERKSHIRE HATHAWAY INC'],
  ['brk b', 'BERKSHIRE HATHAWAY INC'],
  ['berkshire', 'BERKSHIRE HATHAWAY INC'],
  ['mircosoft', 'MICROSOFT CORP'],
  ['procter and gamble', 'PROCTER & GAMBLE Co'],
  ['goog', 'Alphabet Inc.'],
  ['metlife', 'METLIFE INC'],
  ['jefferies', 'JEFFERIES LLC'],
  // Alphabet's file has no former name, and no other source states one: nothing is guessed.
  ['google', undefined],
]

test('companies are found by name, former name, ticker and CIK as people type them', async () => {
  const found = await Promise.all(TYPED.map(async ([q]) => [q, (await firstOf(q))?.name]))
  assert.deepEqual(found, TYPED)
})

test('pages by cursor have every company once, in the same order as a single page', async () => {
  const whole = (await served.json<Page>('/companies?q=specimen&limit=50')).rows.map(({ cik }) => cik)
  assert.ok(whole.length >= 6)
  const walked: string[] = []
  for (let cursor = ''; ; ) {
    const page = await served.json<Page>(`/companies?q=specimen&limit=3&paginate=cursor${cursor}`)
    walked.push(...page.rows.map(({ cik }) => cik))
    if (page.next_cursor === null) break
    cursor = `&cursor=${page.next_cursor}`
  }
  assert.deepEqual(walked.slice(0, whole.length), whole)
  assert.equal(new Set(walked).size, walked.length)
})

test('answers a path that is not a company, and an invalid query, with a clear error', async () => {
  const status = async (path: string) => (await served.get(path)).status
  assert.equal(await status('/companies/9999999999'), 404)
  assert.equal(await status('/companies/99999999999'), 400)
  assert.equal(await status('/companies/apple'), 400)
  assert.equal(await status('/companies'), 400)
  assert.equal(await status('/companies?q='), 400)
  assert.equal(await status(`/companies?q=${'a'.repeat(2000)}`), 400)
  assert.equal(await status('/companies?q=apple&limit=51'), 400)
  assert.equal(await status('/companies?q=apple&cursor=abc'), 400)
  for (const q of ['%F0%9F%98%80', "';--", '*', '%25', '-', 'a'.repeat(200)]) {
    assert.deepEqual((await served.json<Page>(`/companies?q=${q}`)).rows, [], q)
  }
})
