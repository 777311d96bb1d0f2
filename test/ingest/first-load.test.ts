/**
 * The first index of an empty spine: its rows come first, then the indexes of the tables.
 *
 * @server it drops and makes indexes under locks, with readers next to it
 */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { IndexLoad } from '../../src/ingest/spine/edition.ts'
import { loadIndex, MANY } from '../../src/ingest/spine.ts'
import { readIndex } from '../../src/read/master-index.ts'
import registry from '../../src/registry.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { freshDatabase } from '../support/database.ts'
import { until } from '../support/until.ts'

const FEW = 600
const FILINGS = FEW + 1

/** A quarterly index whose filings have two filers each, with a hundred different names. */
function quarter(year: number, filings: number): string {
  const lines = Array.from({ length: filings }, (_, n) => {
    const path = `edgar/data/1/0000000001-${year % 100}-${String(n).padStart(6, '0')}.txt`
    const date = `${year}-10-${String(1 + (n % 28)).padStart(2, '0')}`
    return [n % 100, 100].map((of) => `${1000 + of}|Company ${of} Inc|${n % 3 === 0 ? 'D' : '10-Q'}|${date}|${path}\n`)
  })
  const head = `Last Data Received:    December 31, ${year}\n\nCIK|Company Name|Form Type|Date Filed|Filename\n${'-'.repeat(80)}\n`
  return head + lines.flat().sort().join('')
}

const load = (sql: Sql, year = 2025, more: Pick<IndexLoad, 'claim' | 'many'> = { many: FEW }, filings = FILINGS) =>
  loadIndex(sql, registry, {
    url: `generated ${year}`,
    reader: readIndex(bytesOf(quarter(year, filings))),
    host: 'test',
    source: `/Archives/edgar/full-index/${year}/QTR4/master.idx`,
    through: `${year}-12-31`,
    wholeFrom: `${year}-10-01`,
    now: new Date(),
    ...more,
  })

async function* bytesOf(text: string) {
  yield Buffer.from(text)
}

/**
 * Returns every index and foreign key of the spine with its definition. `at` is its OID, which differs if it was created
 * again.
 */
async function indexesOf(sql: Sql) {
  const rows = await sql<{ definition: string; at: number; valid: boolean }[]>`
    select indexdef as definition, format('%I.%I', schemaname, indexname)::regclass::oid::int as at,
      (select indisvalid from pg_index where indexrelid = format('%I.%I', schemaname, indexname)::regclass) as valid
    from pg_indexes where schemaname = 'edgar' and tablename in ('filing', 'filer', 'filer_name', 'task', 'coverage')
    union all
    select conname || ' ' || pg_get_constraintdef(oid), oid::int, convalidated
    from pg_constraint where contype = 'f' and connamespace = 'edgar'::regnamespace
    order by 1`
  assert.ok(rows.some(({ definition }) => definition.startsWith('task_accession_fkey FOREIGN KEY')))
  return {
    definitions: rows.map(({ definition }) => definition),
    places: rows.map(({ at }) => at),
    areValid: rows.every(({ valid }) => valid),
  }
}

const counts = async (sql: Sql | Transaction) => {
  const [row] = await sql<{ filings: number; filers: number; tasks: number }[]>`
    select (select count(*)::int from edgar.filing) as filings, (select count(*)::int from edgar.filer) as filers,
      (select count(*)::int from edgar.task) as tasks`
  return row!
}
const WHOLE = { filings: FILINGS, filers: 2 * FILINGS, tasks: Math.ceil(FILINGS / 3) }
const NONE = { filings: 0, filers: 0, tasks: 0 }

/** Opens other sessions for work during the load. An endless wait fails after a minute. */
function another(t: TestContext, target: Parameters<typeof connect>[0]['target']): Sql {
  const sql = connect({ target, max: 2, statementTimeoutMs: 60_000 })
  t.after(() => sql.end({ timeout: 5 }))
  return sql
}

test('after a first load every index and foreign key exists as defined and is valid', async (t) => {
  const { sql } = await freshDatabase(t)
  const before = await indexesOf(sql)
  assert.equal((await load(sql)).added, FILINGS)
  const after = await indexesOf(sql)
  assert.deepEqual(after.definitions, before.definitions)
  assert.ok(after.areValid)
  assert.notDeepEqual(after.places, before.places, 'the indexes were built after the rows')
  assert.deepEqual(await counts(sql), WHOLE)
})

