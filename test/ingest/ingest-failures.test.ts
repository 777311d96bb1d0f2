/** One bad filing, line or record has no effect on the others. */
import assert from 'node:assert/strict'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import type { Refused } from '../../src/ingest/making.ts'
import { marked } from '../../src/ingest/marks.ts'
import { retryFailed } from '../../src/ingest/queue.ts'
import { complete, openShadow } from '../../src/ingest/rebuild/shadow.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { document } from '../../src/products/docs/routes.ts'
import { detail } from '../../src/products/filings/lookup.ts'
import registry from '../../src/registry.ts'
import { definitionOf } from '../../src/store/schema.ts'
import { testContext } from '../support/context.ts'
import { randomFor } from '../support/random.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { openWorld, sample, temporaryFolder, type World, writeIndex } from '../support/world.ts'

const formd = registry.filings.find(({ slug }) => slug === 'formd')!
const MODEL = '0001968399-23-000002'

/** Creates an EDGAR with one sample Form D under several accessions, some with changes. */
async function forms(
  t: Parameters<typeof temporaryFolder>[0],
  count: number,
  changes: Record<number, (text: string) => string> = {},
): Promise<string> {
  const root = await temporaryFolder(t)
  const model = await readFile(path.join(sample, `Archives/edgar/data/1968399/${MODEL}.txt`), 'utf8')
  const folder = path.join(root, 'Archives/edgar/data/1968399')
  await mkdir(folder, { recursive: true })
  const lines: string[] = []
  for (let n = 1; n <= count; n++) {
    const accession = accessionOf(n)
    const text = model.replaceAll(MODEL, accession)
    await writeFile(path.join(folder, `${accession}.txt`), changes[n]?.(text) ?? text)
    lines.push(`1968399|Model Issuer|D|2024-02-${String(n).padStart(2, '0')}|edgar/data/1968399/${accession}.txt`)
  }
  await writeIndex(root, '2024/QTR1', lines)
  return root
}

const accessionOf = (n: number) => `0001968399-24-${String(n).padStart(6, '0')}`

const replacing = (was: RegExp, is: string) => (text: string) => {
  const changed = text.replace(was, is)
  assert.notEqual(changed, text, `the model has no ${was}`)
  return changed
}

const tasksOf = async ({ sql }: World) =>
  Object.fromEntries(
    (
      await sql<{ accession: string; state: string; error: string | null }[]>`
        select accession, state, error from edgar.task order by accession`
    ).map(({ accession, state, error }) => [Number(accession.slice(-2)), error ?? state]),
  )

/** No index can store a random text of this length. */
const random = randomFor('a long text')
const LONG = Array.from({ length: 10_000 }, () => String.fromCharCode(97 + random() * 26)).join('')
const withLongText = replacing(
  /<industryGroupType>.*?<\/industryGroupType>/,
  `<industryGroupType>${LONG}</industryGroupType>`,
)

test('a Form D with a text that is too long for an index fails alone, and the error names document, table and line', async (t) => {
  const root = await forms(t, 7, { 2: withLongText, 6: withLongText })
  const world = await openWorld(t, { root })
  await world.crawl()
  assert.deepEqual(await world.drain({ workers: 1 }), { done: 5, failed: 2, unread: 0 })
  for (const n of [2, 6])
    assert.match(
      (await tasksOf(world))[n]!,
      /^primary_doc\.xml: index row requires 10\d+ bytes, .* \(COPY offering, line 1\)/,
    )
  assert.equal((await world.sql`select 1 from formd.offering`).length, 5)
  assert.equal((await world.sql`select 1 from edgar.submission`).length, 7, 'each fetched submission is in the archive')
  // The failed filings stop neither a retry nor a rebuild.
  assert.equal(await retryFailed(world.sql, { datasets: ['formd'] }), 2)
  assert.deepEqual(await world.drain(), { done: 0, failed: 2, unread: 0 })
  // A session that still sees the rows of these filings delays the indexes of the rebuild.
  const reader = await world.sql.reserve()
  t.after(() => reader.release())
  await reader`begin isolation level repeatable read`
  await reader`select 1 from edgar.filing limit 1`
  const rebuilt = rebuild(world, formd)
  await until('the rebuild has removed both', async () => {
    const removed = await world.sql`select from core.shadow_task where outcome ->> 'error' like 'index row%'`
    return removed.length === 2
  })
  await reader`commit`
  assert.deepEqual(await rebuilt, { filings: 7, failed: 2 })
  // The tables of a rebuild get their indexes last.
  for (const n of [2, 6])
    assert.match((await tasksOf(world))[n]!, /^index row requires 10\d+ bytes, .* \(index of offering\)/)
  assert.equal((await world.sql`select 1 from formd.offering`).length, 5)
})

