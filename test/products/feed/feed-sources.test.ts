/**
 * /feed over several sources at once, and its features beyond the contract: cursors in every order, selected fields.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { search } from '../../../src/products/feed/routes.ts'
import { encodeCursor } from '../../../src/serve/page.ts'
import { testContext } from '../../support/context.ts'
import { loadOffers, type Offer } from '../../support/crowdfunding-rows.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices, type Notice } from '../../support/formd-rows.ts'
import { valuesIn } from '../../support/list-walks.ts'

type Row = Record<string, string | null>
type Answer = { rows: Row[]; next_cursor: string | null }
type Query = Record<string, string>

async function ask(query: Query): Promise<Answer> {
  return (await search.run(search.input.parse(query), testContext(sql))) as Answer
}

const DAYS = ['2024-01-05', '2024-02-05', '2024-03-05']
const NAMES = ['Ärger AG', 'alpha', 'Alpha', 'beta "B"', 'Zeta']
const STATES = ['CA', 'NY', null]
const AMOUNTS = ['0', '90', '100', '100.50', null]
const pick = <T>(values: readonly T[], n: number): T => values[n % values.length]!

/** Many rows with few values, so that every order has long runs of equal keys that only the accession distinguishes. */
function notices(): Notice[] {
  return Array.from({ length: 60 }, (_, n) => ({
    accession: `0000000001-24-${String(n).padStart(6, '0')}`,
    filedDate: pick(DAYS, n),
    name: pick(NAMES, n * 3),
    state: pick(STATES, n >> 1),
    offered: pick(AMOUNTS, n >> 2),
  }))
}

/** Every third offer has the accession of a notice; only the source distinguishes the two. */
function offers(): Offer[] {
  return Array.from({ length: 45 }, (_, n) => ({
    accession: `000000000${n % 3 === 0 ? 1 : 2}-24-${String(n).padStart(6, '0')}`,
    filedDate: pick(DAYS, n),
    name: pick(NAMES, n * 3),
    state: pick(STATES, n >> 1),
    target: pick(AMOUNTS, n >> 2),
    maximum: null,
  }))
}

const { sql } = await freshDatabase({ after })
await loadNotices(sql, notices())
await loadOffers(sql, offers())

const ORDERS = ['date', 'amount', 'name', 'state'].flatMap((sort) => ['asc', 'desc'].map((dir) => ({ sort, dir })))
const key = (row: Row) => `${row.source} ${row.accession}`

/** Returns all rows by offset, in one order. */
async function whole(query: Query): Promise<string[]> {
  const pages = await Promise.all([0, 50, 100].map((offset) => ask({ ...query, offset: String(offset) })))
  return pages.flatMap(({ rows }) => rows.map(key))
}

async function walk(query: Query): Promise<string[]> {
  const seen: string[] = []
  let cursor: string | null = null
  do {
    const page: Answer = await ask({ ...query, paginate: 'cursor', ...(cursor ? { cursor } : {}) })
    assert.ok(page.rows.length > 0, 'a cursor led to an empty page')
    seen.push(...page.rows.map(key))
    cursor = page.next_cursor
  } while (cursor !== null)
  return seen
}

for (const { sort, dir } of ORDERS) {
  test(`cursor pages of sort=${sort} dir=${dir} return every row of every source once, in order`, async () => {
    const expected = await whole({ sort, dir })
    assert.equal(new Set(expected).size, 105)
    for (const limit of ['1', '7', '50']) assert.deepEqual(await walk({ sort, dir, limit }), expected, limit)
  })
}

for (const dir of ['asc', 'desc']) {
  // PostgreSQL may keep a plan for all values from the sixth time on.
  test(`pages by date (${dir}) have the same rows as pages with a filter that all rows meet, even when their named statement runs for the eighth time`, async () => {
    const expected = await whole({ sort: 'date', dir, from: '2000-01-01' })
    for (let time = 1; time <= 8; time++) {
      assert.deepEqual(await whole({ sort: 'date', dir }), expected)
      assert.deepEqual(await walk({ sort: 'date', dir, limit: '20' }), expected)
    }
  })
}

test('cursor pages respect the filters and sources of the request', async () => {
  for (const query of [
    { state: 'NY' },
    { q: 'alpha' },
    { type: 'crowdfunding' },
    { type: 'formd', q: 'ARGER' },
  ] as Query[])
    for (const { sort, dir } of ORDERS) {
      const expected = await whole({ ...query, sort, dir })
      assert.ok(expected.length > 7)
      assert.deepEqual(await walk({ ...query, sort, dir, limit: '3' }), expected)
    }
})

