/** Quarterly data sets during other work: a killed rebuild, another first ingest, a stop. */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import thirteenf from '../../src/datasets/thirteenf/index.ts'
import { position } from '../../src/datasets/thirteenf/tables.ts'
import { takeUpSets } from '../../src/ingest/queue.ts'
import { holdRebuild } from '../../src/ingest/rebuild/shadow.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { ingestSets, type SetsOptions } from '../../src/ingest/sets/ingest.ts'
import { holdSets } from '../../src/ingest/sets/load.ts'
import { connect, type Transaction } from '../../src/store/db.ts'
import { madeApart } from '../../src/store/partitions.ts'
import { within } from '../../src/store/path.ts'
import { begin, beginHere, queried, sampledEnv } from '../support/command.ts'
import { bytesOf, randomFor } from '../support/random.ts'
import { made, membersOf, setOf, worldOf } from '../support/thirteenf/set-files.ts'
import { until } from '../support/until.ts'
import { openWorld, temporaryFolder, type World } from '../support/world.ts'

const load = (world: World, files: string[], more: Partial<SetsOptions> = {}) =>
  ingestSets({ sql: world.sql, slices: world.slices, store: world.store, dataset: thirteenf, from: { files }, ...more })

/** Creates the state of a rebuild that was killed after it filled the shadow, and that must resume there. */
async function killedAfterItsFill(world: World): Promise<void> {
  const { sql } = world
  await sql`
    create function fail() returns trigger language plpgsql as 'begin raise exception using errcode = ''53100''; end'`
  await sql`create trigger fails before update on core.shadow for each row when (new.step = 'made') execute function fail()`
  await assert.rejects(rebuild(world, thirteenf), { code: '53100' })
  const [left] = await sql`select step from core.shadow`
  assert.equal(left!.step, 'make')
  await sql`drop trigger fails on core.shadow`
}

test('if a set is loaded after a rebuild was killed at the end of its fill, the resumed rebuild has the rows of the set', async (t) => {
  const all = made(20)
  const world = await openWorld(t)
  const { sql } = world
  await load(world, [await setOf(t, membersOf(all.slice(0, 10)))])
  await killedAfterItsFill(world)
  await load(world, [await setOf(t, membersOf(all.slice(10)), '2024q2_form13f.zip')])
  await rebuild(world, thirteenf)
  const [count] = await sql`
    select (select count(*)::int from bulk.set_filing) as of_sets, (select count(*)::int from thirteenf.report) as reports`
  assert.deepEqual({ ...count }, { of_sets: 20, reports: 20 })
})

test('if the submission of a filing from a set cannot be read while a rebuild is interrupted, the rows of the set stay', async (t) => {
  const all = made(6)
  const root = await temporaryFolder(t)
  const world = await worldOf(t, all, { root })
  const { sql } = world
  await load(world, [await setOf(t, membersOf(all))])
  await killedAfterItsFill(world)
  const [bad, ...good] = all.map(({ accession }) => accession)
  const file = path.join(root, `Archives/edgar/data/1/${bad}.txt`)
  await writeFile(file, (await readFile(file, 'utf8')).replaceAll('</edgarSubmission>', ''))
  await world.crawl()
  await takeUpSets(sql, { datasets: ['thirteenf'] })
  const { done, failed } = await world.drain({ datasets: ['thirteenf'] })
  assert.deepEqual([done, failed], [good.length, 1])
  const reports = () => sql`select accession, manager_name from thirteenf.report order by 1`
  const before = await reports()
  assert.equal((await rebuild(world, thirteenf)).failed, 1)
  assert.deepEqual(await reports(), before)
  const failures = await sql`
    select accession, (select count(*)::int from bulk.set_filing s where s.accession = t.accession) as of_set
    from edgar.task t where state = 'failed'`
  assert.deepEqual([...failures], [{ accession: bad, of_set: 1 }])
})

test('the first load of a set replaces the sample when it commits; before the commit no replacement is reported, and other loads wait', async (t) => {
  const env = await sampledEnv(t)
  // There are three batches, and the quarter has no partition yet. So the batches are one transaction.
  const file = await setOf(t, membersOf(made(120)))
  await queried(env, async (sql) => {
    const holder = await sql.reserve()
    await holder`begin`
    await holder`lock table core.event in exclusive mode`
    const first = begin(t, ['ingest', 'thirteenf', file], env)
    await until('the set is stored and not committed', async () => {
      const [row] = await sql<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity
        where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
      return row!.n > 0
    })
    assert.doesNotMatch(first.stdout() + first.stderr(), /replaced by real data/)
    const second = beginHere(t, ['ingest', 'thirteenf', file], env)
    await second.until(/another process is loading the first data/)
    await holder`commit`
    holder.release()
    assert.equal(await first.ended, 0, first.stderr())
    assert.match(first.stdout() + first.stderr(), /replaced by real data/)
    assert.equal(await second.ended, 0, second.stderr())
    const [count] = await sql`select count(*)::int as n from thirteenf.report`
    assert.equal(count!.n, 120)
  })
})

test('while a set of a new quarter waits for the table of securities, other sessions can create partitions', async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const file = await setOf(t, membersOf(made(10)))
  const other = connect({ target: world.target, max: 2, statementTimeoutMs: 20_000 })
  t.after(() => other.end())
  const held = await sql.reserve()
  await held`begin`
  await held`lock table thirteenf.security in share mode`
  const loading = load(world, [file])
  await until('the load of the set waits', async () => {
    const rows = await sql`
      select from pg_stat_activity where datname = current_database() and query like '%into thirteenf.security%'
        and cardinality(pg_blocking_pids(pid)) > 0`
    return rows.length > 0
  })
  await other.begin((tx) => madeApart(other)(tx, position, '2030-12-31', 'thirteenf'))
  await held`commit`
  held.release()
  assert.deepEqual((await loading)[0]!.result, { filings: 10, loaded: 10 })
})

