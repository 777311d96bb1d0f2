/** Erroneous, short and late positions do not change a security's holders, its default quarter, or its name. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { detail, holders, search } from '../../../src/products/securities/routes.ts'
import { freshDatabase } from '../../support/database.ts'
import { type FundReport, loadFunds, loadManagers, makeAll, stored } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const [APPLE, MICROSOFT, NVIDIA, BILL, TESLA, FORD] = ['037833100', '594918104', '67066G104', '912797AA5', '88160R101', '345370860'] // biome-ignore format: a table

interface Page {
  period: string | null
  counts: Record<string, number>
  rows: {
    holder: string | null
    holder_id: string
    value: string | null
    shares: string | null
    principal: string | null
    change: string | null
    amount_change: string | null
    amount_before: string | null
    accession: string | null
  }[]
}
interface Held {
  holder_count?: number
  fund_count?: number
  total_value: string | number
  holders: { value: string; accession: string; manager_name?: string; principal?: string | null; fund_id?: string }[]
}
interface Detail {
  issuer_name: string
  asset_cat: string | null
  f13: Held
  nport: Held
  nmfp: Held
}
const of = (cusip: string, query: Record<string, string> = {}) => ask<Page>(sql, holders, { cusip, ...query })
const changesOf = ({ rows }: Page) =>
  rows.map(({ holder_id: id, change, amount_change: by }) => [id.slice(-1), change, by])
const detailOf = (cusip: string) => ask<Detail>(sql, detail, { cusip })

const [Q3, Q4] = ['2023-09-30', '2023-12-31']
const named = (cusip: string, value: number, issuer: string, amount = 10) =>
  [cusip, value, { issuer, amount: String(amount) }] as const

/** A report of a fund, filed 60 days after the end of its quarter. */
const report = (fund: number, period: string, lines: FundReport['lines'], more: Partial<FundReport> = {}): FundReport => ({
  ...{ fund: `0000000041-S00000000${fund}`, accession: `0000000041-${period.slice(2, 4)}-${period.slice(5, 7)}000${fund}` },
  ...{ filed: period === Q3 ? '2023-11-29' : '2024-02-29', period, lines, ...more },
}) // biome-ignore format: one line a member

test('a quarter that was in the future when reported is ignored: it is not the default, and its report names no security', async () => {
  const manager = { cik: '0000000001', name: 'Manager 1' }
  await loadManagers(
    sql,
    { ...manager, accession: '0000000001-23-000001', filed: '2023-11-14', period: Q3, lines: [named(APPLE, 90, 'APPLE INC', 9)] },
    { ...manager, accession: '0000000001-24-000001', filed: '2024-02-14', period: Q4, lines: [named(APPLE, 100, 'APPLE INC')] },
    // The year of this period is wrong. The other period would look like a quarter as soon as other managers report it.
    { ...manager, accession: '0000000001-24-000002', filed: '2024-02-15', period: '2099-12-31', lines: [named(APPLE, 100, 'APPEL')] },
    { ...{ cik: '0000000002', accession: '0000000002-24-000001', filed: '2024-02-14', period: '2024-06-30', name: 'Manager 2' },
      lines: [named(APPLE, 7, 'APPEL'), named(MICROSOFT, 7, 'MICROSOFT')] },
    { ...{ cik: '0000000003', accession: '0000000003-24-000001', filed: '2024-08-14', period: '2024-06-30', name: 'Manager 3' },
      lines: [named(NVIDIA, 5, 'NVIDIA')] },
  ) // biome-ignore format: one line a report
  const page = await of(APPLE)
  assert.deepEqual([page.period, changesOf(page)], [Q4, [['1', 'added', '1']]])
  for (const period of ['2099-12-31', '2024-06-30']) assert.deepEqual((await of(APPLE, { period })).rows, [], period)
  assert.equal((await detailOf(APPLE)).issuer_name, 'APPLE INC')
  const [held] = await sql`select max(quarter) as newest from securities.held where sec_id = ${APPLE}`
  assert.equal(held!.newest, Q4)
})

