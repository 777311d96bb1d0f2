/** All processes of an operator share one request rate and one pause through the database. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { open } from '../../src/app.ts'
import { readSettings } from '../../src/config.ts'
import { connect } from '../../src/store/db.ts'
import { sharedPace } from '../../src/store/pace.ts'
import { secondRun } from '../second-run.ts'
import { COMPILED, emptyEnv, run, runApart } from '../support/command.ts'
import { freshDatabase } from '../support/database.ts'
import { databaseProxy } from '../support/database-proxy.ts'
import { serving } from '../support/loopback.ts'

const program = path.join(import.meta.dirname, '../support/pace-process.ts')
const requesting = (env: Record<string, string>, host: string, times: number) =>
  runApart([host, String(times)], { ...COMPILED, ...env }, { program })

/** Returns the largest number of these times within any one second. */
const mostInSecond = (at: readonly number[]) =>
  Math.max(...at.map((from) => at.filter((each) => each >= from && each < from + 1000).length))

test('three processes together keep the pace, and a rate page pauses all of them and a process that begins during the pause', {
  skip: secondRun,
}, async (t) => {
  const at: number[] = []
  let refusedAt = 0
  const host = await serving(t, (_, response) => {
    at.push(performance.now())
    if (at.length < 9) return void response.end('fine')
    if (at.length === 9) {
      refusedAt = performance.now()
      return void response.writeHead(403).end('<title>SEC.gov | Request Rate Threshold Exceeded</title>')
    }
    response.end('fine')
  })
  const env = {
    ...(await emptyEnv(t)),
    ...{ EDGAR_PACE_LOOPBACK: 'on', EDGAR_REQUESTS_PER_SECOND: '5', EDGAR_PAUSE_SECONDS: '4' },
  }
  const three = Array.from({ length: 3 }, () => requesting(env, host, 9))
  while (refusedAt === 0) await delay(10)
  const runs = await Promise.all([...three, requesting(env, host, 1)])
  for (const { status, stderr } of runs) assert.equal(status, 0, stderr)
  // Each process reports the pause: the refused process, and the others, one of which began during the pause.
  for (const { stdout } of runs) assert.match(stdout, /^edgar\.pause: http:\S+ answered 403: request rate exceeded$/m)
  assert.equal(at.length, 29)
  // The 29 requests take eight intervals of 240 ms before the refusal and 19 after it. Processes that did not share the
  // pace through the database would take a third of the time.
  assert.ok(refusedAt - at[0]! > 8 * 240 - 500, `${refusedAt - at[0]!}`)
  assert.ok(at.at(-1)! - refusedAt > 4_000 + 18 * 240 - 500, `${at.at(-1)! - refusedAt}`)
  assert.ok(mostInSecond(at) <= 10, `${mostInSecond(at)} in a second`)
  // During the pause, a process may still send one request, if it took the turn for this request before the pause.
  assert.ok(at.filter((each) => each > refusedAt && each < refusedAt + 3_800).length <= 2)
})

test('all clients of a command share the pace of all processes', async (t) => {
  const host = await serving(t, (_, response) => void response.end('fine'))
  const env = { ...(await emptyEnv(t)), EDGAR_PACE_LOOPBACK: 'on', EDGAR_REQUESTS_PER_SECOND: '10' }
  const app = await open(readSettings(env).config, { baseUrl: host })
  t.after(() => app.close())
  const freeAt = async () => (await app.sql<{ free_at: string }[]>`select free_at from core.pace`)[0]!.free_at
  for (const client of [...app.clients, app.clientOf(host)]) {
    const before = await freeAt()
    await client.get('/x', async () => {})
    assert.notEqual(await freeAt(), before)
  }
})

test('concurrent processes get turns that are one interval apart, in whatever order they ask', async (t) => {
  const { sql, target } = await freshDatabase(t)
  const pools = [sql, connect({ target, max: 4 }), connect({ target, max: 4 })]
  t.after(() => Promise.all(pools.slice(1).map((pool) => pool.end())))
  const [before] = await sql<{ now: number }[]>`select extract(epoch from clock_timestamp())::float8 * 1000 as now`
  const turns = await Promise.all(pools.flatMap((pool) => Array.from({ length: 8 }, () => sharedPace(pool).take(110))))
  assert.ok(turns.every((turn) => turn !== null && turn.pausedMs === 0 && turn.waitMs < 24 * 110))
  const [after] = await sql<
    { free: number }[]
  >`select extract(epoch from free_at)::float8 * 1000 as free from core.pace`
  assert.ok(after!.free - before!.now >= 24 * 110)
})

test('a pause is known to every later process, and a shorter one does not end it', async (t) => {
  const { sql } = await freshDatabase(t)
  await sharedPace(sql).pause(60_000, 'refused')
  await sharedPace(sql).pause(1_000, 'asked to wait')
  const turn = await sharedPace(sql).take(110)
  assert.ok(turn!.pausedMs > 50_000 && turn!.pausedMs <= 60_000)
  assert.equal(turn!.reason, 'refused')
})

