/**
 * Tests the feeds that people read every morning, on the sample. The filings are real and complete, and a person took
 * the expected values from the documents of these filings.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { serveSample } from '../support/served.ts'

type Row = Record<string, unknown>

const served = await serveSample({ after })

const rowsOf = async (address: string, name = 'rows') => (await served.json<Record<string, Row[]>>(address))[name]!
const pick = (row: Row, columns: string) => columns.split(' ').map((column) => row[column])

test('insider transactions of well-known companies include sales under a plan, gifts, exercises, tax withholding and purchases', async () => {
  const lines = async (accession: string) =>
    (await served.json<Record<string, Row[]>>(`/ownership/filings/by-accession/${accession}`)).non_derivative!.map(
      (line) => pick(line, 'code shares price shares_after nature').join(' '),
    )
  assert.deepEqual(await lines('0001140361-26-020298'), [
    'S 149527 284.57 3920049 ',
    'S 100473 285.04 3819576 ',
    'G 5000 0 3814576 ',
    '   56000 By Spouse',
  ])
  assert.deepEqual((await lines('0001225208-26-005409')).slice(0, 3), [
    'G 135027 0 230278 ',
    'S 5659 300.05 224619 ',
    'G 135027 0 135027 By Spouse',
  ])
  const codes = await rowsOf('/ownership/transactions?limit=50', 'transactions')
  assert.deepEqual([...new Set(codes.map(({ code }) => code))].sort().join(''), 'ACDFGMPSW')
  const planned = codes.filter((line) => line.plan_10b5_1 === true)
  assert.deepEqual(
    [...new Set(planned.map((line) => line.issuer_name))],
    ['AMAZON COM INC', 'JPMORGAN CHASE & CO', 'Apple Inc.'],
  )
})

test('an amendment of a Form 4 is listed next to its original, and a joint filing has both owners', async () => {
  const amendment = await served.json<Row>('/ownership/filings/by-accession/0000080424-26-000034')
  assert.deepEqual(pick(amendment.amends as Row, 'accession filed_date'), ['0000080424-26-000033', '2026-03-11'])
  const [joint] = await rowsOf('/ownership/filings?q=davita')
  assert.deepEqual(
    (joint!.owners as Row[]).map(({ name }) => name),
    ['BERKSHIRE HATHAWAY INC', 'BUFFETT WARREN E'],
  )
})

test('notices of sales have the values of their documents, in order of dates', async () => {
  const notices = await rowsOf('/form144/filings')
  assert.deepEqual(
    notices.map((row) =>
      [...pick(row, 'issuer_name filed_date'), ...pick((row.sales as Row[])[0]!, 'units market_value')].join(' '),
    ),
    [
      'DraftKings Inc. 2026-03-03 2883 70787.74',
      'Palantir Technologies Inc. 2026-02-20 90000 12140100',
      'Apple Inc. 2023-04-13 69996 11588537.76',
    ],
  )
})

/** Company, person, event and office, as reported. */
const OFFICERS: readonly (readonly string[])[] = [
  ['JPMORGAN CHASE & CO', 'Marianne Lake', 'retired', 'CEO of Consumer & Community Banking'],
  ['JPMORGAN CHASE & CO', 'Jennifer Piepszak', 'compensation', 'Chief Operating Officer'],
  ['Meta Platforms, Inc.', 'Dina Powell McCormick', 'resigned', 'director'],
  ['1 800 FLOWERS COM INC', 'Priscilla Kasenchak', 'appointed', 'Chief Accounting Officer'],
  ['SUNPOWER CORP', 'Matthew Henry', 'appointed', 'principal executive officer'],
  ['Activision Blizzard, Inc.', 'Reveta Bowers', 'resigned', 'director'],
  ['BlackRock Inc.', 'Gary S. Shedlin', 'departed', 'Chief Financial Officer'],
  ['Alphabet Inc.', 'Sundar Pichai', 'appointed', 'Chief Executive Officer'],
]

