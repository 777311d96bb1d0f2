/** Company facts from their files to the answers: loads, requests, refusals and missing data. */
import assert from 'node:assert/strict'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { after, test } from 'node:test'
import facts from '../../../src/datasets/facts/index.ts'
import { serveWorld } from '../../support/served.ts'
import { until } from '../../support/until.ts'
import { openWorld, sample, temporaryFolder } from '../../support/world.ts'

const FOLDER = 'api/xbrl/companyfacts'
const fileOf = (cik: number) => `CIK${String(cik).padStart(10, '0')}.json`

/** A host with the sample's files of company facts, which a test may change. */
const root = await temporaryFolder({ after })
await cp(path.join(sample, FOLDER), path.join(root, FOLDER), { recursive: true })
const world = await openWorld({ after }, { root })
const served = await serveWorld({ after }, world)

const ingest = (...ciks: number[]) =>
  world.bulk({
    datasets: [facts],
    dated: { client: world.client, dataClient: world.client, ciks: ciks.map((cik) => String(cik).padStart(10, '0')) },
  })
const write = async (cik: number, content: object) => {
  await mkdir(path.join(root, FOLDER), { recursive: true })
  await writeFile(path.join(root, FOLDER, fileOf(cik)), JSON.stringify(content))
}

interface Figure {
  value: string | null
  basis: string
  tag: string | null
  accession: string | null
  filing_url: string | null
  first: { value: string } | null
  change: string | null
  parts: { accession: string }[]
  reason: string | null
}
interface Period {
  period_type: string
  end_date: string
  revenue: string | null
  day_count: number
  accession: string
  filing_url: string
  figures: Record<string, Figure>
}
interface Financials {
  cik: number
  cusip: string | null
  company_name: string
  period: string
  latest: Period
  history: Period[]
}
const [AAPL, MSFT] = [320193, 789019]
const financials = (cik: number, query = '') => served.json<Financials>(`/facts/companies/${cik}/financials${query}`)

test('before a load, a 404 says that nothing is loaded; after a load, a 404 means that the company is unknown', async () => {
  const before = await served.get(`/facts/companies/${AAPL}/financials`)
  assert.equal(before.status, 404)
  assert.match(await before.text(), /COMPANY_FACTS has been loaded/)
  const loaded = await ingest(AAPL, MSFT, 1045810, 1652044, 19617)
  assert.deepEqual(
    loaded.map(({ error, result }) => [error, result?.added]),
    loaded.map(() => [null, 1]),
  )
  const unknown = await served.get('/facts/companies/1/financials')
  assert.deepEqual([unknown.status, /loaded/.test(await unknown.text())], [404, false])
})

test('every value of the tags that feed figures is stored, one per filing', async () => {
  const file = JSON.parse(await readFile(path.join(sample, FOLDER, fileOf(AAPL)), 'utf8'))
  const values = Object.values<Record<string, { units: Record<string, object[]> }>>(file.facts)
    .flatMap((tags) => Object.values(tags))
    .flatMap(({ units }) => Object.values(units).flat())
  const [{ count } = { count: 0 }] = await world.sql<{ count: number }[]>`
    select count(*)::int as count from facts.fact where cik = '0000320193'`
  assert.equal(count, values.length)
})

test('years come first, each figure with its filing and a link; a fiscal year of 53 weeks counts as a year', async () => {
  const { latest, history, period, company_name, cik } = await financials(AAPL)
  assert.deepEqual([cik, company_name, period], [AAPL, 'Apple Inc.', 'annual'])
  assert.deepEqual(
    history.map(({ end_date, day_count }) => [end_date, day_count]),
    [
      ['2025-09-27', 364],
      ['2024-09-28', 364],
      ['2023-09-30', 371],
      ['2022-09-24', 364],
    ],
  )
  assert.deepEqual(latest, history[0])
  assert.equal(latest.revenue, '416161000000')
  assert.equal(
    latest.filing_url,
    'https://www.sec.gov/Archives/edgar/data/320193/000032019325000079/0000320193-25-000079-index.htm',
  )
  for (const figure of Object.values(latest.figures)) {
    // The report of the next quarter repeats the balance sheet; the answer must show the annual report.
    assert.deepEqual([figure.basis, figure.accession], ['reported', '0000320193-25-000079'])
  }
})

