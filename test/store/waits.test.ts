/**
 * Waits in the database: writers of different datasets block each other only for the time of a commit.
 *
 * @server it holds locks in one session and queries which other sessions wait
 */
import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { position } from '../../src/datasets/thirteenf/tables.ts'
import x17a5 from '../../src/datasets/x17a5/index.ts'
import { holdRefresh, INDEX_LOCK } from '../../src/ingest/order.ts'
import { rebuild } from '../../src/ingest/rebuild.ts'
import { connect, type Sql, type Transaction } from '../../src/store/db.ts'
import { append } from '../../src/store/events.ts'
import { dataChanged, dataVersions, versionOf, versionsOf } from '../../src/store/meta.ts'
import { madeApart } from '../../src/store/partitions.ts'
import { openHarbour } from '../support/bulk-world.ts'
import { openIndexedWorld } from '../support/sampled.ts'
import { until } from '../support/until.ts'
import { copyOfSample, madeLater, openWorld, writeIndex } from '../support/world.ts'

/** Selects pairs of a waiting session and its blocker, as the server sees them. */
const waits = (sql: Sql) => sql<{ pid: number; blocker: number; query: string }[]>`
  select pid, unnest(pg_blocking_pids(pid)) as blocker, query from pg_stat_activity
  where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0`

/**
 * Takes the locks of the statement `lock`, and holds them until the test releases them. A session that needs such a
 * lock waits at this point and keeps the locks that it has.
 */
async function held(sql: Sql, lock: (tx: Transaction) => Promise<unknown>) {
  const release = Promise.withResolvers<void>()
  const locked = Promise.withResolvers<void>()
  const ended = sql.begin(async (tx) => {
    await lock(tx)
    locked.resolve()
    await release.promise
  })
  ended.catch(locked.reject)
  await locked.promise
  return async () => {
    release.resolve()
    await ended
  }
}

const isFree = (sql: Sql, take: (tx: Transaction) => Promise<unknown>) =>
  sql
    .begin(async (tx) => {
      await tx`set local lock_timeout = '100ms'`
      await take(tx)
      return true
    })
    .catch((error) => {
      // biome-ignore format: one chain
      if (error.code === '55P03') return false
      throw error
    })

/** Tests that no session locks a data version or the right to write the next event. */
const versionIsFree = (sql: Sql) =>
  isFree(sql, async (tx) => {
    await tx`select from core.data_version for update`
    await append(tx, [{ slug: 'none', what: 'added', keys: null }])
  })
const coverage = (form: string) => (tx: Transaction) =>
  tx`select from edgar.coverage where form_type = ${form} for update`

test('a worker that has not committed the first rows of a quarter does not block workers that need this quarter or a new one', async (t) => {
  const { sql, target, ...world } = await openIndexedWorld(t)
  const other = connect({ target, max: 2, statementTimeoutMs: 20_000 })
  t.after(() => other.end())
  const release = await held(sql, (tx) => tx`select from edgar.coverage for update`)
  const drained = world.drain({ datasets: ['thirteenf'], workers: 1 })
  await until('the rows are stored and the batch is open', async () => (await waits(sql)).length > 0)
  const quarters = ['2017-12-31', '2018-03-31', '2018-06-30', '2018-09-30', '2018-12-31', '2019-03-31', '2030-12-31']
  await other.begin(async (tx) => {
    for (const quarter of quarters) await madeApart(other)(tx, position, quarter, 'thirteenf')
  })
  // The batch has stored nothing yet, and there is no empty partition that would suggest otherwise.
  const [seen] = await sql`
    select (select count(*)::int from thirteenf.position) as positions,
      (select count(*)::int from thirteenf.report) as reports, (select count(*)::int from core.partition) as partitions`
  assert.deepEqual([seen!.positions, seen!.reports, seen!.partitions >= quarters.length], [0, 0, true])
  await release()
  const { done, failed } = await drained
  assert.ok(done > 0 && failed === 0)
})

test('workers do not wait for uncommitted rows of a worker of another dataset', async (t) => {
  const { sql, ...world } = await openIndexedWorld(t)
  const release = await held(sql, async (tx) => {
    await coverage('X-17A-5')(tx)
    await coverage('X-17A-5/A')(tx)
  })
  const broker = world.drain({ datasets: ['x17a5'], workers: 1 })
  await until('the worker waits to count what it read', async () =>
    /edgar\.coverage/.test((await waits(sql))[0]?.query ?? ''),
  )
  const [{ pid } = { pid: 0 }] = await waits(sql)
  const seen = new Set<number>()
  let drained = false
  const others = world.drain({ datasets: ['formd', 'rega', 'crowdfunding', 'cfportal'], workers: 2 }).then((result) => {
    drained = true
    return result
  })
  await until('the work of the others is done', async () => {
    for (const { pid: waiting, blocker } of await waits(sql)) if (blocker === pid) seen.add(waiting)
    return drained
  })
  assert.ok((await others).done > 20)
  assert.deepEqual([...seen], [], 'no session waited for the worker')
  assert.ok(await versionIsFree(sql))
  await release()
  assert.ok((await broker).done > 0)
})

