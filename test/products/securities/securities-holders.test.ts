/** Holders of a security at the end of a quarter, with the changes since the previous quarter. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { HttpError } from '../../../src/declare/api-errors.ts'
import { holders, movers } from '../../../src/products/securities/routes.ts'
import type { Transaction } from '../../../src/store/db.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadFunds, loadManagers } from '../../support/securities-made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

/** A CUSIP with a letter, which some managers write in lower case. */
const CANADIAN = '82028K200'
const MICROSOFT = '594918104'

interface Page {
  period: string | null
  period_before: string | null
  counts: Record<string, number>
  rows: {
    holder: string | null
    holder_id: string
    value: string
    shares: string | null
    principal: string | null
    change: string | null
    amount_change: string | null
    accession: string | null
  }[]
  next_cursor: string | null
}
const of = (query: Record<string, string> = {}, cusip = CANADIAN) => ask<Page>(sql, holders, { cusip, ...query })
const changesOf = ({ rows }: Page) =>
  rows.map(({ holder_id: id, change, amount_change: by }) => [id.slice(-1), change, by])

const [Q2, Q3, Q4] = ['2023-06-30', '2023-09-30', '2023-12-31']
const report = (
  cik: number,
  period: string,
  lines: readonly (readonly [string, number, object?])[],
  more: object = {},
) => ({
  ...{ cik: `000000000${cik}`, accession: `000000000${cik}-${period === Q3 ? 23 : 24}-000001`, period, lines },
  ...{ filed: period === Q3 ? '2023-11-14' : '2024-02-14', name: `Manager ${cik}` },
  ...more,
})
const shares = (amount: number) => ({ amount: String(amount) })

await loadManagers(
  sql,
  report(1, Q3, [[CANADIAN, 1000, shares(10)]]),
  report(1, Q4, [
    [CANADIAN, 1500, shares(12)],
    [CANADIAN.toLowerCase(), 500, shares(4)],
  ]),
  report(2, Q3, [[CANADIAN.toLowerCase(), 900, shares(9)]]),
  report(2, Q4, [[CANADIAN, 100, shares(1)]]),
  report(3, Q3, [[CANADIAN, 800, shares(8)]]),
  report(3, Q4, [[MICROSOFT, 1]]),
  report(4, Q3, [[MICROSOFT, 1]]),
  report(4, Q4, [[CANADIAN, 700, shares(7)]]),
  // The previous quarter of this manager is unknown.
  report(5, Q4, [[CANADIAN, 600, shares(6)]]),
  // This manager has not reported the newer quarter yet.
  report(6, Q3, [[CANADIAN, 500, shares(5)]]),
  // Shares in the earlier quarter, principal in the newer one, and an option, which is not a holding.
  report(7, Q3, [[CANADIAN, 400, shares(4)]]),
  report(7, Q4, [
    [CANADIAN, 400, { kind: 'PRN', amount: '4' }],
    [CANADIAN, 99, { putCall: 'Put', amount: '9' }],
  ]),
  // Another quarter, which is not compared.
  report(9, Q2, [[MICROSOFT, 1]], { accession: '0000000009-23-000002', filed: '2023-08-14' }),
  report(8, Q3, [[CANADIAN, 99, { putCall: 'Call', amount: '9' }]]),
  report(8, Q4, [[CANADIAN, 99, { putCall: 'Call', amount: '9' }]]),
)

test('each holder is compared with its own previous quarter, and only if it reported both quarters', async () => {
  const page = await of()
  assert.deepEqual([page.period, page.period_before], [Q4, Q3])
  assert.deepEqual(changesOf(page), [
    ['1', 'added', '6'],
    ['4', 'new', '7'],
    ['5', null, null],
    ['7', null, null],
    ['2', 'reduced', '-8'],
    ['3', 'closed', '-8'],
  ])
  assert.deepEqual(page.counts, {
    holder_count: 5,
    new_count: 1,
    added_count: 1,
    reduced_count: 1,
    unchanged_count: 0,
    closed_count: 1,
    not_compared_count: 2,
  })
  assert.deepEqual(
    page.rows.map(({ shares: held, principal, value }) => [value, held, principal]),
    [
      ['2000', '16', null],
      ['700', '7', null],
      ['600', '6', null],
      ['400', null, '4'],
      ['100', '1', null],
      ['0', null, null],
    ],
  )
})