test('the period parameter selects quarters and year-to-date sums', async () => {
  const quarters = await financials(AAPL, '?period=quarter')
  assert.deepEqual([...new Set(quarters.history.map(({ period_type }) => period_type))], ['quarter'])
  const fourth = quarters.history.find(({ end_date }) => end_date === '2025-09-27')!.figures.revenue!
  assert.deepEqual([fourth.basis, fourth.value, fourth.parts.length], ['derived', '102466000000', 2])
  const all = await financials(AAPL, '?period=all')
  assert.deepEqual([...new Set(all.history.map(({ period_type }) => period_type))].sort(), [
    'annual',
    'quarter',
    'year_to_date',
  ])
})

test('`as_of` leaves out later filings', async () => {
  const { revenue } = (await financials(MSFT)).history.find(({ end_date }) => end_date === '2017-06-30')!.figures
  assert.deepEqual([revenue!.value, revenue!.first!.value, revenue!.change], ['96571000000', '89950000000', 'restated'])
  const then = await financials(MSFT, '?as_of=2017-12-31')
  assert.equal(then.latest.end_date, '2017-06-30')
  assert.deepEqual([then.latest.figures.revenue!.value, then.latest.figures.revenue!.first], ['89950000000', null])
  const never = await served.get(`/facts/companies/${MSFT}/financials?as_of=2001-01-01`)
  assert.equal(never.status, 404)
  assert.match(await never.text(), /2001-01-01/)
})

test('refuses an invalid period or date', async () => {
  for (const query of ['?period=month', '?as_of=2024-13-01', '?as_of=yesterday']) {
    const { status } = await served.get(`/facts/companies/${AAPL}/financials${query}`)
    assert.equal(status, 400, query)
  }
})

test('an unreadable value is left out with a problem that names its path, and the other values stay', async () => {
  const fact = {
    end: '2024-12-31',
    val: 7,
    accn: '0009999999-25-000001',
    fy: 2024,
    fp: 'FY',
    form: '10-K',
    filed: '2025-02-01',
  }
  const year = { ...fact, start: '2024-01-01' }
  await write(9_999_999, {
    cik: 'C-1',
    entityName: 'Specimen Works',
    facts: {
      'us-gaap': {
        Revenues: {
          label: null,
          units: {
            USD: [
              year,
              { ...year, end: '2023-12-31', val: 'seven' },
              { ...year, accn: 'none' },
              { ...year, end: '2023-12-30' },
            ],
          },
        },
        Assets: { units: { USD: [fact, { ...fact, start: 'then', val: 9, filed: '2025-03-01' }] } },
        Goodwill: { units: { USD: [fact] } },
        Liabilities: { label: 'No units' },
      },
    },
    more: 1,
  })
  const [outcome] = await ingest(9_999_999)
  assert.equal(outcome!.error, null)
  const [{ problems, unread } = { problems: [], unread: [] }] = await world.sql<
    { problems: { path: string; reason: string }[]; unread: string[] }[]
  >`select problems, unread_paths as unread from bulk.edition where series = 'COMPANY_FACTS' and name like '%0009999999%'`
  assert.deepEqual(
    problems.map(({ path: at }) => at.replace(/^\S+ /, '')),
    [
      '/cik',
      '/facts/us-gaap/Revenues/units/USD/1/val',
      '/facts/us-gaap/Revenues/units/USD/1/value',
      '/facts/us-gaap/Revenues/units/USD/2/accn',
      '/facts/us-gaap/Revenues/units/USD/2/accession',
      '/facts/us-gaap/Revenues/units/USD/3/end',
      '/facts/us-gaap/Assets/units/USD/1/start',
      '/facts/us-gaap/Assets/units/USD/1/start',
      '/facts/us-gaap/Liabilities/units',
    ],
  )
  assert.deepEqual(unread, ['/more'])
  const { latest } = await financials(9_999_999)
  assert.deepEqual([latest.revenue, latest.figures.assets!.value], ['7', '7'])
  assert.equal(latest.figures.liabilities!.value, null)
  assert.match(latest.figures.liabilities!.reason!, /balance sheet of this day/)
})