test('two writers of different slices do not wait for each other', async (t) => {
  const { sql } = await openWorld(t)
  const release = await held(sql, (tx) => dataChanged(tx, ['thirteenf', 'filings']))
  assert.ok(await isFree(sql, (tx) => dataChanged(tx, ['adv', 'bulk'])))
  assert.equal(
    await isFree(sql, (tx) => dataChanged(tx, ['formd', 'thirteenf'])),
    false,
    'writers of one slice wait for each other',
  )
  await release()
  const versions = versionsOf(await dataVersions(sql))
  const of = (...slugs: string[]) => versionOf(versions, slugs)
  assert.deepEqual([of('adv'), of('filings'), of('thirteenf', 'bulk'), of('formd')], ['1', '1', '1,1', '0'])
})

test('an uncommitted load of an index or an edition does not lock the data version', async (t) => {
  const root = await copyOfSample(t)
  const { sql, ...world } = await openIndexedWorld(t, { root })
  const { count } = await sql`select from edgar.filing`
  await writeIndex(root, '2013/QTR4', ['1234|OLD & CO|10-K|2013-10-02|edgar/data/1234/0000001234-25-000001.txt'], {
    lastReceived: 'October 31, 2013',
  })
  const counts = await held(sql, (tx) => tx`lock table edgar.watermark in exclusive mode`)
  const crawled = world.crawl({ from: '2013-10-01', to: '2013-10-31', now: new Date('2013-11-02T12:00:00Z') })
  await until('the index is stored', async () => /edgar\.watermark/.test((await waits(sql))[0]?.query ?? ''))
  assert.ok(await versionIsFree(sql))
  assert.ok((await world.drain({ datasets: ['formd'], workers: 1 })).done > 0, 'workers go on')
  await counts()
  await crawled
  assert.equal((await sql`select from edgar.filing`).count, count + 1)

  const harbour = await openHarbour(t)
  await harbour.ships('2026-01-01', '<Ship number="1" name="Ann"/>')
  const edition = await held(harbour.sql, (tx) => tx`lock table bulk.edition in exclusive mode`)
  const loaded = harbour.ingest()
  await until('the load waits for the table of editions', async () =>
    /bulk\.edition/.test((await waits(harbour.sql))[0]?.query ?? ''),
  )
  assert.ok(await versionIsFree(harbour.sql))
  await edition()
  assert.equal((await loaded)[0]!.error, null)
})

test('a worker updates the counts of forms in a fixed order, independent of their order on disk, so two workers never deadlock', async (t) => {
  const { sql, ...world } = await openIndexedWorld(t)
  // The row of the first form now follows the row of the last form on disk.
  await sql`update edgar.coverage set family = family where form_type in ('D', 'D/A')`
  const release = await held(sql, coverage('D'))
  const drained = world.drain({ datasets: ['formd', 'x17a5'], workers: 1 })
  await until('the worker waits', async () => (await waits(sql)).length > 0)
  assert.ok(await isFree(sql, coverage('X-17A-5')))
  await release()
  assert.equal((await drained).failed, 0)
})

test('an index that changes filings of a running worker waits for the worker before it takes any lock that the worker will need', async (t) => {
  const root = await copyOfSample(t)
  const { sql, ...world } = await openIndexedWorld(t, { root })
  const [report] = await sql<{ accession: string; cik: string; filed_date: string; path: string; company_name: string }[]>`
    select accession, cik, filed_date, path, company_name from edgar.filing where form_type = 'X-17A-5'
    and filed_date between '2019-01-01' and '2019-03-31' order by accession limit 1` // biome-ignore format: SQL
  world.host.setFaults(`slow:ms=1500,path=${report!.accession}`)
  const drained = world.drain({ datasets: ['x17a5'], workers: 1 })
  await until('the tasks are claimed', async () => {
    const free = await sql.begin((tx) => tx`
      select from edgar.task where accession = ${report!.accession} for update skip locked`) // biome-ignore format: SQL
    return free.length === 0
  })
  // A crawl would change the same rows, and would be slow here too.
  const file = `${root}/Archives/edgar/full-index/2019/QTR1/master.idx`
  const text = await readFile(file, 'utf8')
  const line = text.split('\n').find((each) => each.includes(report!.accession))!
  const moved = line.replace(report!.filed_date, '2019-03-30')
  assert.notEqual(moved, line)
  await writeFile(file, text.replace(line, moved))
  const crawled = world.crawl({ from: '2019-01-01', to: '2019-03-31', again: true })
  await until('the index waits for the task', async () =>
    (await waits(sql)).some(({ query }) => /edgar\.task/.test(query)),
  )
  assert.equal((await drained).failed, 0)
  const [index] = await crawled
  assert.equal(index!.changed, 1)
  // The task must be repeated; the current run may have noticed this before it ended.
  await world.drain({ datasets: ['x17a5'], workers: 1 })
  const [task] = await sql`
    select t.state, t.filed_date, r.filed_date as read from edgar.task t join x17a5.report r using (accession)
    where accession = ${report!.accession}`
  assert.deepEqual({ ...task }, { state: 'done', filed_date: '2019-03-30', read: '2019-03-30' })
})

