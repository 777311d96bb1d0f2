/** Funds' holdings: the report that counts, unknown periods, changes, and the search for funds by name. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import type { FundHoldings, fundRow } from '../../../src/datasets/nport/answers.ts'
import nport from '../../../src/datasets/nport/index.ts'
import { holdings } from '../../../src/datasets/nport/queries/holdings.ts'
import type { Detail } from '../../../src/datasets/nport/queries.ts'
import { funds } from '../../../src/datasets/nport/routes.ts'
import registry from '../../../src/registry.ts'
import { syncFamilies } from '../../../src/store/schema.ts'
import { testContext } from '../../support/context.ts'
import { loadReports, type Made, removeReports } from '../../support/nport/made.ts'
import { remake } from '../../support/refreshed.ts'
import { reusedDatabase } from '../../support/reused.ts'
import { serveSample } from '../../support/served.ts'
import { loadFilings } from '../../support/spine-rows.ts'
import { openWorld, temporaryFolder, writeIndex } from '../../support/world.ts'

const served = await serveSample({ after })
const database = await reusedDatabase({ after })

interface FundPage {
  rows: z.infer<typeof fundRow>[]
}
const held = (address: string) => served.json<FundHoldings>(`/funds/${address}`)

test('each holding of a fund names its filing; cursor pages return each holding once, the largest first', async () => {
  const rows: FundHoldings['rows'] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const page: FundHoldings = await held(`1843974/holdings?limit=7${cursor && `&cursor=${cursor}`}`)
    rows.push(...page.rows)
    cursor = page.next_cursor
  }
  assert.deepEqual(
    [...rows.map(({ n }) => n)].sort((a, b) => a - b),
    Array.from({ length: 48 }, (_, at) => at + 1),
  )
  const values = rows.map(({ value }) => Number(value))
  assert.deepEqual(
    values,
    [...values].sort((a, b) => b - a),
  )
  assert.deepEqual([...new Set(rows.map(({ accession }) => accession))], ['0000894189-26-016628'])
  const { report } = await held('1843974/holdings?limit=1')
  assert.equal(report!.holdings_value, '742486612.5')
})

test('two holdings of equal value are both returned, also across two pages', async () => {
  const { sql } = await database.emptied()
  const lines = ['a', 'b', 'c', 'd'].map((name) => ({ name, balance: '1', value: '5' }))
  const odd = [...lines, { name: 'e', balance: '1', value: 'N/A' }, { name: 'f', balance: '1', value: 'N/A' }]
  await loadReports(sql, [{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', lines: odd }])
  const seen: number[] = []
  let cursor: string | undefined
  do {
    const page = await holdings(sql, { series: '9000000001', changes: false, limit: 1, cursor })
    seen.push(...page!.rows.map(({ n }) => n))
    cursor = page!.next_cursor ?? undefined
  } while (cursor)
  assert.deepEqual(seen, [1, 2, 3, 4, 5, 6])
})

test('a late amendment replaces the report of its own period, and never hides a newer period', async () => {
  const newest = await held('9000000082/holdings')
  assert.deepEqual([newest.period, newest.report!.accession], ['2021-12-31', '9000000082-22-000004'])
  const amended = await held('9000000082/holdings?period=2021-06-30')
  assert.equal(amended.report!.accession, '9000000082-22-000005')
  const before = await held('9000000082/holdings?period=2021-06-30&as_of=2022-03-13')
  assert.equal(before.report!.accession, '9000000082-21-000002')
  const space = ({ rows }: FundHoldings) =>
    rows.find(({ title_of_class: of }) => of === 'Series N Preferred Stock')!.value
  assert.deepEqual([space(before), space(amended)], ['3780000', '3969000'])
  const standing = await served.sql`
    select period, accession, is_newest from pub.nport_standing where fund = '9000000082' order by period desc`
  assert.deepEqual(
    standing.map((row) => [row.period, row.accession, row.is_newest]),
    [
      ['2021-12-31', '9000000082-22-000004', true],
      ['2021-09-30', '9000000082-21-000003', false],
      ['2021-06-30', '9000000082-22-000005', false],
      ['2021-03-31', '9000000082-21-000001', false],
    ],
  )
})

test('reports whether a filing counts', async () => {
  const counts = async (accession: string) =>
    (await served.json<Detail>(`/nport/filings/by-accession/${accession}`)).is_counted
  assert.equal(await counts('9000000082-21-000002'), false)
  assert.equal(await counts('9000000082-22-000005'), true)
  assert.equal(await counts('9000000082-22-000004'), true)
})

test('reports private holdings with their names, at Level 3, at Level 2 and without a level', async () => {
  const { rows } = await held('9000000082/holdings')
  const of = rows.map(({ is_private, fair_value_level, sec_id }) => [is_private, fair_value_level, sec_id!.slice(0, 5)])
  assert.ok(of.some(([is, level, id]) => is && level === 2 && id === 'name~'))
  assert.ok(of.some(([is, level]) => is && level === null))
  assert.deepEqual(
    of.filter(([is]) => !is),
    [[false, 1, '99015']],
  )
})

const FUND = '9000000001'
const lines = (...balances: (readonly [name: string, balance: string])[]) =>
  balances.map(([name, balance]) => ({ name, balance, value: balance }))

test('`changes` tells which holdings are new, added, reduced, unchanged and gone; holdings with ambiguous lines are not compared', async () => {
  const { sql } = await database.emptied()
  const first = lines(['more', '10'], ['less', '10'], ['same', '10'], ['gone', '10'], ['twice', '1'], ['twice', '2'])
  const second = lines(['more', '11'], ['less', '9'], ['same', '10'], ['new', '5'], ['twice', '4'])
  await loadReports(sql, [
    { accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', lines: first },
    { accession: '9000000001-24-000002', filed: '2024-08-30', period: '2024-06-30', lines: second },
  ])
  const found = await holdings(sql, { series: FUND, changes: true, limit: 10 })
  const changes = Object.fromEntries(found!.rows.map((row) => [row.issuer_name, [row.change, row.balance_before]]))
  assert.deepEqual(changes, {
    more: ['added', '10'],
    less: ['reduced', '10'],
    same: ['unchanged', '10'],
    new: ['new', null],
    twice: [null, null],
  })
  assert.deepEqual(
    found!.closed!.map(({ issuer_name, accession }) => [issuer_name, accession]),
    [['gone', '9000000001-24-000001']],
  )
  assert.equal(found!.before!.period, '2024-03-31')
  const alone = await holdings(sql, { series: FUND, period: '2024-03-31', changes: true, limit: 10 })
  assert.deepEqual([alone!.before, alone!.rows[0]!.change], [null, null], 'no period before: nothing is new')
})

test('lists the 200 largest closed holdings, and the total number of closed ones', async () => {
  const { sql } = await database.emptied()
  const many = Array.from({ length: 230 }, (_, at) => [`gone ${at}`, String(at + 1)] as const)
  await loadReports(sql, [
    {
      accession: '9000000001-24-000001',
      filed: '2024-05-30',
      period: '2024-03-31',
      lines: lines(...many, ['stays', '1']),
    },
    { accession: '9000000001-24-000002', filed: '2024-08-30', period: '2024-06-30', lines: lines(['stays', '1']) },
  ])
  const { closed, closed_count } = (await holdings(sql, { series: FUND, changes: true, limit: 10 }))!
  assert.deepEqual([closed!.length, closed![0]!.value, closed!.at(-1)!.value, closed_count], [200, '230', '31', 230])
  const first = await holdings(sql, { series: FUND, period: '2024-03-31', changes: true, limit: 10 })
  assert.deepEqual([first!.closed, first!.closed_count], [undefined, undefined], 'nothing to compare with')
})

test('a fund is not current if its last report is more than half a year older than another fund’s; the last report is shown', async () => {
  const { sql } = await database.emptied()
  const one = (n: number, period: string, filed: string) => ({
    ...{ accession: `900000000${n}-24-000001`, filed, period, fund: { cik: `900000000${n}` } },
  })
  await loadReports(sql, [
    one(1, '2023-12-29', '2024-02-28'),
    one(2, '2023-12-31', '2024-02-28'),
    one(3, '2024-06-30', '2024-08-28'),
    // A day in the future does not change which reports are current.
    one(4, '2042-06-30', '2024-08-28'),
  ])
  const page = (await funds.run(funds.input.parse({ sort: 'period', dir: 'asc' }), testContext(sql))) as FundPage
  assert.deepEqual(
    page.rows.map(({ fund, period, is_current, is_final }) => [fund.slice(-1), period, is_current, is_final]),
    [
      ['1', '2023-12-29', false, null],
      ['2', '2023-12-31', true, null],
      ['3', '2024-06-30', true, null],
    ],
  )
  const of = async (n: number, as_of?: string) => {
    const { is_current, report } = (await holdings(sql, { series: `900000000${n}`, changes: false, limit: 1, as_of }))!
    return [is_current, report?.period]
  }
  assert.deepEqual(await of(1), [false, '2023-12-29'])
  assert.deepEqual(await of(3), [true, '2024-06-30'])
  assert.deepEqual(
    await of(3, '2024-09-01'),
    [null, '2024-06-30'],
    'whether the report was current on that day is not stated',
  )
  assert.deepEqual(await of(4), [null, undefined])
})

test('a fund whose last report is marked as final is not current', async () => {
  const { sql } = await database.emptied()
  const last = { accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31', isFinal: true }
  await loadReports(sql, [last])
  assert.equal((await holdings(sql, { series: FUND, changes: false, limit: 1 }))!.is_current, false)
})

test('a period without a report states the reason: not filed by the `as_of` day, not reported, listed but not read, or not loaded', async () => {
  const { sql } = await database.emptied()
  await loadReports(sql, [{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31' }])
  const of = async (period: string | undefined, as_of?: string) =>
    (await holdings(sql, { series: FUND, period, as_of, changes: false, limit: 1 }))!
  assert.equal((await of('2024-03-31')).state, 'reported')
  assert.deepEqual(
    [(await of('2024-03-31', '2024-05-29')).state, (await of(undefined, '2024-05-29')).state],
    ['not_filed', 'not_filed'],
  )
  const unknown = await of('2023-12-31')
  assert.deepEqual([unknown.state, unknown.not_loaded?.[0]?.source], ['not_loaded', 'nport'])
  const covering = (quarter: string, through: string) => sql`
    insert into edgar.watermark (source, host, through)
    values (${`x/full-index/${quarter}/master.idx`}, 'x', ${through})`
  await covering('2024/QTR1', '2024-03-05')
  assert.equal((await of('2023-12-31')).state, 'not_reported', 'the index of the days in which it was due is read')
  assert.equal((await of('2023-12-31')).not_loaded, undefined)
  assert.equal((await of('2023-11-30')).state, 'not_loaded', 'its due days begin in a quarter that is not loaded')
  await covering('2024/QTR3', '2024-08-01')
  assert.equal((await of('2024-06-30')).state, 'not_loaded', 'the index ends before it was due')
  const filers = [['9000000001', 'Specimen Trust']] as const
  await loadFilings(sql, [{ accession: '9000000001-24-000009', form: 'NPORT-P', filed: '2024-02-28', filers }])
  const listed = await of('2023-12-31')
  assert.equal(listed.state, 'not_loaded')
  assert.match(listed.note!, /1 reports .* listed but not read yet/)
})

test('a set that covers the due days of a report proves, like an index, that it is missing, unless the set refused a filing', async () => {
  const { sql } = await database.emptied()
  await loadReports(sql, [{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31' }])
  const stateOf = async (period: string) =>
    (await holdings(sql, { series: FUND, period, as_of: undefined, changes: false, limit: 1 }))!.state
  const set = (name: string, from_day: string, to_day: string, state: string, refused = 0) => sql`
    insert into bulk.filing_set ${sql({ dataset: 'nport', name, from_day, to_day, state, refused, source_url: 'x' })}`
  await set('2024q1', '2024-01-01', '2024-03-31', 'begun')
  assert.equal(await stateOf('2023-12-31'), 'not_loaded', 'the set is not loaded whole')
  await sql`update bulk.filing_set set state = 'done'`
  assert.equal(await stateOf('2023-12-31'), 'not_reported')
  assert.equal(await stateOf('2023-11-30'), 'not_loaded', 'its due days begin in a quarter that is not loaded')
  await set('2023q4', '2023-10-01', '2023-12-31', 'done', 1)
  assert.equal(await stateOf('2023-11-30'), 'not_loaded', 'the report that the set refused may be the one')
  await sql`update bulk.filing_set set refused = 0`
  assert.equal(await stateOf('2023-11-30'), 'not_reported')
})

test('the profile of a chosen filer also proves that a report is missing, if it was read after the due days of the report', async () => {
  const { sql } = await database.emptied()
  await loadReports(sql, [{ accession: '9000000001-24-000001', filed: '2024-05-30', period: '2024-03-31' }])
  const state = async () =>
    (await holdings(sql, { series: FUND, period: '2023-12-31', as_of: undefined, changes: false, limit: 1 }))!.state
  await sql`
    insert into edgar.chosen (cik, entry, through, read_at)
    select distinct cik, 'x', '2024-03-05'::date, now() from nport.report`
  assert.equal(await state(), 'not_loaded', 'a report may still come on that day')
  await sql`update edgar.chosen set through = through + 1`
  assert.equal(await state(), 'not_reported')
})

test('an unknown fund is not found, and an invalid series or CIK is refused', async () => {
  assert.equal((await served.get('/funds/S000000001/holdings')).status, 404)
  for (const bad of ['x', 'S12', '12345678901', 'S000000001x']) {
    assert.equal((await served.get(`/funds/${bad}/holdings`)).status, 400, bad)
  }
  assert.equal(
    (await held('s999000082/holdings?limit=1')).fund,
    '9000000081-S999000082',
    'the case of the first letter does not matter',
  )
})

test('a cursor of another report or list is refused', async () => {
  const { next_cursor } = await held('9000000082/holdings?limit=1')
  for (const address of [`1843974/holdings?cursor=${next_cursor}`, '9000000082/holdings?cursor=x']) {
    assert.equal((await served.get(`/funds/${address}`)).status, 400, address)
  }
})

test('funds are found by their own names and by the name of their fund family, the largest first', async () => {
  const of = async (query: string) =>
    (await served.json<FundPage>(`/funds?${query}`)).rows.map(({ fund_name }) => fund_name)
  assert.deepEqual(await of('q=destiny'), ['Destiny Tech100 Inc.'])
  assert.deepEqual(await of('q=vanguard'), ['VANGUARD TOTAL STOCK MARKET INDEX FUND'])
  assert.deepEqual((await of('q=specimen+growth+trust')).sort(), [
    'OpenFilings Specimen Balanced Fund',
    'OpenFilings Specimen Growth Fund',
  ])
  const all = (await served.json<FundPage>('/funds')).rows
  const assets = all.map(({ net_assets }) => Number(net_assets))
  assert.deepEqual(
    assets,
    [...assets].sort((a, b) => b - a),
  )
  assert.equal(new Set(all.map(({ fund }) => fund)).size, 8)
})

/** Numbers that look random, the same in every run. */
function thrown(seed: number) {
  let state = seed
  return (below: number) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0
    return (state >>> 8) % below
  }
}

