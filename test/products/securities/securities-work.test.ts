/**
 * The cost of maintaining the rollups of securities, in rows read.
 *
 * @server it counts the rows that the plans of that server read
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Slice } from '../../../src/declare/dataset.ts'
import identifiers from '../../../src/products/identifiers/index.ts'
import securities from '../../../src/products/securities/index.ts'
import { detail } from '../../../src/products/securities/queries/detail.ts'
import { holders, SORTS } from '../../../src/products/securities/queries/holders.ts'
import { makeHoldings } from '../../../src/products/securities/queries/holding.ts'
import { history } from '../../../src/products/securities/queries/price.ts'
import { figures } from '../../../src/products/securities/queries/price-make.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { within } from '../../../src/store/path.ts'
import { freshDatabase } from '../../support/database.ts'
import { type FundReport, loadFunds } from '../../support/marks-made.ts'
import { loadManagers } from '../../support/securities-made.ts'
import { loadReports } from '../../support/thirteenf/made.ts'

const { sql } = await freshDatabase({ after })

interface Plan {
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  'Rows Removed by Join Filter'?: number
  Plans?: Plan[]
}

/** Returns the rows that the nodes of a plan returned or discarded. */
function rowsIn(plan: Plan): number {
  const { 'Rows Removed by Filter': filtered = 0, 'Rows Removed by Join Filter': unjoined = 0 } = plan
  const own = (plan['Actual Rows'] + filtered + unjoined) * plan['Actual Loops']
  return (plan.Plans ?? []).reduce((sum, child) => sum + rowsIn(child), own)
}

test('computing prices handles each line a fixed number of times, even if the planner chooses nested loops', async () => {
  const handled = (lines: number) =>
    sql.begin(async (tx) => {
      await tx`set local enable_hashjoin = off`
      await tx`set local enable_mergejoin = off`
      const made = tx`
        select g::text as id, '' as class, false as is_private, date '2024-12-31' as period, date '2024-12-31' as quarter,
          'fund ' || f as fund, 'report ' || f as accession, g as n, 10 * f as value, f as balance, 10::numeric + f as mark, false as is_written_off
        from generate_series(1, ${lines / 4}::int) g, generate_series(1, 4) f`
      const [row] = await tx<[{ 'QUERY PLAN': [{ Plan: Plan }] }]>`explain (analyze, format json) ${figures(tx, made)}`
      return rowsIn(row['QUERY PLAN'][0].Plan)
    })
  assert.ok((await handled(4_000)) < 25 * 4_000)
})

const QUARTERS = ['2023-03-31', '2023-06-30', '2023-09-30', '2023-12-31', '2024-03-31', '2024-06-30', '2024-09-30', '2024-12-31'] // biome-ignore format: a table
const [FUNDS, LINES] = [10, 20]
const fundOf = (fund: number) => String(fund).padStart(10, '0')

/** Each fund has its own securities, and one security that all funds have. */
function reportOf(fund: number, period: string, at: number): FundReport {
  const lines = Array.from({ length: LINES }, (_, n) => {
    const name = n === 0 ? 'Held by all Inc' : `Held by ${fund}, number ${n}`
    return { name, value: String(1000 * (n + 1)), level: 1 }
  })
  const accession = `${fundOf(fund)}-25-${String(at).padStart(6, '0')}`
  return { accession, cik: fundOf(fund), filed: '2025-02-15', period, lines }
}

interface RowsRead {
  rows: number
  /** Number of these lines from quarters other than the newest. */
  older: number
  /** Number of rows that are lines of Form 13F. */
  lines: number
}

/** Returns the rows read from tables in the transaction so far. */
async function rowsRead(tx: Transaction): Promise<RowsRead> {
  const [row] = await tx<[RowsRead]>`
    select sum(rows)::int as rows,
      coalesce(sum(rows) filter (where relname ~ '^holding_20' and relname <> 'holding_2024q4'), 0)::int as older,
      coalesce(sum(rows) filter (where relname ~ '^position_20'), 0)::int as lines
    from (select relname, seq_tup_read + coalesce(idx_tup_fetch, 0) as rows from pg_stat_xact_user_tables) t`
  return row
}