test('the view for analysts has the same changes as the answer', async () => {
  const rows = await sql`
    select right(cik, 1) as id, change, value, amount, amount_before, unit from pub.thirteenf_holding_change
    where cusip = ${CANADIAN} and quarter = ${Q4} order by value desc`
  assert.deepEqual(
    rows.map((row) => Object.values(row)),
    [
      ['1', 'added', '2000', '16', '10', 'SH'],
      ['4', 'new', '700', '7', null, 'SH'],
      ['5', null, '600', '6', null, 'SH'],
      ['7', null, '400', '4', '4', 'PRN'],
      ['2', 'reduced', '100', '1', '9', 'SH'],
      ['3', 'closed', '0', '0', '8', 'SH'],
    ],
  )
  const [page, all] = [await of(), await sql`select change from pub.thirteenf_holding_change where quarter = ${Q4}`]
  assert.deepEqual(
    rows.map(({ change }) => change),
    page.rows.map(({ change }) => change),
  )
  // In Microsoft, the third manager has a new holding, the fourth closed one, and the ninth has not reported.
  assert.deepEqual(
    all.map(({ change }) => change).sort(),
    [...rows.map(({ change }) => change), 'closed', 'new'].sort(),
  )
})

/** Adds reports of 100 managers that hold 1,000 securities, each of them 200 in two quarters. */
async function addMany(tx: Transaction): Promise<void> {
  await tx.unsafe(`
    create temporary table line on commit drop as
    select '5' || lpad(m::text, 9, '0') as cik, '5' || lpad(m::text, 9, '0') || to_char(q.day, '"-"MM"-"') || '000001' as accession,
      q.day as quarter, n, (m * 7 + n * 5) % 1000 as security, 'S' || lpad(((m * 7 + n * 5) % 1000)::text, 8, '0') as cusip
    from generate_series(1, 100) m, generate_series(1, 200) n, (values (date '${Q3}'), (date '${Q4}')) q (day);
    insert into thirteenf.security (security, cusip) select distinct security, cusip from line;
    insert into thirteenf.position (accession, n, quarter, cik, cusip, security)
      select accession, n, quarter, cik, cusip, security from line;
    insert into thirteenf.counted select (jsonb_populate_record(null::thirteenf.counted, to_jsonb(c) || to_jsonb(l))).*
      from (select distinct cik, accession, quarter from line) l, (select * from thirteenf.counted where quarter = '${Q4}' limit 1) c;
    analyze thirteenf.security, thirteenf.position, thirteenf.counted`)
}

