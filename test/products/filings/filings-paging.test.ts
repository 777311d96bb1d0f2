/**
 * /filings by cursor: complete walks, filings that arrive meanwhile, refusals, and the number of rows that a deep page
 * reads.
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSpine } from '../../../bench/spine.ts'
import { NAMED_ORDER_MAX } from '../../../src/products/filings/queries-named.ts'
import { search } from '../../../src/products/filings/routes.ts'
import registry from '../../../src/registry.ts'
import { connect, type Transaction } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices } from '../../support/formd-rows.ts'
import { byCursor, byOffset, forged, type Listed, pageOf, type Query, readOf } from '../../support/list-walks.ts'
import { filerNamesFiled, loadFilings } from '../../support/spine-rows.ts'

const { sql, target } = await freshDatabase({ after })
const context = testContext(sql, { catalog: registry })
const list: Listed = { route: search, context, idOf: (row) => row.accession as string }
const FILINGS = 30_000
await generateSpine(sql, FILINGS, 5)
const [busy, other] = await sql<{ cik: string; name: string }[]>`
  select cik, min(company_name) as name from edgar.filing group by cik having count(*) > 60 order by count(*), cik limit 2`
const notices = await sql<{ accession: string; filedDate: string; name: string }[]>`
  select accession, filed_date as "filedDate", company_name as name from edgar.filing
  where form_type in ('D', 'D/A') order by hashtext(accession) limit 120`
await loadNotices(
  sql,
  notices.map((notice, n) => ({ ...notice, industry: n % 3 === 0 ? null : 'Oil and Gas', offered: null })),
)
const [{ from } = { from: '' }] = await sql<{ from: string }[]>`
  select filed_date as from from edgar.filing order by filed_date desc offset 300 limit 1`

const tree = (node: unknown) => JSON.stringify(node)
const leaf = (field: string, op: string, value: unknown) => ({ field, op, value })

/** One query for each way in which filings are found: each uses another index, or several. */
const QUESTIONS: Record<string, Query> = {
  'all of a few weeks': { from },
  'a filer': { cik: busy!.cik },
  'several filers': { filters: tree(leaf('cik', 'in', [busy!.cik, other!.cik])) },
  'a rare name': { q: busy!.name },
  'a common name': { q: 'e', from },
  'a common name and a form': { q: 'e', form: '10-K', from },
  'an item': { item: '1.03' },
  'a form': { form: '4', from },
  'rare forms': { filters: tree(leaf('form_type', 'in', ['10-K', 'D', '485BPOS'])), from },
  'forms but one': { filters: tree({ not: leaf('form_type', 'eq', '4') }), from },
  'a family': { family: 'formd', from },
  'a facet': { family: 'formd', filters: tree(leaf('industry', 'eq', 'Oil and Gas')) },
  'a facet without a value': { family: 'formd', filters: tree(leaf('industry', 'is_null', true)) },
  'either of two names': { filters: tree({ or: [leaf('company_name', 'named', busy!.name), leaf('company_name', 'named', other!.name)] }) },
  'accessions': { filters: tree(leaf('accession', 'in', notices.slice(0, 20).map(({ accession }) => accession))) },
} // biome-ignore format: one question a line

const ORDERS: Query[] = ['date', 'name'].flatMap((sort) => ['asc', 'desc'].map((dir) => ({ sort, dir })))

for (const order of ORDERS) {
  test(`by ${order.sort} ${order.dir}: cursor pages return every filing once, in the order of offset pages, for each way of finding`, async () => {
    for (const [name, question] of Object.entries(QUESTIONS)) {
      const query = { ...question, ...order }
      const whole = await byOffset(list, query)
      assert.ok(whole.length > 4 && new Set(whole).size === whole.length, `${name}: ${whole.length}`)
      const limit = whole.length < 100 ? 7 : 50
      assert.deepEqual(await byCursor(list, query, { limit }), whole, name)
    }
    const few = { ...QUESTIONS.accessions, ...order }
    for (const limit of [1, 2, 1000]) assert.deepEqual(await byCursor(list, few, { limit }), await byOffset(list, few))
    const all = await byCursor(list, order, { limit: 5000 })
    assert.equal(new Set(all).size, FILINGS)
    assert.deepEqual(all.slice(20_000, 20_050), (await pageOf(list, { ...order, offset: '20000' })).ids)
  })
}