test('a missing row of core.pace is created again; times far in the future, from before a clock was set back, are ignored', async (t) => {
  const { sql } = await freshDatabase(t)
  await sql`delete from core.pace`
  assert.ok((await sharedPace(sql).take(110))!.waitMs < 1)
  await sql`update core.pace set free_at = now() + interval '3 hours', paused_until = now() + interval '3 days'`
  const turn = await sharedPace(sql).take(110)
  assert.deepEqual([turn!.waitMs < 1, turn!.pausedMs], [true, 0])
  await sharedPace(sql).pause(5_000, 'refused')
  assert.ok((await sharedPace(sql).take(110))!.pausedMs > 4_000)
  await sql`delete from core.pace`
  await sharedPace(sql).pause(5_000, 'refused')
  assert.ok((await sharedPace(sql).take(110))!.pausedMs > 4_000)
})

test('after a database has not answered, nothing is sent to it for a while; it gets the pause when it answers again', async (t) => {
  const { sql, target } = await freshDatabase(t)
  const proxy = await databaseProxy(t, target)
  const far = connect({ target: proxy.target, max: 1 })
  t.after(() => far.end({ timeout: 0 }))
  let ms = 0
  const shared = sharedPace(far, { now: () => ms, answerMs: 300, awayMs: 5_000 })
  assert.ok(await shared.take(110))
  proxy.freeze()
  await shared.pause(60_000, 'refused')
  assert.equal(await shared.take(110), null)
  proxy.thaw()
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'openfilings' and datname = current_database() and pid <> pg_backend_pid()`
  assert.equal(await shared.take(110), null, 'nothing is sent to the database yet')
  ms = 5_001
  let turn = await shared.take(110)
  for (; turn === null; turn = await shared.take(110)) ms += 5_001
  assert.ok(turn.pausedMs > 0 && turn.pausedMs <= 60_000 - 5_001)
  assert.ok((await sharedPace(sql).take(110))!.pausedMs > 0)
})

test('a database of an older version, without core.pace, is handled like one that does not answer', async (t) => {
  const { sql } = await freshDatabase(t)
  await sql`drop table core.pace`
  assert.equal(await sharedPace(sql).take(110), null)
})

const realhost = path.resolve(import.meta.dirname, '../../../shared/realhost')
const noHost = existsSync(realhost)
  ? false
  : 'the stand-in for the real hosts is not beside the project (../shared/realhost)'

test('a stand-in that limits requests like EDGAR refuses no request of three concurrent processes', {
  skip: secondRun || noHost,
}, async (t) => {
  const scenario = path.join(realhost, 'scenarios/throttle-three-processes.json')
  assert.match(readFileSync(scenario, 'utf8'), /"per_second": 10/)
  const host = spawn(process.execPath, [path.join(realhost, 'host.mjs'), '--port', '0', '--scenario', scenario])
  const ended = new Promise((resolve) => host.once('close', resolve))
  t.after(() => {
    host.kill()
    return ended
  })
  const { value: first } = await createInterface(host.stdout)[Symbol.asyncIterator]().next()
  const { url } = JSON.parse(first!) as { url: string }
  const env = {
    ...(await emptyEnv(t)),
    ...{ EDGAR_PACE_LOOPBACK: 'on', EDGAR_REQUESTS_PER_SECOND: '8', EDGAR_PAUSE_SECONDS: '2' },
    EDGAR_USER_AGENT: 'Jane Doe jane@doe.example',
  }
  const runs = await Promise.all(Array.from({ length: 3 }, () => requesting(env, url, 15)))
  for (const { status, stderr } of runs) assert.equal(status, 0, stderr)
  const counters = (await (await fetch(`${url}/_host/counters`)).json()) as Record<string, number>
  t.diagnostic(`most in a second: ${counters.max_in_a_second}`)
  assert.deepEqual([counters.requests, counters.throttled], [45, 0], `${counters.max_in_a_second} in a second`)
})

test('doctor shares the pace of all processes: during a pause it sends no request, and says why', async (t) => {
  let requests = 0
  const url = await serving(t, (_, response) => {
    requests++
    response.end('{}')
  })
  const hosts = { EDGAR_BASE_URL: url, EDGAR_DATA_URL: url, ADVISERINFO_BASE_URL: url, ADVISERINFO_FILES_URL: url }
  const place = await emptyEnv(t)
  const env = { ...place, ...hosts, EDGAR_PACE_LOOPBACK: 'on' }
  const sql = connect({ target: place.DATABASE_URL!, max: 1 })
  t.after(() => sql.end())
  await sharedPace(sql).pause(600_000, 'another process was refused')
  const { stdout } = await run(['doctor'], env)
  assert.match(stdout, /FAIL {2}EDGAR: another process was refused/)
  assert.equal(requests, 0)
})
