/**
 * Securities are found by names and numbers as people type them, and an id in an address identifies one security.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import companies from '../../../src/datasets/companies/index.ts'
import { COMPANIES } from '../../../src/datasets/companies/named.ts'
import { HttpError } from '../../../src/declare/api-errors.ts'
import { COMPANY_NAMES } from '../../../src/products/securities/queries/search.ts'
import { detail, holders, movers, search } from '../../../src/products/securities/routes.ts'
import { freshDatabase } from '../../support/database.ts'
import { changing } from '../../support/refreshed.ts'
import { filled, loadFunds, loadManagers, SLICES } from '../../support/securities-made.ts'
import { loadFilings } from '../../support/spine-rows.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const [APPLE, BERKSHIRE_A, BERKSHIRE_B] = ['037833100', '084670108', '084670702']
const [JPMORGAN, DODGE, NVIDIA] = ['46625H100', '256219106', '67066G104']
const idOf = (name: string) => `name~${Buffer.from(name).toString('base64url')}`
const SPACE = idOf('space exploration technologies corp')

interface SecuritiesPage {
  rows: { sec_id: string; cusip: string | null; issuer_name: string; is_private: boolean; combined_value: string; f13_holders: number | null; fund_count: number | null; mmf_count: number | null }[]
  next_cursor: string | null
} // biome-ignore format: one line a member
const find = (query: Record<string, string>) => ask<SecuritiesPage>(sql, search, query)
const ids = async (q: string, more: object = {}) => (await find({ q, ...more })).rows.map(({ sec_id }) => sec_id)

test('data that is not loaded is null in the search and is reported, also for an unknown security', async () => {
  const none = await ask<{ rows: unknown[]; not_loaded: { source: string }[] }>(sql, search, {})
  assert.deepEqual([none.rows, none.not_loaded.map(({ source }) => source)], [[], ['thirteenf', 'nport', 'nmfp']])
  for (const route of [detail, holders])
    await assert.rejects(
      ask(sql, route, { cusip: APPLE }),
      (error) => error instanceof HttpError && error.status === 404 && /no reports of funds/.test(error.message),
    )
  assert.deepEqual((await ask<{ rows: unknown[] }>(sql, movers, {})).rows, [])
  const named = (cusip: string, value: number, issuer: string, title = 'COM') =>
    [cusip, value, { issuer, title }] as const
  await loadManagers(sql, {
    ...{ accession: '0000000001-24-000001', cik: '0000000001', filed: '2024-02-14', period: '2023-12-31' },
    lines: [
      named(APPLE, 900, 'APPLE INC'),
      named(BERKSHIRE_A, 100, 'BERKSHIRE HATHAWAY INC DEL', 'CL A'),
      named(BERKSHIRE_B, 800, 'BERKSHIRE HATHAWAY INC DEL', 'CL B NEW'),
      named(JPMORGAN, 700, 'JPMORGAN CHASE & CO'),
      named(DODGE, 600, 'DODGE & COX FDS', 'STOCK FD'),
      named(NVIDIA, 500, 'NVIDIA CORPORATION'),
    ],
  })
  const { rows } = await find({})
  assert.deepEqual(rows.map(({ f13_holders: by, fund_count: funds, mmf_count: money }) => [by, funds, money])[0], [
    1,
    null,
    null,
  ])
  const apple = await ask<Record<'f13' | 'nport' | 'nmfp', Record<string, unknown>>>(sql, detail, { cusip: APPLE })
  const summary = ({ holder_count, fund_count, total_value, holders: of }: Record<string, unknown>) => [
    holder_count ?? fund_count,
    total_value,
    (of as unknown[]).length,
  ]
  assert.deepEqual(
    [summary(apple.f13), summary(apple.nport), summary(apple.nmfp)],
    [
      [1, '900', 1],
      [null, null, 0],
      [null, null, 0],
    ],
  )
})

test('names are found in the spellings that people type, and numbers with and without their prefix', async () => {
  await loadFunds(sql, 'nport', {
    ...{ accession: '0000000041-24-000001', fund: '0000000041-S000000001', filed: '2024-02-20', period: '2023-12-31' },
    lines: [
      { cusip: APPLE, isin: 'US0378331005', lei: 'HWUPKR0MPOU8FGXBT394', name: 'Apple Inc', value: 5 },
      { name: 'Space Exploration Technologies Corp. (aka SpaceX)', restricted: true, value: 7 },
      { name: 'Space Exploration Technologies Corp.', restricted: true, value: 9 },
      { isin: 'CH0038863350', name: 'Nestle SA', value: 3, ticker: 'NESN' },
    ],
  })
  await loadFilings(sql, [])
  const expected: readonly (readonly [string, readonly string[]])[] = [
    ['apple', [APPLE]],
    ['Apple, Inc.', [APPLE]],
    [APPLE, [APPLE]],
    ['037833', [APPLE]],
    ['03783310', [APPLE]],
    ['cusip 037833100', [APPLE]],
    ['037833 10 0', [APPLE]],
    ['037833-10-0', [APPLE]],
    ['037833 10', [APPLE]],
    ['037833  100', [APPLE]],
    ['us 037833 100 5', [APPLE]],
    ['us0378331005', [APPLE]],
    ['ISIN: CH0038863350', ['isin~CH0038863350']],
    ['nesn', ['isin~CH0038863350']],
    ['hwupkr0mpou8fgxbt394', [APPLE]],
    ['jp morgan', [JPMORGAN]],
    ['jpmorgan chase and co', [JPMORGAN]],
    ['dodge and cox', [DODGE]],
    ['berkshire hathaway b new', [BERKSHIRE_B]],
    ['berkshire', [BERKSHIRE_B, BERKSHIRE_A]],
    ['pple', [APPLE]],
    ['nobody has this', []],
    ['!!!', []],
    ['&', []],
    ['~', []],
    ['%', []],
  ]
  for (const [q, found] of expected) assert.deepEqual(await ids(q), found, q)
  assert.deepEqual(
    [...(await ids('spacex'))].sort(),
    [idOf('space exploration technologies corp aka spacex'), SPACE].sort(),
  )
  assert.ok((await ids('a')).includes(APPLE))
  assert.deepEqual(await ids('x'.repeat(200)), [])
  for (const q of ['', ' ', 'x'.repeat(2_000)]) assert.equal(search.input.safeParse({ q }).success, false)
})

test('private securities are those that funds hold without a CUSIP, and pages in any order return each security once', async () => {
  const privates = (await find({ type: 'private' })).rows
  assert.deepEqual(
    privates.map(({ sec_id, cusip }) => [sec_id.slice(0, 5), cusip]),
    [
      ['name~', null],
      ['name~', null],
    ],
  )
  assert.ok((await find({ type: 'public' })).rows.every((row) => !row.is_private))
  for (const sort of ['value', 'f13_holders', 'fund_count', 'name']) {
    for (const dir of ['asc', 'desc']) {
      const all = (await find({ sort, dir })).rows.map(({ sec_id }) => sec_id)
      const walked: string[] = []
      let query: Record<string, string> = { sort, dir, limit: '3', paginate: 'cursor' }
      for (;;) {
        const { rows, next_cursor } = await find(query)
        walked.push(...rows.map(({ sec_id }) => sec_id))
        if (next_cursor === null) break
        query = { sort, dir, limit: '3', cursor: next_cursor }
      }
      assert.deepEqual(walked, all)
      assert.equal(new Set(all).size, 9)
    }
  }
})

test('an issuer’s number, in capitals or small letters, finds its main security and then its other securities', async () => {
  interface Detail {
    sec_id: string
    issuer_securities: { sec_id: string }[]
    f13: { holders: { percent: string }[] }
  }
  const of = (cusip: string) => ask<Detail>(sql, detail, { cusip })
  const main = await of('084670')
  assert.deepEqual([main.sec_id, main.issuer_securities.map(({ sec_id }) => sec_id)], [BERKSHIRE_B, [BERKSHIRE_A]])
  assert.equal((await of('46625h1')).sec_id, JPMORGAN)
  assert.equal((await of('67066g104')).sec_id, NVIDIA)
  assert.equal((await of('isin~ch0038863350')).sec_id, 'isin~CH0038863350')
  assert.equal((await of(SPACE)).sec_id, SPACE)
  // The manager reports a value of 3,600, of which this security has 900.
  assert.equal(Number((await of(APPLE)).f13.holders[0]!.percent), 25)
  for (const cusip of ['ABC', 'ABCDEFGHIJ', 'name~', 'isin~CH', '', "' or 1=1"])
    assert.equal(detail.input.safeParse({ cusip }).success, false, cusip)
  for (const limit of ['0', '201', '-1', '1.5'])
    assert.equal(detail.input.safeParse({ cusip: APPLE, limit }).success, false, limit)
})

test('a fund or manager whose newest report is over 15 months older than the newest quarter no longer counts as a holder', async () => {
  await loadManagers(sql, {
    ...{ accession: '0000000002-25-000001', cik: '0000000002', filed: '2025-05-14', period: '2025-03-31' },
    lines: [[NVIDIA, 40]],
  })
  const [apple] = (await find({ q: APPLE })).rows
  assert.deepEqual([apple!.f13_holders, apple!.fund_count], [1, 1])
  await loadManagers(sql, {
    ...{ accession: '0000000002-25-000002', cik: '0000000002', filed: '2025-08-14', period: '2025-06-30' },
    lines: [[NVIDIA, 41]],
  })
  const [gone] = (await find({ q: APPLE })).rows
  assert.deepEqual([gone!.f13_holders, gone!.fund_count, gone!.combined_value], [0, 1, '5'])
})

/** Loads a company with a ticker, and its former names. */
async function loadCompany(cik: string, ticker: string, name: string, ...former: readonly string[]): Promise<void> {
  const [day, id] = ['2026-01-02', `${cik} ${ticker}`]
  await changing(
    sql,
    companies,
    { series: 'TICKERS', keys: [id, cik], day },
    async (tx) => {
      const edition = { series: 'TICKERS', name: 't', from_day: day, to_day: day, state: 'done', files: [] }
      await tx`insert into bulk.edition ${tx(edition)} on conflict do nothing`
      const record = {
        series: 'TICKERS',
        key: id,
        digest: Buffer.alloc(8),
        edition: 't',
        first_day: day,
        changed_day: day,
      }
      await tx`insert into bulk.record ${tx(record)}`
      await tx`insert into companies.listed_ticker ${tx({ id, source: 'company_tickers', cik, ticker, name })}`
      await tx`insert into companies.company ${tx(filled(companies.tables.company!, { cik, name }))}`
      for (const [n, of] of former.entries())
        await tx`insert into companies.former_name ${tx({ cik, n: n + 1, name: of })}`
    },
    SLICES,
  )
}