test('if an index cannot be built even after rows were removed, the rebuild stops with the database’s reason', async (t) => {
  const world = await openWorld(t, { root: await forms(t, 2, { 2: withLongText }) })
  await world.crawl()
  await world.drain()
  const shadow = await openShadow(world.sql, formd, definitionOf(formd))
  // The shadow gets a row that the served table with its indexes cannot have.
  await world.sql`insert into formd_next.offering select * from formd.offering`
  await world.sql`update formd_next.offering set industry = ${LONG}`
  const why = /index row requires 10\d+ bytes/
  let asked = 0
  const removing = (count: number) => async () => {
    asked++
    return count
  }
  await assert.rejects(complete(world.sql, formd, shadow), why)
  await assert.rejects(complete(world.sql, formd, shadow, removing(0)), why)
  assert.equal(asked, 1, 'nothing was removed, so another try is useless')
  await assert.rejects(complete(world.sql, formd, shadow, removing(1)), why)
  assert.ok(asked > 2, 'rows that another session still sees may be the reason, so several tries are made')
})

test('a NUL in a header is removed and reported, and the filing is served', async (t) => {
  const root = await forms(t, 3, { 2: replacing(/COMPANY CONFORMED NAME:\s*/, '$&\0BAD\0 ') })
  const world = await openWorld(t, { root })
  await world.crawl()
  assert.deepEqual(await world.drain(), { done: 3, failed: 0, unread: 0 })
  const [stored] = await world.sql`select header from edgar.submission where accession = ${accessionOf(2)}`
  assert.match(stored!.header.filers[0].name, /^BAD /)
  assert.match(stored!.header.problems.join(), /NUL removed from: COMPANY CONFORMED NAME/)
  const context = testContext(world.sql, { catalog: registry, submissions: world.submissions })
  const answer = await detail.run(detail.input.parse({ accession: accessionOf(2) }), context)
  assert.match((answer as { header: { filers: { name: string }[] } }).header.filers[0]!.name, /^BAD /)
  const bytes = await document.run(document.input.parse({ accession: accessionOf(2), seq: '1' }), context)
  assert.ok(bytes)
})

test('a document with a NUL is refused with the place of the NUL, and other filings are read', async (t) => {
  const root = await forms(t, 3, { 2: replacing(/<entityName>/, '<entityName>\0') })
  const world = await openWorld(t, { root })
  await world.crawl()
  assert.deepEqual(await world.drain(), { done: 2, failed: 1, unread: 0 })
  assert.match((await tasksOf(world))[2]!, /primary_doc\.xml: line \d+, column \d+ .*character/)
})

test('a submission that the database refuses fails alone, and a look-up of it causes no internal error', async (t) => {
  const root = await forms(t, 5)
  const world = await openWorld(t, { root })
  await world.crawl()
  // The database may refuse for any reason: here an operator's own check.
  await world.sql.unsafe(`alter table edgar.submission add constraint never check (accession <> '${accessionOf(3)}')`)
  assert.deepEqual(await world.drain({ workers: 1 }), { done: 4, failed: 1, unread: 0 })
  assert.match((await tasksOf(world))[3]!, /violates check constraint "never"/)
  assert.equal((await world.sql`select 1 from formd.offering`).length, 4)
  const context = testContext(world.sql, { catalog: registry, submissions: world.submissions })
  const answer = await detail.run(detail.input.parse({ accession: accessionOf(3) }), context)
  assert.equal((answer as { documents: unknown[] }).documents.length, 1)
  assert.ok(await document.run(document.input.parse({ accession: accessionOf(3), seq: '1' }), context))
})

test('an emoji at the place where an unreadable value is truncated does not stop the run', async (t) => {
  // The 200th UTF-16 unit of the value is the first half of the emoji.
  const value = `${'x'.repeat(199)}😀${'y'.repeat(20)}`
  const root = await forms(t, 2, {
    1: replacing(
      /<totalOfferingAmount>.*?<\/totalOfferingAmount>/,
      `<totalOfferingAmount>${value}</totalOfferingAmount>`,
    ),
  })
  const world = await openWorld(t, { root })
  await world.crawl()
  assert.deepEqual(await world.drain(), { done: 2, failed: 0, unread: 0 })
  const [task] = await world.sql`select problems from edgar.task where accession = ${accessionOf(1)}`
  assert.equal(task!.problems[0].value, `${'x'.repeat(199)}\ufffd`)
})

