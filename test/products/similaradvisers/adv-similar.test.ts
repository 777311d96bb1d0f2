/**
 * Similar advisers as stored and answered: a refresh after a change of some firms gives the same lists as a full
 * rebuild.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import similarSlice from '../../../src/products/similaradvisers/index.ts'
import { SIMILAR_MAX } from '../../../src/products/similaradvisers/lists.ts'
import { similar } from '../../../src/products/similaradvisers/routes.ts'
import { ask, type Firm, filingRow, firmRow, put, putFirms, refresh } from '../../support/adv/rows.ts'
import { freshDatabase } from '../../support/database.ts'
import { remake } from '../../support/refreshed.ts'

interface Item {
  crd: string
  sim_size: number
  sim_serves: number
  sim_fund: number
  sim_comp: number
  same_state: number
  score: number
  [name: string]: unknown
}
type Answer = { items: Item[] }

const clients = (of: Record<string, number>) =>
  Object.fromEntries(
    Object.entries(of).map(([type, raum]) => [type, { count: null, fewer_than_5: null, raum: String(raum) }]),
  )

describe('an answer', () => {
  const FIRMS: Firm[] = [
    { crd: '1', name: 'Own', state: 'NY', raum_total: '100', clients: clients({ hnw: 3, pooled: 4 }), comp_pct_aum: true, advises_private_funds: false },
    { crd: '2', name: 'Twin', state: 'NY', city: 'NEW YORK', postal_code: '10282', raum_total: '100', clients: clients({ hnw: 30, pooled: 40 }), comp_pct_aum: true, advises_private_funds: false, has_disciplinary: true, filing_date: '2026-02-03' },
    { crd: '3', name: 'Half', state: 'CA', raum_total: '50', clients: clients({ hnw: 4, pooled: 3 }), comp_pct_aum: true, comp_hourly: true, comp_fixed: true, comp_other: true, advises_private_funds: false },
    { crd: '4', name: 'With funds', state: 'NY', raum_total: '100', clients: clients({ pooled: 1 }), comp_performance: true, advises_private_funds: true },
    { crd: '5', name: 'Gone', state: 'NY', raum_total: '100', clients: clients({ hnw: 3, pooled: 4 }), comp_pct_aum: true, registration_status: 'TERMINATED' },
    { crd: '999000001', name: 'Specimen', state: 'NY', raum_total: '100', clients: clients({ hnw: 3, pooled: 4 }), comp_pct_aum: true, advises_private_funds: false },
    { crd: '6', name: 'Exempt', state: 'NY', registration_type: 'ERA', advises_private_funds: true },
    { crd: '7', name: 'Exempt too', state: 'CA', registration_type: 'ERA', advises_private_funds: true },
  ] // biome-ignore format: one line each
  const fund = (filing_id: string, reference_id: string, fund_type: string, gross_asset_value: string) => ({
    filing_id,
    reference_id,
    name: reference_id,
    fund_type,
    gross_asset_value,
  })

  test('an answer has all fields that a client shows, and the scores equal a hand computation', async (t) => {
    const { sql } = await freshDatabase(t)
    const filed = (filing_id: string, crd: string, form = 'ERA') =>
      filingRow({ filing_id, crd, form, submitted_date: '2025-03-31', advises_private_funds: true })
    await put(sql, 'filing', [filed('10', '4', 'IA'), filed('20', '6'), filed('30', '7')])
    await put(sql, 'fund', [
      fund('10', 'a', 'Hedge Fund', '5'),
      fund('20', 'b', 'Venture Capital Fund', '300'),
      fund('20', 'c', 'Other', '400'),
      fund('30', 'd', 'Venture Capital Fund', '350'),
    ])
    await putFirms(sql, FIRMS)
    const of = async (crd: string) => (await ask<Answer>(sql, similar, { crd })).items

    const [twin, half, funds, ...rest] = await of('1')
    const { lat, lng, ...shown } = twin!
    assert.ok(Math.abs(Number(lat) - 40.7) < 0.1 && Math.abs(Number(lng) + 74) < 0.1)
    assert.deepEqual(shown, {
      id: '2',
      crd: '2',
      firm_name: 'Twin',
      city: 'NEW YORK',
      state: 'NY',
      total_raum: '100',
      latest_filing_date: '2026-02-03',
      has_disciplinary: true,
      dominant_fund_type: null,
      shared_fund_types: [],
      sim_size: 1,
      sim_serves: 1,
      sim_fund: 1,
      sim_comp: 1,
      same_state: 1,
      score: 1,
    })
    // .35 · .5 + .3 · 24/25 + .2 · 1 + .1 · 1/√4 + .05 · 0 = .713
    assert.deepEqual(scores(half!), ['3', 0.5, 0.96, 1, 0.5, 0, 0.713])
    // .35 · 1 + .3 · 4/5 + .2 · 0 + .1 · 0 + .05 · 1 = .64
    assert.deepEqual(scores(funds!), ['4', 1, 0.8, 0, 0, 1, 0.64])
    assert.deepEqual(rest, [], 'no firm is similar that is gone, has another measure of size or is a specimen')
    assert.deepEqual(await of('999000001'), [])

    // 350 of 700; 3/5 of the assets in the type that both have: .35 · .5 + .2 · .6 = .295
    const [other, ...more] = await of('6')
    assert.deepEqual(scores(other!), ['7', 0.5, 0, 0.6, 0, 0, 0.295])
    assert.deepEqual(
      [other!.dominant_fund_type, other!.shared_fund_types],
      ['Venture Capital Fund', ['Venture Capital Fund']],
    )
    assert.deepEqual(more, [])
    assert.deepEqual(
      (await of('5')).map(({ crd }) => crd),
      ['1', '2', '4', '3'],
    )
    for (const crd of FIRMS.map((firm) => firm.crd)) {
      const answer = await ask<Answer>(sql, similar, { crd })
      assert.deepEqual(similar.output!.safeParse(answer).error?.issues ?? [], [])
    }
    assert.deepEqual((await ask<Answer>(sql, similar, { crd: '1', limit: '1' })).items.length, 1)
    assert.equal(await ask(sql, similar, { crd: '999' }), null)
    assert.throws(() => similar.input.parse({ crd: '1', limit: '26' }))
  })
})

const scores = ({ crd, sim_size, sim_serves, sim_fund, sim_comp, same_state, score }: Item) => [
  crd,
  sim_size,
  sim_serves,
  sim_fund,
  sim_comp,
  same_state,
  score,
]

/** Numbers that look random and are the same each time. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

/** Enough firms that a change of a few makes only some of the lists. */
const FIRMS = 400
const STEPS = 12

