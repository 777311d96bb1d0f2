/** Securities held by funds and money market funds: search and detail agree with the newest reports. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { detail, search } from '../../../src/products/securities/routes.ts'
import { Random } from '../../support/adv/random.ts'
import { freshDatabase } from '../../support/database.ts'
import { type FundReport, loadFunds, makeAll, remove, stored } from '../../support/securities-made.ts'
import { often } from '../../support/soak.ts'
import { ask } from '../../support/thirteenf/submissions.ts'

const { sql } = await freshDatabase({ after })

const APPLE = {
  cusip: '037833100',
  isin: 'US0378331005',
  ticker: 'AAPL',
  name: 'Apple Inc',
  lei: 'HWUPKR0MPOU8FGXBT394',
}
const NESTLE = { isin: 'CH0038863350', name: 'Nestle SA' }
const SPACE = { name: 'Space Exploration Technologies Corp.', restricted: true }
const SECURITIES = [APPLE, NESTLE, SPACE, { cusip: '594918104', name: 'Microsoft Corp' }]
const IDS = ['037833100', 'isin~CH0038863350', `name~${Buffer.from('space exploration technologies corp').toString('base64url')}`, '594918104'] // biome-ignore format: a list

interface Row {
  sec_id: string
  cusip: string | null
  is_private: boolean
  issuer_name: string
  f13_holders: number | null
  fund_count: number | null
  nport_value: string | null
  mmf_count: number | null
  nmfp_value: string | null
  combined_value: string
  ticker: string | null
}
interface Held {
  fund_count: number
  total_value: string | number
  holders: { fund_id: string; value: string; period: string; accession: string; shares?: string | null }[]
}
interface Detail extends Row {
  f13: { holder_count: number; total_value: string; holders: { cik: string; value: string }[] }
  nport: Held
  nmfp: Held
}

const ROUNDS = often('compared answers', { usual: 35, soak: 100 })

const find = (query: Record<string, string> = {}) =>
  ask<{ rows: Row[]; next_cursor: string | null }>(sql, search, { limit: '100', ...query })
const of = (cusip: string) => ask<Detail>(sql, detail, { cusip, limit: '200' })

/** Returns holdings by the newest report of each fund, without reports over 15 months older than the newest quarter. */
function expectedOf(reports: readonly FundReport[]) {
  const quarter = (day: string) => `${day.slice(0, 4)}Q${Math.ceil(Number(day.slice(5, 7)) / 3)}`
  const number = (day: string) => Number(day.slice(0, 4)) * 4 + Math.ceil(Number(day.slice(5, 7)) / 3)
  const newest = [
    ...Map.groupBy(
      reports.filter(({ period, filed }) => period <= filed),
      ({ fund }) => fund,
    ).values(),
  ].map(
    (own) =>
      own.sort((a, b) =>
        `${a.period} ${a.filed} ${a.accession}` < `${b.period} ${b.filed} ${b.accession}` ? 1 : -1,
      )[0]!,
  )
  const last = Math.max(...newest.map(({ period }) => number(period)))
  const held = new Map<string, Map<string, { value: number; period: string; accession: string }>>()
  for (const { fund, period, accession, lines } of newest) {
    if (number(period) < last - 5) continue
    for (const line of lines) {
      if (line.asset === 'DE') continue
      const id = IDS[SECURITIES.findIndex(({ name }) => name === line.name)]!
      const own = held.get(id) ?? new Map()
      held.set(id, own)
      own.set(fund, { value: (own.get(fund)?.value ?? 0) + line.value, period, accession })
    }
  }
  assert.ok(quarter('2024-01-31') === '2024Q1')
  return held
}

for (const form of ['nport', 'nmfp'] as const) {
  test(`${form}: over random reports, amendments and removals, search and detail agree with the newest reports and with a full refresh`, async () => {
    const random = new Random(form === 'nport' ? 21 : 22)
    const filed = new Map<string, FundReport>()
    const funds = ['0000000041-S000000001', '0000000041-S000000002', '0000000042']
    const periods = ['2022-07-31', '2022-08-31', '2023-10-31', '2023-11-30', '2023-12-31', '2024-01-31']
    let compared = 0
    for (let round = 0; round < ROUNDS; round++) {
      const accession = `0000000040-24-0000${String(random.int(10, 34))}`.replace('40', form === 'nport' ? '40' : '41')
      if (filed.has(accession) && random.chance(0.4)) {
        filed.delete(accession)
        await remove(sql, form, accession)
      } else {
        const report: FundReport = {
          ...{
            accession,
            fund: random.pick(funds),
            filed: `2024-0${random.int(2, 5)}-20`,
            period: random.pick(periods),
          },
          lines: Array.from({ length: random.int(0, 5) }, () => ({
            ...random.pick(SECURITIES),
            ...(form === 'nport' && random.chance(0.1) ? { asset: 'DE' } : {}),
            value: random.int(1, 9) * 1000,
          })),
        }
        filed.set(accession, report)
        await loadFunds(sql, form, report)
      }
      const expected = expectedOf([...filed.values()])
      const { rows } = await find()
      const [count, value] =
        form === 'nport' ? (['fund_count', 'nport_value'] as const) : (['mmf_count', 'nmfp_value'] as const)
      assert.deepEqual(
        rows.filter((row) => row[count]).map((row) => [row.sec_id, row[count], row[value]]).sort(),
        [...expected].map(([id, own]) => [id, own.size, String([...own.values()].reduce((sum, { value }) => sum + value, 0))]).sort(),
        `round ${round}`,
      ) // biome-ignore format: the two sides
      for (const [id, own] of expected) {
        const found = (await of(id))[form]
        assert.equal(found.fund_count, own.size)
        assert.equal(
          Number(found.total_value),
          [...own.values()].reduce((sum, { value }) => sum + value, 0),
        )
        assert.deepEqual(
          found.holders.map(({ fund_id: fund, value, period, accession }) => [fund, Number(value), period, accession]).sort(),
          [...own].map(([fund, { value, period, accession }]) => [fund, value, period, accession]).sort(),
        ) // biome-ignore format: the two sides
        compared += own.size
      }
      const kept = await stored(sql)
      await makeAll(sql)
      assert.deepEqual(await stored(sql), kept, `round ${round}`)
    }
    assert.ok(compared > 2 * ROUNDS, `${compared} holders compared`)
    for (const accession of filed.keys()) await remove(sql, form, accession)
    assert.deepEqual((await find()).rows, [])
  })
}
