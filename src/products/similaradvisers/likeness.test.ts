/** Scores that were computed by hand, and lists that are checked against a comparison of all pairs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Figures, Similar } from './likeness.ts'
import { Population, SIMILAR_MAX } from './lists.ts'

const NOTHING: Omit<Figures, 'crd'> = {
  state: null,
  is_terminated: false,
  raum: null,
  clients: null,
  fund_count: null,
  fund_types: {},
  fund_values: {},
  comp: [],
}

const firm = (crd: string, given: Partial<Figures>): Figures => ({ ...NOTHING, crd, ...given })

const similarTo = (crd: string, ...firms: Figures[]) => new Population(firms).similarTo(crd)

/** Compares the second firm with the first. */
function pair(a: Partial<Figures>, b: Partial<Figures>): Similar | undefined {
  const firms = [firm('1', a), firm('2', b)]
  const [there] = similarTo('1', ...firms)
  const [back] = similarTo('2', ...firms)
  assert.deepEqual(there && { ...there, crd: '' }, back && { ...back, crd: '' }, 'likeness has no direction')
  return there
}

const known = { raum: '100' }

test('size is the smaller of two regulatory assets divided by the larger, and two amounts of 0 are equal', () => {
  assert.equal(pair({ raum: '250000000' }, { raum: '1000000000' })?.size, 2500)
  assert.equal(pair({ raum: '3' }, { raum: '1' })?.size, 3333)
  assert.equal(pair({ raum: '0' }, { raum: '0' })?.size, 10_000)
  assert.equal(pair({ raum: '0' }, { raum: '5' }), undefined)
})

test('firms without regulatory assets are compared only with each other, by the gross assets of their private funds', () => {
  const venture = (value: string) => ({
    fund_count: 1,
    fund_types: { 'Venture Capital Fund': 1 },
    fund_values: { 'Venture Capital Fund': value },
  })
  assert.equal(pair(venture('60'), venture('80'))?.size, 7500)
  const several = { fund_count: 2, fund_values: { 'Hedge Fund': '30', Other: '50' } }
  assert.equal(pair(several, venture('20'))?.size, 2500)
  assert.equal(pair(venture('60'), { ...venture('60'), raum: '60' }), undefined)
  const unvalued = pair({ ...venture('60'), fund_values: {} }, venture('80'))
  assert.deepEqual([unvalued?.size, unvalued?.fund], [0, 10_000])
})

test('client mixes are compared by their cosine', () => {
  // (3·4 + 4·3) / (5 · 5)
  const mixes = pair(
    { ...known, clients: { individuals: 3, hnw: 4 } },
    { ...known, clients: { individuals: 4, hnw: 3 } },
  )
  assert.equal(mixes?.serves, 9600)
  // 1 / √2
  assert.equal(
    pair({ ...known, clients: { pooled: 1 } }, { ...known, clients: { pooled: 0.5, other: 0.5 } })?.serves,
    7071,
  )
  assert.equal(pair({ ...known, clients: { pooled: 1 } }, { ...known, clients: { sovereign: 1 } })?.serves, 0)
  assert.equal(pair(known, { ...known, clients: { sovereign: 1 } })?.serves, 0)
  assert.equal(pair(known, known)?.serves, 0)
})

test('private funds are compared by gross assets, else by number, and two firms without private funds count as alike', () => {
  const hedge = { ...known, fund_count: 3, fund_types: { 'Hedge Fund': 2, Other: 1 } }
  // The shares 3/5 and 4/5, compared with a firm that has only hedge funds.
  const valued = {
    ...known,
    fund_count: 2,
    fund_types: { 'Hedge Fund': 1, Other: 1 },
    fund_values: { 'Hedge Fund': '300', Other: '400' },
  }
  const pure = { ...known, fund_count: 9, fund_types: { 'Hedge Fund': 9 }, fund_values: { 'Hedge Fund': '1' } }
  assert.equal(pair(valued, pure)?.fund, 6000)
  // The numbers (2, 1) / √5, compared with a firm that has only hedge funds.
  assert.equal(pair(hedge, pure)?.fund, 8944)
  assert.equal(pair({ ...known, fund_count: 0 }, { ...known, fund_count: 0 })?.fund, 10_000)
  assert.equal(pair({ ...known, fund_count: 0 }, hedge)?.fund, 0)
  assert.equal(pair({ ...known, fund_count: null }, { ...known, fund_count: 0 })?.fund, 0)
  assert.equal(
    pair({ ...known, fund_types: { 'Anything Else': 1 } }, { ...known, fund_types: { Other: 7 } })?.fund,
    10_000,
  )
})

test('compensation is compared by the boxes ticked', () => {
  const comp = (...boxes: number[]) => ({ ...known, comp: [1, 2, 3, 4, 5, 6, 7].map((box) => boxes.includes(box)) })
  // Two boxes in common, of three and of two: 2 / √(3 · 2)
  assert.equal(pair(comp(1, 4, 6), comp(1, 6))?.comp, 8165)
  assert.equal(pair(comp(1, 2, 3, 4, 5, 6, 7), comp(7))?.comp, 3780)
  assert.equal(pair(comp(1), comp(2))?.comp, 0)
  assert.equal(pair(comp(), comp(2))?.comp, 0)
})

