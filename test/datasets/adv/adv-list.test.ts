/** The list of advisers: orders, filters, and totals from tallies. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { list } from '../../../src/datasets/adv/routes.ts'
import { connect } from '../../../src/store/db.ts'
import { ask, type Firm, filingRow, put, putFirms, refresh } from '../../support/adv/rows.ts'
import { freshDatabase } from '../../support/database.ts'
import { readOf } from '../../support/list-walks.ts'

interface Row {
  crd: string
  adviser_type: string
  firm_name: string
  state: string | null
  latest_raum: string | null
  has_disciplinary: boolean | null
  is_terminated: boolean
}
type Counts = { value: string | null; count: number }[]
type Page = { rows: Row[]; total: number; limit: number; offset: number; value_counts?: Counts }

const { sql, target } = await freshDatabase({ after })

const page = (query: Record<string, string> = {}) => ask<Page>(sql, list, query)
const counts = async (by: string, query: Record<string, string>) => (await page({ ...query, count: by })).value_counts!
const crds = async (query: Record<string, string> = {}) => (await page(query)).rows.map(({ crd }) => crd).join(' ')

const ERA = { registration_type: 'ERA', registration_status: 'ACTIVE' }
const OVER = { registration_status: 'TERMINATED', registration_date: '2026-05-01' }
const FIRMS: Firm[] = [
  { crd: '1', name: 'Zeta Wealth', state: 'NY', raum_total: '5000000000', filing_date: '2026-03-01', has_disciplinary: false, sec_number: '801-1' },
  { crd: '2', name: 'Ångström Partners', state: 'NY', raum_total: '70', filing_date: '2026-03-02', has_disciplinary: true },
  { crd: '3', name: 'alpha_one LLC', state: 'CA', raum_total: '70', filing_date: '2026-03-01', has_disciplinary: null },
  { crd: '10', name: 'Beta 100% Advisers', state: null, raum_total: '900', filing_date: '2025-12-31', has_disciplinary: false, country: 'France' },
  { crd: '20', name: 'Beta Capital', state: 'CA', raum_total: null, filing_date: '2026-03-03', has_disciplinary: null, ...ERA },
  { crd: '21', name: 'Gamma Ventures', state: 'NY', raum_total: null, filing_date: null, has_disciplinary: false, ...ERA },
  { crd: '30', name: 'Old Capital', state: 'TX', raum_total: '0', filing_date: '2024-01-01', has_disciplinary: true, ...OVER },
] // biome-ignore format: one line each

before(async () => {
  const filing = (filing_id: string, crd: string, form: string) =>
    filingRow({
      filing_id,
      crd,
      form,
      submitted_date: FIRMS.find((firm) => firm.crd === crd)!.filing_date,
      advises_private_funds: true,
    })
  await put(sql, 'filing', [filing('100', '1', 'IA'), filing('200', '20', 'ERA')])
  await put(sql, 'fund', [
    { filing_id: '100', reference_id: '1', name: 'A', fund_type: 'Hedge Fund' },
    { filing_id: '100', reference_id: '2', name: 'B', fund_type: 'Liquidity Fund' },
    { filing_id: '100', reference_id: '3', name: 'C', fund_type: 'Hedge Fund' },
    { filing_id: '200', reference_id: '1', name: 'D', fund_type: 'Hedge Fund' },
  ])
  await putFirms(sql, FIRMS)
})

test('firms are sorted by regulatory assets, newest filing or name; ties are sorted by CRD, and unknown values come last in both directions', async () => {
  assert.equal(await crds(), '1 10 2 3 30 20 21')
  assert.equal(await crds({ order: 'asc' }), '30 2 3 10 1 20 21')
  assert.equal(await crds({ sort: 'date' }), '20 2 1 3 10 30 21')
  assert.equal(await crds({ sort: 'date', order: 'asc' }), '30 10 1 3 2 20 21')
  assert.equal(await crds({ sort: 'name', order: 'asc' }), '3 2 10 20 21 30 1')
  assert.equal(await crds({ sort: 'name', order: 'desc' }), '1 30 21 20 10 2 3')
})

test('a row has the fields of the contract and the registration standing of the firm', async () => {
  const { rows } = await page({ q: 'zeta' })
  assert.deepEqual(rows, [
    {
      id: '1',
      crd: '1',
      adviser_type: 'IA',
      firm_name: 'Zeta Wealth',
      city: null,
      state: 'NY',
      country: 'United States',
      latest_raum: '5000000000',
      latest_filing_date: '2026-03-01',
      has_disciplinary: false,
      fund_count: 3,
      funds_by_type: { 'Hedge Fund': 2, 'Liquidity Fund': 1 },
      funds_rest: { without_type: 0, reported_by_another_adviser: 0 },
      sec_file_number: '801-1',
      registration_status: 'APPROVED',
      is_terminated: false,
    },
  ])
  const declared = list.output!.safeParse(await page())
  assert.deepEqual(declared.error?.issues ?? [], [])
})

test('names are found by any part, ignoring case and accents; % and _ are not wildcards', async () => {
  assert.equal(await crds({ q: 'CAPITAL', sort: 'name', order: 'asc' }), '20 30')
  assert.equal(await crds({ q: 'angstrom' }), '2')
  assert.equal(await crds({ q: '100%' }), '10')
  assert.equal(await crds({ q: 'a_o' }), '3')
  assert.equal((await page({ q: '%' })).total, 1)
  assert.equal((await page({ q: 'no such' })).total, 0)
})

test('each filter returns exactly the firms that match it', async () => {
  assert.equal(await crds({ state: 'ny' }), '1 2 21')
  assert.equal(await crds({ state: 'CA,TX' }), '3 30 20')
  assert.equal(await crds({ adviser_type: 'ERA' }), '20 21')
  assert.equal(await crds({ exclude_terminated: 'true' }), '1 10 2 3 20 21')
  assert.equal(await crds({ has_disciplinary: 'true' }), '2 30')
  assert.equal(await crds({ has_disciplinary: 'false' }), '1 10 21')
  assert.equal(await crds({ fund_type: 'hedge fund' }), '1 20')
  assert.equal(await crds({ fund_type: 'Liquidity Fund' }), '1')
  assert.equal(await crds({ fund_type: 'Hedge Fund', adviser_type: 'ERA', state: 'CA' }), '20')
  assert.equal(await crds({ fund_type: 'Securitized Asset Fund' }), '')
})

test('the total equals the number of rows for every combination of filters', async () => {
  const choices = {
    q: ['', 'a', 'beta'],
    state: ['', 'NY', 'CA,TX', 'WY'],
    adviser_type: ['', 'IA', 'ERA'],
    fund_type: ['', 'Hedge Fund', 'Liquidity Fund'],
    exclude_terminated: ['', 'true'],
    has_disciplinary: ['', 'true', 'false'],
  }
  let queries: Record<string, string>[] = [{}]
  for (const [name, values] of Object.entries(choices)) {
    queries = queries.flatMap((query) => values.map((value) => (value === '' ? query : { ...query, [name]: value })))
  }
  for (const query of queries) {
    const { rows, total } = await page({ ...query, limit: '100' })
    assert.equal(total, rows.length, JSON.stringify(query))
    const states = Map.groupBy(rows, ({ state }) => state)
    assert.deepEqual(
      new Map((await counts('state', query)).map(({ value, count }) => [value, count])),
      new Map([...states].map(([state, firms]) => [state, firms.length])),
      JSON.stringify(query),
    )
  }
})

test('firms are counted by state, type and kind of fund, with and without the tally table', async () => {
  const counted = async (by: string, query: Record<string, string> = {}) =>
    (await counts(by, query)).map(({ value, count }) => `${value} ${count}`).join(', ')
  assert.equal(await counted('state'), 'NY 3, CA 2, TX 1, null 1')
  assert.equal(await counted('adviser_type'), 'IA 5, ERA 2')
  assert.equal(await counted('fund_type'), 'null 5, Hedge Fund 2, Liquidity Fund 1')
  assert.equal(await counted('fund_type', { state: 'NY' }), 'null 2, Hedge Fund 1, Liquidity Fund 1')
  assert.equal(await counted('fund_type', { q: 'capital' }), 'Hedge Fund 1, null 1')
  assert.equal(await counted('fund_type', { fund_type: 'Liquidity Fund' }), 'Hedge Fund 1, Liquidity Fund 1')
  assert.equal(await counted('state', { min_raum: '70' }), 'NY 2, CA 1, null 1')
  assert.equal(await counted('adviser_type', { q: 'capital' }), 'ERA 1, IA 1')
  const { total, value_counts } = await page({ count: 'state', limit: '1', fund_type: 'Hedge Fund' })
  assert.deepEqual(
    [total, value_counts],
    [
      2,
      [
        { value: 'CA', count: 1 },
        { value: 'NY', count: 1 },
      ],
    ],
  )
})

test('after a firm has changed, totals and rows of the list show its new values', async () => {
  await sql`update adv.firm set state = 'WY', has_disciplinary = true where crd = '3'`
  await refresh(sql, 'IA_FIRM_SEC', ['3'])
  const { rows, total } = await page({ state: 'WY', has_disciplinary: 'true' })
  assert.deepEqual([rows.map(({ crd }) => crd), total], [['3'], 1])
  assert.equal((await page({ state: 'CA' })).total, 1)
})

test('pages neither repeat nor miss a firm, and each states its request', async () => {
  for (const sort of ['raum', 'date', 'name']) {
    for (const order of ['asc', 'desc']) {
      const whole = (await crds({ sort, order })).split(' ')
      const pages: string[] = []
      for (let offset = 0; offset < whole.length; offset += 3) {
        pages.push(await crds({ sort, order, limit: '3', offset: String(offset) }))
      }
      assert.deepEqual(pages.join(' ').split(' '), whole)
    }
  }
  const { limit, offset, total, rows } = await page({ limit: '2', offset: '99' })
  assert.deepEqual({ limit, offset, total, rows }, { limit: 2, offset: 99, total: 7, rows: [] })
  assert.equal((await page()).limit, 50)
})

test('refuses an invalid sort, order, page or flag', () => {
  for (const bad of [{ sort: 'nonsense' }, { order: 'sideways' }, { limit: '101' }, { limit: '0' }, { limit: '1.5' }, { offset: '-1' }, { state: 'New York' }, { adviser_type: 'BD' }, { has_disciplinary: 'perhaps' }, { q: '' }, { nonsense: '1' }])
    assert.throws(() => list.input.parse(bad), JSON.stringify(bad)) // biome-ignore format: one list
})

test('states the total on a page after the last matching firm', async () => {
  const { rows, total } = await page({ q: 'capital', offset: '50' })
  assert.deepEqual([rows, total], [[], 2])
  assert.equal((await page({ q: 'no such', offset: '50' })).total, 0)
})

/**
 * Number of generated firms. A quarter of them are exempt and have no assets; in the order of assets they come last.
 */