/**
 * Returns the rows that the work reads. Tables of a test are small, so a scan would be right; the count shows whether
 * an index is usable.
 */
const counted = (
  of: Sql,
  slug: string,
  work: (tx: Transaction) => Promise<unknown>,
  scans = 'off',
): Promise<RowsRead> =>
  of.begin(async (tx) => {
    await tx`select set_config('enable_seqscan', ${scans}, true)`
    const before = await rowsRead(tx)
    await within(tx, slug, () => work(tx))
    const after = await rowsRead(tx)
    return {
      rows: after.rows - before.rows,
      older: after.older - before.older,
      lines: after.lines - before.lines,
    }
  })

/** Returns the rows read when only the newest report of one fund changed. */
async function readAfterOne(of: Sql, quarters: readonly string[]): Promise<RowsRead> {
  for (const [at, period] of quarters.entries()) {
    await loadFunds(of, ...Array.from({ length: FUNDS }, (_, fund) => reportOf(fund + 1, period, at)))
  }
  await of`vacuum analyze`
  return counted(of, 'securities', (tx) => securities.refresh.make(tx, [`nport of ${fundOf(1)} 2024-12-31`]))
}

test('a refresh after one report reads from older quarters only the lines of its own fund, and a few rollup rows per security of the report', async (t) => {
  const other = await freshDatabase(t)
  const few = await readAfterOne(other.sql, QUARTERS.slice(-2))
  const many = await readAfterOne(sql, QUARTERS)
  assert.ok(few.rows > LINES)
  assert.equal(many.older, LINES)
  // Names and sums of a security come from one row for each quarter, read twice.
  const older = QUARTERS.length - 2
  assert.ok(
    many.rows - few.rows <= 3 * LINES * older,
    `${many.rows} rows of ${QUARTERS.length} quarters, ${few.rows} of two`,
  )
})

test('the refresh after a report of 2,000 securities reads a fixed number of rows per security, even if only a sample was loaded before', async (t) => {
  const { sql } = await freshDatabase(t)
  const period = '2024-12-31'
  const report = (accession: string, cik: string, cusips: readonly string[]) =>
    ({ accession, cik, filed: '2025-02-14', period, lines: cusips.map((cusip) => [cusip, 1000] as const) }) as const
  await loadManagers(sql, report('9000000041-25-000001', '9000000041', ['037833100', '594918104']))
  await sql`vacuum analyze`
  // Each security is of another issuer.
  const cusips = Array.from({ length: 2_000 }, (_, n) => `7${String(n).padStart(5, '0')}000`)
  await loadReports(sql, report('9000000042-25-000001', '9000000042', cusips))
  const made = async (product: Slice, key: string) =>
    (await counted(sql, product.slug, (tx) => product.refresh!.make(tx, [key]), 'on')).rows / cusips.length
  const known = await made(identifiers, `manager 9000000042 ${period}`)
  const first = await made(securities, `f13 of 9000000042 ${period}`)
  // The planner's statistics of the sums are still those of the sample.
  const again = await made(securities, `f13 of 9000000042 ${period}`)
  const [held] = await sql`select count(*)::int as rows from securities.held`
  assert.equal(held!.rows, 2_002)
  for (const rows of [known, first, again]) assert.ok(rows < 100, `${rows} rows for each security`)
})