test("a security is found by its company's former name, after securities of companies with that name now, and by a mistyped name if nothing else matches", async () => {
  // Companies are searched with the bands that their dataset stores.
  assert.deepEqual([COMPANY_NAMES.bands, COMPANY_NAMES.decades], [COMPANIES.bands, COMPANIES.decades])
  const [META_A, META_C, GUITARS] = ['30303M102', '30303M201', '31154R109']
  await loadManagers(sql, {
    ...{ accession: '0000000003-25-000001', cik: '0000000003', filed: '2025-08-14', period: '2025-06-30' },
    lines: [
      [META_A, 900, { issuer: 'META PLATFORMS INC', title: 'CL A' }],
      [META_C, 800, { issuer: 'META PLATFORMS INC', title: 'CL C' }],
      [GUITARS, 1, { issuer: 'FACEBOOK GUITARS INC', title: 'COM' }],
      [NVIDIA, 500, { issuer: 'NVIDIA CORPORATION', title: 'COM' }],
    ],
  })
  const before = await ask<{ not_loaded: { source: string }[] } & SecuritiesPage>(sql, search, { q: 'nvidea' })
  assert.deepEqual([before.rows, before.not_loaded[0]!.source], [[], 'SUBMISSIONS'])
  await loadCompany('0001326801', 'META', 'Meta Platforms, Inc.', 'Facebook Inc')
  await loadCompany('0001045810', 'NVDA', 'NVIDIA CORP', 'NVIDIA Corporation')
  const how = async (query: Record<string, string>) =>
    (await ask<{ rows: Record<string, unknown>[] }>(sql, search, query)).rows.map((row) => [row.sec_id, row.found_by])
  const facebook = [[GUITARS, 'name'], [META_A, 'company'], [META_C, 'company']] // biome-ignore format: a table
  assert.deepEqual(await how({ q: 'facebook' }), facebook)
  assert.deepEqual(await how({ q: 'Facebook, Inc.', dir: 'asc' }), [
    [GUITARS, 'name'],
    [META_C, 'company'],
    [META_A, 'company'],
  ])
  assert.deepEqual(await how({ q: 'facebook', limit: '1', offset: '1' }), [facebook[1]])
  assert.deepEqual(await how({ q: 'facebook', offset: '3' }), [])
  const walked: unknown[] = []
  let cursor: string | null = null
  do {
    const page: SecuritiesPage = await find({
      q: 'facebook',
      limit: '1',
      ...(cursor === null ? { paginate: 'cursor' } : { cursor }),
    })
    walked.push(...page.rows.map(({ sec_id }) => sec_id))
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.deepEqual(
    walked,
    facebook.map(([id]) => id),
  )
  assert.deepEqual(await how({ q: 'meta platforms' }), [
    [META_A, 'name'],
    [META_C, 'name'],
  ])
  assert.deepEqual(await how({ q: 'nvidea' }), [[NVIDIA, 'near']])
  assert.deepEqual(await how({ q: 'nvidea', type: 'private' }), [])
  assert.deepEqual(await how({ q: 'nvda' }), [[NVIDIA, 'ticker']])
  assert.deepEqual(await how({ q: 'wxyzzy plugh' }), [])
  const [row] = (await ask<{ rows: Record<string, unknown>[] }>(sql, search, { q: 'meta platforms' })).rows
  assert.deepEqual(
    [row!.cik, row!.company_name, row!.company_url],
    ['0001326801', 'Meta Platforms, Inc.', '/v1/companies/0001326801'],
  )
  const one = await ask<Record<string, unknown>>(sql, detail, { cusip: META_A })
  assert.deepEqual([one.company_name, one.company_url], [row!.company_name, row!.company_url])
  const [space] = (await ask<{ rows: Record<string, unknown>[] }>(sql, search, { q: 'space exploration' })).rows
  assert.deepEqual([space!.company_name, space!.company_url], ['SpaceX', null])
})
