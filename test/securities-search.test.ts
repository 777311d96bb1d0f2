/** Securities are found by names and numbers as people type them, and an id of an address means what its reader expects. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../src/declare/errors.ts'
import { detail, holders, movers, search } from '../src/products/securities/routes.ts'
import { freshDatabase } from './database.ts'
import { loadFunds, loadManagers } from './securities-made.ts'
import { loadFilings } from './spine-rows.ts'
import { ask } from './thirteenf-submissions.ts'

const { sql } = await freshDatabase({ after })

const [APPLE, BERKSHIRE_A, BERKSHIRE_B] = ['037833100', '084670108', '084670702']
const [JPMORGAN, DODGE, NVIDIA] = ['46625H100', '256219106', '67066G104']
const idOf = (name: string) => `name~${Buffer.from(name).toString('base64url')}`
const SPACE = idOf('space exploration technologies corp')

interface Found {
  rows: { sec_id: string; cusip: string | null; issuer_name: string; is_private: boolean; combined_value: string; f13_holders: number | null; fund_count: number | null; mmf_count: number | null }[]
  next_cursor: string | null
} // biome-ignore format: one line a member
const find = (query: Record<string, string>) => ask<Found>(sql, search, query)
const ids = async (q: string, more: object = {}) => (await find({ q, ...more })).rows.map(({ sec_id }) => sec_id)

test('what is not loaded is null in the search and said, and an unknown security says so too', async () => {
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
  assert.deepEqual(rows.map(({ f13_holders: by, fund_count: funds, mmf_count: money }) => [by, funds, money])[0], [1, null, null]) // biome-ignore format: one line
})

test('names are found in the spellings that people type, numbers with and without what stands before them', async () => {
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

test('private ones are those that funds hold without a number, and pages by any order have each once', async () => {
  const privates = (await find({ type: 'private' })).rows
  assert.deepEqual(privates.map(({ sec_id, cusip }) => [sec_id.slice(0, 5), cusip]), [['name~', null], ['name~', null]]) // biome-ignore format: one line
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
  const { next_cursor } = await find({ limit: '2' })
  assert.equal(next_cursor, null)
})

test('an issuer’s number means its main security, in any case of letters, with the others beside it', async () => {
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
  // 900 of 3,600 that the manager reports.
  assert.equal(Number((await of(APPLE)).f13.holders[0]!.percent), 25)
  for (const cusip of ['ABC', 'ABCDEFGHIJ', 'name~', 'isin~CH', '', "' or 1=1"])
    assert.equal(detail.input.safeParse({ cusip }).success, false, cusip)
  for (const limit of ['0', '201', '-1', '1.5'])
    assert.equal(detail.input.safeParse({ cusip: APPLE, limit }).success, false, limit)
})

test('a fund or manager whose newest report is over 15 months older than the newest quarter holds nothing any more', async () => {
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