const GENERATED = 12_000
const STATES = ['AL', 'AK', 'AZ', 'AR', 'CO', 'CT', 'DE', 'FL', 'GA', 'HI', 'ID', 'IL']
/**
 * Maximum number of index entries that are read for a page of ten rows. A combination of filters that one firm in fifty
 * meets reads 500 index entries.
 */
const ENTRIES_MAX = 1200

test('each order uses an index that includes the filtered columns, even if no earlier entry matches', async (t) => {
  await sql`
    insert into adv.adviser
    select made.* from adv.adviser a, generate_series(1, ${GENERATED}::int) n, lateral jsonb_populate_record(a, jsonb_build_object(
      'crd', (1000 + n)::text, 'name_key', md5(n::text), 'state', (${STATES}::text[])[1 + n / 12 % 12],
      'adviser_type', case when n % 4 = 0 then 'ERA' else 'IA' end,
      'latest_raum', case when n % 4 = 0 then null else hashint4(n)::bigint + 3000000000 end,
      'latest_filing_date', date '2024-01-01' + n % 700, 'has_disciplinary', n % 3 = 0, 'is_terminated', n % 10 = 0
    )) made where a.crd = '1'`
  await sql`vacuum analyze adv.adviser`
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  for (const sort of ['raum', 'date', 'name'])
    for (const order of ['asc', 'desc'])
      for (const filter of [{}, { state: 'CO' }, { adviser_type: 'ERA' }, { adviser_type: 'ERA', state: 'CO' }])
        for (const more of [{}, { exclude_terminated: 'true' }, { has_disciplinary: 'true' }]) {
          const query = { ...filter, ...more, sort, order, limit: '10' }
          const read = await readOf(one, ['adv.adviser'], async () => {
            assert.equal((await ask<Page>(one, list, query)).rows.length, 10, JSON.stringify(query))
          })
          assert.ok(read > 0 && read <= ENTRIES_MAX, `${JSON.stringify(query)}: ${read}`)
        }
})