test('the view finds a security in every spelling and a manager by indexes, and reads only the two compared quarters', async () => {
  const plans: string[] = []
  const undone = sql.begin(async (tx) => {
    await addMany(tx)
    for (const condition of [sql`cusip = ${CANADIAN}`, sql`cik = '0000000001'`]) {
      const found = await tx<{ 'QUERY PLAN': string }[]>`
        explain (analyze, costs off, timing off, summary off)
        select * from pub.thirteenf_holding_change where ${condition} and quarter = ${Q4}`
      plans.push(found.map((row) => row['QUERY PLAN']).join('\n'))
    }
    throw new Error('undone')
  })
  await assert.rejects(undone, /^Error: undone$/)
  const [bySecurity, byManager] = plans as [string, string]
  const readOf = (plan: string) => [
    ...new Set([...plan.matchAll(/on position_(\d{4}q\d)\w* .*loops=[1-9]/g)].map(([, quarter]) => quarter)),
  ]
  assert.match(bySecurity, /on security_upper_idx .*\n +Index Cond: \(upper\(cusip\) = '82028K200'/)
  assert.match(bySecurity, / position_2023q4_cusip_\w+ .*\n +Index Cond: \(cusip = s_1\.cusip/)
  assert.deepEqual(readOf(bySecurity).sort(), ['2023q3', '2023q4'])
  assert.match(byManager, /Index Cond: .*cik = '0000000001'/)
  assert.match(byManager, /Index Cond: .*accession = c\.accession/)
  assert.match(
    byManager,
    /on security s_1 .*\n +Index Cond: \((?:upper\(cusip\) = upper\(l\.cusip\)|cusip = l\.cusip)\)/,
  )
  assert.deepEqual(readOf(byManager).sort(), ['2023q3', '2023q4'])
})

test('`sort=bought` and `sort=sold` order holders by the change, and cursor pages return each holder once', async () => {
  assert.deepEqual(
    changesOf(await of({ sort: 'bought' })).map(([id]) => id),
    ['4', '1', '3', '2', '7', '5'],
  )
  assert.deepEqual(
    changesOf(await of({ sort: 'sold' })).map(([id]) => id),
    ['2', '3', '1', '4', '5', '7'],
  )
  for (const sort of ['value', 'bought', 'sold']) {
    const all: string[] = []
    let query: Record<string, string> = { sort, limit: '2', paginate: 'cursor' }
    for (;;) {
      const page = await of(query)
      assert.equal(page.counts.holder_count, 5)
      all.push(...page.rows.map(({ holder_id: id }) => id))
      if (page.next_cursor === null) break
      query = { sort, limit: '2', cursor: page.next_cursor }
    }
    assert.deepEqual(
      all,
      (await of({ sort })).rows.map(({ holder_id: id }) => id),
    )
  }
  const beyond = await of({ offset: '100' })
  assert.deepEqual([beyond.rows, beyond.counts.holder_count], [[], 5])
})

test('`as_of` shows the data known on a day, without later filings and replacements', async () => {
  await loadManagers(
    sql,
    report(1, Q4, [[CANADIAN, 50, shares(1)]], {
      ...{ accession: '0000000001-24-000009', form: '13F-HR/A', amendment: 'restatement', filed: '2024-05-01' },
      lines: [[CANADIAN, 9_000, shares(90)]],
    }),
  )
  assert.deepEqual(changesOf(await of()).at(0), ['1', 'added', '80'])
  assert.deepEqual(changesOf(await of({ as_of: '2024-04-30', period: Q4 })).at(0), ['1', 'added', '6'])
  const early = await of({ as_of: '2023-12-31' })
  assert.deepEqual([early.period, early.counts.holder_count], [Q3, 5])
  assert.deepEqual((await of({ as_of: '2023-11-01', period: Q4 })).rows, [])
})

test('a fund counts with its last report of each quarter, and an amendment counts from its filing date on', async () => {
  const line = (value: number, balance: number) => [{ cusip: CANADIAN, name: 'Canadian Pacific', value, balance }]
  const fund = { fund: '0000000041-S000000001' }
  await loadFunds(
    sql,
    'nport',
    { ...fund, accession: '0000000041-23-000001', filed: '2023-09-20', period: '2023-07-31', lines: line(1, 1) },
    { ...fund, accession: '0000000041-23-000002', filed: '2023-11-20', period: Q3, lines: line(100, 10) },
    { ...fund, accession: '0000000041-24-000001', filed: '2024-02-20', period: Q4, lines: line(150, 15) },
    { ...fund, accession: '0000000041-24-000002', filed: '2024-06-20', period: Q4, lines: line(90, 9) },
  )
  const now = await of({ source: 'nport' })
  assert.deepEqual(changesOf(now), [['1', 'reduced', '-1']])
  assert.equal(now.rows[0]!.holder, 'Fund 0000000041-S000000001')
  assert.deepEqual(changesOf(await of({ source: 'nport', as_of: '2024-03-01' })), [['1', 'added', '5']])
  await loadFunds(sql, 'nmfp', {
    ...{ ...fund, accession: '0000000041-24-000003', filed: '2024-02-05', period: '2024-01-31' },
    lines: line(70, 0),
  })
  const money = await of({ source: 'nmfp' })
  assert.deepEqual([money.period, changesOf(money)], ['2024-03-31', [['1', null, null]]])
})

test('an unknown security is not found, a security without holders has an empty page, and invalid parameters are refused', async () => {
  await assert.rejects(of({}, 'ZZZZZZZZ9'), (error) => error instanceof HttpError && error.status === 404)
  const none = await of({ source: 'nmfp' }, MICROSOFT)
  assert.deepEqual([none.period, none.rows, none.counts.holder_count], [null, [], 0])
  assert.deepEqual((await of({ period: '1999-12-31' })).rows, [])
  for (const bad of [
    { period: '2023-11-30' },
    { as_of: '2023-02-30' },
    { sort: 'name' },
    { source: 'x' },
    { limit: '201' },
  ])
    assert.equal(holders.input.safeParse({ cusip: CANADIAN, ...bad }).success, false, JSON.stringify(bad))
  const page = await of({ limit: '1', paginate: 'cursor' })
  await assert.rejects(of({ limit: '1', cursor: page.next_cursor!, period: Q3 }), /other filters/)
})

test('a walk without a period stays in the quarter of its first page when a newer quarter is reported', async () => {
  type AnyPage = { period: string | null; rows: { sec_id?: string; holder_id?: string }[]; next_cursor: string | null }
  const lists = [
    (query: object) => ask<AnyPage>(sql, holders, { cusip: CANADIAN, limit: '1', ...query }),
    (query: object) => ask<AnyPage>(sql, movers, { limit: '1', ...query }),
  ]
  const idsIn = ({ rows }: AnyPage) => rows.map(({ sec_id, holder_id }) => sec_id ?? holder_id)
  const firsts = await Promise.all(lists.map((list) => list({ paginate: 'cursor' })))
  const wholes = await Promise.all(lists.map((list) => list({ limit: '50' })))
  const newest = '2024-03-31'
  const later = { accession: '0000000001-24-000077', filed: '2024-05-15' }
  await loadManagers(sql, report(1, newest, [[CANADIAN, 3000, shares(20)]], later))
  for (const [at, list] of lists.entries()) {
    assert.equal((await list({})).period, newest)
    const first = firsts[at]!
    assert.equal(first.period, Q4)
    const ids = idsIn(first)
    for (let { next_cursor: cursor } = first; cursor !== null; ) {
      const page = await list({ cursor })
      assert.equal(page.period, Q4)
      ids.push(...idsIn(page))
      cursor = page.next_cursor
      // The cursor belongs to the chosen quarter, so a request for another quarter cannot continue with it.
      if (cursor !== null) await assert.rejects(list({ cursor, period: newest }), HttpError)
    }
    assert.deepEqual(ids, idsIn(wholes[at]!))
    assert.ok(ids.length > 1)
  }
})