test('a rebuild waits for a running index load before it swaps tables, and locks the data version last', async (t) => {
  const { sql, ...world } = await openIndexedWorld(t)
  await world.drain({ datasets: ['x17a5'] })
  const index = await held(sql, (tx) => tx`select pg_advisory_xact_lock(${INDEX_LOCK})`)
  const rebuilt = rebuild({ sql, ...world }, x17a5)
  await until('the rebuild waits for the lock', async () =>
    (await waits(sql)).some(({ query }) => /pg_advisory_xact_lock/.test(query)),
  )
  assert.ok(await isFree(sql, (tx) => tx`select from core.dataset where slug = 'x17a5' for share`), 'ingest goes on')
  assert.ok(await isFree(sql, (tx) => tx`lock table x17a5.report in row exclusive mode`))
  const counted = await held(sql, coverage('X-17A-5'))
  await index()
  await until('the rebuild has swapped the tables', async () =>
    /edgar\.coverage/.test((await waits(sql))[0]?.query ?? ''),
  )
  assert.ok(await versionIsFree(sql))
  await counted()
  assert.ok((await rebuilt).filings > 0)
})

test('at its end a run waits for a running refresh of the same rollups; loads of filings, editions and indexes do not wait for it', async (t) => {
  const harbour = await openHarbour(t)
  const isRefused = async (sql: Sql) => (await waits(sql)).some(({ query }) => /pg_advisory_xact_lock/.test(query))
  await harbour.ships('2026-01-01', '<Ship number="1" name="Ann"/>')
  const fleets = await held(harbour.sql, (tx) => holdRefresh(tx, 'fleet'))
  const loaded = harbour.ingest()
  await until('the run waits', () => isRefused(harbour.sql))
  assert.equal((await harbour.sql`select from fleet.ship`).count, 1, 'the edition is loaded')
  await fleets()
  assert.equal((await loaded)[0]!.error, null)

  const root = await copyOfSample(t)
  const { sql, ...world } = await openWorld(t, { root })
  // Only the host that listed a filing can report its removal, so the test reads an index of its own host.
  await world.crawl({ from: '2019-01-01', to: '2019-12-31' })
  const workers = await held(sql, (tx) => holdRefresh(tx, 'x17a5'))
  const drained = world.drain({ datasets: ['x17a5'], workers: 1 })
  await until('the run waits', () => isRefused(sql))
  const pending = await sql`select from edgar.task where dataset = 'x17a5' and state = 'pending'`
  assert.equal(pending.count, 0, 'every record is read')
  await workers()
  await drained
  const file = `${root}/Archives/edgar/full-index/2019/QTR1/master.idx`
  const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(11)
  const kept = lines.filter((line) => !line.includes('|X-17A-5|'))
  assert.ok(kept.length < lines.length)
  await writeIndex(root, '2019/QTR1', kept, { lastReceived: 'March 31, 2019' })
  const first = { from: '2019-01-01', to: '2019-03-31', again: true }
  await world.crawl({ ...first, now: await madeLater(root, '2019/QTR1') })
  const before = (await sql`select from edgar.filing`).count
  const indexes = await held(sql, (tx) => holdRefresh(tx, 'x17a5'))
  const crawled = world.crawl({ ...first, now: await madeLater(root, '2019/QTR1') })
  await until('the run waits', () => isRefused(sql))
  assert.equal(
    (await sql`select from edgar.filing`).count,
    before - (lines.length - kept.length),
    'the filings are removed',
  )
  await indexes()
  assert.equal((await crawled)[0]!.removed, lines.length - kept.length)
})

test('an index, like a worker, updates the counts of forms in a fixed order', async (t) => {
  const root = await copyOfSample(t)
  const { sql, ...world } = await openIndexedWorld(t, { root })
  await sql`update edgar.coverage set family = family where form_type = 'D'`
  const line = (form: string, n: number) =>
    `1234|OLD & CO|${form}|2013-10-02|edgar/data/1234/0000001234-25-00000${n}.txt`
  await writeIndex(root, '2013/QTR4', [line('X-17A-5', 1), line('D', 2), line('X-17A-5', 3)], {
    lastReceived: 'October 31, 2013',
  })
  const release = await held(sql, coverage('D'))
  const crawled = world.crawl({ from: '2013-10-01', to: '2013-10-31', now: new Date('2013-11-02T12:00:00Z') })
  await until('the crawl waits', async () => (await waits(sql)).length > 0)
  assert.ok(await isFree(sql, coverage('X-17A-5')))
  await release()
  assert.equal((await crawled)[0]!.added, 3)
})