test('every report about officers names at least one officer, and states the event and the office for each', async () => {
  const events = await rowsOf('/eightk/events?kind=officer')
  const officersOf = events.flatMap(({ company_name, officers }) =>
    (officers as Row[]).map((officer) => [company_name, ...pick(officer, 'name event title')].join('|')),
  )
  for (const wanted of OFFICERS) assert.ok(officersOf.includes(wanted.join('|')), wanted.join(' '))
  for (const event of events) assert.ok((event.officers as Row[]).length > 0, String(event.company_name))
  assert.deepEqual(
    officersOf.filter((officer) => officer.endsWith('|')),
    [],
    'each officer has an office',
  )
})

test('headline figures of earnings equal those of the press releases, and are null if the release has none in its first part', async () => {
  const results = await rowsOf('/eightk/events?kind=earnings')
  assert.deepEqual(
    results.map(({ company_name, earnings }) =>
      [company_name, ...pick(earnings as Row, 'period_end revenue net_income eps_diluted')].join(' '),
    ),
    [
      'MICROSOFT CORP 2025-03-31 70100000000 25800000000 3.46',
      'Apple Inc. 2023-12-30 119600000000  2.18',
      'ADOBE INC. 2023-03-03 4660000000 1250000000 2.71',
      'ORACLE CORP 2022-05-31 11800000000 3200000000 1.16',
      'CATERPILLAR INC 2022-03-31 13600000000  ',
      'PERICOM SEMICONDUCTOR CORP 2006-07-01 29300000 2100000 0.08',
    ],
  )
})

test('proxy filings are of seven categories, and each proxy statement of a board has its meeting and its proposals', async () => {
  const proxies = await rowsOf('/proxies')
  assert.deepEqual([...new Set(proxies.map(({ category }) => category))].sort(), [
    'additional',
    'contested',
    'definitive',
    'dissident',
    'merger',
    'preliminary',
    'revised',
  ])
  const ofBoards = proxies.filter(({ filed_by_name, category }) => filed_by_name === null && category !== 'additional')
  for (const row of ofBoards) {
    assert.ok(row.meeting_date && row.record_date && Number(row.proposal_count) > 0, String(row.accession))
  }
  assert.deepEqual(
    (await rowsOf('/proxies?category=contested')).map((row) => pick(row, 'company_name filed_by_name')),
    [['Walt Disney Co', 'Trian Fund Management, L.P.']],
  )
})

test('offerings are at different stages, and priced offerings have price, shares and banks', async () => {
  const ipos = await rowsOf('/ipos')
  assert.deepEqual(
    ipos.slice(0, 2).map((row) => pick(row, 'company_name stage tickers exchanges price shares gross').join(' ')),
    [
      'Reddit, Inc. listed RDDT NYSE 34.00 22000000 748000000',
      'Rivian Automotive, Inc. / DE priced RIVN Nasdaq 78.00 153000000 11934000000',
    ],
  )
  assert.deepEqual(ipos[0]!.underwriters, [
    'MORGAN STANLEY',
    'GOLDMAN SACHS & CO. LLC',
    'J.P. MORGAN',
    'BofA SECURITIES',
  ])
  assert.deepEqual([...new Set(ipos.map(({ stage }) => stage))].sort(), [
    'amended',
    'filed',
    'listed',
    'priced',
    'withdrawn',
  ])
  const stagesOf = async (accession: string) =>
    (await served.json<{ stages: Row[] }>(`/ipos/by-accession/${accession}`)).stages.map(({ form }) => form)
  assert.deepEqual(await stagesOf('0001628280-24-012380'), ['S-1', 'S-1/A', '8-A12B', '424B4'])
  assert.deepEqual(await stagesOf('9000000201-10-000005'), ['S-1', 'S-1/A', '8-A12B', 'EFFECT', '424B4'])
})