test('the report that counts is the same after partial and full refreshes, over loads, amendments and removals in any order', async () => {
  const { sql } = await database.emptied()
  const next = thrown(11)
  const periods = ['2023-09-30', '2023-12-31', '2024-03-31']
  for (let step = 0; step < 12; step++) {
    const made = Array.from({ length: 1 + next(3) }, (): Made => {
      const number = 1 + next(12)
      const fund = { cik: FUND, ...(number % 3 === 0 ? {} : { series: `S99900000${number % 3}` }) }
      return {
        accession: `9000000001-24-${String(number).padStart(6, '0')}`,
        filed: `2024-0${1 + next(9)}-15`,
        period: periods[next(3)]!,
        fund,
      }
    })
    await loadReports(sql, [...new Map(made.map((one) => [one.accession, one])).values()])
    if (step % 3 === 2) await removeReports(sql, [`9000000001-24-${String(1 + next(12)).padStart(6, '0')}`])
    const rows = async () =>
      JSON.stringify([
        await sql`select * from nport.standing order by fund, period`,
        await sql`select * from nport.fund order by fund`,
      ])
    const kept = await rows()
    await remake(sql, nport)
    assert.equal(kept, await rows(), `step ${step}`)
  }
})

test('NPORT-EX and NPORT-NP belong to the family but are only listed: they create no ingest tasks', async (t) => {
  const family = registry.familyOfForm('NPORT-EX')!
  assert.equal(family.slug, 'nport')
  const root = await temporaryFolder(t)
  await writeIndex(root, '2024/QTR2', [
    '1|Fund|NPORT-EX|2024-05-30|edgar/data/1/0000000001-24-000001.txt',
    '1|Fund|NPORT-NP/A|2024-05-30|edgar/data/1/0000000001-24-000002.txt',
    '1|Fund|NPORT-P|2024-05-30|edgar/data/1/0000000001-24-000003.txt',
    '1|Fund|NPORT-P/A|2024-05-31|edgar/data/1/0000000001-24-000004.txt',
  ])
  const { sql, crawl } = await openWorld(t, { root, database: await database.emptied() })
  await crawl({ from: '2024-04-01', to: '2024-06-30' })
  const rows = () => sql`
    select f.form_type, f.family, t.dataset from edgar.filing f left join edgar.task t using (accession) order by accession`
  const expected = [
    ['NPORT-EX', 'nport', null],
    ['NPORT-NP/A', 'nport', null],
    ['NPORT-P', 'nport', 'nport'],
    ['NPORT-P/A', 'nport', 'nport'],
  ]
  const reported = async () => (await rows()).map((row) => [row.form_type, row.family, row.dataset])
  assert.deepEqual(await reported(), expected)
  await syncFamilies(sql, registry)
  assert.deepEqual(await reported(), expected, 'a start changes none of these rows')
})
