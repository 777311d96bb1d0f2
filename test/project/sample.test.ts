/**
 * The first impression of the sample: complete real filings and real advisers come first, invented specimens last and
 * labelled.
 */
import assert from 'node:assert/strict'
import { createReadStream, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { after, test } from 'node:test'
import { inventedOf, inventedRecords, SPECIMENS } from '../../src/ingest/specimens.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import { after as eventsAfter } from '../../src/store/events.ts'
import { REAL } from '../support/adv/sample-real.ts'
import { serveSample } from '../support/served.ts'
import { headOf, submissionsBelow } from '../support/submission-files.ts'
import { sample } from '../support/world.ts'

type Row = Record<string, unknown>

/** The real adviser whose whole Form ADV is in the sample. */
const KLEIN = 307_078

const served = await serveSample({ after })

/** Returns the rows of an answer that is a list, or has a list under the given name. */
async function rowsOf(address: string, name = 'rows'): Promise<Row[]> {
  const answer = await served.json<Row[] | Record<string, Row[]>>(address)
  return Array.isArray(answer) ? answer : answer[name]!
}

const isSpecimen = (row: Row) => /specimen/i.test(JSON.stringify(row))

/**
 * Lists by date, newest first, and managers by value, each with the minimum number of real filers among the first rows.
 */
const NEWEST: readonly (readonly [address: string, name: string, real: number])[] = [
  ['/filings?limit=50', 'rows', 50],
  ['/ownership/transactions?limit=50', 'transactions', 38],
  ['/form144/filings?limit=50', 'rows', 3],
  ['/form25/filings?limit=50', 'rows', 3],
  ['/filings?limit=50&family=form25', 'rows', 3],
  ['/eightk/events?limit=50&kind=officer', 'rows', 11],
  ['/eightk/events?limit=50&kind=earnings', 'rows', 6],
  ['/eightk/events?limit=50&kind=delisting', 'rows', 3],
  ['/eightk/events?limit=50&kind=item&item=1.01', 'rows', 4],
  ['/eightk/events?limit=50&kind=item&item=8.01', 'rows', 5],
  ['/proxies?limit=50', 'rows', 12],
  ['/npx/filings?limit=50', 'rows', 3],
  ['/schedule13/filings?limit=50', 'rows', 10],
  ['/fund-launches?limit=50', 'rows', 3],
  ...['formd', 'rega', 'crowdfunding', 'cfportal', 'x17a5'].map(
    (family) => [`/filings?limit=50&family=${family}`, 'rows', 8] as const,
  ),
  ['/feed?limit=50', 'rows', 50],
  ...['formd', 'rega', 'crowdfunding'].map((type) => [`/feed?limit=50&type=${type}`, 'rows', 13] as const),
  ['/filings?limit=50&family=thirteenf', 'rows', 13],
  ['/filings?limit=50&family=nmfp', 'rows', 3],
  ['/filings?limit=50&family=nport', 'rows', 5],
  ['/filings?limit=50&family=offerings', 'rows', 11],
  ['/filings?limit=50&family=eightk', 'rows', 25],
  ['/filings?limit=50&family=ownership', 'rows', 18],
  ['/filings?limit=50&family=npx', 'rows', 3],
  ['/filings?limit=50&family=fundreg', 'rows', 5],
  ['/ipos?limit=50', 'rows', 5],
  ['/brokers?limit=100', 'brokers', 10],
  ['/cfportal?limit=100', 'rows', 7],
  ['/thirteenf/managers?limit=100', 'rows', 7],
  ['/new-advisers?limit=100', 'rows', 19],
  ['/adv/advisers/list?limit=100&sort=date', 'rows', 73],
]

test('the newest rows of every list are real', async () => {
  for (const [address, name, real] of NEWEST) {
    const rows = await rowsOf(address, name)
    const first = rows.findIndex(isSpecimen)
    assert.ok((first < 0 ? rows.length : first) >= real, `${address}: row ${first + 1} is a specimen's`)
  }
})

test('the sample counts a record as invented if it calls itself a specimen, and states the count for each series', async () => {
  const counts = new Map((await inventedOf(served.sql)).map(({ things, ...each }) => [things, each]))
  const filings = await served.sql`select company_name from edgar.filing`
  assert.deepEqual(counts.get('filings'), { all: filings.length, invented: filings.filter(isSpecimen).length })
  const firms = await served.sql`select business_name, legal_name from adv.firm`
  assert.deepEqual(counts.get('advisers'), { all: firms.length, invented: firms.filter(isSpecimen).length })
  const some = (await inventedRecords(served.sql)).filter(({ invented }) => invented > 0).map(({ series }) => series)
  assert.deepEqual(some, Object.values(SPECIMENS).flat().sort())
  const crds = await served.sql<{ crd: number }[]>`select distinct crd::float8 as crd from adv.filing`
  assert.deepEqual(
    crds.map(({ crd }) => crd).filter((crd) => crd < 999_000_001),
    [KLEIN],
  )
})

test('a real security has no invented holders, prices or votes, and an invented security has no real holders, prices or votes', async () => {
  const mixed = await served.sql`
    with said as (
      select accession, sec_id from pub.nport_holding union all
      select accession, sec_id from pub.nmfp_holding union all
      select accession, sec_id from pub.thirteenf_line union all
      select accession, cusip from npx.vote
    ), grouped as (
      select coalesce(a.issuer, s.sec_id) as thing, exists (
        select from edgar.filer f where f.accession = s.accession and f.cik >= '9000000000') as invented
      from said s left join securities.alias a on a.sec_id = s.sec_id where s.sec_id is not null
    )
    select thing, count(*) from grouped group by thing having count(distinct invented) > 1`
  assert.deepEqual([...mixed], [])
  const alike = await served.sql`
    select crd, other_crd from similaradvisers.firm where (crd::numeric >= 990000000) <> (other_crd::numeric >= 990000000)`
  assert.deepEqual([...alike], [])
})

test('specimens are older than all real filings of their family, and older than each real adviser’s newest filing', async () => {
  for (const [address, name] of NEWEST.filter(([address]) => /type=|family=|brokers|sort=date/.test(address))) {
    const rows = await rowsOf(address, name)
    const first = rows.findIndex(isSpecimen)
    if (first >= 0) assert.ok(rows.slice(first).every(isSpecimen), `${address}: a real row follows a specimen's`)
  }
})

test('the sample has many filings from several states and industries, and some filers have several filings', async () => {
  const feed = await rowsOf('/feed?limit=50')
  const more = await rowsOf('/feed?limit=50&offset=50')
  const real = [...feed, ...more].filter((row) => !isSpecimen(row))
  const different = (column: string) => new Set(real.map((row) => row[column]).filter((value) => value !== null)).size
  assert.ok(different('state') >= 20, `${different('state')} states`)
  assert.ok(different('industry') >= 12, `${different('industry')} industries`)
  const filings = [...(await rowsOf('/filings?limit=50')), ...(await rowsOf('/filings?limit=50&offset=50'))]
  assert.ok(filings.length >= 90)
  const byFiler = Map.groupBy(
    filings.filter((row) => !isSpecimen(row)),
    ({ cik }) => cik,
  )
  assert.ok([...byFiler.values()].filter((of) => of.length > 1).length >= 10)
})

/** Facts that Form ADV requires of a registered adviser in the United States, as the profile names them. */
const DEMANDED = {
  adviser: `crd sec_file_number adviser_type firm_name legal_name business_name registration_status registration_date street
    city state country zip phone lat lng employees latest_raum first_filing_date latest_filing_date`,
  latest_filing: `filing_date total_clients discretionary_aum non_discretionary_aum total_raum total_accounts client_shares
    comp_pct_aum comp_hourly comp_subscription comp_fixed comp_commissions comp_performance comp_other serves_individuals
    serves_hnw serves_investment_cos serves_pooled serves_pensions serves_charities serves_corps serves_state_municipal
    serves_other has_disciplinary`,
}

test('the largest advisers are real, and the first ten have no null in facts that Form ADV requires', async () => {
  const rows = await rowsOf('/adv/advisers/list?limit=50')
  assert.deepEqual(rows.filter(isSpecimen), [])
  assert.ok(rows.every(({ latest_raum: raum }) => Number(raum) > 5e9))
  for (const { crd } of rows.slice(0, 10)) {
    const profile = await served.json<Record<string, Row>>(`/adv/advisers/by-crd/${crd}`)
    for (const [part, columns] of Object.entries(DEMANDED)) {
      for (const column of columns.split(/\s+/)) {
        assert.ok((profile[part]![column] ?? null) !== null, `${profile.adviser!.firm_name}: ${part}.${column}`)
      }
    }
  }
})

test('every real adviser has assets, clients, fees and an office address', async () => {
  const rows = await served.sql`
    select crd, firm_name from adv.adviser
    where crd = any(${[...REAL].map(String)}) and (street is null or postal_code is null or phone is null or employees is null
      or sec_file_number is null or registration_date is null or latest_raum is null or total_accounts is null
      or clients is null or comp_pct_aum is null or has_disciplinary is null)`
  assert.deepEqual([...rows], [])
})

test('a search for a well-known name returns its owner first', async () => {
  for (const [typed, crd] of [
    ['vanguard', '105958'],
    ['fidelity management', '108281'],
    ['pacific investment management', '104559'],
    ['goldman sachs', '361'],
    ['blackrock', '108928'],
    ['t. rowe price', '126032'],
    ['dodge & cox', '104596'],
    ['kohlberg kravis', '144533'],
    ['apollo', '143161'],
    ['carlyle', '111128'],
    ['ares management', '130074'],
    ['renaissance', '106661'],
    ['two sigma', '152254'],
    ['aqr', '111883'],
    ['d. e. shaw', '108679'],
  ] as const) {
    const [first] = await rowsOf(`/adv/advisers/search?q=${encodeURIComponent(typed)}`)
    assert.equal(first?.id, crd, typed)
  }
})

/**
 * Securities with the text that people type to find them; each with CUSIP, ticker, and the numbers of current holders
 * among managers (Form 13F) and funds (Form N-PORT). No report in the sample assigns the tickers of Alphabet and
 * JPMorgan to single classes or securities.
 */
const TYPED = [
  ['apple', '037833100', 'AAPL', 2, 2],
  ['nvidia', '67066G104', 'NVDA', 2, 1],
  ['microsoft', '594918104', 'MSFT', 3, 1],
  ['alphabet', '02079K305', null, 5, 1],
  ['jp morgan', '46625H100', null, 2, 1],
] as const

test('well-known securities have all their facts, and real managers and funds as current holders', async () => {
  for (const [typed, cusip, ticker, managers, funds] of TYPED) {
    const [first] = await rowsOf(`/adv/securities?q=${encodeURIComponent(typed)}`)
    assert.deepEqual(
      [first!.cusip, first!.ticker, first!.f13_holders, first!.fund_count],
      [cusip, ticker, managers, funds],
      typed,
    )
    for (const column of ['issuer_name', 'title_of_class', 'isin', 'lei', 'cik'])
      assert.ok(first![column], `${typed}: ${column}`)
    const detail = await served.json<Record<'f13' | 'nport', { holders: Row[] }>>(`/adv/securities/${cusip}`)
    const holders = [...detail.f13.holders, ...detail.nport.holders]
    assert.equal(holders.length, managers + funds)
    assert.deepEqual(holders.filter(isSpecimen), [])
  }
  assert.deepEqual((await rowsOf('/adv/securities?limit=20')).filter(isSpecimen), [])
})

test('changes of holdings since the previous quarter agree with the real reports: reduced, new, unchanged, added', async () => {
  const changes = async (address: string) =>
    (await rowsOf(address)).map(({ holder, change, amount_change, amount_before }) => [
      holder,
      change,
      amount_change,
      amount_before,
    ])
  assert.deepEqual(await changes('/adv/securities/037833100/holders'), [
    ['Berkshire Hathaway Inc', 'reduced', '-10294956', '238212764'],
  ])
  assert.deepEqual(await changes('/adv/securities/02079K305/holders'), [
    ['Berkshire Hathaway Inc', 'unchanged', '0', '17846142'],
    ['TIGER GLOBAL MANAGEMENT LLC', 'unchanged', '0', '10631402'],
    ['VIKING GLOBAL INVESTORS LP', 'new', '2666272', null],
    ['Pershing Square Capital Management, L.P.', 'reduced', '-4165676', '4843973'],
  ])
  assert.deepEqual(await changes('/adv/securities/037833100/holders?source=nport'), [
    ['VANGUARD TOTAL STOCK MARKET INDEX FUND', 'added', '60834', '466211410'],
    ['State Street(R) SPDR(R) S&P 500(R) ETF Trust', null, null, null],
  ])
  const [apple] = await rowsOf('/funds/S000002848/holdings?changes=true')
  assert.deepEqual([apple!.change, apple!.balance, apple!.balance_before], ['added', '466272244', '466211410'])
})

test('if the sample has only a part of a report, the answer about this report states that', async () => {
  for (const at of [
    'nport/0000036405-26-000323',
    'nport/0000036405-26-000480',
    'nport/0001410368-26-089410',
    'npx/0001021408-25-003152',
  ]) {
    const [family, accession] = at.split('/')
    const answer = await served.json(`/${family}/filings/by-accession/${accession}`)
    assert.match(JSON.stringify(answer), /Of the bundled sample: /, at)
  }
  const covers = await served.sql`
    select r.accession from thirteenf.report r
    where r.cik not like '9%' and (r.report_type is null) <> coalesce(r.additional_information like 'Of the bundled sample: %', false)`
  assert.deepEqual([...covers], [])
})

/** Lists of rows in the answer of each route. */
const LISTS: Readonly<Record<string, readonly [address: string, ...lists: string[]]>> = {
  '/ncen/filings/by-accession/{accession}': [
    '/ncen/filings/by-accession/9000000081-22-000009',
    'funds',
    'persons',
    'offices',
    'terminated_series',
    'series_matters',
    'valuation_changes',
    'other_filings',
  ],
  '/ncen/filings/by-accession/{accession}/providers': [
    '/ncen/filings/by-accession/0001410368-26-010918/providers?role=authorized_participant',
    'rows',
  ],
  '/ncen/registrants/{cik}': ['/ncen/registrants/9000000081', 'funds'],
  '/adv/advisers/by-crd/{crd}/registered-funds': ['/adv/advisers/by-crd/999000001/registered-funds', 'funds'],
  '/nmfp/filings/by-accession/{accession}': [
    '/nmfp/filings/by-accession/9000000071-16-000001',
    ...['providers', 'related_funds', 'liquidity', 'yields', 'navs', 'classes', 'holdings', 'other_filings'],
  ],
  '/nmfp/funds': ['/nmfp/funds', 'rows'],
  '/adv/advisers/by-crd/{crd}/money-market-funds': ['/adv/advisers/by-crd/108477/money-market-funds', 'funds'],
  '/formd/filings': ['/formd/filings?q=hashnote', 'rows'],
  '/formd/filings/by-accession/{accession}': ['/formd/filings/by-accession/9000000001-09-000003', 'filing.chain'],
  '/rega/filings/by-accession/{accession}': ['/rega/filings/by-accession/0001096906-25-000614', 'other_filings'],
  '/crowdfunding/filings/by-accession/{accession}': [
    '/crowdfunding/filings/by-accession/9000000020-16-000001',
    'submission.other_filings',
  ],
  '/thirteenf/filings/by-accession/{accession}': [
    '/thirteenf/filings/by-accession/0001193125-26-054580',
    ...['managers', 'chain', 'positions', 'other_filings'],
  ],
  '/thirteenf/managers': ['/thirteenf/managers?q=specimen', 'rows'],
  '/thirteenf/managers/by-cik/{cik}/holdings': [
    '/thirteenf/managers/by-cik/1067983/holdings?changes=true',
    'positions',
    'trend',
  ],
  '/adv/advisers/by-crd/{crd}/holdings-13f': ['/adv/advisers/by-crd/999000001/holdings-13f', 'positions', 'trend'],
  '/nport/filings/by-accession/{accession}': [
    '/nport/filings/by-accession/0000894189-26-016628',
    'holdings',
    'returns',
    'flows',
  ],
  '/funds/{series}/holdings': ['/funds/S000002848/holdings?changes=true', 'rows', 'periods'],
  '/funds': ['/funds?q=specimen', 'rows'],
  '/cfportal': ['/cfportal?status=withdrawn', 'rows'],
  '/cfportal/filing/{accession}': ['/cfportal/filing/0001213900-21-050768', 'filings'],
  '/ownership/transactions': ['/ownership/transactions?cik=50863', 'transactions'],
  '/ownership/filings': ['/ownership/filings?cik=50863', 'rows'],
  '/ownership/by-person/{cik}': ['/ownership/by-person/1218363', 'companies', 'filings'],
  '/ownership/filings/by-accession/{accession}': [
    '/ownership/filings/by-accession/0001127602-19-027011',
    'owners',
    'non_derivative',
    'derivative',
    'footnotes',
    'signatures',
  ],
  '/form144/filings': ['/form144/filings?from=2026-01-01', 'rows'],
  '/form144/filings/by-accession/{accession}': [
    '/form144/filings/by-accession/0001958244-23-000454',
    'sales',
    'acquisitions',
    'past_sales',
    'plans',
  ],
  '/form25/filings': ['/form25/filings?exchange=876661', 'rows'],
  '/form25/filings/by-accession/{accession}': ['/form25/filings/by-accession/9000000250-13-000001', 'other_filings'],
  '/brokers/{cik}': ['/brokers/9000000017', 'filings'],
  '/brokers': ['/brokers?weakness=true', 'brokers'],
  '/adv/advisers/list': ['/adv/advisers/list?fund_type=Hedge%20Fund', 'rows'],
  '/adv/advisers/by-crd/{crd}': [
    '/adv/advisers/by-crd/999000001?include=all',
    ...['filings', 'funds', 'service_providers', 'drp', 'people', 'branches', 'part1a', 'sma', 'linked'],
  ],
  '/schedule13/filings': ['/schedule13/filings?q=tesla', 'rows'],
  '/schedule13/filings/by-accession/{accession}': [
    '/schedule13/filings/by-accession/0000950170-24-140615',
    ...['securities', 'persons', 'contacts', 'items', 'signatures'],
  ],
  '/facts/companies/{cik}/financials': ['/facts/companies/320193/financials?period=quarter', 'history'],
  '/adv/securities/{cusip}/financials': ['/adv/securities/037833100/financials', 'history'],
  '/companies/{cik}/securities': ['/companies/320193/securities', 'rows'],
  '/adv/securities/{cusip}/identifiers': ['/adv/securities/037833100/identifiers', 'rows'],
  '/adv/securities': ['/adv/securities?type=private', 'rows'],
  '/adv/securities/{cusip}': ['/adv/securities/037833100', 'f13.holders', 'nport.holders'],
  '/adv/securities/{cusip}/holders': ['/adv/securities/037833100/holders?source=nport', 'rows'],
  '/thirteenf/movers': ['/thirteenf/movers', 'rows'],
  '/adv/securities/{cusip}/aliases': ['/adv/securities/name~YW50aHJvcGljIHBiYw/aliases', 'aliases'],
  '/adv/securities/{cusip}/price-history': [
    '/adv/securities/037833100/price-history?scope=exact&period=2026-06-30',
    ...['variants', 'periods', 'filings'],
  ],
  '/search': ['/search?q=masterworks', 'rows'],
  '/companies': ['/companies?q=masterworks', 'rows'],
  '/companies/{cik}': ['/companies/320193', 'tickers', 'exchanges', 'listed_tickers', 'former_names', 'categories'],
  '/adv/advisers/search': ['/adv/advisers/search?q=specimen', ''],
  '/adv/advisers/by-crd/{crd}/similar': ['/adv/advisers/by-crd/105958/similar', 'items'],
  '/adv/advisers/by-crd/{crd}/headcount': ['/adv/advisers/by-crd/999000001/headcount', 'series'],
  '/adv/rep/{indvlPk}/movements': ['/adv/rep/990000003/movements', 'stints'],
  '/text-search/corpora': ['/text-search/corpora', 'corpora'],
  '/text-search': ['/text-search?q=iphone', 'rows', 'document_counts.by_form', 'document_counts.by_year'],
  '/doc-text/{source}/{accession}': ['/doc-text/tenx/0000320193-24-000123', 'documents', 'sections'],
  '/doc-text/by-cik/{cik}': ['/doc-text/by-cik/320193', 'documents'],
  '/brochures/search': ['/brochures/search?q=fees', 'rows'],
  '/brochures/firm/{crd}': ['/brochures/firm/999000001', 'versions'],
  '/adv/advisers/by-crd/{crd}/rep-flows': [
    '/adv/advisers/by-crd/999000001/rep-flows',
    'byYear',
    'recentIn',
    'recentOut',
  ],
  '/filings/families': ['/filings/families', 'families'],
  '/filings/coverage': ['/filings/coverage', 'families'],
  '/filings': ['/filings?cik=1876769', 'rows'],
  '/filing/{accession}': ['/filing/0001096906-25-000614', 'documents', 'timeline'],
  '/feed': ['/feed?state=CA', 'rows'],
  '/ipos': ['/ipos?spac=only', 'rows'],
  '/eightk/events': ['/eightk/events?kind=item&item=1.01', 'rows'],
  '/eightk/by-accession/{accession}': ['/eightk/by-accession/0000939057-09-000303', ...['sections', 'facts']],
  '/events': ['/events?source=eightk', 'events'],
  '/status': ['/status', 'delays'],
  '/npx/filings': ['/npx/filings?q=specimen', 'rows'],
  '/npx/filings/by-accession/{accession}': ['/npx/filings/by-accession/9000000151-24-000001', ...['votes', 'series']],
  '/npx/votes': ['/npx/votes?cusip=88025U109&how=AGAINST', 'rows'],
  '/proxies': ['/proxies?category=definitive', 'rows'],
  '/proxies/by-accession/{accession}': [
    '/proxies/by-accession/0001308179-25-000008',
    ...['proposals', 'facts', 'pay_versus_performance', 'other_filings'],
  ],
  '/fund-launches': ['/fund-launches?bucket=cef', 'rows'],
  '/fund-launches/by-accession/{accession}': [
    '/fund-launches/by-accession/9000000151-23-000002',
    ...['series', 'fees', 'narrative', 'advisers', 'other_filings'],
  ],
  '/ipos/by-accession/{accession}': [
    '/ipos/by-accession/9000000201-10-000005',
    ...['stages', 'filings', 'other_filings', 'offering.facts', 'offering.terms.underwriters'],
  ],
  '/new-advisers': ['/new-advisers?type=ERA', 'rows'],
  '/adv/advisers/by-crd/{crd}/filing-activity': ['/adv/advisers/by-crd/999000001/filing-activity?years=10', 'days'],
}
const WITHOUT_LIST = ['/me', '/brochures/{id}', '/edgar/doc/{accession}/{seq}']

test('each list of the API has rows in the sample', async () => {
  for (const { path: route } of registry.routes) {
    if (WITHOUT_LIST.includes(route)) continue
    const [address, ...lists] = LISTS[route] ?? assert.fail(`${route} has no example here`)
    const answer = await served.json<unknown>(address)
    for (const list of lists) {
      const rows = list.split('.').reduce((at, name) => (name ? (at as Row)[name] : at), answer)
      assert.ok(Array.isArray(rows) && rows.length > 0, `${address}: ${list || 'the answer'} is empty`)
    }
  }
})

test('the text of the specimen broker’s report is read, and its facts agree with the report’s cover', async () => {
  const { filings, material_weakness_sentences: sentences } =
    await served.json<Record<string, Row[]>>('/brokers/9000000017')
  const report = filings!.find(({ accession }) => accession === '9000000017-19-000001')!
  assert.deepEqual([report.material_weakness, report.material_weakness_text], [true, true])
  assert.deepEqual(
    sentences!.map(({ evidence, reading }) => [(evidence as { sequence: number }).sequence, reading]),
    [[2, 'disclosed']],
  )
})

test('specimen advisers show moves of representatives: in recent years, between specimens, and out of the industry', async () => {
  interface Flows {
    byYear: { year: number; gained: number; lost: number }[]
    recentIn: Row[]
    recentOut: Row[]
    summary: Record<string, number>
  }
  const [{ crd: id } = assert.fail('no specimen is listed')] = await rowsOf('/adv/advisers/list?q=specimen&limit=1')
  const flows = await served.json<Flows>(`/adv/advisers/by-crd/${id}/rep-flows`)
  for (const year of [2024, 2025, 2026]) {
    const { gained = 0, lost = 0 } = flows.byYear.find((of) => of.year === year) ?? {}
    assert.ok(gained > 0 && lost > 0, `${year}: ${gained} gained, ${lost} lost`)
  }
  assert.ok(flows.recentIn.some(({ other_org_nm: name }) => /SPECIMEN/.test(String(name))))
  assert.ok(flows.summary.left_industry! > 0)
  const headcount = await served.json<{ current: number; series: Row[] }>(`/adv/advisers/by-crd/${id}/headcount`)
  assert.equal(headcount.series.at(-1)!.month, '2026-07-01', 'the month of the newest feed')
  assert.ok(headcount.current >= 10)
})

test('the sample has no representatives of a real firm', async () => {
  const crds = [...REAL].map(String)
  const rows = await served.sql`select org_pk from reps.stint where org_pk = any(${crds})`
  assert.deepEqual([...rows], [])
})

interface Partial {
  not_loaded?: { source: string; note: string }[]
}

test('answers about a real firm state that its representatives and filings are not fully loaded', async () => {
  const of = (crd: number, path: string) => served.json<Partial & Row>(`/adv/advisers/by-crd/${crd}/${path}`)
  for (const path of ['rep-flows', 'rep-flows?include_bulk=true', 'headcount']) {
    const { not_loaded } = await of(361, path)
    assert.deepEqual(
      not_loaded?.map(({ source }) => source),
      ['IA_INDVL'],
      path,
    )
    assert.match(not_loaded![0]!.note, /only the selection in the bundled sample of IA_INDVL has been loaded/)
    assert.equal(
      (await of(999_000_001, path)).not_loaded,
      undefined,
      'a specimen has all the people that were invented for it',
    )
  }
  for (const crd of [361, 999_000_001]) {
    const { covered, not_loaded } = await of(crd, 'filing-activity?years=10')
    assert.deepEqual(covered, [])
    assert.deepEqual(
      not_loaded?.map(({ source }) => source),
      ['ADV_FILING_DATA', 'ADV_W', 'edgar'],
    )
  }
})

/** Returns texts of an answer that are decimal numbers, with their places. */
function decimalsOf(value: unknown, at = ''): string[] {
  if (typeof value === 'string') return /^-?\d+\.\d+$/.test(value) ? [`${at}: ${value}`] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, part]) => decimalsOf(part, `${at}/${name}`))
}

