/**
 * `ingest --follow` while its database fails in each step, is unreachable, or has no room: it continues, and loads no
 * filing twice.
 */
import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { App } from '../../src/app.ts'
import { diskStore, type Store } from '../../src/archive/store.ts'
import { submissions } from '../../src/archive/submissions.ts'
import { claimFor } from '../../src/commands/claim.ts'
import { throughOutages } from '../../src/commands/progress/outage.ts'
import { reporterOf } from '../../src/commands/progress/reporter.ts'
import { latestRuns } from '../../src/ingest/runs.ts'
import { connect, type Sql } from '../../src/store/db.ts'
import { secondRun } from '../second-run.ts'
import { begin, madeFolder, queried } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { noMount, smallDisk } from '../support/disk.ts'
import { startHost } from '../support/edgar-host.ts'
import { type Following, following } from '../support/follow/following.ts'
import { accession, daysAgo, entry, feedingEdgar } from '../support/follow/made.ts'
import { randomFor } from '../support/random.ts'
import { often } from '../support/soak.ts'
import { overTcp } from '../support/tcp.ts'
import { until } from '../support/until.ts'
import { openWorld } from '../support/world.ts'

type After = Parameters<typeof freshDatabase>[0]

/** Closes resources in the reverse order of their opening. */
function lastFirst(t: After): After {
  const ends: (() => Promise<void>)[] = []
  t.after(async () => {
    for (const end of ends) await end()
  })
  return { after: (end) => void ends.unshift(end) }
}

/**
 * Starts a follower of a feed, with its connections; `watcher` is a separate connection to the database.
 */
async function place(test: After, store?: (own: Store) => Store) {
  const t = lastFirst(test)
  const database = await freshDatabase(t)
  const relay = await overTcp(t, database)
  const sql = connect({ target: relay.target, max: 8 })
  t.after(() => sql.end({ timeout: 5 }))
  const edgar = await feedingEdgar(t)
  await edgar.publish([])
  const world = await openWorld(t, { root: edgar.root, database: { sql, target: relay.target } })
  if (store) world.submissions = submissions({ ...world, store: store(world.store) })
  const watcher = database.sql
  let last = 0
  return {
    ...{ t, relay, sql, watcher, world, edgar },
    follow: (more: Parameters<typeof following>[2] = {}) => following(t, world, more),
    /** Adds new filings to the feed. @returns their accessions */
    async news(count: number): Promise<string[]> {
      const some = Array.from({ length: count }, () => ++last)
      for (const n of some) await edgar.release(n)
      await edgar.publish(Array.from({ length: last }, (_, n) => entry({ n: last - n })))
      return some.map(accession)
    },
    /**
     * Asserts that each filing announced so far is stored once, and is in the log once for the index and once for its
     * rows.
     */
    async assertEachOnce(): Promise<void> {
      const keys = Array.from({ length: last }, (_, n) => accession(n + 1))
      const events = await watcher<{ slug: string; key: string }[]>`
        select slug, key from core.event where what = 'added' order by slug, key`
      assert.deepEqual(
        events.filter(({ slug }) => slug === 'filings').map(({ key }) => key),
        keys,
      )
      assert.deepEqual(
        events.filter(({ slug }) => slug === 'formd').map(({ key }) => key),
        keys,
      )
      const others = await watcher`select slug, what, key from core.event where what <> 'added'`
      assert.deepEqual([...others], [])
      const tasks = await watcher`select accession from edgar.task where state <> 'done'`
      assert.deepEqual([...tasks], [])
    },
  }
}

const areLoaded = async (watcher: Sql, some: readonly string[]) => {
  const [row] = await watcher<{ n: number }[]>`
    select count(*)::int as n from formd.offering where accession = any(${some as string[]})`
  return row!.n === some.length
}

const events = ({ reported }: Following, name: string) => reported.filter(({ event }) => event === name).length