test('`as_of` without a quarter takes the newest quarter that any holder of the security had reported by that day', async () => {
  const filed = (accession: string, day: string, period: string, lines: readonly (readonly [string, number])[]) =>
    ({ accession, cik: accession.slice(0, 10), filed: day, period, lines, name: 'Manager' }) as const
  await loadManagers(
    sql,
    filed('0000000004-23-000001', '2023-11-14', Q3, [[MICROSOFT, 10]]),
    // Another manager reports early; no holder of this security has reported the quarter yet.
    filed('0000000005-24-000001', '2024-01-10', Q4, [[NVIDIA, 10]]),
    filed('0000000004-24-000001', '2024-02-14', Q4, [[MICROSOFT, 11]]),
  )
  const periodOf = async (as_of: string, more: object = {}) => (await of(MICROSOFT, { as_of, ...more })).period
  assert.deepEqual(
    [await periodOf('2024-02-13'), await periodOf('2024-02-14'), await periodOf('2023-11-13'), await periodOf('0001-01-01')],
    [Q3, Q4, null, null],
  ) // biome-ignore format: the two sides
  assert.deepEqual([await periodOf('9999-12-31'), (await of(MICROSOFT)).period], [Q4, Q4])
  // A money market fund reports a month before its quarter is over.
  await loadFunds(
    sql,
    'nmfp',
    report(1, '2024-01-31', [{ cusip: BILL, name: 'Treasury', value: 10 }], { filed: '2024-02-07' }),
  )
  assert.equal((await of(BILL, { source: 'nmfp', as_of: '2024-02-07' })).period, '2024-03-31')
  assert.equal((await of(BILL, { source: 'nmfp', as_of: '2024-02-06' })).period, null)
})

test('the newest filing of a manager is the one filed last, whatever its accession number', async () => {
  const manager = { cik: '0000000006', period: Q4 }
  await loadManagers(
    sql,
    { ...manager, accession: '0000999999-24-000001', filed: '2024-02-14', name: 'Before', lines: [[TESLA, 100]] },
    { ...manager, accession: '0000000006-24-000002', filed: '2024-03-01', name: 'After', form: '13F-HR/A', amendment: 'new_holdings', number: 1, lines: [[TESLA, 5], [FORD, 5]] },
  ) // biome-ignore format: one line a report
  // The second filing corrects the line of the first.
  const [holder] = (await detailOf(TESLA)).f13.holders
  assert.deepEqual([holder!.accession, holder!.manager_name, holder!.value], ['0000000006-24-000002', 'After', '5'])
  const [row] = (await of(TESLA)).rows
  assert.deepEqual([row!.accession, row!.holder, row!.value], ['0000000006-24-000002', 'After', '5'])
})

test('principal of a money market fund is the amount filed as principal, never its value', async () => {
  const bill = (value: number, principal?: number) => [
    { cusip: BILL, name: 'Treasury', value, ...(principal && { principal }) },
  ]
  await loadFunds(
    sql,
    'nmfp',
    ...[report(2, Q3, bill(90)), report(2, Q4, bill(95))],
    ...[report(3, Q3, bill(90, 100)), report(3, Q4, bill(95, 130))],
    ...[report(4, Q3, []), report(4, Q4, bill(70))],
    ...[report(5, Q3, bill(60)), report(5, Q4, [])],
  )
  const { rows, counts } = await of(BILL, { source: 'nmfp', period: Q4, sort: 'bought' })
  assert.deepEqual(
    rows.map((row) => [row.holder_id.slice(-1), row.change, row.amount_change, row.amount_before, row.principal, row.value]),
    [
      ['3', 'added', '30', '100', '130', '95'],
      ['5', 'closed', null, null, null, '0'],
      ['4', 'new', null, null, null, '70'],
      ['2', null, null, null, null, '95'],
    ],
  ) // biome-ignore format: the two sides
  assert.deepEqual(
    [counts.holder_count, counts.not_compared_count, counts.new_count, counts.closed_count],
    [3, 1, 1, 1],
  )
})

test('a fund whose only report of a quarter has an impossible period has not closed its positions', async () => {
  const ford = (value: number) => [{ cusip: FORD, name: 'Ford Motor Co', value }]
  const others = [{ cusip: TESLA, name: 'Tesla Inc', value: 1 }]
  const slip = { accession: '0000000041-23-990006', filed: '2023-11-30' }
  await loadFunds(
    sql,
    'nport',
    report(6, Q3, ford(10)),
    report(6, Q4, others, slip),
    report(7, Q3, ford(20)),
    report(7, Q4, others),
  )
  assert.deepEqual(changesOf(await of(FORD, { source: 'nport', period: Q4 })), [['7', 'closed', '-10']])
  // A report on Form N-MFP may be filed in the month that it covers, and no earlier.
  const early = { accession: '0000000041-23-990008', filed: '2023-11-29' }
  await loadFunds(
    sql,
    'nmfp',
    report(8, Q3, ford(10)),
    report(8, Q4, others, early),
    report(9, Q3, ford(10)),
    report(9, Q4, others, { filed: '2023-11-30' }),
  )
  assert.deepEqual(changesOf(await of(FORD, { source: 'nmfp', period: Q4 })), [['9', 'closed', null]])
})