test('filings that arrive during a walk shift no rows of the earlier filings', async () => {
  let n = 0
  for (const order of ORDERS)
    for (const query of [
      { q: busy!.name, ...order },
      { cik: busy!.cik, ...order },
      { form: '4', from, ...order },
    ]) {
      const stood = await byOffset(list, query)
      const between = async () => {
        const filed = n % 2 === 0 ? '1993-01-05' : '2026-11-01'
        await loadFilings(sql, [
          { accession: `0000000007-25-${String(++n).padStart(6, '0')}`, form: '4', filed, filers: [[busy!.cik, busy!.name]] },
        ]) // biome-ignore format: one filing
      }
      const walked = await byCursor(list, query, { limit: 31, between })
      assert.equal(new Set(walked).size, walked.length, 'no filing occurs twice')
      const before = new Set(stood)
      assert.deepEqual(
        walked.filter((id) => before.has(id)),
        stood,
      )
    }
  assert.ok(n > 12)
})

test('a damaged or forged cursor, one of another order, query or list, and one with an offset are 400; offset keeps its limit', async () => {
  const query = { q: 'e', sort: 'name' }
  const cursor = (await pageOf(list, { ...query, paginate: 'cursor' })).next!
  const refused = (more: Query, message: RegExp) =>
    assert.rejects(pageOf(list, { ...query, ...more }), { status: 400, message }, JSON.stringify(more))
  const foreign = /^cursor: not one that this list returned$/
  await refused({ cursor, offset: '1' }, /^cursor: cannot be combined with offset$/)
  await refused({ cursor, sort: 'date' }, /^cursor: belongs to another order of the rows; /)
  await refused({ cursor, dir: 'desc' }, /^cursor: belongs to another order of the rows; /)
  for (const more of [{ q: 'a' }, { family: 'formd' }, { form: '4' }, { filters: tree(leaf('has_text', 'eq', true)) }] as Query[])
    await refused({ cursor, ...more }, /^cursor: belongs to other filters; /) // biome-ignore format: one list
  await refused({ cursor: `A${cursor.slice(1)}` }, foreign)
  await refused({ cursor: forged(cursor, 0, 'brokers') }, foreign)
  await refused({ cursor: forged(cursor, 6, '2026-02-30') }, foreign)
  await refused({ cursor: forged(cursor, 5, null) }, foreign)
  await refused(
    { paginate: 'cursor', offset: String(NAMED_ORDER_MAX) },
    /^offset: in the order of names, offset reaches at most /,
  )
})

/** Loads filings of a form that no other test uses: for each of these filers, one filing on each of its days. */
async function filed(form: string, names: readonly (readonly [cik: number, name: string, days: readonly string[]])[]) {
  await loadFilings(
    sql,
    names.flatMap(([cik, name, days]) =>
      days.map((day, n) => ({
        ...{ accession: `${String(cik).padStart(10, '0')}-25-${String(n).padStart(6, '0')}`, form, filed: day },
        filers: [[String(cik), name] as const],
      })),
    ),
  )
}

