/**
 * /filings?q=…&sort=name: filings in the order of names up to a maximum number of names, and the error beyond it.
 *
 * @server it compares the order of names, and checks which rows plans read
 */
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { generateSpine } from '../../../bench/spine.ts'
import { HttpError } from '../../../src/declare/api-errors.ts'
import { universalFields } from '../../../src/products/filings/queries-fields.ts'
import { NAMED_ORDER_MAX } from '../../../src/products/filings/queries-named.ts'
import { search as searchFilings } from '../../../src/products/filings/queries-search.ts'
import { search } from '../../../src/products/filings/routes.ts'
import { fold } from '../../../src/read/fold.ts'
import registry from '../../../src/registry.ts'
import type { Leaf } from '../../../src/serve/filters.ts'
import type { Sql, Transaction } from '../../../src/store/db.ts'
import { testContext } from '../../support/context.ts'
import { freshDatabase } from '../../support/database.ts'
import { filerNamesFiled } from '../../support/spine-rows.ts'

interface Page {
  rows: { accession: string; company_name: string }[]
}

const { sql } = await freshDatabase({ after })
await generateSpine(sql, 12_000, 5)
await known('FALCON', NAMED_ORDER_MAX + 1)
await known('STORK', NAMED_ORDER_MAX)

/**
 * Adds names with this beginning. Their filings have a form that no request names, so they count as names without
 * filings.
 */
async function known(name: string, count: number): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      insert into edgar.filer_name (cik, name, name_key)
      select lpad((9000000 + n)::text, 10, '0'), ${name} || ' ' || n, lower(${name}) || ' ' || n
      from generate_series(1, ${count}::int) n`
    await filerNamesFiled(
      tx,
      tx`
      select name_id, cik, name, name_key, 1 as filings, '2025-01-01'::date as last_filed
      from edgar.filer_name where name like ${`${name} %`}`,
    )
  })
  await sql`analyze edgar.filer_search, edgar.filer_word`
}

const ask = (input: Record<string, string>) =>
  search.run(search.input.parse(input), testContext(sql, { catalog: registry })) as Promise<Page>
const isRefused = (error: unknown) =>
  error instanceof HttpError &&
  error.status === 400 &&
  /^offset: in the order of names, offset reaches at most 10,000 filings, and at most as many names are searched: type more of the name, or use paginate=cursor or sort=date$/.test(
    error.message,
  )

test('pages in the order of a common name follow each other to the end of the permitted range', async () => {
  const rows: Page['rows'] = []
  for (let offset = 0; offset < NAMED_ORDER_MAX; offset += 1990) {
    const page = await ask({ q: 'e', sort: 'name', limit: '50', offset: String(offset) })
    assert.equal(page.rows.length, 50, `offset ${offset}`)
    rows.push(...page.rows)
  }
  assert.equal(new Set(rows.map(({ accession }) => accession)).size, rows.length)
  const names = rows.map(({ company_name }) => company_name.toLowerCase())
  assert.deepEqual(names, names.toSorted())
})

test('beyond the permitted range nothing is searched: the 400 states the limit and the alternative', async () => {
  await ask({ q: 'e', sort: 'name', limit: '50', offset: String(NAMED_ORDER_MAX - 50) })
  for (const input of [
    { q: 'e', sort: 'name', limit: '50', offset: String(NAMED_ORDER_MAX - 49) },
    { q: 'e', sort: 'name', offset: '100000' },
    { q: 'e', sort: 'name', dir: 'desc', offset: '100000' },
    { filters: JSON.stringify({ field: 'company_name', op: 'contains', value: 'e' }), sort: 'name', offset: '100000' },
  ])
    await assert.rejects(ask(input), isRefused, JSON.stringify(input))
  assert.ok((await ask({ q: 'e', sort: 'date', offset: '10100' })).rows.length > 0, 'by date each offset is allowed')
})

test('a page that could lack rows because too many names would be tried is refused, never shortened', async () => {
  assert.deepEqual((await ask({ q: 'stork', sort: 'name' })).rows, [], 'each of 10,000 names was tried')
  await assert.rejects(ask({ q: 'falcon', sort: 'name' }), isRefused, 'the name after 10,000 others is not tried')
})

test('names are read in their order from an index, however many match', async () => {
  const lines = (
    await sql<{ 'QUERY PLAN': string }[]>`
    explain select n.cik, n.name_id, n.name_key from edgar.filer_search n where n.name_key like '%e%'
    order by n.name_key limit 250`
  ).map((line) => line['QUERY PLAN'])
  assert.ok(
    lines.some((line) => line.includes('filer_search_order')) && !lines.some((line) => /Sort|Seq Scan/.test(line)),
    lines.join('\n'),
  )
})

test('a filter on a filer’s name looks up only the names of each filing’s own filers, never all matching names', async () => {
  const lines = (
    await sql<{ 'QUERY PLAN': string }[]>`
    explain select f.accession from edgar.filing f where ${universalFields().company_name!.named!(sql, 'falcon')}
    order by f.filed_date desc, f.accession desc limit 50`
  ).map((line) => line['QUERY PLAN'])
  assert.ok(!lines.some((line) => /hashed/.test(line)), lines.join('\n'))
})

/** Returns the number of scans of the filer indexes. */
async function lookups(tx: Transaction): Promise<number> {
  const [row] = await tx<[{ lookups: number }]>`
    select idx_scan::int as lookups from pg_stat_xact_user_tables where relid = 'edgar.filer'::regclass`
  return row.lookups
}

test('a search by rare names in an `or`, or by a common and a rare name, scans all filings with few single look-ups', async () => {
  const rare = await sql<{ name: string }[]>`
    select company_name as name from edgar.filing group by company_name having count(*) < 10
    order by hashtext(company_name) limit 2`
  const named = rare.map(({ name }): Leaf => ({ field: 'company_name', op: 'named', values: [fold(name)] }))
  const common: Leaf = { field: 'company_name', op: 'named', values: ['a'] }
  for (const conditions of [[{ or: named }], [common, named[0]!]]) {
    const looked = await sql.begin(async (tx) => {
      // The counters include earlier work of this connection, so they are read before and after the search.
      const before = await lookups(tx)
      // A search uses only those members of a pool that a transaction also has.
      const { rows: found } = await searchFilings(tx as unknown as Sql, {
        conditions,
        family: undefined,
        sort: 'date',
        dir: 'desc',
        limit: 50,
        offset: 0,
      })
      assert.ok(found.length > 0 && found.length < 50, 'the page is not full: all 12,000 filings were walked')
      return (await lookups(tx)) - before
    })
    assert.ok(looked < 500, `${looked} look-ups`)
  }
})

test('if a word is in too many names for lookups, filings are scanned by date: the newest matches come first', async () => {
  await sql`
    update edgar.filing set company_name = 'FALCON 1', name_key = 'falcon 1'
    where accession in (select accession from edgar.filing order by hashtext(accession) limit 70)`
  const { rows } = await ask({ q: 'falcon', limit: '50' })
  const expected = await sql<{ accession: string }[]>`
    select accession from edgar.filing where name_key = 'falcon 1' order by filed_date desc, accession desc limit 50`
  assert.equal(expected.length, 50)
  assert.deepEqual(
    rows.map(({ accession }) => accession),
    expected.map(({ accession }) => accession),
  )
})