/** Statements of each step of a turn, as the driver sends them. */
const STEPS: Record<string, RegExp> = {
  'the look for what is known': /select count\(\*\)::int as known/,
  'the claim of a sample or of none': /from core\.meta where name = 'origin'/,
  'the lock of the index': /pg_advisory_xact_lock\(\$1\)/,
  'the lines of the feed': /copy incoming /,
  'the new filings': /insert into edgar\.filing \(/,
  'the state of the feed': /insert into edgar\.feed /,
  'the log of events': /insert into core\.event/,
  'the claim of tasks': /for update of t skip locked/,
  'the load of rows': /copy formd\./,
  'what became of the tasks': /update edgar\.task t set state/,
  'the data versions': /insert into core\.data_version/,
  'the retries that are due': /and passing and \(finished_at/,
  'the marks of rollups': /core\.mark/,
  'the indexes that were read': /from edgar\.watermark/,
}

/** Each step is broken twice: before the server has begun to answer, and after it has begun. */
const BREAKS = Object.entries(STEPS).flatMap(([step, pattern]) =>
  [false, true].map((after) => ({ step, pattern, after })),
)
const TRIED = often('steps of a turn in which the database breaks', { usual: 5, soak: BREAKS.length })

test('if the database fails in any step of a poll, before or after its answer, the follower waits and loads every filing once', async (t) => {
  const { relay, watcher, news, assertEachOnce, follow } = await place(t)
  const run = await follow()
  await until('the run follows the feed', () => events(run, 'following') > 0)
  const random = randomFor('breaks')
  const some = BREAKS.map((each) => ({ each, at: random() })).sort((a, b) => a.at - b.at)
  for (const { step, pattern, after } of some.slice(0, TRIED).map(({ each }) => each)) {
    // New connections send the texts of all statements again.
    relay.reset()
    const broken = relay.breakAt(pattern, { after })
    const reported = await news(2)
    await Promise.race([
      broken,
      delay(60_000, undefined, { ref: false }).then(() => assert.fail(`no statement of this step was sent: ${step}`)),
    ])
    relay.close()
    await delay(20)
    await relay.listen()
    await until(`filings are loaded after a break in ${step}`, () => areLoaded(watcher, reported))
    await until('a turn succeeds', () => run.summary.failing === undefined)
  }
  await until('the turn that had failed succeeds', () => run.summary.failing === undefined)
  assert.ok(events(run, 'database_away') >= TRIED)
  assert.equal(events(run, 'database_back'), events(run, 'database_away'))
  await assertEachOnce()
})

test('the follower reports once that the database is unreachable, and resumes when it is back; its run does not count as killed', async (t) => {
  const { relay, watcher, world, news, assertEachOnce, follow } = await place(t)
  const run = await follow()
  const early = await news(1)
  await until('the early filings are loaded', () => areLoaded(watcher, early))
  const before = events(run, 'database_away')
  relay.close()
  relay.reset()
  const some = await news(1)
  await until('the loss of the database is reported', () => events(run, 'database_away') > before)
  const turns = world.host.requests.length
  await delay(600)
  assert.equal(events(run, 'database_away'), before + 1)
  assert.ok(world.host.requests.length <= turns + 1, 'EDGAR gets no request meanwhile')
  assert.match(run.summary.failing!.reason, /ECONNREFUSED|CONNECTION_CLOSED|ECONNRESET/)
  await relay.listen()
  await until('all filings are loaded', () => areLoaded(watcher, some))
  const state = async () => (await latestRuns(watcher, 1))[0]!
  await until('the run holds its lock again', async () => (await state()).outcome === 'running')
  await until(
    'the record of the run states the filings that were read',
    async () => ((await state()).summary.filings?.read ?? 0) >= 2,
  )
  await run.stop()
  assert.equal((await state()).outcome, 'stopped')
  await assertEachOnce()
})

test('if another outage interrupts the renewal of a first load, the next renewal takes the lock of the sample again', async (t) => {
  const { t: own, relay, sql, watcher } = await place(t)
  const isHeld = async () => {
    const rows = await watcher`
      select from pg_locks l join pg_database d on d.oid = l.database
      where d.datname = current_database() and l.locktype = 'advisory' and l.granted and l.objid = 4713021`
    return rows.length > 0
  }
  const stop = new AbortController()
  // `claimFor` uses no other member of an app.
  const app = { sql, client: { baseUrl: 'https://host.example' } } as unknown as App
  const reporter = reporterOf({ quiet: true })
  const claim = await claimFor(app, reporter, stop.signal)
  own.after(() => claim.release())
  assert.ok(await isHeld())
  // New connections send the texts of all statements again.
  relay.reset()
  void relay.breakAt(/from core\.meta where name = 'origin'/)
  await assert.rejects(claim.renew())
  await until('the lock is lost', async () => !(await isHeld()))
  await throughOutages({ sql, reporter, signal: stop.signal }, () => claim.renew())
  assert.ok(await isHeld())
  claim.stored()
  await until('the lock is released after the first data was stored', async () => !(await isHeld()))
  await claim.renew()
  assert.ok(!(await isHeld()))
})

test('a signal ends the follower while the server is away, and while a statement is never answered', async (t) => {
  const { t: own, relay, watcher, world, news, follow } = await place(t)
  const run = await follow()
  const early = await news(1)
  await until('the early filings are loaded', () => areLoaded(watcher, early))
  relay.close()
  relay.reset()
  await until('the loss of the database is reported', () => events(run, 'database_away') > 0)
  assert.ok((await run.stop()) < 8_000)
  await relay.listen()
  const proxy = await databaseProxy(own, relay.target)
  const sql = connect({ target: proxy.target, max: 8 })
  own.after(() => sql.end({ timeout: 0 }))
  const frozen = await following(own, { ...world, sql, submissions: submissions({ ...world, sql }) }, { stopMs: 100 })
  const late = await news(1)
  await until('the late filings are loaded', () => areLoaded(watcher, late))
  proxy.freeze()
  await delay(100)
  const ended = frozen.stop()
  await sql.end({ timeout: 1 })
  await ended
})

test('if the archive’s disk is full, the poll fails but no filing fails, and the next poll succeeds when there is room', async (t) => {
  let isFull = false
  const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
  const { watcher, news, assertEachOnce, follow } = await place(t, (store) => ({
    ...store,
    put: async (body) => {
      if (isFull) throw full
      return store.put(body)
    },
  }))
  const run = await follow()
  await until('the run follows the feed', () => events(run, 'following') > 0)
  isFull = true
  const some = await news(3)
  await until('the full disk is reported', () => run.reported.some(({ reason }) => /ENOSPC/.test(String(reason))))
  assert.match(run.summary.failing!.reason, /^filings: ENOSPC/)
  const failed = await watcher`select from edgar.task where state = 'failed'`
  assert.equal(failed.length, 0)
  isFull = false
  await until('the filings are loaded', () => areLoaded(watcher, some))
  await assertEachOnce()
})

test('a real full disk of the archive also fails the poll but no filing', { skip: noMount }, async (t) => {
  const disk = await smallDisk(t)
  const { watcher, news, assertEachOnce, follow } = await place(t, () => diskStore(path.join(disk.folder, 'archive')))
  const run = await follow()
  const early = await news(1)
  await until('the early filings are loaded', () => areLoaded(watcher, early))
  await disk.fill()
  const some = await news(3)
  await until('the full disk is reported', () =>
    run.reported.some(({ reason }) => /disk is full: make room \(ENOSPC/.test(String(reason))),
  )
  await disk.free()
  await until('the filings are loaded', () => areLoaded(watcher, some))
  await until('a turn succeeds', () => run.summary.failing === undefined)
  await assertEachOnce()
})

test('if the database has no room, the follower retries, and loads the filings when there is room', async (t) => {
  const { watcher, news, assertEachOnce, follow } = await place(t)
  const run = await follow()
  await until('the run follows the feed', () => events(run, 'following') > 0)
  await watcher`create function refuse() returns trigger language plpgsql as
    $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$`
  await watcher`create trigger full_disk before insert on formd.offering for each statement execute function refuse()`
  const some = await news(2)
  await until('the full disk of the database is reported', () =>
    run.reported.some(({ reason }) =>
      /^the disk of the database in the data folder \/data is full: make room \(could not extend file/.test(
        String(reason),
      ),
    ),
  )
  await watcher`drop function refuse cascade`
  await until('the filings are loaded', () => areLoaded(watcher, some))
  await assertEachOnce()
})

test('a statement that the database rejects as invalid ends the follower, because no retry could succeed', async (t) => {
  const { watcher, news, follow } = await place(t)
  await watcher`alter table edgar.feed rename to fed`
  await news(1)
  const run = await follow()
  await assert.rejects(run.ended, /relation "edgar.feed" does not exist/)
})

test('the follower survives two kills of its embedded server, one during recovery, and ends if the data folder is removed', {
  skip: secondRun,
}, async (t) => {
  const edgar = await feedingEdgar(t)
  await edgar.release(1)
  await edgar.publish([entry({ n: 1 })])
  const host = await startHost({ root: edgar.root })
  t.after(() => host.close())
  const DATA_DIR = await madeFolder(t)
  const env = { DATA_DIR, FOLLOW_SECONDS: '1' }
  const run = begin(t, ['ingest', 'formd', '--follow', '--from', daysAgo(2), '--base-url', host.url], env)
  const isRead = async (n: number) =>
    host.requests.some(({ path: at, status }) => status === 200 && at.endsWith(`${accession(n)}.txt`))
  await until('the first filing is read', () => isRead(1))
  const pidOf = async () =>
    Number((await readFile(path.join(DATA_DIR, 'database/postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0])
  const killed = await pidOf()
  process.kill(killed, 'SIGKILL')
  let next = 0
  await until('the next database server has begun', async () => {
    next = await pidOf()
    return next > 0 && next !== killed
  })
  process.kill(next, 'SIGKILL')
  await run.until(/the database is back after/)
  await edgar.release(2)
  await edgar.publish([entry({ n: 2 }), entry({ n: 1 })])
  await until('the second filing is read', () => isRead(2))
  const loaded = () => queried(env, async (sql) => areLoaded(sql, [1, 2].map(accession)))
  await until('both filings are loaded', loaded)
  await rm(path.join(DATA_DIR, 'database'), { recursive: true, force: true })
  assert.equal(await run.ended, 1)
  assert.match(run.stderr(), /was removed while it was in use/)
})
