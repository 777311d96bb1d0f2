/**
 * The stored holders of the newest quarter agree with two other results, whatever was loaded in between: the holders
 * that are computed in memory from the reports, and those that are combined from all lines.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { quarterBefore } from '../../../src/declare/quarter.ts'
import { rebuildProduct } from '../../../src/ingest/rebuild/product.ts'
import securities from '../../../src/products/securities/index.ts'
import { detail, holders } from '../../../src/products/securities/routes.ts'
import { CHANGES, SOURCES, type Source } from '../../../src/products/securities/sources.ts'
import { connect, type Sql } from '../../../src/store/db.ts'
import { Random } from '../../support/adv/random.ts'
import { freshDatabase } from '../../support/database.ts'
import {
  type FundReport,
  loadFunds,
  loadManagers,
  makeAll,
  remove,
  SLICES,
  stored,
} from '../../support/securities-made.ts'
import { type ExpectedRow, expectedHolders, expectedRows, type Loaded } from '../../support/securities-oracle.ts'
import { often } from '../../support/soak.ts'
import type { Filed, FiledLine } from '../../support/thirteenf/made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const ROUNDS = often('compared holders', { usual: 10, soak: 120 })
const CUSIPS = ['037833100', '67066G104']
/**
 * Quarters of two years, so that holders become too old. A report about the last quarter that is filed before the
 * quarter's end is an error.
 */
const PERIODS = ['2022-06-30', '2023-09-30', '2023-12-31', '2023-12-31', '2024-03-31', '2024-03-31']
const DAYS = ['2024-02-14', '2024-03-15', '2024-05-15', '2024-05-16']
const ORDERS = ['value', 'bought', 'sold']
/** A day on which all filings are known. A request with a day always combines holders from lines. */
const ALL_KNOWN = '2030-01-01'

interface Page {
  period: string | null
  as_of: string | null
  counts: Record<string, number>
  rows: ExpectedRow[]
  next_cursor: string | null
}
type Holder = Omit<ExpectedRow, 'holder_id' | 'shares'> & { cik?: string; fund_id?: string; shares?: string | null }
type Detail = Record<Source, { holders: Holder[] }>

const page = (cusip: string, query: Record<string, string>) =>
  ask<Page | null>(sql, holders, { cusip, limit: '200', ...query })

/** Returns the rows of all pages of two rows each. */
async function walk(cusip: string, query: Record<string, string>): Promise<ExpectedRow[]> {
  const rows: ExpectedRow[] = []
  let of: Record<string, string> = { paginate: 'cursor' }
  for (;;) {
    const found = (await page(cusip, { ...query, ...of, limit: '2' }))!
    rows.push(...found.rows)
    if (found.next_cursor === null) return rows
    of = { cursor: found.next_cursor }
  }
}

/** Returns a function that loads, amends or removes a report at random, and another that returns what is loaded. */
function changes(of: Sql, random: Random, process = 0) {
  const filed = new Map<string, Loaded>()
  const managers = ({ accession, period, filed: day }: Pick<Filed, 'accession' | 'period' | 'filed'>): Filed => {
    const form = random.pick(['13F-HR', '13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT'])
    const lines = Array.from({ length: random.int(1, 3) }, (): FiledLine => {
      const cusip = random.pick(CUSIPS)
      const more = random.chance(0.1) ? { putCall: 'Put' } : random.chance(0.1) ? { kind: 'PRN' as const } : {}
      const amount = String(random.int(1, 2) * 10)
      return [random.chance(0.2) ? cusip.toLowerCase() : cusip, random.int(1, 9) * 100, { amount, ...more }]
    })
    return {
      ...{ accession, form, period, filed: day, cik: `000000003${random.int(1, 3)}` },
      amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
      number: form === '13F-HR/A' ? random.int(1, 3) : null,
      lines: form === '13F-NT' ? null : lines,
    }
  }
  const funds = (about: Pick<FundReport, 'accession' | 'period' | 'filed'>): FundReport => ({
    ...about,
    fund: `0000000041-S00000000${random.int(1, 2)}`,
    period: random.chance(0.3)
      ? `${about.period.slice(0, 8)}${about.period.endsWith('31') ? '01' : '02'}`
      : about.period,
    lines: Array.from({ length: random.int(0, 3) }, () => ({
      ...{ name: 'Specimen Corp', cusip: random.pick(CUSIPS), balance: random.int(1, 2) * 10 },
      ...(random.chance(0.1) ? { payoff: 'Short' as const } : random.chance(0.1) ? { asset: 'DE' } : {}),
      ...(random.chance(0.5) ? { principal: random.int(1, 2) * 10 } : {}),
      value: random.chance(0.1) ? null : random.int(1, 9) * 1000,
    })),
  })
  const change = async () => {
    const source = random.pick(SOURCES)
    const accession = `00000000${31 + SOURCES.indexOf(source)}-24-000${process}${String(random.int(10, 29))}`
    const form = source === 'f13' ? 'thirteenf' : source
    if (filed.has(accession) && random.chance(0.3)) {
      filed.delete(accession)
      return remove(of, form, accession)
    }
    const about = { accession, period: random.pick(PERIODS), filed: random.pick(DAYS) }
    if (source === 'f13') {
      const report = managers(about)
      filed.set(accession, { source, report })
      return loadManagers(of, report)
    }
    const report = funds(about)
    filed.set(accession, { source, report })
    return loadFunds(of, source, report)
  }
  return { change, loaded: () => [...filed.values()] }
}

