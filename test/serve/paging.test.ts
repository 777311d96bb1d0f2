/**
 * Lists of brokers, portals, managers and advisers by cursor, compared with the same lists by offset.
 *
 * @server it compares two ways of ordering texts and nulls
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { z } from 'zod'
import { list as advisers } from '../../src/datasets/adv/routes.ts'
import { portals } from '../../src/datasets/cfportal/routes.ts'
import { managers } from '../../src/datasets/thirteenf/routes.ts'
import { search as brokers } from '../../src/datasets/x17a5/routes.ts'
import type { Code } from '../../src/declare/api-errors.ts'
import { byCursor as byCursorParameters } from '../../src/declare/paging.ts'
import type { Route } from '../../src/declare/route.ts'
import { search as newAdvisers } from '../../src/products/newadvisers/routes.ts'
import registry from '../../src/registry.ts'
import { connect } from '../../src/store/db.ts'
import { testContext } from '../support/context.ts'
import { freshDatabase } from '../support/database.ts'
import {
  byCursor,
  byOffset,
  forged,
  keysIn,
  type Listed,
  pageOf,
  putRows,
  type Query,
  readOf,
} from '../support/list-walks.ts'

const { sql, target } = await freshDatabase({ after })
const context = testContext(sql, { catalog: registry })
const listed = (route: Route, id: 'cik' | 'crd'): Listed => ({ route, context, idOf: (row) => row[id] as string })

const NAMES = ['alpha', 'beta fund', 'beta fund', 'gamma "x"', 'ångström']
const STATES = ['NY', 'CA', null]
const DAYS = ['2024-02-29', '2023-12-31', '2024-03-01', '2024-03-01']
/** Picks one of the values by a pattern that differs between lists. */
const pick = <T>(from: readonly T[], n: number, salt: number): T => from[(n * 7 + ((n * salt) % 11)) % from.length]!
const tenDigits = (n: number) => String(n).padStart(10, '0')
const accession = (n: number) => `${tenDigits(n)}-24-000001`

const put = {
  async brokers(numbers: readonly number[]) {
    const common = (n: number) => ({ accession: accession(n), filed_date: pick(DAYS, n, 3), state: pick(STATES, n, 5) })
    await putRows(
      sql,
      'x17a5.report',
      numbers.map((n) => ({ ...common(n), broker_name: pick(NAMES, n, 2) })),
    )
    await putRows(
      sql,
      'x17a5.broker',
      numbers.map((n) => ({
        ...common(n),
        cik: tenDigits(n),
        name_key: pick(NAMES, n, 2),
        material_weakness: n % 3 === 0,
      })),
    )
  },
  async managers(numbers: readonly number[]) {
    await putRows(
      sql,
      'thirteenf.report',
      numbers.map((n) => ({ accession: accession(n), submission_type: '13F-HR', manager_name: pick(NAMES, n, 2) })),
    )
    await putRows(
      sql,
      'thirteenf.filer',
      numbers.map((n) => ({
        ...{ cik: tenDigits(n), accession: accession(n), name_key: pick(NAMES, n, 2), period: pick(DAYS, n, 3) },
        value: pick(['0', '5', '5', '70000000000000000000', '12.50'], n, 4),
      })),
    )
  },
  async portals(numbers: readonly number[]) {
    await putRows(
      sql,
      'cfportal.filing',
      numbers.flatMap((n) =>
        Array.from({ length: pick([1, 2, 2, 3], n, 2) }, (_, filed) => ({
          ...{ cik: tenDigits(n), accession: `${tenDigits(n)}-24-00000${filed}`, filed_date: pick(DAYS, n, 3 + filed) },
          ...{ submission_type: filed === 0 ? 'CFPORTAL' : 'CFPORTAL/A', state: pick(STATES, n, 5) },
          ...{ name: pick(NAMES, n, 2), name_key: pick(NAMES, n, 2), search_key: pick(NAMES, n, 2) },
        })),
      ),
    )
  },
  async advisers(numbers: readonly number[]) {
    await putRows(
      sql,
      'adv.adviser',
      numbers.map((n) => ({
        ...{ crd: String(n), firm_name: pick(NAMES, n, 2), name_key: pick(NAMES, n, 2), state: pick(STATES, n, 5) },
        ...{ adviser_type: n % 4 === 0 ? 'ERA' : 'IA', is_terminated: n % 5 === 0, has_disciplinary: n % 3 === 0 },
        latest_raum: pick([null, '0', '5', '5', '70000000000000000000', null], n, 4),
        latest_filing_date: pick([null, ...DAYS], n, 3),
        first_filing_date: pick([null, ...DAYS], n, 6),
      })),
    )
  },
}