test('computing identifiers after one report does not read the reports of other funds', async (t) => {
  const { sql } = await freshDatabase(t)
  const apple = { name: 'Apple Inc.', cusip: '037833100', value: '1000', level: 1 }
  for (const [at, period] of QUARTERS.entries()) await loadFunds(sql, { ...reportOf(1, period, at), lines: [apple] })
  await sql`
    insert into nport.standing (fund, cik, period, quarter, accession, filed_date, is_newest)
    select lpad(f::text, 10, '0'), lpad(f::text, 10, '0'), q::date, q::date, lpad(f::text, 10, '0') || '-25-' || to_char(q::date, 'YYMMDD'),
      '2025-02-15', false
    from generate_series(1001, 1300) f, unnest(${QUARTERS}::text[]) q`
  // The tables are not vacuumed, so rows that an index alone could answer count as read.
  await sql`analyze`
  const { rows: read } = await counted(sql, 'identifiers', (tx) =>
    identifiers.refresh.make(tx, [`fund ${fundOf(1)} 2024-12-31`]),
  )
  assert.equal((await sql`select from identifiers.best where cusip = '037833100'`).length, 1)
  assert.ok(read < 300, `${read} rows`)
})

test('a filing whose lines all name the same security counts as one holder, and a page of its lines reads only the lines of that page', async (t) => {
  const { sql } = await freshDatabase(t)
  const lines = Array.from({ length: 2_000 }, (_, n) => ({
    name: 'Apple Inc.',
    ...{ cusip: '037833100', value: String(1000 + n), balance: '10', level: 1 },
  }))
  await loadFunds(sql, { ...reportOf(1, '2024-12-31', 0), lines })
  await sql`vacuum analyze`
  const [held] = await sql`select holders, newest_holders, value from securities.held where sec_id = '037833100'`
  assert.deepEqual({ ...held }, { holders: 1, newest_holders: 1, value: '3999000' })
  const params = { sec_id: '037833100', scope: 'exact', period: '2024-12-31', limit: 10 } as const
  let values: unknown[] = []
  const { rows: read } = await counted(sql, 'securities', async (tx) => {
    // This code uses only those members of a pool that a transaction also has.
    values = (await history(tx as unknown as Sql, params))!.filings.map(({ value }) => value)
  })
  assert.deepEqual(
    values.map(Number),
    Array.from({ length: 10 }, (_, n) => 2999 - n),
  )
  assert.ok(read < 100, `${read} rows`)
})

const [APPLE, MICROSOFT] = ['037833100', '594918104']

/**
 * More than the 20 holders of other tests: PostgreSQL 15 reads all of 20 (44 rows instead of 4), since for so few this
 * costs no more than a look-up.
 */
const MANY = 100

/** Loads reports of managers and funds about some quarters, all of whom hold one security. */
async function holdAll(of: Sql, count: number, quarters: readonly string[]): Promise<void> {
  const idOf = (n: number) => String(1000 + n).padStart(10, '0')
  const accessionOf = (n: number, at: number) => `${idOf(n)}-25-${String(at).padStart(6, '0')}`
  for (const [at, period] of quarters.entries()) {
    const all = Array.from({ length: count }, (_, n) => ({
      ...{ accession: accessionOf(n, at), cik: idOf(n), filed: '2025-02-14', period },
    }))
    await loadManagers(
      of,
      ...all.map((each, n) => ({ ...each, lines: [[APPLE, 1000 + n] as const, [MICROSOFT, 10] as const] })),
    )
    const funds = all.map((each, n) => ({ ...each, accession: accessionOf(n, at + 100) }))
    await loadFunds(
      of,
      ...funds.map((each, n) => ({ ...each, lines: [{ name: 'Apple Inc.', cusip: APPLE, value: String(1000 + n) }] })),
    )
  }
  await of`vacuum analyze`
}

test('a security, its holders in each order and its changes read as many rows for 200 holders as for 20', async (t) => {
  const read = async (count: number) => {
    const { sql } = await freshDatabase(t)
    await holdAll(sql, count, QUARTERS.slice(-2))
    const rows: Record<string, number> = {}
    const page = { limit: 5, offset: 0 } as const
    const note = async (what: string, ask: (of: Sql) => Promise<unknown>) => {
      // `ask` uses only members of a pool that a transaction has too.
      rows[what] = (await counted(sql, 'securities', (tx) => ask(tx as unknown as Sql))).rows
    }
    await note('detail', (of) => detail(of, APPLE, 5, async () => []))
    for (const source of ['f13', 'nport'] as const)
      for (const sort of SORTS)
        await note(`${source} by ${sort}`, (of) => holders(of, APPLE, { ...page, source, sort }))
    return rows
  }
  const [few, many] = [await read(20), await read(200)]
  for (const [what, rows] of Object.entries(many)) {
    assert.ok(rows > 0, what)
    assert.ok(rows <= few[what]! + 5, `${what}: ${rows} rows of 200 holders, ${few[what]} of 20`)
  }
})