test('rollup rows that the database refuses fail alone: the filing counts as read, other rollups are made, and the next run tries again', async (t) => {
  const world = await openIndexedWorld(t)
  const [first] = await world.sql<{ cik: string }[]>`
    select f.cik from edgar.task t join edgar.filing f using (accession)
    where t.dataset = 'x17a5' order by f.cik limit 1`
  const { cik } = first!
  await world.sql.unsafe(`alter table x17a5.broker add constraint never check (cik <> '${cik}')`)
  const refused: Refused[] = []
  const onRefused = (key: Refused) => refused.push(key)
  const datasets = ['x17a5']
  assert.equal((await world.drain({ datasets, workers: 1, onRefused })).failed, 0)
  assert.deepEqual(
    refused.map(({ slug, key }) => [slug, key]),
    [['x17a5', cik]],
  )
  assert.match(refused[0]!.reason, /violates check constraint "never"/)
  const brokers = async () => (await world.sql`select cik from x17a5.broker`).map((row) => row.cik as string)
  const all = (await world.sql`select distinct cik from x17a5.report`).length
  assert.equal((await brokers()).length, all - 1)
  const [waiting] = await marked(world.sql)
  assert.deepEqual([waiting!.slug, waiting!.waiting, waiting!.refused, waiting!.example!.key], ['x17a5', 0, 1, cik])
  await world.drain({ datasets, onRefused })
  assert.deepEqual([refused.length, (await marked(world.sql)).length], [2, 1], 'the refused key is reported again')
  await world.sql`alter table x17a5.broker drop constraint never`
  await world.drain({ datasets, onRefused })
  assert.deepEqual([refused.length, (await marked(world.sql)).length, (await brokers()).length], [2, 0, all])
})

test('filings that failed because EDGAR was down are retried once by each run; filings that EDGAR does not have are retried only with --retry', async (t) => {
  const root = await forms(t, 8)
  const world = await openWorld(t, { root })
  await world.crawl()
  await rm(path.join(root, `Archives/edgar/data/1968399/${accessionOf(2)}.txt`))
  await writeFile(path.join(root, `Archives/edgar/data/1968399/${accessionOf(3)}.txt`), '{"error":"other bytes"}')
  // EDGAR may send a page for people, or nothing, with status 200.
  const maintained = [7, 8].map((n) => path.join(root, `Archives/edgar/data/1968399/${accessionOf(n)}.txt`))
  const [page, empty] = await Promise.all(maintained.map((file) => readFile(file)))
  await writeFile(maintained[0]!, '\n<!DOCTYPE html><html>maintenance</html>')
  await writeFile(maintained[1]!, '')
  const faults = [`unavailable:path=${accessionOf(4)}`, `reset:path=${accessionOf(5)}`, `cut:path=${accessionOf(6)}`]
  world.host.setFaults(faults.join(' '))
  assert.deepEqual(await world.drain(), { done: 1, failed: 7, unread: 0 })
  const passing = await world.sql`select accession from edgar.task where passing order by accession`
  assert.deepEqual(
    passing.map((row) => row.accession),
    [4, 5, 6, 7, 8].map(accessionOf),
  )
  // Two runs work at once while the host stays down. Each run tries the filings, and neither tries them for ever.
  const again = await Promise.all([world.drain(), world.drain()])
  const tries = again.reduce((sum, { failed }) => sum + failed, 0)
  assert.ok(tries >= 5 && tries <= 10, `${tries} tries`)
  world.host.setFaults('')
  await writeFile(maintained[0]!, page!)
  await writeFile(maintained[1]!, empty!)
  assert.deepEqual(await world.drain(), { done: 5, failed: 0, unread: 0 })
  assert.deepEqual(await world.drain(), { done: 0, failed: 0, unread: 0 })
  assert.equal(await retryFailed(world.sql, { datasets: ['formd'] }), 2)
  assert.deepEqual(await world.drain(), { done: 0, failed: 2, unread: 0 })
  // A rebuild reads only the archive, so a filing that was never archived stays failed.
  assert.deepEqual(await rebuild(world, formd), { filings: 6, failed: 0 })
  assert.deepEqual(Object.values(await tasksOf(world)).filter((state) => state === 'done').length, 6)
})

test('if EDGAR refuses all requests in the middle of a batch, the filings read before are kept', async (t) => {
  const root = await forms(t, 6)
  const world = await openWorld(t, { root })
  await world.crawl()
  world.host.setFaults(`rate-page:path=${accessionOf(1)}`)
  await assert.rejects(world.drain({ workers: 1 }), { kind: 'throttled' })
  const states = Object.values(await tasksOf(world))
  assert.equal(states[0], 'pending')
  assert.ok(states.filter((state) => state === 'done').length >= 1, states.join())
  assert.ok(!states.some((state) => state !== 'pending' && state !== 'done'))
})

test('two concurrent runs with one bad filing both end, and every other filing is read once', async (t) => {
  const world = await openWorld(t, { root: await forms(t, 28, { 14: withLongText }) })
  await world.crawl()
  const both = await Promise.all([world.drain({ workers: 2 }), world.drain({ workers: 2 })])
  assert.deepEqual([both[0]!.done + both[1]!.done, both[0]!.failed + both[1]!.failed], [27, 1])
  assert.equal((await world.sql`select 1 from edgar.task where attempts <> 1`).length, 0)
})
