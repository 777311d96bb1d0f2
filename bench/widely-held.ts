/**
 * `node bench/widely-held.ts`: measures answers about a security that every manager and every fund holds, at two
 * numbers of holders.
 *
 *     node bin/run.mjs bench/widely-held.ts --managers 1250,12500 --quarters 2
 *
 * The cost of an answer depends on the number of holders of the security, so each report has only 40 positions. There
 * are five funds for every four managers. The statements run on one connection, in this process. The pages of the
 * database that the statements read are counted too, since other work on the machine does not change this number.
 *
 * Some managers and funds have not reported the newest quarter yet. Their reports arrive at the end, to measure the
 * refresh that a new report needs.
 */
import { parseArgs } from 'node:util'
import thirteenf from '../src/datasets/thirteenf/index.ts'
import type { Slice } from '../src/declare/dataset.ts'
import securities from '../src/products/securities/index.ts'
import { detail } from '../src/products/securities/queries/detail.ts'
import { holders } from '../src/products/securities/queries/holders.ts'
import { connect, type Sql } from '../src/store/db.ts'
import { freshDatabase } from '../test/support/database.ts'
import { loadFunds } from '../test/support/marks-made.ts'
import { remake } from '../test/support/refreshed.ts'
import { loadReports } from '../test/support/thirteenf/made.ts'
import { quantile, seconds } from './measure.ts'
import { QUARTERS } from './prices.ts'
import { openScope } from './scope.ts'

const { values } = parseArgs({
  options: {
    managers: { type: 'string', default: '1250,12500' },
    quarters: { type: 'string', default: '2' },
    requests: { type: 'string', default: '20' },
    batches: { type: 'string', default: '1,1,1,100,100,100' },
  },
})
const quarters = QUARTERS.slice(-Number(values.quarters))
const NEWEST = quarters.at(-1)!
const LINES = 40
const SECURITIES = 8_000
/** The security that all managers and funds hold. */
const MOST = 'X00000001'
/**
 * Sizes of the batches in which the newest reports of the last managers arrive at the end. Each batch has as many funds
 * as managers.
 */
const BATCHES = values.batches.split(',').map(Number)
const LATE = BATCHES.reduce((sum, size) => sum + size)

/** The security of a line: the first is held by all, the next by many, the others by few. */
const SECURITY = `case when n <= 15 then n else 16 + (n * 7919 + f * 104729) % ${SECURITIES - 15} end`

