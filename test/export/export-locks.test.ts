/**
 * Long exports during other work: no other session waits for an export, directly or through another waiting session.
 *
 * @server it queries which sessions block each other while tables are swapped
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { exportTable } from '../../src/export/export.ts'
import { offerFor } from '../../src/export/offers.ts'
import type { Target } from '../../src/export/target.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import registry from '../../src/registry.ts'
import type { Sql } from '../../src/store/db.ts'
import { madeApart } from '../../src/store/partitions.ts'
import { openSampledWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

/** Starts an export that stops after its first bytes, until the test lets it continue. */
async function standing(sql: Sql, slug: string, table?: string) {
  const [begun, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const target: Target = {
    write: () => {
      begun.resolve()
      return goOn.promise
    },
    size: 0,
    end: async () => {},
    discard: async () => {},
  }
  const { offer } = offerFor(registry, slug, table)
  const ended = exportTable(
    { sql, target, signal: new AbortController().signal, onRows: () => {} },
    { offer, days: null, format: 'csv' },
  ).then(
    () => null,
    (error: Error) => error,
  )
  await begun.promise
  return { goOn: goOn.resolve, ended }
}

/** Reads the table repeatedly until the work is done. @returns the longest wait, milliseconds */
async function longestRead(sql: Sql, table: string, work: Promise<unknown>): Promise<number> {
  let isDone = false
  const end = work.finally(() => {
    isDone = true
  })
  let longest = 0
  do {
    const began = performance.now()
    await sql`select count(*) from ${sql(table)}`
    longest = Math.max(longest, performance.now() - began)
  } while (!isDone)
  await end
  return longest
}

/**
 * A swap blocks for at most 50 ms per attempt; the rest of the limit allows for a busy machine. A read that had to wait
 * for the export would never end.
 */
const READ_MAX_MS = 60_000

test('during a long export a rebuild can swap the exported tables, and readers of these tables wait for neither', async (t) => {
  const world = await openSampledWorld(t)
  const { sql } = world
  const formd = registry.filings.find(({ slug }) => slug === 'formd')!
  const standingExport = await standing(sql, 'formd')
  const rebuilt = rebuild(world, formd)
  const swapped = until('the new tables are there', async () => {
    const found = await sql`select from pg_namespace where nspname = 'formd_old'`
    return found.count === 1
  })
  const longest = await longestRead(sql, 'formd.offering', swapped)
  assert.ok(longest < READ_MAX_MS, `${Math.round(longest)} ms`)
  standingExport.goOn()
  assert.match((await standingExport.ended)!.message, /the tables of formd were rebuilt meanwhile/)
  await rebuilt
  assert.equal((await sql`select from pg_namespace where nspname = 'formd_old'`).count, 0)
})

test('during a long export of positions a new quarter can be loaded, and readers of positions do not wait', async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const { position } = registry.filings.find(({ slug }) => slug === 'thirteenf')!.tables
  const standingExport = await standing(sql, 'thirteenf', 'position')
  const loaded = sql.begin(async (tx) => {
    const name = await madeApart(sql)(tx, position!, '2031-03-31', 'thirteenf')
    await tx.unsafe(
      `insert into ${name} (accession, n, quarter, security) values ('9000000009-31-000001', 1, '2031-03-31', 1)`,
    )
  })
  const longest = await longestRead(sql, 'thirteenf.position', loaded)
  assert.ok(longest < READ_MAX_MS, `${Math.round(longest)} ms`)
  assert.equal((await sql`select from thirteenf.position where accession = '9000000009-31-000001'`).count, 1)
  standingExport.goOn()
  assert.equal(await standingExport.ended, null)
})
