/**
 * Measures the prices that funds put on securities, over two years of reports, at a number of funds and at ten times as
 * many. Measured are the time of an answer, and the time to recompute the prices after one report and after a day of
 * reports.
 */
import securities from '../src/products/securities/index.ts'
import { history } from '../src/products/securities/queries/price.ts'
import type { Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { loadFunds } from '../test/support/marks-made.ts'
import { remake } from '../test/support/refreshed.ts'
import { withoutIndexes } from './holdings.ts'
import { seconds } from './measure.ts'
import type { Row } from './report.ts'
import type { Scope } from './scope.ts'
import { part } from './share.ts'
import { bothSizes, partOf, type Turns } from './turns.ts'

export const QUARTERS = [
  '2023-03-31',
  '2023-06-30',
  '2023-09-30',
  '2023-12-31',
  '2024-03-31',
  '2024-06-30',
  '2024-09-30',
  '2024-12-31',
]
const NEWEST = '2024-12-31'
/** Lines of a report; every eighth fund holds private companies too. */
export const LINES = 400
const SECURITIES = 8_000
const PRIVATE = 400
/** Funds, each with a report of every quarter. */
const FUNDS = { small: 625, large: 6_250 }
const TURNS: Turns = { requests: 198, rounds: 3, warming: 66 }
const DAY = 100

interface Volume {
  sql: Sql
  positions: number
  /** Seconds that it takes to make the rollups. */
  making: number
}

export async function rows(scope: Scope, share: number): Promise<Row[]> {
  const small = await volume(scope, part(FUNDS.small, share))
  const large = await volume(scope, part(FUNDS.large, share, 10))
  const day = part(DAY, share)
  const found: Row[] = []
  const millions = (positions: number) => `${(positions / 1e6).toPrecision(2)} million`
  const row = (what: string, ours: number, peer: number, unit: string, note: string) =>
    found.push({
      section: 'prices',
      what: `${millions(large.positions)} lines against ${millions(small.positions)}: ${what}`,
      ours,
      peer,
      unit,
      note,
    })
  for (const { what, params } of HISTORIES) {
    const ask = ({ sql }: Volume, count: number) => askHistory(sql, params, count)
    const latencies = await bothSizes(partOf(TURNS, share), (size, _, count) => ask({ small, large }[size], count))
    for (const [name, ours, peer] of latencies) row(`${what}, ${name}`, ours, peer, 'ms', 'target 1.3')
  }
  for (const [what, funds] of [
    ['one report', 1],
    [`${day} reports`, day],
  ] as const) {
    const keys = Array.from({ length: funds }, (_, fund) => `nport of ${fundOf(fund)} ${NEWEST}`)
    const made = async ({ sql }: Volume) => 1000 * (await seconds(() => remake(sql, securities, keys)))
    row(
      `all rollups of securities after ${what}`,
      await made(large),
      await made(small),
      'ms',
      'grows with the number of other holders',
    )
  }
  row('all rollups of securities', large.making, small.making, 's', 'all of them are made; grows with the lines')
  return found
}

const fundOf = (fund: number) => String(1_000_000 + fund).padStart(10, '0')
const privateId = (n: number) => `name~${Buffer.from(`specimen company ${n} inc`).toString('base64url')}`
const MOST = 'X00000001'

type HistoryParams = Omit<Parameters<typeof history>[1], 'limit'>

export const HISTORIES: readonly { what: string; params: HistoryParams }[] = [
  { what: 'history of the most-held security', params: { sec_id: MOST, scope: 'exact' } },
  { what: 'history of a private company', params: { sec_id: privateId(1), scope: 'company' } },
  { what: 'lines of a quarter of the most-held security', params: { sec_id: MOST, scope: 'exact', period: NEWEST } },
]

/** Milliseconds of each answer, one after the other. */
export async function askHistory(sql: Sql, params: HistoryParams, count: number): Promise<number[]> {
  const taken: number[] = []
  for (let at = 0; at < count; at++) taken.push(1000 * (await seconds(() => history(sql, { limit: 50, ...params }))))
  return taken
}

async function volume(scope: Scope, funds: number): Promise<Volume> {
  const { sql } = await freshDatabase(scope)
  await fillFunds(sql, funds)
  await sql`vacuum analyze`
  const making = await seconds(() => remake(sql, securities))
  await sql`vacuum analyze`
  const [count] = await sql<[{ positions: number }]>`select count(*)::int as positions from nport.holding`
  return { sql, positions: count.positions, making }
}

/** Accession of the report that creates the partition of a quarter. */
const placeOf = (at: number) => `9000000020-26-00000${at}`

/** The database inserts the rows; one report of each quarter goes through the loader, to create the partitions. */
export async function fillFunds(sql: Sql, funds: number, report = (_: string) => {}): Promise<void> {
  const restore = await withoutIndexes(sql, 'nport.holding')
  for (const [n, period] of QUARTERS.entries()) {
    await loadFunds(sql, {
      accession: placeOf(n),
      cik: '0000000009',
      filed: '2025-02-15',
      period,
      lines: [{ name: 'Specimen', value: '1' }],
    })
  }
  await sql`
    insert into nport.security (security, sec_id, cusip, issuer_name, title_of_class, asset_cat, issuer_cat)
    select n, 'X' || lpad(n::text, 8, '0'), 'X' || lpad(n::text, 8, '0'), 'Specimen ' || n || ' Corp', 'COM', 'EC', 'CORP'
    from generate_series(1, ${SECURITIES}) n`
  await sql`
    insert into nport.security (security, sec_id, issuer_name, title_of_class, asset_cat, issuer_cat)
    select 1000000 + n, x.id, x.name, 'Series B Preferred', 'EP', 'CORP'
    from unnest(${Array.from({ length: PRIVATE }, (_, n) => privateId(n))}::text[],
      ${Array.from({ length: PRIVATE }, (_, n) => `Specimen Company ${n}, Inc.`)}::text[]) with ordinality x (id, name, n)`
  for (const [at, quarter] of QUARTERS.entries()) {
    const key = sql`lpad((1000000 + f)::text, 10, '0')`
    const accession = sql`${key} || '-25-' || lpad(${at}::text, 6, '0')`
    await sql`
      insert into nport.standing (fund, cik, fund_name, registrant_name, period, quarter, accession, filed_date, is_newest)
      select ${key}, ${key}, 'Fund ' || f, 'Fund ' || f, ${quarter}, ${quarter}, ${accession}, ${quarter}::date + 60, ${quarter === NEWEST}
      from generate_series(0, ${funds - 1}) f`
    await sql`
      insert into nport.report
      select (jsonb_populate_record(r, jsonb_build_object('accession', ${accession}, 'fund', ${key}, 'cik', ${key}))).*
      from nport.report r, generate_series(0, ${funds - 1}) f where r.accession = ${placeOf(at)}`
    await sql`
      insert into nport.holding (accession, n, quarter, sec_id, security, value, balance, units, payoff, is_private)
      select ${accession}, n, ${quarter}, s.sec_id, s.security, round((100 + n % 7 * 0.01) * (1000 + f), 2), 1000 + f, 'NS', 'Long', s.security > 1000000
      from generate_series(0, ${funds - 1}) f, generate_series(1, ${LINES}) n
      join lateral (select case when n > 395 and f % 8 = 0 then 1000001 + n % 5 + f % ${PRIVATE / 5} * 5
        -- The first securities are in every fund, the others in few.
        when n <= 50 then n else 51 + (n * 7919 + f * 104729) % ${SECURITIES - 50} end as security) k on true
      join nport.security s on s.security = k.security`
    report(`funds of ${quarter}`)
  }
  await restore()
}