const scope = openScope()
const report = (text: string) => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`)
try {
  for (const managers of values.managers.split(',').map(Number)) await measure(managers, Math.round(managers * 1.25))
} finally {
  await scope.close()
}

async function measure(managers: number, funds: number): Promise<void> {
  const { sql: pool, target } = await freshDatabase(scope)
  report(`${managers} managers and ${funds} funds, ${quarters.length} quarters`)
  await fillSecurities(pool)
  await fillManagers(pool, { first: 0, last: managers - 1, of: quarters })
  await fillFunds(pool, { first: 0, last: funds - 1, of: quarters })
  const before = quarters.slice(0, -1)
  await fillManagers(pool, { first: managers, last: managers + LATE - 1, of: before })
  await fillFunds(pool, { first: funds, last: funds + LATE - 1, of: before })
  await pool`vacuum analyze`
  for (const slice of [thirteenf, securities] as Slice[]) {
    report(`${slice.slug} made whole: ${(await seconds(() => remake(pool, slice))).toFixed(1)} s`)
    await pool`vacuum analyze`
  }
  const sql = connect({ target, max: 1 })
  scope.after(() => sql.end({ timeout: 5 }))
  const page = { source: 'f13', sort: 'value', limit: 50, offset: 0 } as const
  const [found] = await sql<[{ f13_holders: number; fund_count: number }]>`
    select f13_holders, fund_count from securities.security where sec_id = ${MOST}`
  if (found.f13_holders < managers || found.fund_count < funds) throw new Error(JSON.stringify(found))
  const asks: Record<string, () => Promise<unknown>> = {
    'the security': () => detail(sql, MOST, 50, async () => []),
    'holders, managers': () => holders(sql, MOST, page),
    'holders, funds': () => holders(sql, MOST, { ...page, source: 'nport' }),
    'holders, managers, who bought most': () => holders(sql, MOST, { ...page, sort: 'bought' }),
    'holders, managers, a page far back': () => holders(sql, MOST, { ...page, offset: managers - 100 }),
    'holders, managers, as of a day': () => holders(sql, MOST, { ...page, as_of: '2025-03-01' }),
    'a security of few holders': () => detail(sql, `X${String(SECURITIES - 7).padStart(8, '0')}`, 50, async () => []),
  }
  for (const [what, ask] of Object.entries(asks)) await reportAnswer(sql, what, ask)
  let [manager, fund] = [managers, funds]
  for (const size of BATCHES) {
    const own = (first: number) => ({ first, last: first + size - 1, of: [NEWEST] })
    await fillManagers(pool, own(manager))
    await fillFunds(pool, own(fund))
    const numbers = Array.from({ length: size }, (_, at) => at)
    const reports = numbers.map((at) => `${cikOf(manager + at)} ${NEWEST}`)
    await remake(sql, thirteenf, reports)
    await pool`analyze`
    const keys = [
      ...reports.map((key) => `f13 of ${key}`),
      ...numbers.map((at) => `nport of ${fundOf(fund + at)} ${NEWEST}`),
    ]
    let taken = 0
    const pages = await pagesOf(sql, async () => {
      taken = await seconds(() => remake(sql, securities, keys))
    })
    report(`refresh after ${2 * size} new reports: ${Math.round(1000 * taken)} ms, ${pages} pages`)
    manager += size
    fund += size
  }
  const sizes = await sql<{ name: string; mb: number }[]>`
    select relname as name, round(pg_total_relation_size(oid) / 1e6)::int as mb from pg_class
    where relkind = 'r' and relnamespace = 'securities'::regnamespace order by 2 desc limit 4`
  report(sizes.map(({ name, mb }) => `${name} ${mb} MB`).join(', '))
}

async function reportAnswer(sql: Sql, what: string, ask: () => Promise<unknown>): Promise<void> {
  const requests = Number(values.requests)
  for (let at = 0; at < 3; at++) await ask()
  const pages = await pagesOf(sql, ask)
  const taken: number[] = []
  for (let at = 0; at < requests; at++) taken.push(1000 * (await seconds(ask)))
  const [half, most] = [0.5, 0.99].map((q) => quantile(taken, q).toPrecision(3))
  report(`${what}: p50 ${half} ms, p99 ${most} ms, ${pages} pages`)
}

/** Pages of tables and indexes that the connection read, from memory or not. */
async function pagesOf(sql: Sql, work: () => Promise<unknown>): Promise<number> {
  const count = async () => {
    await sql`select pg_stat_force_next_flush()`
    const [row] = await sql<[{ pages: number }]>`
      select sum(heap_blks_read + heap_blks_hit + coalesce(idx_blks_read + idx_blks_hit, 0))::float8 as pages
      from pg_statio_user_tables`
    return row.pages
  }
  const before = await count()
  await work()
  return (await count()) - before
}

function cikOf(manager: number): string {
  return String(9_100_000_000 + manager)
}

function fundOf(fund: number): string {
  return String(1_000_000 + fund).padStart(10, '0')
}

/** Managers or funds by their numbers, and the quarters of their reports. */
interface Reporters {
  first: number
  last: number
  of: readonly string[]
}

function modelOf(filer: string, at: number): string {
  return `${filer}-26-00000${at}`
}

async function fillSecurities(sql: Sql): Promise<void> {
  for (const [at, period] of quarters.entries()) {
    const own = { filed: '2025-02-15', period }
    await loadReports(sql, { ...own, accession: modelOf('9000000020', at), cik: '9000000020', lines: [[MOST, 1]] })
    const lines = [{ name: 'Specimen', value: '1' }]
    await loadFunds(sql, { ...own, accession: modelOf('9000000021', at), cik: '0000000009', lines })
  }
  await sql`
    insert into thirteenf.security (security, cusip, issuer_name, title_of_class)
    select n, 'X' || lpad(n::text, 8, '0'), 'Specimen ' || n || ' Corp', 'COM' from generate_series(1, ${SECURITIES}) n`
  await sql`
    insert into nport.security (security, sec_id, cusip, issuer_name, title_of_class, asset_cat, issuer_cat)
    select n, 'X' || lpad(n::text, 8, '0'), 'X' || lpad(n::text, 8, '0'), 'Specimen ' || n || ' Corp', 'COM', 'EC', 'CORP'
    from generate_series(1, ${SECURITIES}) n`
}

async function fillManagers(sql: Sql, { first, last, of }: Reporters): Promise<void> {
  for (const quarter of of) {
    const at = quarters.indexOf(quarter)
    const cik = sql`(9100000000 + f)::text`
    const accession = sql`${cik} || '-25-' || lpad(${at}::text, 6, '0')`
    for (const table of ['report', 'quality'])
      await sql`
        insert into ${sql(`thirteenf.${table}`)}
        select (jsonb_populate_record(r, jsonb_build_object('accession', ${accession}, 'cik', ${cik}))).*
        from ${sql(`thirteenf.${table}`)} r, generate_series(${first}::int, ${last}::int) f
        where r.accession = ${modelOf('9000000020', at)}`
    await sql`
      insert into thirteenf.position (accession, n, quarter, cik, cusip, security, value, amount, kind)
      select ${accession}, n, ${quarter}, ${cik}, 'X' || lpad(s::text, 8, '0'), s, 100 * a, a, 'SH'
      from generate_series(${first}::int, ${last}::int) f, generate_series(1, ${LINES}) n
      join lateral (select ${sql.unsafe(SECURITY)} as s, 1000 + f * 37 % 5000 + (f + ${at}) % 3 as a) k on true
      order by f, n`
  }
}

async function fillFunds(sql: Sql, { first, last, of }: Reporters): Promise<void> {
  for (const quarter of of) {
    const at = quarters.indexOf(quarter)
    const key = sql`lpad((1000000 + f)::text, 10, '0')`
    const accession = sql`${key} || '-25-' || lpad(${at}::text, 6, '0')`
    // A fund's new report is its newest from now on.
    await sql`
      update nport.standing set is_newest = false
      where fund in (select ${key} from generate_series(${first}::int, ${last}::int) f)`
    await sql`
      insert into nport.standing (fund, cik, fund_name, registrant_name, period, quarter, accession, filed_date, is_newest)
      select ${key}, ${key}, 'Fund ' || f, 'Fund ' || f, ${quarter}, ${quarter}, ${accession}, ${quarter}::date + 60, ${quarter === of.at(-1)!}
      from generate_series(${first}::int, ${last}::int) f`
    await sql`
      insert into nport.report
      select (jsonb_populate_record(r, jsonb_build_object('accession', ${accession}, 'fund', ${key}, 'cik', ${key}))).*
      from nport.report r, generate_series(${first}::int, ${last}::int) f
      where r.accession = ${modelOf('9000000021', at)}`
    await sql`
      insert into nport.holding (accession, n, quarter, sec_id, security, value, balance, units, payoff, is_private, percent)
      select ${accession}, n, ${quarter}, 'X' || lpad(s::text, 8, '0'), s, 100 * a, a, 'NS', 'Long', false, 0.5
      from generate_series(${first}::int, ${last}::int) f, generate_series(1, ${LINES}) n
      join lateral (select ${sql.unsafe(SECURITY)} as s, 1000 + f * 37 % 5000 + (f + ${at}) % 3 as a) k on true
      order by f, n`
  }
}