test('over random reports, amendments, slips and removals, stored holders and changes equal those from all reports, all lines and a full refresh', async () => {
  const { change, loaded } = changes(sql, new Random(31))
  const random = new Random(32)
  const seen = new Set<string>()
  for (let round = 0; round < ROUNDS; round++) {
    for (let step = 0; step < (round === 0 ? 40 : 4); step++) await change()
    const spans = await sql<{ source: Source; newest: string }[]>`select source, newest from securities.span`
    const known = new Set((await sql`select sec_id from securities.security`).map(({ sec_id }) => sec_id))
    for (const { source, newest } of spans) {
      for (const cusip of CUSIPS) {
        if (!known.has(cusip)) {
          assert.deepEqual(expectedHolders(loaded(), source, cusip), [])
          continue
        }
        for (const period of new Set([newest, quarterBefore(newest), random.pick(PERIODS)])) {
          const query = { source, period, sort: random.pick(ORDERS) }
          const { as_of: _, ...kept } = (await page(cusip, query))!
          const { as_of: __, ...all } = (await page(cusip, { ...query, as_of: ALL_KNOWN }))!
          const where = `round ${round}: ${cusip} ${Object.values(query).join(' ')}`
          assert.deepEqual(kept, all, where)
          compareWithReports(kept, expectedRows(loaded(), source, cusip, period), where)
          if (period === newest) for (const { change } of kept.rows) seen.add(`${change}`)
        }
        const query = { source, period: newest, sort: random.pick(ORDERS) }
        assert.deepEqual(await walk(cusip, query), (await page(cusip, { ...query, as_of: ALL_KNOWN }))!.rows)
        await compareDetail(sql, loaded(), cusip, source)
      }
    }
    const kept = await stored(sql)
    await makeAll(sql)
    assert.deepEqual(await stored(sql), kept, `round ${round}`)
  }
  assert.deepEqual([...seen].sort(), [...CHANGES, 'null'].sort())
})

test('if several processes load and refresh at once, the stored holders and counts equal those of a full refresh', async (t) => {
  const { sql, target } = await freshDatabase(t)
  // Makes the partitions first, which is tested elsewhere.
  for (const [at, period] of [...new Set(PERIODS)].entries()) {
    const of = { period, filed: '2024-05-15' }
    await loadManagers(sql, {
      ...of,
      accession: `0000000039-24-00000${at}`,
      cik: '0000000039',
      lines: [[CUSIPS[0]!, 100]],
    })
    const lines = [{ name: 'Specimen Corp', cusip: CUSIPS[0]!, value: 1000 }]
    await loadFunds(sql, 'nport', { ...of, accession: `0000000038-24-00000${at}`, fund: '0000000038', lines })
  }
  const others = [1, 2].map(() => connect({ target, max: 4 }))
  t.after(() => Promise.all(others.map((of) => of.end({ timeout: 5 }))))
  const loading = [sql, ...others].map(async (of, process) => {
    const { change } = changes(of, new Random(41 + process), process)
    for (let step = 0; step < 12; step++) await change()
  })
  await Promise.all(loading)
  const kept = await stored(sql)
  await makeAll(sql)
  assert.deepEqual(await stored(sql), kept)
  assert.ok(kept.holding!.length > 0 && kept.change_count!.length > 0)
})

function compareWithReports(
  { rows, counts }: Pick<Page, 'rows' | 'counts'>,
  expected: readonly ExpectedRow[],
  where: string,
): void {
  const found = rows.map(
    ({ holder_id, change, value, shares, principal, option_value, period, accession, amount_change }) => ({
      ...{ holder_id, change, value, shares, principal, option_value, period, accession, amount_change },
    }),
  )
  assert.deepEqual(
    found.sort((a, b) => (a.holder_id < b.holder_id ? -1 : 1)),
    expected,
    where,
  )
  const countOf = (kind: string | null) => expected.filter(({ change }) => change === kind).length
  assert.deepEqual(
    counts,
    {
      holder_count: expected.filter(({ accession }) => accession !== null).length,
      ...Object.fromEntries(CHANGES.map((kind) => [`${kind}_count`, countOf(kind)])),
      not_compared_count: countOf(null),
    },
    where,
  )
}

