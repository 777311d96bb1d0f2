/** Refreshing only the rows that a load changed gives the same rows as a full refresh. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FeedFirm, openAdv } from '../../support/adv/load.ts'
import { loadFilings } from '../../support/spine-rows.ts'

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

const FIRMS = 9
const MONTHS = ['2025-11', '2026-03', '2026-06']
const NAMES = ['Alpha Specimen', 'Beta Specimen', 'Gamma Specimen', 'Delta Specimen']
const STEPS = 40

test('over random loads, restatements and disappearances, a partial refresh equals a full one', async (t) => {
  // Builds a history again from all files.
  const world = await openAdv(t, true)
  const next = random(20260723)
  const below = (n: number) => Math.floor(next() * n)
  const one = <T>(all: readonly T[]): T => all[below(all.length)]!
  const some = <T>(value: T) => (next() < 0.6 ? value : undefined)
  const crd = () => String(9000000500 + below(FIRMS))
  const day = (month: string) => `${month}-${String(1 + below(28)).padStart(2, '0')}`

  // Names of one filer, names of two filers, and a file number in a header.
  const filer = (n: number, cik: string, name: string, form = '10-K') =>
    ({
      accession: `0000000000-26-${String(n).padStart(6, '0')}`,
      form,
      filed: '2026-01-05',
      filers: [[cik, name]],
    }) as const
  await loadFilings(world.sql, [
    filer(1, '11', NAMES[0]!),
    filer(2, '12', NAMES[1]!),
    filer(3, '13', NAMES[1]!),
    filer(4, '14', NAMES[2]!),
    filer(5, '15', 'Another', 'ADV-E'),
  ])
  await world.sql`
    insert into edgar.submission (accession, sha256, bytes, source_url, header, documents)
    values ('0000000000-26-000005', '', 0, '', '{"filers":[{"cik":"0000000015","fileNumber":"801-3"}]}', '[]')`

  const firm = (own: string): FeedFirm => ({
    crd: own,
    name: one(NAMES),
    legal: one(NAMES),
    filed: day(one(MONTHS)),
    ...Object.fromEntries(
      Object.entries({
        number: some(`801-${below(5)}`),
        city: some(one(['NEW YORK', 'Zürich'])),
        state: some(one(['NY', 'MA'])),
        zip: some(one(['10282', '02110'])),
        country: some('United States'),
        registered: some('2012-05-06'),
      }).filter(([, value]) => value !== undefined),
    ),
    items:
      next() < 0.5
        ? {}
        : { '5F': { Q5F2C: String(below(1000)) }, '7B': { Q7B: one(['Y', 'N']) }, '11': { Q11: one(['Y', 'N']) } },
  })
  let today = Date.parse('2025-12-01')
  const shown = { IA_FIRM_SEC: new Map<string, FeedFirm>(), IA_FIRM_STATE: new Map<string, FeedFirm>() }
  // No step changes this record, since an edition without records is refused.
  const constant = firm('9000000599')

  async function feed(series: keyof typeof shown) {
    today += 86_400_000 * (1 + below(40))
    const firms = shown[series]
    for (let n = 0; n < 3; n++) {
      const own = crd()
      if (next() < 0.4) firms.delete(own)
      else if (series === 'IA_FIRM_SEC')
        firms.set(own, { ...firm(own), type: one(['Registered', 'ERA']), status: one(['APPROVED', 'TERMINATED']) })
      else
        firms.set(own, { ...firm(own), [one(['states', 'era'])]: [['NY', one(['APPROVED', 'TERMED']), '2020-01-02']] })
    }
    await world.feed(series, new Date(today).toISOString().slice(0, 10), [constant, ...firms.values()])
  }

  async function month() {
    const of = one(MONTHS)
    const lines = Array.from({ length: below(6) }, () => {
      const [year, number, date] = day(of).split('-')
      return {
        FilingID: String(100 * (1 + MONTHS.indexOf(of)) + below(8)),
        DateSubmitted: `${number}/${date}/${year}`,
        '1E1': crd(),
        '1A': one(NAMES),
        '1B1': one(NAMES),
        '1D': one(['801-3', '801-4', '']),
        '5F2c': one(['', '5', '700']),
        '7B': one(['Y', 'N', '']),
        '1F1-State': one(['', 'NY']),
      }
    })
    const filings = [...new Map(lines.map((line) => [line.FilingID, line])).values()]
    const about = filings.filter(() => next() < 0.5)
    await world.month(of, {
      IA_ADV_Base_A: [
        { FilingID: `${of.replace('-', '')}9`, DateSubmitted: `${of}-01`, '1E1': '9000000599', '1A': 'Constant' },
        ...filings,
      ],
      ERA_ADV_Base: filings.filter(() => next() < 0.3),
      IA_1D3_CIK: about.map(({ FilingID }) => ({ FilingID, CIK: String(11 + below(4)) })),
      IA_Schedule_D_1B: about.map(({ FilingID }) => ({ FilingID, 'Other Business Name': one(NAMES) })),
      IA_Schedule_D_7B1: about.map(({ FilingID }) => ({
        FilingID,
        'Fund Name': 'Specimen Fund',
        'Fund ID': '805-1',
        ReferenceID: '1',
        'Fund Type': one(['Hedge Fund', 'Other', '']),
        'Gross Asset Value': one(['', '17']),
      })),
      ADV_Filing_Types: about.map(({ FilingID }) => ({
        FilingID,
        [one(['Initial SEC ERA Report', 'Final SEC ERA Report'])]: 'Y',
      })),
    })
  }

  async function withdrawals() {
    const of = one(MONTHS)
    const lines = Array.from({ length: 1 + below(3) }, (_, n) => {
      const [year, number, date] = day(of).split('-')
      const id = String(1000 * (1 + MONTHS.indexOf(of)) + n)
      return {
        'Filing ID': id,
        'CRD Number': crd(),
        'Filing Type': one(['FULL', 'PARTIAL']),
        'Filing Date': `${number}/${date}/${year}`,
      }
    })
    await world.withdrawals(of, lines)
  }

  const seen = { terminated: false, links: 0, methods: new Set<string>(), advisers: 0, former: 0 }
  for (let step = 0; step < STEPS; step++) {
    const act = one([() => feed('IA_FIRM_SEC'), () => feed('IA_FIRM_STATE'), month, month, withdrawals])
    await act()
    const before = await world.rollups()
    await world.refreshAll()
    assert.deepEqual(before, await world.rollups(), `step ${step}`)
    seen.former += before['adv.former_name']!.length
    const advisers = before['adv.adviser']!
    seen.advisers = Math.max(seen.advisers, advisers.length)
    seen.terminated ||= advisers.some((row) => row.includes('"is_terminated": true'))
    for (const { method } of await world.sql<{ method: string }[]>`select method from links.link`)
      seen.methods.add(method)
  }
  assert.ok(seen.advisers > FIRMS / 2 && seen.terminated)
  assert.deepEqual([...seen.methods].sort(), ['801_number', 'adv_cik', 'name'])
  assert.ok(seen.former > STEPS)

  // Displayed names are not part of the compared tables. They must be the same after all files are read again, even
  // from the archive alone.
  const history = () =>
    world.sql<Record<string, unknown>[]>`select * from bulk.history order by series, key, field, from_day`
  const [before, shownBefore] = [await world.rollups(), await history()]
  await world.rebuild()
  assert.deepEqual([await world.rollups(), [...(await history())]], [before, [...shownBefore]])
  await world.sql`truncate bulk.history`
  await world.rebuild()
  assert.deepEqual([await world.rollups(), [...(await history())]], [before, [...shownBefore]])
})