test('a filing that arrives between two pages in descending date order shifts no rows', async () => {
  const first = await ask({ limit: '5' })
  const before = await ask({ limit: '5', cursor: first.next_cursor! })
  const accession = '0000000009-24-000001'
  await loadOffers(sql, [{ accession, filedDate: '2024-12-31' }])
  assert.equal((await ask({ limit: '1' })).rows[0]!.accession, accession)
  assert.deepEqual(await ask({ limit: '5', cursor: first.next_cursor! }), before)
  await sql`delete from crowdfunding.submission where accession = ${accession}`
})

test('without `paginate=cursor`, orders other than the default accept no cursor', async () => {
  for (const { sort, dir } of ORDERS) {
    const isDefault = sort === 'date' && dir === 'desc'
    const { next_cursor } = await ask({ sort, dir, limit: '3', paginate: 'cursor' })
    assert.ok(next_cursor)
    const taken = ask({ sort, dir, limit: '3', cursor: next_cursor })
    if (isDefault) assert.equal((await taken).rows.length, 3)
    else await assert.rejects(taken, { status: 400, message: /^cursor: only with sort=date and dir=desc/ })
  }
})

test('a cursor of another order, and a cursor together with an offset, are refused with the reason', async () => {
  for (const made of ORDERS) {
    const cursor = (await ask({ ...made, limit: '3', paginate: 'cursor' })).next_cursor!
    for (const other of ORDERS.filter((order) => order.sort !== made.sort || order.dir !== made.dir))
      await assert.rejects(ask({ ...other, cursor, paginate: 'cursor' }), {
        status: 400,
        message:
          'cursor: belongs to another order of the rows; send the parameters of the request that returned the cursor, or begin without a cursor',
      })
    await assert.rejects(ask({ ...made, cursor, paginate: 'cursor', offset: '1' }), { status: 400, message: /offset/ })
  }
})

test('a cursor is refused with other filters or sources, and continues with other fields or another limit', async () => {
  const query: Query = { state: 'NY', type: 'formd,crowdfunding' }
  const cursor = (await ask({ ...query, limit: '3' })).next_cursor!
  for (const other of [{ state: 'CA' }, { state: 'NY,CA' }, { q: 'alpha' }, { type: 'formd' }, { industry: 'Other' }])
    await assert.rejects(ask({ ...query, ...(other as Query), cursor }), {
      status: 400,
      message:
        'cursor: belongs to other filters; send the parameters of the request that returned the cursor, or begin without a cursor',
    })
  await assert.rejects(ask({ cursor }), { status: 400, message: /^cursor: belongs to other filters/ })
  const same: Query = { state: 'NY', type: 'crowdfunding,formd,formd', fields: 'accession,source', limit: '2' }
  assert.deepEqual((await ask({ ...same, cursor })).rows.map(key), (await whole(query)).slice(3, 5))
})

test('an invented cursor is 400, whatever it contains', async () => {
  const head = valuesIn((await ask({ limit: '1', sort: 'amount', paginate: 'cursor' })).next_cursor!).slice(0, -4)
  const [list, , , ...filters] = head
  const cursorOf = (sort: string, dir: string, ...keys: (string | null)[]) =>
    encodeCursor([list!, sort, dir, ...filters, ...keys])
  const taken = await ask({
    ...{ sort: 'amount', paginate: 'cursor' },
    cursor: cursorOf('amount', 'desc', '1', '2024-01-05', '0000000001-24-000001', 'formd'),
  })
  assert.ok(taken.rows.length > 0)
  const refused = (...made: Parameters<typeof cursorOf>) =>
    assert.rejects(
      ask({ sort: 'amount', paginate: 'cursor', cursor: cursorOf(...made) }),
      { status: 400, message: /^cursor: / },
      JSON.stringify(made),
    )
  const place = ['2024-01-05', '0000000001-24-000001', 'formd'] as const
  for (const value of ['', 'abc', 'NaN', 'Infinity', '1e5', "1' or true", ' 1'])
    await refused('amount', 'desc', value, ...place)
  await refused('amount', 'sideways', '1', ...place)
  await refused('__proto__', 'desc', '1', ...place)
  await refused('name', 'desc', null, ...place)
  await refused('amount', 'desc', '1', '2024-02-30', place[1], 'formd')
  await refused('amount', 'desc', '1', '2024-01-05', place[1], null)
  await refused('amount', 'desc', '1', ...place, 'more')
  await refused('amount', 'desc', '1')
})

test('paginate has one allowed value', () => {
  assert.equal(search.input.safeParse({ paginate: 'offset' }).success, false)
})