const ROWS = 43
const STOOD = Array.from({ length: ROWS }, (_, n) => 2 * n + 2)
for (const load of Object.values(put)) await load(STOOD)
/** The number of the next row that the test inserts. */
let coming = 1

const orders = (sorts: readonly string[], dir = 'dir'): Query[] =>
  sorts.flatMap((sort) => ['asc', 'desc'].map((to) => ({ sort, [dir]: to })))

const LISTS: Record<string, { list: Listed; put: (numbers: readonly number[]) => Promise<void>; orders: Query[]; filters: Query[] }> = {
  brokers: { list: listed(brokers, 'cik'), put: put.brokers, orders: orders(['date', 'name']), filters: [{ state: 'NY,CA' }, { q: 'beta fund' }, { weakness: 'true', state: 'NY' }] },
  managers: { list: listed(managers, 'cik'), put: put.managers, orders: orders(['value', 'period', 'name']), filters: [{ q: 'beta fund' }] },
  portals: { list: listed(portals, 'cik'), put: put.portals, orders: orders(['date', 'name', 'first', 'filings']), filters: [{ state: 'CA' }, { q: 'beta fund', status: 'active' }] },
  advisers: { list: listed(advisers, 'crd'), put: put.advisers, orders: orders(['raum', 'date', 'name'], 'order'), filters: [{ state: 'NY' }, { state: 'NY,CA', adviser_type: 'IA' }, { q: 'beta fund', exclude_terminated: 'true' }] },
  newAdvisers: { list: listed(newAdvisers, 'crd'), put: put.advisers, orders: [{}], filters: [{ state: 'NY,CA' }, { q: 'beta fund' }] },
} // biome-ignore format: one list a line