test('a file about another company than its file name states is refused completely', async () => {
  await write(9_999_996, { cik: 9_999_995, entityName: 'Specimen Other', facts: {} })
  const [outcome] = await ingest(9_999_996)
  assert.match(outcome!.error!, /CIK0009999996\.json: the file of 0009999996 is about 0009999995$/)
  const rows = await world.sql`select from facts.company where cik in ('0009999995', '0009999996')`
  assert.equal(rows.length, 0)
})

test('a company’s profile under the file name of its facts is refused, and the figures stay', async () => {
  await write(AAPL, { cik: AAPL, name: 'Apple Inc.', filings: { recent: {}, files: [] } })
  const [outcome] = await ingest(AAPL)
  assert.match(outcome!.error!, /CIK0000320193\.json: \/facts is missing$/)
  assert.equal((await financials(AAPL)).latest.revenue, '416161000000')
})

test('a newer file of a company replaces the older one', async () => {
  const fact = {
    start: '2024-01-01',
    end: '2024-12-31',
    accn: '0009999999-25-000001',
    fy: 2024,
    fp: 'FY',
    form: '10-K',
    filed: '2025-02-01',
  }
  const file = (val: number) => ({
    cik: 9_999_999,
    entityName: 'Specimen Works',
    facts: { 'us-gaap': { Revenues: { units: { USD: [{ ...fact, val }] } } } },
  })
  await write(9_999_999, file(8))
  await ingest(9_999_999)
  // The server answers from memory until it learns of the change.
  await until(
    'the server answers from the newer file',
    async () => (await financials(9_999_999)).latest.revenue === '8',
  )
})

test('distinguishes a company without figures for a period from one without a file', async () => {
  await write(9_999_997, { cik: 9_999_997, entityName: 'Specimen Shell', facts: {} })
  await ingest(9_999_997)
  const shell = await served.get('/facts/companies/9999997/financials')
  assert.equal(shell.status, 404)
  assert.match(await shell.text(), /no figures for any period/)
})

test('the facts of a company are read by one index range', async () => {
  await world.sql`analyze facts.fact`
  const plan = await world.sql<{ 'QUERY PLAN': string }[]>`
    explain select * from facts.fact where cik = '0000320193' and taxonomy <> 'dei'`
  assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /Index Scan|Bitmap Index Scan/)
})

test('a security has the figures of the company whose CIK belongs to its CUSIP; each 404 says what is missing', async () => {
  const of = async (cusip: string) => {
    const response = await served.get(`/adv/securities/${cusip}/financials`)
    return { status: response.status, text: await response.text() }
  }
  const unknown = await of('037833100')
  assert.equal(unknown.status, 404)
  assert.match(unknown.text, /no company with a CIK is known for the CUSIP 037833100; no owners of more than 5%/)
  await world.sql`
    insert into identifiers.best (cusip, cik, ticker, company_name, source, confidence) values
      ('037833100', '0000320193', 'AAPL', 'Apple Inc.', 'tickers', 0.9),
      ('037833AK6', '0000320193', null, 'Apple Inc.', 'issuer_number', 0.5),
      ('51509P103', '0001721386', null, 'Landbridge', 'schedule13', 0.9),
      ('999990009', null, 'NONE', null, null, null)`
  const apple = await served.json<Financials & { ticker: string }>('/adv/securities/037833100/financials')
  assert.deepEqual(
    [apple.cusip, apple.cik, apple.ticker, apple.company_name],
    ['037833100', AAPL, 'AAPL', 'Apple Inc.'],
  )
  const { cusip: _, ticker: __, ...same } = apple
  const { cusip: ___, ticker: ____, ...company } = (await financials(AAPL)) as Financials & { ticker: null }
  assert.deepEqual(same, company)
  assert.deepEqual((await served.json<Financials>('/adv/securities/037833/financials')).cusip, '037833100')
  assert.match((await of('999990009')).text, /no company with a CIK is known/)
  assert.match((await of('51509P103')).text, /there are no figures of Landbridge \(CIK 0001721386\)/)
  assert.match((await of('name~c3BhY2V4')).text, /Private companies report no figures/)
})