test('an amount has the same format in all answers, 75000000 and not 75000000.00', async () => {
  const addresses = [
    '/brokers?limit=100',
    '/cfportal?limit=100',
    '/new-advisers?limit=100',
    '/adv/advisers/list?limit=100',
  ]
  for (let offset = 0; ; offset += 50) {
    const rows = await rowsOf(`/feed?limit=50&offset=${offset}`)
    addresses.push(`/feed?limit=50&offset=${offset}`)
    addresses.push(...rows.map(({ source, accession }) => `/${source}/filings/by-accession/${accession}`))
    if (rows.length < 50) break
  }
  for (const { accession } of await rowsOf('/filings?family=cfportal&limit=50')) {
    addresses.push(`/cfportal/filing/${accession}`)
  }
  for (let n = 1; n <= 10; n++) addresses.push(`/adv/advisers/by-crd/${999_000_000 + n}?include=all`)
  const given: string[] = []
  for (const address of addresses) given.push(...decimalsOf(await served.json(address), address))
  assert.ok(given.length > 20, 'some amounts have cents')
  const long = given.filter((text) => /\.\d*0$/.test(text) && !/version/.test(text))
  assert.deepEqual(long, [])
})

test('changes between the two feed days are visible: a real firm’s filing, a changed name, people who joined and left', async () => {
  const events = await eventsAfter(served.sql, 0, 100_000)
  const has = (slug: string, key: string, what: string) =>
    events.some((event) => event.slug === slug && event.key === key && event.what === what)
  assert.ok(has('adv', 'IA_FIRM_SEC/361', 'corrected'))
  assert.ok(has('adv', 'IA_FIRM_STATE/999000006', 'corrected'))
  assert.ok(has('reps', 'IA_INDVL/990000061', 'removed'))
  assert.ok(has('reps', 'IA_INDVL/990000020', 'added'))
  const [goldman] = await served.sql`
    select latest_raum::text, notices.n from adv.adviser join adv.firm m using (crd),
      lateral (select jsonb_array_length(m.notice_filings)::int as n) notices where crd = '361'`
  assert.deepEqual({ ...goldman }, { latest_raum: '133644228926', n: 53 })
  const former = await served.sql`select name from adv.adviser_name where crd = '999000009' and kind = 'former'`
  assert.deepEqual([...former], [{ name: 'OPENFILINGS SPECIMEN COUNSEL LLC' }])
})

test('the sample’s indexes list each submission with the form and the date of its header, and no submission is truncated', async () => {
  const listed = new Map<string, string>()
  for (const file of globSync('Archives/edgar/full-index/*/*/master.idx', { cwd: sample })) {
    const reader = readIndex(createReadStream(path.join(sample, file)))
    for await (const entries of reader.entries) {
      for (const { path: at, formType, filedDate } of entries) listed.set(at, `${formType} ${filedDate}`)
    }
    assert.deepEqual(reader.problems, [])
  }
  const files = submissionsBelow(sample)
  assert.equal(files.length, listed.size)
  for (const file of files) {
    const text = readFileSync(path.join(sample, 'Archives', file), 'utf8')
    const { form, day } = headOf(text)
    assert.equal(listed.get(file), `${form} ${day}`, file)
    // A retry fetches a truncated file again.
    assert.ok(text.endsWith('</SEC-DOCUMENT>\n'), file)
  }
})