test('in the order of a very common name, a walk continues across short pages and ends with the last filing', async () => {
  const COUNT = NAMED_ORDER_MAX + 300
  const called = (n: number) => `FALCON ${String(n).padStart(6, '0')}`
  await sql.begin(async (tx: Transaction) => {
    await tx`
      insert into edgar.filer_name (cik, name, name_key)
      select lpad((9000000 + n)::text, 10, '0'), 'FALCON ' || lpad(n::text, 6, '0'), 'falcon ' || lpad(n::text, 6, '0')
      from generate_series(1, ${COUNT}::int) n`
    await filerNamesFiled(
      tx,
      tx`
      select name_id, cik, name, name_key, 1 as filings, '2025-01-01'::date as last_filed
      from edgar.filer_name where name like 'FALCON %'`,
    )
  })
  await sql`analyze edgar.filer_search, edgar.filer_word`
  // The 208th name is the last that is tried at first for a page of seven. Two filers have this name, and one of them
  // filed later.
  await filed('X-FALCON', [
    [9000003, called(3), ['2025-03-01', '2025-02-01', '2025-01-01', '2024-12-01', '2024-11-01', '2024-10-01']],
    [9000208, called(208), ['2025-01-02', '2025-01-01']],
    [8000208, called(208), ['2025-05-05', '2024-05-05']],
    [9005000, called(5000), ['2025-01-01']],
    // At most NAMED_ORDER_MAX names are tried for a page. This name, which two filers have, ends a page.
    [9000000 + NAMED_ORDER_MAX, called(NAMED_ORDER_MAX), ['2025-01-01']],
    [8000000 + NAMED_ORDER_MAX, called(NAMED_ORDER_MAX), ['2025-02-01']],
    [9000000 + COUNT, called(COUNT), ['2025-06-01']],
  ])
  await sql`analyze edgar.filer_search`
  for (const dir of ['asc', 'desc']) {
    const query = { q: 'falcon', form: 'X-FALCON', sort: 'name', dir }
    const expected = await sql<{ accession: string }[]>`
      select accession from edgar.filing where form_type = 'X-FALCON'
      order by name_key ${dir === 'asc' ? sql`asc` : sql`desc`}, filed_date desc, accession desc`
    for (const byOffset of [{}, { paginate: 'cursor', offset: '1' }] as Query[])
      await assert.rejects(
        pageOf(list, { ...query, ...byOffset }),
        { status: 400 },
        'the page is out of reach by offset',
      )
    const whole = expected.map(({ accession }) => accession)
    let reached = 0
    for (let limit = 1; limit <= whole.length; limit++) {
      const page = await pageOf(list, query, { limit }).catch((error) => assert.equal(error.status, 400))
      if (!page) continue
      reached++
      assert.deepEqual(page.ids, whole.slice(0, limit), 'a page that is not refused is full')
      const rest = page.next ? await byCursor(list, { ...query, cursor: page.next }, { limit: 50, short: true }) : []
      assert.deepEqual([...page.ids, ...rest], whole, `${dir}: ${limit}, then by the link`)
    }
    assert.ok(reached > 0 && reached < whole.length, `${reached} pages are in reach`)
    for (const limit of [1, 2, 7, 50]) {
      const walked = await byCursor(list, query, { limit, short: true })
      assert.deepEqual(walked, whole, `${dir} by ${limit}`)
    }
  }
  const none = await pageOf(list, { q: 'falcon', form: '10-Q', sort: 'name', paginate: 'cursor' })
  assert.deepEqual(none.ids, [])
  assert.ok(none.next, 'an empty page that is not the last')
  assert.equal((await pageOf(list, { q: 'falcon', form: '10-Q', sort: 'name', cursor: none.next })).next, null)
})

test('a page after thousands of filings reads at most twice as much as the second page, in every order and for any search', async (t) => {
  const one = connect({ target, max: 1 })
  t.after(() => one.end())
  const connected = { ...list, context: { ...context, sql: one } }
  const tables = ['filing', 'filer', 'filing_item', 'filer_name', 'filer_search'].map((name) => `edgar.${name}`)
  await sql`vacuum analyze edgar.filing, edgar.filer, edgar.filing_item, edgar.filer_search`
  const questions: [depth: number, query: Query, orders?: Query[]][] = [
    [20_000, {}],
    [20_000, { filters: tree({ not: leaf('form_type', 'eq', '10-KT405') }) }],
    [20_000, { from: '1994-01-01' }],
    [5_000, { q: 'e' }],
    [8_000, { form: '4' }],
    // No index has the filings with an item, or the filings of a few forms, in the order of names.
    [1_000, { item: '9.01' }, ORDERS.slice(0, 2)],
    [2_000, { filters: tree(leaf('form_type', 'in', ['10-K', '10-Q', 'D'])) }, ORDERS.slice(0, 2)],
  ]
  for (const [depth, question, orders = ORDERS] of questions)
    for (const order of orders) {
      const query: Query = { ...question, ...order }
      const readAfter = async (limit: number) => {
        const { next } = await pageOf(list, { ...query, paginate: 'cursor' }, { limit })
        return readOf(one, tables, async () => {
          assert.equal((await pageOf(connected, { ...query, cursor: next!, limit: '10' })).ids.length, 10)
        })
      }
      const [second, deep] = [await readAfter(10), await readAfter(depth)]
      assert.ok(deep <= 2 * second + 100 && deep < 4000, `${JSON.stringify(query)}: ${second} and ${deep}`)
    }
})