/** Compares the holders of the detail with those of each holder's newest quarter. */
async function compareDetail(of: Sql, loaded: readonly Loaded[], cusip: string, source: Source): Promise<void> {
  const expected = expectedHolders(loaded, source, cusip)
  const found = (await ask<Detail>(of, detail, { cusip, limit: '200' }))[source].holders
  const amounts = found.map(({ value }) => (value === null ? -1 : Number(value)))
  assert.deepEqual(
    amounts,
    [...amounts].sort((a, b) => b - a),
  )
  assert.deepEqual(
    found
      .map(({ cik, fund_id, value, shares = null, principal, period, accession }) => ({
        ...{ holder_id: source === 'f13' ? cik : fund_id, value, shares, principal, period, accession },
      }))
      .sort((a, b) => (a.holder_id! < b.holder_id! ? -1 : 1)),
    expected,
  )
}

test('a holder whose newest report becomes too old is no longer stored, and is stored again when the newer quarter is removed', async (t) => {
  const { sql } = await freshDatabase(t)
  const report = (cik: string, period: string, filed: string): Filed => ({
    ...{ cik, period, filed, accession: `${cik}-${filed.slice(2, 4)}-000001`, lines: [[CUSIPS[0]!, 100]] },
  })
  const kept = async () =>
    (await sql`select holder_id from securities.holding order by 1`).map(({ holder_id }) => String(holder_id))
  await loadManagers(
    sql,
    report('0000000031', '2022-06-30', '2022-08-10'),
    report('0000000032', '2022-09-30', '2022-11-10'),
  )
  assert.deepEqual(await kept(), ['0000000031', '0000000032'])
  await loadManagers(sql, report('0000000033', '2023-12-31', '2024-02-10'))
  assert.deepEqual(await kept(), ['0000000032', '0000000033'])
  await remove(sql, 'thirteenf', '0000000033-24-000001')
  assert.deepEqual(await kept(), ['0000000031', '0000000032'])
  const [counted] =
    await sql`select count(*)::int as rows, sum(holder_count)::int as holders from securities.change_count`
  assert.deepEqual({ ...counted }, { rows: 2, holders: 2 })
})

const CIKS = ['0000000031', '0000000032', '0000000033']

/** Loads a report of each manager with both securities. */
async function loadThree(of: Sql): Promise<void> {
  const lines = CUSIPS.map((cusip): FiledLine => [cusip, 100])
  const about = { period: '2024-03-31', filed: '2024-05-15', lines }
  await loadManagers(of, ...CIKS.map((cik): Filed => ({ ...about, cik, accession: `${cik}-24-000001` })))
}

test('making everything writes only those rows of holders that differ', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadThree(sql)
  const versions = async () =>
    (
      await sql<{ row: string; version: string }[]>`
        select holder_id || ' ' || sec_id as row, xmin::text as version from securities.holding order by 1`
    ).map(({ row, version }) => [row, version] as const)
  const [kept, before] = [await stored(sql), new Map(await versions())]
  const [wrong, lacking] = CIKS
  await sql`update securities.holding set shares = 7.0 where holder_id = ${wrong!}`
  await sql`delete from securities.holding where holder_id = ${lacking!}`
  await sql`
    insert into securities.holding
    select (jsonb_populate_record(h, '{"holder_id": "0000000039"}')).* from securities.holding h limit 1`
  await makeAll(sql)
  assert.deepEqual(await stored(sql), kept)
  const same = (await versions()).flatMap(([row, version]) => (before.get(row) === version ? [row] : []))
  assert.deepEqual(
    same,
    CUSIPS.map((cusip) => `${CIKS[2]} ${cusip}`),
  )
})

/** Returns the index of holders that is not its key, and how many indexes of the slice are younger. */
async function indexOf(of: Sql) {
  const rows = await of<{ oid: number; of: string; made: string }[]>`
    select i.indexrelid::int as oid, c.relname as of, pg_get_indexdef(i.indexrelid) as made
    from pg_index i join pg_class c on c.oid = i.indrelid
    where c.relnamespace = 'securities'::regnamespace and not i.indisunique order by oid`
  const at = rows.findIndex((row) => row.of === 'holding')
  return { ...rows[at]!, younger: rows.length - 1 - at }
}

test('a rebuild builds the index of holders after the rows, and tables that are served keep it', async (t) => {
  const { sql } = await freshDatabase(t)
  await loadThree(sql)
  const [kept, before] = [await stored(sql), await indexOf(sql)]
  assert.ok(before.younger > 0)
  await rebuildProduct({ sql, slices: SLICES }, securities)
  const rebuilt = await indexOf(sql)
  assert.deepEqual(await stored(sql), kept)
  assert.deepEqual([rebuilt.made, rebuilt.younger], [before.made, 0])
  await sql`truncate securities.holding`
  await makeAll(sql)
  assert.deepEqual(await stored(sql), kept)
  assert.equal((await indexOf(sql)).oid, rebuilt.oid)
})
