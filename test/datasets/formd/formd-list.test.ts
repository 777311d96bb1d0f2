/** The declared list of Form D: its orders, filters and amendments, tested on rows as the loader stores them. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { z } from 'zod'
import type { row } from '../../../src/datasets/formd/answers.ts'
import { rows } from '../../../src/datasets/formd/queries.ts'
import { search } from '../../../src/datasets/formd/routes.ts'
import { offering, recipient } from '../../../src/datasets/formd/tables.ts'
import { cik } from '../../../src/declare/route.ts'
import { pageOf } from '../../../src/serve/lists/page.ts'
import { list, rowsOf, through } from '../../../src/serve/lists.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices, type Notice } from '../../support/formd-rows.ts'
import { byCursor, byOffset, type Query, pageOf as walked } from '../../support/list-walks.ts'

const { sql } = await freshDatabase({ after })
const context = testContext(sql)
const listed = { route: search, context, idOf: (one: Record<string, unknown>) => one.accession as string }

const accession = (n: number) => `0000000001-24-${String(n).padStart(6, '0')}`
const OFFERED = [null, '5', '5', '70000000000', '12']
const NAMES = ['Alpha', 'Beta Fund', 'Beta Fund', 'Gamma']
/** Exemptions claimed by two of the notices, by their number. Each other notice claims only 06b, once. */
const EXEMPTIONS: Readonly<Record<number, string[]>> = { 0: [], 6: ['06b', '3C.1', '06b'] }
const NOTICES = Array.from({ length: 23 }, (_, n): Notice => {
  const state = ['NY', 'CA', null][n % 3]!
  return {
    accession: accession(n),
    filedDate: `2024-01-0${1 + (n % 4)}`,
    name: NAMES[n % 4]!,
    offered: OFFERED[n % 5]!,
    state,
    cik: `00000000${10 + (n % 2)}`,
    exemptions: EXEMPTIONS[n] ?? ['06b'],
  }
})
await loadNotices(sql, [
  ...NOTICES,
  {
    accession: accession(100),
    filedDate: '2024-02-01',
    name: 'Delta',
    amends: accession(3),
    offered: '70000000001',
    exemptions: ['06b'],
  },
])

const ids = async (query: Query) => (await walked(listed, query)).ids

test('cursor pages list every notice once, in the same order as offset pages, in each sort and direction, with missing amounts', async () => {
  for (const sort of ['date', 'amount', 'name'])
    for (const dir of ['asc', 'desc']) {
      const query = { sort, dir }
      const whole = await byOffset(listed, query)
      assert.equal(new Set(whole).size, 24)
      for (const limit of [1, 5, 100])
        assert.deepEqual(await byCursor(listed, query, { limit }), whole, `${sort} ${dir}`)
      const last = { ...query, amended: 'latest' }
      const kept = whole.filter((one) => one !== accession(3))
      assert.deepEqual(await byOffset(listed, last), kept)
      for (const limit of [1, 5]) assert.deepEqual(await byCursor(listed, last, { limit }), kept, `${sort} ${dir}`)
    }
})

test('by default amounts descend and names ascend; missing amounts are last in both directions', async () => {
  assert.deepEqual(await ids({ sort: 'amount' }), await ids({ sort: 'amount', dir: 'desc' }))
  assert.deepEqual(await ids({ sort: 'name' }), await ids({ sort: 'name', dir: 'asc' }))
  const missing = NOTICES.filter(({ offered }) => offered === null).map((one) => one.accession)
  for (const dir of ['asc', 'desc']) {
    const last = (await ids({ sort: 'amount', dir })).slice(-missing.length)
    assert.deepEqual(last.sort(), missing.sort())
  }
  assert.equal((await ids({ sort: 'amount', dir: 'desc', limit: '1' }))[0], accession(100))
})

test('the row count respects the filters, and a notice names the later notice that amends it', async () => {
  const answer = (await search.run(search.input.parse({ count: 'exact', limit: '1' }), context)) as Answer
  assert.equal(answer.total, 24)
  const some = (await search.run(search.input.parse({ q: 'gamma', count: 'exact' }), context)) as Answer
  assert.equal(some.total, some.rows.length)
  const marked = some.rows.filter(({ amended_by }) => amended_by.length > 0)
  const pairs = marked.map((one) => [one.accession, one.amended_by])
  assert.deepEqual(pairs, [[accession(3), [accession(100)]]])
})

