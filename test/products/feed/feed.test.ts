/** /feed over Form D's rows: orders, filters and the cursor of the default order. */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { search } from '../../../src/products/feed/routes.ts'
import { inputReader } from '../../../src/serve/http/input.ts'
import { encodeCursor } from '../../../src/serve/page.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { loadNotices, type Notice } from '../../support/formd-rows.ts'
import { valuesIn } from '../../support/list-walks.ts'

type Answer = { rows: { accession: string; source: string; filing_date: string }[]; next_cursor: string | null }

const at = (n: number) => `0000000001-24-${String(n).padStart(6, '0')}`

const notices: Notice[] = [
  {
    accession: at(1),
    filedDate: '2024-01-01',
    name: 'Zeta Fund',
    state: 'NY',
    industry: 'Oil and Gas',
    offered: '500',
  },
  {
    accession: at(2),
    filedDate: '2024-03-01',
    name: 'Ångström 100% Labs',
    state: 'CA',
    industry: 'Other Technology',
    offered: '90',
  },
  { accession: at(3), filedDate: '2024-03-01', name: 'Beta Fund', state: null, industry: null, offered: null },
  {
    accession: at(4),
    filedDate: '2024-02-01',
    name: 'alpha_one',
    state: 'TX',
    industry: 'Pooled Investment Fund',
    offered: '1000',
  },
  {
    accession: at(5),
    filedDate: '2024-03-01',
    name: 'Gamma',
    state: 'CA',
    industry: 'Pooled Investment Fund',
    offered: null,
  },
]

const { sql } = await freshDatabase({ after })
await loadNotices(sql, notices)

const ask = (query: Record<string, string>) =>
  search.run(search.input.parse(query), testContext(sql)) as Promise<Answer>

/** Last digits of the accessions, in order. */
const order = async (query: Record<string, string>) =>
  (await ask(query)).rows.map((row) => row.accession.slice(-1)).join('')

test('filings come newest first, and equal dates are sorted by accession', async () => {
  assert.equal(await order({}), '53241')
  assert.equal(await order({ dir: 'asc' }), '14235')
  const { rows, next_cursor } = await ask({})
  assert.equal(next_cursor, null)
  const output = search.output!.safeParse({ rows, next_cursor })
  assert.deepEqual(output.error?.issues ?? [], [])
  assert.deepEqual(Object.keys(rows[0]!).sort(), Object.keys((output.data as Answer).rows[0]!).sort())
})

test('missing amounts and states come last in both directions', async () => {
  assert.equal(await order({ sort: 'amount' }), '41253')
  assert.equal(await order({ sort: 'amount', dir: 'asc' }), '21453')
  assert.equal(await order({ sort: 'state' }), '41523')
  assert.equal(await order({ sort: 'state', dir: 'asc' }), '52143')
  assert.equal(await order({ sort: 'name', dir: 'asc' }), '42351')
  assert.equal(await order({ sort: 'name' }), '15324')
})

test('a name is found by any part, ignoring case and accents; % and _ are not wildcards', async () => {
  assert.equal(await order({ q: 'FUND' }), '31')
  assert.equal(await order({ q: 'angstrom' }), '2')
  assert.equal(await order({ q: '100%' }), '2')
  assert.equal(await order({ q: '%' }), '2')
  assert.equal(await order({ q: 'a_o' }), '4')
  assert.equal(await order({ q: '\\' }), '')
})

test('a list of states or industries means any of them, and different filters are combined with AND', async () => {
  assert.equal(await order({ state: 'ca,WY' }), '52')
  assert.equal(await order({ industry: 'oil and gas,OTHER TECHNOLOGY' }), '21')
  assert.equal(await order({ industry: 'Pooled Investment Fund', state: 'CA' }), '5')
  assert.equal(await order({ industry: 'Retailing' }), '')
})

