/** Hostile reports of Form N-PORT: their content is stored or reported, and other reports are unaffected. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { holdings } from '../../../src/datasets/nport/queries/holdings.ts'
import { funds } from '../../../src/datasets/nport/routes.ts'
import { markAll } from '../../../src/ingest/marks.ts'
import { refreshing } from '../../../src/ingest/refresh.ts'
import registry from '../../../src/registry.ts'
import type { Sql } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { loadReports } from '../../support/nport/made.ts'
import { reusedDatabase } from '../../support/reused.ts'

const database = await reusedDatabase({ after })

interface FundPage {
  total: number
  rows: { fund: string }[]
  next_cursor: string | null
  not_loaded?: { source: string }[]
}
const askFunds = (sql: Sql, query: Record<string, string>) =>
  funds.run(funds.input.parse(query), testContext(sql)) as Promise<FundPage>

const FUND = '9000000001'
const line = (name: string, value: string) => ({ name, balance: '1', value })

test('a report of a future period does not count for the fund, and is shown only if its period is requested', async () => {
  const { sql } = await database.emptied()
  await loadReports(sql, [
    { accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', lines: [line('a', '5')] },
    { accession: '9000000001-24-000002', filed: '2024-05-31', period: '9999-12-31', lines: [line('a', '7')] },
  ])
  const of = async (period?: string) => (await holdings(sql, { series: FUND, period, changes: true, limit: 5 }))!
  const [newest, requested] = [await of(), await of('9999-12-31')]
  assert.deepEqual([newest.period, newest.report!.accession], ['2024-03-31', '9000000001-24-000001'])
  assert.equal(requested.report!.accession, '9000000001-24-000002')
  const alone = {
    accession: '9000000002-24-000001',
    filed: '2024-06-30',
    period: '2024-10-31',
    fund: { cik: '9000000002' },
  }
  await loadReports(sql, [alone])
  const only = (await holdings(sql, { series: '9000000002', changes: false, limit: 5 }))!
  assert.deepEqual([only.period, only.state, only.report, only.periods], [null, 'not_reported', null, ['2024-10-31']])
  assert.match(only.note!, /ends after their filing date/)
  const [standing] = await sql`select accession from nport.standing where is_newest`
  assert.equal(standing!.accession, newest.report!.accession)
})

test('pages continue correctly after values of 60 digits and of 50 decimal places', async () => {
  const { sql } = await database.emptied()
  const values = ['9'.repeat(60), `0.${'0'.repeat(49)}1`, '-5']
  const lines = values.map((value, at) => line(`company ${at}`, value))
  await loadReports(sql, [{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', lines }])
  const seen: (string | null)[] = []
  let cursor: string | undefined
  do {
    const page = (await holdings(sql, { series: FUND, changes: false, limit: 1, cursor }))!
    seen.push(...page.rows.map(({ value }) => value))
    cursor = page.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual(seen, values)
})

test('if a number of shares is too large for a sum, only this number is left out: the sums have all other numbers', async () => {
  const { sql } = await database.emptied()
  const report = (fund: string, balance: string) => ({
    ...{ accession: `${fund}-24-000001`, filed: '2024-05-30', period: '2024-03-31', fund: { cik: fund } },
    lines: [{ ...line('Apple Inc', '500'), cusip: '037833100', balance }],
  })
  await loadReports(sql, [report('9000000001', '3')])
  await refreshing({ sql, slices: registry.slices }, async () => {})
  await loadReports(sql, [report('9000000002', '9'.repeat(20)), report('9000000003', '4')])
  const refused: unknown[] = []
  await refreshing({ sql, slices: registry.slices, onRefused: (one) => refused.push(one) }, () =>
    sql.begin((tx) => markAll(tx, registry.slices)),
  )
  assert.deepEqual(refused, [])
  const [held] = await sql`select holders, value, shares from securities.held where source = 'nport'`
  assert.deepEqual(held, { holders: 3, value: '1500', shares: '7' })
})

test('funds without net assets come last in both directions, and cursor pages return each fund once', async () => {
  const { sql } = await database.emptied()
  const assets = [null, '5', null, '9'.repeat(60), '5']
  await loadReports(
    sql,
    assets.map((netAssets, at) => ({
      accession: `900000000${at}-24-000001`,
      filed: '2024-05-30',
      period: '2024-03-31',
      fund: { cik: `900000000${at}` },
      netAssets,
    })),
  )
  for (const [dir, expected] of [
    ['desc', ['3', '4', '1', '2', '0']],
    ['asc', ['1', '4', '3', '0', '2']],
  ] as const) {
    const seen: string[] = []
    let cursor: string | null = null
    do {
      const page: FundPage = await askFunds(sql, { sort: 'net_assets', dir, limit: '1', ...(cursor && { cursor }) })
      assert.equal(page.total, 5)
      seen.push(...page.rows.map(({ fund }) => fund.slice(-1)))
      cursor = page.next_cursor
    } while (cursor)
    assert.deepEqual(seen, expected, dir)
  }
  // In this database no index lists a filing of the family. An answer to a search without a match therefore names
  // N-PORT in `not_loaded`; a page beyond the last row does not.
  assert.deepEqual(await askFunds(sql, { offset: '5' }), { total: 5, rows: [], next_cursor: null })
  const none = await askFunds(sql, { q: 'nobody' })
  assert.deepEqual([none.total, none.not_loaded?.map(({ source }) => source)], [0, ['nport']])
})

/** Returns incompressible letters. */
const noise = (length: number) => {
  let [state, text] = [7, '']
  while (text.length < length) {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    text += String.fromCharCode(97 + ((state >>> 16) % 26))
  }
  return text
}

test('stores names and numbers of 20,000 letters as filed, and neither the database nor an index refuses the report', async () => {
  const { sql } = await database.emptied()
  const long = noise(20_000)
  await loadReports(sql, [
    {
      ...{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31' },
      fund: { cik: FUND, name: long },
      lines: [{ ...line(long, '5'), cusip: long, isin: long }, line(`${long}b`, '4')],
    },
  ])
  const found = (await holdings(sql, { series: FUND, changes: false, limit: 5 }))!
  assert.deepEqual(
    found.rows.map(({ issuer_name }) => issuer_name),
    [long, `${long}b`],
  )
  assert.equal(found.fund_name, long)
})

test('a query for holdings of a security reads only the partition of the quarter that the query names', async () => {
  const { sql } = await database.emptied()
  const lines = [line('a', '5')]
  await loadReports(sql, [
    { accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', lines },
    { accession: '9000000001-24-000002', filed: '2024-08-30', period: '2024-06-30', lines },
  ])
  const plan = async (where: string) =>
    (await sql.unsafe(`explain select * from pub.nport_holding h where ${where}`))
      .map((row) => row['QUERY PLAN'])
      .join('\n')
  const parts = (text: string) => [...new Set(text.match(/holding_\d{4}q\d/g))].sort()
  const of = "sec_id = 'name~YQ'"
  assert.deepEqual(parts(await plan(of)), ['holding_2024q1', 'holding_2024q2'])
  assert.deepEqual(parts(await plan(`${of} and h.quarter = '2024-03-31'`)), ['holding_2024q1'])
})