test('lists after any change of a few firms equal a full rebuild', async (t) => {
  const { sql } = await freshDatabase(t)
  const below = randomly(3)
  const anyFirm = (crd: string): Firm => ({
    crd,
    name: `Specimen ${crd}`,
    state: below(9) === 0 ? null : ['NY', 'CA', 'TX'][below(3)],
    raum_total: below(4) === 0 ? null : String((1 + below(9)) * 10 ** below(5)),
    clients: below(4) === 0 ? {} : clients(Object.fromEntries(['hnw', 'pooled', 'pensions'].map((type) => [type, below(3)]))),
    advises_private_funds: [true, false, null][below(3)],
    comp_pct_aum: below(2) === 0,
    comp_fixed: below(3) === 0,
    comp_performance: below(4) === 0,
    registration_status: below(15) === 0 ? 'TERMINATED' : 'APPROVED',
  }) // biome-ignore format: one line each
  const crds = Array.from({ length: FIRMS }, (_, i) => String(95 + i))
  await putFirms(sql, crds.map(anyFirm))
  const stored = () => sql<{ crd: string; rank: number; other_crd: string; score: string }[]>`
    select * from similaradvisers.firm order by crd, rank`
  const before = new Set((await stored()).map(({ crd }) => crd)).size
  assert.ok(before > FIRMS * 0.9)
  let kept = 0
  for (let step = 0; step < STEPS; step++) {
    const changed = Array.from({ length: 1 + below(4) }, () => String(95 + below(FIRMS + 5)))
    const ids = async () =>
      new Map(
        (
          await sql<
            { crd: string; id: string }[]
          >`select crd, min(xmin::text) as id from similaradvisers.firm group by crd`
        ).map(({ crd, id }) => [crd, id]),
      )
    const old = await ids()
    await sql`delete from adv.firm where crd = any(${changed})`
    const back = [...new Set(changed)].filter(() => below(6) > 0)
    await put(
      sql,
      'firm',
      back.map((crd) => firmRow(anyFirm(crd))),
    )
    await refresh(sql, 'IA_FIRM_SEC', changed)
    const after = await stored()
    kept += [...(await ids())].filter(([crd, id]) => old.get(crd) === id).length
    await remake(sql, similarSlice)
    assert.deepEqual(after, await stored(), `step ${step}, ${changed}`)
    assert.ok(after.every((row) => row.rank <= SIMILAR_MAX && row.crd !== row.other_crd))
  }
  assert.ok(kept > STEPS * FIRMS * 0.3, `only ${kept} lists were left as they were`)
})