test('an industry whose label has commas is found unquoted, in quotes, and repeated with another industry', async () => {
  const label = 'Stone, clay, glass and concrete products'
  await sql`update formd.offering set industry = ${label} where accession = ${at(3)}`
  const read = inputReader(search)
  const found = async (query: string) => {
    const { values } = read(`/v1/feed?${query}`, {})
    return ((await search.run(values, testContext(sql))) as Answer).rows.map((row) => row.accession.slice(-1)).join('')
  }
  const plain = encodeURIComponent(label)
  assert.equal(await found(`industry=${plain}`), '3')
  assert.equal(await found(`industry=%22${plain}%22,oil+and+gas`), '31')
  assert.equal(await found(`industry=${plain}&industry=Oil+and+Gas`), '31')
  assert.equal(await found('industry=Oil+and+Gas&industry=Other+Technology'), '21')
  assert.equal(await found('industry=Oil+and+Gas,Other+Technology&state=NY&state=CA'), '21')
  assert.throws(() => read('/v1/feed?sort=date&sort=date', {}), {
    status: 400,
    message: /^sort: given more than once; give it once$/,
  })
  await sql`update formd.offering set industry = null where accession = ${at(3)}`
})

test('sources are selected by type; a type without filings gives no rows', async () => {
  assert.equal(await order({ type: 'formd' }), '53241')
  assert.equal(await order({ type: 'formd,formd,rega' }), '53241')
  assert.equal(await order({ type: 'crowdfunding' }), '')
  for (const type of ['bogus', 'formd,bogus', '', ','])
    assert.equal(search.input.safeParse({ type }).success, false, type)
})

test('cursor pages return every filing once; offset pages follow each other', async () => {
  let seen = ''
  let cursor: string | null = null
  do {
    const page: Answer = await ask({ limit: '2', ...(cursor ? { cursor } : {}) })
    assert.ok(page.rows.length > 0)
    seen += page.rows.map((row) => row.accession.slice(-1)).join('')
    cursor = page.next_cursor
  } while (cursor !== null)
  assert.equal(seen, '53241')
  assert.equal(await order({ limit: '2', offset: '2' }), '24')
  assert.equal(await order({ limit: '2', offset: '9' }), '')
  assert.equal((await ask({ limit: '5' })).next_cursor, null)
})

/** Makes cursors of the default order without filters. */
async function maker() {
  const head = valuesIn((await ask({ limit: '1' })).next_cursor!).slice(0, -3)
  return (...keys: (string | null)[]) => encodeCursor([...head, ...keys])
}

test('a cursor continues across sources: for equal dates the later source comes first', async () => {
  const made = await maker()
  const after = (source: string) => order({ cursor: made('2024-03-01', source, at(3)) })
  assert.equal(await after('rega'), '53241')
  assert.equal(await after('formd'), '241')
  assert.equal(await after('crowdfunding'), '41')
})

test('a cursor with another order or an offset, and an invented cursor, are 400', async () => {
  const cursor = (await ask({ limit: '1' })).next_cursor!
  for (const query of [{ sort: 'amount' }, { dir: 'asc' }, { offset: '1' }] as Record<string, string>[]) {
    await assert.rejects(ask({ cursor, ...query }), { status: 400, message: /^cursor: / })
  }
  const made = await maker()
  assert.equal((await ask({ cursor: made('2024-02-01', 'formd', at(1)) })).next_cursor, null)
  const foreign = ['garbage', '', encodeCursor(['2024-02-01', 'formd', at(1)])]
  const wrongDays = ['2024-02-31x', '2024-02-30', '0000-01-01', null].map((date) => made(date, 'formd', at(1)))
  for (const wrong of [
    ...foreign,
    ...wrongDays,
    made('2024-02-01', null, at(1)),
    made('5', '2024-02-01', 'formd', at(1)),
  ]) {
    await assert.rejects(ask({ cursor: wrong }), { status: 400, message: /^cursor: / }, wrong)
  }
})

test('pages larger than 50 rows are refused', () => {
  for (const limit of ['0', '51', '-1', 'abc', '1.5'])
    assert.equal(search.input.safeParse({ limit }).success, false, limit)
})