test('the score weighs its parts as documented: .35 size, .30 serves, .20 fund, .10 comp, .05 state', () => {
  const found = pair(
    { raum: '2', state: 'NY', clients: { hnw: 3, other: 4 }, fund_count: 0, comp: [true] },
    { raum: '1', state: 'NY', clients: { hnw: 4, other: 3 }, fund_count: 0, comp: [true, true] },
  )
  // .35 · .5 + .3 · .96 + .2 · 1 + .1 · .7071 + .05 · 1 = .78371
  assert.deepEqual(found, { crd: '2', size: 5000, serves: 9600, fund: 10_000, comp: 7071, state: 10_000, score: 7837 })
})

test('a firm that shares only the state is not similar, and no firm is similar to itself', () => {
  assert.equal(pair({ state: 'NY' }, { state: 'NY' }), undefined)
  assert.deepEqual(similarTo('1', firm('1', known)), [])
  assert.deepEqual(similarTo('9', firm('1', known)), [])
})

test('a terminated firm is in no list of similar firms, but has such a list itself', () => {
  const firms = [firm('1', known), firm('2', { ...known, is_terminated: true }), firm('3', { raum: '50' })]
  assert.deepEqual(
    similarTo('1', ...firms).map(({ crd }) => crd),
    ['3'],
  )
  assert.deepEqual(
    similarTo('2', ...firms).map(({ crd }) => crd),
    ['1', '3'],
  )
})

test('firms with equal scores are ordered by CRD as a number, and a list ends after 25 firms', () => {
  const crds = ['100', '99', ...Array.from({ length: 30 }, (_, i) => String(200 - i))]
  const found = similarTo('185', ...crds.map((crd) => firm(crd, known)))
  const expected = crds
    .map(Number)
    .filter((crd) => crd !== 185)
    .sort((a, b) => a - b)
    .slice(0, SIMILAR_MAX)
  assert.deepEqual(
    found.map(({ crd }) => Number(crd)),
    expected,
  )
})

/** Numbers that look random and are the same each time. */
function randomly(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const TYPES = ['individuals', 'hnw', 'pooled', 'pensions', 'other']
const FUNDS = ['Hedge Fund', 'Private Equity Fund', 'Venture Capital Fund', 'Other']

/** Coarse figures, so that many scores are equal. */
function anyFirm(crd: string, below: (n: number) => number): Figures {
  const funds = below(3) === 0 ? FUNDS.filter(() => below(3) === 0) : []
  return {
    crd,
    state: below(8) === 0 ? null : ['NY', 'CA', 'TX'][below(3)]!,
    is_terminated: below(12) === 0,
    raum: below(3) === 0 ? null : below(10) === 0 ? '0' : String(10 ** below(4) * (1 + below(9))),
    clients:
      below(4) === 0 ? null : Object.fromEntries(TYPES.filter(() => below(2)).map((type) => [type, 1 + below(4)])),
    fund_count: below(5) === 0 ? null : funds.length,
    fund_types: Object.fromEntries(funds.map((type) => [type, 1 + below(3)])),
    fund_values: Object.fromEntries(funds.filter(() => below(4) > 0).map((type) => [type, String(below(5) * 100)])),
    comp: Array.from({ length: 7 }, () => [true, false, null][below(3)]!),
  }
}

/** Compares the firm with each other firm in a population of only these two, and sorts the results as documented. */
function byAllPairs(own: Figures, firms: readonly Figures[]): Similar[] {
  return firms
    .filter((other) => other.crd !== own.crd)
    .flatMap((other) => new Population([own, other]).similarTo(own.crd))
    .sort((a, b) => b.score - a.score || Number(a.crd) - Number(b.crd))
    .slice(0, SIMILAR_MAX)
}

test('lists equal the result of comparing all pairs, although few pairs are compared', () => {
  const below = randomly(7)
  const firms = Array.from({ length: 240 }, (_, i) => anyFirm(String(90 + i), below))
  const population = new Population(firms)
  let compared = 0
  for (const own of firms.filter((_, i) => i % 6 === 0)) {
    const expected = byAllPairs(own, firms)
    assert.deepEqual(population.similarTo(own.crd), expected, own.crd)
    compared += expected.length
  }
  assert.ok(compared > 900)
})

test('after a change, these lists differ and no others: lists of changed firms, lists with a changed firm, and lists that a changed firm enters', () => {
  const below = randomly(11)
  const before = Array.from({ length: 300 }, (_, i) => anyFirm(String(90 + i), below))
  const old = new Population(before)
  const lists = new Map(before.map(({ crd }) => [crd, old.similarTo(crd)]))
  // Two firms change, one is removed, one is added, one is terminated.
  const changed = ['100', '200', '150', '999', '300']
  const after = before
    .filter(({ crd }) => crd !== '150')
    .map((own) => (['100', '200'].includes(own.crd) ? anyFirm(own.crd, below) : own))
    .map((own) => (own.crd === '300' ? { ...own, is_terminated: true } : own))
  after.push(anyFirm('999', below))
  const now = new Population(after)
  const ends = [...lists].flatMap(([crd, list]) => {
    const last = list[SIMILAR_MAX - 1]
    return last ? [{ crd, score: last.score, last: last.crd }] : []
  })
  const touched = new Set([
    ...changed,
    ...now.entered(changed, ends),
    ...[...lists].filter(([, list]) => list.some(({ crd }) => changed.includes(crd))).map(([crd]) => crd),
  ])
  const kept = after.filter(({ crd }) => !touched.has(crd))
  for (const { crd } of kept) assert.deepEqual(now.similarTo(crd), lists.get(crd), crd)
  assert.ok(kept.length > 50, `only ${kept.length} lists are kept`)
})