test('keeping holders current after one report reads hardly more rows with ten times as many holders, or with four times as many quarters', async (t) => {
  const read = async (count: number, quarters: readonly string[]) => {
    const { sql } = await freshDatabase(t)
    await holdAll(sql, count, quarters)
    const reports = [{ id: '0000001001', quarter: '2024-12-31' }]
    return (await counted(sql, 'securities', (tx) => makeHoldings(tx, { reportsOf: () => reports, moves: [] }))).rows
  }
  const few = await read(20, QUARTERS.slice(-2))
  assert.ok(few > 0)
  const [holding, older] = [await read(200, QUARTERS.slice(-2)), await read(MANY, QUARTERS)]
  assert.ok(holding <= few + 10, `${holding} rows of 200 holders, ${few} of 20`)
  // The quarter two quarters earlier is compared too.
  assert.ok(older <= few + 40, `${older} rows of ${QUARTERS.length} quarters, ${few} of two`)
})

test('after a report of a quarter that is older than the compared quarters, the refresh of holders reads and writes no holding', async (t) => {
  const { sql } = await freshDatabase(t)
  await holdAll(sql, MANY, QUARTERS)
  const all = async () => [
    ...(await sql`select xmin::text as written, h.* from securities.holding h order by 1, 2, 3, 4, 5`),
  ]
  const before = await all()
  const late = [{ id: '0000001001', quarter: QUARTERS[4]! }]
  const { rows } = await counted(sql, 'securities', (tx) => makeHoldings(tx, { reportsOf: () => late, moves: [] }))
  assert.deepEqual(await all(), before)
  assert.ok(rows < 20, `${rows} rows`)
})

test('the refresh after a new report of a manager reads no more lines with ten times as many managers', async (t) => {
  const read = async (count: number) => {
    const { sql } = await freshDatabase(t)
    const report = (n: number, period: string) => ({
      ...{ accession: `${9_000_000_000 + n}-25-${period.slice(5, 7)}0001`, cik: String(9_000_000_000 + n), period },
      ...{ filed: '2025-02-14', lines: [[APPLE, 1000 + n] as const, [MICROSOFT, 10] as const] },
    })
    const managers = Array.from({ length: count }, (_, n) => n)
    for (const period of QUARTERS.slice(-2)) await loadManagers(sql, ...managers.map((n) => report(n, period)))
    await loadManagers(sql, report(count, QUARTERS.at(-2)!))
    // This report is stored without a refresh of the securities.
    await loadReports(sql, report(count, QUARTERS.at(-1)!))
    await sql`vacuum analyze`
    const key = `f13 of ${9_000_000_000 + count} ${QUARTERS.at(-1)!}`
    const { lines } = await counted(sql, 'securities', async (tx) => {
      // The temporary tables of the refresh have no index, so sequential scans stay allowed here. If they are off,
      // PostgreSQL 15 adds so much to the cost of each plan with these tables that all plans seem to cost the same.
      await tx`set local enable_seqscan to on`
      await tx`set local random_page_cost to 0.1`
      await securities.refresh.make(tx, [key])
    })
    const [held] =
      await sql`select holders from securities.held where sec_id = ${APPLE} and quarter = ${QUARTERS.at(-1)!}`
    assert.equal(held!.holders, count + 1)
    return lines
  }
  const [few, many] = [await read(20), await read(200)]
  assert.ok(few > 0)
  assert.equal(many, few)
})
