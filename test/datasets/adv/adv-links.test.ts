/** Links from advisers to their EDGAR filers, the method of each link, and the answers that use these links. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registeredFunds } from '../../../src/datasets/ncen/routes.ts'
import { adviserFunds } from '../../../src/datasets/nmfp/routes.ts'
import { holdings13f } from '../../../src/datasets/thirteenf/routes.ts'
import type { Route } from '../../../src/declare/route.ts'
import { rebuildProduct } from '../../../src/ingest/rebuild/product.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import linksSlice from '../../../src/products/links/index.ts'
import { FILINGS_MAX } from '../../../src/products/links/queries.ts'
import { filingActivity } from '../../../src/products/links/routes.ts'
import { migrate } from '../../../src/store/schema.ts'
import { type AdvWorld, type FeedFirm, openAdv } from '../../support/adv/load.ts'
import { ADVISERS } from '../../support/adv/rows.ts'
import { testContext } from '../../support/context.ts'
import { loadFilings, type SpineFiling } from '../../support/spine-rows.ts'

const firm = (crd: string, legal: string, more: Partial<FeedFirm> = {}): FeedFirm => ({
  crd,
  name: `Firm ${crd}`,
  legal,
  type: 'Registered',
  filed: '2026-03-31',
  ...more,
})

const filing = (n: number, form: string, filed: string, ...ciks: string[]): SpineFiling => ({
  accession: `0000000000-26-${String(n).padStart(6, '0')}`,
  form,
  filed,
  filers: ciks.map((cik) => [cik, `Filer ${cik}`] as const),
})

const named = (n: number, cik: string, name: string): SpineFiling => ({
  ...filing(n, '10-K', '2026-01-05'),
  filers: [[cik, name]],
})

async function header(world: AdvWorld, { accession }: SpineFiling, cik: string, fileNumber: string) {
  await world.sql`
    insert into edgar.submission ${world.sql({
      accession,
      sha256: '',
      bytes: '0',
      source_url: '',
      header: { filers: [{ cik: cik.padStart(10, '0'), fileNumber }] },
      documents: [],
    })}`
}

const links = async (world: AdvWorld, crd: string) =>
  (await world.sql`select cik, method, confidence, basis from links.link where crd = ${crd} order by method, cik`).map(
    ({ cik, method, confidence, basis }) => [Number(cik), method, confidence, basis],
  )

const ask = <T = Record<string, unknown>>(world: AdvWorld, route: Route, query: Record<string, string>) =>
  route.run(route.input.parse(query) as Record<string, unknown>, testContext(world.sql)) as Promise<T | null>

test('a CIK that the adviser states is a certain link, but only from its newest filing', async (t) => {
  const world = await openAdv(t)
  const own = { '1E1': '601', '1A': 'Specimen' }
  await world.month('2026-06', {
    IA_ADV_Base_A: [
      { FilingID: '10', DateSubmitted: '06/01/2026', ...own },
      { FilingID: '11', DateSubmitted: '06/02/2026', ...own, '1N-CIK': '0000000777' },
    ],
    IA_1D3_CIK: [
      { FilingID: '10', CIK: '5' },
      { FilingID: '11', CIK: '1234' },
      { FilingID: '11', CIK: '0000001234' },
    ],
  })
  assert.deepEqual(await links(world, '601'), [
    [777, 'adv_cik', 1, 'filing 11'],
    [1234, 'adv_cik', 1, 'filing 11'],
  ])
})

test('a file number in the header of an adviser’s form links its filer, whatever its spacing', async (t) => {
  const world = await openAdv(t)
  const filings = [
    filing(1, 'ADV-E', '2026-01-05', '21'),
    filing(2, 'ADV-H-T', '2026-01-05', '22'),
    filing(3, '10-K', '2026-01-05', '23'),
  ]
  await loadFilings(world.sql, filings)
  await header(world, filings[0]!, '21', '801- 016048')
  await header(world, filings[1]!, '22', '802-16048')
  await header(world, filings[2]!, '23', '801-16048')
  await world.feed('IA_FIRM_SEC', '2026-07-23', [firm('602', 'Specimen', { number: '801-16048' })])
  assert.deepEqual(await links(world, '602'), [[21, '801_number', 0.95, '801-16048']])
})

test('a name links only while exactly one filer and one adviser have it', async (t) => {
  const world = await openAdv(t)
  await loadFilings(world.sql, [
    named(1, '31', 'SPECIMEN ÅLAND, INC.'),
    named(2, '32', 'Common Specimen'),
    named(3, '33', 'Common Specimen'),
  ])
  const all = [firm('603', 'Specimen Aland, Inc.'), firm('604', 'Common Specimen')]
  await world.feed('IA_FIRM_SEC', '2026-07-21', all)
  assert.deepEqual(await links(world, '603'), [[31, 'name', 0.6, 'specimen aland, inc.']])
  assert.deepEqual(await links(world, '604'), [])
  await world.feed('IA_FIRM_SEC', '2026-07-22', [...all, firm('605', 'SPECIMEN ALAND, INC.')])
  assert.deepEqual([await links(world, '603'), await links(world, '605')], [[], []])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [...all, firm('605', 'Renamed Specimen')])
  assert.deepEqual(await links(world, '603'), [[31, 'name', 0.6, 'specimen aland, inc.']])
})

test('a full refresh links a filer that EDGAR’s index adds later', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-21', [firm('606', 'Late Specimen')])
  await loadFilings(world.sql, [named(1, '41', 'Late Specimen')])
  await world.refreshAll()
  assert.deepEqual(await links(world, '606'), [[41, 'name', 0.6, 'late specimen']])
})

test('holdings and funds of a known adviser may be empty and without a match; an unknown adviser is 404, an invalid path 400', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-21', [firm('607', 'Specimen')])
  assert.deepEqual(await ask(world, holdings13f, { crd: '0607' }), {
    match: false,
    manager: null,
    latest_period: null,
    position_count: 0,
    total_value: null,
    positions: [],
    trend: [],
    not_loaded: [{ source: 'thirteenf', note: 'no reports of institutional managers (13F) have been loaded' }],
  })
  assert.deepEqual(await ask(world, registeredFunds, { crd: '607' }), {
    crd: '607',
    fund_count: 0,
    advised_count: 0,
    subadvised_count: 0,
    current_count: 0,
    total_net_assets: null,
    funds: [],
    not_loaded: [
      { source: 'ncen', note: 'no reports on Form N-CEN have been loaded' },
      { source: 'edgar', note: 'no filing of EDGAR has been loaded' },
    ],
  })
  assert.deepEqual(await ask(world, adviserFunds, { crd: '607' }), {
    match: false,
    crd: '607',
    funds: [],
    not_loaded: [
      { source: 'nmfp', note: 'no reports of money market funds (N-MFP) have been loaded' },
      { source: 'edgar', note: 'no filing of EDGAR has been loaded' },
    ],
  })
  for (const route of [holdings13f, registeredFunds, adviserFunds, filingActivity]) {
    assert.equal(await ask(world, route, { crd: '608' }), null)
    for (const crd of ['abc', '12a', '-1', '', '12345678901']) assert.throws(() => route.input.parse({ crd }))
    assert.ok(route.output?.safeParse(await ask(world, route, { crd: '607' })).success, route.name)
  }
})

test('activity counts Form ADV, its withdrawal and the filings of linked filers by day and form', async (t) => {
  const world = await openAdv(t)
  const own = { '1E1': '609', '1A': 'Specimen' }
  await world.month('2026-06', {
    IA_ADV_Base_A: [
      { FilingID: '20', DateSubmitted: '06/01/2026', ...own },
      { FilingID: '21', DateSubmitted: '06/01/2026', ...own },
      { FilingID: '22', DateSubmitted: '06/03/2026', ...own },
    ],
    // The same filing, repeated in the file of the other kind of adviser, counts once.
    ERA_ADV_Base: [{ FilingID: '22', DateSubmitted: '06/03/2026', ...own }],
    IA_1D3_CIK: [
      { FilingID: '22', CIK: '51' },
      { FilingID: '22', CIK: '52' },
    ],
  })
  await world.month('2020-03', { IA_ADV_Base_A: [{ FilingID: '1', DateSubmitted: '03/01/2020', ...own }] })
  await world.withdrawals('2026-06', [
    { 'Filing ID': '30', 'CRD Number': '609', 'Filing Type': 'FULL', 'Filing Date': '06/03/2026' },
  ])
  await loadFilings(world.sql, [
    filing(1, '13F-HR', '2026-06-02', '51'),
    filing(2, 'SC 13G', '2026-06-02', '51', '52'),
    filing(3, '13F-HR', '2026-06-02', '52'),
    filing(4, '13F-HR', '2026-06-02', '53'),
    filing(5, '13F-HR', '2021-06-30', '51'),
    filing(6, '13F-HR', '2021-06-29', '51'),
    filing(7, '10-K', '2024-02-29', '54'),
  ])
  // The newest known day of any filing is the end of June 2026.
  const days = [
    { form: '13F-HR', d: '2021-06-30', n: 1 },
    { form: 'ADV', d: '2026-06-01', n: 2 },
    { form: '13F-HR', d: '2026-06-02', n: 2 },
    { form: 'SC 13G', d: '2026-06-02', n: 1 },
    { form: 'ADV', d: '2026-06-03', n: 1 },
    { form: 'ADV-W', d: '2026-06-03', n: 1 },
  ]
  const covered = [
    { source: 'edgar', from: '2021-06-29', to: '2026-06-02' },
    { source: 'ADV_FILING_DATA', from: '2026-06-01', to: '2026-06-30' },
    { source: 'ADV_W', from: '2026-06-01', to: '2026-06-30' },
  ]
  const five = { crd: '609', from: '2021-06-30', days, covered }
  assert.deepEqual(await ask(world, filingActivity, { crd: '609' }), five)
  // Months that touch are one span.
  await world.month('2026-05', {
    IA_ADV_Base_A: [{ FilingID: '2', DateSubmitted: '05/01/2026', '1E1': '1', '1A': 'X' }],
  })
  const longer = await ask<{ covered: unknown[] }>(world, filingActivity, { crd: '609', years: '1' })
  assert.deepEqual(longer?.covered[1], { source: 'ADV_FILING_DATA', from: '2026-05-01', to: '2026-06-30' })
  const ten = await ask<{ days: unknown[]; from: string }>(world, filingActivity, { crd: '609', years: '10' })
  assert.equal(ten?.from, '2016-06-30')
  assert.deepEqual(ten?.days.slice(0, 2), [
    { form: 'ADV', d: '2020-03-01', n: 1 },
    { form: '13F-HR', d: '2021-06-29', n: 1 },
  ])
  for (const years of ['0', '51', 'x', '1.5']) assert.throws(() => filingActivity.input.parse({ crd: '1', years }))
})

test('counts the newest filing of an adviser that only a feed shows', async (t) => {
  const world = await openAdv(t)
  await world.feed('IA_FIRM_SEC', '2026-07-23', [firm('610', 'Specimen')])
  const days = [{ form: 'ADV', d: '2026-03-31', n: 1 }]
  const { not_loaded, ...answer } = (await ask(world, filingActivity, { crd: '610', years: '1' })) as {
    not_loaded: object[]
  }
  assert.deepEqual(answer, { crd: '610', from: '2025-07-23', days, covered: [] })
  assert.equal(not_loaded.length, 3)
})

test('if there are more filings than one answer may count, the answer begins on the first day whose filings are all counted', async (t) => {
  const world = await openAdv(t)
  await world.month('2026-06', {
    IA_ADV_Base_A: [{ FilingID: '40', DateSubmitted: '06/01/2026', '1E1': '611', '1A': 'Specimen' }],
    IA_1D3_CIK: [{ FilingID: '40', CIK: '61' }],
  })
  await world.sql`
    insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
    select 'a' || i, '424B2', date '2026-06-30' - (i / 1000)::int, '0000000061', 'x', 'x', '' from generate_series(1, ${FILINGS_MAX + 500}) i`
  await world.sql`
    insert into edgar.filer (accession, cik, name_id, filed_date)
    select accession, cik, 0, filed_date from edgar.filing`
  const answer = await ask<{ from: string; days: { d: string; n: number; form: string }[] }>(world, filingActivity, {
    crd: '611',
  })
  assert.equal(answer?.from, '2026-06-11')
  assert.deepEqual(
    answer?.days.filter(({ form }) => form === 'ADV'),
    [],
  )
  assert.equal(answer?.days.length, 20)
  assert.deepEqual(answer?.days[0], { form: '424B2', d: '2026-06-11', n: 1000 })
})

test('a database that is older than the slices `links` and `similaradvisers` gets the rows of both in the next run', async (t) => {
  const world = await openAdv(t)
  await loadFilings(world.sql, [named(1, '31', 'One Specimen'), named(2, '32', 'Two Specimen')])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [firm('601', 'One Specimen'), firm('602', 'Two Specimen')])
  const before = await world.rollups()
  assert.equal(before['links.link']!.length, 2)
  await world.sql`drop schema links, similaradvisers cascade`
  await world.sql`delete from core.dataset where slug in ('links', 'similaradvisers')`
  assert.deepEqual(await migrate(world.sql, ADVISERS), [])
  assert.deepEqual((await world.rollups())['links.link'], [])
  await refreshing({ sql: world.sql, slices: ADVISERS }, async () => {})
  assert.deepEqual(await world.rollups(), before)
})

test('a rebuild of the links alone also uses names that EDGAR’s index added after the last run', async (t) => {
  const world = await openAdv(t)
  await loadFilings(world.sql, [named(1, '31', 'One Specimen')])
  await world.feed('IA_FIRM_SEC', '2026-07-23', [firm('601', 'One Specimen'), firm('602', 'Two Specimen')])
  const before = (await world.rollups())['links.link']!
  await loadFilings(world.sql, [named(2, '32', 'Two Specimen')])
  assert.deepEqual((await world.rollups())['links.link'], before)
  await rebuildProduct({ sql: world.sql, slices: ADVISERS }, linksSlice)
  const after = (await world.rollups())['links.link']!
  assert.deepEqual([after.length, after.filter((row) => before.includes(row)).length], [2, 1])
})
