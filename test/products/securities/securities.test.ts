/** Securities with their holders: search and detail agree with the newest reports, whatever was loaded in between. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { compose, composed, type Reported } from '../../../src/datasets/thirteenf/compose.ts'
import { detail, movers, search } from '../../../src/products/securities/routes.ts'
import { Random } from '../../support/adv/random.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadManagers, makeAll, remove, stored } from '../../support/securities-made.ts'
import { often } from '../../support/soak.ts'
import type { Filed } from '../../support/thirteenf/made.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const ROUNDS = often('compared answers', { usual: 40, soak: 120 })

const CUSIPS = ['037833100', '594918104', '67066G104', '02079K305', '46625H100']

interface Row {
  sec_id: string
  cusip: string | null
  f13_holders: number | null
  f13_value: string | null
  combined_value: string
}
interface Detail {
  sec_id: string
  f13: {
    holder_count: number
    total_value: string
    holders: { cik: string; value: string; shares: string | null; period: string }[]
  }
}

const find = (query: Record<string, string> = {}) =>
  ask<{ rows: Row[]; next_cursor: string | null }>(sql, search, { limit: '100', ...query })
const of = (cusip: string, query: Record<string, string> = {}) =>
  ask<Detail | null>(sql, detail, { cusip, limit: '200', ...query })

/** Returns each manager's holdings at the end of each quarter, composed in memory. */
function composedOf(filings: readonly Filed[]) {
  return [...Map.groupBy(filings, ({ cik, period }) => `${cik} ${period}`).values()].flatMap((own) => {
    const { cik, period } = own[0]!
    if (cik === null || period === null) return []
    const steps = compose(
      own.map(
        ({ accession, filed, form, amendment, number, lines }): Reported => ({
          ...{ accession, filedDate: filed, submissionType: form ?? '13F-HR', amendmentNumber: number ?? null },
          ...{ amendmentType: amendment ?? null, positions: lines?.length ?? null, declaredEntries: null },
          value: lines && String(lines.reduce((sum, [, value]) => sum + value, 0)),
        }),
      ),
    ).filter(({ part }) => part !== 'replaced' && part !== 'left_out')
    if (steps.length === 0) return []
    const lines = composed(steps, (accession) =>
      own.find((one) => one.accession === accession)!.lines!.map(([cusip, value, more]) => ({ cusip, value, more })),
    )
    return [{ cik, period, lines, isWhole: steps.some(({ part }) => part === 'whole') }]
  })
}

/** Returns holdings by security from each manager's newest report: holders with their value. */
function expectedOf(filings: readonly Filed[]): Map<string, Map<string, { value: number; period: string }>> {
  const groups = composedOf(filings)
  const newest = groups.reduce((last, { period }) => (period > last ? period : last), '')
  const since = new Date(Date.UTC(Number(newest.slice(0, 4)), Number(newest.slice(5, 7)) - 15, 0))
    .toISOString()
    .slice(0, 10)
  const held = new Map<string, Map<string, { value: number; period: string }>>()
  for (const own of Map.groupBy(groups, ({ cik }) => cik).values()) {
    const last = own.sort((a, b) => (a.period < b.period ? 1 : -1))[0]!
    if (last.period < since) continue
    for (const { cusip, value, more } of last.lines) {
      if (more?.putCall) continue
      const id = cusip!.toUpperCase()
      const holders = held.get(id) ?? new Map()
      held.set(id, holders)
      holders.set(last.cik, { value: (holders.get(last.cik)?.value ?? 0) + value, period: last.period })
    }
  }
  return held
}

