/** On a server with Citus: what is spread, and that nobody notices. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { filings } from '../bench/thirteenf-sets.ts'
import thirteenf from '../src/datasets/thirteenf/index.ts'
import { catalog } from '../src/declare/catalog.ts'
import { product } from '../src/declare/product.ts'
import { integer, rollup, text } from '../src/declare/table.ts'
import { rebuild } from '../src/ingest/rebuild.ts'
import { ingestSets } from '../src/ingest/sets/ingest.ts'
import registry from '../src/registry.ts'
import type { Sql } from '../src/store/db.ts'
import { migrate } from '../src/store/schema.ts'
import { noCitus, openCitus } from './citus.ts'
import { pathsOf } from './sample-paths.ts'
import { type Served, serveSample } from './served.ts'
import { everyRow, openWorld } from './world.ts'

const skip = (await noCitus()) ?? false

/** Every table that Citus knows of, and by what it is distributed. */
const spreadOf = async (sql: Sql) =>
  (
    await sql<{ name: string; by: string }[]>`
      select logicalrelid::text as name, column_to_column_name(logicalrelid, partkey) as by
      from pg_dist_partition order by 1`
  ).map(({ name, by }) => `${name} by ${by}`)

/** Every answer but that about the key itself, without the moment at which filings were first seen. */
async function answersOf(served: Served): Promise<Map<string, string>> {
  await served.sql`update edgar.filing set first_seen_at = '2026-01-01'`
  const answers = new Map<string, string>()
  for (const route of registry.routes.filter(({ path }) => path !== '/me')) {
    for (const path of await pathsOf(served, route)) {
      const response = await served.get(path)
      answers.set(path, `${response.status} ${await response.text()}`)
    }
  }
  return answers
}

test('positions are spread by accession, in a rebuild too, and every answer of the sample is the same', {
  skip,
}, async (t) => {
  const plain = await serveSample(t)
  const served = await serveSample(t, undefined, await openCitus(t))
  const { sql } = served
  const parts = await sql<{ name: string }[]>`
    select inhrelid::regclass::text as name from pg_inherits where inhparent = 'thirteenf.position'::regclass order by 1`
  const spread = ['thirteenf."position" by accession', ...parts.map(({ name }) => `${name} by accession`)]
  assert.ok(parts.length >= 5)
  assert.deepEqual(await spreadOf(sql), spread)
  const expected = await answersOf(plain)
  assert.ok(expected.size > 300, `${expected.size} answers`)
  const check = async () => {
    const found = await answersOf(served)
    for (const [path, answer] of expected) assert.equal(found.get(path), answer, path)
  }
  await check()
  await rebuild({ ...served, slices: registry.slices }, thirteenf)
  assert.deepEqual(await spreadOf(sql), spread)
  await check()
  const [shard] = await sql<{ 'QUERY PLAN': string }[]>`
    explain (costs off) select * from thirteenf.position where accession = '9000000041-24-000001' and quarter = '2023-12-31'`
  console.log(shard)
})
