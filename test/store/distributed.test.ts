/** Distributed tables on a server with Citus: their distribution, and answers equal to a plain server's. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import { linesOf } from '../../src/datasets/thirteenf/queries/composed.ts'
import { catalog } from '../../src/declare/catalog.ts'
import { product } from '../../src/declare/product.ts'
import { integer, rollup, text } from '../../src/declare/table.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { ingestSets } from '../../src/ingest/sets/ingest.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { definitionOf, migrate } from '../../src/store/schema.ts'
import { noCitus, openCitus } from '../support/citus.ts'
import { pathsOf } from '../support/sample-paths.ts'
import { type Served, serveLoaded, serveSample } from '../support/served.ts'
import { made, membersOf, setOf } from '../support/thirteenf/set-files.ts'
import { everyRow, openWorld, type World } from '../support/world.ts'

const skip = (await noCitus()) ?? false

/** Returns every table that Citus manages, with its distribution column. */
const spreadOf = async (sql: Sql) =>
  (
    await sql<{ name: string; by: string }[]>`
      select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as by
      from pg_dist_partition order by 1`
  ).map(({ name, by }) => `${name} by ${by}`)

/** Returns every answer except the answer about the key itself, without the times at which filings were first seen. */
async function answersOf(served: Served): Promise<Map<string, string>> {
  await served.sql`update edgar.filing set first_seen_at = '2026-01-01'`
  const paths = []
  for (const route of registry.routes) if (route.path !== '/me') paths.push(...(await pathsOf(served, route)))
  // These answers come from one statement over lines of several filings and of two quarters.
  for (const { cik } of await served.sql`select cik from thirteenf.filer order by cik`) {
    for (const query of ['', '?period=2018-12-31', '?changes=true', '?changes=true&as_of=2019-08-20'])
      paths.push(`/thirteenf/managers/by-cik/${cik}/holdings${query}`)
  }
  const answers = new Map<string, string>()
  for (const path of paths) {
    const response = await served.get(path)
    answers.set(path, `${response.status} ${await response.text()}`)
  }
  return answers
}

test('a table that becomes or ceases to be distributed requires a rebuild', async () => {
  const { position } = thirteenf.tables
  const local = { ...thirteenf, tables: { ...thirteenf.tables, position: { ...position!, distributed: false } } }
  assert.equal(position!.distributed, true)
  assert.notEqual(definitionOf(local).ddlHash, definitionOf(thirteenf).ddlHash)
})

test('positions are distributed by accession, also after a rebuild, and every answer over the sample is unchanged', {
  skip,
}, async (t) => {
  const plain = await serveSample(t)
  const served = await serveLoaded(t, { database: await openCitus(t) })
  const { sql } = served
  const parts = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'thirteenf.position'::regclass order by 1`
  const spread = ['thirteenf."position" by accession', ...parts.map(({ name }) => `${name} by accession`)]
  assert.ok(parts.length >= 5)
  assert.deepEqual(await spreadOf(sql), spread)
  const expected = await answersOf(plain)
  const compared = [...expected].filter(
    ([path, answer]) => /changes=true/.test(path) && answer.includes('"compared":true'),
  )
  assert.ok(expected.size > 200 && compared.length > 2, `${expected.size} answers, ${compared.length} compared`)
  const check = async () => {
    const found = await answersOf(served)
    for (const [path, answer] of expected) assert.equal(found.get(path), answer, path)
  }
  await check()
  await rebuild({ ...served, slices: registry.slices }, thirteenf)
  assert.deepEqual(await spreadOf(sql), spread)
  await check()
})

test('a quarterly set has the same rows in distributed tables as on a plain server, also after a second load and a rebuild', {
  skip,
}, async (t) => {
  const file = await setOf(t, membersOf(made(60)))
  const rowsOf = async ({ sql }: World) =>
    JSON.stringify(Object.entries(await everyRow(sql)).filter(([name]) => name.startsWith('thirteenf.')))
  const [plain, spread] = [await openWorld(t), await openWorld(t, { database: await openCitus(t) })]
  const load = ({ sql, store }: World, again = false) =>
    ingestSets({ sql, store, slices: registry.slices, dataset: thirteenf, from: { files: [file] }, again })
  await load(plain)
  await load(spread)
  const expected = await rowsOf(plain)
  assert.equal(await rowsOf(spread), expected)
  // If Citus copied rows from a filled table, they would stay in the file of the table here, invisible to queries.
  const kept = await spread.sql<{ name: string; bytes: string }[]>`
    select inhrelid::regclass::text as name, pg_relation_size(inhrelid) as bytes
    from pg_inherits where inhparent = 'thirteenf.position'::regclass`
  assert.ok(kept.length > 0)
  assert.deepEqual(
    kept.filter(({ bytes }) => Number(bytes) > 0),
    [],
  )
  await load(spread, true)
  assert.equal(await rowsOf(spread), expected)
  await rebuild({ ...spread, slices: registry.slices }, thirteenf)
  assert.equal(await rowsOf(spread), expected)
  assert.equal((await spreadOf(spread.sql)).length, 2)
})

test('a query for the lines of one filing runs on one worker, in one partition of one shard', { skip }, async (t) => {
  const { sql, store } = await openWorld(t, { database: await openCitus(t) })
  const all = made(20)
  const files = [await setOf(t, membersOf(all))]
  await ingestSets({ sql, store, slices: registry.slices, dataset: thirteenf, from: { files } })
  const { accession, period } = all.find(({ count }) => count > 5)!
  const rows = await sql`explain select * from ${linesOf(sql, period, [{ accession, part: 'whole', flags: [] }])} l`
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  assert.match(plan, /Task Count: 1\n/)
  const shards = new Set(Array.from(plan.matchAll(/ on (position_\w+) /g), ([, name]) => name))
  assert.equal(shards.size, 1, plan)
})

test('a rollup that is declared as distributed is distributed by the first column of its key', { skip }, async (t) => {
  const { sql } = await openCitus(t)
  const columns = { name: text('Name'), n: integer('Number') }
  const counted = rollup('counted.word', 'One row per word', ['name'], columns, { distributed: true })
  const plain = rollup('counted.letter', 'One row per letter', ['name'], columns)
  const slice = product({
    slug: 'counted',
    label: 'Counted',
    refresh: { make: async () => {} },
    // Any module will do here, because this slice makes no rows.
    refreshed: new URL('../support/until.ts', import.meta.url),
    rollups: { word: counted, letter: plain },
    routes: {},
  })
  await migrate(sql, catalog([], [slice], []).slices)
  assert.deepEqual(await spreadOf(sql), ['counted.word by name', 'thirteenf."position" by accession'])
})