test('over random loads, amendments and removals, search and detail agree with the newest reports and with a full refresh', async () => {
  const random = new Random(11)
  const filings = new Map<string, Filed>()
  const periods = ['2022-03-31', '2022-09-30', '2023-06-30', '2023-09-30', '2023-12-31']
  const anyFiling = (accession: string): Filed => {
    const form = random.pick(['13F-HR', '13F-HR', '13F-HR/A', '13F-HR/A', '13F-NT'])
    const lines = Array.from({ length: random.pick([1, 3, 9]) }, () => {
      const cusip = random.pick(CUSIPS)
      const more = random.chance(0.2) ? { putCall: 'Put' } : random.chance(0.1) ? { kind: 'PRN' as const } : {}
      return [random.chance(0.2) ? cusip.toLowerCase() : cusip, random.int(1, 40) * 100, more] as const
    })
    return {
      ...{ accession, form, cik: `000000003${random.int(1, 5)}`, filed: `2024-0${random.int(2, 6)}-15` },
      period: random.pick(periods),
      amendment: form === '13F-HR/A' ? random.pick(['restatement', 'new_holdings', null] as const) : null,
      number: form === '13F-HR/A' ? random.int(1, 3) : null,
      lines: form === '13F-NT' ? null : lines,
    }
  }
  let holders = 0
  let flows = 0
  for (let round = 0; round < ROUNDS; round++) {
    const accession = `0000000030-24-0000${String(random.int(1, 25)).padStart(2, '0')}`
    if (filings.has(accession) && random.chance(0.4)) {
      filings.delete(accession)
      await remove(sql, 'thirteenf', accession)
    } else {
      const filing = anyFiling(accession)
      filings.set(accession, filing)
      await loadManagers(sql, filing)
    }
    const expected = expectedOf([...filings.values()])
    const { rows } = await find()
    assert.deepEqual(
      rows.filter((row) => row.f13_holders !== 0).map((row) => [row.sec_id, row.f13_holders, row.f13_value]).sort(),
      [...expected].map(([id, own]) => [id, own.size, String([...own.values()].reduce((sum, { value }) => sum + value, 0))]).sort(),
      `round ${round}`,
    ) // biome-ignore format: the two sides
    if (round % 10 === 0) {
      for (const row of rows) {
        const found = (await of(row.sec_id))!
        const own = expected.get(row.sec_id) ?? new Map()
        assert.deepEqual([found.f13.holder_count, found.f13.total_value], [row.f13_holders, row.f13_value])
        assert.deepEqual(
          found.f13.holders.map(({ cik, value, period }) => [cik, Number(value), period]).sort(),
          [...own].map(([cik, { value, period }]) => [cik, value, period]).sort(),
        )
        holders += own.size
      }
    }
    if (round % 3 === 0) flows += await compareFlows([...filings.values()], periods)
    const kept = await stored(sql)
    await makeAll(sql)
    assert.deepEqual(await stored(sql), kept, `round ${round}`)
  }
  assert.ok(holders > ROUNDS / 3, `${holders} holders compared`)
  assert.ok(flows > ROUNDS / 3, `${flows} securities bought or sold compared`)
})

/** Shares by manager and CUSIP of one quarter, of managers that reported it as a whole. */
function sharesOf(
  filings: readonly Filed[],
  period: string,
): Map<string, Map<string, { shares: number; value: number }>> {
  const own = composedOf(filings).filter((each) => each.period === period)
  return new Map(
    own.map(({ cik, lines, isWhole }) => {
      const shares = new Map<string, { shares: number; value: number }>()
      for (const { cusip, value, more } of lines) {
        if (more?.putCall || more?.kind === 'PRN') continue
        const before = shares.get(cusip!.toUpperCase()) ?? { shares: 0, value: 0 }
        shares.set(cusip!.toUpperCase(), { shares: before.shares + 10, value: before.value + value })
      }
      return [`${cik} ${isWhole}`, shares] as const
    }),
  )
}

async function compareFlows(filings: readonly Filed[], periods: readonly string[]): Promise<number> {
  let compared = 0
  for (const [at, period] of periods.entries()) {
    const before = sharesOf(filings, period === '2023-12-31' || period === '2023-09-30' ? periods[at - 1]! : 'none')
    const now = sharesOf(filings, period)
    const expected = new Map<string, [buyers: number, sellers: number, bought: number, sold: number]>()
    for (const [manager, own] of now) {
      const past = before.get(manager)
      if (!manager.endsWith('true') || !past) continue
      for (const cusip of new Set([...own.keys(), ...past.keys()])) {
        const change = (own.get(cusip)?.shares ?? 0) - (past.get(cusip)?.shares ?? 0)
        const sum = expected.get(cusip) ?? [0, 0, 0, 0]
        if (change > 0) expected.set(cusip, [sum[0] + 1, sum[1], sum[2] + change, sum[3]])
        if (change < 0) expected.set(cusip, [sum[0], sum[1] + 1, sum[2], sum[3] - change])
      }
    }
    const { rows } = await ask<{
      rows: { sec_id: string; buyer_count: number; seller_count: number; bought: string; sold: string }[]
    }>(sql, movers, { period })
    assert.deepEqual(
      rows.map((row) => [row.sec_id, row.buyer_count, row.seller_count, Number(row.bought), Number(row.sold)]).sort(),
      [...expected].map(([id, sum]) => [id, ...sum]).sort(),
    ) // biome-ignore format: the two sides
    compared += rows.length
  }
  return compared
}