test('the refresh keys of a set are found without the partitioned table, because its rows are stored last', async (t) => {
  const { sql } = await openWorld(t)
  const undone = new Error('undone')
  const refreshing = sql.begin(async (tx) => {
    await tx`drop table thirteenf.position cascade`
    await within(tx, 'thirteenf', () =>
      thirteenf.refresh!.touched(tx, { series: null, keys: ['0000000001-24-000001'], day: null }),
    )
    throw undone
  })
  await assert.rejects(refreshing, (error) => error === undone)
})

test('batches with long texts have fewer filings, so that a batch has only some megabytes', async (t) => {
  const world = await openWorld(t)
  const all = made(40).filter(({ count }) => count > 0)
  // The quarter has its partition, so each batch is a transaction of its own.
  await load(world, [await setOf(t, membersOf(all.slice(12)), '2024q2_form13f.zip')])
  const members = membersOf(all.slice(0, 12))
  const [header, ...lines] = members['INFOTABLE.tsv']!.trimEnd().split('\n')
  // A zip compresses the text, but not so much that the zip is refused.
  const text = bytesOf(randomFor('a long text'), 9 << 13)
    .toString('base64')
    .padEnd(3 << 20, 'x')
  let before = ''
  const padded = lines.map((line) => {
    const isFirst = line.split('\t')[0] !== before
    before = line.split('\t')[0]!
    return `${line}\t${isFirst ? text : ''}`
  })
  const counts: number[] = []
  const file = await setOf(t, { ...members, 'INFOTABLE.tsv': [`${header}\tNEWCOLUMN`, ...padded, ''].join('\n') })
  const [outcome] = await load(world, [file], { onBatch: (done) => void counts.push(done) })
  assert.deepEqual(outcome!.result, { filings: 12, loaded: 12 })
  // Each filing has three megabytes, so a batch has six filings.
  assert.deepEqual(counts, [6, 12])
})

test('a stop during the first pass over a set ends the load at once, without a failure and without stored rows', async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const file = await setOf(t, membersOf(made(60)))
  const stop = new AbortController()
  let chunks = 0
  const store = {
    ...world.store,
    async *read(sha256: string) {
      for await (const chunk of world.store.read(sha256)) {
        chunks++
        yield chunk
      }
      stop.abort(new Error('stopped'))
    },
  }
  let claimed = 0
  const claim = async () => ++claimed < 0
  assert.deepEqual(await load(world, [file], { store, signal: stop.signal, claim }), [])
  assert.deepEqual([chunks > 0, claimed], [true, 0])
  const [row] = await sql`select state, to_regclass('bulk.set_line') as staged from bulk.filing_set`
  assert.deepEqual({ ...row }, { state: 'begun', staged: null })
  assert.deepEqual((await load(world, [file]))[0]!.result, { filings: 60, loaded: 60 })
})

for (const [what, hold] of [
  ['a rebuild of the dataset', (tx: Transaction) => holdRebuild(tx, thirteenf)],
  ['the load of another set', holdSets],
] as const) {
  test(`a stop while a set waits for ${what} ends the load at once, without a failure`, async (t) => {
    const world = await openWorld(t)
    const { sql } = world
    const file = await setOf(t, membersOf(made(5)))
    const held = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const holding = sql.begin(async (tx) => {
      await hold(tx)
      held.resolve()
      await release.promise
    })
    // Otherwise the load may get the lock first, and `hold` then waits for the load.
    await held.promise
    const stop = new AbortController()
    let ended: unknown
    const loading = load(world, [file], { signal: stop.signal }).then((outcomes) => {
      ended = outcomes
    })
    try {
      await until('the load waits', async () => {
        const rows = await sql`
          select from pg_stat_activity where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`
        return rows.length > 0
      })
      stop.abort(new Error('stopped'))
      await until('the load has ended', () => ended !== undefined)
    } finally {
      release.resolve()
      await Promise.all([holding, loading])
    }
    assert.deepEqual(ended, [])
    const [counts] = await sql`
      select (select count(*)::int from bulk.filing_set where state in ('failed', 'done')) as sets,
        (select count(*)::int from thirteenf.report) as reports`
    assert.deepEqual({ ...counts }, { sets: 0, reports: 0 })
  })
}

test('an error that only coincides with a stop is recorded, or ends the load', async (t) => {
  const world = await openWorld(t)
  const { sql } = world
  const file = await setOf(t, membersOf(made(5)))
  const loadStopped = (fails: (tx: Transaction) => Promise<unknown>) => {
    const stop = new AbortController()
    const claim = async (tx: Transaction) => {
      stop.abort(new Error('stopped'))
      await fails(tx)
      return false
    }
    return load(world, [file], { signal: stop.signal, claim })
  }
  const [outcome] = await loadStopped((tx) => tx`select 1 / 0`)
  assert.equal(outcome?.error, 'division by zero')
  const states = async () => (await sql`select state, error from bulk.filing_set`).map((row) => ({ ...row }))
  assert.deepEqual(await states(), [{ state: 'failed', error: 'division by zero' }])
  await assert.rejects(
    loadStopped((tx) => tx`select from nowhere`),
    { code: '42P01' },
  )
  assert.deepEqual(await states(), [{ state: 'begun', error: 'division by zero' }])
})