test('the tables’ indexes are built after the rows if EDGAR’s index is as large as a quarter’s, but not if it is as small as a day’s', async (t) => {
  const { sql } = await freshDatabase(t)
  const before = await indexesOf(sql)
  assert.equal((await load(sql, 2025, {}, 5_000)).added, 5_000)
  assert.deepEqual(await indexesOf(sql), before)
  const { sql: other } = await freshDatabase(t)
  const places = (await indexesOf(other)).places
  assert.equal((await load(other, 2025, {}, MANY + 1)).added, MANY + 1)
  assert.notDeepEqual((await indexesOf(other)).places, places)
})

for (const table of ['filer', 'coverage']) {
  test(`a first load that fails at edgar.${table} leaves all indexes in place, and the next load succeeds`, async (t) => {
    const { sql } = await freshDatabase(t)
    const before = await indexesOf(sql)
    await sql`
      create function fail() returns trigger language plpgsql as 'begin raise exception using errcode = ''53100''; end'`
    await sql.unsafe(`create trigger fails before insert on edgar.${table} execute function fail()`)
    await assert.rejects(load(sql), { code: '53100' })
    assert.deepEqual(await indexesOf(sql), before)
    assert.deepEqual(await counts(sql), NONE)
    await sql.unsafe(`drop trigger fails on edgar.${table}`)
    assert.equal((await load(sql)).added, FILINGS)
    assert.deepEqual((await indexesOf(sql)).definitions, before.definitions)
  })
}

test('a reader of the spine waits for the end of a first load, and then sees all of its rows', async (t) => {
  const { sql, target } = await freshDatabase(t)
  const other = another(t, target)
  const hold = await other.reserve()
  await hold`begin`
  await hold`lock table edgar.coverage in exclusive mode`
  const loading = load(sql)
  await until('the load holds the filings', async () => {
    const rows = await other`
      select from pg_locks where relation = 'edgar.filing'::regclass and mode = 'AccessExclusiveLock' and granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length > 0
  })
  let isAnswered = false
  const reading = counts(other).finally(() => {
    isAnswered = true
  })
  await until('the reader waits', async () => {
    const rows = await sql`
      select from pg_locks where relation = 'edgar.filing'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length > 0
  })
  assert.ok(!isAnswered)
  await hold`commit`
  hold.release()
  assert.deepEqual(await reading, WHOLE)
  assert.equal((await loading).added, FILINGS)
})

test('if another session reads the spine, a first load does not wait for it and keeps the indexes', async (t) => {
  const { sql, target } = await freshDatabase(t)
  const before = await indexesOf(sql)
  await another(t, target).begin(async (tx) => {
    assert.deepEqual(await counts(tx), NONE)
    assert.equal((await load(sql)).added, FILINGS)
  })
  assert.deepEqual(await indexesOf(sql), before)
  assert.deepEqual(await counts(sql), WHOLE)
})

test('the second of two simultaneous first loads waits for the first, and the rows of both are stored', async (t) => {
  const { sql, target } = await freshDatabase(t)
  const before = await indexesOf(sql)
  const results = await Promise.all([load(sql, 2025), load(another(t, target), 2024)])
  assert.deepEqual(
    results.map(({ added, removed }) => [added, removed]),
    [
      [FILINGS, 0],
      [FILINGS, 0],
    ],
  )
  assert.deepEqual((await indexesOf(sql)).definitions, before.definitions)
  assert.equal((await counts(sql)).filings, 2 * FILINGS)
})

test('until a first load commits, requests read the filings that it will replace', async (t) => {
  const { sql, target } = await freshDatabase(t)
  await sql`
    insert into edgar.filing (accession, form_type, filed_date, cik, company_name, name_key, path)
    values ('0000000009-20-000001', 'D', '2020-01-01', '0000000009', 'Sample', 'sample', 'edgar/data/9/x.txt')`
  const before = await indexesOf(sql)
  const other = another(t, target)
  const hold = await other.reserve()
  await hold`begin`
  await hold`lock table edgar.coverage in exclusive mode`
  const loading = load(sql, 2025, { many: FEW, claim: async (tx) => (await tx`delete from edgar.filing`).count > 0 })
  await until('the load waits at its end', async () => {
    const rows = await other`
      select from pg_locks where relation = 'edgar.coverage'::regclass and not granted
        and database = (select oid from pg_database where datname = current_database())`
    return rows.length > 0
  })
  assert.equal((await counts(other)).filings, 1)
  await hold`commit`
  hold.release()
  assert.equal((await loading).added, FILINGS)
  assert.deepEqual(await indexesOf(sql), before)
})