test('rows are counted by state, form, exemption and month; missing values count as null', async () => {
  const counted = async (count: string, query: Query = {}) => {
    const { value_counts } = (await search.run(search.input.parse({ ...query, count }), context)) as Answer
    return value_counts!.map(({ value, count: rows }) => `${value} ${rows}`).join(', ')
  }
  assert.equal(await counted('state', { form: 'D' }), 'CA 8, NY 8, null 7')
  assert.equal(await counted('state', { q: 'beta' }), 'CA 4, NY 4, null 4')
  assert.equal(await counted('form'), 'D 23, D/A 1')
  assert.equal(await counted('form', { amended: 'latest' }), 'D 22, D/A 1')
  assert.equal(await counted('month'), '2024-02 1, 2024-01 23')
  assert.equal(await counted('exemption', { state: 'NY', form: 'D' }), '06b 7, 3C.1 1, null 1')
})

interface Answer {
  rows: z.infer<typeof row>[]
  value_counts?: { value: string | null; count: number }[]
  total: number
}

test('each filter keeps only matching notices; several filters are combined with AND', async () => {
  const count = async (query: Query) => (await ids(query)).length
  const of = (keep: (one: Notice) => boolean) => NOTICES.filter(keep).length
  assert.equal(
    await count({ state: 'NY', form: 'D' }),
    of(({ state }) => state === 'NY'),
  )
  assert.equal(
    await count({ state: 'ny,ca', form: 'D' }),
    of(({ state }) => state === 'NY' || state === 'CA'),
  )
  assert.equal(
    await count({ min_amount: '12', form: 'D' }),
    of(({ offered }) => offered !== null && Number(offered) >= 12),
  )
  assert.equal(await count({ form: 'D/A' }), 1)
  assert.equal(
    await count({ cik: '10' }),
    of((one) => one.cik === '0000000010'),
  )
  assert.equal(
    await count({ q: 'beta' }),
    of(({ name }) => name === 'Beta Fund'),
  )
  assert.equal(
    await count({ from: '2024-01-02', to: '2024-01-03' }),
    of(({ filedDate }) => /0[23]$/.test(filedDate)),
  )
  assert.equal(await count({ exemption: '06B' }), 23)
  assert.equal(await count({ exemption: '3C.14' }), 0)
})

test('a value that no notice can have is refused, and the error lists the valid values', async () => {
  const refused = (query: Query, message: RegExp) =>
    assert.rejects(async () => search.run(search.input.parse(query), context), message)
  await refused({ state: 'ZZ' }, /state: "ZZ"/)
  await refused({ industry: 'pooled investment' }, /Pooled Investment Fund/)
  await refused({ exemption: '506b' }, /06b/)
})

test('a list declared with a missing column does not compile, and one that cannot be answered is an error', async () => {
  const common = { name: 'x', summary: 'x', tag: 'fundraising', rows, sources: {}, examples: [] } as const
  const ofCik = { column: 'cik', type: cik } as const
  // @ts-expect-error a column that the table does not have
  list('/x', { ...common, filters: { cik: { column: 'cick', type: cik } } })
  // @ts-expect-error this list of filings lacks the filer
  list('/x', { ...common, filters: { state: ofCik } })
  // @ts-expect-error this list has names without stored words
  list('/x', { ...common, filters: { cik: ofCik }, names: { says: 'x', of: ['city'] } })
  // @ts-expect-error this member is not a column and has no SQL
  rowsOf({ of: offering, row: z.object({ persons: z.int() }) })
  // @ts-expect-error the same, next to a member that the table of the filing has
  rowsOf({ of: recipient, row: z.object({ persons: z.int(), entity_name: z.string() }), filing: offering })
  const plan = { name: 'x', rows, sorts: { words: ['name_words'] }, filters: {}, names: [], day: 'filed_date' } as const
  const params = { limit: 1, offset: 0, sort: 'words' }
  await assert.rejects(
    pageOf(sql, { ...plan, sorts: { words: ['exemptions'] } }, params),
    /rows cannot be sorted by formd\.\w+\.exemptions/,
  )
  const both = { one: { ...through(recipient, 'crd'), type: cik }, two: { ...through(recipient, 'crd'), type: cik } }
  const dated = { ...plan, sorts: { words: ['-filed_date', '-accession'] as const }, filters: both }
  await assert.rejects(
    pageOf(sql, dated, { ...params, one: '1', two: '2' }),
    /only one filter of a request may go through another table/,
  )
})