for (const [name, { list, orders, filters, put }] of Object.entries(LISTS)) {
  test(`${name}: pages by cursor return every row once and in the same order as by offset, for any page size`, async () => {
    for (const order of orders) {
      const whole = await byOffset(list, order)
      assert.ok(whole.length >= ROWS)
      for (const limit of [1, 2, 7, 1000])
        assert.deepEqual(await byCursor(list, order, { limit }), whole, `${JSON.stringify(order)} by ${limit}`)
      for (const filter of filters) {
        const query = { ...order, ...filter }
        const some = await byOffset(list, query)
        assert.ok(some.length > 3 && some.length < whole.length, `${JSON.stringify(query)}: ${some.length}`)
        assert.deepEqual(await byCursor(list, query, { limit: 2 }), some, JSON.stringify(query))
      }
    }
  })

  test(`${name}: rows that are inserted during paging do not shift existing rows, and the total stays`, async () => {
    const first = coming
    for (const order of orders) {
      const stood = await byOffset(list, order)
      const between = async () => {
        await put([coming])
        coming += 2
      }
      const walked = await byCursor(list, order, { limit: 7, between })
      assert.equal(new Set(walked).size, walked.length, 'no row occurs twice')
      const before = new Set(stood)
      assert.deepEqual(
        walked.filter((id) => before.has(id)),
        stood,
      )
    }
    assert.ok(coming > first + 5)
  })

  test(`${name}: a cursor is refused with 400 if it is damaged, forged, from another list, order or filter, or combined with an offset`, async () => {
    const [order] = orders as [Query]
    const { next } = await pageOf(list, { ...order, paginate: 'cursor', limit: '1' })
    const cursor = next!
    const refused = (query: Query, message: RegExp, code: Code = 'invalid_cursor') =>
      assert.rejects(pageOf(list, { ...order, ...query }), { status: 400, message, code }, JSON.stringify(query))
    const foreign = /^cursor: not one that this list returned$/
    await refused({ cursor, offset: '1' }, /^cursor: cannot be combined with offset$/, 'conflicting_parameters')
    for (const other of orders.slice(1))
      await refused({ cursor, ...other }, /^cursor: belongs to another order of the rows; /)
    for (const filter of filters) await refused({ cursor, ...filter }, /^cursor: belongs to other filters; /)
    await refused({ cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'B' : 'A'}` }, foreign)
    await refused({ cursor: '' }, foreign)
    const [other] = Object.values(LISTS).filter((one) => one.list.route !== list.route)
    const elsewhere = await pageOf(other!.list, { paginate: 'cursor', limit: '1' })
    await refused({ cursor: elsewhere.next! }, foreign)
    // In a cursor, the list, the order, the filters and the total come before the keys. A total must be a number. A CIK
    // or CRD number is never null.
    await refused({ cursor: forged(cursor, 4, 'x') }, foreign)
    await refused({ cursor: forged(cursor, 4 + keysIn(cursor).length, null) }, foreign)
    await assert.rejects(pageOf(list, { ...order, cursor: forged(cursor, 5, '') }), { status: 400 })
    assert.equal(list.route.input.safeParse({ paginate: 'offset' }).success, false)
  })
}

test('a cursor value that the sort column could not store never reaches the database', async () => {
  const values = { raum: ['x', '1e5', '', '1.', '9'.repeat(70)], date: ['2026-02-30', 'infinity', ''], name: [null] }
  for (const [sort, wrong] of Object.entries(values)) {
    const { next } = await pageOf(LISTS.advisers!.list, { sort, paginate: 'cursor', limit: '1' })
    for (const value of wrong)
      await assert.rejects(pageOf(LISTS.advisers!.list, { sort, cursor: forged(next!, 5, value) }), { status: 400 })
  }
  const { next } = await pageOf(LISTS.portals!.list, { sort: 'filings', paginate: 'cursor', limit: '1' })
  for (const value of ['1.5', '-1', '9999999999'])
    await assert.rejects(pageOf(LISTS.portals!.list, { sort: 'filings', cursor: forged(next!, 5, value) }), {
      status: 400,
    })
})

test('even without `paginate` the database query returns the cursor of the next page, and each list declares that it is paged', async () => {
  for (const [name, { list }] of Object.entries(LISTS)) {
    assert.equal(typeof (await pageOf(list, { limit: '1' })).next, 'string')
    assert.equal((await pageOf(list, {}, { limit: 1000 })).next, null)
    assert.equal(list.route.list!.paged, true, name)
  }
})

test('every paged route of the registry accepts the same `paginate` and `cursor`, and returns `next_cursor`', () => {
  const paged = registry.routes.filter(({ list }) => list?.paged)
  for (const { name, input, output } of paged) {
    assert.equal(input.shape.paginate, byCursorParameters.paginate, name)
    assert.equal(input.shape.cursor, byCursorParameters.cursor, name)
    assert.ok('next_cursor' in (output as z.ZodObject).shape, name)
  }
  // An answer of a route that is paged only by offset is composed from all holdings. Without a limit, one answer has
  // all rows.
  const whole = (route: Route) => route.input.shape.limit?.safeParse(undefined).data === undefined
  const byOffsetAlone = registry.routes.filter((route) => 'offset' in route.input.shape && !route.list?.paged)
  assert.deepEqual(
    byOffsetAlone.filter((route) => !whole(route)).map(({ path }) => path),
    [],
  )
  assert.ok(paged.length >= 8)
})

/**
 * Maximum number of index entries that a page of ten rows may read: a few ranges of eleven rows each, and the joined
 * rows.
 */
const ENTRIES_MAX = 60
const MADE = 12_000

test('the page after 11,000 rows reads only a few ranges of an index, for every indexed order of every list', async (t) => {
  const grow = (table: string, id: string, changes: string, some = id) => sql`
    insert into ${sql(table)}
    select made.* from ${sql(table)} a, generate_series(1, ${MADE}::int) n, lateral jsonb_populate_record(a, jsonb_build_object(
      ${id}::text, (1000000000 + n)::text, ${sql.unsafe(changes)}
    )) made where a.${sql(some)} = (select min(${sql(some)}) from ${sql(table)})`
  await grow('x17a5.broker', 'cik', `'name_key', md5((n / 2)::text), 'filed_date', date '2000-01-01' + n / 3`)
  await grow(
    'thirteenf.filer',
    'cik',
    `'name_key', md5((n / 2)::text), 'period', date '2000-01-01' + n / 3, 'value', n / 2`,
  )
  await grow('adv.adviser', 'crd', `'name_key', md5((n / 2)::text), 'state', case when n % 2 = 0 then 'NY' end,
    'latest_raum', case when n % 10 > 0 then n / 2 end, 'latest_filing_date', case when n % 10 > 0 then date '2000-01-01' + n / 3 end,
    'first_filing_date', case when n % 10 > 0 then date '2000-01-01' + n / 3 end`) // biome-ignore format: one value a column
  await sql`vacuum analyze x17a5.broker, thirteenf.filer, adv.adviser`
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  const tables = { brokers: 'x17a5.broker', managers: 'thirteenf.filer', advisers: 'adv.adviser', newAdvisers: 'adv.adviser' } // biome-ignore format: a table
  for (const [name, table] of Object.entries(tables)) {
    const { list, orders } = LISTS[name]!
    for (const order of orders) {
      const deep = await pageOf(list, { ...order, paginate: 'cursor' }, { limit: 10, offset: 11_000 })
      const connected = { ...list, context: { ...context, sql: one } }
      const read = await readOf(one, [table], async () => {
        const page = await pageOf(connected, { ...order, cursor: deep.next!, limit: '10' })
        assert.equal(page.ids.length, 10)
      })
      assert.ok(read > 0 && read <= ENTRIES_MAX, `${name} ${JSON.stringify(order)}: ${read}`)
    }
  }
})