test('a short seller of a security is not a holder, and short positions are not subtracted from holdings', async () => {
  const line = (value: number, balance: number, payoff?: 'Long' | 'Short') => ({
    cusip: NVIDIA,
    name: 'NVIDIA Corp',
    value,
    balance,
    ...(payoff && { payoff }),
  })
  await loadFunds(
    sql,
    'nport',
    report(1, Q3, [line(50, 5, 'Long')]),
    report(1, Q4, [line(-60, -6, 'Short')]),
    report(2, Q4, [line(100, 10, 'Long'), line(-40, -4, 'Short')]),
    report(3, Q4, [line(-30, -3)]),
    report(4, Q4, [line(20, 2, 'Short')]),
    report(5, Q4, [{ cusip: '11135F101', name: 'Broadcom Inc', value: -7, balance: -1, payoff: 'Short' as const }]),
  )
  const page = await of(NVIDIA, { source: 'nport', period: Q4 })
  assert.deepEqual(
    page.rows.map(({ holder_id: id, value, shares, change }) => [id.slice(-1), value, shares, change]),
    [
      ['2', '100', '10', null],
      ['1', '0', null, 'closed'],
    ],
  )
  const { nport } = await detailOf(NVIDIA)
  assert.deepEqual([nport.fund_count, nport.total_value, nport.holders.map(({ value }) => value)], [1, '100', ['100']])
  // The security is known all the same, without holders.
  const short = (await detailOf('11135F101')).nport
  assert.deepEqual([short.fund_count, short.total_value, short.holders], [0, '0', []])
  const kept = await stored(sql)
  await makeAll(sql)
  assert.deepEqual(await stored(sql), kept)
})

test('the category of a security is the category in Form N-PORT; money market funds use other words', async () => {
  const line = { cusip: '313384AB5', name: 'Federal Home Loan Banks', value: 10 }
  await loadFunds(sql, 'nport', report(8, Q3, [{ ...line, asset: 'DBT' }]))
  await loadFunds(sql, 'nmfp', report(1, Q4, [{ ...line, asset: 'U.S. Government Agency Debt' }]))
  assert.equal((await detailOf('313384AB5')).asset_cat, 'DBT')
  assert.equal((await detailOf(BILL)).asset_cat, null)
})

test('the id of a private security is derived from its name; a security whose only CUSIP has a wrong check digit is not private', async () => {
  const find = async (type: string) =>
    (await ask<{ rows: { sec_id: string }[] }>(sql, search, { type, limit: '100' })).rows.map(({ sec_id }) => sec_id)
  await loadFunds(
    sql,
    'nport',
    report(9, Q4, [
      { cusip: '123456789', name: 'N/A', restricted: true, value: 3 },
      { name: 'Stripe, Inc.', restricted: true, value: 4 },
    ]),
  )
  assert.deepEqual(await find('private'), [`name~${Buffer.from('stripe inc').toString('base64url')}`])
  assert.ok((await find('public')).includes('123456789'))
})

test('a holder whose report states no value has a null value and comes last, but its shares count', async () => {
  const bolt = (value: number | null, balance: number) => [
    { cusip: '037833AK6', name: 'Apple Inc note', value, balance },
  ]
  await loadFunds(
    sql,
    'nport',
    report(1, '2023-06-30', bolt(null, 5), { filed: '2023-08-29' }),
    report(2, '2023-06-30', bolt(0, 7), { filed: '2023-08-29' }),
  )
  const walked: unknown[] = []
  let cursor: string | null = null
  do {
    const params = { source: 'nport', limit: '1', ...(cursor === null ? { paginate: 'cursor' } : { cursor }) }
    const page: Page & { next_cursor: string | null } = await ask(sql, holders, { cusip: '037833AK6', ...params })
    walked.push(...page.rows.map(({ value, shares }) => [value, shares]))
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.deepEqual(walked, [
    ['0', '7'],
    [null, '5'],
  ])
})
